#include "config/read/sonic_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/read/sonic_facts.h"
#include "config/read/sonic_policy.h"
#include "config/read/sonic_tables.h"
#include "config/read/switch_device.h"

namespace railyard::sonic {

namespace {

constexpr std::string_view kQosTables[] = {"PORT_QOS_MAP", "QUEUE", "BUFFER_PG", "BUFFER_QUEUE", "PFC_WD"};

/// Rows of QoS by port. A row about a port that the same file's PORT table does not have is left over, from before a breakout
/// say, and is noted as unread.
class Collected {
 public:
  Collected(Device& device, const Tables& tables, UnreadNotes& unread)
      : device_(device), ports_(device), unread_(unread), is_closed_(tables.has("PORT")) {
    for (const Entry& row : tables.rows("PORT_QOS_MAP"))
      if (row.key != "global")
        for (const std::string_view port : items_of(row.key))
          if (PortStatements* at = of(port, row, "PORT_QOS_MAP")) at->qos_map = &row;
    for (const Entry& row : tables.rows("PFC_WD"))
      if (row.key != "GLOBAL")
        for (const std::string_view port : items_of(row.key))
          if (PortStatements* at = of(port, row, "PFC_WD")) at->watchdog = &row;
    collect(tables, "QUEUE", &PortStatements::queue);
    collect(tables, "BUFFER_PG", &PortStatements::group);
    collect(tables, "BUFFER_QUEUE", &PortStatements::queue_buffer);
    statements.resize(device.ports.size());
  }

  std::vector<PortStatements> statements;  // by port of the device

 private:
  void collect(const Tables& tables, std::string_view table, std::array<const Entry*, kPriorities> PortStatements::*rows) {
    for (const Entry& row : tables.rows(table)) {
      const PortsAndBits about = ports_and_bits(row.key);
      for (const std::string_view port : about.ports) {
        PortStatements* at = about.bits == 0 ? nullptr : of(port, row, table);
        for (std::size_t i = 0; at != nullptr && i < kPriorities; i++)
          if ((about.bits >> i & 1) != 0) (at->*rows)[i] = &row;
      }
    }
  }

  PortStatements* of(std::string_view port, const Entry& row, std::string_view table) {
    if (port == "CPU") return nullptr;
    if (is_closed_ && !ports_.has(port)) {
      unread_.add(fmt::format("{} of a port that PORT does not have", table), *row.where);
      return nullptr;
    }
    const std::size_t index = ports_.add(port, *row.where);
    if (statements.size() < device_.ports.size()) statements.resize(device_.ports.size());
    return &statements[index];
  }

  Device& device_;
  SwitchPorts ports_;
  UnreadNotes& unread_;
  bool is_closed_;
};

/// Ports with the same rows have the same policy, so that each is worked out once.
void add_policies(Device& device, const Tables& tables, UnreadNotes& unread, std::size_t ports_before) {
  const Collected collected(device, tables, unread);
  const std::vector<QosPolicy> before = std::move(device.policies);
  const QosPolicy start = ports_before == 0 && !before.empty() ? before.front() : unmapped_policy();
  device.policies.clear();
  std::unordered_map<std::string, std::uint32_t> known;
  for (std::size_t i = 0; i < device.ports.size(); i++) {
    PortConfig& port = device.ports[i];
    const bool is_old = i < ports_before && port.policy < before.size();
    const std::string key = fmt::format("{}#{}", is_old ? port.policy + 1 : 0, signature_of(collected.statements[i]));
    const auto [at, is_new] = known.emplace(key, 0);
    if (is_new)
      at->second =
          policy_index(device, policy_of(is_old ? before[port.policy] : start, collected.statements[i], tables, unread));
    port.policy = at->second;
  }
  if (device.ports.empty()) device.policies.push_back(policy_of(start, {}, tables, unread));
}

/// What the buffer manager would give a group of this port; none if it cannot: it knows the speed and no cable (or one of 0 m),
/// or its table has no such row. Of a port of which nothing is known, as in qos.json alone, it is taken to have done so.
std::optional<GroupPolicy> managed_group(const Device& device, const PortConfig& port) {
  GroupPolicy group;
  group.has_buffer = true;
  if (!port.speed) return group;
  if (!port.cable || port.cable->count() == 0) return std::nullopt;
  if (device.lossless_profiles.empty()) return group;
  for (const LosslessProfile& row : device.lossless_profiles)
    if (row.speed == *port.speed && row.cable == *port.cable) return row.group;
  return std::nullopt;
}

/// The policy with managed buffers for this port.
QosPolicy with_managed_buffers(QosPolicy policy, const Device& device, const PortConfig& port) {
  const std::optional<GroupPolicy> managed = managed_group(device, port);
  for (std::size_t i = 0; i < kPriorities; i++) {
    GroupPolicy& group = policy.groups[i];
    if (!policy.has_pfc(policy.priority_of_group[i])) continue;
    const bool is_said = policy.said.count(fmt::format("group.{}", i)) != 0;
    if (!is_said) group = managed.value_or(GroupPolicy());
    if (is_said && group.has_buffer && !group.headroom && managed && managed->headroom) {
      const std::optional<double> alpha = group.alpha;
      group = *managed;
      if (alpha) group.alpha = alpha;
    }
  }
  return policy;
}

}  // namespace

void add_managed_buffers(Device& device) {
  const std::vector<QosPolicy> before = std::move(device.policies);
  device.policies.clear();
  std::map<std::tuple<std::uint32_t, std::int64_t, std::int64_t>, std::uint32_t> known;
  for (PortConfig& port : device.ports) {
    if (port.policy >= before.size()) continue;
    const std::int64_t speed = port.speed ? port.speed->count() : -1, cable = port.cable ? port.cable->count() : -1;
    const auto [at, is_new] = known.emplace(std::tuple(port.policy, speed, cable), 0);
    if (is_new) at->second = policy_index(device, with_managed_buffers(before[port.policy], device, port));
    port.policy = at->second;
  }
  if (device.ports.empty()) device.policies = before;
}

void add_tables(const Document& root, const ConfigText& text, Estate& estate) {
  const Tables tables(root);
  Device& device = switch_of(estate, text, own_name(tables), Dialect::sonic);
  UnreadNotes unread(device);
  const std::size_t ports_before = device.ports.size();
  add_facts(device, tables, unread);
  const bool has_qos = std::any_of(std::begin(kQosTables), std::end(kQosTables), [&](auto t) { return tables.has(t); });
  if (!has_qos && device.policies.empty()) return;
  add_policies(device, tables, unread, ports_before);
  const Entry* metadata = tables.find("DEVICE_METADATA", "localhost");
  if (metadata == nullptr || text_of(metadata->field("buffer_model")) != "dynamic") add_managed_buffers(device);
}

}  // namespace railyard::sonic
