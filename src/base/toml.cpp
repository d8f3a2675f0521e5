#include "base/toml.h"

#include <toml++/toml.h>
#include <sstream>

namespace railyard {

namespace {

class Converter {
 public:
  explicit Converter(std::string file) : file_(std::move(file)) {}

  [[nodiscard]] SourceSpan span(const toml::source_region& region) const {
    return {file_, region.begin.line, region.begin.column};
  }

  [[nodiscard]] Document convert(const toml::node& node) const {
    const SourceSpan where = span(node.source());
    if (const auto* table = node.as_table()) return {object(*table), where};
    if (const auto* array = node.as_array()) {
      Document::Array items;
      for (const toml::node& item : *array) items.push_back(convert(item));
      return {std::move(items), where};
    }
    if (const auto* text = node.as_string()) return {text->get(), where};
    if (const auto* whole = node.as_integer()) return {whole->get(), where};
    if (const auto* fraction = node.as_floating_point()) return {fraction->get(), where};
    if (const auto* flag = node.as_boolean()) return {flag->get(), where};
    return {written(node), where};  // dates and times stay text
  }

 private:
  [[nodiscard]] Document::Object object(const toml::table& table) const {
    Document::Object members;
    for (const auto& [key, value] : table) members.push_back({std::string(key.str()), span(key.source()), convert(value)});
    return members;
  }

  static std::string written(const toml::node& node) {
    std::ostringstream out;
    node.visit([&](const auto& typed) { out << typed; });
    return out.str();
  }

  std::string file_;
};

/// The line of the first key with more than kDeepestKey parts, or 0. Parsing such a key would take as many stack frames. A run
/// of dots that nothing but name characters and blanks interrupts counts as a key; text with so many dots on a line is refused,
/// too.
std::uint32_t line_of_too_deep_key(std::string_view text) {
  constexpr int kDeepestKey = 100;
  constexpr std::string_view kEndsKey = ",=[]{}#\n";
  std::uint32_t line = 1;
  int dots = 0;
  for (const char c : text) {
    if (kEndsKey.find(c) != std::string_view::npos) dots = 0;
    if (c == '\n') line++;
    if (c == '.' && ++dots >= kDeepestKey) return line;
  }
  return 0;
}

}  // namespace

Result<Document> parse_toml(std::string_view text, std::string file, std::string_view code) {
  if (const std::uint32_t line = line_of_too_deep_key(text))
    return Diagnostic{
        Severity::error, std::string(code), "a key has a hundred parts or more", "use fewer", {std::move(file), line, 1}};
  try {
    const toml::table table = toml::parse(text, file);
    return Converter(file).convert(table);
  } catch (const toml::parse_error& error) {
    return Diagnostic{Severity::error,
                      std::string(code),
                      "this is not TOML: " + std::string(error.description()),
                      "mend the syntax here; what follows was not read",
                      {std::move(file), error.source().begin.line, error.source().begin.column}};
  }
}

}  // namespace railyard
