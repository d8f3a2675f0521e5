#include "tools/diagnose/next_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity_text.h"
#include "collective/library.h"
#include "expected/counters.h"
#include "tools/diagnose/signs.h"

namespace railyard {

namespace {

constexpr double kMostSaid = 6;       // by one measurement: predictions of it may be wrong in ways nobody thought of
constexpr double kLeastSaid = 0.5;    // below, a measurement is not worth its time
constexpr double kRepeatable = 0.05;  // the same test twice on the same cluster

/// Files of one kind, alone, as a cluster with a cause would give them.
struct FileKind {
  std::string_view what;
  bool (*is_there)(const Asked& asked);
  void (*keep)(CauseSigns& signs);
};

bool has_perftest(const Asked& asked, bool shallow) {
  const auto& runs = asked.measured.perftests;
  return std::any_of(runs.begin(), runs.end(),
                     [&](const PerftestRun& run) { return !run.is_latency && (run.depth.value_or(128) <= 8) == shallow; });
}

bool has_device(const Asked& asked, DeviceKind kind) {
  const auto& devices = asked.estate.devices;
  return std::any_of(devices.begin(), devices.end(), [&](const Device& one) { return one.kind == kind; });
}

bool has_counter(const Asked& asked, std::initializer_list<CounterKind> kinds) {
  return std::any_of(asked.measured.counters.begin(), asked.measured.counters.end(),
                     [&](const CounterSample& one) { return std::find(kinds.begin(), kinds.end(), one.kind) != kinds.end(); });
}

bool has_uplinks(const Asked& asked) {
  const auto sent = Counters(asked.measured.counters).sent();
  return std::any_of(sent.begin(), sent.end(), [](const auto& device) { return device.second.size() >= 4; });
}

bool has_hosts(const Asked& asked) {
  return std::any_of(asked.curves.begin(), asked.curves.end(),
                     [](const JudgedCurve& one) { return one.curve.hosts.size() > 1; }) &&
         asked.curves.size() > 2;
}

/// Counters of servers or of switches, as signs name them.
void keep_counters(CauseSigns& signs, bool servers) {
  CauseSigns kept;
  for (const CounterSample& one : signs.measured.counters)
    if ((one.device == "a server") == servers) kept.measured.counters.push_back(one);
  signs = std::move(kept);
}

void keep_perftest(CauseSigns& signs, bool shallow) {
  CauseSigns kept;
  for (const PerftestRun& run : signs.measured.perftests)
    if ((run.depth.value_or(128) <= 8) == shallow) kept.measured.perftests.push_back(run);
  signs = std::move(kept);
}

void keep_devices(CauseSigns& signs, DeviceKind kind) {
  CauseSigns kept;
  for (const Device& one : signs.estate.devices)
    if (one.kind == kind) kept.estate.devices.push_back(one);
  signs = std::move(kept);
}

constexpr FileKind kFiles[] = {
    {"the same test with NCCL_DEBUG=INFO and NCCL_DEBUG_SUBSYS=INIT,ENV,NET,GRAPH, all ranks in one file",
     [](const Asked& asked) { return !asked.measured.logs.empty(); },
     [](CauseSigns& signs) {
       CauseSigns kept;
       kept.measured.logs = std::move(signs.measured.logs);
       signs = std::move(kept);
     }},
    {"ib_write_bw at depth 128 from every NIC to the same NIC of another server, one after the other",
     [](const Asked& asked) { return has_perftest(asked, false); }, [](CauseSigns& signs) { keep_perftest(signs, false); }},
    {"ib_write_bw with --use_cuda (or --use_rocm) at depth 8 with 64 KiB",
     [](const Asked& asked) { return has_perftest(asked, true); }, [](CauseSigns& signs) { keep_perftest(signs, true); }},
    {"counters of NICs before and after a test (ethtool -S, /sys/class/infiniband/*/ports/*/hw_counters, rdma statistic)",
     [](const Asked& asked) {
       return has_counter(asked, {CounterKind::out_of_sequence, CounterKind::corrupted, CounterKind::cnp_handled});
     },
     [](CauseSigns& signs) { keep_counters(signs, true); }},
    {"bytes of every uplink of a leaf and of a spine before and after a test", has_uplinks,
     [](CauseSigns& signs) { keep_counters(signs, false); }},
    {"what servers are set to: lspci -vvv, nvidia-smi topo -m, ip link, mlxconfig",
     [](const Asked& asked) { return has_device(asked, DeviceKind::host); },
     [](CauseSigns& signs) { keep_devices(signs, DeviceKind::host); }},
    {"configurations of switches", [](const Asked& asked) { return has_device(asked, DeviceKind::network_switch); },
     [](CauseSigns& signs) { keep_devices(signs, DeviceKind::network_switch); }},
    {"the same collective over pairs of servers, every server in two of them", has_hosts,
     [](CauseSigns& signs) {
       CauseSigns kept;
       kept.odd = std::move(signs.odd);
       signs = std::move(kept);
     }},
};

class Search {
 public:
  Search(const Asked& asked, const RankedCause& first, const RankedCause& second)
      : asked_(asked), first_(first), second_(second) {}

