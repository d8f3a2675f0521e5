#include "scenario/resolve/resolve_qos.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "plan/qos_plan.h"
#include "scenario/check/check_qos.h"
#include "scenario/resolve/estate_policies.h"
#include "scenario/resolve/resolve_control.h"
#include "scenario/resolve/resolve_forwarding.h"
#include "scenario/resolve/resolve_host_dcqcn.h"

namespace railyard {

namespace {

constexpr std::uint8_t kDataMark = 26;  // AF31, as operators mark RoCE

void put(const std::map<std::uint32_t, std::uint32_t>& entries, auto& map) {
  for (const auto& [from, to] : entries) map[from] = static_cast<std::uint8_t>(to);
}

template<class T>
void put(const std::optional<T>& given, T& out) {
  if (given) out = *given;
}
template<class T>
void put(const std::optional<T>& given, std::optional<T>& out) {
  if (given) out = given;
}

/// A row changes what it gives; a queue that did not mark starts from zero.
void put(const EcnTable::Row& row, std::optional<EcnPolicy>& ecn) {
  if (row.off) return ecn.reset();
  EcnPolicy policy = ecn.value_or(EcnPolicy{});
  put(row.kmin, policy.kmin);
  put(row.kmax, policy.kmax);
  put(row.pmax, policy.pmax);
  ecn = policy;
}

class QosResolver {
 public:
  QosResolver(const ScenarioSpec& spec, Scenario& out, Complaints& complaints)
      : s_(spec),
        q_(spec.qos),
        read_(estate_policies(spec.qos.estate)),
        out_(out),
        plan_(out.packet),
        complaints_(complaints) {}

  void run() {
    const QosPolicy usual = default_policy(plan_, lossless());
    const TrafficMarks usual_marks = marks({});
    QosMarks given = q_.marks;
    if (!given.data && read_.data_mark) given.data = *read_.data_mark;
    if (!given.cnp && read_.cnp_mark) given.cnp = *read_.cnp_mark;
    plan_.qos.marks = marks(given);
    own_marks();
    check_policy(s_, with_table(usual, q_.all), q_.all, complaints_);
    for (std::size_t tier = 0; tier < kDeviceTiers; tier++) {
      const QosPolicy policy = of_tier(read_.tiers[tier].value_or(usual), tier);
      check_policy(s_, policy, q_.tiers[tier], complaints_);
      plan_.qos.of_tier[tier] = profile_of(policy, cable_of(tier, read_.cables[tier]));
    }
    add_read_devices();
    for (const QosSpec::Single& device : q_.devices) add(device, usual);
    own_mtus();
    resolve_host_dcqcn(s_, read_, out_, complaints_);
    check_device_plan(s_, out_, complaints_);
    const DeviceQos unchanged = device_qos(usual, usual_marks, plan_, base());
    const bool is_usual = plan_.qos.profiles.size() == 1 && plan_.qos.profiles.front() == unchanged;
    if (is_usual && plan_.qos.own_marks.empty() && plan_.qos.own_cnp_marks.empty())
      forget_profiles();
    else
      tell_plan();
  }

 private:
  [[nodiscard]] std::uint8_t lossless() const {
    std::uint8_t bits = 0;
    for (const std::uint32_t priority : s_.transport.pfc.priorities)
      if (plan_.pfc.enabled) bits |= static_cast<std::uint8_t>(1U << priority);
    return bits;
  }

  [[nodiscard]] bool stores() const { return s_.traffic && s_.traffic->storage; }
  [[nodiscard]] bool has_background() const {
    return s_.job || (s_.traffic && s_.traffic->background > 0) || s_.transport.strict_priority != StrictPriority::none;
  }

  /// As given; else by priority, eight to each.
  [[nodiscard]] TrafficMarks marks(const QosMarks& given) const {
    const auto mark = [&](const std::optional<std::uint32_t>& own, std::uint8_t c) {
      const std::uint32_t priority = plan_.classes[c].priority;
      const bool usual = c == kDataClass && priority == kDataMark / kPriorities;
      return static_cast<std::uint8_t>(own.value_or(usual ? kDataMark : priority * kPriorities));
    };
    TrafficMarks all = {mark(given.cnp, kControlClass), mark(given.data, kDataClass), mark(given.background, kBackgroundClass),
                        std::nullopt};
    if (stores()) all[kStorageClass] = mark(given.storage, kStorageClass);
    return all;
  }

