#include "scenario/plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace railyard {

namespace {

constexpr Millimetres kUsualCable = 30_m;
constexpr std::int64_t kWaysOfAPort = 8;  // a cage has eight lanes: slower links do not split it further

class Planner {
 public:
  Planner(Scenario& scenario, const Catalog& catalog, Complaints& complaints)
      : s_(scenario),
        plan_(scenario.plan),
        complaints_(complaints),
        nic_(catalog.nics.find(scenario.cluster.nic)),
        switch_(catalog.switches.find(scenario.fabric.switch_model)) {}

  void run() {
    endpoints();
    rates();
    delays();
    radix();
    if (!s_.fabric.oversubscription.empty()) plan_.oversubscription = s_.fabric.oversubscription.front();
    defaults();
  }

 private:
  /// The first origin that has a value wins. `key` is the scenario key a user would set to override it.
  template<class Q, class Fact>
  bool settle(const std::string& key, Q& out, const std::optional<Q>& given, const Entry<Fact>* entry,
              const std::optional<Q>& known, const std::string& fact_key) {
    if (given)
      note(key, format_exact(out = *given), {Status::given, "scenario"});
    else if (entry && known)
      note(key, format_exact(out = *known),
           {entry->origin_of(fact_key).status, entry->name + ": " + entry->origin_of(fact_key).source});
    else
      return false;
    return true;
  }

  void note(const std::string& key, std::string value, Origin origin) {
    s_.inputs.push_back({key, std::move(value), std::move(origin)});
  }

  void missing(const std::string& key, const std::string& hint) {
    if (s_.given("fabric." + key) || (s_.given("cluster.nic") && !nic_) || (s_.given("fabric.switch") && !switch_))
      return;  // there, or would have been, and already refused
    complaints_.error("RY-SCN-015", s_.where("fabric"), fmt::format("the key '{}' is missing", key), hint);
  }

  void endpoints() {
    const ClusterSpec& c = s_.cluster;
    std::uint32_t gpus = c.gpus.value_or(0);
    if (gpus == 0 && s_.collective) gpus = s_.collective->group.value_or(0);
    if (gpus == 0 && s_.traffic) gpus = s_.traffic->hosts.value_or(0);
    const std::uint32_t per_node = c.gpus_per_node.value_or(1);
    const std::uint64_t nics = std::uint64_t{gpus / per_node} * c.nics_per_node.value_or(per_node);
    constexpr std::uint64_t kMost = 2'000'000;
    if (nics > kMost)
      complaints_.error("RY-SCN-049",
                        s_.where(c.gpus          ? "cluster.gpus"
                                 : s_.collective ? "collective.group"
                                                 : "traffic.hosts"),
                        fmt::format("{} NICs are more than can be simulated", nics), fmt::format("use at most {}", kMost));
    plan_.endpoints = static_cast<std::uint32_t>(std::min(nics, kMost));
  }

  void rates() {
    const bool one_port = nic_ && nic_->fact.ethernet_rate && s_.transport.kind != TransportKind::infiniband;
    std::optional<BitsPerSecond> nic_rate;
    if (nic_) nic_rate = one_port ? *nic_->fact.ethernet_rate : nic_->fact.rate;
    if (!settle("fabric.link_rate", plan_.link_rate, s_.fabric.link_rate, nic_, nic_rate, one_port ? "ethernet_rate" : "rate"))
      missing("link_rate", "add nic = \"ConnectX-7\" or the like to [cluster], or link_rate = \"400 Gb/s\" to [fabric]");
    plan_.uplink_rate = s_.fabric.uplink_rate.value_or(plan_.link_rate);
    if (s_.fabric.uplink_rate) note("fabric.uplink_rate", format_exact(plan_.uplink_rate), {Status::given, "scenario"});
    if (nic_ && plan_.link_rate > nic_rate.value_or(BitsPerSecond::max()))
      complaints_.error("RY-SCN-050", s_.where("fabric.link_rate"),
                        fmt::format("link_rate = \"{}\" is more than {} has ({})", format(plan_.link_rate), nic_->name,
                                    format(nic_rate.value_or(plan_.link_rate))),
                        "use a faster NIC or a slower link");
    check_port(s_.given("fabric.link_rate") ? "fabric.link_rate" : "fabric.switch", plan_.link_rate);
    if (s_.fabric.uplink_rate) check_port("fabric.uplink_rate", plan_.uplink_rate);
  }

