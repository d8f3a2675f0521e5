#include "config/read/nvue_policy.h"

#include <fmt/format.h>

#include <algorithm>

namespace railyard::nvue {

namespace {

EcnPolicy marking(double kmin, double kmax, double pmax) {
  return {{ThresholdUnit::bytes, kmin}, {ThresholdUnit::bytes, kmax}, pmax, true};
}
/// Of the default profile and of RoCE alike: 150 kB, 1.5 MB, 100 per cent.
EcnPolicy default_marking() { return marking(150'000, 1'500'000, 1); }

void apply_mapping(QosPolicy& policy, const Statement& s) {
  if (s.word(3) == "trust") {
    policy.trust = s.word(4) == "l2"     ? Trust::pcp
                   : s.word(4) == "l3"   ? Trust::dscp
                   : s.word(4) == "both" ? Trust::both
                                         : Trust::port;
    policy.said["trust"] = s.where;
    return;
  }
  const auto to = indices_of(s.word(6), kPriorities);
  if (s.word(5) != "switch-priority" || to.empty()) return;
  const bool is_dscp = s.word(3) == "dscp";
  for (const std::size_t from : indices_of(s.word(4), is_dscp ? kDscps : kPriorities)) {
    (is_dscp ? policy.class_of_dscp[from] : policy.class_of_pcp[from]) = static_cast<std::uint8_t>(to[0]);
    policy.said[fmt::format("{}.{}", s.word(3), from)] = s.where;
  }
}

void apply_queue_mapping(QosPolicy& policy, const Statement& s) {
  const auto to = indices_of(s.word(6), kPriorities);
  if (s.word(3) != "switch-priority" || s.word(5) != "traffic-class" || to.empty()) return;
  for (const std::size_t from : indices_of(s.word(4), kPriorities)) {
    policy.queue_of_class[from] = policy.queue_of_priority[from] = static_cast<std::uint8_t>(to[0]);
    policy.said[fmt::format("class.{}.queue", from)] = s.where;
  }
}

void apply_scheduler(QosPolicy& policy, const Statement& s) {
  if (s.word(3) != "traffic-class") return;
  for (const std::size_t queue : indices_of(s.word(4), kPriorities)) {
    QueuePolicy& at = policy.queues[queue];
    if (s.word(5) == "mode") at.strict = s.word(6) == "strict";
    const auto percent = s.word(5) == "bw-percent" ? whole_of(s.word(6)) : std::nullopt;
    if (percent) at.weight = static_cast<std::uint32_t>(std::clamp<std::int64_t>(*percent, 0, 100));
    if (at.strict) at.weight = 0;
    policy.said[fmt::format("queue.{}", queue)] = s.where;
  }
}

/// Marks where `ecn` is on, which it is unless told; drops where only `red` is. Both off: the queue is left alone.
void apply_congestion(QosPolicy& policy, const std::vector<const Statement*>& statements) {
  std::array<bool, kPriorities> marks, drops = {};
  marks.fill(true);
  for (const Statement* s : statements) {
    if (s->word(3) != "traffic-class") continue;
    for (const std::size_t queue : indices_of(s->word(4), kPriorities)) {
      std::optional<EcnPolicy>& ecn = policy.queues[queue].ecn;
      if (!ecn) ecn = default_marking();
      const auto size = size_of(s->word(6));
      if (s->word(5) == "min-threshold" && size) ecn->kmin.value = *size;
      if (s->word(5) == "max-threshold" && size) ecn->kmax.value = *size;
      if (s->word(5) == "probability" && size) ecn->pmax = std::clamp(*size / 100, 0.0, 1.0);
      if (s->word(5) == "ecn") marks[queue] = is_on(s->word(6));
      if (s->word(5) == "red") drops[queue] = is_on(s->word(6));
      policy.said[fmt::format("queue.{}.ecn", queue)] = s->where;
    }
  }
  for (std::size_t i = 0; i < kPriorities; i++) {
    std::optional<EcnPolicy>& ecn = policy.queues[i].ecn;
    if (!ecn) continue;
    if (!marks[i] && !drops[i])
      ecn.reset();
    else
      ecn->marks = marks[i];
  }
}

void apply_pfc_priority(QosPolicy& policy, const Statement& s) {
  for (const std::size_t priority : indices_of(s.word(4), kPriorities)) {
    policy.pfc = static_cast<std::uint8_t>(policy.pfc | 1U << priority);
    policy.said["pfc"] = policy.said[fmt::format("pfc.{}", priority)] = s.where;
  }
}

/// Sizes of every group that PFC is on for. Source: qos_features.conf: a pause is sent when xoff is used up, and taken back
/// when xon bytes less are; the rest of the port's buffer is for what arrives in between.
void apply_pfc_sizes(QosPolicy& policy, const std::vector<const Statement*>& statements) {
  std::optional<double> xoff, xon, buffer;
  for (const Statement* s : statements) {
    if (s->word(3) == "xoff-threshold") xoff = size_of(s->word(4));
    if (s->word(3) == "xon-threshold") xon = size_of(s->word(4));
    if (s->word(3) == "port-buffer") buffer = size_of(s->word(4));
  }
  const auto bytes = [](double size) { return Bytes(static_cast<std::int64_t>(size)); };
  for (std::size_t i = 0; i < kPriorities; i++) {
    if (!policy.has_pfc(i)) continue;
    if (xoff) policy.groups[i].xoff = bytes(*xoff);
    if (xon) policy.groups[i].xon_offset = bytes(*xon);
    if (xoff && buffer && *buffer >= *xoff) policy.groups[i].headroom = bytes(*buffer - *xoff);
  }
}

/// The model has no direction: PFC is on unless both are off.
void apply_pfc(QosPolicy& policy, const std::vector<const Statement*>& statements, UnreadNotes& unread) {
  bool sends = true, obeys = true;
  const bool names =
      std::any_of(statements.begin(), statements.end(), [](const auto* s) { return s->word(3) == "switch-priority"; });
  if (names) {
    policy.pfc = 0;
    for (std::size_t i = 0; i < kPriorities; i++) policy.said.erase(fmt::format("pfc.{}", i));
  }
  for (const Statement* s : statements) {
    if (s->word(3) == "switch-priority") apply_pfc_priority(policy, *s);
    if (s->word(3) != "tx" && s->word(3) != "rx") continue;
    (s->word(3) == "tx" ? sends : obeys) = is_on(s->word(4));
    if (!is_on(s->word(4))) unread.add(fmt::format("qos pfc … {} disable", s->word(3)), s->where);
  }
  if (!sends && !obeys) policy.pfc = 0;
  apply_pfc_sizes(policy, statements);
}

void apply_link_pause(QosPolicy& policy, const Statement& s) {
  if (s.word(3) != "tx" && s.word(3) != "rx") return;
  policy.link_pause = policy.link_pause || is_on(s.word(4));
  policy.said["link_pause"] = s.where;
}

/// What a profile that is bound to a port begins with: nothing of the default profile of its kind holds.
void clear_kind(QosPolicy& policy, std::string_view kind) {
  const QosPolicy fresh = default_policy();
  if (kind == "mapping") {
    policy.trust = fresh.trust;
    policy.class_of_dscp = fresh.class_of_dscp;
    policy.class_of_pcp = fresh.class_of_pcp;
  }
  for (QueuePolicy& queue : policy.queues) {
    if (kind == "congestion-control") queue.ecn = std::nullopt;
    if (kind == "egress-scheduler") queue.strict = false, queue.weight = 0;
  }
  if (kind == "pfc") policy.pfc = 0;
}

/// DSCPs of a mode with many classes, by switch priority. Source: as roce_policy; DSCP 41 to 50 since Cumulus Linux 5.15.
constexpr std::pair<std::string_view, std::uint8_t> kManyClasses[] = {
    {"1-2", 1}, {"3-4", 2}, {"5-6", 3}, {"11-40", 4}, {"41-50", 5}};

QosPolicy many_classes_policy() {
  QosPolicy policy = default_policy();
  policy.trust = Trust::both;
  policy.class_of_dscp.fill(0);
  for (const auto& [list, to] : kManyClasses)
    for (const std::size_t dscp : indices_of(list, kDscps)) policy.class_of_dscp[dscp] = to;
  constexpr std::uint32_t kWeights[kPriorities] = {4, 8, 18, 22, 22, 22, 4, 0};
  for (std::size_t i = 0; i < kPriorities; i++) {
    policy.queues[i].weight = kWeights[i];
    policy.queues[i].ecn = std::nullopt;
    if (i >= 1 && i <= 3) policy.queues[i].ecn = marking(163 * 1024, 234 * 1024, 0.05);
  }
  return policy;
}

}  // namespace

QosPolicy default_policy() {
  QosPolicy policy;
  policy.trust = Trust::pcp;
  policy.class_of_dscp = classes_by_eight();
  for (std::size_t i = 0; i < kPriorities; i++) policy.queues[i].weight = i % 2 == 0 ? 12 : 13;
  policy.queues[0].ecn = default_marking();
  return policy;
}

bool is_lossless(std::string_view mode) { return mode.substr(0, 5) != "lossy"; }

QosPolicy roce_policy(std::string_view mode, const SourceSpan& where) {
  QosPolicy policy = mode == "lossy-multi-tc" ? many_classes_policy() : default_policy();
  policy.name = fmt::format("roce {}", mode);
  policy.trust = Trust::both;
  policy.said["trust"] = where;
  if (mode == "lossy-multi-tc") return policy;
  for (std::size_t i = 0; i < kPriorities; i++) {
    policy.queue_of_class[i] = policy.queue_of_priority[i] = static_cast<std::uint8_t>(i == 3 || i == 6 ? i : 0);
    policy.said[fmt::format("class.{}.queue", i)] = where;
    policy.queues[i] = {};
  }
  policy.queues[6].strict = true;
  for (const std::size_t queue : {std::size_t{0}, std::size_t{3}}) {
    policy.queues[queue].weight = 50;
    policy.queues[queue].ecn = default_marking();
    policy.said[fmt::format("queue.{}.ecn", queue)] = where;
  }
  for (const int queue : {0, 3, 6}) policy.said[fmt::format("queue.{}", queue)] = where;
  if (is_lossless(mode)) {
    policy.pfc = 1U << 3;
    policy.groups[3].has_buffer = true;
    policy.said["pfc"] = policy.said["pfc.3"] = policy.said["group.3"] = where;
  }
  return policy;
}

void apply_profile(QosPolicy& policy, std::string_view kind, const std::string& name, const Profiles& profiles,
                   UnreadNotes& unread) {
  const auto found = profiles.find({std::string(kind), name});
  if (name != "default-global") clear_kind(policy, kind);
  if (found == profiles.end()) return;
  if (kind == "congestion-control" && name == "default-global" && policy.name.empty()) clear_kind(policy, kind);
  if (kind == "pfc") return apply_pfc(policy, found->second, unread);
  if (kind == "congestion-control") return apply_congestion(policy, found->second);
  for (const Statement* statement : found->second) {
    if (kind == "mapping") apply_mapping(policy, *statement);
    if (kind == "egress-queue-mapping") apply_queue_mapping(policy, *statement);
    if (kind == "egress-scheduler") apply_scheduler(policy, *statement);
    if (kind == "link-pause") apply_link_pause(policy, *statement);
  }
}

}  // namespace railyard::nvue
