#include "answer/trial.h"
#include "report/command_text.h"
#include "tools/tune/tune.h"

namespace railyard {

namespace {

Document figures_document(const WorkloadFigures& f) {
  Document out = Document::object();
  for (const auto& [name, value] : {std::pair{"p99_us", f.tail_us},
                                    {"p50_us", f.median_us},
                                    {"goodput_gbps", f.goodput_gbps},
                                    {"fairness", f.fairness},
                                    {"pauses", f.pauses},
                                    {"drops", f.drops},
                                    {"longest_queue_bytes", f.deepest_bytes},
                                    {"swing", f.swing},
                                    {"settled_us", f.settled_us},
                                    {"least_p99_us", f.least_us}})
    out.set(name, Document(value));
  return out;
}

Document tuned_document(const Tuned& tuned, const TunedRow& row) {
  Document out = Document::object();
  out.set("score", Document(row.score));
  out.set("least_score_of_a_seed", Document(row.least_score));
  out.set("most_score_of_a_seed", Document(row.most_score));
  Document& settings = out.set("settings", Document::object());
  for (std::size_t i = 0; i < row.values.size(); i++) settings.set(tuned.space.axes()[i].name, Document(row.values[i]));
  Document& set = out.set("set", Document::array());
  for (const std::string& one : row.set) set.push(Document(one));
  Document& workloads = out.set("workloads", Document::object());
  for (std::size_t i = 0; i < tuned.workloads.size(); i++)
    workloads.set(tuned.workloads[i].name, figures_document(row.figures[i]));
  return out;
}

Document front_document(const Tuned& tuned) {
  Document all = Document::array();
  for (const SettingRatios& row : tuned.front) {
    Document& one = all.push(Document::object());
    Document& settings = one.set("settings", Document::object());
    for (std::size_t i = 0; i < row.values.size(); i++) settings.set(tuned.space.axes()[i].name, Document(row.values[i]));
    one.set("incast_p99_ratio", Document(row.incasts));
    one.set("other_p99_ratio", Document(row.others));
    one.set("goodput_ratio", Document(row.goodput));
    one.set("command", Document(run_command_text(tuned.scenario, joined(tuned.overrides, row.set))));
  }
  return all;
}

}  // namespace

Document tune_document(const Tuned& tuned) {
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-tune/1")));
  out.set("name", Document(tuned.name));
  out.set("scenario", Document(tuned.scenario));
  out.set("answer", Document(tune_answer(tuned)));
  out.set("judged_by", Document(tuned.by));
  out.set("hosts", Document(std::int64_t{tuned.hosts}));
  out.set("settings", Document(static_cast<std::int64_t>(tuned.search.points)));
  out.set("tried", Document(static_cast<std::int64_t>(tuned.search.levels.front().tried)));
  out.set("incast_p99_ratio", Document(tuned.incast_tail()));
  out.set("least_incast_p99_ratio", Document(tuned.least_incast_tail()));
  out.set("today", tuned_document(tuned, tuned.today));
  Document& best = out.set("best", Document::array());
  for (const TunedRow& row : tuned.best) best.push(tuned_document(tuned, row));
  out.set("front", front_document(tuned));
  if (tuned.searched) {
    Document& choice = out.set("choice_of_search", Document::object());
    choice.set("score", Document(tuned.searched->score));
    choice.set("checked_score", Document(tuned.searched->checked));
    choice.set("score_of_best", Document(tuned.searched->best));
    choice.set("is_best", Document(tuned.searched->is_best));
  }
  Document& effects = out.set("effects", Document::array());
  for (std::size_t axis = 0; axis < tuned.search.effects.size(); axis++) {
    Document& one = effects.push(Document::object());
    one.set("setting", Document(tuned.space.axes()[axis].name));
    Document& values = one.set("values", Document::array());
    for (const AxisEffect& effect : tuned.search.effects[axis]) {
      Document& value = values.push(Document::object());
      value.set("value", Document(tuned.space.axes()[axis].values[effect.value].text));
      if (effect.outcome.refused.empty())
        value.set("score", Document(effect.outcome.values.front()));
      else
        value.set("refused", Document(effect.outcome.refused));
    }
  }
  return out;
}

}  // namespace railyard
