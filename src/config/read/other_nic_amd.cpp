// AMD: nicctl show qos, show dcqcn and show port, as text and as JSON.
#include <algorithm>

#include "base/json.h"
#include "config/read/host_nic.h"
#include "config/read/other_nic.h"

namespace railyard::host_text {

namespace {

/// 400 Gb/s of "400G".
std::optional<BitsPerSecond> port_speed(std::string_view text) {
  if (!text.ends_with('G')) return std::nullopt;
  const auto rate = whole_number(text.substr(0, text.size() - 1), 10'000);
  return rate ? std::optional(BitsPerSecond(static_cast<std::int64_t>(*rate) * 1'000'000'000)) : std::nullopt;
}

void set_port_field(HostScope& scope, std::size_t nic, std::string_view key, std::string_view value, std::uint32_t line) {
  NicConfig& config = scope.config(nic);
  if (key == "mtu") {
    if (const auto mtu = whole_number(value, 65536)) {
      config.mtu = Bytes(static_cast<std::int64_t>(*mtu));
      scope.say(nic, "mtu", line);
    }
  } else if (key == "speed") {
    if (const auto speed = port_speed(value)) config.speed = speed, scope.say(nic, "speed", line);
  } else if (key == "pause_type") {
    scope.policy(nic).link_pause = value == "LINK" || value == "LINK-LEVEL";
    scope.policy(nic).said["link_pause"] = scope.at(line);
  }
}

class NicctlReader {
 public:
  explicit NicctlReader(HostScope& scope) : scope_(scope) {}

  void read() {
    for (Line& line : scope_.block.lines) line.taken = line.taken || take(line);
  }

 private:
  std::size_t nic() { return scope_.nic(names_, Dialect::nicctl); }
  QosPolicy& policy() { return scope_.policy(nic()); }

  bool take(const Line& line) {
    if (schedule_line(line)) return true;
    const auto parts = key_value(line.text, ":");
    if (!parts) return line.text.starts_with("Priority  Scheduling") || line.text.starts_with("Type  ");
    if (parts->key == "NIC") {
      const auto words = words_of(parts->value);
      names_ = {};
      if (words.size() > 1) names_.aliases.push_back(pci_address(words[1].substr(1, words[1].find(')') - 1)));
      if (!words.empty()) names_.aliases.emplace_back(words[0]);
      nic();
      return true;
    }
    return qos_line(*parts, line) || dcqcn_line(*parts, line) || port_line(*parts, line);
  }

  bool qos_line(const KeyValue& parts, const Line& line) {
    const SourceSpan where = scope_.at(line);
    if (parts.key == "Classification type") {
      policy().trust = parts.value == "DSCP" ? Trust::dscp : Trust::pcp;
      policy().said["trust"] = where;
    } else if (parts.key == "DSCP" && contains(parts.value, "==>")) {
      map_dscps(parts.value, where);
    } else if (parts.key == "PFC no-drop priorities") {
      const auto on = number_list(parts.value, 7).value_or(std::vector<std::uint8_t>{});
      for (std::size_t p = 0; p < kPriorities; p++)
        set_nic_pfc(policy(), p, std::find(on.begin(), on.end(), p) != on.end(), where);
    } else {
      return parts.key == "PFC priority bitmap" || parts.key == "DSCP bitmap" || parts.key == "Scheduling" ||
             parts.key == "PFC" || parts.key == "DSCP-to-priority" || parts.key == "Port" || parts.key == "Lif id";
    }
    return true;
  }

  /// "0-23, 25-45 ==> priority : 0"
  void map_dscps(std::string_view value, const SourceSpan& where) {
    const std::size_t arrow = value.find("==>"), colon = value.rfind(':');
    const auto dscps = number_list(value.substr(0, arrow), 63);
    const auto priority = colon > arrow ? whole_number(value.substr(colon + 1), 7) : std::nullopt;
    if (!dscps || !priority) return;
    for (const std::uint8_t dscp : *dscps) {
      policy().class_of_dscp[dscp] = static_cast<std::uint8_t>(*priority);
      policy().said["dscp." + std::to_string(dscp)] = where;
    }
  }

  /// "3         DWRR        99        N/A"
  bool schedule_line(const Line& line) {
    const auto words = words_of(line.text);
    if (words.size() != 4 || (words[1] != "DWRR" && lower_case(words[1]) != "strict")) return false;
    const auto queue = whole_number(words[0], 7);
    if (!queue) return false;
    policy().queues[*queue].strict = words[1] != "DWRR";
    policy().queues[*queue].weight = static_cast<std::uint32_t>(whole_number(words[2], 100).value_or(0));
    policy().said["queue." + std::to_string(*queue)] = scope_.at(line);
    return true;
  }

  bool dcqcn_line(const KeyValue& parts, const Line& line) {
    if (parts.key == "ROCE device") {
      names_.rdma = std::string(parts.value);
      is_other_profile_ = false;
      nic();
      return true;
    }
    if (names_.rdma.empty()) return false;
    const std::size_t at = nic();
    if (parts.key == "DCQCN profile id") {
      is_other_profile_ = parts.value != "1";
      if (is_other_profile_) add_unread(scope_.device, "DCQCN profile " + std::string(parts.value), scope_.at(line));
      return true;
    }
    if (is_other_profile_ && (parts.key == "Status" || parts.key == "DSCP value used for CNP" || is_nicctl_dcqcn(parts.key)))
      return true;
    if (set_nicctl_dcqcn(scope_, at, parts.key, parts.value, line.number)) return true;
    if (parts.key == "Status") {
      scope_.config(at).ecn_np = scope_.config(at).ecn_rp = static_cast<std::uint8_t>(parts.value == "Enabled" ? 255 : 0);
      scope_.say(at, "ecn_np", line.number);
      scope_.say(at, "ecn_rp", line.number);
      return true;
    }
    if (parts.key != "DSCP value used for CNP") return false;
    if (const auto dscp = whole_number(parts.value, 63)) scope_.config(at).cnp_dscp = static_cast<std::uint8_t>(*dscp);
    scope_.say(at, "cnp_dscp", line.number);
    return true;
  }

  bool port_line(const KeyValue& parts, const Line& line) {
    const std::string key = lower_case(parts.key);
    if (key != "mtu" && key != "speed" && key != "pause type") return false;
    set_port_field(scope_, nic(), key == "pause type" ? "pause_type" : key, parts.value, line.number);
    return true;
  }

  HostScope& scope_;
  NicNames names_;
  bool is_other_profile_ = false;  // than the first, which is the one in use unless a queue pair asks for another
};

std::string_view text_of(const Document* document) {
  return document != nullptr && document->text() != nullptr ? std::string_view(*document->text()) : std::string_view();
}

std::uint32_t line_of(const Document* document) { return document == nullptr ? 0 : document->where().line; }

/// One port of `nicctl show port -j`. All numbers are texts.
void read_json_port(HostScope& scope, const NicNames& names, const Document& port) {
  const Document* spec = port.find("spec");
  if (spec == nullptr) return;
  const std::size_t nic = scope.nic(names, Dialect::nicctl);
  set_port_field(scope, nic, "mtu", text_of(spec->find("mtu")), line_of(spec->find("mtu")));
  set_port_field(scope, nic, "speed", text_of(spec->find("port_speed")), line_of(spec->find("port_speed")));
  if (const Document* pause = spec->find("pause_type"))
    set_port_field(scope, nic, "pause_type", text_of(pause), pause->where().line);
}

}  // namespace

void read_nicctl(HostScope& scope) {
  read_nicctl_update(scope);
  bool prints = scope.block.runs("nicctl");
  for (const Line& line : scope.block.lines)
    prints = prints || line.text.starts_with("Classification type") || line.text.starts_with("DSCP value used for CNP");
  if (prints) NicctlReader(scope).read();
}

void read_nicctl_json(HostScope& scope, const Document& root) {
  const Document* nics = root.find("nic");
  if (nics == nullptr || nics->items() == nullptr) return;
  for (const Document& nic : *nics->items()) {
    NicNames names;
    names.aliases.emplace_back(text_of(nic.find("id")));
    const Document* ports = nic.find("port");
    if (ports != nullptr && ports->items() != nullptr)
      for (const Document& port : *ports->items()) read_json_port(scope, names, port);
  }
}

}  // namespace railyard::host_text
