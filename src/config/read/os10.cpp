// Dell SmartFabric OS10 running configurations.
#include <algorithm>

#include "config/read/cli_kind.h"
#include "config/read/cli_ports.h"
#include "config/read/cli_tree.h"
#include "config/read/cli_values.h"
#include "config/read/mqc.h"
#include "config/read/os10_policy.h"
#include "config/read/readers.h"

namespace railyard {

namespace {

bool is_os10_qos(const CliStatement& line) {
  return line.word(0) == "priority-flow-control" || line.word(0) == "service-policy" || line.word(0) == "flowcontrol" ||
         line.word(0) == "trust-map" || line.word(0) == "qos-map" || line.word(0) == "ets" || line.word(0) == "dcbx" ||
         line.word(0) == "trust";
}

bool is_os10_port(std::string_view name) {
  return name.starts_with("ethernet") && name.find('/') != std::string_view::npos && name.find('.') == std::string_view::npos;
}

constexpr CliInterfaceWords kOs10Words = {is_os10_qos, is_os10_port, "port-channel"};

/// "! Version 10.5.4.0", which `show running-configuration` starts with.
void read_os10_head(const ConfigText& text, Device& device) {
  for (const std::string_view line : cli_lines(text.text)) {
    const std::vector<std::string_view> words = cli_words(line);
    if (words.size() > 2 && words[0] == "!" && words[1] == "Version") device.version = words[2];
  }
}

/// Dell, OS10 10.4.3 User Guide, "hash-algorithm": "hash-algorithm ecmp crc", "hash-algorithm seed 7"; and "load-balancing
/// ip-selection source-ip destination-ip …".
void read_os10_hash(const CliStatement& line, const std::string& file, HashConfig& hash) {
  static constexpr std::pair<std::string_view, std::string_view> fields[] = {{"source-ip", "src-ip"},
                                                                             {"destination-ip", "dst-ip"},
                                                                             {"protocol", "protocol"},
                                                                             {"l4-source-port", "src-port"},
                                                                             {"l4-destination-port", "dst-port"}};
  hash.where = {file, line.line, line.column};
  if (line.word(0) == "hash-algorithm") {
    if (line.has("ecmp")) hash.function = line.after("ecmp");
    if (const auto seed = cli_whole_number(line.after("seed"))) hash.seed = seed;
    return;
  }
  if (line.has("ingress-port")) hash.fields.emplace_back("in-port");
  if (line.word(1) != "ip-selection") return;
  hash.fields.clear();
  for (const auto& [name, field] : fields)
    if (line.has(name)) hash.fields.emplace_back(field);
}

/// Speeds by "interface breakout 1/1/1 map 100g-2x": of "ethernet1/1/1" without the part after the breakout.
std::map<std::string, BitsPerSecond, std::less<>> os10_breakouts(const CliTree& tree) {
  std::map<std::string, BitsPerSecond, std::less<>> speeds;
  tree.each_top([&](const CliStatement& top) {
    if (top.starts({"interface", "breakout"}) && !top.no)
      if (const auto speed = cli_speed(top.after("map"))) speeds["ethernet" + std::string(top.word(2))] = *speed;
  });
  return speeds;
}

void read_os10_buffer(const CliStatement& line, const std::string& file, BufferConfig& buffer) {
  const auto size = cli_whole_number(line.word(1));
  if (line.no || !size || *size > 1'000'000'000) return;
  if (line.word(0) == "pfc-shared-buffer-size") buffer.size = Bytes(static_cast<std::int64_t>(*size) * 1000);
  if (line.word(0) == "pfc-shared-headroom-buffer-size") buffer.headroom_pool = Bytes(static_cast<std::int64_t>(*size) * 1000);
  if (line.word(0).starts_with("pfc-shared-")) buffer.where = {file, line.line, line.column};
}

bool is_os10_top(const CliStatement& top) {
  static constexpr std::string_view known[] = {"interface", "class-map", "policy-map", "hostname", "trust",
                                               "qos-map",   "wred",      "dcbx",       "exit"};
  return std::find(std::begin(known), std::end(known), top.word(0)) != std::end(known) || top.starts({"system", "qos"});
}

Diagnostics read_os10(const ConfigText& text, Estate& estate) {
  const CliTree tree = cli_tree(text.text);
  Device& device = cli_device(estate, text, tree, Dialect::os10);
  read_os10_head(text, device);
  UnreadStatements unread(device, text.file);
  device.hash.fields = {"src-ip", "dst-ip", "protocol", "src-port", "dst-port"};  // Dell, "load-balancing": all of ip-selection
  bool named = false;
  tree.each_top([&](const CliStatement& top) {
    named = named || top.word(0) == "hostname";
    if (top.word(0) == "hash-algorithm" || top.word(0) == "load-balancing")
      read_os10_hash(top, text.file, device.hash);
    else if (!is_os10_top(top))
      unread.add("", top);
  });
  note_unread_mqc(tree, unread);
  const Os10Policies policies(tree, text.file);
  for (const CliStatement* line : policies.system()) {
    read_os10_buffer(*line, text.file, device.buffer);
    if (!is_os10_qos(*line) && !line->word(0).starts_with("pfc-shared-")) unread.add("system qos", *line);
  }
  std::vector<CliInterface> interfaces = cli_interfaces(tree, kOs10Words, unread);
  const auto breakouts = os10_breakouts(tree);
  bool qos = policies.says_anything();
  for (CliInterface& one : interfaces) {
    qos = qos || !one.qos.empty();
    if (const auto speed = breakouts.find(one.name.substr(0, one.name.find(':'))); !one.speed && speed != breakouts.end())
      one.speed = speed->second;
    if (!one.mtu && named) one.mtu = Bytes(1532);  // Dell, "mtu"
  }
  const std::function<QosPolicy(const CliInterface&)> policy_for = [&](const CliInterface& port) {
    return policies.policy(port);
  };
  add_cli_ports(device, text.file, tree, kOs10Words, std::move(interfaces), qos ? policy_for : nullptr);
  return {};
}

}  // namespace

std::vector<FileReader> os10_readers() {
  return {{"Dell OS10 running configuration", [](const ConfigText& text) { return cli_kind(text.text) == CliKind::os10; },
           read_os10}};
}

}  // namespace railyard
