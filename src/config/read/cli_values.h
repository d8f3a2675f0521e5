// Values as switch configurations write them: numbers, lists of them, DSCP names, speeds, and who a description names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "config/read/cli_tree.h"
#include "qos/device.h"

namespace railyard {

/// Digits and nothing else.
[[nodiscard]] std::optional<std::uint64_t> cli_whole_number(std::string_view text);
/// "0.05"; not negative, not infinite.
[[nodiscard]] std::optional<double> cli_decimal(std::string_view text);
/// So many milliseconds, to the nearest picosecond; at most a day.
[[nodiscard]] Picoseconds cli_milliseconds(double span);
/// A number below this.
[[nodiscard]] std::optional<std::uint8_t> cli_number_below(std::string_view text, std::size_t limit);

/// "0-2,4,6-7", also in several words; what is no number below the limit is left out. Sorted, each once.
[[nodiscard]] std::vector<std::uint8_t> cli_numbers_below(const CliStatement& statement, std::size_t from, std::size_t limit);
/// The same of DSCPs, by number or by name ("ef", "af31", "cs6").
[[nodiscard]] std::vector<std::uint8_t> cli_dscps(const CliStatement& statement, std::size_t from);
[[nodiscard]] std::optional<std::uint8_t> cli_dscp(std::string_view text);

/// "400g", "100gfull", "400g-4", "10G" or a number of Mb/s.
[[nodiscard]] std::optional<BitsPerSecond> cli_speed(std::string_view text);

/// A size in bytes, given a number and a unit ("bytes", "kbytes", "mbytes"; thousands, as the vendors' manuals have them),
/// or another threshold ("segments", "packets", "milliseconds", "ms", "microseconds", "us").
[[nodiscard]] std::optional<Threshold> cli_threshold(std::string_view number, std::string_view unit);

/// "leaf1" and "Ethernet3" of descriptions such as "to leaf1 Ethernet3", "P2P_LINK_TO_LEAF1_Ethernet3",
/// "facing_leaf1:et-0/0/3". Both are empty where the text names nobody.
struct DescribedNeighbour {
  std::string device, port;
};
[[nodiscard]] DescribedNeighbour described_neighbour(std::string_view description);

/// Groups that a pause is sent for and the priority that it names. The other groups, which are not paused for, get priorities
/// that are left, their own where they can; queues that a pause stops likewise.
struct PausedGroup {
  std::uint8_t group = 0, priority = 0, queue = 0;
};
void set_paused_groups(QosPolicy& policy, const std::vector<PausedGroup>& paused);

}  // namespace railyard
