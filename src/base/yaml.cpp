#include "base/yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <charconv>
#include <sstream>

namespace railyard {

namespace {

constexpr std::size_t kDeepestYaml = 64;
constexpr std::size_t kMostYamlValues = 1'000'000;

struct Refused {
  std::string why;
  std::uint32_t line;
};

class YamlConverter {
 public:
  explicit YamlConverter(std::string file) : file_(std::move(file)) {}

  [[nodiscard]] Document convert(const YAML::Node& node, std::size_t depth = 0) {
    const SourceSpan where = place(node);
    if (depth > kDeepestYaml) throw Refused{"this YAML is nested too deep", where.line};
    if (++values_ > kMostYamlValues) throw Refused{"this YAML holds more than a million values", where.line};
    switch (node.Type()) {
      case YAML::NodeType::Undefined:
      case YAML::NodeType::Null:
        return {Document::Value(), where};
      case YAML::NodeType::Scalar:
        return scalar(node, where);
      case YAML::NodeType::Sequence:
        return sequence(node, where, depth);
      case YAML::NodeType::Map:
        return map(node, where, depth);
    }
    return {};
  }

 private:
  [[nodiscard]] SourceSpan place(const YAML::Node& node) const {
    const YAML::Mark mark = node.Mark();
    return {file_, mark.line < 0 ? 0 : static_cast<std::uint32_t>(mark.line + 1), 0};
  }

  static Document scalar(const YAML::Node& node, const SourceSpan& where) {
    const std::string& text = node.Scalar();
    if (node.Tag() == "!") return {text, where};  // it was quoted
    if (text == "true" || text == "false") return {text == "true", where};
    const char *const first = text.data(), *const last = first + text.size();
    std::int64_t whole = 0;
    if (const auto end = std::from_chars(first, last, whole); end.ec == std::errc() && end.ptr == last) return {whole, where};
    double real = 0;
    if (const auto end = std::from_chars(first, last, real);
        end.ec == std::errc() && end.ptr == last && text.find_first_not_of("0123456789.eE+-") == std::string::npos)
      return {real, where};
    return {text, where};
  }

  [[nodiscard]] Document sequence(const YAML::Node& node, const SourceSpan& where, std::size_t depth) {
    Document::Array items;
    for (const YAML::Node& item : node) items.push_back(convert(item, depth + 1));
    return {std::move(items), where};
  }

  [[nodiscard]] Document map(const YAML::Node& node, const SourceSpan& where, std::size_t depth) {
    Document::Object members;
    for (const auto& member : node) {
      if (!member.first.IsScalar()) throw Refused{"a key of this YAML is not plain text", place(member.first).line};
      members.push_back({member.first.Scalar(), place(member.first), convert(member.second, depth + 1)});
    }
    return {std::move(members), where};
  }

  std::string file_;
  std::size_t values_ = 0;
};

/// Where each document begins. The library reads some texts (a comma at the top, say) as documents without end that take
/// nothing from the text; two that begin at one place are how that shows.
class DocumentStarts : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override {
    if (mark.pos == last_) throw Refused{"this is not YAML: nothing can stand here", static_cast<std::uint32_t>(mark.line + 1)};
    last_ = mark.pos;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

 private:
  int last_ = -1;
};

/// Throws unless every document takes something from the text.
void check_progress(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStarts starts;
  while (parser.HandleNextDocument(starts)) {
  }
}

}  // namespace

Result<std::vector<Document>> parse_yaml(std::string_view text, const std::string& file, std::string_view code) {
  const auto refused = [&](const std::string& why, std::uint32_t line) {
    return Diagnostics{{Severity::error, std::string(code), why, "mend the file, or leave it out", SourceSpan{file, line, 0}}};
  };
  try {
    YamlConverter converter(file);
    std::vector<Document> documents;
    check_progress(std::string(text));
    for (const YAML::Node& node : YAML::LoadAll(std::string(text))) documents.push_back(converter.convert(node));
    return documents;
  } catch (const YAML::Exception& problem) {
    const int line = problem.mark.line;
    return refused("this is not YAML: " + problem.msg, line < 0 ? 0 : static_cast<std::uint32_t>(line + 1));
  } catch (const Refused& problem) {
    return refused(problem.why, problem.line);
  }
}

}  // namespace railyard
