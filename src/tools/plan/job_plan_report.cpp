#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity_text.h"
#include "tools/plan/job_plan.h"

namespace railyard {

namespace {

/// Differences below this are not worth a change.
constexpr double kAlike = 0.0005;

std::string seconds_text(double value) { return fmt::format("{:.4g} s", value); }

std::string percent_text(double share) { return fmt::format("{:+.1f} %", 100 * share); }

/// As people write plans: "tp" for "parallel.tensor". The last part of any other key.
std::string short_name(const std::string& key) {
  static constexpr std::pair<std::string_view, std::string_view> kUsual[] = {
      {"parallel.tensor", "tp"}, {"parallel.context", "cp"},           {"parallel.pipeline", "pp"},
      {"parallel.expert", "ep"}, {"parallel.virtual_pipeline", "vpp"}, {"training.micro_batch", "mbs"}};
  for (const auto& [name, usual] : kUsual)
    if (key == name) return std::string(usual);
  const std::size_t dot = key.rfind('.');
  return dot == std::string::npos ? key : key.substr(dot + 1);
}

/// "tp 8, pp 16, …": every axis that has a choice.
std::string words_of(const PlannedJob& plan, const PlanRow& row) {
  std::string text;
  for (std::size_t i = 0; i < row.values.size(); i++) {
    if (plan.space.axes()[i].values.size() < 2) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", short_name(plan.space.axes()[i].name), row.values[i]);
  }
  return text.empty() ? "nothing is left to choose" : text;
}

Report::Section plans_section(const PlannedJob& plan) {
  TextTable table;
  table.header = {"rank"};
  for (const Axis& axis : plan.space.axes()) table.header.push_back(short_name(axis.name));
  for (const char* name : {"dp", "step", "to best", "memory"}) table.header.push_back(name);
  table.align.assign(table.header.size(), Align::right);
  const auto add = [&](const std::string& rank, const PlanRow& row) {
    std::vector<std::string> cells{rank};
    cells.insert(cells.end(), row.values.begin(), row.values.end());
    cells.push_back(std::to_string(row.replicas));
    cells.push_back(seconds_text(row.step_s));
    cells.push_back(percent_text(row.step_s / plan.best.front().step_s - 1));
    cells.push_back(fmt::format("{:.0f} %", 100 * row.memory_share));
    table.rows.push_back(std::move(cells));
  };
  bool has_today = false;
  for (std::size_t i = 0; i < plan.best.size(); i++) {
    const bool is_today = plan.today && plan.best[i].values == plan.today->values;
    has_today = has_today || is_today;
    add(fmt::format("{}{}", i + 1, is_today ? " (today)" : ""), plan.best[i]);
  }
  if (plan.today && !has_today) add("today", *plan.today);
  std::string note = fmt::format("Steps are timed by {}. Memory is that of the fullest GPU.", plan.level);
  if (plan.search.baseline_rank && plan.today)
    note += fmt::format(" In closed form {} of all plans are faster than today's.",
                        *plan.search.baseline_rank == 1 ? "none" : format_count(*plan.search.baseline_rank - 1));
  return {"The best plans", {table, note}};
}

/// What one part of the step takes in both plans.
void add_part(TextTable& table, const char* name, double best, double today, double whole) {
  if (best < kAlike * whole && today < kAlike * whole) return;
  table.rows.push_back({name, seconds_text(best), seconds_text(today), percent_text((best - today) / whole)});
}

Report::Section difference_section(const PlanDetail& best, const PlanDetail& today) {
  TextTable table;
  table.header = {"mean stage", "best", "today", "of today's step"};
  table.align = {Align::left, Align::right, Align::right, Align::right};
  const StepBreakdown &a = best.step.breakdown, &b = today.step.breakdown;
  const double whole = today.step.step_time_s;
  add_part(table, "compute", a.compute, b.compute, whole);
  add_part(table, "compute lost to communication beside it", a.contention, b.contention, whole);
  add_part(table, "pipeline bubble and waiting", a.bubble, b.bubble, whole);
  add_part(table, "tensor parallel, exposed", a.exposed.tensor, b.exposed.tensor, whole);
  add_part(table, "context parallel, exposed", a.exposed.context, b.exposed.context, whole);
  add_part(table, "expert parallel, exposed", a.exposed.expert, b.exposed.expert, whole);
  add_part(table, "pipeline, exposed", a.exposed.pipeline, b.exposed.pipeline, whole);
  add_part(table, "data parallel, exposed", a.exposed.data, b.exposed.data, whole);
  add_part(table, "optimizer", a.optimizer, b.optimizer, whole);
  add_part(table, "host", a.host, b.host, whole);
  table.rows.push_back(
      {"step", seconds_text(best.step.step_time_s), seconds_text(whole), percent_text(best.step.step_time_s / whole - 1)});
  return {"Where the difference comes from", {table}};
}

/// "4 +3.1 %, 8 =, 16 +12.0 %; cannot be: 2"
std::string effects_text(const Axis& axis, const std::vector<AxisEffect>& effects, double best) {
  std::string text, impossible;
  for (const AxisEffect& effect : effects) {
    const std::string& value = axis.values[effect.value].text;
    if (!effect.outcome.refused.empty()) {
      impossible += (impossible.empty() ? "; cannot be: " : ", ") + value;
      continue;
    }
    const double change = effect.outcome.values.front() / best - 1;
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", value, effect.is_bound ? "≥ " : "",
                        std::abs(change) < kAlike ? "=" : percent_text(change));
  }
  return text + impossible;
}

/// By how much the step grows at most within reach of one axis; -1 where it cannot be changed alone.
double reach_of(const std::vector<AxisEffect>& effects, double best) {
  double most = -1;
  for (const AxisEffect& effect : effects)
    if (effect.outcome.refused.empty()) most = std::max(most, effect.outcome.values.front() / best - 1);
  return most;
}

Report::Section effects_section(const PlannedJob& plan) {
  const double best = plan.best.front().step_s;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < plan.search.effects.size(); i++)
    if (plan.space.axes()[i].values.size() > 1) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return reach_of(plan.search.effects[a], best) > reach_of(plan.search.effects[b], best);
  });
  TextTable table;
  table.header = {"what is changed", "best", "the step with each value"};
  for (const std::size_t i : order)
    table.rows.push_back({short_name(plan.space.axes()[i].name), plan.best.front().values[i],
                          effects_text(plan.space.axes()[i], plan.search.effects[i], best)});
  return {"What matters", {"From the best plan, one thing is changed at a time; what matters most comes first.", table}};
}

