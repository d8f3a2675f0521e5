// What SONiC switches have: config_db.json and its parts, answers of Enterprise SONiC, LLDP and what commands print. Counters
// (show pfc counters, show queue wredcounters, COUNTERS_DB) are no configuration and are not recognised here.
#include "base/json.h"
#include "base/yaml.h"
#include "config/read/readers.h"
#include "config/read/sonic_device.h"
#include "config/read/sonic_lldp.h"
#include "config/read/sonic_openconfig.h"
#include "config/read/sonic_text.h"

namespace railyard::sonic {

namespace {

constexpr std::string_view kSonicTables[] = {"PORT_QOS_MAP",
                                             "DSCP_TO_TC_MAP",
                                             "DOT1P_TO_TC_MAP",
                                             "TC_TO_QUEUE_MAP",
                                             "TC_TO_PRIORITY_GROUP_MAP",
                                             "MAP_PFC_PRIORITY_TO_QUEUE",
                                             "QUEUE",
                                             "SCHEDULER",
                                             "WRED_PROFILE",
                                             "BUFFER_POOL",
                                             "BUFFER_PROFILE",
                                             "BUFFER_PG",
                                             "BUFFER_QUEUE",
                                             "PFC_WD",
                                             "PORT",
                                             "CABLE_LENGTH",
                                             "DEVICE_METADATA",
                                             "DEVICE_NEIGHBOR",
                                             "SWITCH_HASH",
                                             "SWITCH_TABLE",
                                             "LLDP_ENTRY_TABLE"};

bool begins_with_brace(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string::npos && text[first] == '{';
}

bool is_sonic_tables(const ConfigText& text) {
  if (!begins_with_brace(text.text) || text.text.find("COUNTERS_DB") != std::string::npos) return false;
  for (const std::string_view table : kSonicTables)
    for (const char end : {'"', '|', ':'})
      if (text.text.find(std::string("\"").append(table) + end) != std::string::npos) return true;
  return false;
}

Diagnostics with_hint(Diagnostics errors, const char* hint) {
  for (Diagnostic& error : errors) error.hint = hint;
  return errors;
}

Diagnostics read_sonic_tables(const ConfigText& text, Estate& estate) {
  const auto root = parse_json(text.text, text.file, "RY-CFG-003");
  if (!root) return with_hint(root.error(), "mend the file, or take it from the switch again: show runningconfiguration all");
  add_tables(*root, text, estate);
  return {};
}

bool is_openconfig(const ConfigText& text) {
  return text.text.find("openconfig-qos") != std::string::npos &&
         (text.text.find("interface-id") != std::string::npos || text.text.find("-map-entry") != std::string::npos ||
          text.text.find("wred-profile") != std::string::npos);
}

Diagnostics read_openconfig(const ConfigText& text, Estate& estate) {
  if (begins_with_brace(text.text)) {
    const auto root = parse_json(text.text, text.file, "RY-CFG-003");
    if (!root) return with_hint(root.error(), "mend the file, or ask the switch again");
    add_tables(tables_of_openconfig(*root), text, estate);
    return {};
  }
  auto documents = parse_yaml(text.text, text.file, "RY-CFG-003");
  if (!documents) return documents.error();
  const Document root(Document::Value(std::move(*documents)));
  add_tables(tables_of_openconfig(root), text, estate);
  return {};
}

}  // namespace

}  // namespace railyard::sonic

namespace railyard {

std::vector<FileReader> sonic_readers() {
  return {{"SONiC tables: config_db.json, qos.json, buffers.json", sonic::is_sonic_tables, sonic::read_sonic_tables},
          {"Enterprise SONiC: answers of openconfig-qos", sonic::is_openconfig, sonic::read_openconfig},
          {"lldpctl -f json of a switch", sonic::is_lldp_json, sonic::read_lldp_json},
          {"SONiC: pfcwd show config", sonic::is_watchdog_text, sonic::read_watchdog_text},
          {"SONiC: ecnconfig -l", sonic::is_ecn_text, sonic::read_ecn_text},
          {"SONiC: pg_profile_lookup.ini", sonic::is_profile_lookup, sonic::read_profile_lookup},
          {"SONiC: show lldp table", sonic::is_lldp_text, sonic::read_lldp_text}};
}

}  // namespace railyard
