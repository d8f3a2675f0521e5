// Cisco NX-OS running configurations, and the interface lines of HPE Aruba AOS-CX.
#include <algorithm>
#include <cctype>

#include "config/read/cli_kind.h"
#include "config/read/cli_ports.h"
#include "config/read/cli_tree.h"
#include "config/read/cli_values.h"
#include "config/read/mqc.h"
#include "config/read/nxos_policy.h"
#include "config/read/readers.h"

namespace railyard {

namespace {

bool is_nxos_qos(const CliStatement& line) {
  return line.word(0) == "priority-flow-control" || line.word(0) == "service-policy" || line.word(0) == "flowcontrol" ||
         line.word(0) == "flow-control" || line.word(0) == "qos" || line.starts({"apply", "qos"}) ||
         line.starts({"lldp", "dcbx"});
}

/// "Ethernet1/1", "ethernet1/1/2" (breakout), and "1/1/17" of AOS-CX.
bool is_nxos_port(std::string_view name) {
  if (name.find('.') != std::string_view::npos) return false;
  if (name.starts_with("Ethernet") || name.starts_with("ethernet") || name.starts_with("Eth")) return true;
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) != 0 && name.find('/') != std::string_view::npos;
}

constexpr CliInterfaceWords kNxosWords = {is_nxos_qos, is_nxos_port, "port-channel", true};

/// "version 10.3(4a) Bios:version 05.47"; "!Version ArubaOS-CX GL.10.13.1000".
void read_nxos_head(const ConfigText& text, Device& device) {
  for (const std::string_view line : cli_lines(text.text)) {
    const std::vector<std::string_view> words = cli_words(line);
    if (words.size() > 1 && words[0] == "version") device.version = words[1];
    if (words.size() > 2 && words[0] == "!Version" && words[1] == "ArubaOS-CX") device.version = words[2];
  }
}

/// Cisco, "ip load-sharing address": without it, addresses and ports of both ends.
void read_nxos_hash(const CliStatement& line, const std::string& file, HashConfig& hash) {
  hash.where = {file, line.line, line.column};
  if (const auto seed = cli_whole_number(line.after("universal-id"))) hash.seed = seed;
  if (!line.has("address")) return;
  const std::string_view address = line.after("address"), port = line.after("port");
  hash.fields.clear();
  if (address.starts_with("source")) hash.fields.emplace_back("src-ip");
  if (address.ends_with("destination")) hash.fields.emplace_back("dst-ip");
  if (!port.empty()) hash.fields.emplace_back("protocol");
  if (port.starts_with("source")) hash.fields.emplace_back("src-port");
  if (port.ends_with("destination")) hash.fields.emplace_back("dst-port");
}

/// Speeds of ports by "interface breakout module 1 port 1-4 map 100g-4x": by the name up to the part after the breakout.
std::map<std::string, BitsPerSecond, std::less<>> nxos_breakouts(const CliTree& tree) {
  std::map<std::string, BitsPerSecond, std::less<>> speeds;
  tree.each_top([&](const CliStatement& top) {
    if (!top.starts({"interface", "breakout", "module"}) || top.no) return;
    const auto speed = cli_speed(top.after("map"));
    CliStatement names;
    const std::string list(top.after("port"));
    const std::string prefix = "Ethernet" + std::string(top.word(3)) + "/";
    names.words = {"interface", list};
    if (speed)
      for (const std::string& name : cli_interface_names(names)) speeds[prefix + name] = *speed;
  });
  return speeds;
}

bool is_nxos_top(const CliStatement& top) {
  static constexpr std::string_view known[] = {
      "interface", "class-map", "policy-map", "hostname", "switchname", "version", "priority-flow-control", "qos", "exit"};
  return std::find(std::begin(known), std::end(known), top.word(0)) != std::end(known) || top.starts({"system", "qos"}) ||
         top.starts({"ip", "access-list"}) || top.starts({"ipv6", "access-list"});
}

Diagnostics read_nxos(const ConfigText& text, Estate& estate) {
  const CliTree tree = cli_tree(text.text);
  const bool is_aruba = cli_kind(text.text) == CliKind::aoscx;
  Device& device = cli_device(estate, text, tree, is_aruba ? Dialect::aoscx : Dialect::nxos);
  read_nxos_head(text, device);
  UnreadStatements unread(device, text.file);
  device.hash.fields = {"src-ip", "dst-ip", "protocol", "src-port", "dst-port"};
  bool named = false;
  tree.each_top([&](const CliStatement& top) {
    named = named || top.word(0) == "hostname" || top.word(0) == "switchname";
    if (top.starts({"ip", "load-sharing"}))
      read_nxos_hash(top, text.file, device.hash);
    else if (top.starts({"hardware", "profile", "dlb"}) || top.starts({"hardware", "profile", "ecmp", "dlb"}))
      device.hash.dynamic = !top.no;
    else if (!is_nxos_top(top))
      unread.add("", top);
  });
  note_unread_mqc(tree, unread);
  const NxosPolicies policies(tree, text.file);
  std::vector<CliInterface> interfaces = cli_interfaces(tree, kNxosWords, unread);
  const auto breakouts = nxos_breakouts(tree);
  bool qos = policies.says_anything();
  for (CliInterface& one : interfaces) {
    qos = qos || !one.qos.empty();
    if (const auto speed = breakouts.find(one.name.substr(0, one.name.rfind('/'))); !one.speed && speed != breakouts.end())
      one.speed = speed->second;
    one.mtu = policies.mtu(one.mtu);
    if (!one.mtu && named) one.mtu = Bytes(1500);  // Cisco, "mtu": where nothing else is said
  }
  const std::function<QosPolicy(const CliInterface&)> policy_for = [&](const CliInterface& port) {
    return policies.policy(port);
  };
  const auto cables = aruba_cables(interfaces);
  add_cli_ports(device, text.file, tree, kNxosWords, std::move(interfaces), qos ? policy_for : nullptr);
  for (PortConfig& port : device.ports)
    if (const auto cable = cables.find(port.name); cable != cables.end()) port.cable = cable->second;
  if (is_aruba) policies.read_aruba_pools(device.buffer);
  return {};
}

}  // namespace

std::vector<FileReader> nxos_readers() {
  return {{"Cisco NX-OS running configuration, AOS-CX interface lines",
           [](const ConfigText& text) {
             const CliKind kind = cli_kind(text.text);
             return kind == CliKind::nxos || kind == CliKind::aoscx;
           },
           read_nxos}};
}

}  // namespace railyard
