#include <fmt/format.h>

#include "base/choice.h"
#include "tools/faults/faults.h"

namespace railyard {

namespace {

Document draws_document(const std::vector<FaultDraw>& drawn) {
  Document all = Document::array();
  for (const FaultDraw& draw : drawn) {
    Document& one = all.push(Document::object());
    one.set("what", Document(draw.name));
    one.set("seed", Document(static_cast<std::int64_t>(draw.seed)));
    if (!draw.stops) one.set("time_s", Document(draw.time_s));
  }
  return all;
}

Document worst_document(const WorstRank& worst) {
  Document out = Document::object();
  out.set("rank", Document(std::int64_t{worst.rank}));
  if (worst.stage) out.set("stage", Document(std::int64_t{*worst.stage}));
  out.set("later_s", Document(worst.later_s));
  return out;
}

Document fault_document(const FaultCase& fault, bool by_packets) {
  Document one = Document::object();
  one.set("table", Document(std::string(name_of(fault.table))));
  one.set("what", Document(fault.what));
  one.set("example", Document(fault.example));
  one.set("count", Document(std::int64_t{fault.count}));
  one.set("lost_share", Document(fault.lost));
  one.set("capacity_left_share", Document(1 - fault.lost));
  if (fault.table == FaultTable::host) {
    one.set("gpus", Document(std::int64_t{fault.gpus}));
    one.set("batch", Document(std::int64_t{fault.batch}));
    one.set("against_s", Document(fault.against_s));
  }
  one.set("stops", Document(!fault.cut_off.empty()));
  one.set("why", Document(fault.cut_off));
  one.set("isolated_ranks", Document(std::int64_t{fault.isolated}));
  one.set("time_s", Document(fault.mean_s));
  one.set("least_s", Document(fault.draws.least));
  one.set("most_s", Document(fault.draws.most));
  one.set("slowdown", Document(fault.slowdown));
  one.set(by_packets ? "p99_message_s" : "p99_collective_s", Document(fault.p99_s));
  if (by_packets) {
    one.set("lost_packets", Document(static_cast<std::int64_t>(fault.lost_packets)));
    one.set("broken_queue_pairs", Document(static_cast<std::int64_t>(fault.broken)));
  }
  if (fault.worst) one.set("worst_rank", worst_document(*fault.worst));
  one.set("steady", Document(fault.is_steady));
  one.set("proportionate", Document(fault.is_proportionate));
  one.set("draws", draws_document(fault.drawn));
  one.set("command", Document(fault.command));
  return one;
}

Document class_document(const ElementClass& element) {
  Document one = Document::object();
  one.set("what", Document(element.what));
  one.set("tier", Document(element.tier));
  one.set("is_link", Document(element.is_link));
  one.set("count", Document(std::int64_t{element.count}));
  return one;
}

}  // namespace

Document faults_document(const Faults& faults) {
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-faults/1")));
  out.set("scenario", Document(faults.scenario));
  out.set("name", Document(faults.name));
  out.set("answer", Document(answer_text(faults)));
  out.set("manner", Document(manner_text(faults)));
  out.set("predictable", Document(degrades_predictably(faults)));
  out.set("ranks", Document(std::int64_t{faults.ranks}));
  out.set("batch", Document(std::int64_t{faults.batch}));
  Document& seeds = out.set("seeds", Document::array());
  for (const std::uint64_t seed : faults.seeds) seeds.push(Document(static_cast<std::int64_t>(seed)));
  out.set("whole_s", Document(faults.whole_s));
  out.set("whole_least_s", Document(faults.whole_draws.least));
  out.set("whole_most_s", Document(faults.whole_draws.most));
  out.set(faults.by_packets ? "whole_p99_message_s" : "whole_p99_collective_s", Document(faults.whole_p99_s));
  if (faults.by_packets) out.set("sudden_s", Document(faults.sudden_s));
  Document& classes = out.set("classes", Document::array());
  for (const ElementClass& element : faults.classes) classes.push(class_document(element));
  Document& cases = out.set("cases", Document::array());
  for (const FaultCase& fault : faults.cases) cases.push(fault_document(fault, faults.by_packets));
  return out;
}

}  // namespace railyard
