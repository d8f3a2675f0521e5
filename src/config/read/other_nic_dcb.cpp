// iproute2: dcb pfc, ets, app, buffer and dcbx, as text, as JSON and as commands that set them.
#include <algorithm>

#include "base/json.h"
#include "config/read/other_nic.h"

namespace railyard::host_text {

namespace {

/// Names of DSCPs that dcb prints unless told otherwise: CS6, AF31, EF (RFC 2474, 2597, 3246).
std::optional<std::uint8_t> dscp_of(std::string_view text) {
  if (const auto number = whole_number(text, 63)) return static_cast<std::uint8_t>(*number);
  if (text == "EF") return 46;
  const bool is_selector = text.size() == 3 && text.starts_with("CS") && text[2] >= '0' && text[2] <= '7';
  if (is_selector) return static_cast<std::uint8_t>((text[2] - '0') * 8);
  const bool is_assured =
      text.size() == 4 && text.starts_with("AF") && text[2] >= '1' && text[2] <= '4' && text[3] >= '1' && text[3] <= '3';
  if (is_assured) return static_cast<std::uint8_t>((text[2] - '0') * 8 + (text[3] - '0') * 2);
  return std::nullopt;
}

/// The tables of dcb, whichever form they come in. Each entry is a pair.
class DcbTables {
 public:
  DcbTables(HostScope& scope, NicNames names) : scope_(scope), names_(std::move(names)) {}

  bool entry(std::string_view table, std::string_view key, std::string_view value, std::uint32_t line) {
    const SourceSpan where = scope_.at(line);
    if (table == "dscp-prio") return dscp(key, value, where);
    const auto index = whole_number(key, 7);
    if (!index) return false;
    if (table == "prio-pfc") {
      set_nic_pfc(policy(), *index, value == "on" || value == "true", where);
    } else if (table == "prio-tc") {
      if (const auto queue = whole_number(value, 7)) set_nic_queue(policy(), *index, *queue, where);
    } else if (table == "tc-tsa") {
      policy().queues[*index].strict = value == "strict";
      policy().said["queue." + std::to_string(*index)] = where;
    } else if (table == "tc-bw") {
      policy().queues[*index].weight = static_cast<std::uint32_t>(whole_number(value, 100).value_or(0));
      policy().said["queue." + std::to_string(*index)] = where;
    } else {
      return false;
    }
    return true;
  }

  void willing(bool is, std::uint32_t line) {
    const std::size_t nic = scope_.nic(names_, scope_.device.dialect);
    scope_.config(nic).dcbx_willing = is;
    scope_.say(nic, "dcbx_willing", line);
  }

  /// Who speaks DCBX: the host, or the firmware ("lld-managed" of dcb-dcbx(8)).
  void agent(bool is_firmware, std::uint32_t line) {
    const std::size_t nic = scope_.nic(names_, scope_.device.dialect);
    scope_.config(nic).dcbx_firmware = is_firmware;
    scope_.say(nic, "dcbx_firmware", line);
  }

  /// What is looked at first, "pcp" or "dscp" of dcb-apptrust(8).
  void trust(std::string_view first, std::uint32_t line) {
    if (first != "pcp" && first != "dscp") return;
    policy().trust = first == "pcp" ? Trust::pcp : Trust::dscp;
    policy().said["trust"] = scope_.at(line);
  }

 private:
  QosPolicy& policy() { return scope_.policy(scope_.nic(names_, scope_.device.dialect)); }

  /// An APP entry makes the NIC trust DSCP. The table has every DSCP that has a priority, so what a default had goes.
  bool dscp(std::string_view key, std::string_view value, const SourceSpan& where) {
    const auto dscp = dscp_of(key);
    const auto priority = whole_number(value, 7);
    if (!dscp || !priority) return false;
    QosPolicy& to = policy();
    if (!to.said.contains("trust")) to.class_of_dscp = {};
    to.trust = Trust::dscp;
    to.said["trust"] = where;
    to.class_of_dscp[*dscp] = static_cast<std::uint8_t>(*priority);
    to.said["dscp." + std::to_string(*dscp)] = where;
    return true;
  }

