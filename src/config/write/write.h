// From settings to the vendors' own languages: complete files, and the commands of one change.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "qos/repair.h"

namespace railyard {

struct ConfigFile {
  std::string name;  // "leaf.json"
  std::string text;
};

/// The QoS of a device as a file in its dialect, such that reading it gives the same policies (same_effect), hash, MTU and
/// environment; what is not said and what decides nothing (unused.h) reads as the dialect has it by default. Refuses what the
/// dialect cannot say, by name.
Result<ConfigFile> write_config(const Device& device);

/// The commands that make one change on a device, one a line; a comment in the dialect's own form where it has no command.
[[nodiscard]] std::vector<std::string> commands_for(const Device& device, const Repair& repair);

}  // namespace railyard
