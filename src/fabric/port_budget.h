// How many ports links take, and which links the switches of a fabric have ports for.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "base/quantity_text.h"
#include "plan/fabric_plan.h"

namespace railyard {

inline std::uint32_t round_up_divide(std::uint32_t a, std::uint32_t b) { return (a - 1) / b + 1; }

/// `exact` if it is a whole number of at least one.
inline std::optional<std::uint32_t> whole(double exact) {
  const double nearest = std::round(exact);
  if (nearest < 1 || nearest > 1e9 || std::abs(exact - nearest) > 1e-9 * exact) return std::nullopt;
  return static_cast<std::uint32_t>(nearest);
}

class PortBudget {
 public:
  explicit PortBudget(const FabricPlan& plan) : plan_(plan) {}

  [[nodiscard]] std::uint32_t leaf_radix() const { return plan_.radix.value_or(kLargestSwitch); }

  /// Whether a spine or core has ports for `down` links of one rate and `up` of another.
  [[nodiscard]] bool spine_takes(double down, BitsPerSecond down_rate, double up, BitsPerSecond up_rate) const {
    if (plan_.spine_radix) return down + up <= *plan_.spine_radix;
    return down * ports_for(down_rate) + up * ports_for(up_rate) <= leaf_radix();
  }
  [[nodiscard]] std::string upper_switch() const {
    if (plan_.spine_radix) return fmt::format("a spine has {} ports", *plan_.spine_radix);
    return plan_.radix ? fmt::format("a switch has {} ports at {}", *plan_.radix, format(plan_.link_rate))
                       : std::string("no switch is that large");
  }

  /// Uplinks of a leaf switch with `hosts` NIC ports; nothing if that is not a whole number.
  [[nodiscard]] std::optional<std::uint32_t> uplinks_for(std::uint32_t hosts) const {
    if (plan_.uplinks) return plan_.uplinks;
    return whole(static_cast<double>(hosts) * static_cast<double>(plan_.link_rate.count()) /
                 (plan_.oversubscription * static_cast<double>(plan_.uplink_rate.count())));
  }
  [[nodiscard]] bool leaf_takes(std::uint32_t hosts, std::uint32_t uplinks) const {
    return hosts + uplinks * ports_for(plan_.uplink_rate) <= leaf_radix();
  }

 private:
  static constexpr std::uint32_t kLargestSwitch = 1U << 16;  // ports of a switch of unknown size

  /// Ports of link_rate that one link of `rate` takes.
  [[nodiscard]] double ports_for(BitsPerSecond rate) const {
    return std::max(1.0, static_cast<double>(rate.count()) / static_cast<double>(plan_.link_rate.count()));
  }

  const FabricPlan& plan_;
};

}  // namespace railyard
