#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/quantity_text.h"
#include "report/command_text.h"
#include "scenario/presets.h"
#include "tools/place/place.h"

namespace railyard {

namespace {

constexpr double kNoticeable = 0.0005;  // of a step: less is written as nothing

std::string span_text(double seconds_) { return format(from_seconds(seconds_)); }

double gain_of(double before, double after) { return (before - after) / before; }

/// "3.2 % less", "as long".
std::string against_text(double time, double reference) {
  const double gain = gain_of(reference, time);
  if (std::abs(gain) < kNoticeable) return "as long";
  return fmt::format("{:.1f} % {}", std::abs(gain) * 100, gain > 0 ? "less" : "more");
}

/// Shares of a kind's messages that leave a leaf.
double leaving_leaf(const Reach& reach) { return (1 - reach.domain) * (reach.pod + reach.across); }

struct MovedGroup {
  GroupKind kind;
  double before, after;  // share of messages that leave their leaf
};

std::vector<MovedGroup> moved_groups(const Placed& placed) {
  std::vector<MovedGroup> moved;
  for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
    const bool is_expert = static_cast<GroupKind>(kind) == GroupKind::expert;
    const GroupReach &was = placed.tried[placed.scheduler].reach[kind], &is = placed.winner().reach[kind];
    const double before = leaving_leaf(is_expert ? was.pairs : was.ring), after = leaving_leaf(is_expert ? is.pairs : is.ring);
    if (std::abs(before - after) > 0.001) moved.push_back({static_cast<GroupKind>(kind), before, after});
  }
  return moved;
}

std::size_t moved_ranks(const Placed& placed) {
  const auto &before = placed.tried[placed.scheduler].plan.seats, &after = placed.winner().plan.seats;
  std::size_t moved = 0;
  for (std::size_t rank = 0; rank < before.size(); rank++)
    if (before[rank] / placed.per_node != after[rank] / placed.per_node) moved++;
  return moved;
}

std::string groups_text(const Placed& placed) {
  if (placed.best == placed.scheduler) return "Every rank stays where the scheduler puts it.";
  std::string text = fmt::format("{} of {} ranks go to another node than in the scheduler's order.",
                                 format_count(moved_ranks(placed)), format_count(placed.ranks));
  const std::vector<MovedGroup> moved = moved_groups(placed);
  if (moved.empty()) return text + " As much of every group's traffic leaves its leaf as before.";
  text += " Messages that leave their leaf: ";
  for (std::size_t i = 0; i < moved.size(); i++)
    text += fmt::format("{}{} {:.1f} % → {:.1f} %", i == 0 ? "" : ", ", name_of(moved[i].kind), moved[i].before * 100,
                        moved[i].after * 100);
  return text + ".";
}

std::string nodes_text(const Placed& placed) {
  std::string text = fmt::format("{} of {} servers are free, and the job takes {}.", format_count(placed.nodes.free.size()),
                                 format_count(placed.servers), format_count(placed.needed));
  if (!placed.nodes.busy.empty()) {
    text += " Not free:";
    std::string sep = " ";
    for (const auto& [state, count] : placed.nodes.busy)
      text += fmt::format("{}{} {}", std::exchange(sep, ", "), format_count(count), state);
    text += ".";
  }
  return text + " " + placed.nodes.how;
}

/// By time; those that cannot be run last.
std::vector<std::size_t> by_time(const Placed& placed) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < placed.tried.size(); i++) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const TriedSeats &x = placed.tried[a], &y = placed.tried[b];
    if (x.refused.empty() != y.refused.empty()) return x.refused.empty();
    return x.step_s < y.step_s;
  });
  return order;
}

constexpr std::size_t kMostFound = 6;  // of what the search found, in the table

/// All baselines, and the best of what was found.
TextTable table_of_tried(const Placed& placed) {
  TextTable table{{"placement", "step", "change", ""}, {Align::left, Align::right, Align::right, Align::left}, {}};
  const double reference = placed.tried[placed.scheduler].step_s;
  std::size_t found = 0;
  for (const std::size_t i : by_time(placed)) {
    const TriedSeats& one = placed.tried[i];
    if (!one.plan.is_baseline && found++ >= kMostFound) continue;
    const std::string about = i == placed.best ? "best" : !one.same_as.empty() ? "the same as " + one.same_as : "";
    const double change = (one.step_s - reference) / reference;
    if (!one.refused.empty())
      table.rows.push_back({one.plan.name, "–", "–", one.refused.front().message});
    else
      table.rows.push_back({one.plan.name, span_text(one.step_s),
                            std::abs(change) < kNoticeable ? "–" : fmt::format("{:+.1f} %", change * 100), about});
  }
  return table;
}

