// What perftest, logs of the library and counters say: set-up, NICs, losses.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "base/quantity_text.h"
#include "expected/counters.h"
#include "expected/spread.h"
#include "tools/validate/judge.h"

namespace railyard {

namespace {

constexpr std::uint32_t kShallow = 8;   // requests in flight: such tests do not show the rate
constexpr Bytes kLargeEnough = 64_KiB;  // messages that fill a port
constexpr Bytes kSmallEnough = 256_B;   // messages whose time is latency
constexpr double kAcceptedLoss = 1e-5;  // of packets

std::string nic_name(const PerftestRun& run) {
  const std::string device = run.device.empty() ? "a NIC" : run.device;
  return run.host.empty() ? device : run.host + " " + device;
}

bool has_part(const std::string& file, std::string_view wanted) {
  const std::filesystem::path path(file);
  return std::any_of(path.begin(), path.end(), [&](const auto& part) { return part.string() == wanted; });
}

/// The pair that the path names; else the furthest, which is the most that may be asked of a latency.
const NicPair& pair_for(const std::string& file, const ValidationCluster& cluster) {
  for (const NicPair& pair : cluster.pairs)
    if (has_part(file, pair.name)) return pair;
  return cluster.pairs.back();
}

double best_rate(const PerftestRun& run) {
  double best = 0;
  for (const PerftestRow& row : run.rows)
    if (row.size >= kLargeEnough)
      best = std::max(best, row.average.value_or(row.peak.value_or(0)) / (run.bidirectional ? 2 : 1));
  return best;
}

std::string in_gbits(double bytes_per_second) { return fmt::format("{:.1f} Gb/s", bytes_per_second * 8e-9); }

AcceptanceCheck rate_check(ValidationPhase phase, std::string what, double rate, const NicPair& pair, const SourceSpan& where) {
  const double least = pair.rate * std::exp(-2 * kNicRateSpread);
  AcceptanceCheck check{phase, std::move(what), in_gbits(rate), in_gbits(pair.rate), "≥ " + in_gbits(least), rate >= least, {},
                        where};
  if (!check.passes) check.reason = fmt::format("{:.0f} % of what the port carries", rate / pair.rate * 100);
  return check;
}

void check_rate(const PerftestRun& run, const ValidationCluster& cluster, std::vector<AcceptanceCheck>& out) {
  const double rate = best_rate(run);
  if (rate <= 0 || (run.depth && *run.depth <= kShallow)) return;
  out.push_back(rate_check(phase_of_file(run.where.file, ValidationPhase::baseline),
                           fmt::format("{} of {}", run.tool.empty() ? "perftest" : run.tool, nic_name(run)), rate,
                           pair_for(run.where.file, cluster), run.where));
}

void check_latency(const PerftestRun& run, const ValidationCluster& cluster, std::vector<AcceptanceCheck>& out) {
  const PerftestRow* row = nullptr;
  for (const PerftestRow& one : run.rows)
    if (one.size <= kSmallEnough && (one.typical_s || one.average_s)) row = &one;
  if (!row || run.tool.find("read") != std::string::npos) return;  // a read goes there and back
  const NicPair& pair = pair_for(run.where.file, cluster);
  const double time = row->typical_s.value_or(row->average_s.value_or(0)), most = pair.latency_s * std::exp(2 * kLatencySpread);
  AcceptanceCheck check{phase_of_file(run.where.file, ValidationPhase::baseline),
                        fmt::format("{} of {}", run.tool.empty() ? "latency" : run.tool, nic_name(run)),
                        fmt::format("{:.2f} µs", time * 1e6),
                        fmt::format("{:.2f} µs", pair.latency_s * 1e6),
                        fmt::format("≤ {:.2f} µs", most * 1e6),
                        time <= most,
                        {},
                        row->where};
  if (!check.passes)
    check.reason = fmt::format("{:.1f} times as long as NICs, switches and cables on the way take", time / pair.latency_s);
  out.push_back(std::move(check));
}

/// Senders to one NIC: a folder each.
void check_incasts(const Measurements& measured, const ValidationCluster& cluster, std::vector<AcceptanceCheck>& out) {
  std::map<std::string, std::vector<const PerftestRun*>> by_folder;
  for (const PerftestRun& run : measured.perftests)
    if (!run.is_latency && has_part(run.where.file, "incast"))
      by_folder[std::filesystem::path(run.where.file).parent_path().string()].push_back(&run);
  for (const auto& [folder, runs] : by_folder) {
    if (runs.size() < 2) continue;
    double sum = 0;
    for (const PerftestRun* run : runs) sum += best_rate(*run);
    out.push_back(rate_check(ValidationPhase::synthetic, fmt::format("{} senders to {}", runs.size(), nic_name(*runs.front())),
                             sum, cluster.pairs.back(), runs.front()->where));
  }
}

void check_link(const PerftestRun& run, const ValidationCluster& cluster, std::vector<AcceptanceCheck>& out) {
  const ValidationPhase phase = ValidationPhase::laboratory;
  if (run.mtu) {
    AcceptanceCheck check{phase,
                          "RDMA MTU of " + nic_name(run),
                          std::to_string(run.mtu->count()),
                          std::to_string(cluster.mtu.count()),
                          fmt::format("≥ {}", cluster.mtu.count()),
                          *run.mtu >= cluster.mtu,
                          {},
                          run.where};
    if (!check.passes)
      check.reason = "packets are smaller than the scenario's: look at the MTU of the interface and of the switch";
    out.push_back(std::move(check));
  }
  if (run.link.empty()) return;
  const std::string wanted = cluster.transport == TransportKind::infiniband ? "InfiniBand" : "Ethernet";
  AcceptanceCheck check{phase, "link of " + nic_name(run), run.link, wanted, wanted, run.link == wanted, {}, run.where};
  if (!check.passes) check.reason = "the port is set to another link type than the scenario has";
  out.push_back(std::move(check));
}

void check_hcas(const LibraryLog& log, const ValidationCluster& cluster, std::vector<AcceptanceCheck>& out) {
  std::map<std::string, std::uint32_t> of_host;
  for (const LoggedHca& hca : log.hcas) of_host[hca.host]++;
  for (const auto& [host, count] : of_host) {
    AcceptanceCheck check{ValidationPhase::laboratory,
                          fmt::format("NICs that {} uses on {}", cluster.library, host.empty() ? "its host" : host),
                          std::to_string(count),
                          std::to_string(cluster.nics_per_node),
                          fmt::format("≥ {}", cluster.nics_per_node),
                          count >= cluster.nics_per_node,
                          {},
                          log.where};
    if (!check.passes) check.reason = "some NICs are not used: look at NCCL_IB_HCA and at the state of their ports";
    out.push_back(std::move(check));
  }
}

void check_log(const LibraryLog& log, const ValidationCluster& cluster, std::vector<AcceptanceCheck>& out) {
  check_hcas(log, cluster, out);
  const auto add = [&](std::string what, std::string measured, std::string needed, bool passes, std::string reason) {
    out.push_back({ValidationPhase::laboratory, std::move(what), std::move(measured), needed, needed, passes,
                   passes ? std::string() : std::move(reason), log.where});
  };
  if (!log.network.empty() && log.nodes.value_or(2) > 1)
    add("network of " + cluster.library, log.network, "not Socket", log.network != "Socket",
        "the library fell back to TCP: RDMA devices were not found or not usable");
  if (!log.hcas.empty())
    add("GPUDirect RDMA", log.gpu_direct_off.empty() ? "on" : fmt::format("off for {} NICs", log.gpu_direct_off.size()), "on",
        log.gpu_direct_off.empty(),
        "data takes the way through host memory: load nvidia-peermem, or use a kernel with DMA-BUF");
}

void check_versions(const Measurements& measured, const ValidationCluster& cluster, std::vector<AcceptanceCheck>& out) {
  std::set<std::string> versions;
  SourceSpan where;
  for (const LibraryLog& log : measured.logs)
    if (!log.version.empty() && versions.insert(log.version).second) where = log.where;
  if (versions.empty()) return;
  const bool one = versions.size() == 1;
  out.push_back({ValidationPhase::laboratory, "version of " + cluster.library, fmt::format("{}", fmt::join(versions, ", ")),
                 "one", "one", one, one ? "" : "logs are from different versions: results cannot be compared", where});
}

class CounterChecks {
 public:
  CounterChecks(ValidationPhase phase, const std::vector<CounterSample>& samples, const ValidationCluster& cluster,
                std::vector<AcceptanceCheck>& out)
      : phase_(phase), counters_(samples), cluster_(cluster), out_(out) {}

