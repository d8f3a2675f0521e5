// [qos] and its tables: what switches and NICs are configured to do with packets.
#include <sstream>

#include "scenario/read/effect_conditions.h"
#include "scenario/read/keys_parts.h"
#include "scenario/read/qos_spec.h"

namespace railyard {

namespace {

using namespace conditions;

const TransportSet kEthernet = static_cast<TransportSet>(kAnyTransport & ~set_of(TransportKind::infiniband));
const KeyEffect kQosKeys{kPackets, {}, kEthernet};

std::vector<TableKey<QosTable>> map_keys() {
  using Q = QosTable;
  return {key("trust", &Q::trust, "what a port takes the traffic class from; packets here have no VLAN tag, so that PCP is 0"),
          key("dscp_to_tc", &Q::dscp_to_tc,
              "traffic class of a DSCP, { \"26\" = 3 }; the others go by eight: 0 to 7 are class 0, 8 to 15 class 1, …"),
          key("tc_to_queue", &Q::tc_to_queue, "queue of a traffic class, { \"3\" = 3 }; that of its number if not given"),
          key("tc_to_pg", &Q::tc_to_pg, "priority group of a traffic class at ingress; that of its number if not given"),
          only(kQosKeys.when(kPauses),
               key("pg_to_pfc", &Q::pg_to_pfc, "PFC priority that a pause for a group names; that of its number if not given")),
          only(kQosKeys.when(kPauses),
               key("pfc_to_queue", &Q::pfc_to_queue, "queue that a received pause stops; that of its number if not given")),
          key("lossless", &Q::lossless,
              "PFC priorities that PFC is on for: pauses for others are neither sent nor obeyed, and headroom is set aside for "
              "each; as transport.pfc.priorities if not given"),
          only(kQosKeys.when(kSharedPort), key("strict", &Q::strict,
                                               "queues that are served before others, the highest number first; that of CNPs "
                                               "if not given")),
          only(kQosKeys.when(kSharedPort),
               key("weights", &Q::weights, "shares of the other queues, { \"3\" = 50 }; as transport.classes if not given")),
          only(kQosKeys.when(kReadsMarks),
               key("ecn", &Q::ecn,
                   "when queues mark: { \"3\" = { kmin = \"100 KB\", kmax = \"400 KB\", pmax = 0.2 }, \"0\" = \"off\" }, "
                   "\"all\" for the others; \"off\" for all. Thresholds are sizes, shares of what the queue may take "
                   "(\"55 %\"), or times at the link's rate; as transport.ecn if not given"))};
}

std::vector<TableKey<QosTable>> buffer_keys() {
  using Q = QosTable;
  const Limits<Bytes> size{.max = kLargestQueue};
  return {
      key("alpha", &Q::alpha, "dynamic threshold of every group; as transport.pfc.alpha if not given",
          {.min = 1.0 / 256, .max = 256.0}),
      key("xoff", &Q::xoff, "fixed threshold instead", size),
      only(kQosKeys.when(kPauses), key("xon", &Q::xon, "what ends a pause at a fixed threshold", size)),
      only(kQosKeys.when(kPauses), key("xon_offset", &Q::xon_offset, "what ends a pause: this far below the threshold", size)),
      only(kQosKeys.when(kPauses), key("headroom", &Q::headroom, "of every lossless group and port", size)),
      only(kQosKeys.when(kPauses),
           key("cable", &Q::cable,
               "length that headroom is computed for, where it is not given; as the fabric has it if not given",
               {.max = kLongestCable})),
      key("reserve", &Q::reserve, "of every group and port", size),
      only(kQosKeys.when(kPauses), key("watchdog", &Q::watchdog, "break pauses that last too long")),
      only(kQosKeys.when(kWatchdog), key("watchdog_detection", &Q::watchdog_detection, "as in transport.pfc", kPeriod)),
      only(kQosKeys.when(kWatchdog), key("watchdog_restoration", &Q::watchdog_restoration, "as in transport.pfc", kPeriod)),
      only(kQosKeys.when(kWatchdog), key("watchdog_poll", &Q::watchdog_poll, "as in transport.pfc", kPeriod)),
      only(kQosKeys.when(kWatchdog),
           key("watchdog_action", &Q::watchdog_action, "as in transport.pfc; \"alert\" does nothing to packets"))};
}

std::vector<TableKey<QosTable>> qos_keys() {
  std::vector<TableKey<QosTable>> keys = map_keys();
  for (TableKey<QosTable>& one : buffer_keys()) keys.push_back(std::move(one));
  return keys;
}

constexpr std::size_t kHostKeys = 4;              // that a host has beside those of every device
constexpr std::uint32_t kMostInRange = 1U << 16;  // devices

/// The same keys, for a tier or a device; a host may have marks, an MTU and a DCQCN of its own.
void read_qos_table(const Document& document, bool is_host, QosTable& table, Complaints& complaints,
                    std::span<const std::string> others = {}) {
  static const std::vector<Key<QosTable>> keys = [] {
    std::vector<Key<QosTable>> all;
    for (TableKey<QosTable>& one : qos_keys()) all.push_back(std::move(one.key));
    all.push_back(key("data_mark", &QosTable::data_mark, "DSCP of the data that this host sends", {.max = kDscps - 1}));
    all.push_back(key("cnp_mark", &QosTable::cnp_mark, "DSCP of the CNPs that this host sends", {.max = kDscps - 1}));
    all.push_back(
        key("mtu", &QosTable::mtu, "payload bytes of a packet that this host's NICs take", {.min = 64_B, .max = 65536_B}));
    all.push_back(key("dcqcn", &QosTable::dcqcn, "keys of [transport.dcqcn] that this host's NICs have otherwise"));
    return all;
  }();
  table.where = document.where();
  const std::span<const Key<QosTable>> known(keys.data(), keys.size() - (is_host ? 0 : kHostKeys));
  read_table<QosTable>(document, known, others, table, complaints);
}

Section tier_section(DeviceTier tier, std::string path, std::string help) {
  return {std::move(path),
          std::move(help),
          kQosKeys,
          {},
          [tier](const Document& document, std::span<const std::string>, ScenarioSpec& scenario, Complaints& complaints,
                 const KeySet&) {
            read_qos_table(document, false, scenario.qos.tiers[static_cast<std::size_t>(tier)], complaints);
          },
          true};
}

Section marks_section() {
  using M = QosMarks;
  const Limits<std::uint32_t> dscp{.max = kDscps - 1};
  return section("qos.marks", "DSCP of packets, by what they carry; eight times its priority if not given, data 26", kQosKeys,
                 [](ScenarioSpec& s) -> M& { return s.qos.marks; },
                 {key("data", &M::data, "of data, and of its ACKs unless they go with CNPs", dscp),
                  only(kQosKeys.when(kControlPackets), key("cnp", &M::cnp, "of CNPs", dscp)),
                  only(KeyEffect{kPacketTraffic | kPacketCollective, {kBackgroundTraffic}, kEthernet},
                       key("background", &M::background, "of background traffic", dscp)),
                  only(KeyEffect{kPacketTraffic, {kStorage}, kEthernet}, key("storage", &M::storage, "of storage", dscp))});
}

/// "3", or "8-15".
bool find_numbers(const std::string& text, QosSpec::Single& single) {
  const std::size_t dash = text.find('-');
  const auto number = [](const std::string& digits) -> std::optional<std::uint32_t> {
    if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
    return static_cast<std::uint32_t>(std::stoul(digits));
  };
  const std::optional<std::uint32_t> first = number(text.substr(0, dash));
  const std::optional<std::uint32_t> last = dash == std::string::npos ? first : number(text.substr(dash + 1));
  if (!first || !last || *first > *last || *last - *first >= kMostInRange) return false;
  single.index = *first, single.last = *last;
  return true;
}

/// What a device is: "spine 2", "host 3", "host 8-15", "node s1" in a drawing. False if it is none.
bool find_device(const std::string& text, QosSpec::Single& single) {
  static const std::pair<std::string_view, DeviceTier> kTiers[] = {{"host", DeviceTier::nic},
                                                                   {"leaf", DeviceTier::leaf},
                                                                   {"spine", DeviceTier::spine},
                                                                   {"core", DeviceTier::core},
                                                                   {"gateway", DeviceTier::other}};
  std::istringstream in(text);
  std::string kind, name, more;
  if (!(in >> kind >> name) || in >> more) return false;
  if (kind == "node") {
    single.name = name;
    return true;
  }
  if (!find_numbers(name, single)) return false;
  for (const auto& [word, tier] : kTiers)
    if (word == kind) {
      single.tier = tier;
      return true;
    }
  return false;
}

/// [qos.devices."leaf 3".ports]: a table for ports to a neighbour, "host 12", or by number, "4-7".
void read_qos_ports(const Document& table, QosSpec::Single& device, Complaints& complaints) {
  if (!table.members()) return schema::wrong_type("ports", table, "tables with keys of [qos]", complaints);
  for (const Document::Member& member : *table.members()) {
    QosSpec::Single found;
    const bool by_number = find_numbers(member.key, found);
    if (!by_number && !find_device(member.key, found)) {
      complaints.error("RY-SCN-082", member.where, fmt::format("'{}' names no ports", printable(member.key)),
                       "write the neighbour, \"host 3\", \"spine 0-3\" or \"node s1\", or numbers of ports, \"4\" or \"4-7\"");
      continue;
    }
    if (!member.value.members()) {
      schema::wrong_type(member.key, member.value, "a table with keys of [qos]", complaints);
      continue;
    }
    QosSpec::Single::Ports ports{by_number ? std::nullopt : std::optional(found.tier), found.index, found.last, found.name, {}};
    read_qos_table(member.value, false, ports.table, complaints);
    ports.table.where = member.where;
    device.ports.push_back(std::move(ports));
  }
}

}  // namespace

std::string type_name(std::type_identity<DcqcnTable>) { return "table with keys of transport.dcqcn"; }
std::string written(const DcqcnTable&) { return {}; }

void convert(std::string_view key, const Document& value, DcqcnTable& out, const Limits<DcqcnTable>&, Complaints& complaints) {
  static const std::vector<Key<DcqcnSpec>> keys = [] {
    std::vector<Key<DcqcnSpec>> all;
    for (TableKey<DcqcnSpec>& one : dcqcn_keys())
      if (one.key.info.name != "cnp_dscp" && one.key.info.name != "cnp_802p_prio") all.push_back(std::move(one.key));
    return all;
  }();
  if (!value.members()) return schema::wrong_type(key, value, "a table with keys of [transport.dcqcn]", complaints);
  read_table<DcqcnSpec>(value, keys, {}, out.given.emplace(), complaints);
  out.has_preset = value.find("preset") != nullptr;
}

void read_qos_devices(const Document& table, std::vector<QosSpec::Single>& devices, Complaints& complaints) {
  for (const Document::Member& member : *table.members()) {
    QosSpec::Single single;
    single.written = member.key;
    if (!find_device(member.key, single)) {
      complaints.error("RY-SCN-082", member.where, fmt::format("'{}' is not a device", printable(member.key)),
                       "write \"host 3\", \"host 8-15\", \"leaf 3\", \"spine 2\" or \"core 0\"; in a drawing \"node s1\"");
      continue;
    }
    if (!member.value.members()) {
      schema::wrong_type(member.key, member.value, "a table with keys of [qos]", complaints);
      continue;
    }
    static const std::vector<std::string> kPortsTable = {"ports"};
    const bool is_host = single.name.empty() && single.tier == DeviceTier::nic;
    read_qos_table(member.value, is_host, single.table, complaints,
                   is_host ? std::span<const std::string>() : std::span<const std::string>(kPortsTable));
    single.table.where = member.where;
    if (const Document* ports = is_host ? nullptr : member.value.find("ports")) read_qos_ports(*ports, single, complaints);
    devices.push_back(std::move(single));
  }
}

std::vector<Section> qos_sections() {
  std::vector<TableKey<QosTable>> keys = qos_keys();
  keys.insert(keys.begin(),
              only(KeyEffect{kOnFabric, {kConfigured}, kEthernet},
                   key("from", &QosTable::from,
                       "file or folder of configurations (those of `railyard lint`) that devices have, instead of what "
                       "[transport] says: leaves, spines and cores by role or name, hosts by their NICs, \"leaf03\" by itself "
                       "where it differs; keys of [qos] change what was read. Hash and MTU are taken in runs without packets, "
                       "too, unless [routing] and transport.mtu say them")));
  return {section(
              "qos",
              "what switches and NICs are configured to do with packets: maps, PFC, ECN, scheduling, buffers. What is not "
              "given is as [transport] has it",
              kQosKeys, [](ScenarioSpec& s) -> QosTable& { return s.qos.all; }, std::move(keys)),
          marks_section(),
          tier_section(DeviceTier::nic, "qos.nic", "keys of [qos] that NICs have otherwise"),
          tier_section(DeviceTier::leaf, "qos.leaf", "keys of [qos] that leaf switches have otherwise"),
          tier_section(DeviceTier::spine, "qos.spine", "keys of [qos] that spine switches have otherwise"),
          tier_section(DeviceTier::core, "qos.core", "keys of [qos] that core switches have otherwise"),
          {"qos.devices",
           "keys of [qos] that one device has otherwise, or several in a row: [qos.devices.\"spine 2\"], "
           "[qos.devices.\"host 8-15\"]; a host may have `data_mark` and `cnp_mark`, the DSCP of the data and of the "
           "CNPs that it sends, `mtu`, the payload of a packet that its NICs take, where that is less than transport.mtu (two "
           "hosts agree on the smaller one), and `dcqcn`, keys of [transport.dcqcn] that its NICs have otherwise (not those of "
           "the class of CNPs). Ports of a switch may differ from "
           "the switch: [qos.devices.\"leaf 3\".ports.\"host 12\"] for those to a neighbour, \"4-7\" for some by number",
           kQosKeys,
           {},
           [](const Document& table, std::span<const std::string>, ScenarioSpec& scenario, Complaints& complaints,
              const KeySet&) { read_qos_devices(table, scenario.qos.devices, complaints); },
           true}};
}

}  // namespace railyard
