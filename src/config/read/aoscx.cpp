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
    }
  } else if (line.word(0) == "flow-control" && !line.no) {
    policy.link_pause = true;
    say(policy, "link_pause", line);
  }
  if (!line.starts({"apply", "qos"})) return;
  const std::string_view queues = line.after("queue-profile"), schedule = line.after("schedule-profile");
  for (const CliStatement* profile : global_) {
    if (profile->starts({"qos", "queue-profile"}) && profile->word(2) == queues)
      tree_.each_below(*profile, [&](const CliStatement& map) {  // "map queue 3 local-priority 3"
        const auto queue = cli_number_below(map.after("queue"), kPriorities);
        if (!queue || map.word(3) != "local-priority") return;
        for (const std::uint8_t one : cli_numbers_below(map, 4, kPriorities)) policy.queue_of_class[one] = *queue;
      });
    if (profile->starts({"qos", "schedule-profile"}) && profile->word(2) == schedule)
      tree_.each_below(*profile, [&](const CliStatement& one) {  // "strict queue 7", "dwrr queue 3 weight 40"
        const auto queue = cli_number_below(one.after("queue"), kPriorities);
        if (!queue) return;
        policy.queues[*queue].strict = one.word(0) == "strict";
        policy.queues[*queue].weight = cli_number_below(one.after("weight"), 255).value_or(0);
        say(policy, "queue." + std::to_string(*queue), one);
      });
  }
}

}  // namespace railyard
