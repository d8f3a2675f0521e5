#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/nearest.h"
#include "config/write/limits.h"
#include "tools/settings/settings.h"

namespace railyard {

namespace {

/// A word of --for, and what it names.
struct Language {
  std::string_view word;
  Dialect dialect;
  DeviceKind kind;
};
constexpr Language kLanguages[] = {
    {"sonic", Dialect::sonic, DeviceKind::network_switch}, {"nvue", Dialect::nvue, DeviceKind::network_switch},
    {"eos", Dialect::eos, DeviceKind::network_switch},     {"nxos", Dialect::nxos, DeviceKind::network_switch},
    {"junos", Dialect::junos, DeviceKind::network_switch}, {"mlnx", Dialect::mlnx, DeviceKind::host},
    {"nicctl", Dialect::nicctl, DeviceKind::host},         {"nccl", Dialect::environment, DeviceKind::job},
};

Result<Language> language_of(const std::string& word) {
  for (const Language& language : kLanguages)
    if (language.word == word) return language;
  const std::string guess = nearest(word, settings_languages());
  return Diagnostic{
      Severity::error, "RY-SET-001", fmt::format("'{}' is no language that settings are written in", word),
      guess.empty() ? fmt::format("use {}", fmt::join(settings_languages(), ", ")) : fmt::format("did you mean '{}'?", guess),
      SourceSpan{"--for", 0, 0}};
}

Diagnostic nothing_to_say(const Scenario& scenario, std::string_view word) {
  return {Severity::error, "RY-SET-002",
          fmt::format("nothing of this scenario is set in '{}': its transport is {}", word, name_of(scenario.transport.kind)),
          "use --for nccl, or --set transport.kind=roce", SourceSpan{"--for", 0, 0}};
}

Diagnostic other_vendor(const Marks& marks, std::string_view word) {
  const std::string_view own = name_of(dialect_of(marks.vendor));
  const bool written = marks.vendor != NicVendor::broadcom;
  return {Severity::error, "RY-SET-002",
          fmt::format("'{}' does not set the NICs of this scenario, which are {}'s", word, name_of(marks.vendor)),
          written ? fmt::format("use --for {}", own) : std::string("set them by hand, as the sheet says: niccli qos, dcb"),
          SourceSpan{"--for", 0, 0}};
}

}  // namespace

std::vector<std::string> settings_languages() {
  std::vector<std::string> words;
  for (const Language& language : kLanguages) words.emplace_back(language.word);
  return words;
}

Result<std::vector<SettingsFile>> settings_files(const Scenario& scenario, const Catalog& catalog,
                                                 const std::vector<std::string>& languages) {
  const Result<SettingsBase> base = settings_base(scenario, catalog);
  if (!base) return base.error();
  std::vector<SettingsFile> files;
  for (const std::string& word : languages) {
    const Result<Language> language = language_of(word);
    if (!language) return language.error();
    if (language->kind == DeviceKind::host && base->marks.vendor_known && language->dialect != dialect_of(base->marks.vendor))
      return other_vendor(base->marks, word);
    SettingsDialects dialects;
    if (language->kind == DeviceKind::network_switch) dialects.switches = language->dialect;
    if (language->kind == DeviceKind::host) dialects.nics = language->dialect;
    const std::size_t before = files.size();
    for (const Device& device : recommended_estate(scenario, *base, dialects).devices) {
      if (device.kind != language->kind || (device.kind == DeviceKind::job && device.environment.empty())) continue;
      SettingsFile added;
      Result<ConfigFile> file = write_config(sayable(device, added.left_out));
      if (!file) return file.error();
      added.file = std::move(*file);
      files.push_back(std::move(added));
    }
    if (files.size() == before) return nothing_to_say(scenario, word);
  }
  return files;
}

}  // namespace railyard