std::string table_note(const Placed& placed) {
  std::string text = "Simulated over flows. Change: against the scheduler's order.";
  const auto is_found = [](const TriedSeats& one) { return !one.plan.is_baseline; };
  const auto found = static_cast<std::size_t>(std::count_if(placed.tried.begin(), placed.tried.end(), is_found));
  if (found > kMostFound)
    text += fmt::format(" {} more that a search found take no less; --json has them.", found - kMostFound);
  if (placed.seeds.size() > 1) text += fmt::format(" Steps are means over {} seeds of the hash.", placed.seeds.size());
  if (placed.over_flows) text += " The scenario asks for another engine; here it is played over flows (engine.fidelity).";
  return text;
}

/// A file as a scenario has to name it: seen from the folder that it is in. A preset is in none.
std::string beside(const std::string& scenario, const std::string& file) {
  namespace fs = std::filesystem;
  if (scenario_path(scenario) != scenario || fs::path(scenario).is_absolute() || fs::path(file).is_absolute())
    return fs::absolute(file).lexically_normal().string();
  const fs::path folder = fs::absolute(scenario).parent_path();
  std::error_code problem;
  const fs::path seen = fs::proximate(file, folder, problem);
  return problem ? fs::absolute(file).string() : seen.string();
}

}  // namespace

std::string answer_text(const Placed& placed) {
  const TriedSeats &scheduler = placed.tried[placed.scheduler], &policy = placed.tried[placed.policy];
  const double time = placed.winner().step_s;
  if (gain_of(scheduler.step_s, time) < kNoticeable)
    return fmt::format(
        "Placement hardly matters here: a step takes {} in the scheduler's order, and no placement of {} is noticeably faster.",
        span_text(scheduler.step_s), placed.tried.size());
  return fmt::format(
      "Placed so, a step takes {}, {} than in the scheduler's order ({}). The best built-in policy, {}, takes {}.",
      span_text(time), against_text(time, scheduler.step_s), span_text(scheduler.step_s), policy.plan.name,
      span_text(policy.step_s));
}

std::vector<RankSeat> seats_for_launchers(const Placed& placed) {
  std::vector<RankSeat> seats;
  for (const std::uint32_t gpu : placed.winner().plan.seats) seats.push_back({gpu / placed.per_node, gpu % placed.per_node});
  return seats;
}

std::string write_seats(const Placed& placed) {
  std::string text;
  for (const std::uint32_t gpu : placed.winner().plan.seats) text += std::to_string(gpu) + "\n";
  return text;
}

std::string repeat_command(const Placed& placed, const std::string& file) {
  return run_command_text(
      placed.scenario,
      joined(placed.overrides, {"placement.policy=file", fmt::format("placement.file={}", beside(placed.scenario, file))}));
}

Report place_report(const Placed& placed, const PlaceRequest& request) {
  Report report{fmt::format("Where to run {}", placed.name), {}};
  Report::Section answer{"", {answer_text(placed), groups_text(placed)}};
  if (request.seats.empty() || request.seats == "-")
    answer.blocks.emplace_back(
        "--seats FILE writes the GPU of every rank, --hostfile, --rankfile and --slurm what launchers take.");
  else
    answer.blocks.emplace_back("To repeat it: " + repeat_command(placed, request.seats));
  report.sections.push_back(std::move(answer));
  report.sections.push_back({"Nodes", {nodes_text(placed)}});
  if (!placed.warnings.empty()) report.sections.back().blocks.emplace_back(placed.warnings);
  report.sections.push_back({"Placements that were tried", {table_of_tried(placed), table_note(placed)}});
  return report;
}

std::vector<PageBars> place_bars(const Placed& placed) {
  PageBars steps{"Steps of all that was tried", "s", {}};
  for (const TriedSeats& one : placed.tried)
    if (one.refused.empty() && one.same_as.empty())
      steps.bars.push_back({one.plan.name, one.step_s, fmt::format("{:.4g} s", one.step_s), &one == &placed.winner()});
  return {steps};
}

}  // namespace railyard
