#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/write/hash_words.h"
#include "config/write/words.h"
#include "config/write/writers.h"

namespace railyard {

namespace {

std::string_view nvue_trust(Trust trust) {
  constexpr std::string_view kNames[] = {"l3", "l2", "both", "port"};
  return kNames[static_cast<std::size_t>(trust)];
}

/// The profile of all ports, or one of their own.
std::string nvue_profile(const Device& device, std::uint32_t policy) {
  return device.policies.size() == 1 ? "default-global" : fmt::format("roce-{}", policy + 1);
}

/// `nv set` lines, one profile a policy.
class NvueFile {
 public:
  explicit NvueFile(const Device& device) : device_(device) {}

  std::string run() {
    remark("{}: QoS for RoCE. Run it on the switch: sh FILE", device_.name);
    for (std::uint32_t i = 0; i < device_.policies.size(); i++) {
      profile_ = nvue_profile(device_, i);
      policy(device_.policies[i], ports_with(device_, i));
    }
    link_pause();
    watchdog();
    pools();
    hash();
    interfaces();
    return out_ + "nv config apply\n";
  }

 private:
  template<class... Args>
  void set(fmt::format_string<Args...> form, Args&&... args) {
    out_ += "nv set " + fmt::format(form, std::forward<Args>(args)...) + "\n";
  }
  template<class... Args>
  void remark(fmt::format_string<Args...> form, Args&&... args) {
    out_ += "# " + fmt::format(form, std::forward<Args>(args)...) + "\n";
  }

  void policy(const QosPolicy& policy, const std::vector<const PortConfig*>& ports) {
    remark("Marks: what a packet carries decides its switch priority; RoCE is marked with DSCP, which survives routing");
    set("qos mapping {} trust {}", profile_, nvue_trust(policy.trust));
    const bool by_dscp = policy.trust == Trust::dscp || policy.trust == Trust::both;
    const bool by_pcp = policy.trust == Trust::pcp || policy.trust == Trust::both;
    if (by_dscp || policy.class_of_dscp != classes_by_eight())
      for (const std::uint8_t c : values_of(policy.class_of_dscp))
        set("qos mapping {} dscp {} switch-priority {}", profile_, ranges(leading_to(policy.class_of_dscp, c)), c);
    if (by_pcp || !is_identity(policy.class_of_pcp))
      for (const std::uint8_t c : values_of(policy.class_of_pcp))
        set("qos mapping {} pcp {} switch-priority {}", profile_, ranges(leading_to(policy.class_of_pcp, c)), c);
    remark("Queues: one traffic class a switch priority, so that a pause stops one kind of traffic alone");
    for (std::size_t i = 0; i < kPriorities; i++)
      set("qos egress-queue-mapping {} switch-priority {} traffic-class {}", profile_, i, policy.queue_of_class[i]);
    scheduling(policy);
    marking(policy);
    pausing(policy, ports);
  }

  void scheduling(const QosPolicy& policy) {
    remark("Scheduling: CNPs first, since a late one slows nobody down; the rest by weight");
    for (std::size_t i = 0; i < kPriorities; i++) {
      const QueuePolicy& queue = policy.queues[i];
      set("qos egress-scheduler {} traffic-class {} mode {}", profile_, i, queue.strict ? "strict" : "dwrr");
      if (queue.strict) continue;
      set("qos egress-scheduler {} traffic-class {} bw-percent {}", profile_, i, queue.weight);
    }
  }

  void marking(const QosPolicy& policy) {
    if (!policy.queues[0].ecn) {
      remark("ECN of traffic class 0 is on unless told otherwise");
      set("qos congestion-control {} traffic-class 0 ecn disable", profile_);
    }
    for (std::size_t i = 0; i < kPriorities; i++) {
      const std::optional<EcnPolicy>& ecn = policy.queues[i].ecn;
      if (!ecn) continue;
      remark("ECN of traffic class {}: packets are marked before senders have to be paused", i);
      const std::string queue = fmt::format("qos congestion-control {} traffic-class {}", profile_, i);
      set("{} ecn {}", queue, ecn->marks ? "enable" : "disable");
      set("{} red {}", queue, ecn->marks ? "disable" : "enable");
      set("{} min-threshold {}", queue, std::llround(ecn->kmin.value));
      set("{} max-threshold {}", queue, std::llround(ecn->kmax.value));
      set("{} probability {}", queue, whole_percent(ecn->pmax));
    }
  }

