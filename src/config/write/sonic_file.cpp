#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "base/document.h"
#include "base/json.h"
#include "config/write/hash_words.h"
#include "config/write/words.h"
#include "config/write/writers.h"

namespace railyard {

namespace {

Document text(std::string value) { return Document(std::move(value)); }
Document number_text(std::int64_t value) { return Document(std::to_string(value)); }

/// { "0": "0", "1": "1", … }
template<class Map>
Document map_table(const Map& map) {
  Document table = Document::object();
  for (std::size_t i = 0; i < map.size(); i++) table.set(std::to_string(i), number_text(map[i]));
  return table;
}

/// Queues are watched by the priorities whose pauses stop them.
std::uint8_t watched_priorities(const QosPolicy& policy) {
  std::uint32_t bits = 0;
  for (std::size_t p = 0; p < kPriorities; p++) bits |= (policy.watched >> policy.queue_of_priority[p] & 1U) << p;
  return static_cast<std::uint8_t>(bits);
}

/// config_db.json, table by table.
class SonicFile {
 public:
  explicit SonicFile(const Device& device) : device_(device) {}

  std::string run() {
    metadata();
    ports();
    pools();
    for (const PortConfig& port : device_.ports)
      if (port.policy < device_.policies.size()) qos_of(port, device_.policies[port.policy]);
    hash();
    Document root = Document::object();
    for (auto& [name, entries] : tables_) root.set(name, std::move(entries));
    return write_json(root);
  }

 private:
  Document& table(const std::string& name) { return tables_.try_emplace(name, Document::object()).first->second; }

  /// The name of an entry that says the same, added under a name of its own if there is none.
  std::string named(const std::string& table_name, const std::string& name, const Document& entry) {
    Document& entries = table(table_name);
    const std::string wanted = write_compact_json(entry);
    std::size_t others = 1;
    for (const Document::Member& member : *entries.members()) {
      if (member.key != name && !member.key.starts_with(name + "_")) continue;
      if (write_compact_json(member.value) == wanted) return member.key;
      others++;
    }
    const std::string own = others == 1 ? name : fmt::format("{}_{}", name, others);
    entries.set(own, entry);
    return own;
  }

  void metadata() {
    if (!device_.hash.seed) return;
    Document& localhost = table("DEVICE_METADATA").set("localhost", Document::object());
    localhost.set("type", text(std::string(sonic_type_of_seed(*device_.hash.seed))));
  }

  void ports() {
    Document lengths = Document::object();
    for (const PortConfig& port : device_.ports) {
      Document entry = Document::object();
      if (port.speed) entry.set("speed", number_text(port.speed->count() / 1'000'000));
      if (port.mtu) entry.set("mtu", number_text(port.mtu->count()));
      entry.set("admin_status", text(port.enabled ? "up" : "down"));
      table("PORT").set(port.name, entry);
      if (!port.cable) continue;
      lengths.set(port.name, text(fmt::format("{}m", (port.cable->count() + 999) / 1000)));
    }
    if (!lengths.members()->empty()) table("CABLE_LENGTH").set("AZURE", std::move(lengths));
  }

  [[nodiscard]] bool is_static() const {
    for (const QosPolicy& policy : device_.policies)
      for (const GroupPolicy& group : policy.groups)
        if (group.xoff) return true;
    return false;
  }

  void pools() {
    if (!device_.buffer.size && !device_.buffer.headroom_pool) return;
    Document pool = Document::object();
    pool.set("type", text("ingress"));
    pool.set("mode", text(is_static() ? "static" : "dynamic"));
    if (device_.buffer.size) pool.set("size", number_text(device_.buffer.size->count()));
    if (device_.buffer.headroom_pool) pool.set("xoff", number_text(device_.buffer.headroom_pool->count()));
    table("BUFFER_POOL").set("ingress_lossless_pool", pool);
  }

