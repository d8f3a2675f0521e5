#include "report/differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "base/json.h"
#include "base/quantity_text.h"

namespace railyard {

namespace {

struct KeyFigure {
  const char *name, *path;
};
constexpr KeyFigure kFigures[] = {{"step time, s", "step_time_s"},
                                  {"tokens/s per GPU", "tokens_per_s_per_gpu"},
                                  {"MFU, causal", "mfu.causal"},
                                  {"compute, s", "breakdown.compute_s"},
                                  {"slowed by communication, s", "breakdown.contention_s"},
                                  {"bubble, s", "breakdown.bubble_s"},
                                  {"exposed tensor-parallel, s", "breakdown.exposed_s.tensor"},
                                  {"exposed expert-parallel, s", "breakdown.exposed_s.expert"},
                                  {"exposed data-parallel, s", "breakdown.exposed_s.data"},
                                  {"memory of the fullest stage, GiB", "memory_gib.total"},
                                  {"leaf uplinks, mean use", "network.tiers[1].mean_utilisation"},
                                  {"busiest leaf uplink, mean use", "network.tiers[1].peak_utilisation"},
                                  {"slowest message, µs", "flows.delivery_us.max"},
                                  {"goodput, Gb/s", "goodput_gbps"},
                                  {"marked packets", "ecn.marked"},
                                  {"pauses", "pfc.pauses"},
                                  {"drops", "drops"},
                                  {"time of the largest size, µs", "points[-1].time_us"}};

constexpr std::size_t kSeries = 16;  // arrays of more numbers are compared as a whole

const double* number(const Document* document, double& storage) { return document ? document->number(storage) : nullptr; }

/// "points[3].time_us" for "points[-1].time_us" where there are four.
std::string with_last(std::string path, const Document& document) {
  constexpr std::string_view kLast = "[-1]";
  const std::size_t at = path.find(kLast);
  if (at == std::string::npos) return path;
  const Document* const list = document.at_path(path.substr(0, at));
  const std::size_t size = list && list->items() ? list->items()->size() : 0;
  return path.replace(at, kLast.size(), fmt::format("[{}]", size == 0 ? 0 : size - 1));
}

bool is_number(const Document& document) { return document.integer() || document.real(); }

bool is_series(const Document& document) {
  const auto* items = document.items();
  return items && items->size() > kSeries && std::all_of(items->begin(), items->end(), is_number);
}

/// Walks both trees at once.
class Walk {
 public:
  explicit Walk(Differences& found) : found_(found) {}

  void both(const Document& a, const Document& b, const std::string& path) {
    if (is_left_out(path)) return;
    double x = 0, y = 0;
    if (is_series(a) && is_series(b)) {
      if (!same_series(a, b)) found_.series.push_back(path);
    } else if (a.members() && b.members()) {
      objects(*a.members(), *b.members(), path);
    } else if (a.items() && b.items()) {
      arrays(*a.items(), *b.items(), path);
    } else if (const double* m = a.number(x), *n = b.number(y); m && n) {
      const bool whole = a.integer() && b.integer();  // doubles cannot tell the largest apart
      if (whole ? *a.integer() != *b.integer() : *m != *n) found_.numbers.push_back({path, path, *m, *n});
    } else if (a.text() && b.text() ? *a.text() != *b.text() : write_compact_json(a) != write_compact_json(b)) {
      found_.texts.push_back({path, a.text() ? *a.text() : a.summary(), b.text() ? *b.text() : b.summary()});
    }
  }

 private:
  static bool is_left_out(const std::string& path) {
    return path == "wall_s" || path == "fingerprint" || path == "inputs" || path == "diagnostics" ||
           path == "patterns.fabric_map" || path == "patterns.matrix" || path == "patterns.timeline";  // pictures
  }

  static bool same_series(const Document& a, const Document& b) {
    if (a.items()->size() != b.items()->size()) return false;
    for (std::size_t i = 0; i < a.items()->size(); i++) {
      double x = 0, y = 0;
      if (*(*a.items())[i].number(x) != *(*b.items())[i].number(y)) return false;
    }
    return true;
  }

