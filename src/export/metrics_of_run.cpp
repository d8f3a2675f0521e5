#include "export/metrics_of_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/packets/traffic_results.h"
#include "analysis/tier_loads.h"
#include "export/inspector_labels.h"
#include "export/metrics_of_packets.h"

namespace railyard {

namespace {

/// What packets did: of traffic, of a step or a slice of it, of the largest size of a collective.
const PacketRecord* packets_of(const Run& run) {
  const Telemetry* telemetry = run.traffic               ? &run.traffic->telemetry
                               : run.slice               ? &run.slice->traffic.telemetry
                               : run.packets             ? &*run.network
                               : run.collectives.empty() ? nullptr
                                                         : &run.collectives.back().telemetry;
  return telemetry && telemetry->packets ? &*telemetry->packets : nullptr;
}

/// What flows carried, and how long the run took.
const Telemetry* flows_of(const Run& run) {
  if (run.network) return &*run.network;
  if (run.traffic) return &run.traffic->telemetry;
  return run.collectives.empty() ? nullptr : &run.collectives.back().telemetry;
}

/// Up to the last delivery: what comes after are timers of NICs.
Picoseconds length_of(const Run& run) {
  if (run.training) return run.training->time;
  if (run.traffic) return watched(*run.traffic).until;
  return run.collectives.empty() ? Picoseconds::zero() : run.collectives.back().time;
}

/// Of what packets did, which a slice or the probe of a library may be a part of.
Picoseconds length_of_packets(const Run& run) {
  if (run.traffic || run.packets) return length_of(run);
  return run.slice ? watched(run.slice->traffic).until : run.collectives.back().observed;
}

/// Everything but packets.
class RunMetrics {
 public:
  RunMetrics(const Run& run, const Results& results, const MetricPlaces& places, const MetricClock& clock, MetricSet& out)
      : run_(run), results_(results), places_(places), clock_(clock), end_(clock.at(length_of(run))), out_(out) {}

  void write_about() {
    const std::string labels = label_text({{"run", places_.run()}});
    std::string info = labels;
    add_label(info, "name", results_.name);
    add_label(info, "engine", results_.engine);
    add_label(info, "fingerprint", results_.fingerprint);
    out_.family("railyard_run", MetricType::info, "The run that all series of this label belong to")
        .series.push_back({"_info", info, held(1)});
    add("railyard_time_dilation_ratio",
        fmt::format("Seconds of these timestamps for one second of the run: {:g}", clock_.dilation), labels,
        held(clock_.dilation));
    add("railyard_run_duration_seconds", "Simulated time", labels, held(seconds(length_of(run_))));
  }

  /// Ports of a run over flows: what they carried in the end. Of very many, those that carried most.
  void write_ports(const Telemetry& telemetry) {
    const Table<PortId, double> carried = carried_by_ports(run_.fabric, telemetry);
    for (const PortId port : ports_with_most(carried)) {
      const double sent = carried[port], received = carried[reverse_of(run_.fabric, port)];
      const NodeId node = run_.fabric.port_from[port];
      const bool at_host = run_.fabric.kind[node] == NodeKind::host;
      const std::string labels = at_host ? places_.nic(node, port) : places_.switch_port(port, "device");
      at_host ? write_rdma_port(node, port, sent, received)
              : add("sonic_interface_info", "Who is at the other end of an interface", places_.switch_port_info(port), held(1));
      count(at_host ? "node_infiniband_port_data_transmitted_bytes" : "sonic_interface_transmit_bytes",
            at_host ? "Number of data octets transmitted on all links" : "Bytes sent by an interface", labels, sent);
      count(at_host ? "node_infiniband_port_data_received_bytes" : "sonic_interface_receive_bytes",
            at_host ? "Number of data octets received on all links" : "Bytes received by an interface", labels, received);
    }
  }

  /// Data in words of four bytes, as rdma_exporter has them.
  void write_rdma_port(NodeId node, PortId port, double sent, double received) {
    const std::string labels = places_.rdma(node, port);
    add("rdma_port_info", "A port of a NIC", places_.rdma_info(node, port), held(1));
    count("rdma_port_xmit_data", "Octets transmitted, divided by four", labels, std::round(sent / 4));
    count("rdma_port_rcv_data", "Octets received, divided by four", labels, std::round(received / 4));
  }