  /// What is marked otherwise is a class of its own: one that no other traffic has. CNPs may have the mark of any class.
  void own_marks() {
    std::vector<std::uint8_t> free;
    if (!has_background()) free.push_back(kBackgroundClass);
    if (!stores()) free.push_back(kStorageClass);
    std::map<std::uint32_t, std::uint8_t> class_of_mark = {{*plan_.qos.marks[kDataClass], kDataClass}};
    const auto add = [&](const std::map<std::uint32_t, HostMark>& hosts, std::string_view what, std::uint8_t usual,
                         std::vector<QosPlan::OwnMark>& out) {
      for (const auto& [host, mark] : hosts) {
        if (!class_of_mark.contains(mark.dscp)) {
          if (free.empty()) return too_many_marks(host, what, mark);
          class_of_mark[mark.dscp] = free.back();
          plan_.qos.marks[free.back()] = mark.dscp;
          free.pop_back();
        }
        if (class_of_mark[mark.dscp] != usual) out.push_back({host, class_of_mark[mark.dscp], mark.where});
      }
    };
    add(marks_of_hosts(), "data", kDataClass, plan_.qos.own_marks);
    if (has_background()) class_of_mark.try_emplace(*plan_.qos.marks[kBackgroundClass], kBackgroundClass);
    if (stores()) class_of_mark.try_emplace(*plan_.qos.marks[kStorageClass], kStorageClass);
    class_of_mark[*plan_.qos.marks[kControlClass]] = kControlClass;
    add(cnp_marks_of_hosts(), "CNPs", kControlClass, plan_.qos.own_cnp_marks);
  }

  struct HostMark {
    std::uint8_t dscp;
    SourceSpan where;
  };
  /// What hosts mark their data with, where that was said of them: in the scenario, or else in their configuration.
  [[nodiscard]] std::map<std::uint32_t, HostMark> marks_of_hosts() const {
    std::map<std::uint32_t, HostMark> all;
    for (const EstatePolicies::OwnMark& mark : read_.own_marks)
      if (!q_.marks.data)
        for (const std::uint32_t host : gpus_of(mark.host)) all[host] = {mark.dscp, mark.where};
    for (const QosSpec::Single& device : q_.devices)
      for (std::uint32_t host = device.index; device.table.data_mark && host <= device.last; host++)
        all[host] = {static_cast<std::uint8_t>(*device.table.data_mark), device.table.where};
    return all;
  }

  /// The same of CNPs, where DCQCN sends any as packets. GPUs of a server share its NICs evenly.
  [[nodiscard]] std::map<std::uint32_t, HostMark> cnp_marks_of_hosts() const {
    std::map<std::uint32_t, HostMark> all;
    if (plan_.control.kind != CongestionControl::dcqcn || plan_.dcqcn.cnp_on_ack) return all;
    for (const EstatePolicies::Nics& server : read_.nics) {
      const std::vector<std::uint32_t> hosts = gpus_of(server.server);
      for (std::size_t i = 0; i < hosts.size() && !q_.marks.cnp; i++)
        if (const NicConfig& nic = server.nics[i * server.nics.size() / hosts.size()]; nic.cnp_dscp)
          all[hosts[i]] = {*nic.cnp_dscp, server.where};
    }
    for (const QosSpec::Single& device : q_.devices)
      for (std::uint32_t host = device.index; device.table.cnp_mark && host <= device.last; host++)
        all[host] = {static_cast<std::uint8_t>(*device.table.cnp_mark), device.table.where};
    return all;
  }

  /// Hosts that take smaller packets than most: by the scenario, or else by their configuration.
  void own_mtus() {
    std::map<std::uint32_t, HostMtu> all = host_mtus(s_, out_);
    for (const QosSpec::Single& device : q_.devices)
      for (std::uint32_t host = device.index; device.table.mtu && host <= device.last; host++)
        all[host] = {*device.table.mtu, device.table.where};
    for (const auto& [host, own] : all)
      if (own.mtu < out_.transport.mtu) plan_.qos.own_mtus.push_back({host, own.mtu, own.where});
  }

  void too_many_marks(std::uint32_t host, std::string_view what, const HostMark& mark) {
    complaints_.error("RY-SCN-140", mark.where,
                      fmt::format("DSCP {} of the {} of host {} needs a class of traffic of its own, and none is left",
                                  mark.dscp, what, host),
                      "use fewer different marks: two where there is neither background traffic nor storage");
  }

  [[nodiscard]] std::vector<std::uint32_t> gpus_of(std::uint32_t server) const { return hosts_of_server(server, out_.fabric); }

  /// A policy with what tables say of all devices and of a tier.
  [[nodiscard]] QosPolicy of_tier(const QosPolicy& policy, std::size_t tier) const {
    return with_table(with_table(policy, q_.all), q_.tiers[tier]);
  }

