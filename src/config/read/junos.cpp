// Juniper Junos and Junos Evolved configurations, as curly braces or as set lines.
#include <algorithm>
#include <map>

#include "config/read/cli_ports.h"
#include "config/read/cli_values.h"
#include "config/read/junos_policy.h"
#include "config/read/junos_tree.h"
#include "config/read/readers.h"

namespace railyard {

namespace {

using JunosWord = JunosTree::Node;
constexpr JunosWord kNoJunosWord = JunosTree::kNone;

bool is_junos_port(std::string_view name) {
  return (name.starts_with("et-") || name.starts_with("xe-") || name.starts_with("ge-") || name.starts_with("mge-")) &&
         name.find_first_of("*?[<.") == std::string_view::npos;
}

/// What [edit interfaces] says of one, or of all that a pattern or a range means.
struct JunosInterface {
  std::optional<Bytes> mtu;
  std::optional<BitsPerSecond> speed;
  std::string_view description, bundle;  // bundle: "ae0" of "802.3ad ae0"
  JunosWord flow_control = kNoJunosWord;
  bool disabled = false, split = false, used = false;
};

void read_junos_interface(const JunosTree& tree, JunosWord node, JunosInterface& into) {
  for (const JunosWord one : tree.below(node)) {
    const std::string_view word = tree.word(one);
    const std::string_view value = tree.below(one).empty() ? std::string_view() : tree.word(tree.below(one).front());
    if (word == "description") into.description = value;
    if (word == "disable") into.disabled = true;
    if (word == "speed") into.speed = cli_speed(value);
    if (word == "number-of-sub-ports") into.split = value != "1";
    if (word == "mtu")
      if (const auto mtu = cli_whole_number(value); mtu && *mtu < 1'000'000) into.mtu = Bytes(static_cast<std::int64_t>(*mtu));
    if (word == "ether-options" || word == "gigether-options") {
      if (const std::string_view bundle = tree.value(one, "802.3ad"); !bundle.empty()) into.bundle = bundle;
      if (const std::string_view speed = tree.value(one, "speed"); !speed.empty()) into.speed = cli_speed(speed);
      if (const JunosWord said = tree.find(one, "flow-control"); said != kNoJunosWord) into.flow_control = said;
      if (tree.find(one, "no-flow-control") != kNoJunosWord) into.flow_control = kNoJunosWord;
    }
    if (word == "unit" && tree.find_deep(one, "address") != kNoJunosWord) into.used = true;
  }
}

/// "member et-0/0/[0-3]" and "member-range et-0/0/0 to et-0/0/7" of an interface range.
bool is_range_member(const JunosTree& tree, JunosWord range, std::string_view port) {
  if (const JunosWord members = tree.find(range, "member"); members != kNoJunosWord)
    for (const JunosWord one : tree.below(members))
      if (junos_matches(tree.word(one), port)) return true;
  const JunosWord spans = tree.find(range, "member-range");
  if (spans == kNoJunosWord) return false;
  const auto split = [](std::string_view name) {
    const std::size_t at = name.find_last_not_of("0123456789");
    return at == std::string_view::npos ? std::size_t{0} : at + 1;
  };
  const std::string_view head = port.substr(0, split(port));
  const auto number = cli_whole_number(port.substr(split(port)));
  for (const JunosWord one : tree.below(spans)) {
    const std::string_view first = tree.word(one), last = tree.value(one, "to");
    if (first.substr(0, split(first)) != head || last.substr(0, split(last)) != head) continue;
    const auto from = cli_whole_number(first.substr(split(first))), to = cli_whole_number(last.substr(split(last)));
    if (number && from && to && *from <= *number && *number <= *to) return true;
  }
  return false;
}

/// Speeds of "chassis fpc 0 pic 0 port 3 { speed 100g; }" by "0/0/3".
std::map<std::string, BitsPerSecond, std::less<>> junos_chassis_speeds(const JunosTree& tree) {
  std::map<std::string, BitsPerSecond, std::less<>> speeds;
  const JunosWord slots = tree.find(JunosTree::kRoot, {"chassis", "fpc"});
  if (slots == kNoJunosWord) return speeds;
  for (const JunosWord slot : tree.below(slots)) {
    const JunosWord pics = tree.find(slot, "pic");
    if (pics == kNoJunosWord) continue;
    for (const JunosWord pic : tree.below(pics)) {
      const JunosWord ports = tree.find(pic, "port");
      if (ports == kNoJunosWord) continue;
      for (const JunosWord port : tree.below(ports))
        for (const std::string_view key : {"speed", "channel-speed"})
          if (const auto speed = cli_speed(tree.value(port, key)))
            speeds[std::string(tree.word(slot)) + "/" + std::string(tree.word(pic)) + "/" + std::string(tree.word(port))] =
                *speed;
    }
  }
  return speeds;
}

/// Juniper, "hash-key": without it, addresses, protocol and ports.
void read_junos_hash(const JunosTree& tree, const std::string& file, HashConfig& hash) {
  hash.fields = {"src-ip", "dst-ip", "protocol", "src-port", "dst-port"};
  const JunosWord options = tree.find(JunosTree::kRoot, "forwarding-options");
  const JunosWord key = tree.find(options, "hash-key"), enhanced = tree.find(options, "enhanced-hash-key");
  if (key == kNoJunosWord && enhanced == kNoJunosWord) return;
  hash.where = {file, tree.line(key != kNoJunosWord ? key : enhanced), 0};
  const auto drop = [&](std::string_view field) { std::erase(hash.fields, field); };
  if (const JunosWord inet = tree.find(key, {"family", "inet"});
      inet != kNoJunosWord && tree.find(inet, "layer-4") == kNoJunosWord)
    drop("src-port"), drop("dst-port");
  for (const auto& [word, field] : {std::pair<std::string_view, std::string_view>{"no-ipv4-source-address", "src-ip"},
                                    {"no-ipv4-destination-address", "dst-ip"},
                                    {"no-protocol", "protocol"},
                                    {"no-l4-source-port", "src-port"},
                                    {"no-l4-destination-port", "dst-port"}})
    if (tree.find_deep(enhanced, word) != kNoJunosWord) drop(field);
  if (tree.find_deep(enhanced, "incoming-port") != kNoJunosWord || tree.find_deep(enhanced, "ingress-port") != kNoJunosWord)
    hash.fields.emplace_back("in-port");
  for (const std::string_view word : {"ecmp-dlb", "ecmp-alb", "ecmp-glb"})
    hash.dynamic = hash.dynamic || tree.find(enhanced, word) != kNoJunosWord;
  for (const JunosWord from : {enhanced, key})
    for (const std::string_view word : {"hash-seed", "seed"})
      if (const auto seed = cli_whole_number(tree.value(from, word)); seed && !hash.seed) hash.seed = seed;
  hash.function = tree.value(enhanced, "function");
  if (hash.function.empty()) hash.function = tree.value(enhanced, "hash-mode");
}

void read_junos_buffer(const JunosTree& tree, const std::string& file, BufferConfig& buffer) {
  const JunosWord parts = tree.find(JunosTree::kRoot, {"class-of-service", "shared-buffer", "ingress", "buffer-partition"});
  if (parts == kNoJunosWord) return;
  buffer.where = {file, tree.line(parts), 0};
  for (const auto& [name, into] : {std::pair<std::string_view, std::optional<double>*>{"lossless", &buffer.lossless_percent},
                                   {"lossless-headroom", &buffer.headroom_percent},
                                   {"lossy", &buffer.lossy_percent}})
    if (const auto percent = cli_decimal(tree.value(tree.find(parts, name), "percent")); percent && *percent <= 100)
      *into = percent;
}

/// Ports of the device with all that is said of them.
class JunosPorts {
 public:
  JunosPorts(const JunosTree& tree, std::string file, bool named)
      : tree_(tree), file_(std::move(file)), named_(named), policies_(tree, file_), speeds_(junos_chassis_speeds(tree)) {}

