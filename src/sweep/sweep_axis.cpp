#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <set>

#include "base/json.h"
#include "sweep/sweep_spec.h"

namespace railyard {

namespace {

constexpr std::size_t kMostAxisValues = 1'000'000;

Diagnostic bad_axis(const char* code, const std::string& key, const std::string& why, std::string hint,
                    const SourceSpan& where) {
  return {Severity::error, code, fmt::format("the axis {} {}", key, why), std::move(hint), where};
}

Diagnostic bad_range(const std::string& key, const std::string& why, const SourceSpan& where) {
  return bad_axis("RY-SWP-004", key, why,
                  "write for instance { from = 1, to = 8 }, { from = 0.1, to = 0.5, step = 0.1 } or "
                  "{ from = \"100 Gb/s\", to = \"800 Gb/s\", steps = 4, log = true }",
                  where);
}

struct RangeAmount {
  double number = 0;
  std::string unit;
  bool is_whole = false;
};

/// 4, 0.5 or "400 Gb/s".
std::optional<RangeAmount> range_amount(const Document* value) {
  if (!value) return std::nullopt;
  if (value->integer()) return RangeAmount{static_cast<double>(*value->integer()), {}, true};
  if (value->real()) return RangeAmount{*value->real(), {}, false};
  if (!value->text()) return std::nullopt;
  const std::string& text = *value->text();
  RangeAmount amount;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), amount.number);
  if (problem != std::errc()) return std::nullopt;
  amount.unit = text.substr(static_cast<std::size_t>(end - text.data()));
  amount.unit.erase(0, amount.unit.find_first_not_of(' '));
  return amount.unit.empty() ? std::nullopt : std::optional(amount);
}

/// A number of a range as a scenario has it, without the noise of its last digits.
Document range_value(const SweepRange& range, double number, const SourceSpan& where) {
  if (!range.unit.empty()) return Document(fmt::format("{:.12g} {}", number, range.unit), where);
  if (range.is_whole) return Document(static_cast<std::int64_t>(std::llround(number)), where);
  const std::string digits = fmt::format("{:.12g}", number);
  double rounded = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), rounded);
  return Document(rounded, where);
}

bool same_value(const Document& a, const Document& b) { return sweep_value_text(a) == sweep_value_text(b); }

/// How a range is cut: so many values, or so far from one to the next.
struct RangeSteps {
  std::optional<std::int64_t> count;
  std::optional<double> step;
};

/// Values from the first on; more than an axis may have are cut off.
std::vector<Document> cut_range(const SweepRange& range, const RangeSteps& cut, const SourceSpan& where) {
  std::vector<Document> values;
  const auto add = [&](double number) {
    Document value = range_value(range, number, where);
    if (values.empty() || !same_value(values.back(), value)) values.push_back(std::move(value));
  };
  if (cut.count) {
    for (std::int64_t i = 0; i < *cut.count; i++) {
      const double share = *cut.count == 1 ? 0 : static_cast<double>(i) / static_cast<double>(*cut.count - 1);
      add(range.is_log ? range.from * std::pow(range.to / range.from, share) : range.from + share * (range.to - range.from));
    }
    return values;
  }
  const double beyond = range.to + 1e-9 * std::max(std::abs(range.to), std::abs(*cut.step));
  for (std::size_t i = 0; i <= kMostAxisValues; i++) {
    const double number = range.is_log ? range.from * std::pow(*cut.step, static_cast<double>(i))
                                       : range.from + static_cast<double>(i) * *cut.step;
    if (number > beyond) break;
    add(number);
  }
  return values;
}

/// What is wrong with a range and its steps, or nothing.
std::string wrong_range(const SweepRange& range, const RangeSteps& cut) {
  if (!std::isfinite(range.from) || !std::isfinite(range.to)) return "goes to what is no number";
  if (range.to < range.from) return "ends before it begins";
  if (range.is_log && range.from <= 0) return "begins at 0 or below, where nothing grows by factors";
  if (cut.step && cut.count) return "has a step and a number of steps";
  if (cut.count && (*cut.count < 1 || *cut.count > static_cast<std::int64_t>(kMostAxisValues)))
    return fmt::format("has {} steps, and 1 to {} are possible", *cut.count, kMostAxisValues);
  if (cut.step && !range.is_log && !(*cut.step > 0)) return "has a step that is not above 0";
  if (cut.step && range.is_log && !(*cut.step > 1)) return "grows by a factor that is not above 1";
  return {};
}

