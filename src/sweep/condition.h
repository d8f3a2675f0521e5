// Small expressions over the values of a point: parallel.tensor * parallel.pipeline <= 64 and routing.policy == "ecmp".
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <variant>

namespace railyard {

/// What a name or a part of an expression is.
using ConditionValue = std::variant<double, std::string, bool>;

/// What a name stands for: the value of an axis by its number, one that is the same at every point, or nothing.
using ConditionName = std::variant<std::monostate, std::size_t, ConditionValue>;

/// A condition that was understood. Knows numbers, "texts", true, false, names with dots, + - * / % ( ), < <= > >= == !=, and,
/// or, not; also &&, || and !.
class Condition {
 public:
  /// Or what is wrong with it. `find` says what a name is.
  static tl::expected<Condition, std::string> parse(std::string_view text,
                                                    const std::function<ConditionName(std::string_view)>& find);

  /// Whether it holds at a point, by the values of its axes; or why nobody can tell ("ecmp" < 3).
  [[nodiscard]] tl::expected<bool, std::string> holds(std::span<const ConditionValue> axes) const;

  struct Node;

 private:
  explicit Condition(std::shared_ptr<const Node> root) : root_(std::move(root)) {}
  std::shared_ptr<const Node> root_;
};

}  // namespace railyard