  void add_to(Device& device) {
    const JunosWord interfaces = tree_.find(JunosTree::kRoot, "interfaces");
    if (interfaces != kNoJunosWord) read_patterns(interfaces);
    std::vector<PortConfig> ports;
    if (interfaces != kNoJunosWord)
      for (const JunosWord one : tree_.below(interfaces))
        if (is_junos_port(tree_.word(one))) add_port(one, interfaces, device, ports);
    merge_cli_ports(device, std::move(ports));
    if (device.ports.empty() && policies_.says_anything())
      policy_index(device, policies_.policy(policies_.binding("et-0/0/0", {})));
  }

 private:
  void read_patterns(JunosWord interfaces) {
    for (const JunosWord one : tree_.below(interfaces))
      if (tree_.word(one).starts_with('<')) patterns_.push_back(one);
    if (const JunosWord ranges = tree_.find(interfaces, "interface-range"); ranges != kNoJunosWord)
      ranges_ = tree_.below(ranges);
  }

  void add_port(JunosWord node, JunosWord interfaces, Device& device, std::vector<PortConfig>& ports) {
    const std::string_view name = tree_.word(node);
    JunosInterface said;
    std::vector<std::string> member_of;
    for (const JunosWord pattern : patterns_)
      if (const std::string_view text = tree_.word(pattern);
          junos_matches(text.substr(1, text.size() - 1 - text.ends_with('>')), name))
        read_junos_interface(tree_, pattern, said);
    for (const JunosWord range : ranges_) {
      if (!is_range_member(tree_, range, name)) continue;
      read_junos_interface(tree_, range, said);
      member_of.emplace_back(tree_.word(range));
    }
    read_junos_interface(tree_, node, said);
    if (said.split) return;  // channels of it are ports of their own
    if (!said.speed) said.speed = speed_of_parent(name, interfaces);
    if (const JunosWord bundle = tree_.find(interfaces, said.bundle); !said.bundle.empty() && bundle != kNoJunosWord) {
      JunosInterface of_bundle;
      read_junos_interface(tree_, bundle, of_bundle);
      if (!said.mtu) said.mtu = of_bundle.mtu;
      member_of.emplace_back(said.bundle);
    }
    // Juniper, "mtu": 1514 with the Ethernet header. Only ports that are used have it here.
    const bool used = named_ && (said.used || !said.description.empty());
    if (!said.mtu && used) said.mtu = Bytes(1514);
    JunosBinding binding = policies_.binding(name, member_of);
    binding.flow_control = said.flow_control;
    const DescribedNeighbour neighbour = described_neighbour(said.description);
    ports.push_back({std::string(name),
                     policy_of(binding, device),
                     said.speed,
                     policies_.cable(binding),
                     said.mtu,
                     !said.disabled,
                     neighbour.device,
                     neighbour.port,
                     {file_, tree_.line(node), 0}});
  }

