#include "tools/faults/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "report/command_text.h"
#include "scenario/presets.h"
#include "sim/simulate.h"

namespace railyard {

namespace {

/// What failures are told from luck by: a difference below this share is none.
constexpr double kNoticeable = 0.01;

struct Outcome {
  double time_s = 0, p99_s = 0;
  std::string refused;
};

/// Of the collectives that went over the network.
double p99_of(const Run& run) {
  if (!run.carried || run.carried->collectives.empty()) return 0;
  std::vector<double> times;
  for (const FlowRecord& one : run.carried->collectives) times.push_back(seconds(one.finish - one.start));
  const std::size_t at = (times.size() * 99 + 99) / 100 - 1;
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(at), times.end());
  return times[at];
}

/// One draw of a case: what fails, with a seed.
struct Draw {
  std::size_t fault;
  std::vector<std::string> failures;  // overrides
  std::uint64_t seed;
  Outcome outcome = {};
};

std::string down(const std::string& name) { return fmt::format("failures.\"{}\"=down", name); }

class FaultFinder {
 public:
  FaultFinder(const FaultsRequest& request, const Catalog& catalog, Progress& progress)
      : request_(request), catalog_(catalog), progress_(progress) {}

  Result<Faults> find() {
    Result<Scenario> scenario = load_named_scenario(request_.scenario, catalog_, overrides_);
    if (Diagnostics refused = adapt(scenario); !refused.empty()) return refused;
    progress_.expect(3 * kPartWork);
    const Result<Run> whole = [&] {
      Progress part(progress_, kPartWork, "the whole fabric");
      return simulate(*scenario, {.threads = 1}, part);
    }();
    if (!whole) return whole.error();
    out_.name = scenario->name;
    out_.scenario = request_.scenario;
    out_.classes = element_classes(whole->fabric, whole->placement);
    seeds_ = seeds_for(*scenario, false);
    if (seeds_.empty()) seeds_ = {scenario->engine.seed};
    out_.seeds = seeds_.size();
    for (const std::uint64_t seed : seeds_) draws_.push_back({kWhole, {}, seed});
    for (const ElementClass& c : out_.classes) one(c);
    play(0);
    const std::size_t first = out_.cases.size();
    if (request_.pairs) pairs();
    for (const ElementClass& c : out_.classes)
      if (!c.switches.empty() && survives(c)) upgrades(c);
    play(first);
    return std::move(out_);
  }

 private:
  /// Failures are played over flows, whatever the scenario asks for.
  Diagnostics adapt(Result<Scenario>& scenario) {
    overrides_ = request_.overrides;
    scenario = load_named_scenario(request_.scenario, catalog_, overrides_);
    if (scenario && scenario->engine.fidelity == Fidelity::analytic) {
      out_.over_flows = true;
      overrides_.push_back("engine.fidelity=flow");
      scenario = load_named_scenario(request_.scenario, catalog_, overrides_);
    }
    if (!scenario) return scenario.error();
    if (scenario->engine.fidelity != Fidelity::packet) return {};
    return {{Severity::error, "RY-FLT-001", "failures are tried over flows, and this scenario is played packet by packet",
             "add --set engine.fidelity=flow", scenario->keys.where("engine.fidelity")}};
  }

  void add(FaultCase fault, const std::vector<std::vector<std::string>>& members) {
    const std::size_t index = out_.cases.size();
    for (const std::vector<std::string>& failures : members)
      for (const std::uint64_t seed : seeds_) draws_.push_back({index, failures, seed});
    out_.cases.push_back(std::move(fault));
  }

  /// Whether the job goes on without one of them.
  [[nodiscard]] bool survives(const ElementClass& c) const {
    return std::none_of(out_.cases.begin(), out_.cases.end(), [&](const FaultCase& fault) {
      return fault.table == FaultTable::one && fault.what == c.what && !fault.cut_off.empty();
    });
  }

  void one(const ElementClass& c) {
    std::vector<std::vector<std::string>> downs, slows;
    for (const std::string& member : c.members) {
      downs.push_back({down(member)});
      if (!c.half_rate.empty()) slows.push_back({fmt::format("failures.\"{}\"={}", member, c.half_rate)});
    }
    FaultCase fault{.table = FaultTable::one, .what = c.what, .example = c.members.front(), .count = c.count, .lost = c.lost};
    add(fault, downs);
    if (slows.empty()) return;
    fault.table = FaultTable::slow;
    fault.lost /= 2;
    add(fault, slows);
  }

  /// Neighbours, two far apart, and one each of two kinds; of what the job survives the loss of one of.
  void pairs() {
    std::vector<ElementClass> all = out_.classes;
    std::erase_if(all, [&](const ElementClass& c) { return !survives(c); });
    const auto pair = [&](std::string what, const std::string& a, const std::string& b, std::uint32_t count, double lost) {
      add({.table = FaultTable::two, .what = std::move(what), .example = a + ", " + b, .count = count, .lost = lost},
          {{down(a), down(b)}});
    };
    for (const ElementClass& c : all) {
      if (c.members.size() < 2) continue;
      pair("2 neighbouring: " + c.what, c.members[0], c.members[1], c.count, std::min(1.0, 2 * c.lost));
      if (c.members.size() > 2) pair("2 far apart: " + c.what, c.members.front(), c.members.back(), c.count, c.lost);
    }
    for (std::size_t i = 0; i < all.size(); i++)
      for (std::size_t k = i + 1; k < all.size(); k++)
        pair(all[i].what + " and " + all[k].what, all[i].members.front(), all[k].members.back(), 0,
             std::max(all[i].lost, all[k].lost));
  }