  void objects(const Document::Object& a, const Document::Object& b, const std::string& path) {
    const auto below = [&](const std::string& key) { return path.empty() ? key : path + "." + key; };
    std::map<std::string_view, const Document*> in_a, in_b;
    for (const Document::Member& member : a) in_a.emplace(member.key, &member.value);
    for (const Document::Member& member : b) in_b.emplace(member.key, &member.value);
    for (const Document::Member& member : a) {
      if (const auto other = in_b.find(member.key); other != in_b.end())
        both(member.value, *other->second, below(member.key));
      else
        found_.only_a.push_back(below(member.key));
    }
    for (const Document::Member& member : b)
      if (!in_a.contains(member.key)) found_.only_b.push_back(below(member.key));
  }

  void arrays(const Document::Array& a, const Document::Array& b, const std::string& path) {
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); i++) both(a[i], b[i], fmt::format("{}[{}]", path, i));
    if (a.size() > b.size()) found_.only_a.push_back(fmt::format("{}[{}]", path, b.size()));
    if (b.size() > a.size()) found_.only_b.push_back(fmt::format("{}[{}]", path, a.size()));
  }

  Differences& found_;
};

std::string text_of(const Document& item, std::string_view key) {
  const Document* const value = item.find(key);
  return value && value->text() ? *value->text() : "";
}

/// Inputs by their key, whatever their order.
void compare_inputs(const Document& a, const Document& b, std::vector<TextPair>& out) {
  const Document *const x = a.find("inputs"), *const y = b.find("inputs");
  if (!x || !y || !x->items() || !y->items()) return;
  const auto by_key = [](const Document& list) {
    std::map<std::string, std::string> values;
    for (const Document& item : *list.items()) values.emplace(text_of(item, "key"), text_of(item, "value"));
    return values;
  };
  const auto in_a = by_key(*x), in_b = by_key(*y);
  const auto value = [](const auto& values, const std::string& key) {
    const auto found = values.find(key);
    return found == values.end() ? std::string("–") : found->second;
  };
  std::set<std::string> seen;  // a key that is there twice counts as its first
  for (const Document& item : *x->items()) {
    const std::string key = text_of(item, "key"), mine = value(in_a, key), other = value(in_b, key);
    if (seen.insert(key).second && other != mine) out.push_back({key, mine, other});
  }
  for (const Document& item : *y->items())
    if (const std::string key = text_of(item, "key"); seen.insert(key).second) out.push_back({key, "–", value(in_b, key)});
}

std::string value_text(double value) { return fmt::format("{:.6g}", value); }

std::string change_text(const NumberPair& pair) {
  if (pair.a == pair.b) return "same";
  if (pair.a == 0) return "from 0";
  const double ratio = pair.b / pair.a;
  return ratio > 0.1 && ratio < 10 ? fmt::format("{:+.2f} %", (ratio - 1) * 100) : fmt::format("× {:.3g}", ratio);
}

/// How far apart they are, on a scale that treats twice and half alike.
double distance(const NumberPair& pair) {
  if (pair.a == pair.b) return 0;
  if (pair.a <= 0 || pair.b <= 0) return std::numeric_limits<double>::max();
  return std::abs(std::log(pair.b / pair.a));
}

TextTable pairs_table(const std::vector<NumberPair>& pairs, const std::string& a, const std::string& b) {
  TextTable table{{"", a, b, "change"}, {Align::left, Align::right, Align::right, Align::right}, {}};
  for (const NumberPair& pair : pairs)
    table.rows.push_back({pair.name, value_text(pair.a), value_text(pair.b), change_text(pair)});
  return table;
}

Report::Section section(std::string title, TextTable table) {
  Report::Section out{std::move(title), {}};
  out.blocks.emplace_back(std::move(table));
  return out;
}

/// What a sentence tells of a run: the first of these that both have.
struct Headline {
  const char *path, *subject, *unit;
  double picoseconds = 0;  // of its unit, where it is a time
};
constexpr std::size_t kFewInputs = 2;  // that a sentence names
constexpr Headline kHeadlines[] = {{"step_time_s", "the step time", " s", 1e12},
                                   {"flows.delivery_us.max", "the time of the slowest message", " µs", 1e6},
                                   {"points[-1].time_us", "the time of the largest size", " µs", 1e6},
                                   {"goodput_gbps", "the goodput", " Gb/s"}};

