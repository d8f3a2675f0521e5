#include "scenario/scenario_text.h"

namespace railyard {

ReadFile ScenarioText::reader(ReadFile read) const {
  return [files = files_, read = std::move(read)](const std::filesystem::path& path) {
    Result<std::string> text = read(path);
    if (text && (path.extension() == ".toml" || files->empty())) files->emplace_back(path.generic_string(), *text);
    return text;
  };
}

std::string ScenarioText::text() const {
  std::string out;
  for (const auto& [name, content] : *files_) {
    if (files_->size() > 1) out += (out.empty() ? "" : "\n# which extends\n") + std::string("# ") + name + "\n\n";
    out += content;
    if (!content.empty() && content.back() != '\n') out += '\n';
  }
  return out;
}

}  // namespace railyard