  void write_tiers(const NetworkResults& network) {
    for (const TierSeries& tier : network.series) {
      std::string labels = label_text({{"tier", tier.tier}, {"run", places_.run()}});
      add("railyard_tier_utilisation_ratio", "Use of all links of a tier", labels, binned(tier.mean, network.bin_s));
      add_label(labels, "place", tier.busiest);
      if (!tier.peak.empty())
        add("railyard_busiest_link_utilisation_ratio", "Use of the link of a tier that carried most", labels,
            binned(tier.peak, network.bin_s));
    }
  }

  /// Which collective put which bytes on which link, where it is known when.
  void write_by_port(const CollectivesByPort& by_port) {
    for (const PortCollectives& port : by_port.ports)
      for (const CollectiveOnPort& row : port.collectives)
        if (!row.bins.empty()) write_collective_on_port(port, row, by_port.bin_s);
  }

  /// Every call of a step; of a collective by itself, every size.
  void write_collectives() {
    for (const CollectivePoint& point : results_.points)
      add_call({.collective = results_.collective,
                .size = point.size,
                .algorithm = point.algorithm + "_" + (point.protocol.empty() ? "Simple" : point.protocol),
                .comm = "world",
                .ranks = results_.ranks,
                .nodes = nodes_of(results_.ranks, run_.fabric.per_node)},
               end_, point.busbw_gbs, microseconds(point.time));
    if (run_.carried) add_calls_of_step();
    for (const auto& [labels, index] : calls_) {
      MetricFamily& rate =
          out_.family("nccl_bus_bandwidth_gbs", MetricType::gauge, "Bus bandwidth of a collective, 10^9 bytes per second");
      rate.series.push_back({"", labels, std::move(rates_[index])});
      MetricFamily& time =
          out_.family("nccl_collective_exec_time_microseconds", MetricType::gauge, "Execution time of a collective");
      time.series.push_back({"", labels, std::move(times_[index])});
    }
  }

  void write_completion() {
    if (!results_.traffic) return;
    MetricFamily& family = out_.family("railyard_flow_completion_seconds", MetricType::gauge,
                                       "Times that a share of all messages took no longer to complete than");
    const TimeSpread& times = results_.traffic->flows.fct_us;
    const std::pair<const char*, double> quantiles[] = {{"0.5", times.p50}, {"0.99", times.p99}, {"1", times.max}};
    for (const auto& [share, taken] : quantiles)
      family.series.push_back({"", label_text({{"share", share}, {"run", places_.run()}}), held(taken / 1e6)});
  }

 private:
  [[nodiscard]] std::vector<MetricPoint> held(double value) const {
    return held_points(clock_.at(Picoseconds::zero()), end_, value);
  }
  /// In the order of ids.
  [[nodiscard]] std::vector<PortId> ports_with_most(const Table<PortId, double>& carried) const {
    constexpr std::size_t kMost = 1024;
    std::vector<PortId> ports;
    const auto all = [&](PortId port) { return carried[port] + carried[reverse_of(run_.fabric, port)]; };
    for (const PortId port : ids(run_.fabric.port_from))
      if (!is_scale_up(run_.fabric.trunk_tier[run_.fabric.port_trunk[port]]) && all(port) > 0) ports.push_back(port);
    if (ports.size() <= kMost) return ports;
    std::stable_sort(ports.begin(), ports.end(), [&](PortId a, PortId b) { return all(a) > all(b); });
    ports.resize(kMost);
    std::sort(ports.begin(), ports.end());
    return ports;
  }
  void add(std::string_view name, std::string_view help, std::string labels, std::vector<MetricPoint> points) {
    out_.family(name, MetricType::gauge, help).series.push_back({"", std::move(labels), std::move(points)});
  }
  void count(std::string_view name, std::string_view help, std::string labels, double last) {
    std::vector<MetricPoint> points{{clock_.at(Picoseconds::zero()), 0}};
    add_point(points, end_, last);
    out_.family(name, MetricType::counter, help).series.push_back({"_total", std::move(labels), std::move(points)});
  }

