// For runs of what somebody else wrote: files that they may touch, and no others.
#pragma once

#include <filesystem>
#include <vector>

namespace railyard {

struct Options;

/// From here on this process reads files below `readable` alone, and writes below `writable` alone, whatever it is led to do:
/// the kernel refuses (Landlock). False where the kernel has none of that. REQUIRES: no other thread has been started.
bool shut_in(const std::vector<std::filesystem::path>& readable, const std::vector<std::filesystem::path>& writable);

/// What --within asks for: refuses scenarios that name files outside, and shuts the process in. An ExitCode if it must end.
int stay_within(const Options& options);

}  // namespace railyard
