// One quantitative claim of the documents, what it is tested with, and what was found. docs/claims.md tells how verdicts are
// made.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/choice.h"
#include "base/diagnostic.h"
#include "catalog/status.h"

namespace railyard {

/// `conditional`: it holds under the condition that it names, and not otherwise.
enum class Verdict : std::uint8_t { reproduced, plausible, conditional, contradicted, not_testable };
template<>
struct ChoiceNames<Verdict> {
  static constexpr std::string_view names[] = {"reproduced", "plausible", "conditional", "contradicted", "not testable"};
};

/// What decides: the simulator; arithmetic over stated inputs; a value read in a source; nothing can.
enum class ClaimTest : std::uint8_t { run, formula, source, none };
template<>
struct ChoiceNames<ClaimTest> {
  static constexpr std::string_view names[] = {"run", "formula", "source", "none"};
};

/// How firmly the document puts it. `exact` leaves no slack: years, counts, yes or no, which of two is larger.
enum class Hedge : std::uint8_t { plain, about, up_to, exact };
template<>
struct ChoiceNames<Hedge> {
  static constexpr std::string_view names[] = {"plain", "about", "up to", "exact"};
};

/// What becomes of several numbers that a path leads to. `one`: there must be one. `where_max`: how far into the list, 0 … 1,
/// the largest stands.
enum class Fold : std::uint8_t { one, sum, mean, max, min, count, where_max };
template<>
struct ChoiceNames<Fold> {
  static constexpr std::string_view names[] = {"one", "sum", "mean", "max", "min", "count", "where max"};
};

/// Whose JSON a number is read out of.
enum class ClaimCommand : std::uint8_t { run, faults, goodput, jobs };
template<>
struct ChoiceNames<ClaimCommand> {
  static constexpr std::string_view names[] = {"run", "faults", "goodput", "jobs"};
};

/// A named number of a test: read out of the results of a run, or stated with its origin.
struct ClaimValue {
  std::string name;
  ClaimCommand command = ClaimCommand::run;
  std::string scenario;          // as scenarios/ has it, without folder and ending; empty: stated
  std::vector<std::string> set;  // overrides
  std::string path;              // into the results (select.h)
  Fold fold = Fold::one;
  std::optional<double> value = {};  // stated
  std::optional<Status> status = {};
  std::string source;
  SourceSpan where = {};

  [[nodiscard]] bool from_run() const { return !scenario.empty(); }
};

/// What somebody who can know it has published.
struct PrimarySource {
  std::string verdict;  // as the sources were judged: wrong, contradicted, imprecise, disputed, …
  std::string value, source;

  /// A source that was read and says otherwise decides, whatever a simulation finds.
  [[nodiscard]] bool refutes() const { return verdict == "wrong" || verdict == "contradicted"; }
};

struct Claim {
  std::string id;
  std::string document, location;             // "001", and where in it
  std::string topic;                          // the file it is written in
  std::string claim;                          // in our own words
  std::optional<double> low = {}, high = {};  // what is claimed: a range, a bound, or one value twice
  std::string unit;
  Hedge hedge = Hedge::plain;
  ClaimTest test = ClaimTest::none;
  std::vector<ClaimValue> values;
  std::string expression;             // over the names of values; empty where there is but one
  std::string only_when, otherwise;   // a condition in words, and the expression where it is not met; both or neither
  std::optional<double> within = {};  // a share: closer is still plausible, instead of the rule's; with a reason
  std::string within_because;
  std::string why;  // the evidence in a sentence; {found} and {name} stand for numbers
  std::optional<PrimarySource> primary = {};
  SourceSpan where = {};
};

/// What a test gave, now or when it was recorded.
struct Finding {
  std::optional<double> found = {}, otherwise = {};         // otherwise: where the claim's condition is not met
  std::vector<std::pair<std::string, double>> values = {};  // in the order of the claim's
  Verdict verdict = Verdict::not_testable;
};

/// All claims in the order of topics, and what was found when they were last recorded.
struct Ledger {
  std::vector<Claim> claims;
  std::vector<std::optional<Finding>> recorded;  // as many; nothing for a claim that is new
};

}  // namespace railyard