  /// So many switches of a tier at a time, spread over it.
  void upgrades(const ElementClass& c) {
    const auto count = static_cast<std::uint32_t>(c.switches.size());
    std::uint32_t before = 0;
    for (const std::uint32_t part : {16U, 8U, 4U, 2U}) {
      const std::uint32_t at_once = std::max(1U, count / part);
      if (at_once == before || at_once >= count) continue;
      before = at_once;
      std::vector<std::string> failures;
      for (std::uint32_t i = 0; i < at_once; i++) failures.push_back(down(c.switches[std::uint64_t{i} * count / at_once]));
      add({.table = FaultTable::upgrade,
           .what = fmt::format("{} of {}: {}", at_once, count, c.what),
           .count = at_once,
           .lost = static_cast<double>(at_once) / count},
          {failures});
    }
  }

  /// What was planned since, from this case on.
  void play(std::size_t first) {
    Progress part(progress_, kPartWork);
    const std::size_t before = played_;
    played_ = draws_.size();
    part.expect((played_ - before) * kPartWork);
    for_each_index(played_ - before, request_.threads, [&](std::size_t i) {
      Draw& draw = draws_[before + i];
      Progress one(part, kPartWork, draw.fault == kWhole ? "the whole fabric" : "failing " + out_.cases[draw.fault].what);
      draw.outcome = outcome_of(draw, one);
    });
    if (before == 0) collect_whole();
    for (std::size_t i = first; i < out_.cases.size(); i++) collect(i);
  }

  [[nodiscard]] std::vector<std::string> overrides_of_draw(const Draw& draw) const {
    std::vector<std::string> all = joined(overrides_, draw.failures);
    if (seeds_.size() > 1) all.push_back(fmt::format("engine.seed={}", draw.seed));
    return all;
  }

  Outcome outcome_of(const Draw& draw, Progress& progress) const {
    const Result<Scenario> scenario = load_named_scenario(request_.scenario, catalog_, overrides_of_draw(draw));
    const Result<Run> run = scenario ? simulate(*scenario, {.threads = 1}, progress) : Result<Run>(scenario.error());
    if (!run) return {.refused = run.error().front().message};
    const std::optional<double> time = outcome_s(*run);
    if (!time) return {.refused = "some of it never ends"};
    return {*time, p99_of(*run), {}};
  }

  void collect_whole() {
    double sum = 0;
    for (const Draw& draw : draws_) {
      if (draw.fault != kWhole) continue;
      const double time = draw.outcome.time_s;
      out_.whole_draws = {sum == 0 ? time : std::min(out_.whole_draws.least, time), std::max(out_.whole_draws.most, time)};
      out_.whole_p99_s = std::max(out_.whole_p99_s, draw.outcome.p99_s);
      sum += time;
    }
    out_.whole_s = sum / static_cast<double>(seeds_.size());
  }

  /// A case stops the job if any of its draws does.
  void collect(std::size_t index) {
    FaultCase& fault = out_.cases[index];
    double sum = 0, count = 0;
    const Draw* worst = nullptr;
    for (const Draw& draw : draws_) {
      if (draw.fault != index) continue;
      if (!worst ||
          (worst->outcome.refused.empty() && (!draw.outcome.refused.empty() || draw.outcome.time_s > worst->outcome.time_s)))
        worst = &draw;
      fault.draws.least = count == 0 ? draw.outcome.time_s : std::min(fault.draws.least, draw.outcome.time_s);
      sum += draw.outcome.time_s;
      count++;
    }
    fault.command = run_command_text(request_.scenario, overrides_of_draw(*worst));
    fault.cut_off = worst->outcome.refused;
    if (!fault.cut_off.empty()) {
      fault.draws = {};
      return;
    }
    fault.p99_s = worst->outcome.p99_s;
    fault.draws.most = worst->outcome.time_s;
    fault.mean_s = sum / count;
    judge(fault);
  }

  /// Which one fails should not matter more than it does in the whole fabric, and cost what is lost.
  void judge(FaultCase& fault) const {
    fault.slowdown = fault.mean_s / out_.whole_s - 1;
    const double whole_spread = (out_.whole_draws.most - out_.whole_draws.least) / out_.whole_s;
    const double spread = (fault.draws.most - fault.draws.least) / out_.whole_s;
    fault.is_steady = spread <= std::max(whole_spread, kNoticeable) + kNoticeable;
    if (fault.lost > 0 && fault.lost < 1)
      fault.is_proportionate = fault.slowdown <= fault.lost / (1 - fault.lost) + kNoticeable;
  }

  static constexpr std::size_t kWhole = static_cast<std::size_t>(-1);
  const FaultsRequest& request_;
  const Catalog& catalog_;
  Progress& progress_;
  std::vector<std::string> overrides_;
  std::vector<std::uint64_t> seeds_;
  std::vector<Draw> draws_;
  std::size_t played_ = 0;
  Faults out_;
};

}  // namespace

Result<Faults> find_faults(const FaultsRequest& request, const Catalog& catalog, Progress& progress) {
  return FaultFinder(request, catalog, progress).find();
}

}  // namespace railyard
