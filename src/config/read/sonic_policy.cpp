#include "config/read/sonic_policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace railyard::sonic {

namespace {

std::optional<Bytes> bytes_field(const Entry& entry, std::string_view name) {
  const auto value = number_of(entry.field(name));
  if (!value || *value < 0) return std::nullopt;
  return Bytes(*value);
}

std::optional<Picoseconds> milliseconds_field(const Entry& entry, std::string_view name) {
  const auto value = number_of(entry.field(name));
  if (!value || *value < 0 || *value > 86'400'000) return std::nullopt;
  return Picoseconds(*value * 1'000'000'000);
}

/// The row that a field refers to, or null. A reference that leads nowhere is noted.
const Entry* followed(const Entry& from, std::string_view field, std::string_view table, const Tables& tables,
                      UnreadNotes& unread) {
  const std::string_view name = referenced(text_of(from.field(field)));
  if (name.empty()) return nullptr;
  const Entry* found = tables.find(table, name);
  if (found == nullptr) unread.add(fmt::format("{} '{}' is not in {}", field, name, table), *from.where);
  return found;
}

/// Fills an array from {"3": "4"}; what the map leaves out is 0.
template<std::size_t N>
void fill_map(std::array<std::uint8_t, N>& map, const Entry& from, const char* said_as, QosPolicy& policy) {
  map.fill(0);
  if (from.fields->members() == nullptr) return;
  for (const Document::Member& member : *from.fields->members()) {
    const auto key = number_of(std::string_view(member.key)), value = number_of(&member.value);
    if (!key || !value || *key < 0 || *key >= static_cast<std::int64_t>(N) || *value < 0) continue;
    map[static_cast<std::size_t>(*key)] = static_cast<std::uint8_t>(std::min<std::int64_t>(*value, kPriorities - 1));
    if (*said_as != 0) policy.said[fmt::format(fmt::runtime(said_as), *key)] = member.where;
  }
}

/// Which priority a pause for a group names: the map leads from priorities to groups; of several, one that PFC is on for.
void turn_round(const std::array<std::uint8_t, kPriorities>& group_of_priority, QosPolicy& policy) {
  std::array<bool, kPriorities> is_set = {};
  for (const bool only_pfc : {true, false})
    for (std::uint8_t priority = 0; priority < kPriorities; priority++) {
      const std::uint8_t group = group_of_priority[priority];
      if (is_set[group] || (only_pfc && !policy.has_pfc(priority))) continue;
      policy.priority_of_group[group] = priority;
      is_set[group] = true;
    }
}

void apply_marks(QosPolicy& policy, const Entry& port, const Tables& tables, UnreadNotes& unread) {
  const Entry* dscp = followed(port, "dscp_to_tc_map", "DSCP_TO_TC_MAP", tables, unread);
  const Entry* dot1p = followed(port, "dot1p_to_tc_map", "DOT1P_TO_TC_MAP", tables, unread);
  if (dscp != nullptr) {
    fill_map(policy.class_of_dscp, *dscp, "dscp.{}", policy);
    policy.name = dscp->key;
  }
  if (dot1p != nullptr) fill_map(policy.class_of_pcp, *dot1p, "pcp.{}", policy);
  if (dscp == nullptr && dot1p == nullptr) return;
  policy.trust = dot1p == nullptr ? Trust::dscp : dscp == nullptr ? Trust::pcp : Trust::both;
  policy.said["trust"] = *port.where;
}

void apply_pfc(QosPolicy& policy, const Entry& port) {
  const Document* priorities = port.field("pfc_enable");
  if (priorities == nullptr) return;
  policy.pfc = bits_of(text_of(priorities));
  policy.said["pfc"] = *port.where;
  for (std::size_t i = 0; i < kPriorities; i++)
    if (policy.has_pfc(i)) policy.said[fmt::format("pfc.{}", i)] = *port.where;
}

/// Queues that the software watchdog looks after: those of the priorities in pfcwd_sw_enable. Without it (releases before
/// 202205) it looks after every queue that PFC is on for.
void apply_watched(QosPolicy& policy, const Entry& port) {
  const Document* watched = port.field("pfcwd_sw_enable");
  if (watched == nullptr) return;
  policy.said["watched"] = *port.where;
  policy.watched = 0;
  for (std::size_t i = 0; i < kPriorities; i++)
    if ((bits_of(text_of(watched)) >> i & 1) != 0)
      policy.watched = static_cast<std::uint8_t>(policy.watched | 1U << policy.queue_of_priority[i]);
}

void apply_qos_map(QosPolicy& policy, const Entry& port, const Tables& tables, UnreadNotes& unread) {
  apply_marks(policy, port, tables, unread);
  apply_pfc(policy, port);
  if (const Entry* map = followed(port, "tc_to_queue_map", "TC_TO_QUEUE_MAP", tables, unread))
    fill_map(policy.queue_of_class, *map, "class.{}.queue", policy);
  if (const Entry* map = followed(port, "tc_to_pg_map", "TC_TO_PRIORITY_GROUP_MAP", tables, unread))
    fill_map(policy.group_of_class, *map, "class.{}.group", policy);
  if (const Entry* map = followed(port, "pfc_to_queue_map", "MAP_PFC_PRIORITY_TO_QUEUE", tables, unread))
    fill_map(policy.queue_of_priority, *map, "", policy);
  if (const Entry* map = followed(port, "pfc_to_pg_map", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", tables, unread)) {
    std::array<std::uint8_t, kPriorities> group_of_priority = {};
    fill_map(group_of_priority, *map, "", policy);
    turn_round(group_of_priority, policy);
  }
  apply_watched(policy, port);
}

void apply_queue(QosPolicy& policy, std::size_t index, const Entry& row, const Tables& tables, UnreadNotes& unread) {
  QueuePolicy& queue = policy.queues[index];
  policy.said[fmt::format("queue.{}", index)] = *row.where;
  if (const Entry* scheduler = followed(row, "scheduler", "SCHEDULER", tables, unread)) {
    policy.said[fmt::format("queue.{}.scheduler", index)] = *scheduler->where;
    queue.strict = text_of(scheduler->field("type")) == "STRICT";
    const auto weight = number_of(scheduler->field("weight"));
    queue.weight = weight && *weight > 0 ? static_cast<std::uint32_t>(std::min<std::int64_t>(*weight, 1'000'000)) : 0;
  }
  if (const Entry* wred = followed(row, "wred_profile", "WRED_PROFILE", tables, unread)) {
    queue.ecn = ecn_of(*wred);
    policy.said[fmt::format("queue.{}.ecn", index)] = *wred->where;
  }
}

void apply_queue_buffer(QueuePolicy& queue, const Entry& profile) {
  queue.reserve = bytes_field(profile, "size");
  const auto dynamic = number_of(profile.field("dynamic_th"));
  queue.alpha = dynamic ? std::optional(alpha_of(*dynamic)) : std::nullopt;
  queue.limit = bytes_field(profile, "static_th");
}

void apply_group(QosPolicy& policy, std::size_t index, const Entry& row, const Tables& tables, UnreadNotes& unread) {
  GroupPolicy& group = policy.groups[index];
  const std::string_view name = referenced(text_of(row.field("profile")));
  policy.said[fmt::format("group.{}", index)] = *row.where;
  if (name == "NULL") {
    // The dynamic buffer model computes headroom and thresholds of a lossless group by itself.
    group = {};
    group.has_buffer = true;
    const auto& defaults = tables.rows("DEFAULT_LOSSLESS_BUFFER_PARAMETER");
    const auto dynamic = defaults.empty() ? std::nullopt : number_of(defaults.front().field("default_dynamic_th"));
    if (dynamic) group.alpha = alpha_of(*dynamic);
  } else if (const Entry* profile = followed(row, "profile", "BUFFER_PROFILE", tables, unread)) {
    group = group_of(*profile);
    if (group.has_buffer) policy.said[fmt::format("group.{}", index)] = *profile->where;
  } else {
    // Profiles that the buffer manager makes (pg_lossless_400000_40m_profile) need not be in the file.
    group.has_buffer = name.find("lossless") != std::string_view::npos;
  }
}

void apply_watchdog(QosPolicy& policy, const Entry& row, const Tables& tables) {
  WatchdogPolicy& watchdog = policy.watchdog;
  watchdog.detection = milliseconds_field(row, "detection_time");
  watchdog.restoration = milliseconds_field(row, "restoration_time");
  watchdog.enabled = watchdog.detection.has_value();
  const std::string_view action = text_of(row.field("action"));
  watchdog.action = action == "forward" ? StormAction::forward : action == "alert" ? StormAction::alert : StormAction::drop;
  const Entry* global = tables.find("PFC_WD", "GLOBAL");
  watchdog.poll = global != nullptr ? milliseconds_field(*global, "POLL_INTERVAL") : std::nullopt;
  // Source: sonic-swss, pfcwdorch.cpp, PFC_WD_POLL_MSECS.
  if (!watchdog.poll) watchdog.poll = Picoseconds(100'000'000'000);
  policy.said["watchdog"] = *row.where;
}

void append_row(std::string& out, const Entry* row) {
  if (row != nullptr && row->fields->members() != nullptr)
    for (const Document::Member& member : *row->fields->members()) {
      const auto number = number_of(&member.value);
      out.append(member.key).append("=");
      if (number)
        out.append(std::to_string(*number));
      else
        out.append(text_of(&member.value));
      out.append(";");
    }
  out.append("|");
}

}  // namespace

double alpha_of(std::int64_t dynamic_th) {
  return std::ldexp(1.0, static_cast<int>(std::clamp<std::int64_t>(dynamic_th, -64, 64)));
}

std::string signature_of(const PortStatements& port) {
  std::string out;
  append_row(out, port.qos_map);
  append_row(out, port.watchdog);
  for (const auto* rows : {&port.queue, &port.group, &port.queue_buffer})
    for (const Entry* row : *rows) append_row(out, row);
  return out;
}

QosPolicy unmapped_policy() {
  QosPolicy policy;
  policy.trust = Trust::port;
  policy.class_of_dscp.fill(0);
  policy.class_of_pcp.fill(0);
  policy.queue_of_class.fill(0);
  policy.group_of_class.fill(0);
  return policy;
}

std::optional<EcnPolicy> ecn_of(const Entry& profile) {
  const std::string_view mode = text_of(profile.field("ecn"));
  const bool marks = mode == "ecn_all" || mode.find("green") != std::string_view::npos;
  const bool drops = text_of(profile.field("wred_green_enable")) == "true";
  const auto longest = number_of(profile.field("green_max_threshold"));
  if ((!marks && !drops) || !longest) return std::nullopt;
  EcnPolicy ecn;
  ecn.marks = marks;
  ecn.kmin.value = static_cast<double>(std::max<std::int64_t>(number_of(profile.field("green_min_threshold")).value_or(0), 0));
  ecn.kmax.value = static_cast<double>(std::max<std::int64_t>(*longest, 0));
  // Source: sonic-wred-profile.yang: drop probabilities default to 100 per cent.
  auto percent = number_of(profile.field("green_mark_probability"));
  if (!percent) percent = number_of(profile.field("green_drop_probability"));
  ecn.pmax = std::clamp(static_cast<double>(percent.value_or(100)) / 100, 0.0, 1.0);
  return ecn;
}

GroupPolicy group_of(const Entry& profile) {
  GroupPolicy group;
  group.headroom = bytes_field(profile, "xoff");
  group.xon = bytes_field(profile, "xon");
  group.xon_offset = bytes_field(profile, "xon_offset");
  group.xoff = bytes_field(profile, "static_th");
  if (const auto dynamic = number_of(profile.field("dynamic_th"))) group.alpha = alpha_of(*dynamic);
  group.has_buffer = group.headroom.has_value() || group.xon.has_value();
  group.reserve = bytes_field(profile, "size");
  // `size` counts the headroom, unless that is shared: then it is smaller.
  if (group.reserve && group.headroom && *group.reserve >= *group.headroom) *group.reserve -= *group.headroom;
  return group;
}

QosPolicy policy_of(QosPolicy base, const PortStatements& port, const Tables& tables, UnreadNotes& unread) {
  const Entry* global = tables.find("PORT_QOS_MAP", "global");
  if (global != nullptr && (port.qos_map == nullptr || port.qos_map->field("dscp_to_tc_map") == nullptr))
    apply_marks(base, *global, tables, unread);
  if (port.qos_map != nullptr) apply_qos_map(base, *port.qos_map, tables, unread);
  for (std::size_t i = 0; i < kPriorities; i++) {
    if (port.queue[i] != nullptr) apply_queue(base, i, *port.queue[i], tables, unread);
    if (port.group[i] != nullptr) apply_group(base, i, *port.group[i], tables, unread);
    if (port.queue_buffer[i] == nullptr) continue;
    if (const Entry* profile = followed(*port.queue_buffer[i], "profile", "BUFFER_PROFILE", tables, unread)) {
      apply_queue_buffer(base.queues[i], *profile);
      base.said[fmt::format("queue.{}.limit", i)] = *profile->where;
    }
  }
  if (port.watchdog != nullptr) apply_watchdog(base, *port.watchdog, tables);
  return base;
}

}  // namespace railyard::sonic
