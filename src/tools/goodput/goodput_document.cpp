#include "report/json_fields.h"
#include "report/results_report.h"
#include "tools/goodput/goodput.h"

namespace railyard {

namespace {

Document spread_document(const RunSpread& spread, double unit = 1) {
  Document out = Document::object();
  out.set("mean", Document(spread.mean / unit));
  out.set("error", Document(spread.error / unit));
  out.set("p5", Document(spread.p5 / unit));
  out.set("p50", Document(spread.p50 / unit));
  out.set("p95", Document(spread.p95 / unit));
  return out;
}

constexpr JsonField<TimeParts> kParts[] = {
    json_field<&TimeParts::training>("training_s"),   json_field<&TimeParts::checkpoint>("checkpoint_s"),
    json_field<&TimeParts::lost>("lost_s"),           json_field<&TimeParts::slow>("stragglers_s"),
    json_field<&TimeParts::detection>("detection_s"), json_field<&TimeParts::waiting>("waiting_s"),
    json_field<&TimeParts::restart>("restart_s")};

constexpr JsonField<CauseTotals> kTotals[] = {
    json_field<&CauseTotals::failures>("failures"), json_field<&CauseTotals::interruptions>("interruptions"),
    json_field<&CauseTotals::lost>("lost_s"),       json_field<&CauseTotals::detection>("detection_s"),
    json_field<&CauseTotals::waiting>("waiting_s"), json_field<&CauseTotals::restart>("restart_s")};

Document checkpoint_document(const TrainingWeeks& weeks) {
  constexpr JsonField<CheckpointCost> kCost[] = {json_field<&CheckpointCost::state>("bytes"),
                                                 json_field<&CheckpointCost::host_write>("server_write_bytes"),
                                                 json_field<&CheckpointCost::host_read>("server_read_bytes"),
                                                 json_field<&CheckpointCost::write>("write_s"),
                                                 json_field<&CheckpointCost::read>("read_s"),
                                                 json_field<&CheckpointCost::write_limit>("write_limit"),
                                                 json_field<&CheckpointCost::read_limit>("read_limit"),
                                                 json_field<&CheckpointCost::network>("network"),
                                                 json_field<&CheckpointCost::stall>("stall_s"),
                                                 json_field<&CheckpointCost::lag>("lag_s")};
  Document out = object_of(weeks.checkpoint, kCost);
  out.set("interval_s", Document(weeks.job.interval));
  out.set("interval_steps", Document(weeks.interval_steps));
  out.set("best_interval_s", Document(weeks.best_interval_s));
  return out;
}

Document causes_document(const Goodput& g) {
  Document out = Document::array();
  for (std::size_t i = 0; i < g.drawn.causes.size(); i++) {
    if (i == g.weeks.job.causes.size() && g.weeks.job.stragglers.rate <= 0) continue;
    Document one = object_of(g.drawn.causes[i], kTotals);
    one.set("cause", Document(g.cause_name(i)));
    if (i < g.weeks.job.causes.size()) {
      one.set("parts", json_value(g.weeks.job.causes[i].parts));
      one.set("mtbf_h", Document(g.weeks.job.causes[i].mtbf / 3600));
      one.set("expected_mtbi_h", Document(1 / g.weeks.job.causes[i].rate / 3600));
    }
    out.push(std::move(one));
  }
  return out;
}

Document levers_document(const Goodput& g) {
  Document out = Document::array();
  for (const GoodputLever& lever : g.levers) {
    Document& one = out.push(Document::object());
    one.set("change", Document(lever.change));
    one.set("set", json_value(lever.set));
    one.set("command", Document(lever.command));
    one.set("effective_share", Document(lever.share));
    one.set("days", Document(lever.days));
    one.set("gain", spread_document(lever.gain));
  }
  return out;
}

Document run_document(const Goodput& g) {
  Document out = Document::object();
  out.set("days", Document(g.one_s / kDaySeconds));
  Document& all = out.set("interruptions", Document::array());
  for (const Interruption& one : g.one) {
    Document& added = all.push(Document::object());
    added.set("at_s", Document(one.at));
    added.set("cause", Document(g.cause_name(one.cause)));
    added.set("lost_s", Document(one.lost));
    added.set("detection_s", Document(one.detection));
    added.set("waiting_s", Document(one.waiting));
    added.set("restart_s", Document(one.restart));
  }
  return out;
}

Document inputs_document(const Goodput& g) {
  Document out = Document::array();
  for (const Input& input : g.inputs) {
    Document& one = out.push(Document::object());
    one.set("key", Document(input.key));
    one.set("value", Document(input.value));
    one.set("status", Document(std::string(name_of(input.origin.status))));
    one.set("source", Document(input.origin.source));
  }
  return out;
}

}  // namespace

Document goodput_document(const Goodput& g) {
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-goodput/1")));
  out.set("name", Document(g.name));
  out.set("answer", json_value(goodput_answer(g)));
  out.set("gpus", json_value(g.weeks.gpus));
  out.set("servers", json_value(g.weeks.servers));
  out.set("step_time_s", Document(g.weeks.step_s));
  out.set("tokens", Document(g.tokens()));
  out.set("ideal_days", Document(g.ideal_days()));
  out.set("days", spread_document(g.drawn.time, kDaySeconds));
  out.set("gpu_hours", Document(g.drawn.time.mean / 3600 * g.weeks.gpus));
  out.set("runs", json_value(g.drawn.runs));
  out.set("seed", json_value(g.seed));
  out.set("effective_share", spread_document(g.drawn.share));
  out.set("expected_share", Document(g.expected));
  out.set("interruptions", spread_document(g.drawn.interruptions));
  out.set("expected_mtbi_h", Document(1 / g.weeks.job.rate() / 3600));
  out.set("time", object_of(g.drawn.mean, kParts));
  out.set("causes", causes_document(g));
  out.set("checkpoint", checkpoint_document(g.weeks));
  out.set("spares_99", json_value(g.spares_99));
  out.set("changes", levers_document(g));
  out.set("run", run_document(g));
  out.set("inputs", inputs_document(g));
  out.set("diagnostics", diagnostics_document(g.diagnostics));
  return out;
}

}  // namespace railyard
