#include "analysis/patterns/wire_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "fabric/routes.h"

namespace railyard {

namespace {

double as_double(Bytes bytes) { return static_cast<double>(bytes.count()); }

/// Numbers texts in the order in which they come.
class RowNames {
 public:
  explicit RowNames(std::vector<std::string>& rows) : rows_(rows) {}
  std::uint32_t of(std::string_view primitive, std::string_view what) {
    const auto [entry, is_new] = known_.try_emplace({primitive, what}, static_cast<std::uint32_t>(rows_.size()));
    if (is_new) rows_.push_back(what.empty() ? std::string(primitive) : fmt::format("{} ({})", primitive, what));
    return entry->second;
  }

 private:
  std::vector<std::string>& rows_;
  std::map<std::pair<std::string_view, std::string_view>, std::uint32_t> known_;
};

/// Finds the row of the call that a stretch is part of: the one that was posted then.
class RowFinder {
 public:
  explicit RowFinder(const std::vector<WireCall>& calls) {
    for (const WireCall& call : calls) rows_.push_back({call.bundle, call.start, call.row});
    std::stable_sort(rows_.begin(), rows_.end(), is_before);
  }
  [[nodiscard]] std::uint32_t row(std::uint32_t bundle, Picoseconds posted) const {
    const auto found = std::lower_bound(rows_.begin(), rows_.end(), Posted{bundle, posted, 0}, is_before);
    return found != rows_.end() && found->bundle == bundle && found->at == posted ? found->row : kNone;
  }
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

 private:
  struct Posted {
    std::uint32_t bundle;
    Picoseconds at;
    std::uint32_t row;
  };
  static bool is_before(const Posted& a, const Posted& b) { return a.bundle != b.bundle ? a.bundle < b.bundle : a.at < b.at; }
  std::vector<Posted> rows_;
};

/// What never arrived is no call, and has no row.
void add_rate_intervals(const Telemetry& telemetry, WireTraffic& traffic) {
  if (!telemetry.has_all_rate_intervals) return;
  const RowFinder finder(traffic.calls);
  traffic.rate_intervals.reserve(telemetry.rate_intervals.size());
  for (const Telemetry::RateInterval& one : telemetry.rate_intervals) {
    const std::uint32_t row = finder.row(one.connection.index(), one.posted);
    if (row != RowFinder::kNone)
      traffic.rate_intervals.push_back(
          {traffic.first_flow[one.connection.index()] + one.flow, row, one.begin, one.end, one.bps});
  }
}

void number_flows(std::span<const Bundle> bundles, bool exact, WireTraffic& traffic) {
  traffic.first_flow.assign(1, 0);
  for (const Bundle& bundle : bundles) {
    const std::size_t flows = !exact ? 1 : bundle.flow_ends.empty() ? bundle.edges.size() : bundle.flow_ends.size();
    traffic.first_flow.push_back(traffic.first_flow.back() + static_cast<std::uint32_t>(flows));
  }
}

constexpr std::string_view kClassNames[] = {"control", "data", "background", "storage"};

}  // namespace

std::vector<double> bytes_of_bundles(const WireTraffic& traffic, std::size_t bundles) {
  std::vector<double> bytes(bundles, 0);
  for (const WireCall& call : traffic.calls) bytes[call.bundle] += call.bytes;
  return bytes;
}

WireTraffic wire_traffic(const CarriedStep& step, const Telemetry& telemetry, bool exact, Picoseconds time) {
  WireTraffic traffic{.time = time};
  RowNames names(traffic.rows);
  traffic.calls.reserve(step.collectives.size());
  for (const FlowRecord& one : step.collectives)
    traffic.calls.push_back({one.connection.index(), names.of(one.primitive, one.what), one.start,
                             std::max(one.carried, one.start + Picoseconds(1)), as_double(one.size), std::max(1U, one.steps)});
  number_flows(step.bundles, exact, traffic);
  add_rate_intervals(telemetry, traffic);
  return traffic;
}

namespace {

/// Every pair is one call, as long as the run.
WireTraffic summed_traffic(const MessageSums& sums, std::vector<Bundle>& bundles) {
  WireTraffic traffic{.time = sums.end()};
  const std::uint32_t row = RowNames(traffic.rows).of("send", kClassNames[kDataClass]);
  for (const MessageSums::Pair& pair : sums.pairs()) {
    const auto bundle = static_cast<std::uint32_t>(bundles.size());
    bundles.push_back({.edges = {{pair.from, pair.to, 1}}});
    traffic.calls.push_back({bundle, row, sums.begin(), sums.end(), as_double(pair.payload)});
  }
  number_flows(bundles, false, traffic);
  return traffic;
}

/// The bundle of every message, one for each sender, receiver and class: in the order of their first messages, as engines open
/// them, or as those of a trace were opened.
class BundleNumbers {
 public:
  BundleNumbers(const TrafficRun& run, std::vector<Bundle>& bundles) : bundles_(bundles) {
    for (const auto& [from, to] : run.traced.opened) (void)of(from, to, kDataClass);
  }
  std::uint32_t of(EndpointId from, EndpointId to, std::uint8_t traffic_class) {
    const std::uint64_t pair = std::uint64_t{from.index()} << 32 | to.index();
    const auto [entry, is_new] = numbers_[traffic_class].try_emplace(pair, static_cast<std::uint32_t>(bundles_.size()));
    if (is_new) bundles_.push_back({.edges = {{from, to, 1}}});
    return entry->second;
  }

