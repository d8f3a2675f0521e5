#include "config/read/sonic_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace railyard::sonic {

namespace {

struct RoleOfType {
  std::string_view type;
  Role role;
  std::int64_t seed;
};
/// What a device is called in DEVICE_METADATA, what it is here, and the hash seed that SONiC gives it. Source:
/// sonic-buildimage, dockers/docker-orchagent/switch.json.j2.
constexpr RoleOfType kRoles[] = {{"ToRRouter", Role::leaf, 0},         {"BackEndToRRouter", Role::leaf, 0},
                                 {"LeafRouter", Role::spine, 10},      {"BackEndLeafRouter", Role::spine, 10},
                                 {"SpineRouter", Role::core, 25},      {"FabricSpineRouter", Role::core, 40},
                                 {"UpperSpineRouter", Role::core, 50}, {"LowerSpineRouter", Role::core, 25}};

void add_metadata(Device& device, const Tables& tables) {
  const Entry* row = tables.find("DEVICE_METADATA", "localhost");
  if (row == nullptr) return;
  if (const std::string_view sku = text_of(row->field("hwsku")); !sku.empty()) device.model = sku;
  if (const std::string_view version = text_of(row->field("sonic_version")); !version.empty()) device.version = version;
  const std::string_view type = text_of(row->field("type"));
  for (const RoleOfType& known : kRoles)
    if (known.type == type) {
      device.role = known.role;
      if (!device.hash.seed) device.hash.seed = static_cast<std::uint64_t>(known.seed);
      if (device.hash.where.file.empty()) device.hash.where = *row->where;
    }
}

/// "spine1" and "Ethernet4" of a description "spine1:Ethernet4". SONiC's own tools write it so.
void add_described_neighbour(PortConfig& port, std::string_view description) {
  const std::size_t colon = description.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == description.size()) return;
  if (description.find(' ') != std::string_view::npos || !port.neighbour.empty()) return;
  port.neighbour = description.substr(0, colon);
  port.neighbour_port = description.substr(colon + 1);
}

/// Ports that the same file's PORT table does not have are left over from before a breakout.
bool may_add(const SwitchPorts& ports, const Tables& tables, std::string_view port) {
  return !tables.has("PORT") || ports.has(port);
}

void add_ports(Device& device, const Tables& tables, UnreadNotes& unread) {
  SwitchPorts ports(device);
  for (const Entry& row : tables.rows("PORT")) {
    PortConfig& port = device.ports[ports.add(row.key, *row.where)];
    port.where = *row.where;
    if (const auto speed = speed_of(number_of(row.field("speed")))) port.speed = speed;
    const auto mtu = number_of(row.field("mtu"));
    if (mtu && *mtu > 0) port.mtu = Bytes(*mtu);
    // Source: sonic-port.yang: admin_status defaults to down.
    port.enabled = text_of(row.field("admin_status")) == "up";
    add_described_neighbour(port, text_of(row.field("description")));
    if (text_of(row.field("pfc_asym")) == "on") unread.add("PORT pfc_asym", *row.where);
  }
  for (const Entry& row : tables.rows("CABLE_LENGTH")) {
    if (row.fields->members() == nullptr) continue;
    for (const Document::Member& member : *row.fields->members())
      if (const auto cable = cable_of(text_of(&member.value)); cable && may_add(ports, tables, member.key))
        device.ports[ports.add(member.key, member.where)].cable = cable;
  }
}

void add_neighbours(Device& device, const Tables& tables) {
  SwitchPorts ports(device);
  const auto add = [&](std::string_view port, std::string_view name, std::string_view its_port, const SourceSpan& where) {
    if (port.empty() || name.empty() || !may_add(ports, tables, port)) return;
    PortConfig& at = device.ports[ports.add(port, where)];
    at.neighbour = name;
    at.neighbour_port = its_port;
  };
  for (const Entry& row : tables.rows("DEVICE_NEIGHBOR")) {
    const std::string_view local = text_of(row.field("local_port"));  // older files have the neighbour's name as the key
    const std::string_view name = text_of(row.field("name"));
    add(local.empty() ? row.key : local, name.empty() ? row.key : name, text_of(row.field("port")), *row.where);
  }
  for (const Entry& row : tables.rows("LLDP_ENTRY_TABLE"))
    add(row.key, text_of(row.field("lldp_rem_sys_name")), text_of(row.field("lldp_rem_port_id")), *row.where);
}

