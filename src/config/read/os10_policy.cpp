#include "config/read/os10_policy.h"

#include <algorithm>
#include <cmath>

#include "config/read/cli_values.h"

namespace railyard {

namespace {

constexpr std::int64_t kOs10Kilobyte = 1000;  // sizes are in KB

std::optional<Bytes> os10_kilobytes(std::string_view text) {
  const auto value = cli_whole_number(text);
  if (!value || *value > 1'000'000'000) return std::nullopt;
  return Bytes(static_cast<std::int64_t>(*value) * kOs10Kilobyte);
}

/// "pause buffer-size 50 pause-threshold 30 resume-threshold 10"
void os10_pause_buffer(const CliStatement& line, GroupPolicy& group) {
  const auto size = os10_kilobytes(line.after("buffer-size")), pause = os10_kilobytes(line.after("pause-threshold"));
  if (!size || !pause || *pause > *size) return;
  group.reserve = group.xoff = *pause;
  group.headroom = *size - *pause;
  group.xon = os10_kilobytes(line.after("resume-threshold"));
}

}  // namespace

Os10Policies::Os10Policies(const CliTree& tree, std::string file) : tree_(tree), file_(std::move(file)), mqc_(read_mqc(tree)) {
  tree.each_top([&](const CliStatement& top) {
    if (top.starts({"system", "qos"})) tree.each_below(top, [&](const CliStatement& line) { system_.push_back(&line); });
    if (!top.no && (top.word(0) == "trust" || top.word(0) == "wred" || top.word(0) == "qos-map")) blocks_[top.text()] = &top;
  });
}

const CliStatement* Os10Policies::block(std::string_view kind, std::string_view name) const {
  const auto found = blocks_.find(std::string(kind) + " " + std::string(name));
  return found == blocks_.end() ? nullptr : found->second;
}

void Os10Policies::say(QosPolicy& policy, std::string key, const CliStatement& line) const {
  policy.said[std::move(key)] = {file_, line.line, line.column};
}

QosPolicy Os10Policies::policy(const CliInterface& port) const {
  // Dell, "Configure trust": without a trust map all packets are in traffic class 0.
  QosPolicy policy;
  policy.trust = Trust::port;
  policy.class_of_pcp.fill(0);
  State state;
  for (const CliStatement* line : system_) read_line(*line, policy, state);
  for (const CliStatement* line : port.qos) read_line(*line, policy, state);
  if (!state.classes.empty()) read_classes(state.classes, policy);
  read_network(state, policy);
  return policy;
}

void Os10Policies::read_line(const CliStatement& line, QosPolicy& policy, State& state) const {
  if (line.word(0) == "trust-map") read_trust(line, policy);
  if (line.starts({"qos-map", "traffic-class"}) && !line.no) read_queue_map(line.word(2), policy);
  if (line.starts({"priority-flow-control", "mode"})) {
    state.pfc_on = !line.no && line.word(2) == "on";
    say(policy, "pfc", line);
    if (state.pfc_on && !mqc_.policies.empty()) say(policy, "pfc.on", line);
  }
  if (line.word(0) == "flowcontrol" && !line.no && line.words.back() == "on") {
    policy.link_pause = true;
    say(policy, "link_pause", line);
  }
  const MqcBinding bound = mqc_binding(line);
  if (bound.type == "network-qos") state.network = bound.name;
  if (bound.type == "qos" && !bound.name.empty()) state.classes = bound.name;
  if (bound.type == "queuing") read_queuing(bound.name, policy);
}

/// "trust-map dscp NAME": values that the map does not list are in traffic class 0. Dell's own maps are called "default".
void Os10Policies::read_trust(const CliStatement& line, QosPolicy& policy) const {
  const bool dscp = line.word(1) == "dscp";
  if (line.no) {
    policy.trust = Trust::port;
    return;
  }
  policy.trust = policy.said.count("trust") != 0 && policy.trust != (dscp ? Trust::dscp : Trust::pcp) ? Trust::both
                 : dscp                                                                               ? Trust::dscp
                                                                                                      : Trust::pcp;
  say(policy, "trust", line);
  const CliStatement* map = block(dscp ? "trust dscp-map" : "trust dot1p-map", line.word(2));
  if (map == nullptr) {
    if (dscp) policy.class_of_dscp = classes_by_eight();
    if (!dscp) policy.class_of_pcp = {1, 0, 2, 3, 4, 5, 6, 7};
    return;
  }
  tree_.each_below(*map, [&](const CliStatement& entry) {  // "qos-group 3 dscp 24-31"
    const auto group = cli_number_below(entry.word(1), kPriorities);
    if (entry.word(0) != "qos-group" || !group) return;
    if (dscp && entry.word(2) == "dscp")
      for (const std::uint8_t one : cli_dscps(entry, 3)) {
        policy.class_of_dscp[one] = *group;
        say(policy, "dscp." + std::to_string(one), entry);
      }
    if (!dscp && entry.word(2) == "dot1p")
      for (const std::uint8_t one : cli_numbers_below(entry, 3, kPriorities)) {
        policy.class_of_pcp[one] = *group;
        say(policy, "pcp." + std::to_string(one), entry);
      }
  });
}

void Os10Policies::read_queue_map(std::string_view name, QosPolicy& policy) const {
  const CliStatement* map = block("qos-map traffic-class", name);
  if (map == nullptr) return;
  tree_.each_below(*map, [&](const CliStatement& entry) {  // "queue 3 qos-group 3"
    const auto queue = cli_number_below(entry.word(1), kPriorities);
    if (entry.word(0) != "queue" || !queue || entry.word(2) != "qos-group" || entry.after("type") == "mcast") return;
    for (const std::uint8_t one : cli_numbers_below(entry, 3, kPriorities)) {
      policy.queue_of_class[one] = *queue;
      say(policy, "class." + std::to_string(one) + ".queue", entry);
    }
  });
}

/// PFC needs both: a class with "pause" in what is bound, and "priority-flow-control mode on" at the port.
void Os10Policies::read_network(const State& state, QosPolicy& policy) const {
  const auto* actions = mqc_.policy_map("network-qos", state.network);
  if (actions == nullptr) return;
  std::vector<PausedGroup> paused;
  for (const MqcAction& action : *actions) {
    const MqcClass* matched = mqc_.class_map("network-qos", action.class_name);
    const CliStatement *pause = nullptr, *cos = nullptr;
    tree_.each_below(*action.block, [&](const CliStatement& line) {
      if (line.word(0) == "pause" && !line.no) pause = &line;
      if (line.word(0) == "pfc-cos" && !line.no) cos = &line;
    });
    if (matched == nullptr || pause == nullptr) continue;
    for (const std::uint8_t group : matched->numbers) {
      const auto said = cos != nullptr ? cli_number_below(cos->word(1), kPriorities) : std::nullopt;
      const std::uint8_t priority = said.value_or(group);
      if (state.pfc_on) policy.pfc = static_cast<std::uint8_t>(policy.pfc | 1U << priority);
      policy.groups[group].has_buffer = true;  // Dell, "pause": sizes of its own where none are said
      os10_pause_buffer(*pause, policy.groups[group]);
      paused.push_back({group, priority, policy.queue_of_class[group]});
      say(policy, "pfc." + std::to_string(priority), cos != nullptr ? *cos : *pause);
      say(policy, "group." + std::to_string(group), *pause);
    }
  }
  set_paused_groups(policy, paused);
}

void Os10Policies::read_queuing(const std::string& name, QosPolicy& policy) const {
  const auto* actions = mqc_.policy_map("queuing", name);
  if (actions == nullptr) return;
  for (const MqcAction& action : *actions) {
    const MqcClass* matched = mqc_.class_map("queuing", action.class_name);
    if (matched == nullptr) continue;
    for (const std::uint8_t queue : matched->numbers)
      tree_.each_below(*action.block, [&](const CliStatement& line) {
        if (line.no) return;
        QueuePolicy& into = policy.queues[queue];
        if (line.word(0) == "priority") into.strict = true, say(policy, "queue." + std::to_string(queue), line);
        if (line.word(0) == "bandwidth")
          if (const auto percent = cli_number_below(line.after("percent"), 101)) {
            into.weight = *percent;
            say(policy, "queue." + std::to_string(queue), line);
          }
        if (line.word(0) == "random-detect") read_wred(line.word(1), queue, policy);
        if (line.word(0) == "queue-limit") {
          into.limit = os10_kilobytes(line.word(1));
          say(policy, "queue." + std::to_string(queue) + ".limit", line);
          if (const auto step = cli_number_below(line.after("dynamic"), 11))  // Dell, "queue-limit": 0 is 1/128, 10 is 8
            into.alpha = std::ldexp(1.0, static_cast<int>(*step) - 7);
        }
      });
  }
}

/// A WRED profile; "random-detect ecn" in it marks instead of dropping.
void Os10Policies::read_wred(std::string_view name, std::uint8_t queue, QosPolicy& policy) const {
  const CliStatement* profile = block("wred", name);
  if (profile == nullptr) return;
  std::optional<EcnPolicy> ecn;
  const CliStatement* said = profile;
  bool marks = false;
  tree_.each_below(*profile, [&](const CliStatement& line) {
    if (line.starts({"random-detect", "ecn"})) marks = !line.no;
    const auto kmin = os10_kilobytes(line.after("minimum-threshold")), kmax = os10_kilobytes(line.after("maximum-threshold"));
    if (!line.starts({"random-detect", "color"}) || !kmin || !kmax || (ecn && line.word(2) != "green")) return;
    ecn = EcnPolicy{{ThresholdUnit::bytes, static_cast<double>(kmin->count())},
                    {ThresholdUnit::bytes, static_cast<double>(kmax->count())},
                    cli_decimal(line.after("drop-probability")).value_or(100) / 100,
                    false};
    ecn->pmax = std::min(ecn->pmax, 1.0);
    said = &line;
  });
  if (!ecn) return;
  ecn->marks = marks;
  policy.queues[queue].ecn = ecn;
  say(policy, "queue." + std::to_string(queue) + ".ecn", *said);
}

/// A policy map of type qos comes before trust.
void Os10Policies::read_classes(const std::string& name, QosPolicy& policy) const {
  const MqcClassification map = classify_marks(tree_, mqc_, name, "qos-group");
  if (map.by_dscp && policy.trust != Trust::dscp)
    policy.trust = policy.trust == Trust::pcp || map.by_pcp ? Trust::both : Trust::dscp;
  if (!map.by_dscp && map.by_pcp && policy.trust == Trust::port) policy.trust = Trust::pcp;
  const auto take = [&](auto& into, const auto& answers, const char* key) {
    for (std::size_t i = 0; i < into.size(); i++) {
      const auto& answer = answers[i].said != nullptr ? answers[i] : map.rest;
      if (answer.said == nullptr) continue;
      into[i] = answer.value;
      say(policy, key + std::to_string(i), *answer.said);
    }
  };
  take(policy.class_of_dscp, map.of_dscp, "dscp.");
  take(policy.class_of_pcp, map.of_pcp, "pcp.");
}

}  // namespace railyard