  /// Devices whose configuration differs from that of their tier.
  void add_read_devices() {
    for (const EstatePolicies::Single& device : read_.singles) {
      const auto tier = static_cast<std::size_t>(device.tier);
      const std::uint32_t profile = profile_of(of_tier(device.policy, tier), cable_of(tier, device.cable));
      const bool is_host = device.tier == DeviceTier::nic;
      for (const std::uint32_t index : is_host ? gpus_of(device.index) : std::vector<std::uint32_t>{device.index})
        plan_.qos.singles.push_back({device.tier, index, "", profile, device.where});
    }
    for (const EstatePolicies::Ports& ports : read_.ports) {
      const auto tier = static_cast<std::size_t>(ports.tier);
      const std::uint32_t profile = profile_of(of_tier(ports.policy, tier), cable_of(tier, ports.cable));
      const bool is_server = ports.to == DeviceTier::nic;
      const std::vector<std::uint32_t> to = is_server ? gpus_of(ports.neighbour) : std::vector<std::uint32_t>{ports.neighbour};
      if (!to.empty())
        plan_.qos.own_ports.push_back({ports.tier, ports.index, "", ports.to, to.front(), to.back(), "", profile, ports.where});
    }
  }

  /// The length that headroom is computed for: of a port or device, its tier, all; as it was read.
  [[nodiscard]] std::optional<Picoseconds> cable_of(std::size_t tier, const std::optional<Millimetres>& read,
                                                    const std::optional<Millimetres>& own = {}) const {
    std::optional<Millimetres> length = read;
    for (const std::optional<Millimetres>* given : {&q_.all.cable, &q_.tiers[tier].cable, &own})
      if (*given) length = *given;
    return length ? std::optional(propagation_time(*length)) : std::nullopt;
  }

  /// A device that the scenario names: what its configuration says, else what that of its tier does, changed by all tables.
  void add(const QosSpec::Single& device, const QosPolicy& usual) {
    const auto tier = static_cast<std::size_t>(device.tier);
    const std::uint32_t number =
        device.tier == DeviceTier::nic ? device.index / std::max(1U, out_.fabric.per_node) : device.index;
    const auto own = std::find_if(read_.singles.begin(), read_.singles.end(), [&](const EstatePolicies::Single& one) {
      return device.name.empty() && one.tier == device.tier && one.index == number;
    });
    const QosPolicy read = own != read_.singles.end() ? own->policy : read_.tiers[tier].value_or(usual);
    const QosPolicy policy = with_table(of_tier(read, tier), device.table);
    check_policy(s_, policy, device.table, complaints_);
    const std::optional<Millimetres> read_cable = own != read_.singles.end() ? own->cable : read_.cables[tier];
    const std::uint32_t profile = profile_of(policy, cable_of(tier, read_cable, device.table.cable));
    for (std::uint32_t index = device.index; index <= device.last; index++)
      plan_.qos.singles.push_back({device.tier, index, device.name, profile, device.table.where});
    for (const QosSpec::Single::Ports& ports : device.ports) add_ports(device, ports, policy, read_cable);
  }

  /// Ports of a device that the scenario names: what the device does, changed by their table.
  void add_ports(const QosSpec::Single& device, const QosSpec::Single::Ports& ports, const QosPolicy& of_device,
                 const std::optional<Millimetres>& read_cable) {
    const QosPolicy policy = with_table(of_device, ports.table);
    check_policy(s_, policy, ports.table, complaints_);
    const std::optional<Millimetres>& cable = ports.table.cable ? ports.table.cable : device.table.cable;
    const std::uint32_t profile = profile_of(policy, cable_of(static_cast<std::size_t>(device.tier), read_cable, cable));
    for (std::uint32_t index = device.index; index <= device.last; index++)
      plan_.qos.own_ports.push_back(
          {device.tier, index, device.name, ports.to, ports.first, ports.last, ports.name, profile, ports.table.where});
  }

  /// What thresholds are counted in: shares are of what a queue that is alone may take of the buffer.
  [[nodiscard]] ThresholdBase base() const {
    ThresholdBase base;
    base.rate = out_.fabric.link_rate;
    if (plan_.headroom.cell > Bytes::zero()) base.cell = plan_.headroom.cell;
    const double share = plan_.buffer.alpha / (1 + plan_.buffer.alpha);
    base.queue =
        plan_.buffer.xoff.value_or(Bytes(static_cast<std::int64_t>(share * static_cast<double>(plan_.buffer.size.count()))));
    return base;
  }

  std::uint32_t profile_of(const QosPolicy& policy, const std::optional<Picoseconds>& cable) {
    DeviceQos device = device_qos(policy, plan_.qos.marks, plan_, base());
    if (policy.pfc != 0) device.cable = cable;
    std::vector<DeviceQos>& all = plan_.qos.profiles;
    const auto found = std::find(all.begin(), all.end(), device);
    if (found != all.end()) return static_cast<std::uint32_t>(found - all.begin());
    all.push_back(device);
    return static_cast<std::uint32_t>(all.size() - 1);
  }

