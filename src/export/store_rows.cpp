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

void bind_packets(SqliteStatement& with, SqliteStatement& without, std::int64_t run, PortId port, const std::string& name,
                  std::string_view tier, double gbps, double carried, const PortRecord* record) {
  if (!record) return without.with(run, port.index(), name, tier, gbps, carried).run();
  with.with(run, port.index(), name, tier, gbps, carried, record->packets, record->marked, record->dropped, record->pauses,
            microseconds(record->paused), record->deepest.count())
      .run();
}

/// A column of samples: each holds from the end of the one before.
template<class Values>
void add_samples(SqliteStatement& insert, std::int64_t run, const std::string& name, std::string_view unit,
                 const std::vector<double>& ends_s, const Values& values) {
  for (std::size_t i = 0; i < ends_s.size() && i < values.size(); i++)
    insert.with(run, name, unit, ends_s[i], static_cast<double>(values[i])).run();
}

}  // namespace

void add_figures(SqliteConnection& connection, std::int64_t run, const Document& results) {
  SqliteStatement insert(connection, "INSERT OR REPLACE INTO figures VALUES (?, ?, ?)");
  for (const CsvTable& table : csv_tables(results)) {
    if (table.name != "summary") continue;
    for (const std::vector<std::string>& row : table.rows) {
      double value = 0;
      const auto [end, error] = std::from_chars(row[1].data(), row[1].data() + row[1].size(), value);
      if (error == std::errc() && end == row[1].data() + row[1].size())
        insert.with(run, row[0], value).run();
      else
        insert.with(run, row[0], row[1]).run();
    }
  }
}

void add_ports(SqliteConnection& connection, std::int64_t run, const Run& done) {
  const Telemetry* const telemetry = observed_of(done).telemetry;
  if (!telemetry) return;
  const Fabric& fabric = done.fabric;
  const PacketRecord* const packets = telemetry->packets ? &*telemetry->packets : nullptr;
  const Table<PortId, double> carried = carried_by_ports(fabric, *telemetry);
  const Table<PortId, std::string> names = port_names(fabric);
  SqliteStatement with(connection, "INSERT INTO ports VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  SqliteStatement without(connection,
                          "INSERT INTO ports (run, port, name, tier, rate_gbps, carried_bytes) VALUES (?, ?, ?, ?, ?, ?)");
  for (const PortId port : ids(fabric.port_from)) {
    const PortRecord* const record = packets ? &packets->ports[port] : nullptr;
    const double bytes = record ? static_cast<double>(record->bytes.count()) : carried[port];
    if (bytes == 0 && !(record && record->dropped + record->pauses > 0)) continue;
    const TrunkId trunk = fabric.port_trunk[port];
    bind_packets(with, without, run, port, names[port], name_of(fabric.trunk_tier[trunk], fabric.topology),
                 static_cast<double>(fabric.trunk_port_rate[trunk].count()) / 1e9, bytes, record);
  }
}

void add_flows(SqliteConnection& connection, std::int64_t run, const TransferLog& transfers) {
  SqliteStatement insert(connection, "INSERT INTO flows VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const LoggedTransfer& flow : transfers.transfers())
    insert
        .with(run, transfers.name(flow.what), transfers.name(flow.group), flow.stage, flow.from.index(), flow.to.index(),
              flow.size.count(), flow.edges, seconds(flow.start), seconds(flow.finish))
        .run();
}

void add_series(SqliteConnection& connection, std::int64_t run, const Run& done, const Results& results) {
  SqliteStatement insert(connection, "INSERT INTO series VALUES (?, ?, ?, ?, ?)");
  if (results.network)
    for (const TierSeries& tier : results.network->series) {
      std::vector<double> ends;
      for (std::size_t i = 1; i <= tier.mean.size(); i++) ends.push_back(results.network->bin_s * static_cast<double>(i));
      add_samples(insert, run, tier.tier, "share of the rate", ends, tier.mean);
      add_samples(insert, run, tier.busiest, "share of the rate", ends, tier.peak);
    }
  const Observed seen = observed_of(done);
  if (!seen.telemetry || !seen.telemetry->packets) return;
  const QueueSeries queues =
      queue_series(done.fabric, *seen.telemetry->packets, seen.time, std::numeric_limits<std::size_t>::max());
  std::vector<double> ends;
  for (const double at : queues.at_us) ends.push_back(at / 1e6);
  for (const QueueLine& line : queues.lines) {
    add_samples(insert, run, line.name, "Gb/s", ends, line.gbps);
    add_samples(insert, run, line.name, "bytes of backlog", ends, line.backlog);
    add_samples(insert, run, line.name, "share of time paused", ends, line.paused);
    add_samples(insert, run, line.name, "packets marked", ends, line.marked);
  }
  add_samples(insert, run, "queue pairs", "that send", ends, queues.active);
  add_samples(insert, run, "queue pairs", "Gb/s allowed", ends, queues.allowed_gbps);
}

}  // namespace railyard