  void run() {
    using enum CounterKind;
    none({corrupted}, "corrupted packets", "a cable, an optic or a port is bad");
    if (phase_ != ValidationPhase::failures) none({link_down}, "links that went down", "a link flaps: look at its optics");
    none({pause_storm}, "PFC storms", "somebody does not take packets any more: isolate the host behind the first port");
    few({out_of_sequence, sequence_nak, ack_timeout, retry_exceeded, adaptive_retransmission}, "packets sent again");
    few({tx_drops, rx_drops}, "dropped packets");
    if (phase_ == ValidationPhase::baseline) none({tx_pause, rx_pause}, "PFC pauses without load", "a host or a slot is slow");
    if (phase_ == ValidationPhase::synthetic && cluster_.transport == TransportKind::roce) marks();
  }

 private:
  void add(std::string what, const Counters::Sum& sum, std::string needed, bool passes, std::string reason) {
    out_.push_back({phase_, std::move(what), fmt::format("{:.0f}", sum.all), needed, needed, passes,
                    passes ? std::string() : fmt::format("{}; most at {}", reason, sum.port), sum.where});
  }
  void none(std::initializer_list<CounterKind> kinds, std::string what, std::string reason) {
    const Counters::Sum sum = counters_.sum(kinds);
    if (sum.counters > 0) add(std::move(what), sum, "0", sum.all == 0, std::move(reason));
  }
  /// A share of packets where they are counted too; none at all else.
  void few(std::initializer_list<CounterKind> kinds, std::string what) {
    const Counters::Sum sum = counters_.sum(kinds), packets = counters_.sum({CounterKind::tx_packets});
    if (sum.counters == 0) return;
    const double most = std::floor(packets.all * kAcceptedLoss);
    add(std::move(what), sum, fmt::format("≤ {:.0f}", most), sum.all <= most, "packets are lost: this fabric should lose none");
  }
  void marks() {
    const Counters::Sum sum = counters_.sum({CounterKind::ecn_marked, CounterKind::cnp_sent, CounterKind::cnp_handled});
    if (sum.counters > 0)
      add("ECN marks and CNPs under load", sum, "≥ 1", sum.all > 0,
          "nothing was marked under congestion: ECN is not configured");
  }

