#include "report/results_report.h"
#include "tools/place/place.h"

namespace railyard {

namespace {

Document reach_document(const Reach& reach) {
  Document out = Document::object();
  out.set("domain", Document(reach.domain));
  out.set("leaf", Document(reach.leaf));
  out.set("pod", Document(reach.pod));
  out.set("across", Document(reach.across));
  return out;
}

Document tried_document(const TriedSeats& one) {
  Document out = Document::object();
  out.set("name", Document(one.plan.name));
  out.set("baseline", Document(one.plan.is_baseline));
  out.set("step_s", Document(one.step_s));
  out.set("least_s", Document(one.draws.least));
  out.set("most_s", Document(one.draws.most));
  out.set("links_s", Document(one.plan.links_s));
  if (!one.same_as.empty()) out.set("same_as", Document(one.same_as));
  if (!one.refused.empty()) out.set("refused", Document(one.refused.front().message));
  Document& groups = out.set("reach", Document::object());
  for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
    const bool is_expert = static_cast<GroupKind>(kind) == GroupKind::expert;
    const Reach& reach = is_expert ? one.reach[kind].pairs : one.reach[kind].ring;
    if (reach.domain + reach.leaf + reach.pod + reach.across > 0)
      groups.set(name_of(static_cast<GroupKind>(kind)), reach_document(reach));
  }
  return out;
}

Document nodes_document(const Placed& placed) {
  Document nodes = Document::object();
  nodes.set("servers", Document(std::int64_t{placed.servers}));
  nodes.set("free", Document(static_cast<std::int64_t>(placed.nodes.free.size())));
  nodes.set("needed", Document(std::int64_t{placed.needed}));
  Document& busy = nodes.set("not_free", Document::object());
  for (const auto& [state, count] : placed.nodes.busy) busy.set(state, Document(static_cast<std::int64_t>(count)));
  nodes.set("matched", Document(placed.nodes.how));
  return nodes;
}

Document ranks_document(const Placed& placed) {
  Document ranks = Document::array();
  for (const RankSeat& seat : seats_for_launchers(placed)) {
    Document& one = ranks.push(Document::array());
    one.push(Document(placed.nodes.names[seat.node]));
    one.push(Document(std::int64_t{seat.gpu}));
  }
  return ranks;
}

}  // namespace

Document place_document(const Placed& placed, const PlaceRequest& request) {
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-place/1")));
  out.set("name", Document(placed.name));
  out.set("scenario", Document(placed.scenario));
  out.set("answer", Document(answer_text(placed)));
  const double before = placed.tried[placed.scheduler].step_s, after = placed.winner().step_s;
  out.set("scheduler_s", Document(before));
  out.set("policy_s", Document(placed.tried[placed.policy].step_s));
  out.set("best_s", Document(after));
  out.set("gain", Document((before - after) / before));
  if (!request.seats.empty() && request.seats != "-") out.set("command", Document(repeat_command(placed, request.seats)));
  out.set("nodes", nodes_document(placed));
  Document& seeds = out.set("seeds", Document::array());
  for (const std::uint64_t seed : placed.seeds) seeds.push(Document(static_cast<std::int64_t>(seed)));
  Document& tried = out.set("placements", Document::array());
  for (const TriedSeats& one : placed.tried) tried.push(tried_document(one));
  out.set("best", Document(placed.winner().plan.name));
  out.set("ranks", ranks_document(placed));
  out.set("diagnostics", diagnostics_document(placed.warnings));
  return out;
}

}  // namespace railyard
