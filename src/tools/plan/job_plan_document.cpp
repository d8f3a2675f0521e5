#include <algorithm>

#include "search/front.h"
#include "tools/plan/job_plan.h"

namespace railyard {

namespace {

Document count_of(std::uint64_t value) {
  return Document(static_cast<std::int64_t>(std::min<std::uint64_t>(value, INT64_MAX)));
}

Document row_document(const PlannedJob& plan, const PlanRow& row) {
  Document out = Document::object();
  Document& values = out.set("plan", Document::object());
  for (std::size_t i = 0; i < row.values.size(); i++) values.set(plan.space.axes()[i].name, Document(row.values[i]));
  out.set("replicas", Document(std::int64_t{row.replicas}));
  out.set("step_s", Document(row.step_s));
  out.set("closed_form_s", Document(row.closed_form_s));
  out.set("memory_share", Document(row.memory_share));
  out.set("command", Document(row.command));
  return out;
}

Document breakdown_document(const StepBreakdown& b) {
  Document out = Document::object();
  for (const auto& [name, value] : {std::pair{"compute_s", b.compute},
                                    {"contention_s", b.contention},
                                    {"bubble_s", b.bubble},
                                    {"tensor_s", b.exposed.tensor},
                                    {"context_s", b.exposed.context},
                                    {"expert_s", b.exposed.expert},
                                    {"pipeline_s", b.exposed.pipeline},
                                    {"data_s", b.exposed.data},
                                    {"optimizer_s", b.optimizer},
                                    {"host_s", b.host}})
    out.set(name, Document(value));
  return out;
}

Document effects_document(const PlannedJob& plan) {
  Document all = Document::array();
  for (std::size_t axis = 0; axis < plan.search.effects.size(); axis++) {
    Document& one = all.push(Document::object());
    one.set("key", Document(plan.space.axes()[axis].name));
    Document& values = one.set("values", Document::array());
    for (const AxisEffect& effect : plan.search.effects[axis]) {
      Document& value = values.push(Document::object());
      value.set("value", Document(plan.space.axes()[axis].values[effect.value].text));
      if (!effect.outcome.refused.empty())
        value.set("refused", Document(effect.outcome.refused));
      else
        value.set(effect.is_bound ? "at_least_s" : "step_s", Document(effect.outcome.values.front()));
    }
  }
  return all;
}

/// Every plan that was timed with all care: its step and the memory of its fullest GPU, and whether another beats it in both.
Document timed_document(const SearchResult& search) {
  std::vector<std::vector<double>> points;
  for (const TriedPoint& tried : search.ranked) points.push_back(tried.by_level.back().values);
  const std::vector<bool> front = pareto_front({{"step", "s", true}, {"memory", "", true}}, points);
  Document all = Document::array();
  for (std::size_t i = 0; i < points.size(); i++) {
    Document& one = all.push(Document::object());
    one.set("step_s", Document(points[i][0]));
    one.set("memory_share", Document(points[i][1]));
    one.set("on_front", Document(static_cast<bool>(front[i])));
  }
  return all;
}

Document levels_document(const SearchResult& search) {
  Document all = Document::array();
  for (const LevelCount& level : search.levels) {
    Document& one = all.push(Document::object());
    one.set("name", Document(level.name));
    one.set("candidates", count_of(level.candidates));
    one.set("timed", count_of(level.tried));
    one.set("refused", count_of(level.refused));
    one.set("ruled_out", count_of(level.ruled_out));
    one.set("left_off", count_of(level.left_off));
  }
  return all;
}

}  // namespace

Document job_plan_document(const PlannedJob& plan) {
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-plan/1")));
  out.set("name", Document(plan.name));
  out.set("scenario", Document(plan.scenario));
  out.set("answer", Document(job_plan_answer(plan)));
  out.set("timed_by", Document(plan.level));
  out.set("gpus", Document(std::int64_t{plan.gpus}));
  out.set("gpu", Document(plan.gpu));
  Document& best = out.set("best", Document::array());
  for (const PlanRow& row : plan.best) best.push(row_document(plan, row));
  if (plan.today) {
    Document& today = out.set("today", row_document(plan, *plan.today));
    if (plan.search.baseline_rank) today.set("rank_in_closed_form", count_of(*plan.search.baseline_rank));
  }
  if (!plan.refused_today.empty()) out.set("today_refused", Document(plan.refused_today));
  if (plan.best_detail) out.set("best_breakdown", breakdown_document(plan.best_detail->step.breakdown));
  if (plan.today_detail) out.set("today_breakdown", breakdown_document(plan.today_detail->step.breakdown));
  out.set("timed", timed_document(plan.search));
  out.set("effects", effects_document(plan));
  out.set("points", count_of(plan.search.points));
  out.set("levels", levels_document(plan.search));
  Document& impossible = out.set("impossible", Document::array());
  for (const auto& [reason, count] : plan.search.impossible) {
    Document& one = impossible.push(Document::object());
    one.set("reason", Document(reason));
    one.set("plans", count_of(count));
  }
  out.set("below_bound_share", Document(plan.search.below_bound));
  return out;
}

}  // namespace railyard
