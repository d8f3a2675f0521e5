#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "config/write/words.h"
#include "config/write/writers.h"

namespace railyard {

namespace {

/// A configuration of Junos in curly braces, to be loaded with `load merge`.
class JunosFile {
 public:
  explicit JunosFile(const Device& device) : device_(device) {}

  std::string run() {
    line("/* {}: QoS for RoCE. Load with: load merge FILE */", device_.name);
    interfaces();
    hash();
    open("class-of-service");
    if (!device_.policies.empty()) {
      forwarding_classes();
      classifiers();
      drop_profiles();
      shared_buffer();
      pausing();
      bindings();
      schedulers();
    }
    close();
    return out_;
  }

 private:
  template<class... Args>
  void line(fmt::format_string<Args...> form, Args&&... args) {
    out_ += std::string(depth_ * 4, ' ') + fmt::format(form, std::forward<Args>(args)...) + "\n";
  }
  template<class... Args>
  void open(fmt::format_string<Args...> form, Args&&... args) {
    line("{} {{", fmt::format(form, std::forward<Args>(args)...));
    depth_++;
  }
  void close() {
    depth_--;
    line("}}");
  }

  [[nodiscard]] std::string name_of_policy(std::uint32_t policy) const { return profile_name(device_, policy); }

  void interfaces() {
    open("interfaces");
    for (const PortConfig& port : device_.ports) {
      open("{}", port.name);
      if (!port.enabled) line("disable;");
      if (port.mtu) line("mtu {};", port.mtu->count());
      if (port.policy < device_.policies.size() && device_.policies[port.policy].link_pause)
        line("ether-options {{ flow-control; }}");
      close();
    }
    close();
  }

  void hash() {
    const HashConfig& hash = device_.hash;
    if (hash.fields.empty() && !hash.seed && !hash.dynamic) return;
    line("/* Queue pairs differ in the UDP source port alone; each tier has a seed of its own, or all choose alike. */");
    open("forwarding-options");
    const bool has_ports = hash.has("src-port") || hash.has("dst-port");
    if (!hash.fields.empty()) {
      open("hash-key");
      open("family inet");
      line("layer-3;");
      if (has_ports) line("layer-4;");
      close();
      close();
    }
    open("enhanced-hash-key");
    if (hash.seed) line("hash-seed {};", *hash.seed);
    if (hash.dynamic) line("ecmp-dlb {{ per-packet; }}");
    if (!hash.fields.empty()) left_out_fields(hash, has_ports);
    close();
    close();
  }

  /// What layer-3 and layer-4 would bring in and is not wanted.
  void left_out_fields(const HashConfig& hash, bool has_ports) {
    const auto without = [&](std::string_view field, std::string_view word) {
      if (!hash.has(field)) line("inet {{ {}; }}", word);
    };
    without("src-ip", "no-ipv4-source-address");
    without("dst-ip", "no-ipv4-destination-address");
    if (has_ports) without("src-port", "no-l4-source-port");
    if (has_ports) without("dst-port", "no-l4-destination-port");
  }

  /// All eight: a queue without a class here has the one that Junos gives it, and two of those are lossless.
  void forwarding_classes() {
    line("/* One queue a class, so that a pause stops one kind of traffic alone. */");
    open("forwarding-classes");
    for (std::uint32_t c = 0; c < kPriorities; c++) {
      const bool is_lossless =
          std::any_of(device_.policies.begin(), device_.policies.end(), [&](const QosPolicy& p) { return p.has_pfc(c); });
      line("class TC{} queue-num {}{};", c, c, is_lossless ? fmt::format(" no-loss pfc-priority {}", c) : "");
    }
    close();
  }

  template<class Map>
  void classifier(std::string_view kind, const std::string& name, const Map& map, std::uint32_t digits) {
    open("{} {}", kind, name);
    for (const std::uint8_t c : values_of(map)) {
      std::string points;
      for (const std::uint32_t mark : leading_to(map, c)) points += " " + binary(mark, digits);
      open("forwarding-class TC{}", c);
      line("loss-priority low code-points [{} ];", points);
      close();
    }
    close();
  }

  void classifiers() {
    line("/* Marks: RoCE is marked with DSCP, which survives routing. */");
    open("classifiers");
    for (std::uint32_t i = 0; i < device_.policies.size(); i++) {
      const QosPolicy& p = device_.policies[i];
      if (p.trust == Trust::dscp || p.trust == Trust::both) classifier("dscp", name_of_policy(i), p.class_of_dscp, 6);
      if (p.trust == Trust::pcp || p.trust == Trust::both) classifier("ieee-802.1", name_of_policy(i), p.class_of_pcp, 3);
    }
    close();
  }

  void drop_profiles() {
    line("/* ECN: levels are per cent of what the queue may take at that moment. */");
    open("drop-profiles");
    for (std::uint32_t i = 0; i < device_.policies.size(); i++)
      for (std::size_t q = 0; q < kPriorities; q++) {
        const std::optional<EcnPolicy>& ecn = device_.policies[i].queues[q].ecn;
        if (!ecn) continue;
        open("{}-{}", name_of_policy(i), q);
        open("interpolate");
        line("fill-level [ {} {} ];", std::llround(ecn->kmin.value), std::llround(ecn->kmax.value));
        line("drop-probability [ 0 {} ];", whole_percent(ecn->pmax));
        close();
        close();
      }
    close();
  }

