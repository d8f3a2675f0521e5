#include "scenario/check/check_packets.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "plan/headroom.h"
#include "scenario/resolve/transport_defaults.h"

namespace railyard {

namespace {

constexpr Bytes kPreambleAndGap = 20_B;  // on the wire, and no part of a frame

class PacketChecker {
 public:
  PacketChecker(const ScenarioSpec& scenario, Complaints& complaints)
      : s_(scenario), t_(scenario.transport), complaints_(complaints) {}

  void keys() {
    sizes();
    pauses();
    priorities();
    watchdog();
    const bool spread = s_.routing.policy == RoutingPolicy::adaptive || s_.routing.policy == RoutingPolicy::spray;
    const bool any_order = spread || transport_defaults(t_.kind).any_order || control_of(t_) > CongestionControl::dcqcn;
    const bool repeats = t_.loss_recovery ? *t_.loss_recovery == LossRecovery::selective_repeat : any_order;
    if (s_.given("transport.reorder_window") && !repeats)
      error("RY-SCN-097", "transport.reorder_window", "reorder_window does not apply to loss_recovery = \"go-back-n\"",
            "remove it, or use \"selective-repeat\"");
    if (s_.given("routing.flowlet_gap") && s_.routing.policy != RoutingPolicy::flowlet)
      error("RY-SCN-097", "routing.flowlet_gap",
            fmt::format("flowlet_gap does not apply to policy = \"{}\"", name_of(s_.routing.policy)),
            "remove it, or use \"flowlet\"");
    failover();
  }

  void failover() {
    const RoutingSpec& r = s_.routing;
    if (r.local_repair && r.convergence && *r.convergence < *r.local_repair)
      error("RY-SCN-142", "routing.convergence",
            fmt::format("convergence = {} is shorter than local_repair = {}", format(*r.convergence), format(*r.local_repair)),
            "nobody knows of a failure before the ends of the link: use a longer convergence");
  }

  /// Keys that belong to one kind of transport, or to one of its ways to hold senders back.
  void transports() {
    const CongestionControl control = control_of(t_);
    const bool window = control > CongestionControl::dcqcn;
    const auto only = [&](const char* key, bool meant, const std::string& where) {
      if (s_.given(key) && !meant)
        error("RY-SCN-102", key, fmt::format("{} applies only {}", std::string_view(key).substr(10), where), "remove it");
    };
    const std::optional<TransportKind> island = s_.fabric.island.transport;
    const bool has_credits = t_.kind == TransportKind::infiniband || island == TransportKind::infiniband;
    only("transport.credits", has_credits, "on InfiniBand");
    only("transport.credit_step", has_credits, "on InfiniBand");
    if (island && *island != t_.kind && (t_.kind != TransportKind::roce || *island != TransportKind::infiniband))
      error(
          "RY-SCN-103", "fabric.island.transport",
          fmt::format("an island with transport \"{}\" and kind = \"{}\" is not modelled", name_of(*island), name_of(t_.kind)),
          "use fabric.island.transport = \"infiniband\" with kind = \"roce\": which side is the island is free");
    if (island && *island != t_.kind && control_of(t_) > CongestionControl::dcqcn)
      error("RY-SCN-103", "fabric.island.transport",
            fmt::format("control = \"{}\" does not exist on InfiniBand", name_of(control_of(t_))),
            "use control = \"dcqcn\" or \"none\"");
    const bool sprays = s_.routing.policy == RoutingPolicy::spray || !s_.given("routing.policy");
    only("transport.entropy_choice", t_.kind == TransportKind::uec && sprays, "for kind = \"uec\" and policy = \"spray\"");
    const bool paced = control == CongestionControl::timely || control == CongestionControl::ibcc;
    const bool aims = control == CongestionControl::nscc || control == CongestionControl::nscc_rccc ||
                      control == CongestionControl::swift || control == CongestionControl::timely;
    only("transport.first_window", window && !paced,
         "with a control that has a window: nscc, dctcp, cubic, swift, hpcc or rccc");
    only("transport.delay_target", aims, "with control = \"nscc\", \"swift\" or \"timely\"");
    only("transport.flow_rate", window, "with a control that answers ACKs: any but \"none\" and \"dcqcn\"");
    only("transport.trimming", window && control != CongestionControl::ibcc,
         "with a control that answers ACKs: any but \"none\", \"dcqcn\" and \"ibcc\"");
    only("transport.admission", !window, "without a window: control = \"none\" or \"dcqcn\"");
    for (const char* key : {"transport.ibcc.ccti_increase", "transport.ibcc.ccti_limit", "transport.ibcc.ccti_timer"})
      only(key, control == CongestionControl::ibcc, "with control = \"ibcc\"");
    const Bytes packet = t_.mtu + t_.packet_overhead() + t_.message_overhead();
    if (t_.queue_limit && *t_.queue_limit < packet)
      error("RY-SCN-092", "transport.queue_limit",
            fmt::format("queue_limit = {} is less than one packet, {}", format(*t_.queue_limit), format(packet)), "use more");
    if (t_.first_window && *t_.first_window < t_.mtu)
      error("RY-SCN-092", "transport.first_window",
            fmt::format("first_window = {} is less than one packet's payload, {}", format(*t_.first_window), format(t_.mtu)),
            "use more");
  }