/// The pool that lossless groups take from: the one of that name, or the largest for ingress.
void add_pools(Device& device, const Tables& tables) {
  const Entry* chosen = tables.find("BUFFER_POOL", "ingress_lossless_pool");
  for (const Entry& row : tables.rows("BUFFER_POOL")) {
    if (chosen != nullptr && chosen->key == "ingress_lossless_pool") break;
    if (text_of(row.field("type")) != "ingress") continue;
    if (chosen == nullptr || number_of(row.field("size")) > number_of(chosen->field("size"))) chosen = &row;
  }
  if (chosen == nullptr) return;
  if (const auto size = number_of(chosen->field("size")); size && *size > 0) device.buffer.size = Bytes(*size);
  if (const auto shared = number_of(chosen->field("xoff")); shared && *shared > 0) device.buffer.headroom_pool = Bytes(*shared);
  device.buffer.where = *chosen->where;
}

/// SAI's name of a field of a packet, in this model's words.
std::string hash_field(std::string_view sai) {
  constexpr std::pair<std::string_view, std::string_view> kFields[] = {
      {"SRC_IP", "src-ip"},        {"DST_IP", "dst-ip"},        {"IP_PROTOCOL", "protocol"}, {"L4_SRC_PORT", "src-port"},
      {"L4_DST_PORT", "dst-port"}, {"RDMA_BTH_DEST_QP", "qpn"}, {"IN_PORT", "in-port"},      {"IPV6_FLOW_LABEL", "flow-label"}};
  for (const auto& [name, ours] : kFields)
    if (name == sai) return std::string(ours);
  std::string out;
  for (const char c : sai) out.push_back(c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  return out;
}

/// ecmp_hash, with "@" behind it in a dump, or one list for each kind of packet (ecmp_hash_ipv4_rdma).
void add_hash_row(HashConfig& hash, const Entry& row) {
  if (row.fields->members() == nullptr) return;
  std::vector<std::string> fields;
  for (const Document::Member& member : *row.fields->members()) {
    if (member.key == "ecmp_hash_algorithm") {
      hash.function = text_of(&member.value);
    } else if (member.key == "ecmp_hash_seed") {
      if (const auto seed = number_of(&member.value); seed && *seed >= 0) hash.seed = static_cast<std::uint64_t>(*seed);
    } else if (member.key.compare(0, 9, "ecmp_hash") == 0) {
      for (const std::string_view item : items_of(&member.value))
        if (const std::string name = hash_field(item); std::find(fields.begin(), fields.end(), name) == fields.end())
          fields.push_back(name);
    }
  }
  if (!fields.empty()) hash.fields = std::move(fields);
  hash.where = *row.where;
}

void add_hash(Device& device, const Tables& tables) {
  for (const std::string_view table : {"SWITCH_HASH", "SWITCH_TABLE"})
    for (const Entry& row : tables.rows(table)) add_hash_row(device.hash, row);
  for (const std::string_view table : {"ARS_PROFILE", "ARS_OBJECT", "ARS_INTERFACES", "ARS_NEXTHOPS"})
    if (tables.has(table)) device.hash.dynamic = true;
}

struct KnownTable {
  std::string_view table, fields;  // fields that are looked at, between blanks; all of them if there are none here
};
constexpr KnownTable kKnownTables[] = {
    {"ARS_INTERFACES", ""},
    {"ARS_NEXTHOPS", ""},
    {"ARS_OBJECT", ""},
    {"ARS_PROFILE", ""},
    {"BUFFER_PG", " profile "},
    {"BUFFER_POOL", ""},
    {"BUFFER_PROFILE", " pool size xon xon_offset xoff dynamic_th static_th headroom_type "},
    {"BUFFER_QUEUE", " profile "},
    {"CABLE_LENGTH", ""},
    {"DEFAULT_LOSSLESS_BUFFER_PARAMETER", ""},
    {"DEVICE_METADATA", ""},
    {"DEVICE_NEIGHBOR", ""},
    {"DOT1P_TO_TC_MAP", ""},
    {"DSCP_TO_TC_MAP", ""},
    {"LLDP_ENTRY_TABLE", ""},
    {"MAP_PFC_PRIORITY_TO_QUEUE", ""},
    {"PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", ""},
    {"PFC_WD", " action detection_time restoration_time POLL_INTERVAL pfc_stat_history "},
    {"PORT", ""},
    {"PORT_QOS_MAP",
     " dscp_to_tc_map dot1p_to_tc_map tc_to_queue_map tc_to_pg_map pfc_to_queue_map pfc_to_pg_map pfc_enable pfcwd_sw_enable "},
    {"QUEUE", " scheduler wred_profile "},
    {"SCHEDULER", " type weight meter_type "},
    {"SWITCH_HASH", ""},
    {"SWITCH_TABLE", ""},
    {"TC_TO_PRIORITY_GROUP_MAP", ""},
    {"TC_TO_QUEUE_MAP", ""},
    {"WRED_PROFILE",
     " ecn wred_green_enable wred_yellow_enable wred_red_enable green_min_threshold green_max_threshold green_drop_probability "
     "green_mark_probability yellow_min_threshold yellow_max_threshold yellow_drop_probability red_min_threshold "
     "red_max_threshold red_drop_probability "}};

void note_fields(const KnownTable& known, const Tables& tables, UnreadNotes& unread) {
  for (const Entry& row : tables.rows(known.table)) {
    if (row.fields->members() == nullptr) continue;
    for (const Document::Member& member : *row.fields->members())
      if (known.fields.find(" " + member.key + " ") == std::string_view::npos && member.key != "NULL")
        unread.add(fmt::format("{} {}", known.table, member.key), member.where);
  }
}

void note_unread(const Tables& tables, UnreadNotes& unread) {
  for (const std::string_view name : tables.names()) {
    const auto* known =
        std::find_if(std::begin(kKnownTables), std::end(kKnownTables), [&](const KnownTable& k) { return k.table == name; });
    const auto& rows = tables.rows(name);
    if (known == std::end(kKnownTables))
      unread.add(fmt::format("table {}", name), *rows.front().where, static_cast<std::uint32_t>(rows.size()));
    else if (!known->fields.empty())
      note_fields(*known, tables, unread);
  }
}

}  // namespace

std::string_view own_name(const Tables& tables) {
  const Entry* row = tables.find("DEVICE_METADATA", "localhost");
  const std::string_view name = row != nullptr ? text_of(row->field("hostname")) : std::string_view();
  return name == "sonic" ? std::string_view() : name;
}

std::optional<Millimetres> cable_of(std::string_view text) {
  if (text.empty() || text.back() != 'm') return std::nullopt;
  const auto metres = number_of(text.substr(0, text.size() - 1));
  if (!metres || *metres < 0 || *metres > 1'000'000) return std::nullopt;
  return Millimetres(*metres * 1000);
}

std::optional<BitsPerSecond> speed_of(std::optional<std::int64_t> megabits) {
  if (!megabits || *megabits <= 0 || *megabits > 1'000'000'000) return std::nullopt;
  return BitsPerSecond(*megabits * 1'000'000);
}

void add_facts(Device& device, const Tables& tables, UnreadNotes& unread) {
  add_metadata(device, tables);
  add_ports(device, tables, unread);
  add_neighbours(device, tables);
  add_pools(device, tables);
  add_hash(device, tables);
  note_unread(tables, unread);
}

}  // namespace railyard::sonic
