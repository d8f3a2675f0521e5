// `railyard settings`: the QoS that a scenario's fabric needs, each setting with its reason, and files for devices.
#pragma once

#include <string>
#include <vector>

#include "base/document.h"
#include "catalog/status.h"
#include "config/write/write.h"
#include "report/report.h"
#include "tools/settings/recommend.h"
#include "tools/settings/request.h"

namespace railyard {

/// One setting.
struct SettingRow {
  std::string setting, value, reason;
  Origin origin;
};

struct SettingSection {
  std::string title;
  std::vector<SettingRow> rows;
  std::string note = {};  // a paragraph below; may be empty
};

/// What ports of one kind keep free.
struct HeadroomRow {
  std::string device;  // "leaf"
  bool up = false;
  std::uint32_t ports = 0;
  BitsPerSecond rate;
  Millimetres cable;
  Bytes headroom;
};

struct SettingsSheet {
  std::string name;
  std::vector<std::string> answer;  // paragraphs
  std::vector<SettingSection> sections;
  std::vector<HeadroomRow> headroom;
  std::vector<std::string> remarks;  // what does not apply, and what is odd
  Estate estate;
};

/// REQUIRES: the scenario was loaded with engine.fidelity = "packet", so that its packets are resolved.
Result<SettingsSheet> settings_sheet(const Scenario& scenario, const Catalog& catalog);

/// A file that was asked for, and what its language leaves to the device.
struct SettingsFile {
  ConfigFile file;
  std::vector<std::string> left_out;
};

/// One file for every class of device in the languages that are named. Refuses languages that are unknown (RY-SET-001) or that
/// nothing of this scenario is said in (RY-SET-002).
Result<std::vector<SettingsFile>> settings_files(const Scenario& scenario, const Catalog& catalog,
                                                 const std::vector<std::string>& languages);

/// Names that --for takes.
[[nodiscard]] std::vector<std::string> settings_languages();

Report settings_report(const SettingsSheet& sheet);
Document settings_document(const SettingsSheet& sheet);

}  // namespace railyard