  /// Congestion controls that a transport does not have, or that contradict other keys.
  void controls() {
    const CongestionControl control = control_of(t_);
    const bool window = control > CongestionControl::dcqcn;
    const bool credited = control == CongestionControl::rccc || control == CongestionControl::nscc_rccc;
    if (credited && t_.kind != TransportKind::uec)
      error("RY-SCN-103", "transport.control",
            fmt::format("control = \"{}\" needs kind = \"uec\", not \"{}\"", name_of(control), name_of(t_.kind)),
            "use another control");
    if (control == CongestionControl::ibcc && t_.kind != TransportKind::infiniband)
      error("RY-SCN-103", "transport.control",
            fmt::format("control = \"ibcc\" needs kind = \"infiniband\", not \"{}\"", name_of(t_.kind)), "use another control");
    if (window && t_.loss_recovery == LossRecovery::go_back_n)
      error("RY-SCN-103", "transport.loss_recovery",
            fmt::format("loss_recovery = \"go-back-n\" does not apply to control = \"{}\", which accepts packets in any order",
                        name_of(control)),
            "remove loss_recovery");
    if (control == CongestionControl::timely && (t_.kind == TransportKind::tcp || t_.kind == TransportKind::uec))
      error("RY-SCN-103", "transport.control",
            fmt::format("control = \"timely\" needs lossless Ethernet (kind = \"roce\"), not \"{}\"", name_of(t_.kind)),
            "use another control");
    if (control == CongestionControl::dcqcn && t_.kind != TransportKind::roce)
      error("RY-SCN-103", "transport.control",
            fmt::format("control = \"dcqcn\" needs kind = \"roce\", not \"{}\"", name_of(t_.kind)), "use another control");
    if (window && control != CongestionControl::ibcc && t_.kind == TransportKind::infiniband)
      error("RY-SCN-103", "transport.control", fmt::format("control = \"{}\" does not exist on InfiniBand", name_of(control)),
            "use control = \"none\" or \"ibcc\"");
    if (t_.control && *t_.control != CongestionControl::dcqcn && s_.given("transport.dcqcn") && t_.dcqcn.enabled)
      error("RY-SCN-103", "transport.control",
            fmt::format("[transport.dcqcn] does not apply to control = \"{}\"", name_of(control)), "keep one of them");
    if (t_.admission > 0 && t_.classes.control_counted)
      error("RY-SCN-103", "transport.admission", "admission grants must not be dropped, and control_counted = true allows it",
            "remove one of them");
  }

 private:
  void error(std::string_view code, const std::string& key, std::string message, std::string hint) {
    complaints_.error(code, s_.where(key), std::move(message), std::move(hint));
  }

  void sizes() {
    if (t_.window && *t_.window < t_.mtu)
      error("RY-SCN-092", "transport.window",
            fmt::format("window = {} is less than one packet's payload, {}", format(*t_.window), format(t_.mtu)),
            "give a queue pair room for at least one packet, or leave it out");
    const Bytes packet = t_.mtu + t_.packet_overhead() + t_.message_overhead();
    if (t_.receive_buffer < packet * 2)
      error("RY-SCN-092", "transport.receive_buffer",
            fmt::format("receive_buffer = {} does not hold two packets of {}", format(t_.receive_buffer), format(packet)),
            "use at least two packets: the NIC sends pause frames at half of the buffer");
    const Bytes frame = std::max(packet - kPreambleAndGap, t_.mtu);
    const bool refused = t_.kind != TransportKind::tcp && t_.kind != TransportKind::uec && t_.mtu > 4096_B;
    if (frame > s_.fabric.port_mtu && !refused)
      error("RY-SCN-093", s_.first_given({"transport.mtu", "fabric.port_mtu", "transport.header"}),
            fmt::format("frames of {} ({} of payload and headers) exceed fabric.port_mtu = {}", format(frame), format(t_.mtu),
                        format(s_.fabric.port_mtu)),
            "use a smaller mtu");
  }

