#include "sweep/condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace railyard {

struct Condition::Node {
  std::string op;  // "*", "<=", "and", "not", "-1" (a sign); empty for a value
  std::vector<std::shared_ptr<const Node>> parts = {};
  ConditionName value = {};
};

namespace {

using NodePointer = std::shared_ptr<const Condition::Node>;

constexpr unsigned kDeepestCondition = 64;

/// Thrown and caught in this file.
struct ConditionMistake {
  std::string text;
};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

/// Recursive descent, one function for each strength of binding, the weakest first.
class ConditionReader {
 public:
  ConditionReader(std::string_view text, const std::function<ConditionName(std::string_view)>& find)
      : text_(text), find_(find) {}

  NodePointer whole() {
    NodePointer node = either();
    if (!rest().empty()) throw ConditionMistake{fmt::format("'{}' is not expected there", rest().substr(0, 12))};
    return node;
  }

 private:
  static NodePointer join(std::string op, std::vector<NodePointer> parts) {
    return std::make_shared<const Condition::Node>(Condition::Node{std::move(op), std::move(parts), {}});
  }
  static NodePointer leaf(ConditionName value) {
    return std::make_shared<const Condition::Node>(Condition::Node{{}, {}, std::move(value)});
  }

  NodePointer either() {
    NodePointer node = both();
    while (take("||") || take_word("or")) node = join("or", {node, both()});
    return node;
  }
  NodePointer both() {
    NodePointer node = negated();
    while (take("&&") || take_word("and")) node = join("and", {node, negated()});
    return node;
  }
  NodePointer negated() {
    if (++depth_ > kDeepestCondition) throw ConditionMistake{"it is nested too deeply"};
    const bool is_not = take_word("not") || (rest().substr(0, 2) != "!=" && take("!"));
    NodePointer node = is_not ? join("not", {negated()}) : compared();
    depth_--;
    return node;
  }
  NodePointer compared() {
    NodePointer node = sum();
    for (const char* const op : {"<=", ">=", "==", "!=", "<", ">"})
      if (take(op)) return join(op, {node, sum()});
    return node;
  }
  NodePointer sum() {
    NodePointer node = product();
    for (;;) {
      if (take("+"))
        node = join("+", {node, product()});
      else if (take("-"))
        node = join("-", {node, product()});
      else
        return node;
    }
  }
  NodePointer product() {
    NodePointer node = atom();
    for (;;) {
      const char* const ops[] = {"*", "/", "%"};
      const auto* const op = std::find_if(std::begin(ops), std::end(ops), [this](const char* one) { return take(one); });
      if (op == std::end(ops)) return node;
      node = join(*op, {node, atom()});
    }
  }
  NodePointer atom() {
    if (++depth_ > kDeepestCondition) throw ConditionMistake{"it is nested too deeply"};
    NodePointer node = take("-") ? join("-1", {atom()}) : take("(") ? closed() : plain();
    depth_--;
    return node;
  }
  NodePointer closed() {
    NodePointer node = either();
    if (!take(")")) throw ConditionMistake{"a parenthesis is not closed"};
    return node;
  }

  NodePointer plain() {
    const std::string_view left = rest();
    if (left.empty()) throw ConditionMistake{"it ends too early"};
    if (left.front() == '"' || left.front() == '\'') return quoted(left.front());
    if ((left.front() >= '0' && left.front() <= '9') || left.front() == '.') return number();
    const std::string word(left.substr(0, word_length(left)));
    if (word.empty()) throw ConditionMistake{fmt::format("'{}' is not expected there", left.substr(0, 12))};
    text_.remove_prefix(word.size());
    if (word == "true" || word == "false") return leaf(ConditionValue(word == "true"));
    ConditionName found = find_(word);
    if (std::holds_alternative<std::monostate>(found))
      throw ConditionMistake{fmt::format("there is no axis and no key of the scenario called '{}'", word)};
    return leaf(std::move(found));
  }
  NodePointer quoted(char quote) {
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) throw ConditionMistake{"a text is not closed"};
    NodePointer node = leaf(ConditionValue(std::string(text_.substr(1, end - 1))));
    text_.remove_prefix(end + 1);
    return node;
  }
  NodePointer number() {
    double value = 0;
    const auto [end, problem] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (problem != std::errc()) throw ConditionMistake{fmt::format("'{}' is no number", text_.substr(0, 12))};
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return leaf(ConditionValue(value));
  }

