#include "tools/settings/recommend.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "fabric/build.h"
#include "plan/headroom.h"

namespace railyard {

namespace {

std::uint8_t bit_for(std::uint8_t priority) { return static_cast<std::uint8_t>(1U << priority); }

/// Weights in per cent, of the classes that are served by weight.
struct Shares {
  std::uint32_t data = 0, background = 0, storage = 0, control = 0;
};

Shares shares_of(const PacketPlan& plan, const Marks& marks) {
  const bool own_storage = marks.has_storage && marks.storage.priority != marks.data.priority && marks.storage.priority != 0;
  const ClassPlan& control = plan.classes[kControlClass];
  const double data = plan.classes[kDataClass].weight, background = plan.classes[kBackgroundClass].weight;
  const double storage = own_storage ? plan.classes[kStorageClass].weight : 0;
  const double cnp = marks.has_cnp && !control.strict ? control.weight : 0;
  const double all = std::max(1.0, data + background + storage + cnp);
  const auto share = [&](double weight) { return static_cast<std::uint32_t>(std::floor(100 * weight / all)); };
  Shares shares{share(data), share(background), share(storage), share(cnp)};
  shares.data += 100 - shares.data - shares.background - shares.storage - shares.control;
  return shares;
}

/// What all ports of all devices do, before the switch or the NIC adds its own.
QosPolicy common_policy(const Scenario& scenario, const Marks& marks) {
  const PacketPlan& plan = scenario.packet;
  QosPolicy policy;
  policy.trust = Trust::dscp;
  if (marks.has_background) policy.class_of_dscp[marks.background.dscp] = marks.background.priority;
  if (marks.has_storage) policy.class_of_dscp[marks.storage.dscp] = marks.storage.priority;
  policy.class_of_dscp[marks.data.dscp] = marks.data.priority;
  if (marks.has_cnp) policy.class_of_dscp[marks.cnp.dscp] = marks.cnp.priority;
  policy.pfc = marks.lossless;
  const Shares shares = shares_of(plan, marks);
  policy.queues[0].weight = shares.background;
  if (marks.has_storage && shares.storage > 0) policy.queues[marks.storage.priority].weight = shares.storage;
  policy.queues[marks.data.priority].weight = shares.data;
  if (!marks.has_cnp) return policy;
  policy.queues[marks.cnp.priority].strict = plan.classes[kControlClass].strict;
  policy.queues[marks.cnp.priority].weight = shares.control;
  return policy;
}

WatchdogPolicy watchdog_of(const PfcPlan& pfc, Dialect dialect) {
  WatchdogPolicy dog{true, pfc.detection, pfc.restoration, pfc.poll,
                     pfc.watchdog_forwards ? StormAction::forward : StormAction::drop};
  // EOS wants two polls within either time.
  if (dialect == Dialect::eos) dog.poll = std::min(pfc.poll, std::min(pfc.detection, pfc.restoration) / 2);
  return dog;
}

GroupPolicy group_of(const PacketPlan& plan, const PortGroup& port) {
  const BufferPlan& buffer = plan.buffer;
  GroupPolicy group;
  group.has_buffer = true;
  group.reserve = buffer.reserve;
  group.headroom = headroom_of(plan, port.rate, port.delay);
  if (buffer.xoff) {
    group.xoff = buffer.xoff;
    group.xon = buffer.xon;
  } else {
    group.xon = Bytes::zero();  // the offset alone decides
    group.xon_offset = buffer.xon_offset;
    group.alpha = buffer.alpha;
  }
  return group;
}

/// Thresholds in bytes; for Junos in per cent of what one queue may take, to the nearest whole one.
EcnPolicy ecn_of(const EcnPlan& plan, Dialect dialect, Bytes most) {
  EcnPolicy ecn{{ThresholdUnit::bytes, static_cast<double>(plan.kmin.count())},
                {ThresholdUnit::bytes, static_cast<double>(plan.kmax.count())},
                plan.pmax,
                true};
  if (dialect != Dialect::junos) return ecn;
  const auto percent = [&](Bytes threshold) {
    const double exact = 100.0 * static_cast<double>(threshold.count()) / std::max(1.0, static_cast<double>(most.count()));
    return Threshold{ThresholdUnit::percent, std::clamp(std::round(exact), 1.0, 100.0)};
  };
  ecn.kmin = percent(plan.kmin);
  ecn.kmax = percent(plan.kmax);
  return ecn;
}

HashConfig hash_of(const RoutingPlan& routing, Role role) {
  HashConfig hash;
  hash.fields = {"src-ip", "dst-ip", "protocol", "src-port", "dst-port"};
  if (routing.hash_fields == HashFields::qpn || routing.policy == RoutingPolicy::enhanced_ecmp) hash.fields.emplace_back("qpn");
  const std::size_t tier = role == Role::leaf ? 0 : role == Role::spine ? 1 : 2;
  if (tier < routing.seeds.size()) hash.seed = routing.seeds[tier];
  hash.dynamic = routing.policy == RoutingPolicy::flowlet || routing.policy == RoutingPolicy::adaptive ||
                 routing.policy == RoutingPolicy::spray;
  return hash;
}

Device switch_device(const Scenario& scenario, const SettingsBase& base, const SwitchClass& tier, Dialect dialect) {
  const Marks& marks = base.marks;
  const PacketPlan& plan = scenario.packet;
  Device device;
  device.name = std::string(name_of(tier.role));
  device.dialect = dialect;
  device.role = tier.role;
  device.hash = hash_of(scenario.routing, tier.role);
  if (dialect == Dialect::junos) device.buffer = {{}, {}, 66.0, 24.0, 10.0, {}};
  if (dialect == Dialect::nvue && marks.lossless != 0) device.buffer = {{}, {}, 50.0, {}, 50.0, {}};
  PortNames names(dialect, base.cages, tier.port_count());
  for (const PortGroup& group : tier.ports) {
    QosPolicy policy = common_policy(scenario, marks);
    policy.name = fmt::format("{} {}", group.up ? "up" : "down", device.name);
    if (plan.ecn.enabled) {
      const EcnPolicy ecn = ecn_of(plan.ecn, dialect, pause_threshold(scenario, marks, tier));
      policy.queues[marks.data.priority].ecn = ecn;
      if (marks.has_background) policy.queues[marks.background.priority].ecn = ecn;
      if (marks.has_storage) policy.queues[marks.storage.priority].ecn = ecn;
    }
    for (std::uint8_t p = 0; p < kPriorities; p++)
      if (policy.has_pfc(p)) policy.groups[p] = group_of(plan, group);
    if (marks.lossless != 0) policy.watchdog = watchdog_of(plan.pfc, dialect);
    if (marks.lossless != 0) policy.watched = marks.lossless;
    for (std::uint32_t i = 0; i < group.count; i++) {
      PortConfig& port = device.ports.emplace_back();
      port.name = names.next(group.rate);
      port.policy = static_cast<std::uint32_t>(device.policies.size());
      port.speed = group.rate;
      port.cable = cable_of(group.delay);
      port.mtu = plan.headroom.port_mtu;
    }
    device.policies.push_back(std::move(policy));
  }
  return device;
}

/// The MTU of an interface that an RDMA MTU of this size needs.
Bytes interface_mtu(Bytes packet) {
  if (packet <= 1024_B) return 1500_B;
  if (packet <= 2048_B) return 2200_B;
  return packet <= 4096_B ? 4200_B : 9000_B;
}

/// What the scenario gives of DCQCN, in the units of NicConfig::dcqcn; what it leaves open stays as the NIC has it.
std::map<std::string, std::int64_t, std::less<>> given_dcqcn(const Scenario& scenario) {
  const DcqcnPlan& d = scenario.packet.dcqcn;
  const auto us = [](Picoseconds time) { return time / 1_us; };
  const auto mbps = [](BitsPerSecond rate) { return rate / 1_Mbps; };
  const std::pair<const char*, std::int64_t> all[] = {{"clamp_tgt_rate", d.clamp_tgt_rate},
                                                      {"clamp_tgt_rate_after_time_inc", d.clamp_tgt_rate_after_time_inc},
                                                      {"rpg_time_reset", us(d.rpg_time_reset)},
                                                      {"rpg_byte_reset", d.rpg_byte_reset.count()},
                                                      {"rpg_threshold", d.rpg_threshold},
                                                      {"rpg_max_rate", mbps(d.rpg_max_rate)},
                                                      {"rpg_min_rate", mbps(d.rpg_min_rate)},
                                                      {"rpg_ai_rate", mbps(d.rpg_ai_rate)},
                                                      {"rpg_hai_rate", mbps(d.rpg_hai_rate)},
                                                      {"rpg_gd", d.rpg_gd},
                                                      {"rpg_min_dec_fac", d.rpg_min_dec_fac},
                                                      {"rate_to_set_on_first_cnp", mbps(d.rate_to_set_on_first_cnp)},
                                                      {"dce_tcp_g", d.dce_tcp_g},
                                                      {"dce_tcp_rtt", us(d.dce_tcp_rtt)},
                                                      {"rate_reduce_monitor_period", us(d.rate_reduce_monitor_period)},
                                                      {"initial_alpha_value", d.initial_alpha_value},
                                                      {"min_time_between_cnps", us(d.min_time_between_cnps)}};
  std::map<std::string, std::int64_t, std::less<>> out;
  for (const auto& [name, value] : all)
    if (scenario.keys.given(std::string("transport.dcqcn.") + name)) out.emplace(name, value);
  return out;
}

Device host_device(const Scenario& scenario, const Marks& marks, Dialect dialect) {
  const FabricPlan& fabric = scenario.fabric;
  Device device;
  device.name = "host";
  device.kind = DeviceKind::host;
  device.dialect = dialect;
  device.role = Role::host;
  QosPolicy policy = common_policy(scenario, marks);
  policy.name = "host";
  if (dialect == Dialect::mlnx) {  // its NICs start with a map by eight; what it leads to elsewhere is not used
    policy.class_of_dscp = classes_by_eight();
    policy.class_of_dscp[marks.data.dscp] = marks.data.priority;
    if (marks.has_cnp) policy.class_of_dscp[marks.cnp.dscp] = marks.cnp.priority;
  }
  for (std::uint8_t p = 0; p < kPriorities; p++) policy.groups[p].has_buffer = policy.has_pfc(p);
  device.policies = {policy};
  const std::uint32_t nics = fabric.interfaces_per_node * fabric.ports + fabric.host_nics;
  for (std::uint32_t i = 0; i < nics; i++) {
    NicConfig& nic = device.nics.emplace_back();
    nic.name = nic_port_name(dialect, i);
    nic.netdev = fmt::format("eth{}", i);
    nic.traffic_class = nic.cma_tos = marks.tos;
    if (marks.has_cnp) nic.cnp_dscp = marks.cnp.dscp;
    if (marks.has_cnp) nic.cnp_priority = marks.cnp.priority;
    if (marks.has_cnp) nic.ecn_np = nic.ecn_rp = bit_for(marks.data.priority);
    if (marks.has_cnp) nic.dcqcn = given_dcqcn(scenario);
    nic.dcbx_willing = nic.dcbx_firmware = false;
    nic.relaxed_ordering = true;
    nic.mtu = interface_mtu(scenario.transport.mtu);
    nic.speed = fabric.link_rate;
  }
  return device;
}

Device job_device(const Scenario& scenario, const SettingsBase& base) {
  const RoutingPlan& routing = scenario.routing;
  Device device;
  device.name = "job";
  device.kind = DeviceKind::job;
  device.dialect = Dialect::environment;
  const auto set = [&](const char* name, std::string value) { device.environment[name].value = std::move(value); };
  const TransportKind kind = scenario.transport.kind;
  if (kind == TransportKind::roce || kind == TransportKind::uec) {
    set("NCCL_IB_TC", std::to_string(base.marks.tos));
    set("NCCL_IB_GID_INDEX", base.marks.vendor == NicVendor::amd ? "1" : "3");
  }
  if (kind == TransportKind::infiniband) set("NCCL_IB_SL", "0");
  if (kind != TransportKind::tcp && kind != TransportKind::srd) {
    const bool per_packet = routing.policy == RoutingPolicy::adaptive || routing.policy == RoutingPolicy::spray;
    set("NCCL_IB_QPS_PER_CONNECTION", std::to_string(routing.qps_per_connection));
    set("NCCL_IB_SPLIT_DATA_ON_QPS", routing.qps_per_connection > 1 && routing.qp_use == QpUse::split ? "1" : "0");
    set("NCCL_IB_ADAPTIVE_ROUTING", per_packet ? "1" : "0");
  }
  if (base.rails > 1) set("NCCL_PXN_DISABLE", "0");
  return device;
}

}  // namespace

Dialect dialect_of(NicVendor vendor) {
  constexpr Dialect kTools[] = {Dialect::mlnx, Dialect::niccli, Dialect::nicctl};
  return kTools[static_cast<std::size_t>(vendor)];
}

Result<SettingsBase> settings_base(const Scenario& scenario, const Catalog& catalog) {
  const Result<Fabric> fabric = build_fabric(scenario.fabric, scenario.keys);
  if (!fabric) return fabric.error();
  Cages cages;
  if (const Entry<SwitchFact>* const box = catalog.switches.find(scenario.fabric.switch_model))
    cages = {box->fact.ports, box->fact.port_rate};
  return SettingsBase{marks_of(scenario, catalog), switch_classes(*fabric), cages, fabric->rails};
}

Estate recommended_estate(const Scenario& scenario, const SettingsBase& base, const SettingsDialects& dialects) {
  Estate estate;
  if (is_over_ethernet(scenario)) {
    for (const SwitchClass& tier : base.switches)
      estate.devices.push_back(switch_device(scenario, base, tier, dialects.switches));
    if (scenario.transport.kind != TransportKind::tcp)
      estate.devices.push_back(host_device(scenario, base.marks, dialects.nics.value_or(dialect_of(base.marks.vendor))));
  }
  estate.devices.push_back(job_device(scenario, base));
  return estate;
}

Result<Estate> recommended_estate(const Scenario& scenario, const Catalog& catalog, const SettingsDialects& dialects) {
  const Result<SettingsBase> base = settings_base(scenario, catalog);
  if (!base) return base.error();
  return recommended_estate(scenario, *base, dialects);
}

Bytes set_aside_by(const Scenario& scenario, const Marks& marks, const SwitchClass& switches) {
  const PacketPlan& plan = scenario.packet;
  const auto lossless = static_cast<std::int64_t>(std::popcount(static_cast<unsigned>(marks.lossless)));
  const auto counted = std::count_if(plan.classes.begin(), plan.classes.end(), [](const ClassPlan& c) { return c.counted; });
  Bytes all;
  for (const PortGroup& group : switches.ports)
    all += (headroom_of(plan, group.rate, group.delay) * lossless + plan.buffer.reserve * counted) * group.count;
  return all;
}

Bytes pause_threshold(const Scenario& scenario, const Marks& marks, const SwitchClass& switches) {
  const BufferPlan& buffer = scenario.packet.buffer;
  if (buffer.xoff) return *buffer.xoff;
  const Bytes shared = std::max(Bytes::zero(), buffer.size - set_aside_by(scenario, marks, switches));
  return Bytes(static_cast<std::int64_t>(static_cast<double>(shared.count()) * buffer.alpha / (1 + buffer.alpha)));
}

}  // namespace railyard
