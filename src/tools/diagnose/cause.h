// Causes of slow collectives: each a change to the scenario, in several severities, and what is known about it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/choice.h"
#include "base/units.h"
#include "catalog/catalog.h"
#include "expected/curve.h"

namespace railyard {

/// Who has to mend it.
enum class CauseIn : std::uint8_t { nothing, server, job, network, unknown };
template<>
struct ChoiceNames<CauseIn> {
  static constexpr std::string_view names[] = {"nothing", "server", "job", "network", "unknown"};
};

/// What a cause may look like: overrides of the scenario, and from which size on it shows.
struct Variant {
  std::vector<std::string> set;
  std::string how;         // in words: "2 of 8 NICs"
  double weight = 1;       // how likely among the variants of its cause
  Bytes from = {};         // smaller buffers are as without it
  bool continues = false;  // all severities between this variant and the next are as likely
  double slowdown = 1;     // times as long, beside what the overrides do
};

/// What the cluster of a scenario is, as far as causes ask.
struct ClusterFacts {
  std::uint32_t gpus_per_node = 1, nics_per_node = 1;
  std::uint32_t nodes = 1;  // scale-up domains that the largest measured group fills
  double nic_rate = 0;      // bytes per second, all ports of a NIC
  bool has_nvls = false, is_roce = false;
  bool has_spines = false;       // flows may meet above the leaves
  bool hashes = false;           // switches choose paths by hash
  std::uint32_t leaf_flows = 1;  // that the NICs under a leaf send at least, at a time
  bool has_rails = false;
  bool has_tiers = false;     // spines have switches above them
  bool has_exchange = false;  // an all-to-all was measured

  [[nodiscard]] double node_rate() const { return nic_rate * nics_per_node; }
};

struct SlowCause {
  std::string_view id;    // "gpu-direct-off"
  std::string_view what;  // a sentence
  CauseIn in = CauseIn::server;
  double prior = 1;                                             // how often, relative to the others: assumed
  std::vector<Variant> (*variants)(const ClusterFacts& facts);  // none: it cannot be on this cluster
  std::string_view fix;                                         // what to do
  std::string_view check;                                       // what to look at or to measure to be sure
};

/// Every cause there is; the first is that nothing is wrong.
[[nodiscard]] std::span<const SlowCause> all_causes();

/// The tables of which all_causes() is made.
[[nodiscard]] std::span<const SlowCause> server_causes();
[[nodiscard]] std::span<const SlowCause> job_causes();
[[nodiscard]] std::span<const SlowCause> network_causes();

/// The one of that id. REQUIRES: there is one.
[[nodiscard]] const SlowCause& cause_called(std::string_view id);

[[nodiscard]] ClusterFacts facts_of(const Scenario& scenario, const Catalog& catalog, std::span<const Curve> curves);

/// "host.nic_rate=25 GB/s" for bytes per second.
[[nodiscard]] std::string rate_override(std::string_view key, double bytes_per_second);

/// `count` values from `least` to `most`, in equal ratios.
[[nodiscard]] std::vector<double> ratios(double least, double most, std::size_t count);

/// Lets variants that are in the order of their severity stand for those between them, too.
void between_them(std::vector<Variant>& variants);

/// A limit of one rate at several shares of what it should be, all as likely.
[[nodiscard]] std::vector<Variant> at_shares(std::string_view key, double full, double least, double most, std::size_t count,
                                             std::string_view of_what);

}  // namespace railyard
