#include "measured/counter_names.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "measured/text.h"

namespace railyard {

namespace {

using Kind = CounterKind;

constexpr double kMicrosecondUnit = 1e-6, kWord = 4;

struct KnownCounter {
  std::string_view name;  // in lower case, with # for a priority
  Kind kind;
  double unit = 1;
};

// By source; the first of a name holds.
constexpr KnownCounter kKnownCounters[] = {
    // ethtool -S, mlx5
    {"rx_prio#_pause", Kind::rx_pause},
    {"tx_prio#_pause", Kind::tx_pause},
    {"rx_prio#_pause_duration", Kind::rx_pause_time, kMicrosecondUnit},
    {"tx_prio#_pause_duration", Kind::tx_pause_time, kMicrosecondUnit},
    {"rx_prio#_bytes", Kind::rx_bytes},
    {"tx_prio#_bytes", Kind::tx_bytes},
    {"rx_prio#_packets", Kind::rx_packets},
    {"tx_prio#_packets", Kind::tx_packets},
    {"rx_prio#_discards", Kind::rx_drops},
    {"rx_prio#_buf_discard", Kind::rx_drops},
    {"rx_prio#_cong_discard", Kind::rx_drops},
    {"rx_prio#_marked", Kind::ecn_marked},
    {"rx_global_pause", Kind::rx_pause},
    {"tx_global_pause", Kind::tx_pause},
    {"rx_global_pause_duration", Kind::rx_pause_time, kMicrosecondUnit},
    {"tx_global_pause_duration", Kind::tx_pause_time, kMicrosecondUnit},
    {"rx_pause_ctrl_phy", Kind::rx_pause},
    {"tx_pause_ctrl_phy", Kind::tx_pause},
    {"tx_pause_storm_warning_events", Kind::pause_storm},
    {"tx_pause_storm_error_events", Kind::pause_storm},
    {"rx_bytes_phy", Kind::rx_bytes},
    {"tx_bytes_phy", Kind::tx_bytes},
    {"rx_packets_phy", Kind::rx_packets},
    {"tx_packets_phy", Kind::tx_packets},
    {"rx_bytes", Kind::rx_bytes},
    {"tx_bytes", Kind::tx_bytes},
    {"rx_packets", Kind::rx_packets},
    {"tx_packets", Kind::tx_packets},
    {"rx_discards_phy", Kind::rx_drops},
    {"tx_discards_phy", Kind::tx_drops},
    {"rx_out_of_buffer", Kind::out_of_buffer},
    {"rx_crc_errors_phy", Kind::corrupted},
    {"rx_symbol_err_phy", Kind::corrupted},
    {"rx_pcs_symbol_err_phy", Kind::corrupted},
    {"link_down_events_phy", Kind::link_down},
    // ethtool -S, bnxt
    {"rx_pfc_ena_frames_pri#", Kind::rx_pause},
    {"tx_pfc_ena_frames_pri#", Kind::tx_pause},
    {"pfc_pri#_rx_duration_us", Kind::rx_pause_time, kMicrosecondUnit},
    {"pfc_pri#_tx_duration_us", Kind::tx_pause_time, kMicrosecondUnit},
    {"rx_pfc_frames", Kind::rx_pause},
    {"tx_pfc_frames", Kind::tx_pause},
    {"rx_pause_frames", Kind::rx_pause},
    {"tx_pause_frames", Kind::tx_pause},
    {"rx_bytes_pri#", Kind::rx_bytes},
    {"tx_bytes_pri#", Kind::tx_bytes},
    {"rx_packets_pri#", Kind::rx_packets},
    {"tx_packets_pri#", Kind::tx_packets},
    {"rx_discard_packets_cos#", Kind::rx_drops},
    {"rx_stat_discard", Kind::rx_drops},
    {"tx_stat_discard", Kind::tx_drops},
    {"rx_total_discard_pkts", Kind::rx_drops},
    {"tx_total_discard_pkts", Kind::tx_drops},
    {"rx_fcs_err_frames", Kind::corrupted},
    {"rx_fec_uncorrectable_blocks", Kind::corrupted},
    {"rx_fec_uncorrectable_err", Kind::corrupted},
    {"link_down_events", Kind::link_down},
    // ethtool -S, ionic
    {"frames_rx_pripause", Kind::rx_pause},
    {"frames_tx_pripause", Kind::tx_pause},
    {"frames_rx_pause", Kind::rx_pause},
    {"frames_tx_pause", Kind::tx_pause},
    {"rx_pripause_#_1us_count", Kind::rx_pause_time, kMicrosecondUnit},
    {"tx_pripause_#_1us_count", Kind::tx_pause_time, kMicrosecondUnit},
    {"rx_pause_1us_count", Kind::rx_pause_time, kMicrosecondUnit},
    {"octets_rx_ok", Kind::rx_bytes},
    {"octets_tx_ok", Kind::tx_bytes},
    {"frames_rx_ok", Kind::rx_packets},
    {"frames_tx_ok", Kind::tx_packets},
    {"frames_rx_pri_#", Kind::rx_packets},
    {"frames_tx_pri_#", Kind::tx_packets},
    {"frames_rx_bad_fcs", Kind::corrupted},
    {"frames_rx_dropped", Kind::rx_drops},
    {"hw_rx_dropped", Kind::rx_drops},
    {"hw_tx_dropped", Kind::tx_drops},
    // hw_counters and rdma statistic, mlx5
    {"np_ecn_marked_roce_packets", Kind::ecn_marked},
    {"np_cnp_sent", Kind::cnp_sent},
    {"rp_cnp_handled", Kind::cnp_handled},
    {"rp_cnp_ignored", Kind::cnp_ignored},
    {"cc_rx_ce_pkts", Kind::ecn_marked},
    {"cc_tx_cnp_pkts", Kind::cnp_sent},
    {"cc_rx_cnp_pkts", Kind::cnp_handled},
    {"out_of_sequence", Kind::out_of_sequence},
    {"packet_seq_err", Kind::sequence_nak},
    {"implied_nak_seq_err", Kind::sequence_nak},
    {"local_ack_timeout_err", Kind::ack_timeout},
    {"req_transport_retries_exceeded", Kind::retry_exceeded},
    {"roce_adp_retrans", Kind::adaptive_retransmission},
    {"rnr_nak_retry_err", Kind::not_ready},
    {"out_of_buffer", Kind::out_of_buffer},
    {"rx_icrc_encapsulated", Kind::corrupted},
    // the same, bnxt_re
    {"to_retransmits", Kind::ack_timeout},
    {"seq_err_naks_rcvd", Kind::sequence_nak},
    {"max_retry_exceeded", Kind::retry_exceeded},
    {"rnr_naks_rcvd", Kind::not_ready},
    {"oos_drop_count", Kind::out_of_sequence},
    {"res_oos_drop_count", Kind::out_of_sequence},
    {"rx_ecn_marked_pkts", Kind::ecn_marked},
    {"tx_cnp_pkts", Kind::cnp_sent},
    {"rx_cnp_pkts", Kind::cnp_handled},
    {"rx_roce_discards", Kind::rx_drops},
    {"tx_roce_discards", Kind::tx_drops},
    // the same, ionic
    {"tx_rdma_cnp_pkts", Kind::cnp_sent},
    {"rx_rdma_cnp_pkts", Kind::cnp_handled},
    {"rx_rdma_ecn_pkts", Kind::ecn_marked},
    {"tx_rdma_ucast_bytes", Kind::tx_bytes},
    {"rx_rdma_ucast_bytes", Kind::rx_bytes},
    {"tx_rdma_ucast_pkts", Kind::tx_packets},
    {"rx_rdma_ucast_pkts", Kind::rx_packets},
    {"req_rx_pkt_seq_err", Kind::sequence_nak},
    {"req_rx_impl_nak_seq_err", Kind::sequence_nak},
    {"req_rx_rnr_retry_err", Kind::not_ready},
    {"req_tx_retry_excd_err", Kind::retry_exceeded},
    {"resp_rx_outouf_seq", Kind::out_of_sequence},
    {"resp_rx_outof_seq", Kind::out_of_sequence},
    {"resp_rx_outof_buf", Kind::out_of_buffer},
    // counters of sysfs; data in words of four bytes
    {"port_xmit_data", Kind::tx_bytes, kWord},
    {"port_rcv_data", Kind::rx_bytes, kWord},
    {"port_xmit_packets", Kind::tx_packets},
    {"port_rcv_packets", Kind::rx_packets},
    {"port_xmit_discards", Kind::tx_drops},
    {"excessive_buffer_overrun_errors", Kind::rx_drops},
    {"port_rcv_errors", Kind::corrupted},
    {"port_rcv_remote_physical_errors", Kind::corrupted},
    {"symbol_error", Kind::corrupted},
    {"local_link_integrity_errors", Kind::corrupted},
    {"link_downed", Kind::link_down},
    // node_exporter
    {"port_data_transmitted_bytes", Kind::tx_bytes},
    {"port_data_received_bytes", Kind::rx_bytes},
    {"port_packets_transmitted", Kind::tx_packets},
    {"port_packets_received", Kind::rx_packets},
    {"port_discards_transmitted", Kind::tx_drops},
    {"port_errors_received", Kind::corrupted},
    {"np_cnp_packets_sent", Kind::cnp_sent},
    {"np_ecn_marked_roce_packets_received", Kind::ecn_marked},
    {"rp_cnp_packets_handled", Kind::cnp_handled},
    {"rp_cnp_ignored_packets_received", Kind::cnp_ignored},
    {"out_of_sequence_packets_received", Kind::out_of_sequence},
    {"packet_sequence_errors", Kind::sequence_nak},
    {"implied_nak_seq_errors", Kind::sequence_nak},
    {"local_ack_timeout_errors", Kind::ack_timeout},
    {"out_of_buffer_drops", Kind::out_of_buffer},
    {"rnr_nak_retry_packets_received", Kind::not_ready},
    {"roce_adp_retransmits", Kind::adaptive_retransmission},
    {"rx_icrc_encapsulated_errors", Kind::corrupted},
    {"receive_bytes", Kind::rx_bytes},
    {"transmit_bytes", Kind::tx_bytes},
    {"receive_packets", Kind::rx_packets},
    {"transmit_packets", Kind::tx_packets},
    {"receive_drop", Kind::rx_drops},
    {"transmit_drop", Kind::tx_drops},
    // rdma_exporter
    {"port_xmit_data_bytes", Kind::tx_bytes},
    {"port_rcv_data_bytes", Kind::rx_bytes},
    {"roce_pfc_pause_frames_rx", Kind::rx_pause},
    {"roce_pfc_pause_frames_tx", Kind::tx_pause},
    {"roce_pfc_pause_duration_rx", Kind::rx_pause_time, kMicrosecondUnit},
    {"roce_pfc_pause_duration_tx", Kind::tx_pause_time, kMicrosecondUnit},
    {"netdev_global_pause_frames_rx", Kind::rx_pause},
    {"netdev_global_pause_frames_tx", Kind::tx_pause},
    {"netdev_pause_storm_events", Kind::pause_storm},
    {"netdev_pause_storm_events_tx", Kind::pause_storm},
    {"phy_rx_pcs_symbol_err", Kind::corrupted},
    // DCGM
    {"dcgm_fi_dev_pcie_replay_counter", Kind::corrupted},
    {"dcgm_fi_dev_nvlink_crc_flit_error_count", Kind::corrupted},
    {"dcgm_fi_dev_nvlink_crc_data_error_count", Kind::corrupted},
    // NVIDIA's switches
    {"nvswitch_interface_sp_rx_pause", Kind::rx_pause},
    {"nvswitch_interface_sp_tx_pause", Kind::tx_pause},
    {"nvswitch_interface_sp_rx_pause_duration", Kind::rx_pause_time, kMicrosecondUnit},
    {"nvswitch_interface_sp_tx_pause_duration", Kind::tx_pause_time, kMicrosecondUnit},
    {"nvswitch_interface_tc_tx_ecn_marked_tc", Kind::ecn_marked},
    {"nvswitch_interface_shared_buffer_port_tc_watermark", Kind::queue_watermark},
    // SAI, without SAI_PORT_STAT_ and the like
    {"pfc_#_rx_pkts", Kind::rx_pause},
    {"pfc_#_tx_pkts", Kind::tx_pause},
    {"pfc_#_rx_pause_duration", Kind::rx_pause_time, kMicrosecondUnit},
    {"pfc_#_tx_pause_duration", Kind::tx_pause_time, kMicrosecondUnit},
    {"pfc_#_rx_pause_duration_us", Kind::rx_pause_time, kMicrosecondUnit},
    {"pfc_#_tx_pause_duration_us", Kind::tx_pause_time, kMicrosecondUnit},
    {"pause_rx_pkts", Kind::rx_pause},
    {"pause_tx_pkts", Kind::tx_pause},
    {"if_in_octets", Kind::rx_bytes},
    {"if_out_octets", Kind::tx_bytes},
    {"if_in_ucast_pkts", Kind::rx_packets},
    {"if_out_ucast_pkts", Kind::tx_packets},
    {"if_in_discards", Kind::rx_drops},
    {"if_out_discards", Kind::tx_drops},
    {"if_in_errors", Kind::corrupted},
    {"ecn_marked_packets", Kind::ecn_marked},
    {"queue_bytes", Kind::tx_bytes},
    {"queue_packets", Kind::tx_packets},
    {"queue_dropped_packets", Kind::tx_drops},
    {"queue_wred_ecn_marked_packets", Kind::ecn_marked},
    {"queue_shared_watermark_bytes", Kind::queue_watermark},
    {"queue_watermark_bytes", Kind::queue_watermark},
    {"group_shared_watermark_bytes", Kind::queue_watermark},
    {"group_xoff_room_watermark_bytes", Kind::queue_watermark},
    {"group_dropped_packets", Kind::rx_drops},
};

void take_prefix(std::string& name, std::string_view prefix, std::string_view instead = {}) {
  if (name.starts_with(prefix)) name.replace(0, prefix.size(), instead);
}

/// Puts # for a number behind a word that priorities have; none where the name has no priority.
std::optional<std::uint32_t> take_priority(std::string& name) {
  for (const std::string_view word : {"prio", "pri_", "pri", "pfc_", "pripause_", "cos"}) {
    for (std::size_t at = name.find(word); at != std::string::npos; at = name.find(word, at + 1)) {
      const std::size_t first = at + word.size();
      const std::size_t end = std::min(name.find_first_not_of("0123456789", first), name.size());
      if (end == first || end - first > 2) continue;
      const auto priority = measured_text::small_number(std::string_view(name).substr(first, end - first));
      name.replace(first, end - first, "#");
      return priority;
    }
  }
  return std::nullopt;
}

/// As the table has it: in lower case, without what exporters put around it.
std::string plain_name(std::string_view name) {
  std::string out = printed::lower_case(name.substr(0, 120));
  if (out.ends_with("_total")) out.resize(out.size() - 6);
  take_prefix(out, "node_infiniband_");
  take_prefix(out, "node_network_");
  take_prefix(out, "sonic_interface_");
  take_prefix(out, "sonic_queue_", "queue_");
  if (out.starts_with("node_ethtool_")) {
    take_prefix(out, "node_ethtool_");
    take_prefix(out, "received_", "rx_");
    take_prefix(out, "transmitted_", "tx_");
  }
  if (out.starts_with("rdma_")) {
    take_prefix(out, "rdma_");
    take_prefix(out, "optional_");
  }
  take_prefix(out, "sai_port_stat_");
  take_prefix(out, "sai_queue_stat_", "queue_");
  take_prefix(out, "sai_ingress_priority_group_stat_", "group_");
  return out;
}

}  // namespace

CounterMeaning counter_meaning(std::string_view name) {
  std::string plain = plain_name(name);
  CounterMeaning out;
  out.priority = take_priority(plain);
  for (const KnownCounter& known : kKnownCounters)
    if (known.name == plain) {
      out.kind = known.kind;
      out.unit = known.unit;
      return out;
    }
  return out;
}

void add_counter(Measurements& all, const std::string& device, const std::string& port, std::string_view name, double value,
                 const SourceSpan& where) {
  const CounterMeaning meaning = counter_meaning(name);
  all.counters.push_back(
      {device, port, measured_text::short_text(name), meaning.kind, meaning.priority, value * meaning.unit, 0, where});
}

}  // namespace railyard