 private:
  std::vector<Bundle>& bundles_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_[kClasses];  // never iterated
};

}  // namespace

WireTraffic wire_traffic(const TrafficRun& run, std::vector<Bundle>& bundles) {
  if (run.sums) return summed_traffic(*run.sums, bundles);
  WireTraffic traffic{.rows = run.traced.rows};
  RowNames names(traffic.rows);
  BundleNumbers numbers(run, bundles);
  for (std::size_t i = 0; i < run.messages.size(); i++) {
    const PlannedMessage& message = run.messages[i];
    const std::uint32_t bundle = numbers.of(message.from, message.to, message.traffic_class);
    if (run.delivered[i] == Picoseconds::max()) continue;
    const std::uint32_t row = run.traced.row.empty() ? names.of("send", kClassNames[message.traffic_class]) : run.traced.row[i];
    traffic.calls.push_back(
        {bundle, row, message.start, std::max(run.delivered[i], message.start + Picoseconds(1)), as_double(message.size)});
    traffic.time = std::max(traffic.time, run.delivered[i]);
  }
  number_flows(bundles, false, traffic);
  add_rate_intervals(run.telemetry, traffic);
  return traffic;
}

bool crosses_network(const Run& run, const Schedule& schedule, const EdgeLoad& load) {
  if (schedule.is_switch(load.from) || schedule.is_switch(load.to) || load.bytes == Bytes::zero()) return false;
  return !share_domain(run.fabric, run.placement[RankId(load.from.index())], run.placement[RankId(load.to.index())]);
}

WireTraffic wire_traffic(const Run& run, const CollectiveRun& collective, std::vector<Bundle>& bundles) {
  WireTraffic traffic{.rows = {std::string(name_of(collective.kind))}, .time = collective.time};
  if (!collective.schedule) return traffic;
  Bundle bundle;
  double most = 0;
  for (const EdgeLoad& load : edge_loads(*collective.schedule)) {
    if (!crosses_network(run, *collective.schedule, load)) continue;
    const EndpointId from = run.placement[RankId(load.from.index())], to = run.placement[RankId(load.to.index())];
    bundle.edges.push_back({from, to, as_double(load.bytes)});
    most = std::max(most, as_double(load.bytes));
  }
  if (bundle.edges.empty()) return traffic;
  for (Edge& edge : bundle.edges) edge.share /= most;
  bundles.push_back(std::move(bundle));
  traffic.calls.push_back({0, 0, Picoseconds::zero(), collective.time, most});
  number_flows(bundles, false, traffic);
  return traffic;
}

std::vector<RateSpan> spans_of(const WireTraffic& traffic, std::span<const double> share_of_flow) {
  std::vector<RateSpan> spans;
  for (const WireRateInterval& one : traffic.rate_intervals)
    if (share_of_flow[one.flow] > 0) spans.push_back({one.begin, one.end, one.bps * share_of_flow[one.flow], one.row});
  return spans;
}

}  // namespace railyard
