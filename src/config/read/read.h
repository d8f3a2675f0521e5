// From files that operators have to devices: what kind a file is, is told from its content.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "qos/device.h"

namespace railyard {

/// One file, with the device name that its path suggests ("leaf01" of configs/leaf01.json or configs/leaf01/mlnx_qos.txt).
struct ConfigText {
  std::string file;
  std::string device;
  std::string text;
};

/// What one file says. A reader adds to an estate: several files may describe one device (same name and kind).
/// A statement that a reader does not know is listed as unread, never an error; a file that is broken (no JSON where JSON must
/// be) is one.
struct FileReader {
  std::string_view name;                       // "SONiC config_db.json", for people
  bool (*recognises)(const ConfigText& text);  // by content
  Diagnostics (*read)(const ConfigText& text, Estate& estate);
};

/// Every reader there is, the pickiest first.
[[nodiscard]] const std::vector<FileReader>& file_readers();

/// Reads one file by the first reader that recognises it. RY-CFG-001 (a note) where none does.
Diagnostics read_config(const ConfigText& text, Estate& estate);

/// Reads files and folders, those below them too, in the order of their names. Files larger than 64 MiB are refused.
Result<Estate> read_configs(const std::vector<std::filesystem::path>& paths, Diagnostics& notes);

/// The device of that name and kind, added if there is none. A switch starts with no policies.
Device& device_of(Estate& estate, const std::string& name, DeviceKind kind, Dialect dialect);

/// The index of a policy that does the same, added if there is none.
std::uint32_t policy_index(Device& device, const QosPolicy& policy);

}  // namespace railyard