  std::optional<NextMeasurement> run() {
    for (const FileKind& kind : kFiles)
      if (!kind.is_there(asked_)) try_files(kind);
    try_toggle(first_, true);
    try_toggle(second_, false);
    try_collectives();
    return best_;
  }

 private:
  void offer(NextMeasurement one) {
    one.separation = std::min(one.separation, kMostSaid);
    if (one.separation >= kLeastSaid && (!best_ || one.separation > best_->separation)) best_ = std::move(one);
  }

  /// What files of a cluster with `truth` say for it and against `other`, and the words that say most.
  struct Said {
    double odds = 0;
    std::string text;
  };
  [[nodiscard]] Said said_by(const FileKind& kind, const RankedCause& truth, const RankedCause& other) const {
    CauseSigns signs = signs_of(truth.cause->id, asked_.facts);
    kind.keep(signs);
    std::vector<Outlier> odd = odd_ones(signs.measured, {}, {});
    odd.insert(odd.end(), signs.odd.begin(), signs.odd.end());
    Said said;
    double most = 0;
    for (const Evidence& one : evidence_of({signs.measured, signs.estate, asked_.facts, odd})) {
      if (one.cause != truth.cause->id && one.cause != other.cause->id) continue;
      said.odds += one.cause == truth.cause->id ? one.log_odds : -one.log_odds;
      if (std::abs(one.log_odds) > most) most = std::abs(one.log_odds), said.text = one.text;
    }
    return said;
  }

  void try_files(const FileKind& kind) {
    const Said with_first = said_by(kind, first_, second_), with_second = said_by(kind, second_, first_);
    const auto like = [](const Said& said) {
      return said.text.empty() ? "nothing unusual" : "the like of “" + said.text + "”";
    };
    offer({std::string(kind.what), like(with_first), like(with_second), std::min(with_first.odds, with_second.odds)});
  }

  /// How much more the slowest curve should reach, as a logarithm.
  [[nodiscard]] double log_gain() const {
    double most = 0;
    for (const JudgedCurve& one : asked_.curves)
      if (one.ratio > 0) most = std::max(most, -std::log(one.ratio));
    return most;
  }

  /// The setting that undoes one cause leaves the other as it is.
  void try_toggle(const RankedCause& undone, bool is_first) {
    const std::string_view setting = toggle_of(undone.cause->id), other = toggle_of((is_first ? second_ : first_).cause->id);
    if (setting.empty() || setting == other) return;
    const double steps = log_gain() / kRepeatable;
    const std::string faster = fmt::format("up to {:.2g} times as much", std::exp(log_gain())), same = "the same as before";
    NextMeasurement one{fmt::format("the same test with {}", setting), faster, same, std::min(0.5 * steps * steps, kStrong)};
    if (!is_first) std::swap(one.if_first, one.if_second);
    offer(std::move(one));
  }

  /// Sizes of a collective that were not measured over such a group.
  [[nodiscard]] Curve candidate(CollectiveKind kind, std::uint32_t ranks, std::uint32_t nodes) const {
    Curve curve{.kind = kind, .ranks = ranks, .nodes = nodes, .points = {}, .hosts = {}, .library = {}, .file = {}};
    for (const Bytes size : {1_MiB, 32_MiB, 1_GiB, 8_GiB}) {
      const bool known = std::any_of(asked_.curves.begin(), asked_.curves.end(), [&](const JudgedCurve& one) {
        const Curve& other = one.curve;
        return other.kind == kind && other.ranks == ranks && !other.points.empty() && other.points.front().size <= size * 4 &&
               size <= other.points.back().size * 4;
      });
      if (!known) curve.points.push_back({.size = size, .where = {}});
    }
    return curve;
  }

  [[nodiscard]] std::vector<Curve> candidates() const {
    const std::uint32_t per_node = std::max(1U, asked_.facts.gpus_per_node);
    std::vector<Curve> all;
    const auto add = [&](CollectiveKind kind, std::uint32_t nodes) {
      if (Curve one = candidate(kind, nodes * per_node, nodes); one.ranks > 1 && !one.points.empty())
        all.push_back(std::move(one));
    };
    for (const CollectiveKind kind : {CollectiveKind::all_reduce, CollectiveKind::all_gather, CollectiveKind::all_to_all}) {
      if (per_node > 1) add(kind, 1);
      if (asked_.facts.nodes > 1) add(kind, 2);
      if (asked_.facts.nodes > 2) add(kind, asked_.facts.nodes);
    }
    return all;
  }

