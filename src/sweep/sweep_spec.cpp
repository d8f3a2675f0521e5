#include "sweep/sweep_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/nearest.h"

namespace railyard {

namespace {

constexpr std::int64_t kMostSeeds = 100'000, kMostDrawn = 1'000'000;
const std::vector<std::string> kSweepKeys{"axes",   "figures",  "hypercube", "hypercube_seed",
                                          "repeat", "scenario", "seeds",     "where"};

/// Reads one [sweep], and keeps every mistake.
class SpecReader {
 public:
  SpecReader(const Document& sweep, const Document& scenario) : sweep_(sweep), scenario_(scenario) {}

  Result<SweepSpec> read() {
    spec_.at = sweep_.where();
    read_keys();
    read_hypercube();
    if (const Document* const axes = sweep_.find("axes")) {
      if (axes->members())
        read_axes("", *axes);
      else
        mistake("RY-SWP-002", axes->where(), "sweep.axes is no table",
                "write [sweep.axes], and a key and its values on a line");
    }
    std::stable_sort(spec_.axes.begin(), spec_.axes.end(), [](const SweepAxis& a, const SweepAxis& b) {
      return std::tie(a.where.file, a.where.line, a.where.column) < std::tie(b.where.file, b.where.line, b.where.column);
    });  // as they were written: readers of TOML order tables by name
    read_seeds();
    if (found_.empty() && spec_.axes.empty() && !spec_.seeds)
      mistake("RY-SWP-001", sweep_.where(), "this [sweep] has no axis",
              "write [sweep.axes], and below it for instance parallel.tensor = [1, 2, 4]");
    if (!found_.empty()) return found_;
    return std::move(spec_);
  }

 private:
  void mistake(const char* code, const SourceSpan& where, std::string message, std::string hint) {
    found_.push_back({Severity::error, code, std::move(message), std::move(hint), where});
  }

  void read_keys() {
    for (const Document::Member& member : *sweep_.members()) {
      if (std::find(kSweepKeys.begin(), kSweepKeys.end(), member.key) != kSweepKeys.end()) continue;
      const std::string guess = nearest(member.key, kSweepKeys);
      mistake("RY-SWP-002", member.where, fmt::format("[sweep] has no key '{}'", member.key),
              guess.empty() ? "axes go below [sweep.axes]" : fmt::format("did you mean '{}'?", guess));
    }
    for (const Document* const text : texts("where")) spec_.where.push_back({*text->text(), text->where()});
    for (const Document* const text : texts("figures")) spec_.figures.push_back(*text->text());
  }

  /// One text, or a list of them.
  std::vector<const Document*> texts(const char* key) {
    const Document* const value = sweep_.find(key);
    if (!value) return {};
    if (value->text()) return {value};
    std::vector<const Document*> out;
    if (value->items())
      for (const Document& item : *value->items())
        if (item.text()) out.push_back(&item);
    if (!value->items() || out.size() != value->items()->size())
      mistake("RY-SWP-002", value->where(), fmt::format("sweep.{} = {} is no text and no list of texts", key, value->summary()),
              "write it in quotes");
    return out;
  }

  /// A whole number from `least` to `most`, where it is given.
  std::optional<std::int64_t> whole(const char* key, const char* code, std::int64_t least, std::int64_t most) {
    const Document* const value = sweep_.find(key);
    if (!value) return std::nullopt;
    if (value->integer() && *value->integer() >= least && *value->integer() <= most) return *value->integer();
    mistake(code, value->where(),
            fmt::format("sweep.{} = {} is no whole number from {} to {}", key, value->summary(), least, most),
            "write another number");
    return std::nullopt;
  }

  void read_hypercube() {
    if (const auto points = whole("hypercube", "RY-SWP-002", 1, kMostDrawn))
      spec_.hypercube = static_cast<std::uint32_t>(*points);
    if (const auto seed = whole("hypercube_seed", "RY-SWP-002", 0, std::numeric_limits<std::int64_t>::max()))
      spec_.hypercube_seed = static_cast<std::uint64_t>(*seed);
    if (const Document* const seed = sweep_.find("hypercube_seed"); seed && !sweep_.find("hypercube"))
      mistake("RY-SWP-002", seed->where(), "sweep.hypercube_seed is there without sweep.hypercube",
              "say how many points a hypercube has, or leave this out");
  }

