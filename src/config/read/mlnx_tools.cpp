// Small tools around RDMA devices: show_gids, ibdev2netdev, rdma link, ibv_devinfo, cma_roce_tos.
#include <algorithm>

#include "config/read/host_nic.h"

namespace railyard::host_text {

namespace {

bool is_gid(std::string_view word) { return std::count(word.begin(), word.end(), ':') == 7; }

bool is_device_name(std::string_view word) {
  return starts_with_any(word, {"mlx", "bnxt_re", "ionic", "roce", "rdma", "ib", "irdma", "efa", "qedr", "rxe"});
}

void add_gid(NicConfig& nic, Gid gid) {
  for (Gid& one : nic.gids)
    if (one.index == gid.index) {
      one = std::move(gid);
      return;
    }
  nic.gids.push_back(std::move(gid));
}

/// "mlx5_0  1  3  0000:…:ffff:0a00:0001  10.0.0.1  v2  eth4"; the IPv4 column may be empty.
bool gid_row(HostScope& scope, const Line& line) {
  const auto words = words_of(line.text);
  if (words.size() < 5 || !is_gid(words[3]) || !whole_number(words[1], 255)) return false;
  const auto index = whole_number(words[2], 4095);
  if (!index) return false;
  Gid gid;
  gid.index = static_cast<std::uint32_t>(*index);
  gid.address = std::string(words[3]);
  gid.where = scope.at(line);
  NicNames names;
  names.rdma = std::string(words[0]);
  for (std::size_t i = 4; i < words.size(); i++) {
    if (words[i] == "v1" || words[i] == "v2")
      gid.roce_version = words[i] == "v1" ? 1 : 2;
    else if (gid.roce_version != 0)
      gid.interface = std::string(words[i]);
    else
      gid.address = std::string(words[i]);
  }
  // An interface with a dot is a VLAN on the NIC's own.
  names.netdev = gid.interface.substr(0, gid.interface.find('.'));
  add_gid(scope.config(scope.nic(names, vendor_of(names.rdma, scope.device.dialect))), std::move(gid));
  return true;
}

/// "mlx5_0 port 1 ==> eth4 (Up)", with "0000:17:00.0" before and "(…) fw 28.39.1002" in between where -v was given.
bool netdev_row(HostScope& scope, const Line& line) {
  const auto words = words_of(line.text);
  const auto arrow = std::find(words.begin(), words.end(), "==>");
  if (arrow == words.end() || arrow + 1 == words.end() || words.size() < 4) return false;
  NicNames names;
  const std::string pci = pci_address(words[0]);
  names.rdma = std::string(pci.empty() ? words[0] : words[1]);
  names.netdev = std::string(*(arrow + 1));
  if (!pci.empty()) names.aliases.push_back(pci);
  if (!is_device_name(names.rdma)) return false;
  const std::size_t nic = scope.nic(names, vendor_of(names.rdma, scope.device.dialect));
  const auto firmware = std::find(words.begin(), words.end(), "fw");
  if (firmware != words.end() && firmware + 1 != words.end()) {
    scope.config(nic).firmware = std::string(*(firmware + 1));
    scope.say(nic, "firmware", line.number);
  }
  return true;
}

/// "link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev eth4"
bool rdma_link_row(HostScope& scope, const Line& line) {
  const auto words = words_of(line.text);
  const auto netdev = std::find(words.begin(), words.end(), "netdev");
  if (words.size() < 6 || words[0] != "link" || words[2] != "state" || netdev == words.end() || netdev + 1 == words.end())
    return false;
  NicNames names;
  names.rdma = std::string(words[1].substr(0, words[1].find('/')));
  names.netdev = std::string(*(netdev + 1));
  scope.nic(names, vendor_of(names.rdma, scope.device.dialect));
  return true;
}

/// "# mlx5_0 (eth4)": comments of scripts say which NIC the lines below are about.
bool heading_row(HostScope& scope, const Line& line) {
  const auto words = words_of(line.text);
  const auto ends_in_digit = [](std::string_view name) { return !name.empty() && name.back() >= '0' && name.back() <= '9'; };
  if (words.size() != 3 || words[0] != "#" || !words[2].starts_with('(') || !words[2].ends_with(')')) return false;
  const std::string_view netdev = words[2].substr(1, words[2].size() - 2);
  if (!ends_in_digit(words[1]) || !ends_in_digit(netdev) || vendor_of(words[1], Dialect::dcb) == Dialect::dcb) return false;
  scope.nic({std::string(words[1]), std::string(netdev), {}}, scope.device.dialect);
  return true;
}

/// "hca_id: mlx5_0" and what is indented below it.
class DevinfoReader {
 public:
  explicit DevinfoReader(HostScope& scope) : scope_(scope) {}

  bool read(const Line& line) {
    const auto parts = key_value(line.text, ":");
    if (!parts) return false;
    if (parts->key == "hca_id") {
      names_.rdma = std::string(parts->value);
      scope_.nic(names_, vendor_of(names_.rdma, scope_.device.dialect));
      return true;
    }
    return !names_.rdma.empty() && line.indent > 0 && field(*parts, line);
  }

 private:
  bool field(const KeyValue& parts, const Line& line) {
    const std::size_t nic = scope_.nic(names_, scope_.device.dialect);
    NicConfig& config = scope_.config(nic);
    const auto words = words_of(parts.value);
    if (parts.key == "fw_ver") {
      config.firmware = std::string(parts.value);
      scope_.say(nic, "firmware", line.number);
    } else if (parts.key == "active_mtu" && !words.empty()) {
      if (const auto mtu = whole_number(words[0], 65536)) config.path_mtu = Bytes(static_cast<std::int64_t>(*mtu));
      scope_.say(nic, "path_mtu", line.number);
    } else if (parts.key.starts_with("GID[")) {
      gid(parts, line, config);
    }
    return true;  // the rest is capabilities, addresses and states
  }

