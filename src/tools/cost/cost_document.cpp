#include "report/json_fields.h"
#include "tools/cost/cost.h"

namespace railyard {

namespace {

Document sum_document(const Sum& sum) {
  Document out = Document::object();
  out.set("value", Document(sum.value));
  out.set("complete", Document(sum.complete));
  return out;
}

Document origin_document(const Origin& origin, const std::string& date = {}) {
  Document out = Document::object();
  out.set("status", Document(std::string(name_of(origin.status))));
  if (!date.empty()) out.set("date", Document(date));
  out.set("source", Document(origin.source));
  return out;
}

Document line_document(const CostLine& line) {
  Document out = Document::object();
  out.set("kind", Document(std::string(name_of(line.kind))));
  if (!line.part.empty()) out.set("part", Document(line.part));
  if (!line.where.empty()) out.set("where", Document(line.where));
  out.set("count", Document(static_cast<std::int64_t>(line.count)));
  out.set("in_server", Document(line.in_server));
  if (!line.key.empty()) out.set("key", Document(line.key));
  if (line.price && !line.in_server) {
    out.set("usd_each", Document(line.price->usd));
    out.set("usd", Document(*line.usd()));
    out.set("price", origin_document(line.price->origin, line.price->date));
  }
  if (line.watts && !line.in_server) {
    out.set("watts_each", Document(*line.watts));
    out.set("watts", Document(*line.all_watts()));
    out.set("power", origin_document(line.watts_origin));
  }
  return out;
}

Document texts_document(const std::vector<std::string>& texts) {
  Document out = Document::array();
  for (const std::string& one : texts) out.push(Document(one));
  return out;
}

Document step_document(const CostAnswer& a) {
  const CostedStep& step = *a.step;
  Document out = Document::object();
  out.set("step_s", Document(step.step_s));
  out.set("tokens_per_s", Document(step.tokens_per_s));
  out.set("usd_per_million_tokens", sum_document(*a.million_tokens));
  out.set("network_share", Document(step.network_share()));
  out.set("network_wait_usd_per_year", Document(a.per_year(step.network_share())));
  out.set("scale_up_share", Document(step.scale_up_share()));
  out.set("scale_up_wait_usd_per_year", Document(a.per_year(step.scale_up_share())));
  if (!step.carried_s) {
    out.set("links_not_run", Document(step.why_no_links));
    return out;
  }
  out.set("carried_step_s", Document(*step.carried_s));
  Document& links = out.set("links", Document::array());
  for (const Trial& trial : step.links) {
    Document& one = links.push(Document::object());
    one.set("what", Document(trial.kind));
    one.set("set", texts_document(trial.set));
    one.set("command", Document(trial.command));
    if (trial.step_s > 0)
      one.set("step_s", Document(trial.step_s));
    else
      one.set("refused", Document(trial.refused));
  }
  return out;
}

}  // namespace

Document cost_document(const CostAnswer& a) {
  const ClusterCost& c = a.cluster;
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-cost/1")));
  out.set("name", Document(a.name));
  out.set("answer", texts_document(cost_answer(a)));
  out.set("gpus", Document(static_cast<std::int64_t>(c.gpus)));
  out.set("network_usd", sum_document(c.network_usd));
  out.set("network_usd_per_gpu", Document(c.per_gpu(c.network_usd)));
  out.set("usd", sum_document(c.all_usd));
  out.set("usd_per_gpu", Document(c.per_gpu(c.all_usd)));
  out.set("network_watts", sum_document(c.network_watts));
  out.set("watts", sum_document(c.all_watts));
  out.set("mwh_per_year", Document(a.running.mwh_per_year));
  out.set("usd_per_hour", sum_document(a.running.per_hour()));
  out.set("energy_usd_per_hour", sum_document(a.running.energy_per_hour));
  Document& lines = out.set("parts", Document::array());
  for (const CostLine& line : c.lines) lines.push(line_document(line));
  if (a.step) out.set("step", step_document(a));
  out.set("missing", texts_document(c.missing));
  Document& inputs = out.set("inputs", Document::array());
  for (const Input& input : a.assumptions) {
    Document& one = inputs.push(Document::object());
    one.set("key", Document(input.key));
    one.set("value", Document(input.value));
    one.set("status", Document(std::string(name_of(input.origin.status))));
    one.set("source", Document(input.origin.source));
  }
  return out;
}

}  // namespace railyard
