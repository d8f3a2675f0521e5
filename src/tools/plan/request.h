// What was said on the command line of `plan`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

/// What a network may be chosen by, among those that lose no more than is allowed.
inline constexpr std::string_view kNetworkGoals[] = {"hardware", "step", "price", "power", "tokens", "one-down"};

struct PlanRequest {
  std::vector<std::string> vary = {};                           // axes, as read_axis() takes them
  bool only = false;                                            // these axes and no other
  bool exhaustive = false;                                      // every plan that may fit, with all care
  std::uint32_t keep = 10;                                      // plans to list
  double memory = 1;                                            // of a GPU that a plan may use
  std::string journal = {};                                     // a file to go on from
  bool network = false;                                         // which network, instead of which split
  std::optional<double> budget = {}, watts = {}, reach_m = {};  // limits: USD and W of the network, metres of a cable
  std::optional<std::uint32_t> radix = {};                      // ports of a switch, at the rate of the links
  std::optional<double> tolerate = {};                          // share of a step that a switch less above the leaves may cost
  std::string by = "hardware";                                  // what is made small: a word of kNetworkGoals
  double loss = 0.01;                                           // of the fastest step that less hardware may cost
  std::uint32_t grow = 0;                                       // GPUs that come later
};

}  // namespace railyard