  /// A value for every bin, at its end.
  [[nodiscard]] std::vector<MetricPoint> binned(const std::vector<double>& values, double bin_s) const {
    std::vector<MetricPoint> points;
    for (std::size_t i = 0; i < values.size(); i++) add_point(points, bin_end(i, bin_s), values[i]);
    thin_points(points);
    return points;
  }
  [[nodiscard]] std::int64_t bin_end(std::size_t bin, double bin_s) const {
    const double at = std::min(static_cast<double>(bin + 1) * bin_s, seconds(length_of(run_)));
    return clock_.at(Picoseconds(static_cast<std::int64_t>(at * 1e12)));
  }

  void write_collective_on_port(const PortCollectives& port, const CollectiveOnPort& row, double bin_s) {
    std::vector<MetricPoint> points{{clock_.at(Picoseconds::zero()), 0}};
    double sum = 0;
    for (std::size_t i = 0; i < row.bins.size(); i++) add_point(points, bin_end(i, bin_s), sum += row.bins[i]);
    thin_points(points);
    out_.family("railyard_port_collective_bytes", MetricType::counter, "Bytes that collectives of one kind put on a link")
        .series.push_back({"_total", label_text({{"place", port.name}, {"collective", row.what}, {"run", places_.run()}}),
                           std::move(points)});
  }

  /// Bytes on the busiest edge over the time are the bus bandwidth.
  void add_calls_of_step() {
    for (const FlowRecord& call : run_.carried->collectives) {
      const Picoseconds taken = call.finish - call.start;
      InspectedCall labels{.collective = call.primitive,
                           .size = call.size,
                           .algorithm = "Ring_Simple",
                           .comm = fmt::format("{}:{}", call.group, call.stage),
                           .operation = call.what};
      if (call.from.valid()) {
        labels.server = run_.fabric.server_of(call.from);
        labels.gpu = call.from.index() % std::max(1U, run_.fabric.per_node);
      }
      for (const GroupRow& group : results_.step ? results_.step->groups : std::vector<GroupRow>()) {
        if (group.kind != call.group) continue;
        labels.ranks = group.ranks;
        labels.nodes = nodes_of(group.ranks, group.per_domain);
      }
      add_call(labels, clock_.at(call.finish),
               seconds(taken) > 0 ? static_cast<double>(call.size.count()) / seconds(taken) / 1e9 : 0, microseconds(taken));
    }
  }

  static std::uint32_t nodes_of(std::uint32_t ranks, std::uint32_t per_node) {
    return std::max(1U, (ranks + per_node - 1) / std::max(1U, per_node));
  }

  void add_call(const InspectedCall& call, std::int64_t at, double gbs, double microseconds_taken) {
    std::string text = inspector_labels(call);
    add_label(text, "run", places_.run());
    const auto [entry, is_new] = calls_.try_emplace(std::move(text), rates_.size());
    if (is_new) rates_.emplace_back(), times_.emplace_back();
    add_point(rates_[entry->second], at, gbs);
    add_point(times_[entry->second], at, microseconds_taken);
  }

  const Run& run_;
  const Results& results_;
  const MetricPlaces& places_;
  const MetricClock& clock_;
  const std::int64_t end_;
  MetricSet& out_;
  std::map<std::string, std::size_t> calls_;  // by labels
  std::vector<std::vector<MetricPoint>> rates_, times_;
};

}  // namespace

double usual_dilation(const Run& run) { return packets_of(run) ? 1e6 : 1e3; }

std::vector<MetricFamily> metrics_of_run(const Run& run, const Results& results, const MetricsChoice& choice) {
  const MetricPlaces places(run.fabric, choice.run.empty() ? results.fingerprint : choice.run);
  const MetricClock clock{choice.start_s, choice.dilation > 0 ? choice.dilation : usual_dilation(run)};
  MetricSet set;
  RunMetrics metrics(run, results, places, clock, set);
  metrics.write_about();
  const Telemetry* const flows = flows_of(run);
  if (const PacketRecord* const packets = packets_of(run))
    add_packet_metrics(run.fabric, *packets, {places, clock, length_of_packets(run)}, set);
  else if (flows)
    metrics.write_ports(*flows);
  if (results.network) metrics.write_tiers(*results.network);
  metrics.write_by_port(results.network ? results.network->by_port : results.trace ? results.trace->by_port : results.by_port);
  metrics.write_collectives();
  metrics.write_completion();
  return set.take();
}

}  // namespace railyard