  /// All devices do as the rest of the plan says.
  void forget_profiles() {
    QosPlan plan;
    plan.own_dcqcn = std::move(plan_.qos.own_dcqcn);
    plan.own_mtus = std::move(plan_.qos.own_mtus);
    plan_.qos = std::move(plan);
  }

  /// What others read of the plan: whether there are pauses and marks anywhere, and what leaf switches do.
  void tell_plan() {
    plan_.queue_of = {kControlClass, kDataClass, kBackgroundClass, kStorageClass};
    plan_.pfc.enabled = plan_.pfc.watchdog = plan_.ecn.enabled = false;
    for (const DeviceQos& device : plan_.qos.profiles) {
      plan_.pfc.enabled = plan_.pfc.enabled || device.pfc != 0;
      plan_.pfc.watchdog = plan_.pfc.watchdog || device.watchdog.enabled;
      for (const QueueQos& queue : device.queues) plan_.ecn.enabled = plan_.ecn.enabled || queue.ecn.enabled;
    }
    const DeviceQos& leaf = plan_.qos.profiles[plan_.qos.of_tier[static_cast<std::size_t>(DeviceTier::leaf)]];
    for (std::size_t c = 0; c < kClasses; c++) {
      const ClassQos& row = leaf.classes[c];
      plan_.classes[c] = {.priority = row.priority.value_or(row.queue),
                          .lossless = row.priority.has_value(),
                          .strict = leaf.queues[row.queue].strict,
                          .weight = leaf.queues[row.queue].weight,
                          .counted = row.counted};
    }
    static constexpr std::string_view kNames[] = {"cnp", "data", "background", "storage"};
    const bool shown[] = {true, true, has_background(), stores()};
    for (std::size_t c = 0; c < kClasses; c++)
      if (shown[c])
        note_input(out_, fmt::format("qos.marks.{}", kNames[c]), std::to_string(*plan_.qos.marks[c]), origin_of_mark(c));
  }

  [[nodiscard]] Origin origin_of_mark(std::size_t c) const {
    const bool was_read = (c == kDataClass && read_.data_mark) || (c == kControlClass && read_.cnp_mark);
    if (was_read) return {Status::given, "configurations of hosts and job (qos.from)"};
    return {Status::assumed, c == kDataClass ? "AF31, as operators mark RoCE" : "eight times its priority"};
  }

  const ScenarioSpec& s_;
  const QosSpec& q_;
  const EstatePolicies read_;
  Scenario& out_;
  PacketPlan& plan_;
  Complaints& complaints_;
};

}  // namespace

QosPolicy with_table(QosPolicy policy, const QosTable& table) {
  put(table.trust, policy.trust);
  put(table.dscp_to_tc.entries, policy.class_of_dscp);
  put(table.tc_to_queue.entries, policy.queue_of_class);
  put(table.tc_to_pg.entries, policy.group_of_class);
  put(table.pg_to_pfc.entries, policy.priority_of_group);
  put(table.pfc_to_queue.entries, policy.queue_of_priority);
  put(table.lossless.bits, policy.pfc);
  for (std::uint32_t queue = 0; queue < kPriorities; queue++) {
    QueuePolicy& row = policy.queues[queue];
    if (table.strict.bits) row.strict = (*table.strict.bits >> queue & 1) != 0;
    if (const auto weight = table.weights.entries.find(queue); weight != table.weights.entries.end())
      row.weight = weight->second;
    const auto own = table.ecn.queues.find(queue);
    if (own != table.ecn.queues.end())
      put(own->second, row.ecn);
    else if (table.ecn.all)
      put(*table.ecn.all, row.ecn);
  }
  for (GroupPolicy& group : policy.groups) {
    if (table.alpha) group.xoff.reset(), group.xon.reset();
    if (table.xoff) group.alpha.reset(), group.xon.reset();
    put(table.alpha, group.alpha);
    put(table.xoff, group.xoff);
    put(table.xon, group.xon);
    put(table.xon_offset, group.xon_offset);
    put(table.headroom, group.headroom);
    put(table.reserve, group.reserve);
  }
  put(table.watchdog, policy.watchdog.enabled);
  put(table.watchdog_detection, policy.watchdog.detection);
  put(table.watchdog_restoration, policy.watchdog.restoration);
  put(table.watchdog_poll, policy.watchdog.poll);
  put(table.watchdog_action, policy.watchdog.action);
  return policy;
}

void resolve_qos(const ScenarioSpec& spec, Scenario& out, Complaints& complaints) {
  if ((!spec.given("qos") && spec.qos.estate.devices.empty()) || out.packet.credits.room > Bytes::zero()) return;
  if (!complaints.found().empty()) return;  // rests on keys that were refused
  QosResolver(spec, out, complaints).run();
}

}  // namespace railyard
