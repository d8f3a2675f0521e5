#include "config/read/eos_queues.h"

#include "config/read/cli_values.h"

namespace railyard {

namespace {

/// "random-detect ecn minimum-threshold 320 kbytes maximum-threshold 320 kbytes max-mark-probability 90"
std::optional<EcnPolicy> eos_random_detect(const CliStatement& line) {
  const auto limit = [&](std::string_view key) -> std::optional<Threshold> {
    for (std::size_t i = 0; i + 2 < line.words.size(); i++)
      if (line.words[i] == key) return cli_threshold(line.words[i + 1], line.words[i + 2]);
    return std::nullopt;
  };
  const auto kmin = limit("minimum-threshold"), kmax = limit("maximum-threshold");
  if (!kmin || !kmax) return std::nullopt;
  EcnPolicy ecn{*kmin, *kmax, 1, line.word(1) == "ecn"};
  for (const std::string_view key : {"max-mark-probability", "drop-probability"})
    if (const auto percent = cli_decimal(line.after(key)); percent && *percent <= 100) ecn.pmax = *percent / 100;
  return ecn;
}

}  // namespace

void read_eos_queue(const CliTree& tree, const CliStatement& queue, const std::string& file, QosPolicy& policy,
                    EosQueueState& state) {
  const auto number = cli_number_below(queue.word(1), kPriorities);
  if (!number) return;
  QueuePolicy& into = policy.queues[*number];
  const std::string key = "queue." + std::to_string(*number);
  tree.each_below(queue, [&](const CliStatement& line) {
    const SourceSpan where{file, line.line, line.column};
    if (line.word(0) == "priority") {
      const auto bit = 1U << *number;
      state.round_robin = static_cast<std::uint8_t>(line.no ? state.round_robin | bit : state.round_robin & ~bit);
      policy.said[key] = where;
    }
    if (line.word(0) == "bandwidth" && !line.no)
      if (const auto percent = cli_number_below(line.after("percent"), 101)) {
        into.weight = *percent;
        policy.said.try_emplace(key, where);
      }
    if (line.word(0) != "random-detect") return;
    if (line.no) into.ecn.reset();
    const auto ecn = line.no ? std::nullopt : eos_random_detect(line);
    if (!ecn || (into.ecn && into.ecn->marks && !ecn->marks)) return;  // where both are said, what is ECN-capable is marked
    into.ecn = ecn;
    policy.said[key + ".ecn"] = where;
  });
}

void read_eos_watchdog(const CliStatement& line, const std::string& file, bool global, QosPolicy& policy) {
  WatchdogPolicy& watchdog = policy.watchdog;
  policy.said["watchdog"] = {file, line.line, line.column};
  if (line.no) {
    watchdog.enabled = false;
    return;
  }
  const auto span = [&](std::string_view key) -> std::optional<Picoseconds> {
    const auto value = cli_decimal(line.after(key));
    if (!value) return std::nullopt;
    return cli_milliseconds(*value * 1e3);
  };
  if (const auto value = span("timeout")) {
    watchdog.detection = value;
    if (global) watchdog.enabled = value->count() > 0;
  }
  if (const auto value = span("recovery-time")) watchdog.restoration = value;
  if (const auto value = span("polling-interval")) watchdog.poll = value;
  if (line.has("action")) {
    const std::string_view action = line.after("action");
    watchdog.action = action == "no-drop"       ? StormAction::forward
                      : action == "notify-only" ? StormAction::alert
                                                : StormAction::drop;
  }
  if (!global) watchdog.enabled = true;
}

void finish_eos_queues(const EosQueueState& state, QosPolicy& policy) {
  policy.pfc = state.pfc_on && !state.all_off ? state.no_drop : std::uint8_t{0};
  policy.queue_of_priority = policy.queue_of_class;  // a pause of a priority stops the queue of its traffic class
  // Arista, "tx-queue priority": below a queue that is served in turn, all are.
  bool in_turn = false;
  for (std::size_t i = kPriorities; i-- > 0;) {
    in_turn = in_turn || (state.round_robin >> i & 1) != 0;
    policy.queues[i].strict = !in_turn;
  }
  for (std::size_t i = 0; i < kPriorities; i++) policy.groups[i].has_buffer = policy.has_pfc(i);  // given with no-drop
  if (!policy.watchdog.enabled) policy.watchdog = {};
  if (policy.watchdog.enabled) {  // 0.2 s, 0.2 s and 0.1 s where nothing is said
    if (!policy.watchdog.detection) policy.watchdog.detection = cli_milliseconds(200);
    if (!policy.watchdog.restoration) policy.watchdog.restoration = cli_milliseconds(200);
    if (!policy.watchdog.poll) policy.watchdog.poll = cli_milliseconds(100);
  }
}

}  // namespace railyard