  std::string_view rest() {
    while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n' || text_.front() == '\t')) text_.remove_prefix(1);
    return text_;
  }
  static std::size_t word_length(std::string_view text) {
    const auto* const end = std::find_if_not(text.begin(), text.end(), is_word);
    return static_cast<std::size_t>(end - text.begin());
  }
  bool take(std::string_view op) {
    if (!rest().starts_with(op)) return false;
    text_.remove_prefix(op.size());
    return true;
  }
  bool take_word(std::string_view word) {
    const std::string_view left = rest();
    if (left.substr(0, word_length(left)) != word) return false;
    text_.remove_prefix(word.size());
    return true;
  }

  std::string_view text_;
  const std::function<ConditionName(std::string_view)>& find_;
  unsigned depth_ = 0;
};

double number_of(const ConditionValue& value) {
  if (const double* const number = std::get_if<double>(&value)) return *number;
  const std::string* const text = std::get_if<std::string>(&value);
  throw ConditionMistake{text ? fmt::format("'{}' is text, and a number is needed", *text) : "true and false are no numbers"};
}

bool truth_of(const ConditionValue& value) {
  if (const bool* const truth = std::get_if<bool>(&value)) return *truth;
  throw ConditionMistake{"it is neither true nor false: compare it with something"};
}

ConditionValue arithmetic(char op, double a, double b) {
  switch (op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    default:
      if (b == 0) throw ConditionMistake{"something is divided by 0"};
      return op == '/' ? a / b : std::fmod(a, b);
  }
}

bool compare(const std::string& op, const ConditionValue& a, const ConditionValue& b) {
  if (op == "==" || op == "!=") {
    if (a.index() != b.index()) throw ConditionMistake{"a number is compared with what is none"};
    return (a == b) == (op == "==");
  }
  const double left = number_of(a), right = number_of(b);
  if (op == "<") return left < right;
  if (op == "<=") return left <= right;
  return op == ">" ? left > right : left >= right;
}

ConditionValue value_of(const Condition::Node& node, std::span<const ConditionValue> axes) {
  if (node.op.empty()) {
    const std::size_t* const axis = std::get_if<std::size_t>(&node.value);
    return axis ? axes[*axis] : std::get<ConditionValue>(node.value);
  }
  ConditionValue first = value_of(*node.parts[0], axes);
  if (node.op == "not") return !truth_of(first);
  if (node.op == "-1") return -number_of(first);
  if (node.op == "and") return truth_of(first) && truth_of(value_of(*node.parts[1], axes));
  if (node.op == "or") return truth_of(first) || truth_of(value_of(*node.parts[1], axes));
  const ConditionValue second = value_of(*node.parts[1], axes);
  if (node.op.size() == 1 && node.op != "<" && node.op != ">")
    return arithmetic(node.op.front(), number_of(first), number_of(second));
  return compare(node.op, first, second);
}

}  // namespace

tl::expected<Condition, std::string> Condition::parse(std::string_view text,
                                                      const std::function<ConditionName(std::string_view)>& find) {
  try {
    return Condition(ConditionReader(text, find).whole());
  } catch (const ConditionMistake& mistake) {
    return tl::unexpected(mistake.text);
  }
}

tl::expected<bool, std::string> Condition::holds(std::span<const ConditionValue> axes) const {
  try {
    return truth_of(value_of(*root_, axes));
  } catch (const ConditionMistake& mistake) {
    return tl::unexpected(mistake.text);
  }
}

}  // namespace railyard
