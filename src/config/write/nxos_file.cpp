#include <fmt/format.h>

#include "config/write/nxos_words.h"
#include "config/write/words.h"
#include "config/write/writers.h"

namespace railyard {

namespace {

/// A configuration of NX-OS: classes, three policy maps, the system's policies, interfaces.
class NxosFile {
 public:
  explicit NxosFile(const Device& device) : device_(device) {}

  std::string run() {
    line("! {}: QoS for RoCE", device_.name);
    hash();
    if (!device_.policies.empty()) {
      const QosPolicy& policy = device_.policies.front();
      classes(policy);
      network(policy);
      queuing(policy);
      watchdog(policy.watchdog);
      line("! Both policies are bound to the system; classes are bound at every interface");
      line("system qos\n  service-policy type queuing output ROCE-OUT\n  service-policy type network-qos ROCE-NETWORK");
    }
    for (const PortConfig& port : device_.ports) interface(port);
    return out_;
  }

 private:
  template<class... Args>
  void line(fmt::format_string<Args...> form, Args&&... args) {
    out_ += fmt::format(form, std::forward<Args>(args)...) + "\n";
  }

  void hash() {
    if (device_.hash.fields.empty()) return;
    line("! Hash: queue pairs differ in the UDP source port alone; universal-id is the seed, another for each tier");
    line("{}", nxos_hash(device_.hash));
  }

  /// Groups that packets get by their marks; the others stay in group 0.
  void classes(const QosPolicy& policy) {
    if (policy.trust == Trust::port) return;
    const bool by_dscp = policy.trust != Trust::pcp, by_pcp = policy.trust != Trust::dscp;
    line("! Marks: RoCE is marked with DSCP, which survives routing");
    for (std::uint8_t c = 1; c < kPriorities; c++) {
      const std::string dscps = by_dscp ? ranges(leading_to(policy.class_of_dscp, c)) : "";
      const std::string pcps = by_pcp ? ranges(leading_to(policy.class_of_pcp, c)) : "";
      if (dscps.empty() && pcps.empty()) continue;
      line("class-map type qos match-any CLASS-{}", c);
      if (!dscps.empty()) line("  match dscp {}", dscps);
      if (!pcps.empty()) line("  match cos {}", pcps);
      groups_.push_back(c);
    }
    line("policy-map type qos ROCE-IN");
    for (const std::uint8_t c : groups_) line("  class CLASS-{}\n    set qos-group {}", c, c);
  }

  /// The largest MTU of any interface: network-qos has one for each class.
  [[nodiscard]] Bytes largest_mtu() const {
    Bytes largest;
    for (const PortConfig& port : device_.ports) largest = std::max(largest, port.mtu.value_or(Bytes::zero()));
    return largest;
  }

  void network(const QosPolicy& policy) {
    line("! PFC: a full queue of these groups pauses the sender instead of dropping. The default class needs its MTU, too");
    line("policy-map type network-qos ROCE-NETWORK");
    const Bytes mtu = largest_mtu();
    for (const std::uint32_t p : bits_of(policy.pfc)) {
      line("  class type network-qos c-8q-nq{}\n    pause pfc-cos {}", p, p);
      if (mtu > Bytes::zero()) line("    mtu {}", mtu.count());
    }
    line("  class type network-qos c-8q-nq-default");
    if (mtu > Bytes::zero()) line("    mtu {}", mtu.count());
  }

  void queuing(const QosPolicy& policy) {
    line("! Queues: CNPs first, since a late one slows nobody down; RoCE is marked before senders have to be paused");
    line("policy-map type queuing ROCE-OUT");
    std::uint32_t level = 0;
    for (std::size_t i = kPriorities; i-- > 0;) {
      const QueuePolicy& queue = policy.queues[i];
      line("  class type queuing c-out-8q-q{}", i == 0 ? "-default" : std::to_string(i));
      if (queue.strict)
        line("    priority level {}", ++level);
      else
        line("    bandwidth remaining percent {}", queue.weight);
      if (queue.ecn) line("    {}", nxos_ecn(*queue.ecn));
    }
  }

  void watchdog(const WatchdogPolicy& dog) {
    if (!dog.enabled) return;
    line("! Watchdog: a queue that stays paused drops, so that one broken NIC stops nobody else");
    for (const std::string& one : nxos_watchdog(dog)) line("{}", one);
  }

  void interface(const PortConfig& port) {
    line("interface {}", port.name);
    if (port.mtu) line("  mtu {}", port.mtu->count());
    if (port.policy < device_.policies.size()) {
      const QosPolicy& policy = device_.policies[port.policy];
      if (policy.link_pause) line("  flowcontrol receive on\n  flowcontrol send on");
      const bool negotiates = policy.pfc_mode == PfcMode::negotiated;
      line("  priority-flow-control mode {}", negotiates ? "auto" : policy.pfc != 0 ? "on" : "off");
      if (policy.watchdog.enabled) line("  {}", nxos_port_watchdog(policy.watchdog));
      if (policy.trust != Trust::port) line("  service-policy type qos input ROCE-IN");
    }
    line("  {}", port.enabled ? "no shutdown" : "shutdown");
  }

  const Device& device_;
  std::vector<std::uint8_t> groups_;
  std::string out_;
};

}  // namespace

std::string write_nxos(const Device& device) { return NxosFile(device).run(); }

}  // namespace railyard
