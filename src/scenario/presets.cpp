#include "scenario/presets.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "catalog/embedded.h"
#include "scenario/shipped_files.h"

namespace railyard {

namespace {

constexpr std::string_view kFolder = "scenarios/", kEnding = ".toml";

const EmbeddedFile* embedded(const std::filesystem::path& path) {
  const std::string name = path.lexically_normal().generic_string();
  const std::span<const EmbeddedFile> files = embedded_scenarios();
  const auto found = std::find_if(files.begin(), files.end(), [&](const EmbeddedFile& file) { return file.name == name; });
  return found == files.end() ? nullptr : &*found;
}

bool is_on_disk(const std::string& path) {
  std::error_code ignored;
  return path == "-" || std::filesystem::exists(path, ignored);
}

/// The preset's file, or nothing: a name has no ending and is no file.
const EmbeddedFile* preset(const std::string& name) {
  return is_on_disk(name) ? nullptr : embedded(fmt::format("{}{}{}", kFolder, name, kEnding));
}

/// What a scenario means by `name` where nothing beside it is called that: a preset, or a file that presets use.
const EmbeddedFile* shipped(const std::filesystem::path& name) {
  if (name.empty() || *name.begin() == "..") return nullptr;
  const std::string path = std::string(kFolder) + name.generic_string();
  const EmbeddedFile* const file = embedded(path);
  return file ? file : embedded(path + std::string(kEnding));
}

}  // namespace

bool is_shipped(const std::string& name) { return shipped(std::filesystem::path(name).lexically_normal()) != nullptr; }

std::string preset_text(const std::string& name) {
  const EmbeddedFile* const file = embedded(fmt::format("{}{}{}", kFolder, name, kEnding));
  return file ? std::string(file->text) : std::string();
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_scenarios())
    if (file.name.ends_with(kEnding))
      names.emplace_back(file.name.substr(kFolder.size(), file.name.size() - kFolder.size() - kEnding.size()));
  return names;
}

std::string preset_title(const std::string& name) {
  constexpr std::string_view kKey = "\nname = \"";
  const EmbeddedFile* const file = embedded(fmt::format("{}{}{}", kFolder, name, kEnding));
  const std::size_t key = file ? file->text.find(kKey) : std::string_view::npos;
  if (key == std::string_view::npos) return {};
  const std::size_t begin = key + kKey.size();
  return std::string(file->text.substr(begin, file->text.find('"', begin) - begin));
}

std::string scenario_path(const std::string& name_or_path) {
  const EmbeddedFile* const file = preset(name_or_path);
  return file ? std::string(file->name) : name_or_path;
}

ReadFile reader_for(const std::string& name_or_path) {
  if (preset(name_or_path))
    return [](const std::filesystem::path& path, std::size_t largest) -> Result<std::string> {
      if (const EmbeddedFile* const file = embedded(path)) return std::string(file->text);
      return read_file_from_disk(path, largest);
    };
  return [name_or_path](const std::filesystem::path& path, std::size_t largest) -> Result<std::string> {
    Result<std::string> text = read_file_from_disk(path, largest);
    if (!text && !is_on_disk(path.string()))
      if (const EmbeddedFile* const file = shipped(path.lexically_relative(std::filesystem::path(name_or_path).parent_path())))
        return std::string(file->text);
    if (text || is_on_disk(name_or_path) || path != name_or_path) return text;
    const std::string guess = nearest(std::filesystem::path(name_or_path).stem().string(), preset_names());
    return Diagnostic{Severity::error, "RY-SCN-001", "there is no such file, and no preset of this name",
                      guess.empty() ? "name a file, or a preset, such as llama3; railyard catalog presets lists them"
                                    : fmt::format("did you mean the preset '{}'?", guess),
                      SourceSpan{path.string(), 0, 0}};
  };
}

Result<Scenario> load_named_scenario(const std::string& name_or_path, const Catalog& catalog,
                                     std::span<const std::string> overrides, const LoadOptions& options,
                                     const ScenarioText* text) {
  const ReadFile read = reader_for(name_or_path);
  return load_scenario(scenario_path(name_or_path), catalog, overrides, text ? text->reader(read) : read, options);
}

}  // namespace railyard
