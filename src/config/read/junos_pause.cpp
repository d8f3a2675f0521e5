// Junos: congestion notification profiles (PFC and its watchdog), schedulers and drop profiles.
#include <algorithm>

#include "config/read/cli_values.h"
#include "config/read/junos_policy.h"

namespace railyard {

namespace {

constexpr JunosTree::Node kNoWord = JunosTree::kNone;

std::vector<double> junos_decimals(const JunosTree& tree, JunosTree::Node node) {
  std::vector<double> out;
  if (node == kNoWord) return out;
  for (const JunosTree::Node one : tree.below(node))
    if (const auto value = cli_decimal(tree.word(one))) out.push_back(*value);
  return out;
}

}  // namespace

/// Code points that PFC is on for. Those of DSCP pause the priority of their forwarding class ("pfc-priority", its queue where
/// nothing is said); those of IEEE 802.1p pause themselves.
void JunosPolicies::read_inputs(JunosTree::Node profile, QosPolicy& policy,
                                std::map<std::uint8_t, std::uint8_t>& priority_of_queue) const {
  for (const std::string_view kind : {"ieee-802.1", "dscp"}) {
    const bool dscp = kind == "dscp";
    const JunosTree::Node points = tree_.find(profile, {"input", kind, "code-point"});
    if (points == kNoWord) continue;
    for (const JunosTree::Node point : tree_.below(points)) {
      const auto value = junos_code_point(tree_.word(point), dscp ? 6 : 3);
      const JunosTree::Node pfc = tree_.find_deep(point, "pfc");
      if (!value || pfc == kNoWord) continue;
      const std::uint8_t queue = dscp ? policy.class_of_dscp[*value] : policy.class_of_pcp[*value];
      std::uint8_t priority = dscp ? queue : *value;
      if (dscp)
        for (const auto& [name, one] : classes_)
          if (one.queue == queue && one.pfc_priority) priority = *one.pfc_priority;
      policy.pfc = static_cast<std::uint8_t>(policy.pfc | 1U << priority);
      priority_of_queue[queue] = priority;
      say(policy, "pfc." + std::to_string(priority), pfc);
    }
  }
}

void JunosPolicies::read_profile(JunosTree::Node name, QosPolicy& policy) const {
  if (name == kNoWord) return;
  const JunosTree::Node profile = tree_.find(cos_, {"congestion-notification-profile", tree_.word(name)});
  if (profile == kNoWord) return;
  say(policy, "pfc", name);
  std::map<std::uint8_t, std::uint8_t> priority_of_queue;
  read_inputs(profile, policy, priority_of_queue);
  if (policy.pfc == 0) say(policy, "pfc.on", profile);
  for (const auto& [class_name, one] : classes_)
    if (one.pfc_priority) priority_of_queue.try_emplace(one.queue, *one.pfc_priority);
  std::vector<PausedGroup> paused;
  for (const auto& [queue, priority] : priority_of_queue) paused.push_back({queue, priority, queue});
  set_paused_groups(policy, paused);
  // What a pause that comes in stops: its own queue, unless the profile says another.
  policy.queue_of_priority = {0, 1, 2, 3, 4, 5, 6, 7};
  if (const JunosTree::Node output = tree_.find(profile, {"output", "ieee-802.1", "code-point"}); output != kNoWord)
    for (const JunosTree::Node point : tree_.below(output)) {
      const auto priority = junos_code_point(tree_.word(point), 3);
      const auto queue = cli_number_below(tree_.value(point, "flow-control-queue"), kPriorities);
      if (priority && queue) policy.queue_of_priority[*priority] = *queue;
    }
  read_watchdog(tree_.find(profile, "pfc-watchdog"), policy);
}

/// Juniper, "pfc-watchdog": polls every 100 ms, two polls detect, 200 ms restore, packets are dropped.
void JunosPolicies::read_watchdog(JunosTree::Node watchdog, QosPolicy& policy) const {
  if (watchdog == kNoWord) return;
  const double poll = std::min(cli_decimal(tree_.value(watchdog, "poll-interval")).value_or(100), 1e6);
  const double polls = std::min(cli_decimal(tree_.value(watchdog, "detection")).value_or(2), 1e4);
  const double recovery = std::min(cli_decimal(tree_.value(watchdog, "recovery")).value_or(200), 1e7);
  policy.watchdog.enabled = true;
  policy.watchdog.poll = cli_milliseconds(poll);
  policy.watchdog.detection = cli_milliseconds(poll * polls);
  policy.watchdog.restoration = cli_milliseconds(recovery);
  policy.watchdog.action = tree_.find_deep(watchdog, "forward") != kNoWord ? StormAction::forward : StormAction::drop;
  say(policy, "watchdog", watchdog);
}

std::optional<Millimetres> JunosPolicies::cable(const JunosBinding& binding) const {
  if (binding.profile == kNoWord) return std::nullopt;
  const JunosTree::Node profile = tree_.find(cos_, {"congestion-notification-profile", tree_.word(binding.profile)});
  const auto metres = cli_whole_number(tree_.value(profile, "cable-length"));
  if (!metres || *metres > 100'000) return std::nullopt;
  return Millimetres(static_cast<std::int64_t>(*metres) * 1000);
}

/// Juniper, default schedulers of QFX: best-effort 5, fcoe 35, no-loss 35, network-control 5 per cent.
void JunosPolicies::read_schedulers(JunosTree::Node name, QosPolicy& policy) const {
  const JunosTree::Node map = name == kNoWord ? kNoWord : tree_.find(cos_, {"scheduler-maps", tree_.word(name)});
  if (map == kNoWord) {
    policy.queues[0].weight = policy.queues[7].weight = 5;
    policy.queues[3].weight = policy.queues[4].weight = 35;
    return;
  }
  const JunosTree::Node classes = tree_.find(map, "forwarding-class");
  if (classes == kNoWord) return;
  for (const JunosTree::Node one : tree_.below(classes)) {
    const auto found = classes_.find(tree_.word(one));
    const JunosTree::Node scheduler = tree_.find(cos_, {"schedulers", tree_.value(one, "scheduler")});
    if (found != classes_.end() && scheduler != kNoWord) read_scheduler(scheduler, found->second.queue, policy);
  }
}

void JunosPolicies::read_scheduler(JunosTree::Node scheduler, std::uint8_t queue, QosPolicy& policy) const {
  QueuePolicy& into = policy.queues[queue];
  say(policy, "queue." + std::to_string(queue), scheduler);
  const JunosTree::Node rate = tree_.find(scheduler, "transmit-rate");
  if (const auto percent = cli_number_below(tree_.value(rate, "percent"), 101)) into.weight = *percent;
  const std::string_view priority = tree_.value(scheduler, "priority");
  into.strict = priority == "strict-high" || priority == "strict-priority";
  into.ecn = ecn_of(scheduler);
  if (into.ecn) {
    const std::string_view name = tree_.value(tree_.find(scheduler, "drop-profile-map"), "drop-profile");
    const JunosTree::Node profile = name.empty() ? kNoWord : tree_.find(cos_, {"drop-profiles", name});
    const bool marks = into.ecn->marks && profile != kNoWord;  // without marks the scheduler lacks a word
    say(policy, "queue." + std::to_string(queue) + ".ecn", marks ? profile : scheduler);
  }
}

/// Fill levels are per cent of what the queue may take. Without a drop profile nothing is marked before the queue is full.
std::optional<EcnPolicy> JunosPolicies::ecn_of(JunosTree::Node scheduler) const {
  const bool marks = tree_.find(scheduler, "explicit-congestion-notification") != kNoWord;
  const std::string_view name = tree_.value(tree_.find(scheduler, "drop-profile-map"), "drop-profile");
  const JunosTree::Node profile = name.empty() ? kNoWord : tree_.find(cos_, {"drop-profiles", name});
  EcnPolicy ecn{{ThresholdUnit::percent, 100}, {ThresholdUnit::percent, 100}, 1, marks};
  if (profile == kNoWord) return marks ? std::optional(ecn) : std::nullopt;
  std::vector<double> levels = junos_decimals(tree_, tree_.find_deep(profile, "fill-level"));
  std::vector<double> chances = junos_decimals(tree_, tree_.find_deep(profile, "drop-probability"));
  if (const JunosTree::Node pairs = tree_.find(profile, "fill-level");
      pairs != kNoWord) {  // "fill-level 55 drop-probability 0;"
    chances.clear();
    for (const JunosTree::Node level : tree_.below(pairs))
      if (const auto chance = cli_decimal(tree_.value(level, "drop-probability"))) chances.push_back(*chance);
  }
  if (levels.empty()) return marks ? std::optional(ecn) : std::nullopt;
  ecn.kmin.value = std::min(levels.front(), 100.0);
  ecn.kmax.value = std::min(levels.back(), 100.0);
  if (!chances.empty()) ecn.pmax = std::min(chances.back(), 100.0) / 100;
  return ecn;
}

}  // namespace railyard
