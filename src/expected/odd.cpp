#include "expected/odd.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "expected/late_ranks.h"
#include "expected/median.h"

namespace railyard {

namespace {

constexpr double kOdd = 0.85;  // of the median

struct BestOf {
  double best = 0;
  SourceSpan where;
};

/// Those whose best is well below the median of bests; `unit` makes text of a value.
template<class Text>
void below_others(const std::map<std::string, BestOf>& all, const std::string& what, Text text, std::vector<Outlier>& out) {
  if (all.size() < 3) return;
  std::vector<double> bests;
  for (const auto& [name, one] : all) bests.push_back(one.best);
  const double median = median_of(bests);
  for (const auto& [name, one] : all)
    if (one.best < kOdd * median)
      out.push_back({what, name, fmt::format("does {} where the median of {} is {}", text(one.best), all.size(), text(median)),
                     one.where});
}

/// A host that is slow is in no test that is fast.
void hosts(const std::vector<Curve>& curves, const std::vector<double>& ratios, std::vector<Outlier>& out) {
  std::map<std::string, BestOf> of_host;
  for (std::size_t i = 0; i < curves.size(); i++) {
    if (ratios[i] <= 0) continue;
    for (const std::string& host : curves[i].hosts) {
      BestOf& one = of_host[host];
      if (ratios[i] > one.best) one = {ratios[i], curves[i].points.empty() ? SourceSpan{} : curves[i].points.front().where};
    }
  }
  below_others(
      of_host, "host", [](double share) { return fmt::format("{:.0f} % of what is expected at best", share * 100); }, out);
}

void nics(const Measurements& measured, std::vector<Outlier>& out) {
  std::map<std::string, BestOf> of_nic;
  for (const PerftestRun& run : measured.perftests) {
    if (run.is_latency || run.device.empty() || (run.depth && *run.depth <= 8)) continue;
    BestOf& one = of_nic[run.host.empty() ? run.device : run.host + " " + run.device];
    for (const PerftestRow& row : run.rows) {
      const double rate = row.average.value_or(row.peak.value_or(0)) / (run.bidirectional ? 2 : 1);
      if (rate > one.best) one = {rate, row.where};
    }
  }
  below_others(
      of_nic, "NIC", [](double rate) { return fmt::format("{:.0f} Gb/s", rate * 8e-9); }, out);
}

/// Where pauses come from: the port that is told to pause most and tells nobody.
void pauses(const Measurements& measured, std::vector<Outlier>& out) {
  struct Frames {
    double sent = 0, received = 0;
    SourceSpan where;
  };
  std::map<std::string, Frames> of_port;
  double all = 0;
  for (const CounterSample& sample : measured.counters) {
    if (sample.kind != CounterKind::tx_pause && sample.kind != CounterKind::rx_pause) continue;
    Frames& frames = of_port[sample.device.empty() ? sample.port : sample.device + " " + sample.port];
    double& count = sample.kind == CounterKind::tx_pause ? frames.sent : frames.received;
    count = std::max(count, sample.value);
    frames.where = sample.where;
  }
  for (const auto& [name, frames] : of_port) all += frames.received;
  for (const auto& [name, frames] : of_port)
    if (all > 10'000 && frames.received > 0.5 * all && frames.sent < 0.1 * frames.received)
      out.push_back({"port", name,
                     fmt::format("received {:.0f} of {:.0f} pauses and sent {:.0f}: what is behind it stops the others",
                                 frames.received, all, frames.sent),
                     frames.where});
}

}  // namespace

std::vector<Outlier> odd_ones(const Measurements& measured, const std::vector<Curve>& curves,
                              const std::vector<double>& ratios) {
  std::vector<Outlier> out;
  hosts(curves, ratios, out);
  nics(measured, out);
  pauses(measured, out);
  late_ranks(measured, out);
  return out;
}

}  // namespace railyard
