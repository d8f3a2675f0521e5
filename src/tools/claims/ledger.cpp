#include "tools/claims/ledger.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/schema.h"
#include "base/toml.h"
#include "tools/claims/expression.h"
#include "tools/claims/judge.h"

namespace railyard {

namespace {

constexpr std::string_view kTopics[] = {"architecture", "parallelism", "primitives", "volumes",    "bandwidth",
                                        "latency",      "mfu",         "entropy",    "congestion", "lossless",
                                        "marking",      "design",      "validation", "transport",  "cost",
                                        "power",        "failures",    "sharing",    "history"};
constexpr std::string_view kFolder = "catalog/claims/", kEnding = ".toml", kRecorded = "catalog/claims/recorded.toml";
constexpr SchemaCodes kCodes{.unknown_key = "RY-CLM-002",
                             .wrong_type = "RY-CLM-003",
                             .bad_quantity = "RY-CLM-003",
                             .out_of_range = "RY-CLM-003",
                             .unknown_choice = "RY-CLM-004",
                             .missing_key = "RY-CLM-005"};
constexpr std::string_view kUnfit = "RY-CLM-006", kBadExpression = "RY-CLM-007";

std::span<const Key<Claim>> claim_keys() {
  static const std::vector<Key<Claim>> keys = {
      key("document", &Claim::document, "000 to 004", {.required = true}),
      key("place", &Claim::location, "where in it", {.required = true}),
      key("claim", &Claim::claim, "what is claimed, in our own words", {.required = true}),
      key("low", &Claim::low, "the least that is claimed"),
      key("high", &Claim::high, "the most that is claimed"),
      key("unit", &Claim::unit, "of both, and of what is found"),
      key("hedge", &Claim::hedge, "how firmly it is put"),
      key("test", &Claim::test, "what decides", {.required = true}),
      key("expression", &Claim::expression, "over the values' names; needed where there are several"),
      key("only_when", &Claim::only_when, "a condition it may need, in words that go on from 'only'"),
      key("otherwise", &Claim::otherwise, "the expression where that condition is not met"),
      key("within", &Claim::within, "what is still plausible, instead of the rule"),
      key("within_because", &Claim::within_because, "why"),
      key("why", &Claim::why, "the evidence, with {names} for numbers", {.required = true}),
  };
  return keys;
}

std::span<const Key<ClaimValue>> value_keys() {
  static const std::vector<Key<ClaimValue>> keys = {
      key("command", &ClaimValue::command,
          "what is done with the scenario: it is run, or asked for faults or goodput, or several jobs are played"),
      key("scenario", &ClaimValue::scenario, "whose run it is read from"),
      key("set", &ClaimValue::set, "overrides of that run"),
      key("path", &ClaimValue::path, "into its results"),
      key("fold", &ClaimValue::fold, "what becomes of several numbers"),
      key("value", &ClaimValue::value, "a number that no run is needed for"),
      key("status", &ClaimValue::status, "how far it can be trusted"),
      key("source", &ClaimValue::source, "where it comes from"),
  };
  return keys;
}

std::span<const Key<PrimarySource>> primary_keys() {
  static const std::vector<Key<PrimarySource>> keys = {
      key("verdict", &PrimarySource::verdict, "what reading it found", {.required = true}),
      key("value", &PrimarySource::value, "what it says", {.required = true}),
      key("source", &PrimarySource::source, "what was read", {.required = true}),
  };
  return keys;
}

/// Members of a table in the order written; the reader sorts tables by name.
Document::Object in_order(const Document& table) {
  Document::Object members = table.members() ? *table.members() : Document::Object{};
  std::sort(members.begin(), members.end(), [](const Document::Member& a, const Document::Member& b) {
    return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
  });
  return members;
}

void check_value(const ClaimValue& value, Complaints& complaints) {
  const bool run = value.from_run() && !value.path.empty() && !value.value && value.source.empty();
  const bool stated = !value.from_run() && value.path.empty() && value.value && value.status && !value.source.empty();
  if (!run && !stated)
    complaints.error(kUnfit, value.where, fmt::format("the value {} is neither read from a run nor stated", value.name),
                     "give it scenario and path, or value, status and source");
}

/// What is wrong with the claim as a whole, or nothing.
std::string unfit(const Claim& claim) {
  const bool runs =
      std::any_of(claim.values.begin(), claim.values.end(), [](const ClaimValue& value) { return value.from_run(); });
  if (claim.test == ClaimTest::none && (!claim.values.empty() || !claim.expression.empty() || !claim.otherwise.empty()))
    return "it has values and no test";
  if (claim.test == ClaimTest::none) return {};
  if (claim.values.empty()) return "it has a test and no values";
  if (!claim.low && !claim.high) return "it has neither low nor high";
  if (claim.low && claim.high && *claim.low > *claim.high) return "low is above high";
  if ((claim.test == ClaimTest::run) != runs)
    return runs ? "a run is named that its test is not" : "its test is a run; none is named";
  if (claim.test == ClaimTest::source && !claim.primary) return "its test is a source; none is named";
  if (claim.expression.empty() && claim.values.size() > 1) return "several values need an expression";
  if (claim.only_when.empty() != claim.otherwise.empty()) return "only_when and otherwise belong together";
  if (claim.within.has_value() == claim.within_because.empty()) return "within and within_because belong together";
  return {};
}

/// Names in an expression and in braces must be values; that is seen without running anything.
void check_names(const Claim& claim, Complaints& complaints) {
  std::vector<NamedNumber> names;
  for (const ClaimValue& value : claim.values) names.emplace_back(value.name, 1.5);
  for (const std::string& expression : {claim.expression, claim.otherwise}) {
    if (expression.empty()) continue;
    if (const auto value = evaluate(expression, names); !value && value.error().find("finite") == std::string::npos)
      complaints.error(kBadExpression, claim.where, fmt::format("{}: {}: {}", claim.id, expression, value.error()),
                       "use numbers, names of values, + - * / ^ and parentheses");
  }
  for (std::size_t at = claim.why.find('{'); at != std::string::npos; at = claim.why.find('{', at + 1)) {
    const std::string name = claim.why.substr(at + 1, claim.why.find('}', at) - at - 1);
    const bool known = (name == "found" && !names.empty()) || (name == "otherwise" && !claim.otherwise.empty()) ||
                       std::any_of(names.begin(), names.end(), [&](const NamedNumber& n) { return n.first == name; });
    if (!known)
      complaints.error(kBadExpression, claim.where, fmt::format("{}: why names {{{}}}, which is no value", claim.id, name),
                       "write {found} or the name of a value");
  }
}

Claim read_claim(const Document::Member& member, std::string topic, Complaints& complaints) {
  static const std::vector<std::string> kTables = {"values", "primary"};
  Claim claim;
  claim.id = member.key;
  claim.topic = std::move(topic);
  claim.where = member.where;
  read_table(member.value, claim_keys(), kTables, claim, complaints);
  if (const Document* values = member.value.find("values"))
    for (const Document::Member& one : in_order(*values)) {
      ClaimValue& value = claim.values.emplace_back();
      value.name = one.key;
      value.where = one.where;
      read_table(one.value, value_keys(), {}, value, complaints);
      check_value(value, complaints);
    }
  if (const Document* primary = member.value.find("primary"))
    read_table(*primary, primary_keys(), {}, claim.primary.emplace(), complaints);
  if (const std::string what = unfit(claim); !what.empty())
    complaints.error(kUnfit, claim.where, fmt::format("{}: {}", claim.id, what), "see docs/claims.md");
  check_names(claim, complaints);
  return claim;
}

std::string topic_of(const EmbeddedFile& file) {
  return std::string(file.name.substr(kFolder.size(), file.name.size() - kFolder.size() - kEnding.size()));
}

void read_topic(const EmbeddedFile& file, const Document& document, Ledger& ledger, Complaints& complaints) {
  for (const Document::Member& member : in_order(document)) {
    const bool twice =
        std::any_of(ledger.claims.begin(), ledger.claims.end(), [&](const Claim& c) { return c.id == member.key; });
    if (twice) complaints.error(kUnfit, member.where, fmt::format("{} is defined twice", member.key), "rename one of them");
    ledger.claims.push_back(read_claim(member, topic_of(file), complaints));
  }
}

struct Record {
  std::optional<double> found, otherwise;
  std::optional<Verdict> verdict;
};

Finding read_record(const Document& table, const Claim& claim, Complaints& complaints) {
  static const std::vector<Key<Record>> keys = {key("found", &Record::found, "the figure"),
                                                key("otherwise", &Record::otherwise, "where the condition is not met"),
                                                key("verdict", &Record::verdict, "what it means", {.required = true})};
  static const std::vector<std::string> kValues = {"values"};
  Record record;
  read_table<Record>(table, keys, kValues, record, complaints);
  Finding finding{.found = record.found,
                  .otherwise = record.otherwise,
                  .values = {},
                  .verdict = record.verdict.value_or(Verdict::not_testable)};
  if (const Document* values = table.find("values"))
    for (const ClaimValue& value : claim.values) {
      double storage = 0;
      const Document* written = values->find(value.name);
      if (const double* number = written ? written->number(storage) : nullptr) finding.values.emplace_back(value.name, *number);
    }
  return finding;
}

void read_records(const Document& document, Ledger& ledger, Complaints& complaints) {
  for (const Document::Member& member : *document.members()) {
    const auto claim =
        std::find_if(ledger.claims.begin(), ledger.claims.end(), [&](const Claim& c) { return c.id == member.key; });
    if (claim == ledger.claims.end())
      complaints.error(kUnfit, member.where, fmt::format("there is no claim {}", member.key),
                       "railyard claims --write records anew");
    else
      ledger.recorded[static_cast<std::size_t>(claim - ledger.claims.begin())] = read_record(member.value, *claim, complaints);
  }
}

Diagnostic unknown(std::string_view what, const std::string& word, std::span<const std::string> known) {
  constexpr std::size_t kFew = 20;
  const std::string guess = nearest(word, known);
  const std::string all =
      known.size() > kFew ? "railyard claims --recorded lists all" : fmt::format("choose one of {}", fmt::join(known, ", "));
  return {Severity::error, "RY-CLM-009", fmt::format("there is no {} '{}'", what, printable(word)),
          guess.empty() ? all : fmt::format("did you mean '{}'?", guess)};
}

}  // namespace

std::span<const std::string_view> claim_topics() { return kTopics; }

Result<Ledger> read_ledger(std::span<const EmbeddedFile> files) {
  Ledger ledger;
  Complaints complaints(kCodes);
  Diagnostics syntax;
  const auto read = [&](std::string_view name, auto use) {
    for (const EmbeddedFile& file : files) {
      if (file.name != name) continue;
      const Result<Document> document = parse_toml(file.text, std::string(file.name), "RY-CLM-001");
      if (document)
        use(file, *document);
      else
        syntax.insert(syntax.end(), document.error().begin(), document.error().end());
    }
  };
  for (const std::string_view topic : kTopics)
    read(fmt::format("{}{}{}", kFolder, topic, kEnding),
         [&](const EmbeddedFile& file, const Document& document) { read_topic(file, document, ledger, complaints); });
  ledger.recorded.resize(ledger.claims.size());
  read(kRecorded, [&](const EmbeddedFile&, const Document& document) { read_records(document, ledger, complaints); });
  Diagnostics found = complaints.take();
  found.insert(found.end(), syntax.begin(), syntax.end());
  sort_by_location(found);
  if (!found.empty()) return found;
  return ledger;
}

std::string recorded_text(const Ledger& ledger, std::span<const std::optional<Finding>> findings) {
  std::string text =
      "# What testing every claim found. Written by `railyard claims --write catalog/claims/recorded.toml`; do not edit.\n";
  for (std::size_t i = 0; i < ledger.claims.size(); i++) {
    const std::optional<Finding>& finding = i < findings.size() && findings[i] ? findings[i] : ledger.recorded[i];
    if (!finding) continue;
    text += fmt::format("\n[{}]\nverdict = \"{}\"\n", ledger.claims[i].id, name_of(finding->verdict));
    if (finding->found) text += fmt::format("found = {}\n", recorded_figure(*finding->found));
    if (finding->otherwise) text += fmt::format("otherwise = {}\n", recorded_figure(*finding->otherwise));
    if (finding->values.empty()) continue;
    std::vector<std::string> values;
    for (const auto& [name, value] : finding->values) values.push_back(fmt::format("{} = {}", name, recorded_figure(value)));
    text += fmt::format("values = {{ {} }}\n", schema::join(values, ", "));
  }
  return text;
}

Result<std::vector<std::size_t>> choose_claims(const Ledger& ledger, const ClaimsChoice& choice) {
  std::vector<std::string> ids;
  for (const Claim& claim : ledger.claims) ids.push_back(claim.id);
  const std::vector<std::string> topics(std::begin(kTopics), std::end(kTopics));
  Diagnostics found;
  for (const std::string& id : choice.ids)
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) found.push_back(unknown("claim", id, ids));
  if (!choice.topic.empty() && std::find(topics.begin(), topics.end(), choice.topic) == topics.end())
    found.push_back(unknown("topic", choice.topic, topics));
  const std::vector<std::string> verdicts = choices<Verdict>();
  if (!choice.verdict.empty() && std::find(verdicts.begin(), verdicts.end(), choice.verdict) == verdicts.end())
    found.push_back(unknown("verdict", choice.verdict, verdicts));
  if (!found.empty()) return found;

  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < ledger.claims.size(); i++) {
    if (!choice.ids.empty() && std::find(choice.ids.begin(), choice.ids.end(), ids[i]) == choice.ids.end()) continue;
    if (!choice.topic.empty() && ledger.claims[i].topic != choice.topic) continue;
    if (!choice.verdict.empty() && (!ledger.recorded[i] || name_of(ledger.recorded[i]->verdict) != choice.verdict)) continue;
    chosen.push_back(i);
  }
  return chosen;
}

}  // namespace railyard
