// Files of /sys as people show them: "path:value" of grep, "path = value", "==> path <==", `cat path`, `echo value > path`.
#include <algorithm>
#include <charconv>

#include "config/read/host_nic.h"

namespace railyard::host_text {

namespace {

using Parts = std::vector<std::string_view>;

std::optional<std::uint8_t> small_number(std::string_view value, std::uint8_t largest) {
  const auto number = whole_number(value, largest);
  return number ? std::optional(static_cast<std::uint8_t>(*number)) : std::nullopt;
}

void set_bit_of(std::optional<std::uint8_t>& bits, std::size_t which, bool on) {
  const auto bit = static_cast<unsigned>(1U << which);
  bits = static_cast<std::uint8_t>(on ? bits.value_or(0) | bit : bits.value_or(0) & ~bit);
}

/// Sets a small number of a NIC where the text is one.
void set_number(HostScope& scope, std::size_t nic, std::string_view member, std::optional<std::uint8_t> NicConfig::*field,
                std::string_view value, std::uint8_t largest, std::uint32_t line) {
  const auto number = small_number(value, largest);
  if (!number) return;
  scope.config(nic).*field = number;
  scope.say(nic, member, line);
}

/// /sys/class/net/IF/ecn/roce_np|roce_rp/enable/PRIORITY, …/roce_np/cnp_dscp, …/roce_np/cnp_802p_prio
bool ecn_file(HostScope& scope, std::size_t nic, const Parts& parts, std::string_view value, std::uint32_t line) {
  if (parts.size() < 7 || parts[4] != "ecn") return false;
  const std::string_view file = parts[6];
  if (file == "enable" && parts.size() > 7) {
    const auto priority = whole_number(parts[7], 7);
    if (!priority) return false;
    const bool is_np = parts[5] == "roce_np";
    set_bit_of(is_np ? scope.config(nic).ecn_np : scope.config(nic).ecn_rp, *priority, value == "1");
    scope.say(nic, is_np ? "ecn_np" : "ecn_rp", line);
  } else if (file == "cnp_dscp") {
    set_number(scope, nic, "cnp_dscp", &NicConfig::cnp_dscp, value, 63, line);
  } else if (file == "cnp_802p_prio") {
    set_number(scope, nic, "cnp_priority", &NicConfig::cnp_priority, value, 7, line);
  } else if (!set_dcqcn(scope, nic, file, value, line)) {
    add_unread(scope.device, "ecn/" + std::string(parts[5]) + "/" + std::string(file), scope.at(line));
  }
  return true;
}

/// What /sys/class/net/IF/device and /sys/class/infiniband/DEV/device have of PCIe.
bool pcie_file(HostScope& scope, std::size_t nic, std::string_view file, std::string_view value, std::uint32_t line) {
  NicConfig& config = scope.config(nic);
  double speed = 0;
  std::from_chars(value.data(), value.data() + value.size(), speed);
  const auto width = whole_number(value, 64);
  if (file == "numa_node") {
    config.numa = value == "-1" ? -1 : static_cast<std::int32_t>(whole_number(value, 1024).value_or(0));
    scope.say(nic, "numa", line);
  } else if (file == "current_link_speed" && speed > 0) {
    config.pcie_speed = speed;
  } else if (file == "max_link_speed" && speed > 0) {
    config.pcie_speed_max = speed;
  } else if (file == "current_link_width" && width) {
    config.pcie_width = static_cast<std::uint32_t>(*width);
    scope.say(nic, "pcie_width", line);
  } else if (file == "max_link_width" && width) {
    config.pcie_width_max = static_cast<std::uint32_t>(*width);
  } else {
    return false;
  }
  return true;
}

bool net_file(HostScope& scope, const Parts& parts, std::string_view value, std::uint32_t line) {
  const std::string_view file = parts.back();
  const auto number = whole_number(value, 100'000'000);
  if (file == "mtu" && number) {
    set_link_mtu(scope.device, parts[3], *number, scope.at(line));
    return true;
  }
  const bool known = parts[4] == "ecn" || parts[4] == "device" || file == "speed";
  if (!known) return false;
  const std::size_t nic = scope.nic({{}, std::string(parts[3]), {}}, scope.device.dialect);
  if (file == "speed" && number) {
    scope.config(nic).speed = BitsPerSecond(static_cast<std::int64_t>(*number) * 1'000'000);
    scope.say(nic, "speed", line);
    return true;
  }
  return ecn_file(scope, nic, parts, value, line) || pcie_file(scope, nic, file, value, line);
}

/// /sys/class/infiniband/DEV/tc/1/traffic_class has "Global tclass=106", and lines of single addresses.
bool infiniband_file(HostScope& scope, const Parts& parts, std::string_view value, std::uint32_t line) {
  const std::string_view file = parts.back();
  const std::size_t nic = scope.nic({std::string(parts[3]), {}, {}}, vendor_of(parts[3], scope.device.dialect));
  NicConfig& config = scope.config(nic);
  if (file == "traffic_class") {
    if (value.starts_with("Global tclass=")) value.remove_prefix(14);
    set_number(scope, nic, "traffic_class", &NicConfig::traffic_class, value, 255, line);
  } else if (file == "fw_ver") {
    config.firmware = std::string(value);
    scope.say(nic, "firmware", line);
  } else if (file == "rate") {  // "400 Gb/sec (4X NDR)"
    const auto words = words_of(value);
    if (const auto rate = whole_number(words.empty() ? "" : words[0], 100'000))
      config.speed = BitsPerSecond(static_cast<std::int64_t>(*rate) * 1'000'000'000);
    scope.say(nic, "speed", line);
  } else {
    return pcie_file(scope, nic, file, value, line);
  }
  return true;
}

/// /sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc/… and /sys/kernel/debug/bnxt_re/…/cc_config/…, of Broadcom.
bool bnxt_file(HostScope& scope, const Parts& parts, std::string_view value, std::uint32_t line) {
  const std::string_view file = parts.back();
  const std::string pci = pci_address(parts[4]);
  NicNames names;
  if (pci.empty())
    names.rdma = std::string(parts[4]);
  else
    names.aliases.push_back(pci);
  const std::size_t nic = scope.nic(names, Dialect::niccli);
  NicConfig& config = scope.config(nic);
  const auto number = small_number(value, 255);
  if ((file == "roce_dscp" || file == "tos_dscp") && number && *number < kDscps) {
    config.traffic_class = static_cast<std::uint8_t>(*number << 2 | (config.traffic_class.value_or(2) & 3));
    scope.say(nic, "traffic_class", line);
  } else if (file == "tos_ecn" && number && *number < 4) {
    config.traffic_class = static_cast<std::uint8_t>((config.traffic_class.value_or(0) & ~3) | *number);
    scope.say(nic, "traffic_class", line);
  } else if (file == "cnp_dscp" || file == "alt_tos_dscp" || file == "alt_vlan_dscp") {
    set_number(scope, nic, "cnp_dscp", &NicConfig::cnp_dscp, value, 63, line);
  } else if (file == "cnp_prio" || file == "alt_vlan_pcp") {
    set_number(scope, nic, "cnp_priority", &NicConfig::cnp_priority, value, 7, line);
  } else if (file == "ecn_marking" && number) {  // what data is sent with: 0 is not capable of ECN, so that nobody marks it
    if (*number == 0) config.ecn_np = config.ecn_rp = std::uint8_t{0}, scope.say(nic, "ecn_np", line);
  } else if (file == "min_time_bet_cnp" || file == "min_time_bet_cnp_store") {
    set_dcqcn(scope, nic, "min_time_between_cnps", value, line);  // microseconds, as the driver prints it
  } else if ((file == "enable_cc" || file == "ecn_enable") && number) {
    config.ecn_np = config.ecn_rp = static_cast<std::uint8_t>(*number != 0 ? 255 : 0);
    scope.say(nic, "ecn_np", line);
    scope.say(nic, "ecn_rp", line);
  } else if (file == "roce_prio" && number && *number < kPriorities) {
    const std::uint8_t dscp = config.traffic_class.value_or(26 << 2) >> 2;
    scope.policy(nic).class_of_dscp[dscp] = *number;
    scope.policy(nic).said["dscp." + std::to_string(dscp)] = scope.at(line);
  } else {
    add_unread(scope.device, "cc/" + std::string(file), scope.at(line));
  }
  return true;
}

/// /sys/kernel/debug/mlx5/0000:17:00.0/cc_params/np_cnp_dscp
bool mlx5_debug_file(HostScope& scope, const Parts& parts, std::string_view value, std::uint32_t line) {
  const std::size_t nic = scope.nic({{}, {}, {pci_address(parts[4])}}, Dialect::mlnx);
  if (parts.back() == "np_cnp_dscp")
    set_number(scope, nic, "cnp_dscp", &NicConfig::cnp_dscp, value, 63, line);
  else if (parts.back() == "np_cnp_prio")
    set_number(scope, nic, "cnp_priority", &NicConfig::cnp_priority, value, 7, line);
  else if (!set_dcqcn(scope, nic, parts.back(), value, line))
    add_unread(scope.device, "cc_params/" + std::string(parts.back()), scope.at(line));
  return true;
}

/// `echo 106 > PATH`, `echo 106 | tee PATH`
void read_echo(HostScope& scope) {
  const auto& words = scope.block.command;
  for (std::size_t i = 2; i < words.size(); i++)
    if (words[i].starts_with("/sys/") && scope.block.runs("echo")) set_sysfs(scope, words[i], words[1], scope.block.number);
}

/// What Broadcom's driver prints of its congestion control: lines of "min_time_bet_cnp=0x4 # minimum time between cnp : 4
/// usec".
void read_bnxt_dump(HostScope& scope, std::string_view folder) {
  for (Line& line : scope.block.lines) {
    const auto parts = key_value(line.text.substr(0, line.text.find('#')), "=");
    if (parts && !contains(parts->key, " "))
      line.taken = set_sysfs(scope, std::string(folder) + std::string(parts->key), parts->value, line.number);
  }
}

/// `cat PATH…`: values in the order of the paths.
void read_cat(HostScope& scope) {
  if (!scope.block.runs("cat")) return;
  for (const std::string& path : scope.block.command)
    if (path.starts_with("/sys/kernel/config/bnxt_re/") && path.ends_with("/cc/apply"))
      return read_bnxt_dump(scope, std::string_view(path).substr(0, path.size() - 5));
  auto line = scope.block.lines.begin();
  for (const std::string& path : scope.block.command) {
    if (!path.starts_with("/sys/")) continue;
    line = std::find_if(line, scope.block.lines.end(), [](const Line& one) { return !one.text.empty(); });
    if (line == scope.block.lines.end()) return;
    line->taken = set_sysfs(scope, path, line->text, line->number) || line->taken;
    line++;
  }
}

}  // namespace

bool set_sysfs(HostScope& scope, std::string_view path, std::string_view value, std::uint32_t line) {
  Parts parts = split_at(path, '/');
  if (parts.front().empty()) parts.erase(parts.begin());
  value = trimmed(value);
  if (parts.size() < 5 || parts[0] != "sys") return false;
  if (parts[1] == "class" && parts[2] == "net") return net_file(scope, parts, value, line);
  if (parts[1] == "class" && parts[2] == "infiniband") return infiniband_file(scope, parts, value, line);
  if (parts[1] == "kernel" && parts[3] == "bnxt_re" && parts.size() > 5) return bnxt_file(scope, parts, value, line);
  if (parts[1] == "kernel" && parts[2] == "debug" && parts[3] == "mlx5" && !pci_address(parts[4]).empty())
    return mlx5_debug_file(scope, parts, value, line);
  return false;
}

void read_sysfs(HostScope& scope) {
  read_echo(scope);
  read_cat(scope);
  std::string heading;  // of `head` and `tail`: "==> /sys/… <=="
  for (Line& line : scope.block.lines) {
    if (line.taken) continue;
    const std::size_t at = line.text.find("/sys/");
    if (at == std::string_view::npos) {
      if (!heading.empty() && !line.text.empty()) line.taken = set_sysfs(scope, heading, line.text, line.number);
      if (!line.text.empty()) heading.clear();
      continue;
    }
    const std::string_view rest = line.text.substr(at);
    const std::size_t end = std::min(rest.find_first_of(" ="), rest.size());
    if (line.text.starts_with("==>")) {
      heading = std::string(rest.substr(0, end));
      line.taken = true;
      continue;
    }
    // PCI addresses have colons: the last one before a blank ends the path.
    const std::string_view word = rest.substr(0, end);
    const std::size_t colon = word.rfind(':');
    if (end < rest.size() &&
        (colon == std::string_view::npos || rest[end] == '=' || trimmed(rest.substr(end)).starts_with('=')))
      line.taken = set_sysfs(
          scope, word, trimmed(rest.substr(rest.find('=', end) == std::string_view::npos ? end : rest.find('=', end) + 1)),
          line.number);
    else if (colon != std::string_view::npos)
      line.taken = set_sysfs(scope, rest.substr(0, colon), rest.substr(colon + 1), line.number);
  }
}

}  // namespace railyard::host_text