Report::Section manner_section(const PlannedJob& plan) {
  TextTable table;
  table.header = {"looked at", "plans", "timed", "cannot be", "ruled out"};
  table.align = {Align::left, Align::right, Align::right, Align::right, Align::right};
  std::uint64_t impossible = 0;
  for (const auto& [reason, count] : plan.search.impossible) impossible += count;
  const std::uint64_t all = plan.space.early_size();
  table.rows.push_back({"at a glance", format_count(all), "0", format_count(impossible), "0"});
  for (const LevelCount& level : plan.search.levels)
    table.rows.push_back({level.name, format_count(level.candidates), format_count(level.tried), format_count(level.refused),
                          format_count(level.ruled_out + level.left_off)});
  std::vector<Report::Block> blocks{table};
  std::string why = "Plans cannot be: ";
  for (std::size_t i = 0; i < std::min<std::size_t>(plan.search.impossible.size(), 8); i++)
    why += fmt::format("{}{} ({})", i == 0 ? "" : "; ", plan.search.impossible[i].first,
                       format_count(plan.search.impossible[i].second));
  if (!plan.search.impossible.empty()) blocks.emplace_back(why + ".");
  blocks.emplace_back(fmt::format(
      "A plan is ruled out where even its bound, from the row before, is above the {} best. {}", plan.best.size(),
      plan.search.below_bound > 0 ? fmt::format("Bounds were passed by {:.2f} % at most.", 100 * plan.search.below_bound)
                                  : std::string("No plan was faster than its bound.")));
  if (const std::uint64_t left = plan.search.levels.back().left_off; left > 0)
    blocks.emplace_back(fmt::format("{} more could be among the {} best and were not timed {}: those that were come first.",
                                    format_count(left), plan.best.size(), "with all care"));
  return {"How it was found", std::move(blocks)};
}

}  // namespace

std::string job_plan_answer(const PlannedJob& plan) {
  const PlanRow& best = plan.best.front();
  const std::string words = words_of(plan, best);
  if (!plan.today)
    return fmt::format(
        "The best plan found takes {} a step: {}.{}", seconds_text(best.step_s), words,
        plan.refused_today.empty() ? std::string() : " The scenario's own cannot be run: " + plan.refused_today + ".");
  const double gain = plan.today->step_s / best.step_s - 1;
  if (gain < kAlike)
    return fmt::format("No plan was found that is faster than today's, which takes {} a step.",
                       seconds_text(plan.today->step_s));
  return fmt::format("The best plan found takes {} a step, {:.1f} % less than today's {}: {}.", seconds_text(best.step_s),
                     100 * (1 - best.step_s / plan.today->step_s), seconds_text(plan.today->step_s), words);
}

Report job_plan_report(const PlannedJob& plan) {
  Report report;
  report.title = fmt::format("A plan for {}", plan.name);
  report.sections.push_back({"", {job_plan_answer(plan), plan.best.front().command}});
  report.sections.push_back(plans_section(plan));
  const bool differs = plan.today && plan.today->step_s / plan.best.front().step_s - 1 >= kAlike;
  if (differs && plan.best_detail && plan.today_detail)
    report.sections.push_back(difference_section(*plan.best_detail, *plan.today_detail));
  report.sections.push_back(effects_section(plan));
  report.sections.push_back(manner_section(plan));
  return report;
}

}  // namespace railyard