/// Whether `path` is `wanted`, which may name the last of a list: "points[3].time_us" is "points[-1].time_us".
bool is_path(std::string_view path, std::string_view wanted) {
  const std::size_t last = wanted.find("[-1]");
  if (last == std::string_view::npos) return path == wanted;
  const std::string_view before = wanted.substr(0, last + 1), after = wanted.substr(last + 3);
  return path.starts_with(before) && path.ends_with(after);
}

std::string headline_text(double value, const Headline& headline) {
  constexpr double kLongest = 9e18;  // picoseconds that fit
  const double span = value * headline.picoseconds;
  if (headline.picoseconds == 0 || span < 0 || span > kLongest) return fmt::format("{:.4g}{}", value, headline.unit);
  return format(Picoseconds(static_cast<std::int64_t>(span + 0.5)));
}

/// "the step time falls by 29.8 %, from 16.86 s to 11.84 s"
std::string change_of(const NumberPair& pair, const Headline& headline) {
  const std::string from = headline_text(pair.a, headline), to = headline_text(pair.b, headline);
  if (pair.a == pair.b) return fmt::format("{} stays {}", headline.subject, from);
  if (constexpr double kSame = 0.0005; pair.a != 0 && std::abs(pair.b / pair.a - 1) < kSame)
    return fmt::format("{} stays {}, to within {:.1g} %", headline.subject, from, std::abs(pair.b / pair.a - 1) * 100);
  const char* const verb = pair.b < pair.a ? "falls" : "rises";
  const double ratio = pair.a > 0 ? pair.b / pair.a : 0;
  const std::string by = ratio > 0.1 && ratio < 10 ? fmt::format(" by {:.3g} %", std::abs(ratio - 1) * 100) : std::string();
  return fmt::format("{} {}{}, from {} to {}", headline.subject, verb, by, from, to);
}

/// "With routing.policy adaptive instead of ecmp, ", or how many keys differ.
std::string described_otherwise(const Differences& found) {
  constexpr std::size_t kLength = 40;
  const auto& inputs = found.texts;
  if (found.inputs == 0) return {};
  if (found.inputs > kFewInputs) return fmt::format("With {} inputs that differ, ", found.inputs);
  std::string text;
  for (std::size_t i = 0; i < found.inputs; i++)
    text += fmt::format("{}{} {} instead of {}", i == 0 ? "With " : " and ", inputs[i].path, shortened(inputs[i].b, kLength),
                        shortened(inputs[i].a, kLength));
  return text + ", ";
}

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// "3 texts, 41 other numbers and 2 paths that only one has": what --all shows and a short report does not.
std::string what_else(const Differences& found) {
  std::vector<std::string> parts;
  const std::size_t texts = found.texts.size() - (found.inputs > kFewInputs ? 0 : found.inputs);
  if (texts > 0) parts.push_back(counted(texts, "text", "texts"));
  if (!found.numbers.empty()) parts.push_back(counted(found.numbers.size(), "other number", "other numbers"));
  if (!found.series.empty()) parts.push_back(counted(found.series.size(), "long row of numbers", "long rows of numbers"));
  const std::size_t alone = found.only_a.size() + found.only_b.size();
  if (alone > 0) parts.push_back(counted(alone, "value that only one has", "values that only one has"));
  std::string text;
  for (std::size_t i = 0; i < parts.size(); i++) text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

std::string all_of(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) text += (text.empty() ? "" : ", ") + path;
  return text;
}

/// What --all adds.
std::vector<Report::Section> detail_sections(const Differences& found, const std::string& a, const std::string& b) {
  std::vector<Report::Section> out;
  if (!found.texts.empty()) {
    TextTable table{{"", a, b}, {}, {}};
    for (const TextPair& pair : found.texts) table.rows.push_back({pair.path, shortened(pair.a, 40), shortened(pair.b, 40)});
    out.push_back(section("What was described otherwise", std::move(table)));
  }
  std::vector<NumberPair> others = found.numbers;
  std::stable_sort(others.begin(), others.end(),
                   [](const NumberPair& x, const NumberPair& y) { return distance(x) > distance(y); });
  if (!others.empty()) out.push_back(section("Other numbers, those furthest apart first", pairs_table(others, a, b)));
  Report::Section rest{"What cannot be held against each other", {}};
  const auto tell = [&](const std::vector<std::string>& paths, const std::string& what) {
    if (!paths.empty()) rest.blocks.emplace_back(fmt::format("{}: {}.", what, all_of(paths)));
  };
  tell(found.series, "Long rows of numbers that differ");
  tell(found.only_a, "Only in " + a);
  tell(found.only_b, "Only in " + b);
  if (!rest.blocks.empty()) out.push_back(std::move(rest));
  return out;
}

