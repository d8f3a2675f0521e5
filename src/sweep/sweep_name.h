// What a sweep is called, wherever its files lie and however they were named.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "base/program.h"
#include "sweep/file_bundle.h"

namespace railyard {

/// Where relative names begin; empty where that is gone.
std::string working_folder();

/// A sweep as the user named it.
struct SweepQuestion {
  std::string scenario;                   // a file or a preset
  std::vector<std::string> overrides;     // of all points
  std::string version;                    // of the program
  std::string program = program_name();   // the same, to the build: others must be the same one
  std::string folder = working_folder();  // where the scenario was named: others are elsewhere
};

/// "0.1.0 3f2a… 200": the version, a fingerprint of all else that rows depend on, and how many points there are. Files count
/// with their text and their place below the folder of the scenario at `path`, or with their own name if they are elsewhere.
std::string name_of_sweep(const SweepQuestion& question, const std::filesystem::path& path, const FileBundle& files,
                          std::span<const std::string> figures, std::size_t points);

}  // namespace railyard
