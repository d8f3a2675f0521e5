// Evidence from perftest: what one NIC does without a library, deep and shallow.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/quantity_text.h"
#include "tools/diagnose/evidence.h"

namespace railyard {

namespace {

constexpr std::uint32_t kShallow = 8;  // requests in flight
constexpr double kFull = 0.85;         // of the link, with headers taken off
constexpr Bytes kLarge = 64_KiB;

double rate_of(const PerftestRow& row, const PerftestRun& run) {
  return row.average.value_or(row.peak.value_or(0)) / (run.bidirectional ? 2 : 1);
}

/// The best of a run's large messages.
std::optional<double> best_of(const PerftestRun& run) {
  std::optional<double> best;
  for (const PerftestRow& row : run.rows)
    if (row.size >= kLarge || run.rows.size() == 1) best = std::max(best.value_or(0), rate_of(row, run));
  return best;
}

std::string in_gbps(double rate) { return fmt::format("{:.0f} Gb/s", rate * 8 / 1e9); }

bool is_shallow(const PerftestRun& run) { return run.depth && *run.depth <= kShallow && run.queue_pairs.value_or(1) <= 1; }

/// Deep queues: the wire, the slot and the way to memory.
void deep(const PerftestRun& run, const Seen& seen, std::vector<Evidence>& out) {
  const std::optional<double> best = best_of(run);
  if (!best || is_shallow(run)) return;
  const double share = *best / seen.facts.nic_rate;
  const auto add = [&](std::string_view cause, double odds, std::string_view what) {
    out.push_back(
        {cause, odds, fmt::format("perftest {} {}: {} {}", run.device, run.tool, in_gbps(*best), what), run.where, "deep"});
  };
  if (share >= kFull) {
    add("pcie-width", -kStrong, "of one NIC is its full rate");
    if (run.queue_pairs.value_or(1) <= 1) add("one-port", -kStrong, "of one queue pair is the full rate of its NIC");
    for (const char* cause : {"loss", "wrong-class", "bad-cable", "mtu", "slow-nic", "timid-control"})
      add(cause, -kHint, "of one NIC is its full rate");
    add("pcie-redirect", kHint, "of one NIC is its full rate: what is slow shows with the library alone");
    return;
  }
  const std::string what = fmt::format("of one NIC is {:.0f} % of its rate", share * 100);
  add("slow-nic", kSome, what);
  if (share > 0.4 && share < 0.6) {
    add("pcie-width", kStrong, what);
    add("one-port", kSome, what);
  }
  if (share < 0.3) add("pcie-width", kSome, what);
  add("mtu", share > 0.7 ? kSome : 0.0, what);
}

/// Few requests in flight: a way with a long delay shows.
void shallow(const PerftestRun& run, const Seen& seen, std::vector<Evidence>& out) {
  if (!is_shallow(run)) return;
  for (const PerftestRow& row : run.rows) {
    if (row.size < 16_KiB || row.size > 128_KiB || *run.depth < 4) continue;
    const double share = rate_of(row, run) / seen.facts.nic_rate;
    const bool low = share < 0.4;
    out.push_back(
        {"pcie-redirect", low ? kStrong : -kSome,
         fmt::format("perftest at depth {} with {} reaches {:.0f} % of the NIC", *run.depth, format(row.size), share * 100),
         row.where});
    return;
  }
}

void packets(const PerftestRun& run, std::vector<Evidence>& out) {
  if (!run.mtu) return;
  const bool small = *run.mtu <= 1024_B;
  out.push_back(
      {"mtu", small ? kStrong : -kProof, fmt::format("perftest uses an MTU of {}", run.mtu->count()), run.where, "mtu"});
}

/// NICs among their peers: where none stands out, that is no slow one.
void alike(const Seen& seen, std::vector<Evidence>& out) {
  std::set<std::string> nics;
  for (const PerftestRun& run : seen.measured.perftests)
    if (!run.is_latency && !is_shallow(run) && !run.device.empty()) nics.insert(run.host + " " + run.device);
  const bool stands_out = std::any_of(seen.odd.begin(), seen.odd.end(), [](const Outlier& one) { return one.what == "NIC"; });
  if (nics.size() >= 3 && !stands_out)
    out.push_back({"slow-nic", -kStrong, fmt::format("{} NICs do about the same in perftest", nics.size()), {}});
}

}  // namespace

void perftest_evidence(const Seen& seen, std::vector<Evidence>& out) {
  for (const PerftestRun& run : seen.measured.perftests) {
    packets(run, out);
    if (run.is_latency) continue;
    deep(run, seen, out);
    shallow(run, seen, out);
  }
  alike(seen, out);
}

}  // namespace railyard
