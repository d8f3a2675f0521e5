#include "tools/faults/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/quantity_text.h"
#include "report/command_text.h"
#include "scenario/presets.h"
#include "sim/simulate.h"
#include "tools/faults/fault_trial.h"
#include "tools/faults/hosts.h"

namespace railyard {

namespace {

/// What failures are told from luck by: a difference below this share is none.
constexpr double kNoticeable = 0.01;

/// What fails while the job runs does so after this share of its time.
constexpr double kSuddenly = 1.0 / 3;
constexpr std::size_t kSuddenMembers = 2;  // of those that are alike

/// One draw of a case: what fails, with a seed.
struct Draw {
  std::size_t fault;
  std::string name;              // of what fails
  std::vector<std::string> set;  // the same as overrides
  std::uint64_t seed;
  FaultOutcome outcome = {};
};

/// Something that fails, and the overrides that let it.
struct Member {
  std::string name;
  std::vector<std::string> set;
};

std::string down(const std::string& name) { return fmt::format("failures.\"{}\"=down", name); }

class FaultFinder {
 public:
  FaultFinder(const FaultsRequest& request, const Catalog& catalog, Progress& progress)
      : request_(request), catalog_(catalog), progress_(progress) {}

  Result<Faults> find() {
    Result<Scenario> scenario = load_named_scenario(request_.scenario, catalog_, overrides_);
    if (Diagnostics refused = adapt(scenario); !refused.empty()) return refused;
    progress_.expect(4 * kPartWork);
    const Result<Run> whole = [&] {
      Progress part(progress_, kPartWork, "the whole fabric");
      return simulate(*scenario, {.threads = 1}, part);
    }();
    if (!whole) return whole.error();
    describe(*scenario, *whole);
    if (Diagnostics refused = too_many_packets(*scenario, *whole); !refused.empty()) return refused;
    if (Diagnostics refused = begin_journal(); !refused.empty()) return refused;
    for (const std::uint64_t seed : out_.seeds) draws_.push_back({kWhole, "", {}, seed});
    play(0);
    for (const ElementClass& c : out_.classes) one(c);
    if (out_.by_packets)
      for (const ElementClass& c : out_.classes) sudden(c);
    hosts(*scenario, *whole);
    play(0);
    const std::size_t first = out_.cases.size();
    if (request_.pairs) pairs();
    for (const ElementClass& c : out_.classes)
      if (!c.switches.empty() && survives(c)) upgrades(c);
    play(first);
    if (!journal_.is_whole())
      return Diagnostic{Severity::error,
                        "RY-SEA-003",
                        "the journal could not be written to its end",
                        "check the disk",
                        {request_.journal, 0, 0}};
    return std::move(out_);
  }

 private:
  /// Draws are known by their number: the same list wherever it is made of the same scenario.
  Diagnostics begin_journal() {
    const ScenarioText text;
    (void)load_named_scenario(request_.scenario, catalog_, request_.overrides, {}, &text);
    const std::vector<std::string> words = joined(overrides_, {text.text(), request_.pairs ? "faults, pairs" : "faults"});
    return open_journal(request_.crew, journal_, request_.journal, name_of_search(Problem{}, words));
  }

  /// Failures are played over flows where the scenario asks for a closed form.
  Diagnostics adapt(Result<Scenario>& scenario) {
    overrides_ = request_.overrides;
    scenario = load_named_scenario(request_.scenario, catalog_, overrides_);
    if (scenario && scenario->engine.fidelity == Fidelity::analytic) {
      out_.over_flows = true;
      overrides_.push_back("engine.fidelity=flow");
      scenario = load_named_scenario(request_.scenario, catalog_, overrides_);
    }
    if (!scenario) return scenario.error();
    out_.by_packets = scenario->engine.fidelity == Fidelity::packet;
    if (!out_.by_packets || !scenario->workload.slice) return {};
    return {{Severity::error, "RY-FLT-001", "packets play a slice of this step, which says nothing of the time of all of it",
             "remove [slice], or add --set engine.fidelity=flow", scenario->keys.where("engine.fidelity")}};
  }

