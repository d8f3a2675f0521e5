// Which switch is above which node: Slurm's topology.conf (tree and block), and scontrol show topology.
#include <fmt/format.h>

#include <map>
#include <set>

#include "base/printable.h"
#include "base/printed_text.h"
#include "scheduler/host_list.h"
#include "scheduler/readers.h"

namespace railyard {

namespace {

/// A line about a switch.
struct SaidSwitch {
  std::string name, hosts, children;
  std::uint32_t line = 0;
  std::string parent = {};
};

/// Lines that end with a backslash go on in the next one.
std::vector<std::pair<std::string, std::uint32_t>> joined_lines(std::string_view text) {
  std::vector<std::pair<std::string, std::uint32_t>> out;
  bool goes_on = false;
  for (const printed::NumberedLine& line : printed::numbered_lines(text)) {
    std::string_view said = printed::without_blanks(line.text.substr(0, line.text.find('#')));
    const bool more = said.ends_with('\\');
    if (more) said.remove_suffix(1);
    if (goes_on)
      out.back().first += " " + std::string(said);
    else if (!said.empty())
      out.emplace_back(said, line.number);
    goes_on = more && !out.empty();
  }
  return out;
}

class SwitchTree {
 public:
  explicit SwitchTree(const std::string& file) : file_(file), found_(file) {}

  Result<ListedNodes> read(std::string_view text) {
    for (const auto& [line, number] : joined_lines(text)) add_line(line, number);
    join();
    for (const SaidSwitch& one : switches_)
      if (one.children.empty() && !one.hosts.empty())
        found_.add(one.hosts, {"", {file_, one.line, 0}, "", true, path_to(one)}, false);
    return found_.finish({.format = "a list of switches", .tells_switches = true});
  }

 private:
  void add_line(const std::string& line, std::uint32_t number) {
    SaidSwitch said{.name = "", .hosts = "", .children = "", .line = number};
    for (const std::string_view word : printed::words_of(line)) {
      const std::size_t equals = word.find('=');
      const std::string key = printed::lower_case(word.substr(0, equals));
      const std::string value(equals == std::string_view::npos ? "" : word.substr(equals + 1));
      if (key == "switchname" || key == "blockname") said.name = printable(value);
      if (key == "nodes" && value != "(null)") said.hosts = value;
      if (key == "switches" && value != "(null)") said.children = value;
    }
    if (printed::lower_case(line).starts_with("blocksizes=")) return;
    if (said.name.empty())
      return found_.complain(number, "RY-PLC-003", "this line is about no switch",
                             "write SwitchName=leaf1 Nodes=gpu[1-8], or SwitchName=spine Switches=leaf[1-4]");
    if (!index_.emplace(said.name, switches_.size()).second)
      return found_.complain(number, "RY-PLC-006", fmt::format("switch {} is told twice", said.name), "keep one of both");
    switches_.push_back(std::move(said));
  }

  void join() {
    for (std::size_t i = 0; i < switches_.size(); i++) {
      if (switches_[i].children.empty()) continue;
      std::vector<std::string> names;
      if (auto wrong = expand_hosts(switches_[i].children, names)) {
        found_.complain(switches_[i].line, "RY-PLC-002", *wrong, "write names such as leaf7, or leaf[1-16]");
        continue;
      }
      adopted_ += names.size();
      if (adopted_ > kMostHosts)
        return found_.complain(switches_[i].line, "RY-PLC-002", fmt::format("there are more than {} switches", kMostHosts),
                               "give the switches of one cluster");
      for (const std::string& name : names) adopt(switches_[i], name);
    }
  }

  void adopt(const SaidSwitch& parent, const std::string& name) {
    const auto child = index_.find(name);
    if (child == index_.end())
      return found_.complain(parent.line, "RY-PLC-006",
                             fmt::format("{} has a switch {} that no line is about", parent.name, name),
                             fmt::format("add SwitchName={} with its Nodes or Switches", name));
    SaidSwitch& below = switches_[child->second];
    if (!below.parent.empty())
      return found_.complain(parent.line, "RY-PLC-006",
                             fmt::format("{} is below {} and below {}", name, below.parent, parent.name),
                             "give every switch one above it");
    below.parent = parent.name;
  }

  std::vector<std::string> path_to(const SaidSwitch& leaf) {
    constexpr std::size_t kDeepest = 64;
    std::vector<std::string> path = {leaf.name};
    for (const SaidSwitch* at = &leaf; !at->parent.empty() && path.size() <= kDeepest; path.push_back(at->name))
      at = &switches_[index_.at(at->parent)];
    if (path.size() > kDeepest)
      found_.complain(leaf.line, "RY-PLC-006", fmt::format("the switches above {} go round in a circle", leaf.name),
                      "let one switch have none above it");
    return {path.rbegin(), path.rend()};
  }

  std::string file_;
  NodeCollector found_;
  std::vector<SaidSwitch> switches_;
  std::map<std::string, std::size_t> index_;
  std::size_t adopted_ = 0;  // switches that others name
};

}  // namespace

Result<ListedNodes> read_switches(std::string_view text, const std::string& file) { return SwitchTree(file).read(text); }

}  // namespace railyard
