// Reads the files that keys of a scenario name: expert load, drawing, rank file, traffic.
#pragma once

#include "base/complaints.h"
#include "scenario/read/read_file.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Where `file` is, which `key` names: beside the file that has the key, which may be one that the scenario extends; beside the
/// scenario where the key was set from outside.
std::filesystem::path named_path(const ScenarioSpec& scenario, const std::string& key, const std::string& file);

/// Fills what each file says into the part of `spec` that names it. A path is relative to the file that has the key.
/// `find` may lead to a copy of a folder.
void read_named_files(ScenarioSpec& spec, const ReadFile& read, const FindOnDisk& find, Complaints& complaints);

}  // namespace railyard