  /// Draws that all tables need, about.
  [[nodiscard]] std::size_t draws_needed() const {
    std::size_t draws = 4;  // the whole fabric, and a lost server
    for (const ElementClass& c : out_.classes) {
      draws += c.members.size() * (c.half_rate.empty() ? 1 : 2) + std::min(c.members.size(), kSuddenMembers);
      draws += c.switches.empty() ? 0 : 4;
    }
    const std::size_t kinds = out_.classes.size();
    if (request_.pairs) draws += 2 * kinds + kinds * (kinds - 1) / 2;
    return draws * out_.seeds.size();
  }

  [[nodiscard]] Diagnostics too_many_packets(const Scenario& scenario, const Run& whole) const {
    const PacketRecord* const packets = packets_of(whole);
    if (!packets) return {};
    const std::size_t draws = draws_needed();
    const double hops = static_cast<double>(packets->hops) * static_cast<double>(draws);
    if (hops <= request_.most_hops) return {};
    return {{Severity::error, "RY-FLT-002",
             fmt::format("about {} runs of {} packets over links each take more than an hour", format_count(draws),
                         format_count(packets->hops)),
             fmt::format("send {:.0f} times less or use fewer hosts, try --singles, or add --set engine.fidelity=flow",
                         std::ceil(hops / request_.most_hops)),
             scenario.keys.where("engine.fidelity")}};
  }

  void describe(const Scenario& scenario, const Run& whole) {
    out_.name = scenario.name;
    out_.scenario = request_.scenario;
    out_.classes = element_classes(whole.fabric, whole.placement);
    out_.seeds = seeds_for(scenario, false);
    if (out_.seeds.empty()) out_.seeds = {scenario.engine.seed};
    out_.ranks = static_cast<std::uint32_t>(whole.placement.size());
    if (scenario.workload.model) out_.batch = scenario.workload.training.global_batch.value_or(0);
    fabric_ = &whole.fabric;
    placement_ = &whole.placement;
  }

  void add(FaultCase fault, const std::vector<Member>& members) {
    const std::size_t index = out_.cases.size();
    for (const Member& member : members)
      for (const std::uint64_t seed : out_.seeds) draws_.push_back({index, member.name, member.set, seed});
    out_.cases.push_back(std::move(fault));
  }

  /// Whether the job goes on without one of them.
  [[nodiscard]] bool survives(const ElementClass& c) const {
    return std::none_of(out_.cases.begin(), out_.cases.end(), [&](const FaultCase& fault) {
      return fault.table == FaultTable::one && fault.what == c.what && !fault.cut_off.empty();
    });
  }

  void one(const ElementClass& c) {
    std::vector<Member> downs, slows;
    for (const std::string& member : c.members) {
      downs.push_back({member, {down(member)}});
      if (!c.half_rate.empty()) slows.push_back({member, {fmt::format("failures.\"{}\"={}", member, c.half_rate)}});
    }
    FaultCase fault{.table = FaultTable::one, .what = c.what, .example = c.members.front(), .count = c.count, .lost = c.lost};
    add(fault, downs);
    if (slows.empty()) return;
    fault.table = FaultTable::slow;
    fault.lost /= 2;
    add(fault, slows);
  }

  /// What goes down while the job runs, and stays down: lost packets, timeouts, and who gives up.
  void sudden(const ElementClass& c) {
    out_.sudden_s = out_.whole_draws.least * kSuddenly;
    std::vector<Member> members;
    for (std::size_t i = 0; i < std::min(c.members.size(), kSuddenMembers); i++)
      members.push_back(
          {c.members[i], {fmt::format("failures.\"{}\"={{ from = \"{:.3f} us\" }}", c.members[i], out_.sudden_s * 1e6)}});
    add({.table = FaultTable::sudden, .what = c.what, .example = c.members.front(), .count = c.count, .lost = c.lost}, members);
  }

