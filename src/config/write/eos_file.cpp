#include <fmt/format.h>

#include <cmath>

#include "config/write/eos_words.h"
#include "config/write/hash_words.h"
#include "config/write/words.h"
#include "config/write/writers.h"

namespace railyard {

namespace {

/// "0 1 2 3"
std::string spaced(const std::vector<std::uint32_t>& numbers) {
  std::string text;
  for (const std::uint32_t number : numbers) text += fmt::format("{}{}", text.empty() ? "" : " ", number);
  return text;
}

/// A configuration of EOS: maps, one QoS profile a policy, interfaces.
class EosFile {
 public:
  explicit EosFile(const Device& device) : device_(device) {}

  std::string run() {
    line("! {}: QoS for RoCE", device_.name);
    if (!device_.policies.empty()) maps(device_.policies.front());
    hash();
    for (std::uint32_t i = 0; i < device_.policies.size(); i++) profile(device_.policies[i], profile_name(device_, i));
    for (const PortConfig& port : device_.ports) interface(port);
    return out_;
  }

 private:
  template<class... Args>
  void line(fmt::format_string<Args...> form, Args&&... args) {
    out_ += fmt::format(form, std::forward<Args>(args)...) + "\n";
  }

  void maps(const QosPolicy& policy) {
    line("! DSCP to traffic class: RoCE is marked with DSCP, which survives routing");
    for (const std::uint8_t c : values_of(policy.class_of_dscp))
      line("qos map dscp {} to traffic-class {}", spaced(leading_to(policy.class_of_dscp, c)), c);
    for (const std::uint8_t c : values_of(policy.class_of_pcp))
      line("qos map cos {} to traffic-class {}", spaced(leading_to(policy.class_of_pcp, c)), c);
    line("! One queue a traffic class, so that a pause stops one kind of traffic alone");
    for (std::size_t c = 0; c < kPriorities; c++) line("qos map traffic-class {} to tx-queue {}", c, policy.queue_of_class[c]);
  }

  void hash() {
    if (!device_.hash.fields.empty()) {
      line("! Hash: queue pairs differ in the UDP source port alone. Give each tier a seed of its own");
      line("ip load-sharing trident fields ip{}", hash_field_list(device_.hash, Dialect::eos));
    }
    if (device_.hash.dynamic) line("ip hardware fib load-balance distribution dynamic");
  }

  void profile(const QosPolicy& policy, const std::string& name) {
    line("!\nqos profile {}", name);
    line("   {}", eos_trust(policy.trust));
    for (std::size_t i = 0; i < kPriorities; i++) queue(i, policy.queues[i]);
    if (policy.pfc != 0) {
      line("   !! PFC: a full queue of these priorities pauses the sender instead of dropping");
      line("   priority-flow-control on");
      for (const std::uint32_t p : bits_of(policy.pfc)) line("   priority-flow-control priority {} no-drop", p);
    }
    if (!policy.watchdog.enabled) return;
    line("   !! Watchdog: a queue that stays paused drops, so that one broken NIC stops nobody else");
    for (const std::string& one : eos_watchdog(policy.watchdog)) line("   {}", one);
  }

  void queue(std::size_t number, const QueuePolicy& queue) {
    line("   !\n   tx-queue {}", number);
    line("      {}", queue.strict ? "priority strict" : "no priority");
    if (queue.weight > 0) line("      bandwidth percent {}", queue.weight);
    if (!queue.ecn) return;
    line("      !! Packets are marked before senders have to be paused");
    line("      {}", eos_ecn(*queue.ecn));
  }

  void interface(const PortConfig& port) {
    line("!\ninterface {}", port.name);
    if (port.mtu) line("   mtu {}", port.mtu->count());
    if (port.policy < device_.policies.size()) {
      const QosPolicy& policy = device_.policies[port.policy];
      if (policy.link_pause) line("   flowcontrol send on\n   flowcontrol receive on");
      line("   service-profile {}", profile_name(device_, port.policy));
    }
    if (!port.enabled) line("   shutdown");
  }

  const Device& device_;
  std::string out_;
};

}  // namespace

std::string write_eos(const Device& device) { return EosFile(device).run(); }

}  // namespace railyard