Result<RangeSteps> read_steps(const std::string& key, const Document& table, const SweepRange& range) {
  RangeSteps cut;
  if (const Document* const steps = table.find("steps")) {
    if (!steps->integer()) return bad_range(key, "has steps that are no whole number", steps->where());
    cut.count = *steps->integer();
  }
  if (const Document* const step = table.find("step")) {
    const std::optional<RangeAmount> amount = range_amount(step);
    if (!amount || amount->unit != (range.is_log ? std::string() : range.unit))
      return bad_range(key, "has a step of another unit", step->where());
    cut.step = amount->number;
  }
  return cut;
}

Result<SweepAxis> read_range(const std::string& key, const Document& table, bool drawn) {
  for (const Document::Member& member : *table.members())
    if (member.key != "from" && member.key != "to" && member.key != "step" && member.key != "steps" && member.key != "log")
      return bad_range(key, fmt::format("has no use for '{}'", member.key), member.where);
  const std::optional<RangeAmount> from = range_amount(table.find("from")), to = range_amount(table.find("to"));
  if (!from || !to || from->unit != to->unit)
    return bad_range(key, "does not go from a number to a number of the same unit", table.where());
  const Document* const log = table.find("log");
  if (log && !log->boolean()) return bad_range(key, "has a log that is neither true nor false", log->where());
  SweepRange range{from->number, to->number, from->unit, log && *log->boolean(), from->is_whole && to->is_whole};
  Result<RangeSteps> cut = read_steps(key, table, range);
  if (!cut) return cut.error();
  if (range.is_whole && cut->step && std::floor(*cut->step) != *cut->step) range.is_whole = false;
  if (!cut->count && !cut->step && range.is_whole && !drawn) cut->step = range.is_log ? 2 : 1;
  if (const std::string wrong = wrong_range(range, *cut); !wrong.empty()) return bad_range(key, wrong, table.where());
  SweepAxis axis{key, table.where(), {}, range};
  if (cut->count || cut->step)
    axis.values = cut_range(range, *cut, table.where());
  else if (!drawn)
    return bad_range(key, "has neither step nor steps, and is not of whole numbers", table.where());
  if (axis.values.size() > kMostAxisValues)
    return bad_range(key, fmt::format("has more than {} values", kMostAxisValues), table.where());
  return axis;
}

}  // namespace

Document SweepRange::at(double share, const SourceSpan& where) const {
  if (is_log) return range_value(*this, std::min(to, from * std::pow(to / from, share)), where);
  if (is_whole) return range_value(*this, std::min(to, std::floor(from + share * (to - from + 1))), where);
  return range_value(*this, from + share * (to - from), where);
}

std::string sweep_value_text(const Document& value) {
  if (value.text()) return *value.text();
  return write_compact_json(value);
}

Result<SweepAxis> read_sweep_axis(const std::string& key, const Document& value, bool drawn) {
  if (value.members()) return read_range(key, value, drawn);
  const char* const hint = "write a list, [1, 2, 4], or a range, { from = 1, to = 8 }";
  if (!value.items())
    return bad_axis("RY-SWP-003", key, fmt::format("is {}, and one value is no axis", value.kind_name()), hint, value.where());
  if (value.items()->empty()) return bad_axis("RY-SWP-003", key, "has no value", hint, value.where());
  SweepAxis axis{key, value.where(), *value.items(), {}};
  std::set<std::string> seen;
  for (const Document& one : axis.values)
    if (!seen.insert(sweep_value_text(one)).second)
      return bad_axis("RY-SWP-003", key, fmt::format("has {} twice", one.summary()), "leave one of them out", one.where());
  return axis;
}

}  // namespace railyard
