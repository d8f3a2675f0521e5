// What a cluster costs: every part of the fabric that is built, its servers, what they draw, and what of it nobody knows the
// price of. Pure functions of a scenario, its fabric and prices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/bill_of_materials.h"
#include "answer/price_list.h"

namespace railyard {

/// A sum of what is known; more than it where something is not.
struct Sum {
  double value = 0;
  bool complete = true;

  void add(const std::optional<double>& more) {
    value += more.value_or(0);
    complete = complete && more.has_value();
  }
  Sum& operator+=(const Sum& more) {
    value += more.value, complete = complete && more.complete;
    return *this;
  }
};

enum class CostKind : std::uint8_t { server, network_switch, nic, transceiver, cable, fibre };
template<>
struct ChoiceNames<CostKind> {
  static constexpr std::string_view names[] = {"server", "switch", "NIC", "transceiver", "cable", "fibre"};
};

/// Parts that are alike.
struct CostLine {
  CostKind kind = CostKind::server;
  std::string part;   // of the catalog; empty where it has none
  std::string where;  // the tier: "leaf", "leaf to spine"; empty for servers
  std::uint64_t count = 0;
  bool in_server = false;  // its price and power are part of the server's
  std::string key;         // of [prices]
  std::optional<Price> price;
  std::optional<double> watts;  // of one
  bool more_watts = false;      // it draws more than that: of a server, its GPUs are all that is known
  Origin watts_origin;

  [[nodiscard]] std::optional<double> usd() const {
    if (in_server) return 0;
    return price ? std::optional(price->usd * static_cast<double>(count)) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> all_watts() const {
    if (in_server) return 0;
    return watts ? std::optional(*watts * static_cast<double>(count)) : std::nullopt;
  }
};

struct ClusterCost {
  std::uint32_t gpus = 0;
  std::vector<CostLine> lines;  // servers, switches, NICs, links
  Sum network_usd, all_usd;     // the network: all but servers, with NICs where these are not part of them
  Sum network_watts, all_watts;
  std::optional<Price> electricity;  // of one MWh
  std::vector<std::string> missing;  // sentences: what has no price or no power, or not that of the scenario; what to write

  [[nodiscard]] double per_gpu(const Sum& sum) const { return sum.value / std::max(1U, gpus); }
};

ClusterCost cluster_cost(const Scenario& scenario, const Fabric& fabric, const Catalog& catalog);
/// The same where its parts are known.
ClusterCost cluster_cost(const Scenario& scenario, const Fabric& fabric, const BillOfMaterials& bill, const Catalog& catalog);

/// What owning and running it costs (docs/models.md, cost).
struct RunningCost {
  Sum capital_per_hour, energy_per_hour;  // USD
  double mwh_per_year = 0;                // of the building
  bool energy_complete = true;

  [[nodiscard]] Sum per_hour() const {
    Sum both = capital_per_hour;
    both += energy_per_hour;
    return both;
  }
};
RunningCost running_cost(const ClusterCost& cost, const CostPlan& plan);

/// USD of a million tokens at `tokens_per_s` of the whole cluster.
Sum cost_of_million_tokens(const RunningCost& running, const CostPlan& plan, double tokens_per_s);

inline constexpr double kHoursPerYear = 8760;

/// "$1.63 billion", "$4,248", "$0.07"; "at least …" where something is missing.
std::string dollars_text(double usd);
std::string dollars_text(const Sum& sum);

}  // namespace railyard