  /// Slow GPUs and lost servers. What they are compared with may be another fabric, with room for a spare.
  void hosts(const Scenario& scenario, const Run& whole) {
    const WhyRefused why_refused = [&](const std::vector<std::string>& set) -> std::string {
      const Result<Scenario> changed = load_named_scenario(request_.scenario, catalog_, joined(overrides_, set));
      if (!changed) return changed.error().front().message;
      const Remarks remarks = remarks_on(*changed, {.threads = 1});
      return remarks.errors.empty() ? "" : remarks.errors.front().message;
    };
    for (const HostTrial& trial : host_trials(scenario, whole, why_refused)) {
      std::vector<Member> members;
      for (const HostTrial::Draw& draw : trial.draws) members.push_back({draw.name, draw.set});
      const double lost = 1 - static_cast<double>(trial.gpus) / out_.ranks;
      add({.table = FaultTable::host,
           .what = trial.what,
           .lost = trial.refused.empty() ? lost : 0,
           .gpus = trial.gpus,
           .batch = trial.batch,
           .work = trial.work,
           .cut_off = trial.refused},
          members);
      if (trial.draws.empty() || trial.against.empty()) continue;
      baselines_.emplace(out_.cases.size() - 1, draws_.size());
      for (const std::uint64_t seed : out_.seeds) draws_.push_back({kBaseline, "", trial.against, seed});
    }
  }

  /// Neighbours, two far apart, and one each of two kinds; of what the job survives the loss of one of.
  void pairs() {
    std::vector<ElementClass> all = out_.classes;
    std::erase_if(all, [&](const ElementClass& c) { return !survives(c); });
    const auto pair = [&](std::string what, const std::string& a, const std::string& b, std::uint32_t count, double lost) {
      add({.table = FaultTable::two, .what = std::move(what), .example = a + ", " + b, .count = count, .lost = lost},
          {{a + ", " + b, {down(a), down(b)}}});
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
          {{fmt::format("{} {}", at_once, c.what), failures}});
    }
  }

  /// What was planned since, from this case on.
  void play(std::size_t first) {
    Progress part(progress_, kPartWork);
    const std::size_t before = played_;
    played_ = draws_.size();
    std::vector<SearchTrial> trials;
    for (std::size_t i = before; i < played_; i++) trials.push_back({0, i});
    const std::vector<Outcome> outcomes = measure_trials(
        request_.crew, journal_, trials,
        [&](std::size_t i, Progress& whole) {
          const Draw& draw = draws_[before + i];
          const bool is_case = draw.fault < out_.cases.size();
          whole.expect(kPartWork);
          Progress one(whole, kPartWork, is_case ? "failing " + out_.cases[draw.fault].what : "the whole fabric");
          return trial_of_fault(outcome_of(draw, one));
        },
        part);
    for (std::size_t i = 0; i < outcomes.size(); i++) draws_[before + i].outcome = fault_of_trial(outcomes[i]);
    if (before == 0) collect_whole();
    for (std::size_t i = first; i < out_.cases.size(); i++) collect(i);
  }

  [[nodiscard]] std::vector<std::string> overrides_of_draw(const Draw& draw) const {
    std::vector<std::string> all = joined(overrides_, draw.set);
    if (out_.seeds.size() > 1) all.push_back(fmt::format("engine.seed={}", draw.seed));
    return all;
  }

  FaultOutcome outcome_of(const Draw& draw, Progress& progress) const {
    const Result<Scenario> scenario = load_named_scenario(request_.scenario, catalog_, overrides_of_draw(draw));
    if (!scenario) return {.refused = scenario.error().front().message};
    FaultOutcome outcome = play_fault(*scenario, progress);
    if (!outcome.refused.empty()) outcome.isolated = count_isolated(*scenario, *fabric_, *placement_);
    if (draw.fault == kWhole) return outcome;
    for (std::size_t i = 0; i < out_.seeds.size(); i++)  // the whole fabric was played first, seed by seed
      if (draws_[i].seed == draw.seed) outcome.worst = find_worst_rank(draws_[i].outcome, outcome);
    outcome.waits = {};
    return outcome;
  }

