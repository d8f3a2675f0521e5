#include "config/read/junos_tree.h"

#include <algorithm>

#include "config/read/cli_tree.h"

namespace railyard {

namespace {

struct JunosToken {
  std::string_view text;
  std::uint32_t line = 0;
  char mark = 0;  // one of {};[] or 0: a word
};

/// Words and marks; comments are left out.
std::vector<JunosToken> junos_tokens(std::string_view text) {
  std::vector<JunosToken> tokens;
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    std::size_t end = at + 1;
    if (c == '\n') {
      line++;
    } else if (c == '#') {
      end = std::min(text.find('\n', at), text.size());
    } else if (text.substr(at, 2) == "/*") {
      end = std::min(text.find("*/", at + 2), text.size());
      line += static_cast<std::uint32_t>(
          std::count(text.begin() + static_cast<std::ptrdiff_t>(at), text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      end = std::min(end + 2, text.size());
    } else if (std::string_view("{};[]").find(c) != std::string_view::npos) {
      tokens.push_back({text.substr(at, 1), line, c});
    } else if (c == '"') {
      end = at + 1;
      while (end < text.size() && text[end] != '"' && text[end] != '\n')
        end += text[end] == '\\' && end + 1 < text.size() ? 2 : 1;
      end = std::min(end, text.size());
      tokens.push_back({text.substr(at + 1, end - at - 1), line, 0});
      line += static_cast<std::uint32_t>(std::count(tokens.back().text.begin(), tokens.back().text.end(), '\n'));
      if (end < text.size() && text[end] == '"') end++;
    } else if (static_cast<unsigned char>(c) > ' ') {
      while (end < text.size() && static_cast<unsigned char>(text[end]) > ' ' &&
             std::string_view("{};\"").find(text[end]) == std::string_view::npos)
        end++;
      // "et-0/0/[0-3]" is one word; the brackets of a list stand alone or end a word.
      std::string_view word = text.substr(at, end - at);
      if (word.ends_with(']') && word.find('[') == std::string_view::npos) word.remove_suffix(1);
      tokens.push_back({word, line, 0});
      end = at + word.size();
    }
    at = end;
  }
  return tokens;
}

/// A statement of words and lists, put below the node. Returns the node of its last word that is not in a list.
class JunosStatement {
 public:
  explicit JunosStatement(JunosTree& tree) : tree_(tree) {}

  void start(JunosTree::Node at) {
    at_ = at;
    in_list_ = false;
    empty_ = true;
    inactive_ = false;
  }
  void take(const JunosToken& token) {
    if (token.mark == '[') in_list_ = true;
    if (token.mark == ']') in_list_ = false;
    if (token.mark != 0) return;
    if (empty_ && (token.text == "inactive:" || token.text == "protect:" || token.text == "replace:")) {
      inactive_ = token.text == "inactive:";
      return;
    }
    if (inactive_) return;
    empty_ = false;
    if (in_list_)
      tree_.add(at_, token.text, token.line);
    else
      at_ = tree_.add(at_, token.text, token.line);
  }
  [[nodiscard]] JunosTree::Node at() const { return inactive_ ? JunosTree::kNone : at_; }

 private:
  JunosTree& tree_;
  JunosTree::Node at_ = JunosTree::kRoot;
  bool in_list_ = false, empty_ = true, inactive_ = false;
};

void read_braces(std::string_view text, JunosTree& tree) {
  std::vector<JunosTree::Node> open = {JunosTree::kRoot};  // kNone: inactive
  JunosStatement statement(tree);
  statement.start(JunosTree::kRoot);
  for (const JunosToken& token : junos_tokens(text)) {
    const bool skipping = open.back() == JunosTree::kNone;
    if (token.mark == '{') {
      open.push_back(skipping ? JunosTree::kNone : statement.at());
    } else if (token.mark == '}') {
      if (open.size() > 1) open.pop_back();
    } else if (token.mark != ';') {
      if (!skipping) statement.take(token);
      continue;
    }
    statement.start(open.back() == JunosTree::kNone ? JunosTree::kRoot : open.back());
  }
}

void read_set_lines(std::string_view text, JunosTree& tree) {
  std::uint32_t number = 0;
  JunosStatement statement(tree);
  for (const std::string_view line : cli_lines(text)) {
    number++;
    std::vector<JunosToken> tokens = junos_tokens(line);
    if (tokens.size() < 2 || tokens[0].mark != 0) continue;
    const std::string_view verb = tokens[0].text;
    if (verb == "set") {
      statement.start(JunosTree::kRoot);
      for (std::size_t i = 1; i < tokens.size(); i++) {
        tokens[i].line = number;
        statement.take(tokens[i]);
      }
    } else if (verb == "delete" || verb == "deactivate") {
      JunosTree::Node node = JunosTree::kRoot;
      for (std::size_t i = 1; i < tokens.size() && node != JunosTree::kNone; i++) node = tree.find(node, tokens[i].text);
      if (node != JunosTree::kNone) tree.remove(node);
    }
  }
}

constexpr std::string_view kJunosTop[] = {"system",          "chassis",
                                          "interfaces",      "class-of-service",
                                          "protocols",       "policy-options",
                                          "routing-options", "routing-instances",
                                          "groups",          "forwarding-options",
                                          "vlans",           "firewall",
                                          "event-options",   "snmp",
                                          "apply-groups",    "switch-options"};

bool is_junos_top(std::string_view word) {
  return std::find(std::begin(kJunosTop), std::end(kJunosTop), word) != std::end(kJunosTop);
}

}  // namespace

JunosTree::Node JunosTree::find(Node node, std::string_view word) const {
  if (node == kNone) return kNone;
  const auto found = index_.find({node, word});
  return found == index_.end() ? kNone : found->second;
}

JunosTree::Node JunosTree::find(Node node, std::initializer_list<std::string_view> path) const {
  for (const std::string_view word : path) node = find(node, word);
  return node;
}

JunosTree::Node JunosTree::find_deep(Node node, std::string_view word) const {
  if (node == kNone) return kNone;
  if (const Node here = find(node, word); here != kNone) return here;
  for (const Node child : below(node))
    if (const Node found = find_deep(child, word); found != kNone) return found;
  return kNone;
}

std::string_view JunosTree::value(Node node, std::string_view key) const {
  const Node found = find_deep(node, key);
  return found == kNone || below(found).empty() ? std::string_view() : word(below(found).front());
}

JunosTree::Node JunosTree::add(Node node, std::string_view word, std::uint32_t line) {
  if (nodes_[node].depth >= kDeepest) return node;
  const auto [found, added] = index_.try_emplace({node, word}, static_cast<Node>(nodes_.size()));
  if (!added) return found->second;
  const Node child = found->second;
  nodes_.push_back({word, line, nodes_[node].depth + 1, node, {}});
  nodes_[node].below.push_back(child);
  return child;
}

void JunosTree::merge(Node from, Node into) {
  if (from == kNone || from == into) return;
  const std::vector<Node> children = below(from);
  for (const Node child : children) merge(child, add(into, word(child), line(child)));
}

void JunosTree::remove(Node node) {
  if (node == kRoot) return;
  const Node parent = nodes_[node].parent;
  index_.erase({parent, nodes_[node].word});
  std::erase(nodes_[parent].below, node);
}

JunosTree junos_tree(std::string_view text) {
  JunosTree tree;
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool braces = first != std::string_view::npos &&
                      (text.find(";\n") != std::string_view::npos || text.find(";\r\n") != std::string_view::npos ||
                       text.find("{\n") != std::string_view::npos);
  if (braces)
    read_braces(text, tree);
  else
    read_set_lines(text, tree);
  const JunosTree::Node applied = tree.find(JunosTree::kRoot, "apply-groups"), groups = tree.find(JunosTree::kRoot, "groups");
  if (applied != JunosTree::kNone && groups != JunosTree::kNone) {
    const std::vector<JunosTree::Node> names = tree.below(applied);
    for (const JunosTree::Node name : names) {
      const JunosTree::Node group = tree.find(groups, tree.word(name));
      if (group == JunosTree::kNone) continue;
      const std::vector<JunosTree::Node> inside = tree.below(group);
      for (const JunosTree::Node one : inside)
        if (tree.word(one) != "groups" && tree.word(one) != "apply-groups")
          tree.merge(one, tree.add(JunosTree::kRoot, tree.word(one), tree.line(one)));
    }
  }
  return tree;
}

bool looks_like_junos(std::string_view text) {
  std::size_t depth = 0;
  for (const std::string_view line : cli_lines(text)) {
    const std::vector<std::string_view> words = cli_words(line);
    if (words.empty() || words[0].starts_with('#') || words[0].starts_with("/*")) continue;
    if (words[0] == "set" && words.size() > 2 && is_junos_top(words[1])) return true;
    if (depth == 0 && words.size() == 2 && is_junos_top(words[0]) && words[1] == "{") return true;
    if (words[0].starts_with('{') || words[0].starts_with('<')) return false;  // JSON, XML
    if (line.ends_with('{')) depth++;
    if (words[0].starts_with('}') && depth > 0) depth--;
  }
  return false;
}

bool junos_matches(std::string_view pattern, std::string_view name) {
  std::size_t p = 0, n = 0, star = std::string_view::npos, retry = 0;
  // One sign of the name against the pattern from p on; moves p past what it took.
  const auto takes = [&](char c) {
    if (p >= pattern.size()) return false;
    if (pattern[p] != '[') {
      const bool same = pattern[p] == '?' || pattern[p] == c;
      p += same ? 1 : 0;
      return same;
    }
    const std::size_t close = pattern.find(']', p);
    if (close == std::string_view::npos) return false;
    bool same = false;
    for (std::size_t i = p + 1; i < close; i++) {
      if (i + 2 < close && pattern[i + 1] == '-') {
        same = same || (pattern[i] <= c && c <= pattern[i + 2]);
        i += 2;
      } else {
        same = same || pattern[i] == c;
      }
    }
    p = same ? close + 1 : p;
    return same;
  };
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      retry = n;
    } else if (takes(name[n])) {
      n++;
    } else if (star != std::string_view::npos) {
      p = star;
      n = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') p++;
  return p == pattern.size();
}

}  // namespace railyard