  void pausing(const QosPolicy& policy, const std::vector<const PortConfig*>& ports) {
    if (policy.pfc != 0) {
      remark("PFC: a full queue of these priorities pauses the sender instead of dropping; the cable gives the headroom");
      set("qos pfc {} switch-priority {}", profile_, bit_list(policy.pfc));
      set("qos pfc {} rx enable", profile_);
      set("qos pfc {} tx enable", profile_);
      Millimetres longest;
      for (const PortConfig* port : ports) longest = std::max(longest, port->cable.value_or(Millimetres::zero()));
      if (longest > Millimetres::zero()) set("qos pfc {} cable-length {}", profile_, (longest.count() + 999) / 1000);
    }
  }

  void link_pause() {
    if (std::none_of(device_.policies.begin(), device_.policies.end(), [](const QosPolicy& p) { return p.link_pause; })) return;
    remark("Pause of the whole link");
    set("qos link-pause pause rx enable");
    set("qos link-pause pause tx enable");
  }

  void watchdog() {
    for (const QosPolicy& policy : device_.policies) {
      const WatchdogPolicy& dog = policy.watchdog;
      if (!dog.enabled || !dog.poll) continue;
      remark("Watchdog: a queue that is paused for robustness polls in a row drops, so that one broken NIC stops nobody else");
      set("qos pfc-watchdog polling-interval {}", milliseconds_in(*dog.poll));
      if (dog.detection) set("qos pfc-watchdog robustness {}", dog.detection->count() / dog.poll->count());
      return;
    }
  }

  void pools() {
    const bool is_lossless = std::any_of(device_.policies.begin(), device_.policies.end(), [](const QosPolicy& p) {
      return std::any_of(p.groups.begin(), p.groups.end(), [](const GroupPolicy& g) { return g.has_buffer; });
    });
    if (!is_lossless) return;
    const double lossless = device_.buffer.lossless_percent.value_or(50);
    remark("Buffer: lossless traffic has a pool of its own; by default all memory is lossy");
    set("qos traffic-pool default-lossless memory-percent {}", lossless);
    set("qos traffic-pool default-lossy memory-percent {}", device_.buffer.lossy_percent.value_or(100 - lossless));
  }

  void hash() {
    if (!device_.hash.fields.empty()) {
      remark("Hash: queue pairs differ in the UDP source port alone");
      for (const auto& [field, word] : hash_words(Dialect::nvue))
        set("system forwarding ecmp-hash {} {}", word, device_.hash.has(field) ? "enabled" : "disabled");
    }
    if (device_.hash.seed) {
      remark("A seed of its own for each tier, or all tiers choose alike");
      set("system forwarding hash-seed {}", *device_.hash.seed);
    }
    if (device_.hash.dynamic) set("router adaptive-routing state enabled");
  }

  void interfaces() {
    remark("Interfaces: frames of RoCE must fit on every hop");
    for (const PortConfig& port : device_.ports) {
      const std::string name = "interface " + port.name;
      set("{} link state {}", name, port.enabled ? "up" : "down");
      if (port.mtu) set("{} link mtu {}", name, port.mtu->count());
      if (port.speed) set("{} link speed {}G", name, port.speed->count() / 1'000'000'000);
      if (port.policy >= device_.policies.size()) continue;
      const QosPolicy& policy = device_.policies[port.policy];
      if (policy.watchdog.enabled) set("{} qos pfc-watchdog state enabled", name);
      if (policy.link_pause) set("{} qos link-pause profile pause", name);
      if (device_.policies.size() == 1) continue;
      const std::string own = nvue_profile(device_, port.policy);
      for (const char* part : {"mapping", "egress-queue-mapping", "egress-scheduler", "congestion-control"})
        set("{} qos {} profile {}", name, part, own);
      if (policy.pfc != 0) set("{} qos pfc profile {}", name, own);
    }
  }

  const Device& device_;
  std::string profile_, out_;
};

}  // namespace

std::string write_nvue(const Device& device) { return NvueFile(device).run(); }

}  // namespace railyard
