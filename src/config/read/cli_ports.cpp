#include "config/read/cli_ports.h"

#include <algorithm>
#include <cctype>

#include "config/read/cli_values.h"

namespace railyard {

namespace {

constexpr std::size_t kMostNames = 4096;
constexpr std::size_t kMostKinds = 200;  // of unread statements; the rest is counted in the last

std::string lower_port_name(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool is_unread_word(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
}

/// "Ethernet1/1-4" and "1/1/1-1/1/8": the last number of the first end counts up to the last number of the other.
void add_name_range(const std::string& prefix, std::string_view part, std::vector<std::string>& names) {
  const std::size_t dash = part.find('-');
  std::string_view first = part.substr(0, dash);
  std::string_view last = dash == std::string_view::npos ? first : part.substr(dash + 1);
  const auto tail = [](std::string_view text) {
    const std::size_t at = text.find_last_not_of("0123456789");
    return at == std::string_view::npos ? std::size_t{0} : at + 1;
  };
  const auto from = cli_whole_number(first.substr(tail(first))), to = cli_whole_number(last.substr(tail(last)));
  if (!from || !to || *to < *from || *to - *from >= kMostNames) {
    names.push_back(prefix + std::string(first));
    return;
  }
  for (std::uint64_t i = *from; i <= *to && names.size() < kMostNames; i++)
    names.push_back(prefix + std::string(first.substr(0, tail(first))) + std::to_string(i));
}

void read_interface_line(const CliStatement& line, CliInterface& into) {
  const std::string_view word = line.word(0);
  if (word == "description" || word == "name") into.description = line.text(1);
  if (word == "shutdown") into.enabled = line.no;
  if (word == "disable") into.enabled = false;
  if (word == "switchport" && line.words.size() == 1) into.routed = line.no;
  if (word == "routing") into.routed = !line.no;
  if (word == "channel-group") into.channel = line.no ? "" : std::string(line.word(1));
  if (word == "lag") into.channel = std::string(line.word(1));
  if (word == "mtu")
    if (const auto mtu = cli_whole_number(line.word(1)); mtu && *mtu < 1'000'000)
      into.mtu = Bytes(static_cast<std::int64_t>(*mtu));
  if (word == "speed")
    for (std::size_t i = 1; i < line.words.size(); i++)
      if (const auto speed = cli_speed(line.words[i])) into.speed = speed;
}

bool is_interface_line(const CliStatement& line) {
  static constexpr std::string_view known[] = {"description", "shutdown", "disable", "channel-group", "lag",
                                               "mtu",         "speed",    "routing", "exit"};
  return std::find(std::begin(known), std::end(known), line.word(0)) != std::end(known) ||
         (line.word(0) == "switchport" && line.words.size() == 1);
}

}  // namespace

UnreadStatements::UnreadStatements(Device& device, std::string file) : device_(device), file_(std::move(file)) {
  for (std::size_t i = 0; i < device.unread.size(); i++) index_.emplace(device.unread[i].statement, i);
}

void UnreadStatements::add(std::string_view section, const CliStatement& statement) {
  std::string kind(section);
  for (std::size_t i = 0; i < std::min<std::size_t>(2, statement.words.size()); i++) {
    if (i > 0 && !is_unread_word(statement.words[i])) break;
    if (!kind.empty()) kind += ' ';
    kind += statement.words[i].substr(0, 64);
  }
  add(std::move(kind), statement.line);
}

void UnreadStatements::add(std::string kind, std::uint32_t line) {
  if (const auto found = index_.find(kind); found != index_.end()) {
    device_.unread[found->second].times++;
    return;
  }
  if (index_.size() >= kMostKinds) {
    device_.unread.back().times++;
    return;
  }
  index_.emplace(kind, device_.unread.size());
  device_.unread.push_back({std::move(kind), 1, {file_, line, 0}});
}

std::vector<std::string> cli_interface_names(const CliStatement& statement) {
  std::string all;
  for (std::size_t i = 1; i < statement.words.size(); i++)
    if (statement.words[i] != "range") all += statement.words[i];
  std::vector<std::string> names;
  std::string prefix;
  for (std::size_t at = 0; at < all.size() && names.size() < kMostNames;) {
    const std::size_t end = std::min(all.find(',', at), all.size());
    std::string_view part = std::string_view(all).substr(at, end - at);
    at = end + 1;
    std::size_t letters = 0;
    while (letters < part.size() && (std::isalpha(static_cast<unsigned char>(part[letters])) != 0 || part[letters] == '-'))
      letters++;
    if (letters > 0) prefix = part.substr(0, letters);
    part.remove_prefix(letters);
    if (part.empty() && letters == 0) continue;
    if (part.empty())
      names.push_back(prefix);
    else
      add_name_range(prefix, part, names);
  }
  return names;
}

std::vector<CliInterface> cli_interfaces(const CliTree& tree, const CliInterfaceWords& words, UnreadStatements& unread) {
  std::vector<CliInterface> found;
  std::map<std::string, std::size_t, std::less<>> index;
  tree.each_top([&](const CliStatement& block) {
    if (block.word(0) != "interface" || block.no || block.word(1) == "breakout") return;
    std::vector<std::size_t> these;
    for (std::string& name : cli_interface_names(block)) {
      const bool channel = lower_port_name(name).starts_with(words.channel) || lower_port_name(name).starts_with("lag");
      if (!channel && !words.is_port(name)) continue;
      if (words.joins_words && name[0] == 'e') name[0] = 'E';
      const auto [at, added] = index.try_emplace(name, found.size());
      if (added) found.push_back({name, block.line, true, false, {}, {}, {}, {}, {}});
      these.push_back(at->second);
    }
    if (these.empty()) return;
    tree.each_below(block, [&](const CliStatement& line) {
      const bool qos = words.is_qos(line);
      if (!qos && !is_interface_line(line)) unread.add("interface", line);
      for (const std::size_t i : these) {
        if (qos) found[i].qos.push_back(&line);
        read_interface_line(line, found[i]);
      }
    });
  });
  return found;
}

void add_cli_ports(Device& device, const std::string& file, const CliTree& tree, const CliInterfaceWords& words,
                   std::vector<CliInterface> interfaces, const std::function<QosPolicy(const CliInterface&)>& policy_for) {
  std::map<std::string, const CliInterface*, std::less<>> channels;
  for (const CliInterface& one : interfaces)
    if (!words.is_port(one.name)) channels.emplace(lower_port_name(one.name), &one);
  std::map<std::string, std::uint32_t, std::less<>> policies;
  std::vector<PortConfig> ports;
  for (CliInterface& one : interfaces) {
    if (!words.is_port(one.name)) continue;
    for (const std::string_view kind : {words.channel, std::string_view("lag")}) {
      const auto channel = channels.find(std::string(kind) + one.channel);
      if (one.channel.empty() || channel == channels.end()) continue;
      one.qos.insert(one.qos.begin(), channel->second->qos.begin(), channel->second->qos.end());
      if (!one.mtu) one.mtu = channel->second->mtu;
      one.routed = one.routed || channel->second->routed;
    }
    std::string key = one.routed ? "routed\n" : "";
    if (!one.name.empty() && std::isdigit(static_cast<unsigned char>(one.name[0])) != 0) key += "numbered\n";
    for (const CliStatement* statement : one.qos) key += tree.block_text(*statement);
    auto policy = policies.find(key);
    if (policy == policies.end()) policy = policies.emplace(key, policy_for ? policy_index(device, policy_for(one)) : 0).first;
    const DescribedNeighbour neighbour = described_neighbour(one.description);
    ports.push_back(
        {one.name, policy->second, one.speed, {}, one.mtu, one.enabled, neighbour.device, neighbour.port, {file, one.line, 1}});
  }
  merge_cli_ports(device, std::move(ports));
  if (device.ports.empty() && policy_for) policy_index(device, policy_for({}));
}

void merge_cli_ports(Device& device, std::vector<PortConfig> ports) {
  std::map<std::string, std::size_t, std::less<>> index;
  for (std::size_t i = 0; i < device.ports.size(); i++) index.emplace(device.ports[i].name, i);
  for (PortConfig& port : ports) {
    const auto [at, added] = index.try_emplace(port.name, device.ports.size());
    if (added)
      device.ports.push_back(std::move(port));
    else
      device.ports[at->second] = std::move(port);
  }
}

Device& cli_device(Estate& estate, const ConfigText& text, const CliTree& tree, Dialect dialect) {
  std::string name = text.device;
  tree.each_top([&](const CliStatement& one) {
    if ((one.word(0) == "hostname" || one.word(0) == "switchname") && !one.no && one.words.size() > 1) name = one.word(1);
  });
  Device& device = device_of(estate, name, DeviceKind::network_switch, dialect);
  device.files.push_back({text.file, 0, 0});
  return device;
}

}  // namespace railyard