  void collect_whole() {
    double sum = 0;
    for (const Draw& draw : draws_) {
      const double time = draw.outcome.time_s;
      out_.whole_draws = {sum == 0 ? time : std::min(out_.whole_draws.least, time), std::max(out_.whole_draws.most, time)};
      out_.whole_p99_s = std::max(out_.whole_p99_s, draw.outcome.p99_s);
      sum += time;
    }
    out_.whole_s = sum / static_cast<double>(out_.seeds.size());
  }

  /// A case stops the job if any of its draws does.
  void collect(std::size_t index) {
    FaultCase& fault = out_.cases[index];
    double sum = 0;
    const Draw* worst = nullptr;
    for (const Draw& draw : draws_) {
      if (draw.fault != index) continue;
      const FaultOutcome& outcome = draw.outcome;
      const bool stops = !outcome.refused.empty();
      if (!worst || (worst->outcome.refused.empty() && (stops || outcome.time_s > worst->outcome.time_s))) worst = &draw;
      fault.draws.least = fault.drawn.empty() ? outcome.time_s : std::min(fault.draws.least, outcome.time_s);
      fault.drawn.push_back({draw.name, draw.seed, outcome.time_s, stops});
      sum += outcome.time_s;
    }
    if (!worst) return;
    fault.example = worst->name;
    fault.command = run_command_text(request_.scenario, overrides_of_draw(*worst));
    fault.cut_off = worst->outcome.refused;
    fault.isolated = worst->outcome.isolated;
    fault.worst = worst->outcome.worst;
    fault.lost_packets = worst->outcome.lost;
    fault.broken = worst->outcome.broken;
    if (!fault.cut_off.empty()) {
      fault.draws = {};
      return;
    }
    fault.p99_s = worst->outcome.p99_s;
    fault.draws.most = worst->outcome.time_s;
    fault.mean_s = sum / static_cast<double>(fault.drawn.size());
    fault.against_s = baseline_of(index);
    judge(fault);
  }

  /// The mean time of what a case is compared with.
  [[nodiscard]] double baseline_of(std::size_t index) const {
    const auto found = baselines_.find(index);
    if (found == baselines_.end()) return out_.whole_s;
    double sum = 0;
    for (std::size_t i = 0; i < out_.seeds.size(); i++) sum += draws_[found->second + i].outcome.time_s;
    return sum > 0 ? sum / static_cast<double>(out_.seeds.size()) : out_.whole_s;
  }

  /// Which one fails should not matter more than it does in the whole fabric, and cost what is lost.
  void judge(FaultCase& fault) const {
    fault.slowdown = fault.mean_s / fault.work / fault.against_s - 1;
    const double whole_spread = (out_.whole_draws.most - out_.whole_draws.least) / out_.whole_s;
    const double spread = (fault.draws.most - fault.draws.least) / out_.whole_s;
    fault.is_steady = spread <= std::max(whole_spread, kNoticeable) + kNoticeable;
    if (fault.lost > 0 && fault.lost < 1)
      fault.is_proportionate = fault.slowdown <= fault.lost / (1 - fault.lost) + kNoticeable;
  }

  static constexpr std::size_t kWhole = static_cast<std::size_t>(-1), kBaseline = kWhole - 1;
  const FaultsRequest& request_;
  const Catalog& catalog_;
  Progress& progress_;
  std::vector<std::string> overrides_;
  std::vector<Draw> draws_;
  std::map<std::size_t, std::size_t> baselines_;  // of cases with one of their own: its first draw
  const Fabric* fabric_ = nullptr;                // whole
  const Placement* placement_ = nullptr;
  std::size_t played_ = 0;
  Journal journal_;
  Faults out_;
};

}  // namespace

Result<Faults> find_faults(const FaultsRequest& request, const Catalog& catalog, Progress& progress) {
  return FaultFinder(request, catalog, progress).find();
}

}  // namespace railyard
