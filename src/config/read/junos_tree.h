// Junos configuration as one tree of words, from curly braces and from set lines alike.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace railyard {

/// Every word is a node below the word before it, so that `a b { c d; }` and `set a b c d` are the same. Items of a list are
/// nodes side by side. Words are parts of the text that was read, which must outlive the tree.
class JunosTree {
 public:
  using Node = std::uint32_t;
  static constexpr Node kRoot = 0;
  static constexpr Node kNone = ~Node{0};
  static constexpr std::uint32_t kDeepest = 48;  // what is deeper is left out

  [[nodiscard]] std::string_view word(Node node) const { return nodes_[node].word; }
  [[nodiscard]] std::uint32_t line(Node node) const { return nodes_[node].line; }
  [[nodiscard]] const std::vector<Node>& below(Node node) const { return nodes_[node].below; }
  /// kNone if there is no such word below; below kNone there is nothing.
  [[nodiscard]] Node find(Node node, std::string_view word) const;
  [[nodiscard]] Node find(Node node, std::initializer_list<std::string_view> path) const;
  /// The first such word anywhere below.
  [[nodiscard]] Node find_deep(Node node, std::string_view word) const;
  /// The first word after such a word, anywhere below; empty if there is none.
  [[nodiscard]] std::string_view value(Node node, std::string_view key) const;

  /// The word below a node, added if it is not there.
  Node add(Node node, std::string_view word, std::uint32_t line);
  /// Adds all that is below one node to another, without replacing.
  void merge(Node from, Node into);
  void remove(Node node);

 private:
  struct Entry {
    std::string_view word;
    std::uint32_t line = 0, depth = 0;
    Node parent = kRoot;
    std::vector<Node> below;
  };
  struct Key {
    Node parent;
    std::string_view word;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      return std::hash<std::string_view>()(key.word) ^ (std::size_t{key.parent} * 0x9e3779b97f4a7c15U);
    }
  };
  std::vector<Entry> nodes_ = {Entry()};
  std::unordered_map<Key, Node, KeyHash> index_;
};

/// Takes any text. Inactive statements are left out, groups that are applied at the top are merged.
[[nodiscard]] JunosTree junos_tree(std::string_view text);

/// Whether the text is of Junos: set lines or braces below words that only its top level has.
[[nodiscard]] bool looks_like_junos(std::string_view text);

/// Whether a name is meant by a pattern with "*", "?" and "[0-9]".
[[nodiscard]] bool junos_matches(std::string_view pattern, std::string_view name);

}  // namespace railyard
