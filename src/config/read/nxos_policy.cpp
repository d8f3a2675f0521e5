#include "config/read/nxos_policy.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "config/read/cli_values.h"

namespace railyard {

namespace {

constexpr double kNxosWatchdogInterval = 100;  // Cisco, "priority-flow-control watch-dog-interval": 100 ms

/// Cisco, default-8q-out-policy: queue 7 is strict, what is left goes to the default queue.
void nxos_default_queues(QosPolicy& policy) {
  policy.queues[7].strict = true;
  policy.queues[0].weight = 100;
}

/// Cisco, "priority-flow-control watch-dog": a storm takes one interval and its end ten, unless multipliers say otherwise;
/// those that were said before keep their number of intervals.
void set_nxos_intervals(Picoseconds interval, WatchdogPolicy& watchdog) {
  const std::int64_t detect = watchdog.poll && watchdog.detection ? *watchdog.detection / *watchdog.poll : 1;
  const std::int64_t restore = watchdog.poll && watchdog.restoration ? *watchdog.restoration / *watchdog.poll : 10;
  watchdog.poll = interval;
  watchdog.detection = interval * detect;
  watchdog.restoration = interval * restore;
}

bool is_aruba_port(const CliInterface& port) {
  return !port.name.empty() && std::isdigit(static_cast<unsigned char>(port.name[0])) != 0;
}

std::optional<EcnPolicy> nxos_random_detect(const CliStatement& line) {
  const auto limit = [&](std::string_view key) -> std::optional<Threshold> {
    for (std::size_t i = 0; i + 2 < line.words.size(); i++)
      if (line.words[i] == key) return cli_threshold(line.words[i + 1], line.words[i + 2]);
    return std::nullopt;
  };
  const auto kmin = limit("minimum-threshold"), kmax = limit("maximum-threshold");
  if (!kmin || !kmax) return std::nullopt;
  EcnPolicy ecn{*kmin, *kmax, 1, line.has("ecn")};
  if (const auto percent = cli_decimal(line.after("drop-probability")); percent && *percent <= 100) ecn.pmax = *percent / 100;
  return ecn;
}

/// "pause buffer-size 27456 pause-threshold 12480 resume-threshold 12480", in bytes.
void nxos_pause_buffer(const CliStatement& line, GroupPolicy& group) {
  const auto size = cli_whole_number(line.after("buffer-size")), pause = cli_whole_number(line.after("pause-threshold"));
  const auto resume = cli_whole_number(line.after("resume-threshold"));
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  if (!size || !pause || *size > most || *pause > *size) return;
  group.has_buffer = true;
  group.reserve = group.xoff = Bytes(static_cast<std::int64_t>(*pause));
  group.headroom = Bytes(static_cast<std::int64_t>(*size - *pause));
  if (resume && *resume <= most) group.xon = Bytes(static_cast<std::int64_t>(*resume));
}

}  // namespace

NxosPolicies::NxosPolicies(const CliTree& tree, std::string file) : tree_(tree), file_(std::move(file)), mqc_(read_mqc(tree)) {
  tree.each_top([&](const CliStatement& top) {
    if (top.starts({"system", "qos"})) tree.each_below(top, [&](const CliStatement& line) { system_.push_back(&line); });
    if (top.word(0) == "priority-flow-control" || top.word(0) == "qos" || top.starts({"apply", "qos"})) global_.push_back(&top);
  });
}

bool NxosPolicies::says_anything() const {
  return !system_.empty() || !global_.empty() || !mqc_.policies.empty() || !mqc_.classes.empty();
}

void NxosPolicies::say(QosPolicy& policy, std::string key, const CliStatement& line) const {
  policy.said[std::move(key)] = {file_, line.line, line.column};
}

/// Queues or qos-groups of a class: by its class map, else by the names that the system has, "c-out-8q-q3" and
/// "c-8q-nq-default".
std::vector<std::uint8_t> NxosPolicies::numbers_of(std::string_view type, const std::string& class_name) const {
  if (const MqcClass* said = mqc_.class_map(type, class_name); said != nullptr && !said->numbers.empty()) return said->numbers;
  if (class_name == "class-default" || (class_name.starts_with("c-") && class_name.ends_with("default"))) return {0};
  if (!class_name.starts_with("c-")) return {};
  const std::size_t q = class_name.rfind('q');
  if (q == std::string::npos) return {};
  const auto number = cli_number_below(std::string_view(class_name).substr(q + 1), kPriorities);
  return number ? std::vector<std::uint8_t>{*number} : std::vector<std::uint8_t>{};
}

QosPolicy NxosPolicies::policy(const CliInterface& port) const {
  QosPolicy policy;
  if (is_aruba_port(port)) {
    read_aruba_maps(policy);
    for (const CliStatement* line : port.qos) read_aruba(*line, policy);
    return policy;
  }
  // Cisco, "Default QoS behavior": without a policy of type qos all packets are in qos-group 0.
  policy.trust = Trust::port;
  policy.class_of_pcp.fill(0);
  nxos_default_queues(policy);
  policy.pfc_mode = PfcMode::negotiated;  // Cisco, "priority-flow-control mode": auto
  std::string classes;
  for (const CliStatement* line : system_) {
    const MqcBinding bound = mqc_binding(*line);
    if (bound.type == "qos") classes = bound.name, say(policy, "trust", *line);
    if (bound.type == "network-qos") read_network(bound.name, policy);
    if (bound.type == "queuing") read_queuing(bound, policy);
  }
  for (const CliStatement* line : global_) read_port(*line, policy);
  // Cisco, "PFC watchdog": on for the switch unless it says off, off for a port unless it says on.
  const bool off = policy.said.count("watchdog") != 0 && !policy.watchdog.enabled;
  policy.watchdog.enabled = false;
  for (const CliStatement* line : port.qos) {
    const MqcBinding bound = mqc_binding(*line);
    if (bound.type == "qos") classes = bound.name, say(policy, "trust", *line);
    if (bound.type == "queuing") read_queuing(bound, policy);
    if (bound.name.empty()) read_port(*line, policy);
  }
  if (off || !policy.watchdog.enabled) policy.watchdog = {};
  policy.name = classes;
  read_classes(classes, policy);
  return policy;
}

void NxosPolicies::read_classes(const std::string& policy_map, QosPolicy& policy) const {
  const MqcClassification map = classify_marks(tree_, mqc_, policy_map, "qos-group");
  if (map.by_dscp) policy.trust = map.by_pcp ? Trust::both : Trust::dscp;
  if (!map.by_dscp && map.by_pcp) policy.trust = Trust::pcp;
  if (!map.by_dscp && !map.by_pcp && map.rest.said != nullptr) policy.trust = Trust::dscp;
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

void NxosPolicies::read_network(const std::string& policy_map, QosPolicy& policy) const {
  const auto* actions = mqc_.policy_map("network-qos", policy_map);
  if (actions == nullptr) return;
  std::vector<PausedGroup> paused;
  for (const MqcAction& action : *actions) {
    const std::vector<std::uint8_t> groups = numbers_of("network-qos", action.class_name);
    tree_.each_below(*action.block, [&](const CliStatement& line) {
      if (line.word(0) != "pause" || line.no) return;
      for (const std::uint8_t group : groups) {
        const std::uint8_t priority = cli_number_below(line.after("pfc-cos"), kPriorities).value_or(group);
        policy.pfc = static_cast<std::uint8_t>(policy.pfc | 1U << priority);
        policy.groups[group].has_buffer = true;
        nxos_pause_buffer(line, policy.groups[group]);
        paused.push_back({group, priority, policy.queue_of_class[group]});
        say(policy, "pfc." + std::to_string(priority), line);
        say(policy, "group." + std::to_string(group), line);
        if (line.has("pfc-cos")) say(policy, "class." + std::to_string(group) + ".group", line);
      }
    });
  }
  set_paused_groups(policy, paused);
}

void NxosPolicies::read_queue_line(const CliStatement& line, std::uint8_t queue, bool input, QosPolicy& policy) const {
  QueuePolicy& into = policy.queues[queue];
  const std::string key = "queue." + std::to_string(queue);
  if (input) {
    if (line.word(0) == "pause")
      nxos_pause_buffer(line, policy.groups[queue]), say(policy, "group." + std::to_string(queue), line);
    return;
  }
  if (line.word(0) == "priority") into.strict = true, say(policy, key, line);
  if (line.word(0) == "bandwidth")
    if (const auto percent = cli_number_below(line.after("percent"), 101)) into.weight = *percent, say(policy, key, line);
  if (line.word(0) == "random-detect")
    if (const auto ecn = nxos_random_detect(line)) into.ecn = ecn, say(policy, key + ".ecn", line);
  if (line.starts({"queue-limit", "dynamic"}))  // Cisco, "queue-limit": 0 is 1/128, 10 is 8
    if (const auto step = cli_number_below(line.word(2), 11)) into.alpha = std::ldexp(1.0, static_cast<int>(*step) - 7);
  if (line.starts({"queue-limit"}) && line.words.size() > 2)
    if (const auto limit = cli_threshold(line.word(1), line.word(2)); limit && limit->unit == ThresholdUnit::bytes) {
      into.limit = Bytes(static_cast<std::int64_t>(limit->value));
      say(policy, key + ".limit", line);
    }
}

void NxosPolicies::read_queuing(const MqcBinding& bound, QosPolicy& policy) const {
  const auto* actions = mqc_.policy_map("queuing", bound.name);
  if (actions == nullptr) return;
  if (bound.direction == "output") policy.queues = {};
  for (const MqcAction& action : *actions)
    for (const std::uint8_t queue : numbers_of("queuing", action.class_name))
      tree_.each_below(*action.block, [&](const CliStatement& line) {
        if (!line.no) read_queue_line(line, queue, bound.direction == "input", policy);
      });
}

/// The switch says how long an interval is and how many a storm and its end take; a port says whether it is watched.
void NxosPolicies::read_watchdog(const CliStatement& line, QosPolicy& policy) const {
  WatchdogPolicy& watchdog = policy.watchdog;
  watchdog.enabled = !line.no && !line.has("off");
  if (!watchdog.poll) set_nxos_intervals(cli_milliseconds(kNxosWatchdogInterval), watchdog);
  if (const auto interval = cli_whole_number(line.after("interval"));
      line.word(1) == "watch-dog" && interval && *interval > 0 && *interval <= 1'000'000)
    set_nxos_intervals(cli_milliseconds(static_cast<double>(*interval)), watchdog);
  if (const auto multiplier = cli_number_below(line.after("shutdown-multiplier"), 101))
    watchdog.detection = *watchdog.poll * *multiplier;
  if (line.has("disable-action")) watchdog.action = StormAction::alert;
  say(policy, "watchdog", line);
}

void NxosPolicies::read_port(const CliStatement& line, QosPolicy& policy) const {
  if (line.starts({"priority-flow-control", "mode"})) {
    const std::string_view mode = line.no ? std::string_view("auto") : line.word(2);
    if (mode == "off") policy.pfc = 0;
    policy.pfc_mode = mode == "auto" ? PfcMode::negotiated : PfcMode::forced;
    say(policy, "pfc", line);
    if (mode == "on" && !mqc_.policies.empty()) say(policy, "pfc.on", line);  // a part of a file may lack the classes
  }
  if (line.word(0) == "priority-flow-control" && line.word(1).starts_with("watch-dog")) read_watchdog(line, policy);
  if (line.starts({"priority-flow-control", "auto-restore"}))
    if (const auto multiplier = cli_number_below(line.after("multiplier"), 101)) {
      if (!policy.watchdog.poll) set_nxos_intervals(cli_milliseconds(kNxosWatchdogInterval), policy.watchdog);
      policy.watchdog.restoration = *policy.watchdog.poll * *multiplier;
    }
  if (line.word(0) == "flowcontrol" && !line.no && line.words.back() == "on") {
    policy.link_pause = true;
    say(policy, "link_pause", line);
  }
}

std::optional<Bytes> NxosPolicies::mtu(std::optional<Bytes> of_port) const {
  for (const CliStatement* bound : system_) {
    const MqcBinding binding = mqc_binding(*bound);
    const auto* actions = mqc_.policy_map("network-qos", binding.name);
    if (binding.type != "network-qos" || actions == nullptr) continue;
    for (const MqcAction& action : *actions) {
      std::optional<Bytes> of_class;
      bool paused = false;
      tree_.each_below(*action.block, [&](const CliStatement& line) {
        const auto value = cli_whole_number(line.word(1));
        if (line.word(0) == "mtu" && value && *value < 1'000'000) of_class = Bytes(static_cast<std::int64_t>(*value));
        paused = paused || line.word(0) == "pause";
      });
      const bool rest = action.class_name == "class-default" || action.class_name.ends_with("default");
      if (!of_class || (!rest && !paused)) continue;
      if (of_port || rest) of_port = std::min(of_port.value_or(*of_class), *of_class);
    }
  }
  return of_port;
}

}  // namespace railyard
