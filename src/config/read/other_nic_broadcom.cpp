// Broadcom: niccli's list of devices and getqos, and bnxt_setupcc.sh.
#include <algorithm>

#include "config/read/host_nic.h"

namespace railyard::host_text {

namespace {

/// "0:0 1:0 3:1" as pairs.
std::vector<std::pair<std::size_t, std::string_view>> pairs_of(std::string_view text) {
  std::vector<std::pair<std::size_t, std::string_view>> out;
  for (const std::string_view word : words_of(text)) {
    const auto parts = key_value(word, ":");
    const auto index = parts ? whole_number(parts->key, 7) : std::nullopt;
    if (index) out.emplace_back(*index, parts->value);
  }
  return out;
}

class NiccliReader {
 public:
  explicit NiccliReader(HostScope& scope) : scope_(scope) {
    const std::string device = scope.block.option({"-dev", "--dev", "-i", "--index"});
    const std::string pci = pci_address(device);
    if (!pci.empty())
      names_.aliases.push_back(pci);
    else if (whole_number(device))
      names_.aliases.push_back("niccli " + device);  // `-i 1` counts as the list does
    else
      names_.netdev = device;
  }

  void read() {
    for (Line& line : scope_.block.lines) line.taken = line.taken || list_line(line) || qos_line(line);
  }

 private:
  QosPolicy& policy() { return scope_.policy(scope_.nic(names_, Dialect::niccli)); }

  /// "1) Broadcom BCM57608 1x400G QSFP-DD PCIe Ethernet NIC (Adp#1 Port#1)" and what is indented below it.
  bool list_line(const Line& line) {
    const std::size_t bracket = line.text.find(") ");
    if (bracket != std::string_view::npos && whole_number(line.text.substr(0, bracket), 999) && contains(line.text, "BCM")) {
      listed_ = {};
      listed_.aliases.push_back("niccli " + std::string(line.text.substr(0, bracket)));
      const std::size_t nic = scope_.nic(listed_, Dialect::niccli);
      const std::string_view model = trimmed(line.text.substr(bracket + 2));
      scope_.config(nic).model = std::string(trimmed(model.substr(0, model.find(" ("))));
      scope_.say(nic, "model", line.number);
      speed(nic, model);
      scope_.say(nic, "speed", line.number);
      return true;
    }
    const auto parts = key_value(line.text, ":");
    if (!parts || listed_.empty()) return false;
    if (parts->key == "Device Interface" || parts->key == "Interface Name")
      listed_.netdev = std::string(parts->value);
    else if (parts->key == "PCI Address")
      listed_.aliases.push_back(pci_address(parts->value));
    else if (parts->key == "RoCE Interface" || parts->key == "RDMA Device")
      listed_.rdma = std::string(parts->value);
    else if (parts->key == "Firmware Version" || parts->key == "Active Package version")
      firmware(parts->value, line);
    else
      return parts->key == "MAC Address";
    scope_.nic(listed_, Dialect::niccli);
    return true;
  }

  void firmware(std::string_view version, const Line& line) {
    const std::size_t nic = scope_.nic(listed_, Dialect::niccli);
    scope_.config(nic).firmware = std::string(version);
    scope_.say(nic, "firmware", line.number);
  }