  void pauses() {
    const PfcSpec& pfc = t_.pfc;
    if (pfc.xon && !pfc.xoff && !s_.given("transport.pfc.xoff"))
      error("RY-SCN-094", "transport.pfc.xon", "xon is given without xoff", "add xoff, or use alpha and xon_offset");
    if (pfc.xon && pfc.xon_offset)
      error("RY-SCN-094", "transport.pfc.xon_offset", "both xon and xon_offset are given",
            "keep one: both say when a pause is lifted");
    if (pfc.xoff && pfc.xon_offset && *pfc.xon_offset > *pfc.xoff)
      error("RY-SCN-094", "transport.pfc.xon_offset",
            fmt::format("xon_offset = {} is more than xoff = {}", format(*pfc.xon_offset), format(*pfc.xoff)), "use less");
  }

  void priorities() {
    const std::vector<std::uint32_t>& all = t_.pfc.priorities;
    constexpr const char* kKey = "transport.pfc.priorities";
    const std::uint32_t control = t_.dcqcn.cnp_802p_prio.value_or(kCnpPriority), background = t_.classes.background_priority;
    std::vector<std::uint32_t> sorted = all;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
      error("RY-SCN-095", kKey, fmt::format("priority {} is given twice", *twice), "give every lossless priority once");
    if (std::binary_search(sorted.begin(), sorted.end(), control))
      error("RY-SCN-095", s_.first_given({kKey, "transport.dcqcn.cnp_802p_prio"}),
            fmt::format("priority {} of CNPs is lossless: a PFC pause would delay the CNPs that relieve it", control),
            "give CNPs a priority of their own (cnp_802p_prio)");
    if (background == control)
      error("RY-SCN-095", s_.first_given({"transport.classes.background_priority", kKey, "transport.dcqcn.cnp_802p_prio"}),
            fmt::format("background_priority = {} is the priority of CNPs (cnp_802p_prio)", background),
            "give each a priority of its own");
    storage(control);
  }

  /// Storage may wait with data or background, where a weight of its own says nothing.
  void storage(std::uint32_t control) {
    const std::uint32_t storage = t_.classes.storage_priority;
    constexpr const char *kPriority = "transport.classes.storage_priority", *kWeight = "transport.classes.storage_weight";
    const bool used = s_.given(kPriority) || (s_.traffic && s_.traffic->storage);
    if (used && storage == control)
      error("RY-SCN-095", s_.first_given({kPriority, "transport.dcqcn.cnp_802p_prio", "traffic.storage"}),
            fmt::format("storage_priority = {} is the priority of CNPs (cnp_802p_prio)", storage),
            "give each a priority of its own");
    const bool with_data = storage == t_.pfc.priorities.front();
    if (s_.given(kWeight) && (with_data || storage == t_.classes.background_priority))
      error("RY-SCN-097", kWeight,
            fmt::format("storage_weight does not apply: storage_priority = {} is the priority of {}", storage,
                        with_data ? "data" : "background traffic"),
            "remove it, or give storage a priority of its own");
  }

  void watchdog() {
    const PfcSpec& pfc = t_.pfc;
    const auto at_least_poll = [&](const char* name, Picoseconds time) {
      if (time >= pfc.watchdog_poll) return;
      const std::string key = fmt::format("transport.pfc.{}", name);
      error("RY-SCN-096", s_.given(key) ? key : "transport.pfc.watchdog_poll",
            fmt::format("{} = {} is less than watchdog_poll = {}", name, format(time), format(pfc.watchdog_poll)),
            "use a longer time, or a shorter watchdog_poll: the watchdog sees only what lasts from one poll to the next");
    };
    at_least_poll("watchdog_detection", pfc.watchdog_detection);
    at_least_poll("watchdog_restoration", pfc.watchdog_restoration);
  }

  const ScenarioSpec& s_;
  const TransportSpec& t_;
  Complaints& complaints_;
};

}  // namespace

void check_packets(const ScenarioSpec& scenario, Complaints& complaints) {
  PacketChecker checker(scenario, complaints);
  checker.keys();
  checker.transports();
  checker.controls();
}

}  // namespace railyard