  void shared_buffer() {
    const BufferConfig& buffer = device_.buffer;
    if (!buffer.lossless_percent && !buffer.headroom_percent && !buffer.lossy_percent) return;
    open("shared-buffer");
    open("ingress");
    const auto partition = [&](const char* name, const std::optional<double>& percent) {
      if (percent) line("buffer-partition {} {{ percent {}; }}", name, *percent);
    };
    partition("lossless", buffer.lossless_percent);
    partition("lossless-headroom", buffer.headroom_percent);
    partition("lossy", buffer.lossy_percent);
    close();
    close();
  }

  void watchdog(const WatchdogPolicy& dog) {
    if (!dog.enabled) return;
    line("/* A queue that stays paused drops, so that one broken NIC stops nobody else. */");
    open("pfc-watchdog");
    if (dog.poll) line("poll-interval {};", milliseconds_in(*dog.poll));
    if (dog.detection && dog.poll) line("detection {};", *dog.detection / *dog.poll);
    if (dog.restoration) line("recovery {};", milliseconds_in(*dog.restoration));
    line("watchdog-action {};", name_of(dog.action));
    close();
  }

  [[nodiscard]] static bool has_profile(const QosPolicy& policy) { return policy.pfc != 0 || policy.watchdog.enabled; }

  void pausing() {
    line("/* PFC: a full queue of these classes pauses the sender instead of dropping. */");
    open("congestion-notification-profile");
    for (std::uint32_t i = 0; i < device_.policies.size(); i++) {
      const QosPolicy& p = device_.policies[i];
      if (!has_profile(p)) continue;
      open("{}", name_of_policy(i));
      watchdog(p.watchdog);
      open("input");
      const bool by_pcp = p.trust == Trust::pcp;
      open("{}", by_pcp ? "ieee-802.1" : "dscp");
      for (std::uint32_t mark = 0; mark < (by_pcp ? kPriorities : kDscps); mark++)
        if (p.has_pfc(by_pcp ? p.class_of_pcp[mark] : p.class_of_dscp[mark]))
          line("code-point {} {{ pfc; }}", binary(mark, by_pcp ? 3 : 6));
      close();
      close();
      open("output");
      open("ieee-802.1");
      for (const std::uint32_t priority : bits_of(p.pfc))
        line("code-point {} {{ flow-control-queue {}; }}", binary(priority, 3), priority);
      close();
      close();
      close();
    }
    close();
  }

  void bindings() {
    open("interfaces");
    for (const PortConfig& port : device_.ports) {
      if (port.policy >= device_.policies.size()) continue;
      const QosPolicy& p = device_.policies[port.policy];
      const std::string name = name_of_policy(port.policy);
      open("{}", port.name);
      if (has_profile(p)) line("congestion-notification-profile {};", name);
      line("scheduler-map {};", name);
      if (p.trust != Trust::port) {
        open("unit *");
        open("classifiers");
        if (p.trust == Trust::dscp || p.trust == Trust::both) line("dscp {};", name);
        if (p.trust == Trust::pcp || p.trust == Trust::both) line("ieee-802.1 {};", name);
        close();
        close();
      }
      close();
    }
    close();
  }

  [[nodiscard]] static bool is_scheduled(const QueuePolicy& queue) { return queue.strict || queue.weight > 0 || queue.ecn; }

  void schedulers() {
    line("/* CNPs first, since a late one slows nobody down; RoCE is marked before senders have to be paused. */");
    open("scheduler-maps");
    for (std::uint32_t i = 0; i < device_.policies.size(); i++) {
      open("{}", name_of_policy(i));
      for (std::size_t c = 0; c < kPriorities; c++)
        if (is_scheduled(device_.policies[i].queues[c]))
          line("forwarding-class TC{} scheduler {}-{};", c, name_of_policy(i), c);
      close();
    }
    close();
    open("schedulers");
    for (std::uint32_t i = 0; i < device_.policies.size(); i++)
      for (std::size_t c = 0; c < kPriorities; c++)
        if (is_scheduled(device_.policies[i].queues[c]))
          scheduler(fmt::format("{}-{}", name_of_policy(i), c), device_.policies[i].queues[c]);
    close();
  }

  void scheduler(const std::string& name, const QueuePolicy& queue) {
    open("{}", name);
    if (queue.weight > 0) line("transmit-rate percent {};", queue.weight);
    line("priority {};", queue.strict ? "strict-high" : "low");
    if (queue.ecn) {
      line("drop-profile-map loss-priority any protocol any drop-profile {};", name);
      if (queue.ecn->marks) line("explicit-congestion-notification;");
    }
    close();
  }

  const Device& device_;
  std::size_t depth_ = 0;
  std::string out_;
};

}  // namespace

std::string write_junos(const Device& device) { return JunosFile(device).run(); }

}  // namespace railyard
