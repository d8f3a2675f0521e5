#include "tools/plan/network_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "answer/cluster_cost.h"
#include "base/check.h"

namespace railyard {

namespace {

bool is_partial(const NetworkLimit& limit, const std::vector<double>& values) {
  return (limit.figure == kUsd && values[kUsdMissing] > 0) || (limit.figure == kWatts && values[kWattsMissing] > 0);
}

std::string amount_text(const NetworkLimit& limit, double value) {
  if (limit.figure == kUsd) return dollars_text(value);
  if (limit.figure == kWatts) return fmt::format("{:.4g} kW", value / 1000);
  return limit.figure == kReach ? fmt::format("{:g} m", value) : fmt::format("{:g} ports", value);
}

/// "costs at least $22,080, above the budget of $1.00"
std::string excess_text(const NetworkLimit& limit, const std::vector<double>& values) {
  const std::string has = (is_partial(limit, values) ? "at least " : "") + amount_text(limit, values[limit.figure]);
  const std::string allowed = amount_text(limit, limit.allowed);
  if (limit.figure == kUsd) return fmt::format("costs {}, above the budget of {}", has, allowed);
  if (limit.figure == kWatts) return fmt::format("draws {}, above the {} that are allowed", has, allowed);
  if (limit.figure == kReach) return fmt::format("has cables of {}, longer than the {} that are allowed", has, allowed);
  return fmt::format("has switches of {}, more than the {} that are allowed", has, allowed);
}

/// By how much a network exceeds what it breaks, at most.
double excess_of(const std::vector<NetworkLimit>& broken, const std::vector<double>& values) {
  double most = 0;
  for (const NetworkLimit& limit : broken) most = std::max(most, values[limit.figure] / limit.allowed);
  return most;
}

}  // namespace

std::vector<NetworkLimit> limits_of(const PlanRequest& asked) {
  std::vector<NetworkLimit> out;
  if (asked.budget) out.push_back({"budget", kUsd, *asked.budget});
  if (asked.watts) out.push_back({"power", kWatts, *asked.watts});
  if (asked.reach_m) out.push_back({"reach", kReach, *asked.reach_m});
  if (asked.radix) out.push_back({"radix", kRadix, static_cast<double>(*asked.radix)});
  return out;
}

std::vector<NetworkLimit> broken_limits(const std::vector<NetworkLimit>& limits, const std::vector<double>& values) {
  std::vector<NetworkLimit> out;
  for (const NetworkLimit& limit : limits)
    if (values[limit.figure] > limit.allowed) out.push_back(limit);
  return out;
}

bool is_known(const std::vector<NetworkLimit>& limits, const std::vector<double>& values) {
  return std::none_of(limits.begin(), limits.end(), [&](const NetworkLimit& limit) { return is_partial(limit, values); });
}

std::string binding_limit(const std::vector<NetworkLimit>& limits, const std::vector<std::vector<double>>& built) {
  RY_CHECK(!built.empty(), "there is something that limits keep out");
  const std::vector<double>* nearest = nullptr;
  std::pair<std::size_t, double> least{limits.size() + 1, 0};
  for (const std::vector<double>& values : built) {
    const std::vector<NetworkLimit> broken = broken_limits(limits, values);
    const std::pair<std::size_t, double> distance{broken.size(), excess_of(broken, values)};
    if (distance < least) least = distance, nearest = &values;
  }
  std::string text;
  for (const NetworkLimit& limit : broken_limits(limits, *nearest))
    text += (text.empty() ? "" : ", and ") + excess_text(limit, *nearest);
  return (least.first > 1 ? "no network keeps all but one of the limits: the nearest one " : "the nearest one ") + text;
}

}  // namespace railyard
