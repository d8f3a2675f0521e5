#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "plan/headroom.h"
#include "tools/settings/sections.h"

namespace railyard {

namespace {

const Origin kUsualMarks{Status::published, "NVIDIA, Cumulus Linux RoCE: DSCP 26 and priority 3 for RoCE, 48 and 6 for CNPs"};
const Origin kBroadcomMarks{Status::published, "Broadcom's driver: RoCE DSCP 26 priority 3, CNP DSCP 48 priority 7"};
const Origin kAmdMarks{Status::published, "AMD's guide for its NICs: data DSCP 24 priority 3, CNP DSCP 46 priority 6"};

const Origin& vendor_origin(NicVendor vendor) {
  return vendor == NicVendor::amd ? kAmdMarks : vendor == NicVendor::broadcom ? kBroadcomMarks : kUsualMarks;
}

std::string way_of(const Mark& mark) { return fmt::format("DSCP {} → {}", mark.dscp, mark.priority); }

std::string bits_text(std::uint8_t bits) {
  std::vector<int> set;
  for (int i = 0; i < static_cast<int>(kPriorities); i++)
    if ((bits >> i & 1) != 0) set.push_back(i);
  return fmt::format("{}", fmt::join(set, ", "));
}

}  // namespace

Origin origin_of(const Scenario& scenario, const std::string& key, Origin otherwise) {
  const auto found =
      std::find_if(scenario.inputs.begin(), scenario.inputs.end(), [&](const Input& input) { return input.key == key; });
  if (found != scenario.inputs.end()) return found->origin;
  return scenario.keys.given(key) ? Origin{Status::given, "scenario"} : std::move(otherwise);
}

Picoseconds idle_round_trip(const Scenario& scenario, const SettingsBase& base) {
  const FabricPlan& fabric = scenario.fabric;
  const std::int64_t switches = longest_way(base.switches);
  const Picoseconds hosts = (fabric.host_latency + fabric.link_delay) * 2;
  const std::int64_t above_leaves = std::clamp<std::int64_t>(switches - 1, 0, 2), above_spines = switches - 1 - above_leaves;
  const Picoseconds haul = fabric.haul_links ? fabric.switch_latency + fabric.delay_above_spines() : Picoseconds::zero();
  return (hosts + fabric.switch_latency * switches + fabric.delay_above_leaves() * above_leaves +
          fabric.delay_above_spines() * above_spines + haul) *
         2;
}

SettingSection marks_section(const Scenario& scenario, const SettingsBase& base) {
  const Marks& marks = base.marks;
  SettingSection section{"Marks and queues", {}};
  section.note =
      "The number after the arrow is the traffic class, its queue, its priority group and its PFC priority, on every device.";
  section.rows.push_back({"trust",
                          "DSCP",
                          "PCP is lost where frames are not tagged and on every routed hop",
                          {Status::published, "Cumulus Linux and NVIDIA's NICs: trust DSCP for RoCE over routed networks"}});
  section.rows.push_back({"data", way_of(marks.data),
                          scenario.transport.kind == TransportKind::tcp
                              ? "TCP of collectives is not marked"
                              : "one class from the NIC to the NIC, alone in its queue",
                          vendor_origin(marks.vendor)});
  if (marks.has_cnp) {
    const ClassPlan& control = scenario.packet.classes[kControlClass];
    section.rows.push_back({"CNPs", way_of(marks.cnp) + (control.strict ? ", strict" : ", by weight"),
                            "a CNP that waits behind what it should slow down is late; it is small and never lossless",
                            vendor_origin(marks.vendor)});
  }
  if (marks.has_storage)
    section.rows.push_back({"storage", way_of(marks.storage), "bulk traffic in a queue of its own",
                            origin_of(scenario, "transport.classes.storage_priority", {Status::assumed, "class selector"})});
  section.rows.push_back({"all else",
                          "traffic class 0, lossy",
                          "what nobody marked must not pause anybody",
                          {Status::published, "Cumulus Linux, RoCE: the default class is lossy"}});
  return section;
}

SettingSection pause_section(const Scenario& scenario, const SettingsBase& base) {
  const PacketPlan& plan = scenario.packet;
  const BufferPlan& buffer = plan.buffer;
  SettingSection section{"PFC and buffers", {}};
  if (base.marks.lossless == 0) {
    section.rows.push_back({"PFC", "off", "this transport sends again what is lost",
                            origin_of(scenario, "transport.pfc.enabled", {Status::assumed, "the transport's own"})});
    return section;
  }
  section.rows.push_back({"PFC priorities", bits_text(base.marks.lossless),
                          "forced on both ends, not negotiated; every further priority takes as much headroom again",
                          origin_of(scenario, "transport.pfc.priorities",
                                    {Status::published, "NVIDIA, Cumulus Linux RoCE: PFC on priority 3 alone"})});
  section.rows.push_back({"headroom", "by port, below", "what still arrives after the pause: cable, response, frames under way",
                          origin_of(scenario, "transport.pfc.headroom", {Status::estimated, "docs/models.md, headroom"})});
  if (buffer.xoff) {
    section.rows.push_back(
        {"xoff, xon", fmt::format("{}, {}", format(*buffer.xoff), format(buffer.xon.value_or(Bytes::zero()))),
         "fixed: pause above the one, resume below the other", origin_of(scenario, "transport.pfc.xoff", {})});
  } else {
    section.rows.push_back({"alpha", fmt::format("{} (dynamic_th {})", buffer.alpha, std::llround(std::log2(buffer.alpha))),
                            "pause above this share of what is free",
                            origin_of(scenario, "transport.pfc.alpha", {Status::published, "HPCC's model of a switch"})});
    section.rows.push_back({"xon offset", format_exact(buffer.xon_offset), "resume this far below the threshold",
                            origin_of(scenario, "transport.pfc.xon_offset", {Status::published, "HPCC's model of a switch"})});
  }
  section.rows.push_back({"reserve", format_exact(buffer.reserve), "of every port and class, before anything is shared",
                          origin_of(scenario, "transport.pfc.reserve", {})});
  const auto dog = [&](const char* name, std::string value, const char* reason) {
    section.rows.push_back({std::string("watchdog ") + name, std::move(value), reason,
                            origin_of(scenario, std::string("transport.pfc.watchdog_") + name,
                                      {Status::published, "SONiC, pfcwd start_default"})});
  };
  dog("detection", format(plan.pfc.detection), "a NIC that pauses for ever stops all that lead to it");
  dog("restoration", format(plan.pfc.restoration), "without pauses, until a queue counts as well again");
  dog("poll", format(plan.pfc.poll), "no longer than detection; on EOS half of it");
  dog("action", plan.pfc.watchdog_forwards ? "forward" : "drop", "only dropping breaks a storm");
  section.rows.push_back({"port MTU", fmt::format("{} B", plan.headroom.port_mtu.count()),
                          "a RoCE packet and its headers fit on every hop",
                          origin_of(scenario, "fabric.port_mtu", {Status::assumed, "the largest frame of most switches"})});
  return section;
}

SettingSection ecn_section(const Scenario& scenario, const SettingsBase& base) {
  const EcnPlan& ecn = scenario.packet.ecn;
  SettingSection section{"ECN", {}};
  if (!ecn.enabled) {
    section.rows.push_back({"ECN", "off", ecn.read ? "the scenario sets it off" : "nobody reacts to marks",
                            origin_of(scenario, "transport.ecn.enabled", {Status::assumed, "the transport's own"})});
    return section;
  }
  const auto row = [&](const char* name, std::string value, const char* reason) {
    section.rows.push_back({name, std::move(value), reason, origin_of(scenario, std::string("transport.ecn.") + name, {})});
  };
  row("kmin", format_exact(ecn.kmin), "no packet is marked below it: the length of a queue that a busy port may have");
  row("kmax", format_exact(ecn.kmax), "every packet is marked above it");
  row("pmax", fmt::format("{} %", ecn.pmax * 100), "probability of a mark at kmax; grows linearly from kmin");
  const BitsPerSecond rate = scenario.fabric.link_rate;
  if (rate == BitsPerSecond::zero() || base.switches.empty()) return section;
  const Picoseconds trip = idle_round_trip(scenario, base);
  const Bytes flight = bytes_in(trip, rate);
  section.note = fmt::format(
      "rate × round trip = {} × {} = {}: kmin is {:.1f} times that; a rule of thumb (RFC 8257: K > C × RTT / 7) "
      "asks for {} at least.",
      format(rate), format(trip), format(flight),
      static_cast<double>(ecn.kmin.count()) / std::max(1.0, static_cast<double>(flight.count())), format(flight / 7));
  if (base.marks.lossless == 0) return section;
  for (const SwitchClass& tier : base.switches) {
    const Bytes limit = pause_threshold(scenario, base.marks, tier);
    section.note +=
        fmt::format(" A {} pauses a port that is congested alone at {}, {} kmax.", name_of(tier.role), format(limit),
                    limit > ecn.kmax   ? "above"
                    : limit > ecn.kmin ? "below"
                                       : "below kmin and");
  }
  if (!scenario.packet.buffer.xoff)
    section.note +=
        " That is alpha / (1 + alpha) of what is shared (dynamic thresholds, Choudhury and Hahne 1998); more congested "
        "ports get less each.";
  return section;
}

SettingSection hash_section(const Scenario& scenario, const SettingsBase& base) {
  const RoutingPlan& routing = scenario.routing;
  SettingSection section{"Hash", {}};
  const bool by_qpn = routing.hash_fields == HashFields::qpn || routing.policy == RoutingPolicy::enhanced_ecmp;
  section.rows.push_back(
      {"fields", by_qpn ? "five-tuple, queue pair" : "five-tuple",
       "of two hosts, queue pairs differ in the UDP source port and in the number in the BTH",
       origin_of(scenario, "routing.hash_fields", {Status::published, "five-tuple, the default of switches"})});
  std::string seeds;
  for (std::size_t i = 0; i < base.switches.size() && i < routing.seeds.size(); i++)
    seeds += fmt::format("{}{} {}", i == 0 ? "" : ", ", name_of(base.switches[i].role), routing.seeds[i]);
  section.rows.push_back({"seeds", seeds, "tiers that hash alike send all of a leaf's flows over few spines",
                          origin_of(scenario, "routing.seeds", {Status::published, "SONiC's seeds of ToR, leaf and spine"})});
  section.rows.push_back({"paths", std::string(name_of(routing.policy)), "how packets of a flow find their path",
                          origin_of(scenario, "routing.policy", {})});
  return section;
}

}  // namespace railyard
