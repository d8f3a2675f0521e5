#include "sweep/sweep_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/fingerprint.h"
#include "scenario/presets.h"
#include "sweep/disk_copies.h"

namespace railyard {

namespace {

namespace fs = std::filesystem;

std::string hash_of(const std::vector<std::string>& words) {
  Fingerprint name;
  for (const std::string& word : words) {
    name.add(word.size());
    for (const char c : word) name.add(static_cast<unsigned char>(c));
  }
  return name.text();
}

/// Of the text of a preset, which is found in the program as well as on disk: its name.
std::string preset_called(const fs::path& whole, const std::string& text) {
  constexpr std::string_view kPresets = "/scenarios/";
  const std::string place = fs::path(whole).replace_extension().generic_string();
  const std::size_t at = place.rfind(kPresets);
  const std::vector<std::string> known = preset_names();
  const std::string name = at == std::string::npos ? std::string() : place.substr(at + kPresets.size());
  if (std::find(known.begin(), known.end(), name) == known.end()) return {};
  const Result<std::string> own = reader_for(known.front())("scenarios/" + name + ".toml");
  return own && *own == text ? name : std::string();
}

/// Names of files that do not tell where the scenario lies.
class PlaceNames {
 public:
  PlaceNames(const SweepQuestion& question, const fs::path& scenario)
      : folder_(question.folder), home_(whole(scenario).parent_path()) {}

  [[nodiscard]] fs::path whole(const fs::path& named) const { return (folder_ / named).lexically_normal(); }
  [[nodiscard]] std::string name(const fs::path& named) const {
    const fs::path place = whole(named), inside = place.lexically_relative(home_);
    return (inside.empty() || *inside.begin() == ".." ? place.filename() : inside).generic_string();
  }

 private:
  fs::path folder_, home_;
};

struct NamedText {
  std::string name, whole, text;
};

}  // namespace

std::string working_folder() {
  std::error_code ignored;
  return fs::current_path(ignored).string();
}

std::string name_of_sweep(const SweepQuestion& question, const fs::path& path, const FileBundle& files,
                          std::span<const std::string> figures, std::size_t points) {
  const PlaceNames names(question, path);
  std::vector<NamedText> texts;
  for (auto& [named, text] : files.texts()) {
    const fs::path whole = names.whole(named);
    const std::string preset = preset_called(whole, text);
    texts.push_back({preset.empty() ? names.name(named) : "preset " + preset, whole.generic_string(), text});
  }
  std::sort(texts.begin(), texts.end(),
            [](const NamedText& a, const NamedText& b) { return std::tie(a.name, a.whole) < std::tie(b.name, b.whole); });
  std::vector<std::string> words{question.version};
  for (const NamedText& text : texts) words.insert(words.end(), {text.name, text.text});
  if (const CopyList copies = list_copies(files); !copies.places.empty())
    words.push_back(fingerprint_of(copies, [&](const std::string& named) { return names.name(named); }));
  words.insert(words.end(), question.overrides.begin(), question.overrides.end());
  words.insert(words.end(), figures.begin(), figures.end());
  return fmt::format("{} {} {}", question.version, hash_of(words), points);
}

}  // namespace railyard