Document texts(const std::vector<std::string>& list) {
  Document out = Document::array();
  for (const std::string& text : list) out.push(Document(text));
  return out;
}

}  // namespace

bool Differences::empty() const {
  const bool same = std::all_of(figures.begin(), figures.end(), [](const NumberPair& pair) { return pair.a == pair.b; });
  return same && numbers.empty() && texts.empty() && series.empty() && only_a.empty() && only_b.empty();
}

std::vector<NumberPair> key_figures(const Document& a, const Document& b) {
  std::vector<NumberPair> out;
  for (const KeyFigure& figure : kFigures) {
    double x = 0, y = 0;
    const std::string path = with_last(figure.path, a);
    const double *const m = number(a.at_path(path), x), *const n = number(b.at_path(with_last(figure.path, b)), y);
    if (m && n && (*m != 0 || *n != 0)) out.push_back({figure.name, path, *m, *n});
  }
  return out;
}

Differences differences(const Document& a, const Document& b) {
  Differences found;
  found.figures = key_figures(a, b);
  compare_inputs(a, b, found.texts);
  found.inputs = found.texts.size();
  Walk(found).both(a, b, "");
  const auto is_figure = [&](const NumberPair& pair) {
    return std::any_of(found.figures.begin(), found.figures.end(), [&](const NumberPair& f) { return f.path == pair.path; });
  };
  found.numbers.erase(std::remove_if(found.numbers.begin(), found.numbers.end(), is_figure), found.numbers.end());
  return found;
}

std::string differences_sentence(const Differences& found) {
  if (found.empty()) return "Nothing differs but how long the runs took.";
  std::string text = described_otherwise(found);
  std::string change = "no key figure is in both";
  for (const Headline& headline : kHeadlines) {
    const auto figure = std::find_if(found.figures.begin(), found.figures.end(),
                                     [&](const NumberPair& pair) { return is_path(pair.path, headline.path); });
    if (figure == found.figures.end()) continue;
    change = change_of(*figure, headline);
    break;
  }
  if (text.empty()) change.front() = static_cast<char>(std::toupper(change.front()));
  return text + change + ".";
}

std::vector<Report::Section> differences_sections(const Differences& found, const std::string& a, const std::string& b,
                                                  bool all) {
  std::vector<Report::Section> out;
  Report::Section& first = out.emplace_back(Report::Section{"", {differences_sentence(found)}});
  if (!found.figures.empty()) first.blocks.emplace_back(pairs_table(found.figures, a, b));
  if (all) {
    for (Report::Section& detail : detail_sections(found, a, b)) out.push_back(std::move(detail));
  } else if (const std::string more = what_else(found); !more.empty()) {
    first.blocks.emplace_back(fmt::format("{} differ, too; --all shows them.", more));
  }
  return out;
}

Document number_pairs_document(const std::vector<NumberPair>& pairs) {
  Document out = Document::array();
  for (const NumberPair& pair : pairs) {
    Document& item = out.push(Document::object());
    item.set("name", Document(pair.name));
    item.set("path", Document(pair.path));
    item.set("a", Document(pair.a));
    item.set("b", Document(pair.b));
    if (pair.a != 0) item.set("ratio", Document(pair.b / pair.a));
  }
  return out;
}

Document differences_document(const Differences& found) {
  Document out = Document::object();
  out.set("figures", number_pairs_document(found.figures));
  out.set("numbers", number_pairs_document(found.numbers));
  Document& list = out.set("texts", Document::array());
  for (const TextPair& pair : found.texts) {
    Document& item = list.push(Document::object());
    item.set("path", Document(pair.path));
    item.set("a", Document(pair.a));
    item.set("b", Document(pair.b));
  }
  out.set("series", texts(found.series));
  out.set("only_a", texts(found.only_a));
  out.set("only_b", texts(found.only_b));
  return out;
}

}  // namespace railyard
