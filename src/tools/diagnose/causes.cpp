#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/quantity_text.h"
#include "tools/diagnose/cause.h"

namespace railyard {

namespace {

std::vector<Variant> as_it_is(const ClusterFacts&) { return {{.set = {}, .how = "as it should be"}}; }
std::vector<Variant> cannot_be_said(const ClusterFacts&) { return {}; }

constexpr SlowCause kNothing{.id = "healthy",
                             .what = "Nothing is wrong: the cluster does what it should",
                             .in = CauseIn::nothing,
                             .prior = 8,
                             .variants = as_it_is,
                             .fix = "nothing",
                             .check = "nothing"};

/// Its likelihood is that of any slowdown at all (score.cpp).
constexpr SlowCause kUnknown{.id = "unknown",
                             .what = "None of the causes that are known here",
                             .in = CauseIn::unknown,
                             .prior = 0.5,
                             .variants = cannot_be_said,
                             .fix = "measure more: pairs of nodes, perftest per NIC, counters before and after",
                             .check = "NCCL_DEBUG=INFO of all ranks, and perftest of every NIC at depth 128 and at depth 1"};

constexpr std::uint32_t kUsualLeaf = 32;  // NICs under a leaf that nobody counted

double bytes_per_second(BitsPerSecond rate) { return static_cast<double>(rate.count()) / 8; }

}  // namespace

std::span<const SlowCause> all_causes() {
  static const std::vector<SlowCause> all = [] {
    std::vector<SlowCause> out = {kNothing};
    for (const auto& table : {server_causes(), job_causes(), network_causes()})
      out.insert(out.end(), table.begin(), table.end());
    out.push_back(kUnknown);
    return out;
  }();
  return all;
}

const SlowCause& cause_called(std::string_view id) {
  const std::span<const SlowCause> all = all_causes();
  const auto found = std::find_if(all.begin(), all.end(), [&](const SlowCause& cause) { return cause.id == id; });
  RY_CHECK(found != all.end(), "every cause that evidence names is in the table");
  return *found;
}

ClusterFacts facts_of(const Scenario& scenario, const Catalog& catalog, std::span<const Curve> curves) {
  const FabricPlan& fabric = scenario.fabric;
  ClusterFacts facts;
  facts.gpus_per_node = fabric.per_node;
  facts.nics_per_node = std::max(1U, fabric.interfaces_per_node * fabric.ports / fabric.planes);
  facts.nic_rate = bytes_per_second(fabric.link_rate) * fabric.planes;
  std::uint32_t ranks = curves.empty() ? fabric.endpoints : 0;
  for (const Curve& curve : curves) {
    ranks = std::max(ranks, curve.ranks);
    facts.has_exchange |= curve.kind == CollectiveKind::all_to_all;
  }
  const std::uint32_t domain = std::max(1U, fabric.scale_up.domain);
  facts.nodes = std::max(1U, (ranks + domain - 1) / domain);
  if (const auto* gpu = catalog.communication.find(scenario.workload.gpu_model))
    facts.has_nvls = gpu->fact.nvls_rate.has_value() && domain > 2;
  facts.is_roce = scenario.transport.kind == TransportKind::roce;
  facts.has_spines = fabric.topology != Topology::star;
  facts.hashes = scenario.routing.policy == RoutingPolicy::ecmp || scenario.routing.policy == RoutingPolicy::enhanced_ecmp;
  facts.leaf_flows =
      fabric.hosts_per_leaf.value_or(std::min(fabric.endpoints, kUsualLeaf)) * scenario.routing.qps_per_connection;
  facts.has_rails =
      fabric.rails.value_or(fabric.topology == Topology::rail_optimized || fabric.topology == Topology::rail_only);
  facts.has_tiers = fabric.topology == Topology::clos3 || fabric.topology == Topology::fat_tree;
  return facts;
}

std::string rate_override(std::string_view key, double bytes_per_second) {
  return fmt::format("{}={}", key,
                     format_exact(BitsPerSecond(std::max<std::int64_t>(1'000'000, std::llround(bytes_per_second * 8)))));
}

std::vector<double> ratios(double least, double most, std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; i++)
    values.push_back(least * std::pow(most / least, static_cast<double>(i) / static_cast<double>(count - 1)));
  return values;
}

void between_them(std::vector<Variant>& variants) {
  for (std::size_t i = 0; i + 1 < variants.size(); i++) variants[i].continues = true;
}

std::vector<Variant> at_shares(std::string_view key, double full, double least, double most, std::size_t count,
                               std::string_view of_what) {
  std::vector<Variant> variants;
  for (const double share : ratios(least, most, count))
    variants.push_back({.set = {rate_override(key, full * share)}, .how = fmt::format("{:.0f} % {}", share * 100, of_what)});
  between_them(variants);
  return variants;
}

}  // namespace railyard
