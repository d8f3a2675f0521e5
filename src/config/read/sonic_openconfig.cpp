#include "config/read/sonic_openconfig.h"

#include <fmt/format.h>

#include <map>
#include <string>

#include "config/read/sonic_tables.h"

namespace railyard::sonic {

namespace {

struct OpenconfigMap {
  std::string_view list, key, value, table;
};
/// Lists of maps, what their entries lead from and to, and the table of SONiC that is the same.
constexpr OpenconfigMap kOpenconfigMaps[] = {
    {"dscp-map", "dscp", "fwd-group", "DSCP_TO_TC_MAP"},
    {"dot1p-map", "dot1p", "fwd-group", "DOT1P_TO_TC_MAP"},
    {"forwarding-group-queue-map", "fwd-group", "output-queue-index", "TC_TO_QUEUE_MAP"},
    {"forwarding-group-priority-group-map", "fwd-group", "priority-group-index", "TC_TO_PRIORITY_GROUP_MAP"},
    {"pfc-priority-queue-map", "dot1p", "output-queue-index", "MAP_PFC_PRIORITY_TO_QUEUE"},
    {"pfc-priority-priority-group-map", "dot1p", "priority-group-index", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"}};

struct Renamed {
  std::string_view openconfig, sonic;
};
constexpr Renamed kInterfaceMaps[] = {
    {"dscp-to-forwarding-group", "dscp_to_tc_map"},   {"dot1p-to-forwarding-group", "dot1p_to_tc_map"},
    {"forwarding-group-to-queue", "tc_to_queue_map"}, {"forwarding-group-to-priority-group", "tc_to_pg_map"},
    {"pfc-priority-to-queue", "pfc_to_queue_map"},    {"pfc-priority-to-priority-group", "pfc_to_pg_map"}};

/// "interface" of "openconfig-qos:interface".
std::string_view without_module(std::string_view key) {
  const std::size_t colon = key.rfind(':');
  return colon == std::string_view::npos ? key : key.substr(colon + 1);
}

const Document* child(const Document* of, std::string_view name) {
  if (of == nullptr || of->members() == nullptr) return nullptr;
  for (const Document::Member& member : *of->members())
    if (without_module(member.key) == name) return &member.value;
  return nullptr;
}

const Document* descend(const Document* of, std::initializer_list<std::string_view> path) {
  for (const std::string_view name : path) of = child(of, name);
  return of;
}

/// A text, a number or a truth value as SONiC writes it.
std::string plain(const Document* value) {
  if (value == nullptr) return {};
  if (value->boolean() != nullptr) return *value->boolean() ? "true" : "false";
  if (value->integer() != nullptr) return std::to_string(*value->integer());
  return std::string(text_of(value));
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

class OpenconfigReader {
 public:
  void read(const Document& at) {
    if (at.items() != nullptr)
      for (const Document& item : *at.items()) read(item);
    if (at.members() == nullptr) return;
    for (const Document::Member& member : *at.members()) {
      const std::string_view name = without_module(member.key);
      if (member.value.items() != nullptr && read_list(name, *member.value.items())) continue;
      read(member.value);
    }
  }

  [[nodiscard]] Document take() {
    Document root = Document::object();
    bind_schedulers();
    for (auto& [table, rows] : tables_) {
      Document::Object out;
      for (auto& [key, row] : rows) {
        Document::Object fields;
        for (auto& [name, value] : row.fields) fields.push_back({name, row.where, Document(std::move(value), row.where)});
        out.push_back({key, row.where, Document(std::move(fields), row.where)});
      }
      root.append(table, Document(std::move(out)));
    }
    return root;
  }

 private:
  struct Row {
    SourceSpan where;
    std::map<std::string, std::string> fields;
  };

  void set(std::string_view table, const std::string& key, std::string_view field, std::string value, const SourceSpan& where) {
    if (key.empty() || value.empty()) return;
    const auto [row, is_new] = tables_[std::string(table)].try_emplace(key);
    if (is_new) row->second.where = where;
    row->second.fields[std::string(field)] = std::move(value);
  }

  bool read_list(std::string_view name, const Document::Array& items) {
    for (const OpenconfigMap& map : kOpenconfigMaps)
      if (map.list == name) {
        read_maps(map, items);
        return true;
      }
    if (name != "interface" && name != "queue" && name != "wred-profile" && name != "scheduler-policy") return false;
    for (const Document& item : items) {
      if (name == "interface") read_interface(item);
      if (name == "queue") read_queue(item);
      if (name == "wred-profile") read_wred(item);
      if (name == "scheduler-policy") read_scheduler_policy(item);
    }
    return true;
  }

  void read_maps(const OpenconfigMap& map, const Document::Array& items) {
    for (const Document& item : items) {
      const Document* entries = descend(&item, {fmt::format("{}-entries", map.list), fmt::format("{}-entry", map.list)});
      if (entries == nullptr || entries->items() == nullptr) continue;
      for (const Document& entry : *entries->items())
        set(map.table, plain(child(&item, "name")), plain(descend(&entry, {"config", map.key})),
            plain(descend(&entry, {"config", map.value})), item.where());
    }
  }

  void read_interface(const Document& item) {
    const std::string port = plain(child(&item, "interface-id"));
    const Document* maps = descend(&item, {"interface-maps", "config"});
    for (const Renamed& map : kInterfaceMaps)
      set("PORT_QOS_MAP", port, map.sonic, plain(child(maps, map.openconfig)), item.where());
    set("CABLE_LENGTH", "AZURE", port, plain(descend(&item, {"cable-length", "config", "length"})), item.where());
    if (std::string policy = plain(descend(&item, {"output", "scheduler-policy", "config", "name"})); !policy.empty())
      policies_[port] = std::move(policy);
    read_pfc(port, child(&item, "pfc"));
  }

  void read_pfc(const std::string& port, const Document* pfc) {
    if (pfc == nullptr) return;
    std::string priorities;
    const Document* list = descend(pfc, {"pfc-priorities", "pfc-priority"});
    if (list != nullptr && list->items() != nullptr)
      for (const Document& one : *list->items())
        if (plain(descend(&one, {"config", "enable"})) == "true")
          priorities += (priorities.empty() ? "" : ",") + plain(descend(&one, {"config", "dot1p"}));
    set("PORT_QOS_MAP", port, "pfc_enable", priorities, pfc->where());
    const Document* watchdog = descend(pfc, {"watchdog", "config"});
    set("PFC_WD", port, "action", lower(plain(child(watchdog, "action"))), pfc->where());
    set("PFC_WD", port, "detection_time", plain(child(watchdog, "detection-time")), pfc->where());
    set("PFC_WD", port, "restoration_time", plain(child(watchdog, "restoration-time")), pfc->where());
  }

  /// "Eth1/5:0" is queue 0 of Eth1/5.
  void read_queue(const Document& item) {
    std::string key = plain(child(&item, "name"));
    const std::size_t colon = key.rfind(':');
    if (colon == std::string::npos) return;
    key[colon] = '|';
    set("QUEUE", key, "wred_profile", plain(descend(&item, {"wred", "config", "wred-profile"})), item.where());
  }

  /// Thresholds are bytes; green-drop-probability is in per cent.
  void read_wred(const Document& item) {
    const Document* config = child(&item, "config");
    const std::string name = plain(child(&item, "name"));
    if (config == nullptr || config->members() == nullptr) return;
    for (const Document::Member& member : *config->members()) {
      std::string field(without_module(member.key));
      for (char& c : field)
        if (c == '-') c = '_';
      if (field != "name") set("WRED_PROFILE", name, field, lower(plain(&member.value)), item.where());
    }
  }

  void read_scheduler_policy(const Document& item) {
    const std::string name = plain(child(&item, "name"));
    const Document* schedulers = descend(&item, {"schedulers", "scheduler"});
    if (schedulers == nullptr || schedulers->items() == nullptr) return;
    for (const Document& one : *schedulers->items()) {
      const auto sequence = number_of(child(&one, "sequence"));
      if (!sequence || *sequence < 0 || *sequence > 7) continue;
      const std::string key = fmt::format("{}@{}", name, *sequence);
      const std::string type(without_module(plain(descend(&one, {"config", "priority"}))));
      set("SCHEDULER", key, "type", type.empty() ? plain(descend(&one, {"config", "type"})) : type, one.where());
      set("SCHEDULER", key, "weight", plain(descend(&one, {"config", "weight"})), one.where());
    }
  }

  /// Schedulers of the policy that a port has, by queue.
  void bind_schedulers() {
    for (const auto& [port, policy] : policies_)
      for (int queue = 0; queue < 8; queue++) {
        const std::string key = fmt::format("{}@{}", policy, queue);
        const auto found = tables_["SCHEDULER"].find(key);
        if (found == tables_["SCHEDULER"].end()) continue;
        set("QUEUE", fmt::format("{}|{}", port, queue), "scheduler", key, found->second.where);
      }
  }

  std::map<std::string, std::map<std::string, Row>> tables_;
  std::map<std::string, std::string> policies_;  // of schedulers, by port
};

}  // namespace

Document tables_of_openconfig(const Document& root) {
  OpenconfigReader reader;
  reader.read(root);
  return reader.take();
}

}  // namespace railyard::sonic
