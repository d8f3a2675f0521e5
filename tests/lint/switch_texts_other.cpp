// Running configurations of switches that the project reads and does not write: Dell OS10 and HPE Aruba AOS-CX.
#include <fmt/format.h>

#include <cmath>

#include "config/write/hash_words.h"
#include "config/write/words.h"
#include "lint/languages.h"

namespace railyard {

namespace {

std::int64_t kilobytes(double bytes) { return std::llround(bytes / 1000); }

/// Lines of a configuration.
class Lines {
 public:
  template<class... Args>
  void add(fmt::format_string<Args...> form, Args&&... args) {
    out_ += fmt::format(form, std::forward<Args>(args)...) + "\n";
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

/// What is bound is in the first policy; ports with another have nothing bound.
class Os10Text {
 public:
  explicit Os10Text(const Device& device) : device_(device), policy_(device.policies.front()) {}

  std::string run() {
    lines_.add("! Version {}\nhostname {}", device_.version, device_.name);
    maps();
    queues();
    pauses();
    system();
    for (const PortConfig& port : device_.ports) interface(port);
    return lines_.take();
  }

 private:
  void maps() {
    if (policy_.trust == Trust::dscp) {
      lines_.add("trust dscp-map marks");
      for (const std::uint8_t c : values_of(policy_.class_of_dscp))
        lines_.add(" qos-group {} dscp {}", c, ranges(leading_to(policy_.class_of_dscp, c)));
    }
    if (policy_.trust == Trust::pcp) {
      lines_.add("trust dot1p-map marks");
      for (const std::uint8_t c : values_of(policy_.class_of_pcp))
        lines_.add(" qos-group {} dot1p {}", c, ranges(leading_to(policy_.class_of_pcp, c)));
    }
    lines_.add("qos-map traffic-class queues");
    for (const std::uint8_t q : values_of(policy_.queue_of_class))
      lines_.add(" queue {} qos-group {}", q, ranges(leading_to(policy_.queue_of_class, q)));
  }

  void queues() {
    for (std::size_t q = 0; q < kPriorities; q++) {
      lines_.add("class-map type queuing q{}\n match queue {}", q, q);
      const std::optional<EcnPolicy>& ecn = policy_.queues[q].ecn;
      if (!ecn) continue;
      lines_.add("wred wred{}", q);
      lines_.add(" random-detect color green minimum-threshold {} maximum-threshold {} drop-probability {}",
                 kilobytes(ecn->kmin.value), kilobytes(ecn->kmax.value), whole_percent(ecn->pmax));
      if (ecn->marks) lines_.add(" random-detect ecn");
    }
    lines_.add("policy-map type queuing out");
    for (std::size_t q = 0; q < kPriorities; q++) {
      const QueuePolicy& queue = policy_.queues[q];
      if (!queue.strict && queue.weight == 0 && !queue.ecn) continue;
      lines_.add(" class q{}", q);
      if (queue.strict) lines_.add("  priority");
      if (queue.weight > 0) lines_.add("  bandwidth percent {}", queue.weight);
      if (queue.ecn) lines_.add("  random-detect wred{}", q);
      if (queue.limit) lines_.add("  queue-limit {}", kilobytes(static_cast<double>(queue.limit->count())));
    }
  }

  void pauses() {
    for (const std::uint32_t p : bits_of(policy_.pfc))
      lines_.add("class-map type network-qos pause{}\n match qos-group {}", p, p);
    lines_.add("policy-map type network-qos pfc");
    for (const std::uint32_t p : bits_of(policy_.pfc)) {
      const GroupPolicy& group = policy_.groups[p];
      lines_.add(" class pause{}", p);
      const auto size = [](const std::optional<Bytes>& bytes) {
        return kilobytes(static_cast<double>(bytes.value_or(Bytes::zero()).count()));
      };
      if (group.xoff)
        lines_.add("  pause buffer-size {} pause-threshold {} resume-threshold {}", size(group.xoff) + size(group.headroom),
                   size(group.xoff), group.xon ? size(group.xon) : size(group.xoff) / 2);
      else
        lines_.add("  pause");
      lines_.add("  pfc-cos {}", p);
    }
  }

  void system() {
    lines_.add("system qos");
    if (policy_.trust == Trust::dscp) lines_.add(" trust-map dscp marks");
    if (policy_.trust == Trust::pcp) lines_.add(" trust-map dot1p marks");
    if (device_.buffer.size) lines_.add(" pfc-shared-buffer-size {}", device_.buffer.size->count() / 1000);
    if (device_.buffer.headroom_pool)
      lines_.add(" pfc-shared-headroom-buffer-size {}", device_.buffer.headroom_pool->count() / 1000);
    lines_.add("load-balancing ip-selection{}", hash_field_list(device_.hash, Dialect::os10));
    if (device_.hash.seed) lines_.add("hash-algorithm seed {}", *device_.hash.seed);
  }

  void interface(const PortConfig& port) {
    lines_.add("interface {}", port.name);
    if (!port.neighbour.empty()) lines_.add(" description \"to {} {}\"", port.neighbour, port.neighbour_port);
    if (port.mtu) lines_.add(" mtu {}", port.mtu->count());
    if (port.speed) lines_.add(" speed {}", port.speed->count() / 1'000'000);
    if (port.policy != 0) return;
    if (policy_.pfc != 0) lines_.add(" priority-flow-control mode on");
    if (policy_.link_pause) lines_.add(" flowcontrol receive on\n flowcontrol transmit on");
    lines_.add(" service-policy input type network-qos pfc\n service-policy output type queuing out");
    lines_.add(" qos-map traffic-class queues");
  }

  const Device& device_;
  const QosPolicy& policy_;
  Lines lines_;
};

class AoscxText {
 public:
  explicit AoscxText(const Device& device) : device_(device), policy_(device.policies.front()) {}

  std::string run() {
    lines_.add("!Version ArubaOS-CX {}\nhostname {}", device_.version, device_.name);
    const bool by_dscp = policy_.trust == Trust::dscp;
    lines_.add("qos trust {}", by_dscp ? "dscp" : policy_.trust == Trust::pcp ? "cos" : "none");
    for (std::size_t d = 0; d < kDscps && by_dscp; d++)
      lines_.add("qos dscp-map {} local-priority {}", d, policy_.class_of_dscp[d]);
    if (policy_.pfc != 0)
      lines_.add("qos pool 1 lossless size {} percent headroom 2048 kbytes priorities {}",
                 device_.buffer.lossless_percent.value_or(50), bit_list(policy_.pfc));
    lines_.add("qos queue-profile queues");
    for (const std::uint8_t q : values_of(policy_.queue_of_class))
      lines_.add("    map queue {} local-priority {}", q, ranges(leading_to(policy_.queue_of_class, q)));
    schedule();
    lines_.add("apply qos queue-profile queues schedule-profile schedule");
    for (const PortConfig& port : device_.ports) interface(port);
    return lines_.take();
  }

 private:
  void schedule() {
    lines_.add("qos schedule-profile schedule");
    for (std::size_t q = 0; q < kPriorities; q++) {
      const QueuePolicy& queue = policy_.queues[q];
      if (queue.strict) lines_.add("    strict queue {}", q);
      if (!queue.strict && queue.weight > 0) lines_.add("    dwrr queue {} weight {}", q, queue.weight);
    }
    lines_.add("qos threshold-profile marks");
    for (std::size_t q = 0; q < kPriorities; q++)
      if (const auto& ecn = policy_.queues[q].ecn; ecn && ecn->marks)
        lines_.add("    queue {} action ecn all min-threshold {} kbytes max-threshold {} kbytes", q, kilobytes(ecn->kmin.value),
                   kilobytes(ecn->kmax.value));
      else if (ecn)
        lines_.add("    queue {} action wred-resp green min-threshold {} kbytes max-threshold {} kbytes max-prob {} percent", q,
                   kilobytes(ecn->kmin.value), kilobytes(ecn->kmax.value), whole_percent(ecn->pmax));
  }

  void interface(const PortConfig& port) {
    lines_.add("interface {}", port.name);
    lines_.add("    no shutdown");
    if (!port.neighbour.empty()) lines_.add("    description to {} {}", port.neighbour, port.neighbour_port);
    if (port.mtu) lines_.add("    mtu {}", port.mtu->count());
    if (port.speed) lines_.add("    speed {}g-full", port.speed->count() / 1'000'000'000);
    if (port.policy != 0) return;
    for (const std::uint32_t p : bits_of(policy_.pfc)) lines_.add("    flow-control priority rxtx {}", p);
    if (policy_.link_pause) lines_.add("    flow-control rxtx");
    if (port.cable) lines_.add("    flow-control buffer cable-length {}", port.cable->count() / 1000);
    lines_.add("    apply qos threshold-profile marks");
  }

  const Device& device_;
  const QosPolicy& policy_;
  Lines lines_;
};

}  // namespace

std::string os10_text(const Device& device) { return Os10Text(device).run(); }
std::string aoscx_text(const Device& device) { return AoscxText(device).run(); }

}  // namespace railyard