  HostScope& scope_;
  NicNames names_;
};

bool is_table(std::string_view word) {
  constexpr std::string_view kTables[] = {"prio-pfc", "prio-tc", "tc-tsa", "tc-bw", "dscp-prio"};
  return std::find(std::begin(kTables), std::end(kTables), word) != std::end(kTables);
}

/// Words as they are printed and as a command has them: "prio-pfc 0:off 3:on tc-bw all:12".
bool read_words(DcbTables& tables, const std::vector<std::string_view>& words, std::uint32_t line) {
  std::string_view table;
  bool known = false;
  for (std::size_t i = 0; i < words.size(); i++) {
    const auto pair = key_value(words[i], ":");
    if (is_table(words[i])) {
      table = words[i];
      known = true;
    } else if (words[i] == "willing" && i + 1 < words.size()) {
      tables.willing(words[++i] == "on", line);
      known = true;
    } else if (words[i] == "lld-managed" || words[i] == "host") {
      tables.agent(words[i] == "lld-managed", line);
      known = true;
    } else if ((words[i] == "order" || words[i] == "order:") && i + 1 < words.size()) {
      tables.trust(words[i + 1], line);
      known = true;
    } else if (pair && pair->key == "all") {
      for (std::size_t p = 0; p < kPriorities; p++) tables.entry(table, std::to_string(p), pair->value, line);
    } else if (pair && !table.empty()) {
      tables.entry(table, pair->key, pair->value, line);
    } else {
      table = {};
    }
  }
  return known;
}

std::string scalar_text(const Document& value) {
  if (value.boolean() != nullptr) return *value.boolean() ? "on" : "off";
  if (value.integer() != nullptr) return std::to_string(*value.integer());
  return value.text() != nullptr ? *value.text() : std::string();
}

/// A list of eight values, or of pairs.
void read_json_table(DcbTables& tables, const std::string& name, const Document& table) {
  if (table.items() == nullptr) return;
  std::size_t index = 0;
  for (const Document& item : *table.items()) {
    const auto* pair = item.items();
    if (pair != nullptr && pair->size() == 2)
      tables.entry(name, scalar_text((*pair)[0]), scalar_text((*pair)[1]), item.where().line);
    else
      tables.entry(name, std::to_string(index), scalar_text(item), item.where().line);
    index++;
  }
}

void read_dcb_object(HostScope& scope, const Document& object) {
  NicNames names;
  if (const Document* name = object.find("ifname")) names.netdev = scalar_text(*name);
  if (const Document* name = object.find("dev"); name != nullptr && names.netdev.empty()) names.netdev = scalar_text(*name);
  DcbTables tables(scope, names);
  for (const auto& member : *object.members()) {
    std::string name = member.key;
    std::replace(name.begin(), name.end(), '_', '-');
    if (is_table(name))
      read_json_table(tables, name, member.value);
    else if (name == "willing" && member.value.boolean() != nullptr)
      tables.willing(*member.value.boolean(), member.where.line);
    else if (name == "prio-buffer" || name == "buffer-size" || name == "ethtype-prio" || name == "dgram-port-prio")
      add_unread(scope.device, name, member.where);
  }
}

}  // namespace

void read_dcb(HostScope& scope) {
  NicNames names;
  names.netdev = scope.block.option({"dev"});
  DcbTables tables(scope, names);
  const bool runs = scope.block.runs("dcb");
  const auto& command = scope.block.command;
  const auto has = [&](std::string_view word) { return std::find(command.begin(), command.end(), word) != command.end(); };
  if (runs && (has("set") || has("add") || has("replace")))
    read_words(tables, {command.begin(), command.end()}, scope.block.number);
  for (Line& line : scope.block.lines) {
    if (line.taken) continue;
    const auto words = words_of(line.text);
    const bool is_told =
        !words.empty() &&
        (is_table(words[0]) || words[0] == "willing" ||
         (runs && (words[0] == "lld-managed" || words[0] == "host" || words[0] == "order" || words[0] == "order:")));
    if (!is_told) {
      if (runs) line.taken = starts_with_any(line.text, {"pfc-cap ", "default-prio "});
      continue;
    }
    line.taken = read_words(tables, words, line.number);
  }
}

void read_dcb_json(HostScope& scope, const Document& root) {
  if (root.members() != nullptr) read_dcb_object(scope, root);
  if (root.items() == nullptr) return;
  for (const Document& item : *root.items()) {
    if (item.members() == nullptr) continue;
    const Document *name = item.find("ifname"), *mtu = item.find("mtu");
    if (name != nullptr && name->text() != nullptr && mtu != nullptr && mtu->integer() != nullptr && *mtu->integer() > 0)
      set_link_mtu(scope.device, *name->text(), static_cast<std::uint64_t>(*mtu->integer()), mtu->where());
    else
      read_dcb_object(scope, item);
  }
}

}  // namespace railyard::host_text
