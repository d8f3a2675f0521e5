// HPE Aruba AOS-CX: trust, maps, schedules and flow control of ports with names such as 1/1/17.
#include <algorithm>

#include "config/read/cli_values.h"
#include "config/read/nxos_policy.h"

namespace railyard {

namespace {

/// AOS-CX, "show qos cos-map default" and "show qos dscp-map default": local priority by eight, but 0 and 1 change places.
void aruba_defaults(QosPolicy& policy) {
  policy.trust = Trust::port;
  policy.class_of_dscp = classes_by_eight();
  std::fill_n(policy.class_of_dscp.begin(), 8, std::uint8_t{1});
  std::fill_n(policy.class_of_dscp.begin() + 8, 8, std::uint8_t{0});
  policy.class_of_pcp = {1, 0, 2, 3, 4, 5, 6, 7};
}

}  // namespace

void NxosPolicies::read_aruba_maps(QosPolicy& policy) const {
  aruba_defaults(policy);
  for (const CliStatement* line : global_) {
    if (line->no) continue;
    const auto to = cli_number_below(line->after("local-priority"), kPriorities);
    if (line->starts({"qos", "dscp-map"}) && to)
      if (const auto dscp = cli_dscp(line->word(2))) {
        policy.class_of_dscp[*dscp] = *to;
        say(policy, "dscp." + std::to_string(*dscp), *line);
      }
    if (line->starts({"qos", "cos-map"}) && to)
      if (const auto pcp = cli_number_below(line->word(2), kPriorities)) {
        policy.class_of_pcp[*pcp] = *to;
        say(policy, "pcp." + std::to_string(*pcp), *line);
      }
    read_aruba(*line, policy);
  }
}

void NxosPolicies::read_aruba(const CliStatement& line, QosPolicy& policy) const {
  if (line.starts({"qos", "trust"})) {
    policy.trust = line.no || line.word(2) == "none" ? Trust::port : line.word(2) == "cos" ? Trust::pcp : Trust::dscp;
    say(policy, "trust", line);
  }
  if (line.starts({"flow-control", "priority"}) && !line.no) {
    for (const std::uint8_t priority : cli_numbers_below(line, 3, kPriorities)) {
      policy.pfc = static_cast<std::uint8_t>(policy.pfc | 1U << priority);
      policy.groups[priority].has_buffer = true;
      say(policy, "pfc." + std::to_string(priority), line);
      policy.said.try_emplace("pfc", SourceSpan{file_, line.line, line.column});
    }
  } else if (line.word(0) == "flow-control" && line.word(1) != "buffer" && !line.no) {
    policy.link_pause = true;
    say(policy, "link_pause", line);
  }
  if (line.starts({"apply", "qos"})) read_aruba_profiles(line, policy);
}

/// "apply qos queue-profile Q schedule-profile S", "apply qos threshold-profile T".
void NxosPolicies::read_aruba_profiles(const CliStatement& line, QosPolicy& policy) const {
  const std::string_view queues = line.after("queue-profile"), schedule = line.after("schedule-profile"),
                         thresholds = line.after("threshold-profile");
  for (const CliStatement* profile : global_) {
    if (profile->starts({"qos", "queue-profile"}) && profile->word(2) == queues)
      tree_.each_below(*profile, [&](const CliStatement& map) {  // "map queue 3 local-priority 3"
        const auto queue = cli_number_below(map.after("queue"), kPriorities);
        if (!queue || map.word(3) != "local-priority") return;
        for (const std::uint8_t one : cli_numbers_below(map, 4, kPriorities)) {
          policy.queue_of_class[one] = policy.queue_of_priority[one] = *queue;
          say(policy, "class." + std::to_string(one) + ".queue", map);
        }
      });
    if (profile->starts({"qos", "schedule-profile"}) && profile->word(2) == schedule)
      tree_.each_below(*profile, [&](const CliStatement& one) {  // "strict queue 7", "dwrr queue 3 weight 40"
        const auto queue = cli_number_below(one.after("queue"), kPriorities);
        if (!queue) return;
        policy.queues[*queue].strict = one.word(0) == "strict";
        policy.queues[*queue].weight = cli_number_below(one.after("weight"), 255).value_or(0);
        say(policy, "queue." + std::to_string(*queue), one);
      });
    if (profile->starts({"qos", "threshold-profile"}) && profile->word(2) == thresholds)
      tree_.each_below(*profile, [&](const CliStatement& one) { read_aruba_threshold(one, policy); });
  }
}

/// HPE Aruba, AOS-CX 10.17 Quality of Service Guide, "queue action": "queue 3 action ecn all threshold 150 kbytes" marks all
/// above, "… min-threshold 150 kbytes max-threshold 1500 kbytes" more and more; "action wred-resp green … max-prob 70 percent"
/// drops.
void NxosPolicies::read_aruba_threshold(const CliStatement& line, QosPolicy& policy) const {
  const auto queue = cli_number_below(line.word(1), kPriorities);
  const std::string_view action = line.word(3);
  const bool marks = action == "ecn";
  if (line.word(0) != "queue" || !queue || line.no || (!marks && !action.starts_with("wred"))) return;
  const auto limit = [&](std::string_view key) -> std::optional<Threshold> { return cli_threshold(line.after(key), "kbytes"); };
  const auto one = limit("threshold"), kmin = limit("min-threshold"), kmax = limit("max-threshold");
  if (!one && (!kmin || !kmax)) return;
  std::optional<EcnPolicy>& into = policy.queues[*queue].ecn;
  if (!marks && (into || line.word(4) != "green")) return;  // what is ECN-capable is marked where both are said
  into = EcnPolicy{one ? *one : *kmin, one ? *one : *kmax, 1, marks};
  if (const auto percent = cli_decimal(line.after("max-prob")); percent && *percent <= 100) into->pmax = *percent / 100;
  say(policy, "queue." + std::to_string(*queue) + ".ecn", line);
}

/// "qos pool 1 lossless size 30 percent headroom 2048 kbytes priorities 3,4": a share of the memory, headroom out of it.
void NxosPolicies::read_aruba_pools(BufferConfig& buffer) const {
  for (const CliStatement* line : global_) {
    if (!line->starts({"qos", "pool"}) || line->word(3) != "lossless" || line->no) continue;
    buffer.where = {file_, line->line, line->column};
    const auto percent = cli_decimal(line->after("size")), headroom = cli_decimal(line->after("headroom"));
    if (percent && *percent <= 100) buffer.lossless_percent = buffer.lossless_percent.value_or(0) + *percent;
    if (headroom && *headroom < 1e9)
      buffer.headroom_pool = buffer.headroom_pool.value_or(Bytes::zero()) + Bytes(static_cast<std::int64_t>(*headroom * 1000));
  }
}

/// "flow-control buffer cable-length 30", in metres. Without it headroom is that of 350 m.
std::map<std::string, Millimetres> aruba_cables(const std::vector<CliInterface>& interfaces) {
  std::map<std::string, Millimetres> cables;
  for (const CliInterface& one : interfaces)
    for (const CliStatement* line : one.qos)
      if (const auto metres = cli_whole_number(line->after("cable-length"));
          line->starts({"flow-control", "buffer"}) && !line->no && metres && *metres <= 100'000)
        cables[one.name] = Millimetres(static_cast<std::int64_t>(*metres) * 1000);
  return cables;
}

}  // namespace railyard
