#include "scenario/scenario_text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace railyard {

namespace {

void add_text(const std::string& text, Fingerprint& to) {
  to.add(text.size());
  for (std::size_t at = 0; at < text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, std::min(sizeof word, text.size() - at));
    to.add(word);
  }
}

}  // namespace

ReadFile ScenarioText::reader(ReadFile read) const {
  return [all = read_, read = std::move(read)](const std::filesystem::path& path, std::size_t largest) {
    all->paths.push_back(path);
    Result<std::string> text = read(path, largest);
    if (text) add_text(*text, all->all);
    if (text && (path.extension() == ".toml" || all->texts.empty())) all->texts.emplace_back(path.generic_string(), *text);
    return text;
  };
}

std::string ScenarioText::text() const {
  std::string out;
  for (const auto& [name, content] : read_->texts) {
    if (read_->texts.size() > 1) out += (out.empty() ? "" : "\n# which extends\n") + std::string("# ") + name + "\n\n";
    out += content;
    if (!content.empty() && content.back() != '\n') out += '\n';
  }
  return out;
}

}  // namespace railyard
