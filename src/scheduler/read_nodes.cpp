#include "scheduler/read_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/check.h"
#include "base/printed_text.h"
#include "scheduler/host_list.h"
#include "scheduler/readers.h"

namespace railyard {

namespace {

constexpr std::size_t kMostMistakes = 50;

/// Whether a line begins with one of these words, in any case.
bool begins_line(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const printed::NumberedLine& line : printed::numbered_lines(text)) {
    const std::string start = printed::lower_case(printed::without_blanks(line.text).substr(0, 16));
    for (const std::string_view word : words)
      if (start.starts_with(word)) return true;
  }
  return false;
}

/// A node that two lists tell differently, and how.
std::optional<std::string> difference(const ListedNode& a, const ListedNode& b) {
  if (!a.state.empty() && !b.state.empty() && a.state != b.state) return fmt::format("\"{}\" and \"{}\"", a.state, b.state);
  if (!a.switches.empty() && !b.switches.empty() && a.switches != b.switches)
    return fmt::format("under switch {} and under switch {}", a.switches.back(), b.switches.back());
  return std::nullopt;
}

class Merger {
 public:
  explicit Merger(const std::vector<ListedNodes>& lists) : lists_(lists) {
    for (const ListedNodes& list : lists) {
      all_.tells_states |= list.tells_states;
      all_.tells_switches |= list.tells_switches;
      all_.format += (all_.format.empty() ? "" : " and ") + list.format;
    }
  }

  Result<ListedNodes> merge() {
    for (const ListedNodes& list : lists_)
      if (list.tells_states || !all_.tells_states) add(list, true);
    for (const ListedNodes& list : lists_)
      if (!list.tells_states && all_.tells_states) add(list, false);
    if (all_.tells_switches)
      for (const ListedNode& node : all_.nodes)
        if (node.is_free && node.switches.empty())
          complain("RY-PLC-015", node.where, fmt::format("no list of switches has the free node {}", node.name),
                   "add it to the topology, or leave the topology out");
    if (!errors_.empty()) return errors_;
    return std::move(all_);
  }

 private:
  void add(const ListedNodes& list, bool tells) {
    for (const ListedNode& node : list.nodes) {
      const auto found = index_.find(node.name);
      if (found == index_.end()) {
        index_.emplace(node.name, all_.nodes.size());
        all_.nodes.push_back(node);
        if (!tells) all_.nodes.back().state = "not listed", all_.nodes.back().is_free = false;
        continue;
      }
      ListedNode& known = all_.nodes[found->second];
      if (const auto how = difference(known, node))
        complain("RY-PLC-004", node.where, fmt::format("{} is told twice: {}", node.name, *how), "keep one of both");
      if (known.switches.empty()) known.switches = node.switches;
      if (known.state.empty()) known.state = node.state, known.is_free = node.is_free;
    }
  }

  void complain(std::string_view code, const SourceSpan& where, std::string message, std::string hint) {
    if (errors_.size() < kMostMistakes)
      errors_.push_back({Severity::error, std::string(code), std::move(message), std::move(hint), where});
  }

  const std::vector<ListedNodes>& lists_;
  ListedNodes all_;
  std::map<std::string, std::size_t> index_;
  Diagnostics errors_;
};

}  // namespace

void NodeCollector::complain(std::uint32_t line, std::string_view code, std::string message, std::string hint) {
  if (errors_.size() < kMostMistakes)
    errors_.push_back({Severity::error, std::string(code), std::move(message), std::move(hint), {file_, line, 0}});
}

void NodeCollector::add(std::string_view hosts, const ListedNode& like, bool may_repeat) {
  if (expanded_ > kMostHosts) return;
  std::vector<std::string> names;
  if (auto wrong = expand_hosts(hosts, names)) {
    expanded_ += names.size();
    return complain(like.where.line, "RY-PLC-002", *wrong, "write names such as gpu7, or host lists such as gpu[001-128,130]");
  }
  expanded_ += names.size();
  if (expanded_ > kMostHosts)
    return complain(like.where.line, "RY-PLC-002", fmt::format("the list has more than {} nodes", kMostHosts),
                    "give the nodes of one cluster");
  for (std::string& name : names) {
    const auto [entry, fresh] = index_.try_emplace(name, nodes_.size());
    if (fresh) {
      ListedNode& node = nodes_.emplace_back(like);
      node.name = std::move(name);
      node.where.file = file_;
      continue;
    }
    ListedNode& known = nodes_[entry->second];
    const auto how = difference(known, like);
    if (!may_repeat || how)
      complain(like.where.line, "RY-PLC-004", fmt::format("{} is listed twice{}", name, how ? ": " + *how : std::string()),
               fmt::format("keep one; the other is in line {}", known.where.line));
  }
}

Result<ListedNodes> NodeCollector::finish(ListedNodes about) {
  if (errors_.empty() && nodes_.empty())
    complain(0, "RY-PLC-005", "no node is listed here",
             "give what sinfo -N, scontrol show nodes, scontrol show topology or kubectl get nodes prints, or names");
  if (!errors_.empty()) return errors_;
  about.nodes = std::move(nodes_);
  return about;
}

Result<ListedNodes> read_nodes(std::string_view text, const std::string& file) {
  const std::string plain = printed::without_escapes(text);
  const std::string_view start = printed::without_blanks(plain);
  if (start.starts_with('{')) return read_kubectl_json(plain, file);
  if (begins_line(plain, {"switchname=", "blockname="})) return read_switches(plain, file);
  if (begins_line(plain, {"nodename="})) return read_scontrol_nodes(plain, file);
  if (is_kubectl_table(plain)) return read_kubectl_table(plain, file);
  if (is_sinfo(plain)) return read_sinfo(plain, file);
  return read_name_list(plain, file);
}

Result<ListedNodes> merge_nodes(const std::vector<ListedNodes>& lists) {
  RY_CHECK(!lists.empty(), "there is something to merge");
  return Merger(lists).merge();
}

}  // namespace railyard