  std::uint32_t policy_of(const JunosBinding& binding, Device& device) {
    if (!policies_.says_anything()) return 0;
    const auto found = known_.find(binding);
    if (found != known_.end()) return found->second;
    return known_[binding] = policy_index(device, policies_.policy(binding));
  }

  /// "et-0/0/0:1" has the speed that et-0/0/0 says for its channels.
  std::optional<BitsPerSecond> speed_of_parent(std::string_view name, JunosWord interfaces) const {
    const std::string_view parent = name.substr(0, name.find(':'));
    if (const JunosWord node = tree_.find(interfaces, {parent, "speed"}); node != kNoJunosWord && !tree_.below(node).empty())
      return cli_speed(tree_.word(tree_.below(node).front()));
    const auto found = speeds_.find(parent.substr(std::min(parent.find('-') + 1, parent.size())));
    if (found == speeds_.end()) return std::nullopt;
    return found->second;
  }

  const JunosTree& tree_;
  std::string file_;
  bool named_;
  JunosPolicies policies_;
  std::map<std::string, BitsPerSecond, std::less<>> speeds_;
  std::vector<JunosWord> patterns_, ranges_;
  std::map<JunosBinding, std::uint32_t> known_;
};

void note_unread_junos(const JunosTree& tree, UnreadStatements& unread) {
  struct Section {
    std::string_view name;
    std::vector<std::string_view> known;  // empty: all of it is looked at
  };
  const Section sections[] = {
      {"system", {"host-name"}},
      {"chassis", {"fpc"}},
      {"interfaces", {}},
      {"class-of-service",
       {"classifiers", "drop-profiles", "shared-buffer", "forwarding-classes", "congestion-notification-profile", "interfaces",
        "scheduler-maps", "schedulers", "traffic-control-profiles"}},
      {"forwarding-options", {"hash-key", "enhanced-hash-key"}},
      {"version", {}},
      {"groups", {}},
      {"apply-groups", {}}};
  for (const JunosWord top : tree.below(JunosTree::kRoot)) {
    const auto section =
        std::find_if(std::begin(sections), std::end(sections), [&](const Section& s) { return s.name == tree.word(top); });
    if (section == std::end(sections)) {
      unread.add(std::string(tree.word(top).substr(0, 64)), tree.line(top));
      continue;
    }
    for (const JunosWord one : tree.below(top))
      if (!section->known.empty() &&
          std::find(section->known.begin(), section->known.end(), tree.word(one)) == section->known.end())
        unread.add(std::string(section->name) + " " + std::string(tree.word(one).substr(0, 64)), tree.line(one));
  }
}

Diagnostics read_junos(const ConfigText& text, Estate& estate) {
  const JunosTree tree = junos_tree(text.text);
  const JunosWord system = tree.find(JunosTree::kRoot, "system");
  const std::string_view host = tree.value(system, "host-name");
  const std::string name = host.empty() ? text.device : std::string(host);
  Device& device = device_of(estate, name, DeviceKind::network_switch, Dialect::junos);
  device.files.push_back({text.file, 0, 0});
  if (const JunosWord version = tree.find(JunosTree::kRoot, "version"); version != kNoJunosWord && !tree.below(version).empty())
    device.version = tree.word(tree.below(version).front());
  read_junos_hash(tree, text.file, device.hash);
  read_junos_buffer(tree, text.file, device.buffer);
  UnreadStatements unread(device, text.file);
  note_unread_junos(tree, unread);
  JunosPorts(tree, text.file, !host.empty()).add_to(device);
  return {};
}

}  // namespace

std::vector<FileReader> junos_readers() {
  return {{"Junos configuration", [](const ConfigText& text) { return looks_like_junos(text.text); }, read_junos}};
}

}  // namespace railyard