  void maps_of(const PortConfig& port, const QosPolicy& policy) {
    Document entry = Document::object();
    if (policy.trust == Trust::dscp || policy.trust == Trust::both)
      entry.set("dscp_to_tc_map", text(named("DSCP_TO_TC_MAP", "ROCE", map_table(policy.class_of_dscp))));
    if (policy.trust == Trust::pcp || policy.trust == Trust::both)
      entry.set("dot1p_to_tc_map", text(named("DOT1P_TO_TC_MAP", "ROCE", map_table(policy.class_of_pcp))));
    entry.set("tc_to_queue_map", text(named("TC_TO_QUEUE_MAP", "ROCE", map_table(policy.queue_of_class))));
    entry.set("tc_to_pg_map", text(named("TC_TO_PRIORITY_GROUP_MAP", "ROCE", map_table(policy.group_of_class))));
    entry.set("pfc_to_queue_map", text(named("MAP_PFC_PRIORITY_TO_QUEUE", "ROCE", map_table(policy.queue_of_priority))));
    std::array<std::uint8_t, kPriorities> group_of_priority = {};
    for (std::uint8_t group = 0; group < kPriorities; group++) group_of_priority[policy.priority_of_group[group]] = group;
    entry.set("pfc_to_pg_map", text(named("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "ROCE", map_table(group_of_priority))));
    if (policy.pfc != 0) entry.set("pfc_enable", text(bit_list(policy.pfc)));
    if (policy.watched != 0xff) entry.set("pfcwd_sw_enable", text(bit_list(watched_priorities(policy))));
    table("PORT_QOS_MAP").set(port.name, entry);
  }

  std::string scheduler_of(const QueuePolicy& queue) {
    Document entry = Document::object();
    entry.set("type", text(queue.strict ? "STRICT" : "DWRR"));
    if (queue.weight > 0) entry.set("weight", number_text(queue.weight));
    return named("SCHEDULER", "scheduler", entry);
  }

  std::string wred_of(const EcnPolicy& ecn) {
    Document entry = Document::object();
    entry.set("ecn", text(ecn.marks ? "ecn_all" : "ecn_none"));
    for (const char* colour : {"green", "yellow", "red"}) {
      entry.set(fmt::format("wred_{}_enable", colour), text("true"));
      entry.set(fmt::format("{}_min_threshold", colour), number_text(std::llround(ecn.kmin.value)));
      entry.set(fmt::format("{}_max_threshold", colour), number_text(std::llround(ecn.kmax.value)));
      entry.set(fmt::format("{}_drop_probability", colour), number_text(whole_percent(ecn.pmax)));
    }
    return named("WRED_PROFILE", "ROCE", entry);
  }

  void queue_of(const PortConfig& port, std::size_t number, const QueuePolicy& queue) {
    const std::string key = fmt::format("{}|{}", port.name, number);
    Document entry = Document::object();
    if (queue.strict || queue.weight > 0) entry.set("scheduler", text(scheduler_of(queue)));
    if (queue.ecn) entry.set("wred_profile", text(wred_of(*queue.ecn)));
    if (!entry.members()->empty()) table("QUEUE").set(key, entry);
    if (!queue.reserve && !queue.alpha && !queue.limit) return;
    Document profile = Document::object();
    profile.set("pool", text("egress_lossy_pool"));
    if (queue.reserve) profile.set("size", number_text(queue.reserve->count()));
    if (queue.alpha) profile.set("dynamic_th", number_text(std::llround(std::log2(*queue.alpha))));
    if (queue.limit) profile.set("static_th", number_text(queue.limit->count()));
    Document bound = Document::object();
    bound.set("profile", text(named("BUFFER_PROFILE", "egress_profile", profile)));
    table("BUFFER_QUEUE").set(key, bound);
  }

  void group_of(const PortConfig& port, std::size_t number, const GroupPolicy& group) {
    if (!group.has_buffer && !has_sizes(group)) return;
    Document bound = Document::object();
    bound.set("profile", text(has_sizes(group) ? profile_of(group) : "NULL"));  // NULL: the buffer manager computes one
    table("BUFFER_PG").set(fmt::format("{}|{}", port.name, number), bound);
  }

  std::string profile_of(const GroupPolicy& group) {
    Document profile = Document::object();
    profile.set("pool", text("ingress_lossless_pool"));
    // Without a shared pool of headroom, what a group has of its own holds its headroom, too.
    const Bytes inside = device_.buffer.headroom_pool ? Bytes::zero() : group.headroom.value_or(Bytes::zero());
    if (group.reserve) profile.set("size", number_text((*group.reserve + inside).count()));
    if (group.xon) profile.set("xon", number_text(group.xon->count()));
    if (group.xon_offset) profile.set("xon_offset", number_text(group.xon_offset->count()));
    if (group.headroom) profile.set("xoff", number_text(group.headroom->count()));
    if (group.alpha) profile.set("dynamic_th", number_text(std::llround(std::log2(*group.alpha))));
    if (group.xoff) profile.set("static_th", number_text(group.xoff->count()));
    return named("BUFFER_PROFILE", group.has_buffer ? "pg_lossless_profile" : "pg_lossy_profile", profile);
  }

  void qos_of(const PortConfig& port, const QosPolicy& policy) {
    maps_of(port, policy);
    for (std::size_t i = 0; i < kPriorities; i++) queue_of(port, i, policy.queues[i]);
    for (std::size_t i = 0; i < kPriorities; i++) group_of(port, i, policy.groups[i]);
    const WatchdogPolicy& dog = policy.watchdog;
    if (!dog.enabled) return;
    Document entry = Document::object();
    entry.set("action", text(std::string(name_of(dog.action))));
    if (dog.detection) entry.set("detection_time", number_text(milliseconds_in(*dog.detection)));
    if (dog.restoration) entry.set("restoration_time", number_text(milliseconds_in(*dog.restoration)));
    table("PFC_WD").set(port.name, entry);
    if (!dog.poll || table("PFC_WD").find("GLOBAL")) return;
    Document global = Document::object();
    global.set("POLL_INTERVAL", number_text(milliseconds_in(*dog.poll)));
    table("PFC_WD").set("GLOBAL", global);
  }

  void hash() {
    const HashConfig& hash = device_.hash;
    if (!hash.fields.empty()) {
      Document fields = Document::array();
      for (const auto& [field, word] : hash_words(Dialect::sonic))
        if (hash.has(field)) fields.push(text(std::string(word)));
      Document& global = table("SWITCH_HASH").set("GLOBAL", Document::object());
      global.set("ecmp_hash", fields);
      if (!hash.function.empty()) global.set("ecmp_hash_algorithm", text(hash.function));
    }
    if (!hash.dynamic) return;
    // Source: sonic-net/SONiC, doc/ars: a profile that all next hops take its object from.
    Document& profile = table("ARS_PROFILE").set("default", Document::object());
    profile.set("algorithm", text("ewma"));
    profile.set("ars_nhg_path_selector_mode", text("global"));
    profile.set("default_ars_object", text("default"));
    table("ARS_OBJECT").set("default", Document::object()).set("assign_mode", text("per_packet_quality"));
  }

  const Device& device_;
  std::map<std::string, Document> tables_;
};

}  // namespace

std::string write_sonic(const Device& device) { return SonicFile(device).run(); }

}  // namespace railyard
