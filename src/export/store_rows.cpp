#include "export/store_rows.h"

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
  Picoseconds end;
  for (const Picoseconds at : run.traffic->delivered)
    if (at != Picoseconds::max()) end = std::max(end, at);
  return {&run.traffic->telemetry, end};
}

/// A column of samples: each holds from the end of the one before. Of equal ones in a row the first is enough, and the last of
/// all tells where the column ends.
template<class Values>
void add_samples(SqliteRows& rows, std::int64_t run, std::string_view name, std::string_view unit,
                 const std::vector<double>& ends_s, const Values& values) {
  const std::size_t count = std::min(ends_s.size(), values.size());
  for (std::size_t i = 0; i < count; i++)
    if (i == 0 || i + 1 == count || values[i] != values[i - 1])
      rows.add(run, name, unit, ends_s[i], static_cast<double>(values[i]));
}

}  // namespace

void add_figures(SqliteConnection& connection, std::int64_t run, const Document& results) {
  SqliteStatement insert(connection, "INSERT OR REPLACE INTO figures VALUES (?, ?, ?)");
  for (const std::vector<std::string>& row : csv_summary(results).rows) {
    double value = 0;
    const auto [end, error] = std::from_chars(row[1].data(), row[1].data() + row[1].size(), value);
    if (error == std::errc() && end == row[1].data() + row[1].size())
      insert.with(run, row[0], value).run();
    else
      insert.with(run, row[0], row[1]).run();
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
  SqliteRows rows(connection, "flows", 10);
  for (const LoggedTransfer& flow : transfers.transfers())
    rows.add(run, transfers.name(flow.what), transfers.name(flow.group), flow.stage, flow.from.index(), flow.to.index(),
             flow.size.count(), flow.edges, seconds(flow.start), seconds(flow.finish));
  rows.finish();
}

void add_series(SqliteConnection& connection, std::int64_t run, const Run& done, const Results& results) {
  SqliteRows rows(connection, "series", 5);
  if (results.network)
    for (const TierSeries& tier : results.network->series) {
      std::vector<double> ends;
      for (std::size_t i = 1; i <= tier.mean.size(); i++) ends.push_back(results.network->bin_s * static_cast<double>(i));
      add_samples(rows, run, tier.tier, "share of the rate", ends, tier.mean);
      add_samples(rows, run, tier.busiest, "share of the rate", ends, tier.peak);
    }
  const Observed seen = observed_of(done);
  if (!seen.telemetry || !seen.telemetry->packets) return rows.finish();
  const QueueSeries queues =
      queue_series(done.fabric, *seen.telemetry->packets, seen.time, std::numeric_limits<std::size_t>::max());
  std::vector<double> ends;
  for (const double at : queues.at_us) ends.push_back(at / 1e6);
  for (const QueueLine& line : queues.lines) {
    add_samples(rows, run, line.name, "Gb/s", ends, line.gbps);
    add_samples(rows, run, line.name, "bytes of backlog", ends, line.backlog);
    add_samples(rows, run, line.name, "share of time paused", ends, line.paused);
    add_samples(rows, run, line.name, "packets marked", ends, line.marked);
  }
  add_samples(rows, run, "queue pairs", "that send", ends, queues.active);
  add_samples(rows, run, "queue pairs", "Gb/s allowed", ends, queues.allowed_gbps);
  rows.finish();
}

}  // namespace railyard
