// Counters are read before a test and after it: whose they are and which snapshot they belong to, from names of files.
#pragma once

#include <filesystem>
#include <string>

#include "measured/measured.h"

namespace railyard {

/// "node01" of node01/ethtool.txt, node01_ethtool_before.txt and before/node01.txt below `root`.
[[nodiscard]] std::string measured_device(const std::filesystem::path& root, const std::filesystem::path& file);

/// The interface that a file's name names ("enp68s0" of node01_ethtool_enp68s0.txt), or "".
[[nodiscard]] std::string interface_in_name(std::string_view file);

/// Numbers samples of one counter of one port from 0 on: those of "before" and "pre" first, then in the order in which they
/// were read. Samples that have a time keep it. Looks at those from `first` on.
void number_snapshots(Measurements& all, std::size_t first);

/// Counters with times from here on are of a series, since 1970; below, of snapshots.
inline constexpr double kFirstTime = 1e6;

}  // namespace railyard