  void check_port(const std::string& key, BitsPerSecond rate) {
    if (!switch_ || rate <= switch_->fact.port_rate) return;
    complaints_.error(
        "RY-SCN-051", s_.where(key),
        fmt::format("{} has no port of {} (its fastest is {})", switch_->name, format(rate), format(switch_->fact.port_rate)),
        "use a faster switch or a slower link");
  }

  void delays() {
    if (s_.fabric.link_delay) {
      note("fabric.link_delay", format_exact(plan_.link_delay = *s_.fabric.link_delay), {Status::given, "scenario"});
    } else {
      const Origin origin =
          s_.fabric.cable ? Origin{Status::given, "scenario"} : Origin{Status::assumed, "a usual cable in a hall"};
      note("fabric.cable", format_exact(s_.fabric.cable.value_or(kUsualCable)), origin);
      plan_.link_delay = propagation_time(s_.fabric.cable.value_or(kUsualCable));
    }
    const auto switch_latency = switch_ ? switch_->fact.latency : std::nullopt;
    if (!settle("fabric.switch_latency", plan_.switch_latency, s_.fabric.switch_latency, switch_, switch_latency, "latency"))
      missing("switch_latency", "add switch = \"Tomahawk-5\" or the like, or switch_latency = \"900 ns\" to [fabric]");
    const auto host_latency = nic_ ? nic_->fact.latency : std::nullopt;
    if (!settle("fabric.host_latency", plan_.host_latency, s_.fabric.host_latency, nic_, host_latency, "latency"))
      note("fabric.host_latency", format_exact(Picoseconds::zero()),
           {Status::assumed, "no NIC is named: its delay is left out"});
  }

  void radix() {
    if (s_.fabric.radix) {
      plan_.radix = s_.fabric.radix;
      note("fabric.radix", std::to_string(*plan_.radix), {Status::given, "scenario"});
    } else if (switch_ && plan_.link_rate > BitsPerSecond::zero()) {
      const std::int64_t by_capacity = switch_->fact.capacity / std::min(plan_.link_rate, switch_->fact.port_rate);
      plan_.radix = static_cast<std::uint32_t>(std::min(by_capacity, std::int64_t{switch_->fact.ports} * kWaysOfAPort));
      const Origin& origin = switch_->origin_of("capacity");
      note("fabric.radix", std::to_string(*plan_.radix),
           {origin.status, fmt::format("{}: {} / {}, at most {} links a port", switch_->name, format(switch_->fact.capacity),
                                       format(plan_.link_rate), kWaysOfAPort)});
    }
  }

  /// Choices that shape every result and that people rarely write down.
  void defaults() {
    const auto choice = [&](const std::string& key, std::string value, Origin otherwise) {
      note(key, std::move(value), s_.given(key) ? Origin{Status::given, "scenario"} : std::move(otherwise));
    };
    if (s_.fabric.topology != Topology::star)
      choice("fabric.oversubscription", fmt::format("{}", plan_.oversubscription),
             {Status::assumed, "as much bandwidth up as down"});
    choice("fabric.switching", std::string(name_of(s_.fabric.switching)), {Status::assumed, "usual for switches of this kind"});
    choice("transport.mtu", format_exact(s_.transport.mtu), {Status::assumed, "the largest RDMA MTU"});
    if (s_.transport.kind == TransportKind::roce)
      choice("transport.header", format_exact(s_.transport.packet_overhead()),
             {Status::published,
              "RoCEv2 over IPv4: Ethernet, IP, UDP, BTH, iCRC, preamble and gap (InfiniBand annex A17, IEEE 802.3)"});
    if (s_.transport.kind == TransportKind::roce)
      choice("transport.message_header", format_exact(s_.transport.message_overhead()),
             s_.transport.header ? Origin{Status::given, "none beside a given header"}
                                 : Origin{Status::published, "RETH of an RDMA WRITE (InfiniBand annex A17)"});
    if (s_.fabric.topology == Topology::star && !plan_.radix)
      note("fabric.radix", std::to_string(plan_.endpoints),
           {Status::assumed, "no switch is named: one with a port for every host"});
  }

  Scenario& s_;
  FabricPlan& plan_;
  Complaints& complaints_;
  const Entry<NicFact>* nic_;
  const Entry<SwitchFact>* switch_;
};

}  // namespace

void make_plan(Scenario& scenario, const Catalog& catalog, Complaints& complaints) {
  Planner(scenario, catalog, complaints).run();
}

}  // namespace railyard
