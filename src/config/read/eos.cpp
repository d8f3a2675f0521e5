// Arista EOS running configurations.
#include <algorithm>

#include "config/read/cli_kind.h"
#include "config/read/cli_ports.h"
#include "config/read/cli_tree.h"
#include "config/read/cli_values.h"
#include "config/read/eos_queues.h"
#include "config/read/mqc.h"
#include "config/read/readers.h"

namespace railyard {

namespace {

bool is_eos_qos(const CliStatement& line) {
  return line.word(0) == "qos" || line.word(0) == "priority-flow-control" || line.word(0) == "tx-queue" ||
         line.word(0) == "uc-tx-queue" || line.word(0) == "mc-tx-queue" || line.word(0) == "service-profile" ||
         line.word(0) == "service-policy" || line.word(0) == "flowcontrol" || line.word(0) == "dcbx";
}

bool is_eos_port(std::string_view name) {
  return (name.starts_with("Ethernet") || name.starts_with("Et")) && name.find('.') == std::string_view::npos &&
         name.find_first_of("0123456789") != std::string_view::npos;
}

constexpr CliInterfaceWords kEosWords = {is_eos_qos, is_eos_port, "port-channel"};

/// Arista, "Quality of Service", platform independent defaults: CoS 0 and DSCP 0 to 7 are traffic class 1, CoS 1 and DSCP 8 to
/// 15 are 0, the others by eight; a transmit queue for each class, all strict; switched ports trust CoS, routed ones DSCP.
QosPolicy eos_defaults(bool routed) {
  QosPolicy policy;
  policy.trust = routed ? Trust::dscp : Trust::pcp;
  policy.class_of_dscp = classes_by_eight();
  std::fill_n(policy.class_of_dscp.begin(), 8, std::uint8_t{1});
  std::fill_n(policy.class_of_dscp.begin() + 8, 8, std::uint8_t{0});
  policy.class_of_pcp = {1, 0, 2, 3, 4, 5, 6, 7};
  for (QueuePolicy& queue : policy.queues) queue.strict = true;
  return policy;
}

class EosPolicies {
 public:
  EosPolicies(const CliTree& tree, std::string file) : tree_(tree), file_(std::move(file)), mqc_(read_mqc(tree)) {
    tree.each_top([&](const CliStatement& top) {
      if (top.starts({"qos", "profile"}) && !top.no) profiles_[std::string(top.word(2))] = &top;
      if (top.word(0) == "qos" || top.word(0) == "priority-flow-control") global_.push_back(&top);
    });
  }

  [[nodiscard]] bool says_anything() const { return !global_.empty() || !mqc_.policies.empty(); }

  [[nodiscard]] QosPolicy policy(const CliInterface& port) const {
    QosPolicy policy = eos_defaults(port.routed);
    EosQueueState state;
    for (const CliStatement* one : global_) read_global(*one, policy, state);
    for (const CliStatement* one : port.qos) {
      if (one->word(0) != "service-profile" || one->no) continue;
      policy.name = one->word(1);
      const auto profile = profiles_.find(one->word(1));
      if (profile != profiles_.end())
        tree_.each_below(*profile->second, [&](const CliStatement& line) { read_port(line, policy, state); });
    }
    for (const CliStatement* one : port.qos) read_port(*one, policy, state);
    if (!state.policy_map.empty()) read_policy_map(state.policy_map, policy);
    finish_eos_queues(state, policy);
    return policy;
  }

 private:
  void say(QosPolicy& policy, std::string key, const CliStatement& line) const {
    policy.said[std::move(key)] = {file_, line.line, line.column};
  }

  void read_map(const CliStatement& map, QosPolicy& policy) const {
    const auto to = std::find(map.words.begin(), map.words.end(), "to");
    if (to == map.words.end() || map.words.end() - to < 3) return;
    CliStatement from = map;
    from.words.assign(map.words.begin() + 3, std::max(to, map.words.begin() + 3));
    const std::string_view what = map.word(2), target = *(to + 1);
    const auto value = cli_number_below(*(to + 2), kPriorities);
    if (!value) return;
    if (what == "dscp" && target == "traffic-class")
      for (const std::uint8_t dscp : cli_dscps(from, 0)) {
        policy.class_of_dscp[dscp] = *value;
        say(policy, "dscp." + std::to_string(dscp), map);
      }
    if (what == "cos" && target == "traffic-class")
      for (const std::uint8_t pcp : cli_numbers_below(from, 0, kPriorities)) {
        policy.class_of_pcp[pcp] = *value;
        say(policy, "pcp." + std::to_string(pcp), map);
      }
    if (what == "traffic-class" && (target == "tx-queue" || target == "uc-tx-queue"))
      for (const std::uint8_t one : cli_numbers_below(from, 0, kPriorities)) {
        policy.queue_of_class[one] = *value;
        say(policy, "class." + std::to_string(one) + ".queue", map);
      }
  }