  /// Times of some curves with a cause and without it; none where it cannot be run.
  struct Both {
    PredictedTimes with, without;
  };
  [[nodiscard]] std::optional<Both> run(const Variant& variant, const std::vector<Curve>& curves) const {
    Progress ignored;
    const Result<PredictedTimes> with = predict(asked_.request, asked_.catalog, asked_.scenario, curves, variant.set, ignored),
                                 without = predict(asked_.request, asked_.catalog, asked_.scenario, curves, {}, ignored);
    if (!with || !without) return std::nullopt;
    Both both{*with, *without};
    for (std::size_t i = 0; i < curves.size(); i++) {
      if (both.with[i].size() != both.without[i].size()) both.with[i] = both.without[i];
      for (std::size_t k = 0; k < both.with[i].size(); k++)
        both.with[i][k] = curves[i].points[k].size < variant.from ? both.without[i][k] : both.with[i][k] * variant.slowdown;
    }
    return both;
  }

  /// How much more severe a cause is than the variant that stands for it: both causes have to agree on what was measured.
  [[nodiscard]] double severity(const Variant& variant) const {
    std::vector<Curve> curves;
    for (const JudgedCurve& one : asked_.curves) curves.push_back(one.curve);
    const std::optional<Both> both = run(variant, curves);
    if (!both) return 1;
    double measured = 0, predicted = 0;
    for (std::size_t i = 0; i < curves.size(); i++)
      for (std::size_t k = 0; k < both->with[i].size(); k++) {
        measured += std::log(curves[i].points[k].time_s / both->without[i][k]);
        predicted += std::log(both->with[i][k] / both->without[i][k]);
      }
    return predicted > 0 && measured > 0 ? measured / predicted : 1;
  }

  /// Times with a cause at its likeliest; empty where it cannot be run.
  [[nodiscard]] PredictedTimes times_with(const RankedCause& one, const std::vector<Curve>& curves) const {
    std::optional<Both> both = run(one.best, curves);
    if (!both) return {};
    const double share = severity(one.best);
    for (std::size_t i = 0; i < curves.size(); i++)
      for (std::size_t k = 0; k < both->with[i].size(); k++)
        both->with[i][k] = both->without[i][k] * std::pow(both->with[i][k] / both->without[i][k], share);
    return both->with;
  }

  /// Where a curve told how much of both causes there is.
  void try_collectives() {
    if (first_.times.empty() || second_.times.empty() || !first_.is_everywhere || !second_.is_everywhere) return;
    std::vector<Curve> curves = candidates();
    const PredictedTimes a = times_with(first_, curves), b = times_with(second_, curves);
    for (std::size_t i = 0; i < curves.size() && i < a.size() && i < b.size(); i++)
      if (!a[i].empty() && a[i].size() == b[i].size()) try_curve(curves[i], a[i], b[i]);
  }

  void try_curve(Curve& curve, const std::vector<double>& a, const std::vector<double>& b) {
    const auto likelier = [&](const std::vector<double>& truth, const std::vector<double>& other) {
      for (std::size_t k = 0; k < truth.size(); k++) curve.points[k].time_s = truth[k];
      return log_likelihood(curve, truth) - log_likelihood(curve, other);
    };
    std::size_t widest = 0;
    for (std::size_t k = 0; k < a.size(); k++)
      if (std::abs(std::log(a[k] / b[k])) > std::abs(std::log(a[widest] / b[widest]))) widest = k;
    const auto rate = [&](double time) {
      const double size = static_cast<double>(curve.points[widest].size.count());
      return fmt::format("{:.3g} GB/s at {}", size * bus_factor(curve.kind, curve.ranks) / time / 1e9,
                         format(curve.points[widest].size));
    };
    offer({fmt::format("{} from {} to {}", name_of(curve), format(curve.points.front().size), format(curve.points.back().size)),
           rate(a[widest]), rate(b[widest]), std::min(likelier(a, b), likelier(b, a))});
  }

  const Asked& asked_;
  const RankedCause& first_;
  const RankedCause& second_;
  std::optional<NextMeasurement> best_;
};

}  // namespace

std::optional<NextMeasurement> next_measurement(const Asked& asked, const RankedCause& first, const RankedCause& second) {
  return Search(asked, first, second).run();
}

}  // namespace railyard
