#include <algorithm>
#include <cmath>

#include "tools/plan/network_plan.h"

namespace railyard {

namespace {

Document count_of(std::uint64_t value) { return Document(static_cast<std::int64_t>(value)); }

Document row_document(const NetworkRow& row) {
  Document out = Document::object();
  out.set("network", Document(words_of_network(row)));
  out.set("step_s", Document(row.step_s));
  const double down = row.one_down_s.value_or(0);
  if (down > 0 && std::isfinite(down)) out.set("one_down_s", Document(down));
  if (row.one_down_s) out.set("stops_with_one_down", Document(!std::isfinite(down)));
  out.set("switches", Document(row.switches));
  out.set("cables", Document(row.cables));
  out.set("optics", Document(row.optics));
  out.set("network_usd", Document(row.network_usd.value));
  out.set("network_usd_complete", Document(row.network_usd.complete));
  out.set("usd_per_million_tokens", Document(row.token_usd.value));
  out.set("usd_per_million_tokens_complete", Document(row.token_usd.complete));
  out.set("is_known_to_keep_limits", Document(row.is_known));
  out.set("network_w", Document(row.network_watts.value));
  out.set("network_w_complete", Document(row.network_watts.complete));
  out.set("on_front", Document(row.on_front));
  out.set("command", Document(row.command));
  return out;
}

Document levels_document(const SearchResult& search) {
  Document all = Document::array();
  for (const LevelCount& level : search.levels) {
    Document& one = all.push(Document::object());
    one.set("name", Document(level.name));
    one.set("candidates", count_of(level.candidates));
    one.set("tried", count_of(level.tried));
    one.set("refused", count_of(level.refused));
    one.set("ruled_out", count_of(level.ruled_out));
  }
  return all;
}

Document effects_document(const PlannedNetwork& plan) {
  Document all = Document::array();
  for (std::size_t axis = 0; axis < plan.search.effects.size(); axis++) {
    Document& one = all.push(Document::object());
    one.set("choice", Document(plan.space.axes()[axis].name));
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

}  // namespace

Document network_plan_document(const PlannedNetwork& plan) {
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-network-plan/1")));
  out.set("name", Document(plan.name));
  out.set("scenario", Document(plan.scenario));
  out.set("answer", Document(network_plan_answer(plan)));
  out.set("gpus", Document(std::int64_t{plan.gpus}));
  out.set("chosen_by", Document(plan.by));
  out.set("chosen", row_document(plan.rows[plan.chosen]));
  Document& unpriced = out.set("unpriced", Document::array());
  for (const std::string& part : plan.unpriced) unpriced.push(Document(part));
  Document& all = out.set("networks", Document::array());
  for (const NetworkRow& row : plan.rows) all.push(row_document(row));
  if (plan.today) out.set("today", row_document(*plan.today));
  if (!plan.growth.empty()) out.set("growth", Document(plan.growth));
  out.set("effects", effects_document(plan));
  out.set("points", count_of(plan.search.points));
  out.set("levels", levels_document(plan.search));
  out.set("below_bound_share", Document(plan.search.below_bound));
  return out;
}

}  // namespace railyard