  void read_global(const CliStatement& line, QosPolicy& policy, EosQueueState& state) const {
    if (line.starts({"qos", "map"}) && line.words.size() > 5 && !line.no) read_map(line, policy);
    if (line.starts({"priority-flow-control", "all", "off"}) && !line.no) {
      state.all_off = true;
      say(policy, "pfc", line);
    }
    if (line.starts({"priority-flow-control", "pause", "watchdog"})) read_eos_watchdog(line, file_, true, policy);
  }

  void read_port(const CliStatement& line, QosPolicy& policy, EosQueueState& state) const {
    if (line.starts({"qos", "trust"})) {
      policy.trust = line.no ? Trust::port : line.word(2) == "cos" ? Trust::pcp : Trust::dscp;
      say(policy, "trust", line);
    }
    if (line.word(0) == "tx-queue" || line.word(0) == "uc-tx-queue") read_eos_queue(tree_, line, file_, policy, state);
    if (line.starts({"priority-flow-control", "pause", "watchdog"})) read_eos_watchdog(line, file_, false, policy);
    if (line.starts({"priority-flow-control", "on"})) {
      state.pfc_on = !line.no;
      say(policy, "pfc", line);
      if (state.pfc_on) say(policy, "pfc.on", line);
    }
    if (line.starts({"priority-flow-control", "mode"})) {  // older releases
      state.pfc_on = !line.no && line.word(2) == "on";
      say(policy, "pfc", line);
      if (state.pfc_on) say(policy, "pfc.on", line);
    }
    if (line.starts({"priority-flow-control", "priority"}))
      for (const std::uint8_t priority : cli_numbers_below(line, 2, kPriorities)) {
        state.no_drop = static_cast<std::uint8_t>(state.no_drop & ~(1U << priority));
        if (!line.no && line.words.back() == "no-drop")
          state.no_drop = static_cast<std::uint8_t>(state.no_drop | 1U << priority);
        say(policy, "pfc." + std::to_string(priority), line);
      }
    if (line.word(0) == "flowcontrol" && !line.no && line.words.back() == "on") {
      policy.link_pause = true;
      say(policy, "link_pause", line);
    }
    if (const MqcBinding bound = mqc_binding(line); bound.type == "qos" && bound.direction == "input")
      state.policy_map = bound.name;
  }

  /// A policy map comes before what the port trusts. DSCPs that it does not name are as those of untagged packets where the
  /// port does not trust them.
  void read_policy_map(const std::string& name, QosPolicy& policy) const {
    const MqcClassification map = classify_marks(tree_, mqc_, name, "traffic-class");
    if (map.by_dscp && policy.trust != Trust::dscp) {
      policy.class_of_dscp.fill(policy.trust == Trust::pcp ? policy.class_of_pcp[0] : std::uint8_t{0});
      policy.trust = Trust::dscp;
    } else if (map.by_pcp && policy.trust == Trust::port) {
      policy.class_of_pcp.fill(0);
      policy.trust = Trust::pcp;
    }
    const auto take = [&](auto& into, const auto& answers, const char* key) {
      for (std::size_t i = 0; i < into.size(); i++) {
        const auto& answer = answers[i].said != nullptr ? answers[i] : map.rest;
        if (answer.said == nullptr) continue;
        into[i] = answer.value;
        say(policy, key + std::to_string(i), *answer.said);
      }
    };
    take(policy.class_of_dscp, map.of_dscp, "dscp.");
    take(policy.class_of_pcp, map.of_pcp, "pcp.");
  }