  /// "GID[  3]: ::ffff:10.0.0.1, RoCE v2"
  void gid(const KeyValue& parts, const Line& line, NicConfig& config) {
    const auto index = whole_number(parts.key.substr(4, parts.key.find(']') - 4), 4095);
    const std::size_t comma = parts.value.find(',');
    if (!index) return;
    Gid gid;
    gid.index = static_cast<std::uint32_t>(*index);
    gid.address = std::string(trimmed(parts.value.substr(0, comma)));
    if (comma != std::string_view::npos) gid.roce_version = contains(parts.value.substr(comma), "v2") ? 2 : 1;
    gid.where = scope_.at(line);
    add_gid(config, std::move(gid));
  }

  HostScope& scope_;
  NicNames names_;
};

void set_cma_tos(HostScope& scope, const NicNames& names, std::string_view text, std::uint32_t line) {
  const auto tos = whole_number(text, 255);
  if (!tos) return;
  const std::size_t nic = scope.nic(names, vendor_of(names.rdma, Dialect::mlnx));
  scope.config(nic).cma_tos = static_cast<std::uint8_t>(*tos);
  scope.say(nic, "cma_tos", line);
}

/// `cma_roce_tos -d mlx5_0 -t 106`, which prints the number; summaries have "cma_roce_tos: 106".
void read_cma_roce_tos(HostScope& scope, const NicNames& heading) {
  NicNames names = heading;
  if (scope.block.runs("cma_roce_tos")) {
    names.rdma = scope.block.option({"-d"});
    set_cma_tos(scope, names, scope.block.option({"-t"}), scope.block.number);
    for (Line& line : scope.block.lines) {
      if (line.text.empty()) continue;
      if (!whole_number(line.text, 255)) break;
      set_cma_tos(scope, names, line.text, line.number);
      line.taken = true;
      break;
    }
  }
  for (Line& line : scope.block.lines)
    if (line.text.starts_with("cma_roce_tos:")) {
      set_cma_tos(scope, names, line.text.substr(13), line.number);
      line.taken = true;
    }
}

/// `ethtool -A eth4 rx on tx on`
void read_link_pause(HostScope& scope) {
  const std::string netdev = scope.block.runs("ethtool") ? scope.block.option({"-A", "--pause"}) : std::string();
  if (netdev.empty()) return;
  const std::size_t nic = scope.nic({{}, netdev, {}}, scope.device.dialect);
  scope.policy(nic).link_pause = scope.block.option({"rx"}) == "on" || scope.block.option({"tx"}) == "on";
  scope.policy(nic).said["link_pause"] = scope.at(scope.block.number);
}

}  // namespace

void read_rdma_tools(HostScope& scope) {
  NicNames heading;
  DevinfoReader devinfo(scope);
  for (Line& line : scope.block.lines) {
    if (line.taken) {
      const std::size_t slash = line.text.find(" / mlx");
      if (contains(line.text, "configuration for device ") && slash != std::string_view::npos)
        heading.rdma = std::string(line.text.substr(slash + 3, line.text.find('=', slash) - slash - 3));
      continue;
    }
    const bool is_table_edge = line.text.starts_with("n_gids_found=") ||
                               (line.text.starts_with("DEV") && contains(line.text, "GID")) || line.text.starts_with("--- ");
    line.taken = is_table_edge || heading_row(scope, line) || gid_row(scope, line) || netdev_row(scope, line) ||
                 rdma_link_row(scope, line) || devinfo.read(line);
  }
  read_cma_roce_tos(scope, heading);
}

void read_link_tools(HostScope& scope) {
  const std::string netdev = scope.block.runs("ethtool") ? scope.block.option({"-i"}) : std::string();
  if (scope.block.runs("ip")) {
    const auto mtu = whole_number(scope.block.option({"mtu"}), 65536);
    std::string name = scope.block.option({"dev"});
    if (name.empty()) name = scope.block.option({"set"});
    if (mtu && !name.empty()) set_link_mtu(scope.device, name, *mtu, scope.at(scope.block.number));
  }
  read_link_pause(scope);
  for (Line& line : scope.block.lines) {
    const auto words = words_of(line.text);
    // "4: eth4: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP …"
    if (words.size() > 4 && words[0].ends_with(':') && words[1].ends_with(':') && words[2].starts_with('<') &&
        words[3] == "mtu") {
      const std::string_view name = words[1].substr(0, words[1].find_first_of("@:"));
      if (const auto mtu = whole_number(words[4], 65536)) set_link_mtu(scope.device, name, *mtu, scope.at(line));
      line.taken = true;
    } else if (starts_with_any(line.text, {"link/ether ", "link/loopback ", "altname ", "link/infiniband "})) {
      line.taken = true;
    } else if (!netdev.empty() && line.text.starts_with("firmware-version:")) {
      const std::size_t nic = scope.nic({{}, netdev, {}}, scope.device.dialect);
      scope.config(nic).firmware = std::string(words.size() > 1 ? words[1] : "");
      scope.say(nic, "firmware", line.number);
      line.taken = true;
    } else if (!netdev.empty() && line.text.starts_with("bus-info:") && words.size() > 1) {
      scope.nic({{}, netdev, {pci_address(words[1])}}, scope.device.dialect);
      line.taken = true;
    }
  }
}

}  // namespace railyard::host_text
