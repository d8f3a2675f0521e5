#include "tools/claims/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

namespace railyard {

namespace {

constexpr unsigned kDeepest = 64;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Recursive descent: sum = product {+- product}; product = unary {*/ unary}; unary = [-] power; power = atom [^ unary].
/// The first mistake is kept, and everything after it is 0.
class Reader {
 public:
  Reader(std::string_view text, std::span<const NamedNumber> names) : text_(text), names_(names) {}

  tl::expected<double, std::string> whole() {
    const double value = sum();
    if (next() != '\0') mistake(fmt::format("'{}' is not expected here", rest()));
    if (!mistake_ && !std::isfinite(value)) mistake("it is not a finite number");
    if (mistake_) return tl::unexpected(*mistake_);
    return value;
  }

 private:
  double sum() {
    double value = product();
    for (char c = next(); c == '+' || c == '-'; c = next()) {
      text_.remove_prefix(1);
      value = c == '+' ? value + product() : value - product();
    }
    return value;
  }

  double product() {
    double value = unary();
    for (char c = next(); c == '*' || c == '/'; c = next()) {
      text_.remove_prefix(1);
      value = c == '*' ? value * unary() : value / unary();
    }
    return value;
  }

  double unary() {
    if (++depth_ > kDeepest) return mistake("it is nested too deeply");
    const bool negative = take('-');
    const double value = negative ? -unary() : power();
    depth_--;
    return value;
  }

  double power() {
    const double base = atom();
    return take('^') ? std::pow(base, unary()) : base;
  }

  double atom() {
    if (take('(')) {
      const double value = sum();
      if (!take(')')) mistake("a parenthesis is not closed");
      return value;
    }
    const char c = next();
    if (is_letter(c)) return name();
    if (is_digit(c) || c == '.') return number();
    return mistake(c == '\0' ? "it ends too early" : fmt::format("'{}' is not expected here", rest()));
  }

  double number() {
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc()) return mistake(fmt::format("'{}' is not a number", rest()));
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return value;
  }

  double name() {
    const auto end = std::find_if(text_.begin(), text_.end(), [](char c) { return !is_letter(c) && !is_digit(c); });
    const std::string word(text_.begin(), end);
    text_.remove_prefix(word.size());
    if (take('(')) return function(word);
    const auto found = std::find_if(names_.begin(), names_.end(), [&](const NamedNumber& n) { return n.first == word; });
    return found != names_.end() ? found->second : mistake(fmt::format("there is no value named '{}'", word));
  }

  double function(const std::string& word) {
    std::vector<double> arguments;
    do arguments.push_back(sum());
    while (take(','));
    if (!take(')')) return mistake("a parenthesis is not closed");
    if (word == "min") return *std::min_element(arguments.begin(), arguments.end());
    if (word == "max") return *std::max_element(arguments.begin(), arguments.end());
    if (arguments.size() == 1 && word == "sqrt") return std::sqrt(arguments[0]);
    if (arguments.size() == 1 && word == "ceil") return std::ceil(arguments[0]);
    return mistake(fmt::format("there is no function {} of {}", word, arguments.size()));
  }

  char next() {
    while (!text_.empty() && text_.front() == ' ') text_.remove_prefix(1);
    return text_.empty() ? '\0' : text_.front();
  }
  bool take(char c) {
    if (next() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  [[nodiscard]] std::string rest() const { return std::string(text_.substr(0, 12)); }
  double mistake(std::string what) {
    if (!mistake_) mistake_ = std::move(what);
    text_ = {};
    return 0;
  }

  std::string_view text_;
  std::span<const NamedNumber> names_;
  std::optional<std::string> mistake_;
  unsigned depth_ = 0;
};

}  // namespace

tl::expected<double, std::string> evaluate(std::string_view text, std::span<const NamedNumber> names) {
  return Reader(text, names).whole();
}

}  // namespace railyard