  /// 400 Gb/s of "1x400G".
  void speed(std::size_t nic, std::string_view model) {
    for (const std::string_view word : words_of(model)) {
      const std::size_t x = word.find('x');
      if (x == std::string_view::npos || !word.ends_with('G')) continue;
      if (const auto rate = whole_number(word.substr(x + 1, word.size() - x - 2), 10'000))
        scope_.config(nic).speed = BitsPerSecond(static_cast<std::int64_t>(*rate) * 1'000'000'000);
    }
  }

  bool qos_line(const Line& line) {
    if (line.text.starts_with("IEEE 8021QAZ")) {
      in_qos_ = true;
      if (contains(line.text, "APP TLV")) begin_applications(line);
      return true;
    }
    const auto parts = key_value(line.text, ":");
    if (!in_qos_ || !parts) return false;
    const SourceSpan where = scope_.at(line);
    if (parts->key == "PRIO_MAP") {
      for (const auto& [priority, queue] : pairs_of(parts->value))
        if (const auto index = whole_number(queue, 7)) set_nic_queue(policy(), priority, *index, where);
    } else if (parts->key == "TC Bandwidth") {
      const auto shares = words_of(parts->value);
      for (std::size_t q = 0; q < std::min(shares.size(), kPriorities); q++)
        policy().queues[q].weight =
            static_cast<std::uint32_t>(whole_number(shares[q].substr(0, shares[q].find('%')), 100).value_or(0));
    } else if (parts->key == "TSA_MAP") {
      for (const auto& [queue, kind] : pairs_of(parts->value)) {
        policy().queues[queue].strict = kind == "strict";
        policy().said["queue." + std::to_string(queue)] = where;
      }
    } else if (parts->key == "PFC enabled") {
      pfc(parts->value, where);
    } else {
      return application_line(*parts, line);
    }
    return true;
  }

  /// A list of priorities, not a mask: "3", "3, 4", "none".
  void pfc(std::string_view value, const SourceSpan& where) {
    std::string list(value);
    std::replace(list.begin(), list.end(), ' ', ',');
    const auto on = number_list(list, 7).value_or(std::vector<std::uint8_t>{});
    for (std::size_t p = 0; p < kPriorities; p++)
      set_nic_pfc(policy(), p, std::find(on.begin(), on.end(), p) != on.end(), where);
  }

  /// The table lists every DSCP that has a priority; the others have priority 0.
  void begin_applications(const Line& line) {
    policy().class_of_dscp = {};
    policy().trust = Trust::dscp;
    policy().said["trust"] = scope_.at(line);
  }

  bool application_line(const KeyValue& parts, const Line& line) {
    if (parts.key.starts_with("APP#")) {
      priority_.reset();
      return true;
    }
    if (parts.key == "Priority") priority_ = whole_number(parts.value, 7);
    if (parts.key == "Priority" || parts.key == "Sel") return true;
    if (parts.key == "DSCP") {
      const auto dscp = whole_number(parts.value, 63);
      if (!dscp || !priority_) return false;
      policy().class_of_dscp[*dscp] = static_cast<std::uint8_t>(*priority_);
      policy().said["dscp." + std::to_string(*dscp)] = scope_.at(line);
      return true;
    }
    return false;  // UDP ports and rate limits have no place in the model
  }

  HostScope& scope_;
  NicNames names_, listed_;
  std::optional<std::uint64_t> priority_;
  bool in_qos_ = false;
};

/// bnxt_setupcc.sh -d bnxt_re0 -i ens1 -m 3 -s 26 -p 48 -r 3 -c 7
void read_setupcc(HostScope& scope) {
  if (!scope.block.runs("bnxt_setupcc.sh")) return;
  const SourceSpan where = scope.at(scope.block.number);
  const std::size_t nic = scope.nic({scope.block.option({"-d"}), scope.block.option({"-i"}), {}}, Dialect::niccli);
  const auto priority = whole_number(scope.block.option({"-r"}), 7);
  const auto dscp = whole_number(scope.block.option({"-s"}), 63);
  const auto cnp_priority = whole_number(scope.block.option({"-c"}), 7);
  const auto cnp_dscp = whole_number(scope.block.option({"-p"}), 63);
  const auto mode = whole_number(scope.block.option({"-m"}), 3);  // 1: PFC, 2: congestion control, 3: both
  QosPolicy& policy = scope.policy(nic);
  NicConfig& config = scope.config(nic);
  const auto map = [&](std::uint64_t from, std::uint64_t to) {
    policy.class_of_dscp[from] = static_cast<std::uint8_t>(to);
    policy.said["dscp." + std::to_string(from)] = where;
  };
  if (dscp && priority) map(*dscp, *priority);
  if (cnp_dscp && cnp_priority) map(*cnp_dscp, *cnp_priority);
  if (dscp) config.traffic_class = static_cast<std::uint8_t>(*dscp << 2 | 2);
  if (cnp_dscp) config.cnp_dscp = static_cast<std::uint8_t>(*cnp_dscp);
  if (cnp_priority) config.cnp_priority = static_cast<std::uint8_t>(*cnp_priority);
  if (priority && mode) set_nic_pfc(policy, *priority, (*mode & 1) != 0, where);
  if (mode) config.ecn_np = config.ecn_rp = static_cast<std::uint8_t>((*mode & 2) != 0 ? 255 : 0);
  for (const std::string_view member : {"traffic_class", "cnp_dscp", "cnp_priority", "ecn_np", "ecn_rp"})
    scope.say(nic, member, scope.block.number);
}

}  // namespace

void read_niccli(HostScope& scope) {
  read_setupcc(scope);
  bool prints = scope.block.runs("niccli");
  for (const Line& line : scope.block.lines)
    prints = prints || line.text.starts_with("IEEE 8021QAZ") || contains(line.text, ") Broadcom BCM");
  if (prints) NiccliReader(scope).read();
}

}  // namespace railyard::host_text
