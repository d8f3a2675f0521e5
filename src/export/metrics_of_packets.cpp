#include "export/metrics_of_packets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "export/port_history.h"

namespace railyard {

namespace {

/// So many that writing them takes a part of the time that the run took, which goes with the links that packets crossed.
std::size_t most_points(const PacketRecord& packets) { return std::max<std::size_t>(40'000, packets.hops / 8); }

constexpr std::size_t kSeriesOfPort = 5;  // about

double bytes_in(const PortSample& sample) { return static_cast<double>(sample.bytes); }
double marked_in(const PortSample& sample) { return sample.marked; }
double paused_in(const PortSample& sample) { return microseconds(sample.paused); }

std::string with_label(std::string labels, std::string_view name, std::string_view value) {
  add_label(labels, name, value);
  return labels;
}

/// Writes what the ports of one fabric counted.
class PacketMetrics {
 public:
  PacketMetrics(const Fabric& fabric, const PacketRecord& packets, const MetricFrame& frame, MetricSet& out)
      : fabric_(fabric),
        packets_(packets),
        places_(frame.places),
        history_(packets, frame.clock, frame.until,
                 {.series = kSeriesOfPort * used_ports(packets), .points = most_points(packets)}),
        out_(out) {
    for (const PortPauses& row : packets.port_pauses) pauses_[row.port].push_back(&row);
  }

  void write() {
    for (const PortId port : ids(fabric_.port_from)) {
      const bool at_host = fabric_.kind[fabric_.port_from[port]] == NodeKind::host;
      if (is_scale_up(fabric_.trunk_tier[fabric_.port_trunk[port]]) || !is_used(port)) continue;
      at_host ? write_nic(port) : write_switch_port(port);
    }
    for (const NicRecord& nic : packets_.nics) write_nic_counters(nic);
    write_queue_time();
  }

 private:
  static std::size_t used_ports(const PacketRecord& packets) {
    std::size_t count = 0;
    for (const PortRecord& port : packets.ports) count += port.packets > 0 ? 1 : 0;
    return count;
  }
  [[nodiscard]] bool is_used(PortId port) const {
    return packets_.ports[port].packets > 0 || packets_.ports[reverse_of(fabric_, port)].packets > 0;
  }

  void add(std::string_view name, MetricType type, std::string_view help, std::string labels, std::vector<MetricPoint> points) {
    const char* const suffix = type == MetricType::counter ? "_total" : "";
    out_.family(name, type, help).series.push_back({suffix, std::move(labels), std::move(points)});
  }

  [[nodiscard]] std::vector<MetricPoint> sent_bytes(PortId port) const {
    return history_.counter(port, bytes_in, static_cast<double>(packets_.ports[port].bytes.count()));
  }

  void write_nic(PortId port) {
    const NodeId host = fabric_.port_from[port];
    const std::string labels = places_.nic(host, port);
    const PortId back = reverse_of(fabric_, port);
    const auto rate = static_cast<double>(fabric_.trunk_port_rate[fabric_.port_trunk[port]].count());
    const std::vector<MetricPoint> sent = sent_bytes(port), received = sent_bytes(back);
    add("node_infiniband_port_data_transmitted_bytes", MetricType::counter, "Number of data octets transmitted on all links",
        labels, sent);
    add("node_infiniband_port_data_received_bytes", MetricType::counter, "Number of data octets received on all links", labels,
        received);
    add("node_infiniband_port_packets_transmitted", MetricType::counter, "Number of packets transmitted on all VLs", labels,
        history_.total(static_cast<double>(packets_.ports[port].packets)));
    add("node_infiniband_port_packets_received", MetricType::counter, "Number of packets received on all VLs", labels,
        history_.total(static_cast<double>(packets_.ports[back].packets)));
    add("node_infiniband_rate_bytes_per_second", MetricType::gauge, "Maximum signal transfer rate", labels,
        history_.constant(rate / 8));
    write_rdma_port(port, sent, received);
    for (const PortPauses* row : rows_of(port)) write_nic_pauses(*row, back);
  }

  /// What the dashboards of rdma_exporter choose ports from, and what goes through them: data in words of four bytes. Packets
  /// are known at the end alone; before, they are as many as the bytes are of all bytes.
  void write_rdma_port(PortId port, const std::vector<MetricPoint>& sent, const std::vector<MetricPoint>& received) {
    const NodeId host = fabric_.port_from[port];
    const std::string labels = places_.rdma(host, port);
    add("rdma_port_info", MetricType::gauge, "A port of a NIC", places_.rdma_info(host, port), history_.constant(1));
    const auto both = [&](std::string_view data, std::string_view packets, const char* way, PortId of,
                          const std::vector<MetricPoint>& bytes) {
      const PortRecord& record = packets_.ports[of];
      add(data, MetricType::counter, fmt::format("Octets {}, divided by four", way), labels, scaled(bytes, 0.25));
      add(packets, MetricType::counter, fmt::format("Packets {}", way), labels,
          scaled(bytes, static_cast<double>(record.packets) / std::max(1.0, static_cast<double>(record.bytes.count()))));
    };
    both("rdma_port_xmit_data", "rdma_port_xmit_packets", "transmitted", port, sent);
    both("rdma_port_rcv_data", "rdma_port_rcv_packets", "received", reverse_of(fabric_, port), received);
  }

  /// Counters are whole.
  static std::vector<MetricPoint> scaled(std::vector<MetricPoint> points, double factor) {
    for (MetricPoint& point : points) point.value = std::round(point.value * factor);
    return points;
  }

  /// A row that is the only one of its port has the port's history; of several only the ends are known.
  [[nodiscard]] std::vector<MetricPoint> pause_points(PortId port, std::uint32_t PortEvents::*member,
                                                      std::uint64_t last) const {
    return rows_of(port).size() == 1 ? history_.counter(port, member, static_cast<double>(last))
                                     : history_.total(static_cast<double>(last));
  }
  [[nodiscard]] std::vector<MetricPoint> paused_points(const PortPauses& row) const {
    return rows_of(row.port).size() == 1 ? history_.counter(row.port, paused_in, microseconds(row.paused))
                                         : history_.total(microseconds(row.paused));
  }
  [[nodiscard]] const std::vector<const PortPauses*>& rows_of(PortId port) const {
    static const std::vector<const PortPauses*> kNone;
    const auto found = pauses_.find(port);
    return found == pauses_.end() ? kNone : found->second;
  }
  [[nodiscard]] const PortPauses* row_of(PortId port, std::uint8_t traffic_class) const {
    for (const PortPauses* row : rows_of(port))
      if (row->traffic_class == traffic_class) return row;
    return nullptr;
  }

  /// What a NIC received stopped its own port; what it sent stopped that of the switch, `back`.
  void write_nic_pauses(const PortPauses& row, PortId back) {
    const std::uint32_t priority = packets_.priorities[row.traffic_class];
    const NodeId host = fabric_.port_from[row.port];
    const std::string labels = with_label(places_.rdma(host, row.port), "netdev", places_.netdev(host, row.port));
    const std::string ethernet = places_.ethernet(host, row.port);
    const std::string rx = with_label(with_label(labels, "direction", "rx"), "priority", fmt::to_string(priority));
    const std::string tx = with_label(with_label(labels, "direction", "tx"), "priority", fmt::to_string(priority));
    const char* const frames = "PFC pause frames by direction and priority";
    const char* const lasted = "Time paused by PFC, in microseconds, by direction and priority";
    const char* const changed = "Times that transmission was let go on after a pause, by direction and priority";
    const std::vector<MetricPoint> received = pause_points(row.port, &PortEvents::pauses, row.received);
    const std::vector<MetricPoint> sent = pause_points(row.port, &PortEvents::pauses_sent, row.sent);
    const PortPauses* const other = row_of(back, row.traffic_class);
    add("rdma_roce_pfc_pause_frames", MetricType::counter, frames, rx, received);
    add("rdma_roce_pfc_pause_frames", MetricType::counter, frames, tx, sent);
    add("rdma_roce_pfc_pause_duration", MetricType::counter, lasted, rx, paused_points(row));
    if (other) add("rdma_roce_pfc_pause_duration", MetricType::counter, lasted, tx, paused_points(*other));
    add("rdma_roce_pfc_pause_transitions", MetricType::counter, changed, rx,
        history_.total(static_cast<double>(row.transitions)));
    const std::string received_name = fmt::format("node_ethtool_received_prio{}_pause", priority);
    add(received_name, MetricType::unknown, "Pause frames received, of a priority", ethernet, received);
    add(received_name + "_duration", MetricType::unknown, "Microseconds paused, of a priority", ethernet, paused_points(row));
    add(received_name + "_transition", MetricType::unknown, "Times let go on after a pause, of a priority", ethernet,
        history_.total(static_cast<double>(row.transitions)));
    const std::string sent_name = fmt::format("node_ethtool_transmitted_prio{}_pause", priority);
    add(sent_name, MetricType::unknown, "Pause frames transmitted, of a priority", ethernet, sent);
    if (other)
      add(sent_name + "_duration", MetricType::unknown, "Microseconds that the other end was paused, of a priority", ethernet,
          paused_points(*other));
  }

  [[nodiscard]] PortId first_port_of(NodeId node) {
    if (first_ports_.empty()) {
      first_ports_.resize(fabric_.kind.size());
      for (const PortId port : ids(fabric_.port_from))
        if (PortId& first = first_ports_[fabric_.port_from[port].index()];
            !first.valid() && !is_scale_up(fabric_.trunk_tier[fabric_.port_trunk[port]]))
          first = port;
    }
    return first_ports_[node.index()];
  }

  /// Under the names of node_exporter and of rdma_exporter.
  void write_nic_counters(const NicRecord& nic) {
    const PortId port = first_port_of(nic.node);
    if (!port.valid() || !is_used(port)) return;
    const std::string labels = places_.nic(nic.node, port), rdma_labels = places_.rdma(nic.node, port);
    const auto both = [&](std::string_view node, std::string_view rdma, std::string_view help,
                          std::uint32_t PortEvents::*member, std::uint64_t last) {
      const std::vector<MetricPoint> points = history_.counter(port, member, static_cast<double>(last));
      add(node, MetricType::counter, help, labels, points);
      add(rdma, MetricType::counter, help, rdma_labels, points);
    };
    both("node_infiniband_np_cnp_packets_sent", "rdma_np_cnp_sent", "CNPs sent by the notification point",
         &PortEvents::cnp_sent, nic.cnp_sent);
    both("node_infiniband_np_ecn_marked_roce_packets_received", "rdma_np_ecn_marked_roce_packets",
         "Packets received with congestion experienced", &PortEvents::marked_in, nic.marked);
    both("node_infiniband_rp_cnp_packets_handled", "rdma_rp_cnp_handled", "CNPs handled by the reaction point",
         &PortEvents::cnp_handled, nic.cnp_handled);
    both("node_infiniband_out_of_sequence_packets_received", "rdma_out_of_sequence", "Packets received out of sequence",
         &PortEvents::out_of_sequence, nic.out_of_sequence);
    add("node_infiniband_local_ack_timeout_errors", MetricType::counter,
        "Timers of queue pairs that ran out for want of an ACK", labels, history_.total(static_cast<double>(nic.timeouts)));
    add("rdma_local_ack_timeout_err", MetricType::counter, "Timers of queue pairs that ran out for want of an ACK", rdma_labels,
        history_.total(static_cast<double>(nic.timeouts)));
  }

  void write_switch_port(PortId port) {
    const PortRecord& record = packets_.ports[port];
    const std::string sonic = places_.switch_port(port, "device"), nvidia = places_.switch_port(port, "interface");
    add("sonic_interface_info", MetricType::gauge, "Who is at the other end of an interface", places_.switch_port_info(port),
        history_.constant(1));
    add("sonic_interface_transmit_bytes", MetricType::counter, "Bytes sent by an interface", sonic, sent_bytes(port));
    add("sonic_interface_receive_bytes", MetricType::counter, "Bytes received by an interface", sonic,
        sent_bytes(reverse_of(fabric_, port)));
    add("sonic_queue_dropped_packets", MetricType::counter, "Packets that a queue dropped",
        with_label(sonic, "queue", data_queue()),
        history_.counter(port, &PortEvents::dropped, static_cast<double>(record.dropped)));
    add("sonic_queue_wred_ecn_marked_packets", MetricType::counter, "Packets that a queue marked with ECN",
        with_label(sonic, "queue", data_queue()), history_.counter(port, marked_in, static_cast<double>(record.marked)));
    const std::string queue = with_label(nvidia, "traffic_class", data_queue());
    add("nvswitch_interface_shared_buffer_port_tc_curr_occupancy", MetricType::gauge, "Bytes in the queues of a port", queue,
        history_.backlog(port));
    add("nvswitch_interface_shared_buffer_port_tc_watermark", MetricType::gauge, "Most bytes in the queues of a port", queue,
        history_.constant(static_cast<double>(record.deepest.count())));
    for (const PortPauses* row : rows_of(port)) write_switch_pauses(*row, nvidia);
  }

  [[nodiscard]] std::string data_queue() const {
    constexpr std::size_t kData = 1;  // plan/packet_plan.h
    return fmt::to_string(packets_.priorities.size() > kData ? packets_.priorities[kData] : 0);
  }

  void write_switch_pauses(const PortPauses& row, const std::string& nvidia) {
    const std::string labels = with_label(nvidia, "switch_priority", fmt::to_string(packets_.priorities[row.traffic_class]));
    add("nvswitch_interface_sp_rx_pause", MetricType::unknown, "PFC frames received, of a switch priority", labels,
        pause_points(row.port, &PortEvents::pauses, row.received));
    add("nvswitch_interface_sp_tx_pause", MetricType::unknown, "PFC frames sent, of a switch priority", labels,
        pause_points(row.port, &PortEvents::pauses_sent, row.sent));
    add("nvswitch_interface_sp_rx_pause_duration", MetricType::unknown, "Microseconds paused, of a switch priority", labels,
        paused_points(row));
  }

  /// One histogram for the whole fabric, in seconds.
  void write_queue_time() {
    if (packets_.waits.empty()) return;
    MetricFamily& family =
        out_.family("railyard_queue_time_seconds", MetricType::histogram, "Time that data packets spent in queues of switches");
    const std::string labels = label_text({{"run", places_.run()}});
    const auto add_bucket = [&](std::string_view bound, std::uint64_t count) {
      family.series.push_back({"_bucket", with_label(labels, "le", bound), last_only(static_cast<double>(count))});
    };
    std::uint64_t seen = packets_.unqueued;
    for (std::size_t k = 0; k + 1 < packets_.waits.size(); k++) {
      seen += packets_.waits[k];
      if (k >= 10) add_bucket(fmt::format("{}", std::ldexp(1e-12, static_cast<int>(k))), seen);
    }
    add_bucket("+Inf", seen + packets_.waits.back());
    family.series.push_back({"_count", labels, last_only(static_cast<double>(seen + packets_.waits.back()))});
  }
  [[nodiscard]] std::vector<MetricPoint> last_only(double value) const { return {history_.total(value).back()}; }

  const Fabric& fabric_;
  const PacketRecord& packets_;
  const MetricPlaces& places_;
  const PortHistory history_;
  MetricSet& out_;
  std::map<PortId, std::vector<const PortPauses*>> pauses_;
  std::vector<PortId> first_ports_;  // by node
};

}  // namespace

void add_packet_metrics(const Fabric& fabric, const PacketRecord& packets, const MetricFrame& frame, MetricSet& out) {
  PacketMetrics(fabric, packets, frame, out).write();
}

}  // namespace railyard
