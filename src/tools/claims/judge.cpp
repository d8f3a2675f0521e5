#include "tools/claims/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/quantity_text.h"

namespace railyard {

namespace {

constexpr std::string_view kYesOrNo = "yes or no";
constexpr std::string_view kYear = "year";
constexpr std::string_view kPercent = "%";
constexpr double kLeastPercent = 0.01;  // less is not worth its digits

/// How far outside the claimed range, as a share of its nearest end; 0 inside.
double distance(const Claim& claim, double found) {
  const double low = claim.low.value_or(-std::numeric_limits<double>::infinity());
  const double high = claim.high.value_or(std::numeric_limits<double>::infinity());
  if (found >= low && found <= high) return 0;
  const double end = found < low ? low : high;
  return end == 0 ? std::numeric_limits<double>::infinity() : std::abs(found - end) / std::abs(end);
}

/// One value, hedged by the document itself, met within a factor, or an upper end that is not reached.
bool hedge_holds(const Claim& claim, double found) {
  if (claim.hedge != Hedge::about && claim.hedge != Hedge::up_to) return false;
  if (!claim.low || !claim.high || *claim.low != *claim.high || *claim.low == 0) return false;
  if (claim.hedge == Hedge::up_to && found >= 0 && found < *claim.high) return true;  // a bound is not broken by less
  const double ratio = found / *claim.low;
  return ratio <= kHedgedFactor && ratio * kHedgedFactor >= 1;
}

/// "2.15e25" for "2.15e+25".
std::string with_short_exponent(std::string text) {
  const std::size_t at = text.find('e');
  if (at == std::string::npos) return text;
  std::size_t digits = at + 2;
  while (digits + 1 < text.size() && text[digits] == '0') digits++;
  return text.substr(0, at + 1) + (text[at + 1] == '-' ? "-" : "") + text.substr(digits);
}

std::string with_unit(std::string figures, const std::string& unit) {
  return unit.empty() || unit == kYear ? figures : figures + " " + unit;
}

/// What one number makes of a claim that nothing else decides.
Verdict judge_number(const Claim& claim, double found) {
  const double off = distance(claim, found);
  if (claim.hedge == Hedge::exact) return off == 0 ? Verdict::reproduced : Verdict::contradicted;
  if (off <= kReproducedWithin) return Verdict::reproduced;
  if (off <= claim.within.value_or(kPlausibleWithin)) return Verdict::plausible;
  return !claim.within && hedge_holds(claim, found) ? Verdict::plausible : Verdict::contradicted;
}

}  // namespace

Verdict judge(const Claim& claim, std::optional<double> found, std::optional<double> otherwise) {
  if (claim.primary && claim.primary->refutes()) return Verdict::contradicted;
  if (claim.test == ClaimTest::none) return Verdict::not_testable;
  RY_CHECK(found && (claim.low || claim.high), "a claim that can be tested has an end and a value");
  const Verdict verdict = judge_number(claim, *found);
  if (!otherwise || verdict == Verdict::contradicted) return verdict;
  const Verdict without = judge_number(claim, *otherwise);
  return without == Verdict::contradicted ? Verdict::conditional : std::max(verdict, without);
}

std::string recorded_figure(double value) { return fmt::format("{:.6g}", value); }

bool has_moved(double found, double recorded) { return recorded_figure(found) != recorded_figure(recorded); }

std::string figure(double value, const std::string& unit) {
  const double size = std::abs(value);
  if (unit == kYear) return fmt::format("{:.0f}", value);
  if (size != 0 && (size >= 1e7 || size < 1e-3)) return with_short_exponent(fmt::format("{:.3g}", value));
  if (size < 1000) return fmt::format("{:.3g}", value);
  return (value < 0 ? "-" : "") + format_count(static_cast<std::uint64_t>(std::llround(size)));
}

std::string found_text(const Claim& claim, double found) {
  if (claim.unit == kYesOrNo) return found != 0 ? "yes" : "no";
  if (claim.unit == kPercent && found != 0 && std::abs(found) < kLeastPercent)
    return fmt::format("{}{} %", found < 0 ? "> -" : "< ", kLeastPercent);
  return with_unit(figure(found, claim.unit), claim.unit);
}

std::string finding_text(const Claim& claim, const Finding& finding) {
  if (!finding.found) return "–";
  if (!finding.otherwise) return found_text(claim, *finding.found);
  const std::string first = claim.unit == kYesOrNo ? found_text(claim, *finding.found) : figure(*finding.found, claim.unit);
  return fmt::format("{}, else {}", first, found_text(claim, *finding.otherwise));
}

std::string claim_text(const Claim& claim, const Finding& finding) {
  return finding.verdict == Verdict::conditional ? fmt::format("{}; only {}", claim.claim, claim.only_when) : claim.claim;
}

std::string claimed_text(const Claim& claim) {
  if (!claim.low && !claim.high) return "–";
  if (claim.unit == kYesOrNo) return claim.low.value_or(0) != 0 ? "yes" : "no";
  const auto number = [&](double value) {
    return std::abs(value) < 1000 ? fmt::format("{:g}", value) : figure(value, claim.unit);
  };
  const std::string_view hedge = claim.hedge == Hedge::about ? "~" : claim.hedge == Hedge::up_to ? "up to " : "";
  std::string range;
  if (!claim.high)
    range = "> " + number(*claim.low);
  else if (!claim.low)
    range = "< " + number(*claim.high);
  else
    range = *claim.low == *claim.high ? number(*claim.low) : number(*claim.low) + "-" + number(*claim.high);
  return with_unit(std::string(hedge) + range, claim.unit);
}

std::string why_text(const Claim& claim, const Finding& finding) {
  std::string text = claim.why;
  const auto replace = [&](const std::string& name, const std::string& by) {
    const std::string mark = "{" + name + "}";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
      text.replace(at, mark.size(), by);
  };
  if (finding.found) replace("found", found_text(claim, *finding.found));
  if (finding.otherwise) replace("otherwise", found_text(claim, *finding.otherwise));
  for (const auto& [name, value] : finding.values) replace(name, figure(value));
  return text;
}

}  // namespace railyard
