// A scenario file with a [sweep], as documents: what stays, and what is varied (src/sweep reads the latter).
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/document.h"
#include "base/result.h"
#include "scenario/read/read_file.h"

namespace railyard {

struct SweepDocument {
  Document scenario;           // without [sweep]; overrides are laid over it
  Document sweep;              // [sweep]; empty where there is none
  std::filesystem::path path;  // for messages
};

/// From disk, or where there is no such file from the presets in the program.
ReadFile disk_or_preset_reader(const std::string& name_or_path);

/// The file or preset with what it extends and what its sweep.scenario names (a file beside it, or a preset), and with
/// overrides. Nothing of it is checked but that it is TOML. `read` is for all files.
Result<SweepDocument> load_sweep_document(const std::string& name_or_path, std::span<const std::string> overrides,
                                          const ReadFile& read);

}  // namespace railyard