  const CliTree& tree_;
  std::string file_;
  Mqc mqc_;
  std::map<std::string, const CliStatement*, std::less<>> profiles_;
  std::vector<const CliStatement*> global_;
};

/// "! device: leaf1 (DCS-7060X6-64PE, EOS-4.33.1F)", which `show running-config` starts with.
void read_eos_head(const ConfigText& text, Device& device) {
  for (const std::string_view line : cli_lines(text.text)) {
    if (!line.starts_with("! device:")) continue;
    const std::size_t open = line.find('('), comma = line.find(", ", open), close = line.find(')', comma);
    if (open == std::string_view::npos || comma == std::string_view::npos || close == std::string_view::npos) return;
    device.model = line.substr(open + 1, comma - open - 1);
    device.version = line.substr(comma + 2, close - comma - 2);
    return;
  }
}

/// Without a word on it, EOS hashes addresses, protocol and ports (Arista, "ECMP load balancing").
void read_eos_hash(const CliStatement& line, const std::string& file, HashConfig& hash) {
  static constexpr std::pair<std::string_view, std::string_view> fields[] = {
      {"source-ip", "src-ip"},     {"destination-ip", "dst-ip"},     {"src-ip", "src-ip"},
      {"dst-ip", "dst-ip"},        {"protocol", "protocol"},         {"ip-protocol", "protocol"},
      {"source-port", "src-port"}, {"destination-port", "dst-port"}, {"flow-label", "flow-label"},
      {"ingress-port", "in-port"}, {"ingress-interface", "in-port"}};
  hash.where = {file, line.line, line.column};
  if (const auto seed = cli_whole_number(line.after("seed"))) hash.seed = seed;
  if (line.words.size() == 4 && cli_whole_number(line.words[3])) hash.seed = cli_whole_number(line.words[3]);
  if (line.has("dlb") || line.has("dynamic")) hash.dynamic = !line.no;
  if (!line.has("fields")) return;
  std::vector<std::string> said;
  for (const std::string_view word : line.words)
    for (const auto& [name, field] : fields)
      if (word == name && std::find(said.begin(), said.end(), field) == said.end()) said.emplace_back(field);
  if (!said.empty()) hash.fields = said;
}

/// Statements of QoS that are seen and not looked at, of the switch, of profiles and of ports.
void note_unread_eos(const CliTree& tree, UnreadStatements& unread) {
  const auto port_line = [&](const CliStatement& line) {
    const bool queue = line.word(0) == "tx-queue" || line.word(0) == "uc-tx-queue";
    if (line.word(0) == "mc-tx-queue" || line.word(0) == "shape" || (line.word(0) == "qos" && line.word(1) != "trust"))
      unread.add("", line);
    if (!queue) return;
    tree.each_below(line, [&](const CliStatement& one) {
      const bool count = one.words.back() == "count";
      if ((one.word(0) != "priority" && one.word(0) != "bandwidth" && one.word(0) != "random-detect") || count)
        unread.add("tx-queue", one);
    });
  };
  tree.each_top([&](const CliStatement& top) {
    if (top.word(0) == "interface" || top.starts({"qos", "profile"})) tree.each_below(top, port_line);
    const bool map = top.starts({"qos", "map"});
    const bool used =
        map && (top.after("to") == "traffic-class" || top.after("to").ends_with("tx-queue")) && top.word(2) != "exp";
    if (top.word(0) == "qos" && top.word(1) != "profile" && !used)
      unread.add(map ? "qos map " + std::string(top.word(2)) + " to " + std::string(top.after("to"))
                     : "qos " + std::string(top.word(1)),
                 top.line);
  });
}

Diagnostics read_eos(const ConfigText& text, Estate& estate) {
  const CliTree tree = cli_tree(text.text);
  Device& device = cli_device(estate, text, tree, Dialect::eos);
  read_eos_head(text, device);
  UnreadStatements unread(device, text.file);
  device.hash.fields = {"src-ip", "dst-ip", "protocol", "src-port", "dst-port"};
  bool named = false;
  tree.each_top([&](const CliStatement& top) {
    named = named || top.word(0) == "hostname";
    if (top.starts({"ip", "load-sharing"}) || top.starts({"port-channel", "load-balance"}) || top.word(0) == "load-balance" ||
        top.starts({"ip", "hardware", "fib", "load-balance"}))
      for (const CliStatement* one = &top; one != tree.statements.data() + top.end; one++)
        read_eos_hash(*one, text.file, device.hash);
    else if (top.word(0) != "interface" && top.word(0) != "qos" && top.word(0) != "priority-flow-control" &&
             top.word(0) != "class-map" && top.word(0) != "policy-map" && top.word(0) != "hostname" && top.word(0) != "end" &&
             !top.starts({"ip", "access-list"}) && !top.starts({"ipv6", "access-list"}))
      unread.add("", top);
  });
  note_unread_mqc(tree, unread);
  note_unread_eos(tree, unread);
  const EosPolicies policies(tree, text.file);
  std::vector<CliInterface> interfaces = cli_interfaces(tree, kEosWords, unread);
  bool qos = policies.says_anything();
  for (CliInterface& one : interfaces) {
    qos = qos || !one.qos.empty();
    // Arista, "mtu": routed ports start with 1500, switched ports take frames of 9214 bytes whatever is said.
    if (named && !one.mtu) one.mtu = one.routed ? Bytes(1500) : Bytes(9214);
  }
  const std::function<QosPolicy(const CliInterface&)> policy_for = [&](const CliInterface& port) {
    return policies.policy(port);
  };
  add_cli_ports(device, text.file, tree, kEosWords, std::move(interfaces), qos ? policy_for : nullptr);
  return {};
}

}  // namespace

std::vector<FileReader> eos_readers() {
  return {{"Arista EOS running configuration", [](const ConfigText& text) { return cli_kind(text.text) == CliKind::eos; },
           read_eos}};
}

}  // namespace railyard
