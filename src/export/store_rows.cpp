#include "export/store_rows.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "analysis/packets/queue_series.h"
#include "analysis/tier_loads.h"
#include "export/csv_tables.h"

namespace railyard {

namespace {

/// What was seen of the network, and how long that took; nothing where nobody looked.
struct Observed {
  const Telemetry* telemetry = nullptr;
  Picoseconds time;
};

Observed observed_of(const Run& run) {
  if (run.training) return {run.network ? &*run.network : nullptr, run.training->time};
  if (!run.collectives.empty()) return {&run.collectives.back().telemetry, run.collectives.back().observed};
  if (!run.traffic) return {};
  return {&run.traffic->telemetry, run.traffic->end()};
}

/// Lines of samples of one run. Many have the same clock, whose instants are there once.
class SampleRows {
 public:
  SampleRows(SqliteConnection& connection, std::int64_t run)
      : connection_(connection),
        run_(run),
        line_(connection, "INSERT INTO lines (run, name, unit, clock) VALUES (?, ?, ?, ?)"),
        rows_(connection, "samples", 3) {}

  /// Lines that are added from now on have samples that end then.
  void set_clock(const std::vector<double>& ends_s) {
    SqliteStatement(connection_, "INSERT INTO clocks (run) VALUES (?)").with(run_).run();
    clock_ = connection_.last_id();
    instants_ = ends_s.size();
    SqliteRows instants(connection_, "instants", 3);
    for (std::size_t i = 0; i < ends_s.size(); i++) instants.add(clock_, std::uint64_t{i}, ends_s[i]);
    instants.finish();
  }

  /// Each sample holds from the end of the one before. Of equal ones in a row the first is enough, and the last of all tells
  /// where the line ends.
  template<class Values>
  void add(std::string_view name, std::string_view unit, const Values& values) {
    const std::size_t count = std::min(instants_, values.size());
    if (count == 0) return;
    line_.with(run_, name, unit, clock_).run();
    const std::int64_t line = connection_.last_id();
    for (std::size_t i = 0; i < count; i++)
      if (i == 0 || i + 1 == count || values[i] != values[i - 1])
        rows_.add(line, std::uint64_t{i}, static_cast<double>(values[i]));
  }
  void finish() { rows_.finish(); }

 private:
  SqliteConnection& connection_;
  const std::int64_t run_;
  std::int64_t clock_ = 0;
  std::size_t instants_ = 0;  // of it
  SqliteStatement line_;
  SqliteRows rows_;
};

}  // namespace

void add_figures(SqliteConnection& connection, std::int64_t run, const Document& results) {
  SqliteStatement insert(connection, "INSERT OR REPLACE INTO figures VALUES (?, ?, ?)");
  const CsvTable summary = csv_summary(results);
  for (std::size_t row = 0; row < summary.rows(); row++) {
    const std::string_view key = summary.cell(row, 0), text = summary.cell(row, 1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size())
      insert.with(run, key, value).run();
    else
      insert.with(run, key, text).run();
  }
}

void add_ports(SqliteConnection& connection, std::int64_t run, const Run& done) {
  const Telemetry* const telemetry = observed_of(done).telemetry;
  if (!telemetry) return;
  const Fabric& fabric = done.fabric;
  const PacketRecord* const packets = telemetry->packets ? &*telemetry->packets : nullptr;
  const Table<PortId, double> carried = carried_by_ports(fabric, *telemetry);
  const Table<PortId, std::string> names = port_names(fabric);
  SqliteRows with(connection, "ports", 12), without(connection, "ports (run, port, name, tier, rate_gbps, carried_bytes)", 6);
  for (const PortId port : ids(fabric.port_from)) {
    const PortRecord* const record = packets ? &packets->ports[port] : nullptr;
    const double bytes = record ? static_cast<double>(record->bytes.count()) : carried[port];
    if (bytes == 0 && !(record && record->dropped + record->pauses > 0)) continue;
    const TrunkId trunk = fabric.port_trunk[port];
    const std::string_view tier = name_of(fabric.trunk_tier[trunk], fabric.topology);
    const double gbps = static_cast<double>(fabric.trunk_port_rate[trunk].count()) / 1e9;
    if (record)
      with.add(run, port.index(), names[port], tier, gbps, bytes, record->packets, record->marked, record->dropped,
               record->pauses, microseconds(record->paused), record->deepest.count());
    else
      without.add(run, port.index(), names[port], tier, gbps, bytes);
  }
  with.finish();
  without.finish();
}

void add_flows(SqliteConnection& connection, std::int64_t run, const TransferLog& transfers) {
  SqliteRows rows(connection, "flows", 11);
  std::uint64_t number = 0;
  for (const LoggedTransfer& flow : transfers.transfers())
    rows.add(run, number++, transfers.name(flow.what), transfers.name(flow.group), flow.stage, flow.from.index(),
             flow.to.index(), flow.size.count(), flow.edges, seconds(flow.start), seconds(flow.finish));
  rows.finish();
}

void add_series(SqliteConnection& connection, std::int64_t run, const Run& done, const Results& results) {
  SampleRows rows(connection, run);
  if (results.network && !results.network->series.empty()) {
    std::size_t bins = 0;
    for (const TierSeries& tier : results.network->series) bins = std::max({bins, tier.mean.size(), tier.peak.size()});
    std::vector<double> ends;
    for (std::size_t i = 1; i <= bins; i++) ends.push_back(results.network->bin_s * static_cast<double>(i));
    rows.set_clock(ends);
    for (const TierSeries& tier : results.network->series) {
      rows.add(tier.tier, "share of the rate", tier.mean);
      rows.add(tier.busiest, "share of the rate", tier.peak);
    }
  }
  const Observed seen = observed_of(done);
  if (!seen.telemetry || !seen.telemetry->packets) return rows.finish();
  const QueueSeries queues =
      queue_series(done.fabric, *seen.telemetry->packets, seen.time, std::numeric_limits<std::size_t>::max());
  std::vector<double> ends;
  for (const double at : queues.at_us) ends.push_back(at / 1e6);
  rows.set_clock(ends);
  for (const QueueLine& line : queues.lines) {
    rows.add(line.name, "Gb/s", line.gbps);
    rows.add(line.name, "bytes of backlog", line.backlog);
    rows.add(line.name, "share of time paused", line.paused);
    rows.add(line.name, "packets marked", line.marked);
  }
  rows.add("queue pairs", "that send", queues.active);
  rows.add("queue pairs", "Gb/s allowed", queues.allowed_gbps);
  rows.finish();
}

}  // namespace railyard