  ValidationPhase phase_;
  const Counters counters_;
  const ValidationCluster& cluster_;
  std::vector<AcceptanceCheck>& out_;
};

}  // namespace

void check_setup(const Measurements& measured, const ValidationCluster& cluster, std::vector<AcceptanceCheck>& out) {
  for (const PerftestRun& run : measured.perftests) check_link(run, cluster, out);
  for (const LibraryLog& log : measured.logs) check_log(log, cluster, out);
  check_versions(measured, cluster, out);
}

void check_perftest(const Measurements& measured, const ValidationCluster& cluster, std::vector<AcceptanceCheck>& out) {
  if (cluster.pairs.empty()) return;
  for (const PerftestRun& run : measured.perftests) {
    if (has_part(run.where.file, "incast")) continue;
    run.is_latency ? check_latency(run, cluster, out) : check_rate(run, cluster, out);
  }
  check_incasts(measured, cluster, out);
}

void check_counters(const Measurements& measured, const ValidationCluster& cluster, std::vector<AcceptanceCheck>& out) {
  std::map<ValidationPhase, std::vector<CounterSample>> by_phase;
  for (const CounterSample& sample : measured.counters)
    by_phase[phase_of_file(sample.where.file, ValidationPhase::operational)].push_back(sample);
  for (const auto& [phase, samples] : by_phase) CounterChecks(phase, samples, cluster, out).run();
}

}  // namespace railyard