  /// "parallel.tensor" may be one key in quotes, or one table in another.
  void read_axes(const std::string& prefix, const Document& table) {
    for (const Document::Member& member : *table.members()) {
      const std::string key = prefix + member.key;
      const Document* const from = member.value.find("from");
      const bool is_range = from && member.value.find("to") && !from->items() && !from->members();
      if (member.value.members() && !is_range && !member.value.members()->empty()) {
        read_axes(key + ".", member.value);
        continue;
      }
      Result<SweepAxis> axis = read_sweep_axis(key, member.value, spec_.hypercube.has_value());
      const auto same = [&](const SweepAxis& other) { return other.key == key; };
      if (!axis)
        found_.insert(found_.end(), axis.error().begin(), axis.error().end());
      else if (std::any_of(spec_.axes.begin(), spec_.axes.end(), same))
        mistake("RY-SWP-003", member.where, fmt::format("the axis {} is there twice", key), "leave one of them out");
      else
        spec_.axes.push_back(std::move(*axis));
    }
  }

  void read_seeds() {
    const Document* const seeds = sweep_.find("seeds");
    const Document* const repeat = sweep_.find("repeat");
    const auto same = [](const SweepAxis& axis) { return axis.key == "engine.seed"; };
    const bool is_axis = std::any_of(spec_.axes.begin(), spec_.axes.end(), same);
    if ((seeds != nullptr) + (repeat != nullptr) + is_axis > 1) {
      mistake("RY-SWP-007", (seeds ? seeds : repeat)->where(), "seeds are given in two ways",
              "use one of sweep.seeds, sweep.repeat and the axis engine.seed");
      return;
    }
    if (seeds && seeds->items()) {
      Result<SweepAxis> axis = read_sweep_axis("engine.seed", *seeds, false);
      if (!axis || !all_whole(*axis))
        return mistake("RY-SWP-007", seeds->where(), fmt::format("sweep.seeds = {} is no list of seeds", seeds->summary()),
                       "write whole numbers from 0, each once: [1, 2, 3]");
      spec_.seeds = std::move(*axis);
      return;
    }
    if (const auto count = whole("seeds", "RY-SWP-007", 1, kMostSeeds)) count_seeds(1, *count, seeds->where());
    if (const auto count = whole("repeat", "RY-SWP-007", 1, kMostSeeds)) {
      const Document* const own = scenario_.at_path("engine.seed");
      count_seeds(own && own->integer() ? *own->integer() : 1, *count, repeat->where());
    }
  }

  static bool all_whole(const SweepAxis& axis) {
    return std::all_of(axis.values.begin(), axis.values.end(),
                       [](const Document& seed) { return seed.integer() && *seed.integer() >= 0; });
  }

  /// From `first` on, and from 0 after the largest.
  void count_seeds(std::int64_t first, std::int64_t count, const SourceSpan& where) {
    constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
    spec_.seeds = SweepAxis{"engine.seed", where, {}, {}};
    for (std::int64_t i = 0; i < count; i++)
      spec_.seeds->values.emplace_back(Document::Value(i <= kLargest - first ? first + i : i - (kLargest - first) - 1), where);
  }

  const Document& sweep_;
  const Document& scenario_;
  SweepSpec spec_;
  Diagnostics found_;
};

}  // namespace

Result<SweepSpec> read_sweep_spec(const Document& sweep, const Document& scenario, const SourceSpan& file) {
  if (!sweep.members())
    return Diagnostic{Severity::error, "RY-SWP-001", "this file has no [sweep]",
                      "add [sweep.axes], and below it for instance parallel.tensor = [1, 2, 4]; docs/sweep.md has more", file};
  return SpecReader(sweep, scenario).read();
}

}  // namespace railyard
