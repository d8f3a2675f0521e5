#include "report/step_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity_text.h"
#include "base/schema.h"
#include "report/circuit_report.h"
#include "report/failure_report.h"
#include "report/figure_text.h"
#include "report/jitter_report.h"
#include "report/json_fields.h"
#include "report/network_report.h"
#include "report/packet_step_report.h"
#include "report/patterns_report.h"
#include "report/results_report.h"
#include "report/slice_report.h"

namespace railyard {

namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
double gib(Bytes bytes) { return static_cast<double>(bytes.count()) / kGiB; }

struct Part {
  const char* name;
  const char* key;
  double exposed, hidden;  // seconds
};
std::vector<Part> communication(const StepBreakdown& b) {
  return {{"tensor-parallel communication", "tensor", b.exposed.tensor, b.hidden.tensor},
          {"context-parallel communication", "context", b.exposed.context, b.hidden.context},
          {"expert-parallel communication", "expert", b.exposed.expert, b.hidden.expert},
          {"pipeline communication", "pipeline", b.exposed.pipeline, b.hidden.pipeline},
          {"data-parallel communication", "data", b.exposed.data, b.hidden.data}};
}

TextTable rates_table(const StepResults& s) {
  TextTable table{{"convention", "TFLOP/s per GPU", "of peak bf16", "what is counted"},
                  {Align::left, Align::right, Align::right, Align::left},
                  {}};
  const auto row = [&](const char* name, double tflops, double share, const char* what) {
    table.rows.push_back({name, fmt::format("{:.1f}", tflops), percent(share), what});
  };
  row("model, causal", s.tflops_per_gpu.causal, s.mfu.causal,
      "6 per parameter a token meets (not the input embedding), attention over the visible half");
  row("model, full", s.tflops_per_gpu.full, s.mfu.full, "the same, attention over the whole square");
  row("hardware", s.tflops_per_gpu.hardware, s.mfu.hardware, "what was computed, recomputation included");
  return table;
}

constexpr JsonField<FlopsConventions> kConventionFields[] = {
    json_field<&FlopsConventions::causal>("causal"),
    json_field<&FlopsConventions::full>("full"),
    json_field<&FlopsConventions::hardware>("hardware"),
};
Document conventions(const FlopsConventions& c) { return object_of(c, kConventionFields); }

/// The parts over the step; communication together.
Document shares_document(const StepBreakdown& b, double step_s) {
  Document out = Document::object();
  double exposed = 0, hidden = 0;
  for (const Part& part : communication(b)) exposed += part.exposed, hidden += part.hidden;
  const std::pair<const char*, double> parts[] = {{"compute", b.compute}, {"contention", b.contention}, {"exposed", exposed},
                                                  {"bubble", b.bubble},   {"optimizer", b.optimizer},   {"host", b.host},
                                                  {"hidden", hidden}};
  for (const auto& [name, seconds] : parts) out.set(name, Document(step_s > 0 ? seconds / step_s : 0.0));
  return out;
}

Document breakdown_document(const StepBreakdown& b, double step_s) {
  Document out = Document::object();
  out.set("compute_s", Document(b.compute));
  out.set("contention_s", Document(b.contention));
  out.set("bubble_s", Document(b.bubble));
  out.set("optimizer_s", Document(b.optimizer));
  out.set("host_s", Document(b.host));
  Document exposed = Document::object(), hidden = Document::object();
  for (const Part& part : communication(b)) {
    exposed.set(part.key, Document(part.exposed));
    hidden.set(part.key, Document(part.hidden));
  }
  out.set("exposed_s", std::move(exposed));
  out.set("hidden_s", std::move(hidden));
  out.set("shares", shares_document(b, step_s));
  return out;
}

Document memory_document(const StageRow& stage) {
  Document out = Document::object();
  out.set("stage", Document(std::int64_t{stage.stage}));
  out.set("total", Document(gib(stage.memory.total())));
  out.set("weights", Document(gib(stage.memory.weights)));
  out.set("gradients", Document(gib(stage.memory.gradients)));
  out.set("optimizer", Document(gib(stage.memory.optimizer)));
  out.set("activations", Document(gib(stage.memory.activations)));
  out.set("buffers", Document(gib(stage.memory.buffers)));
  out.set("in_flight", Document(std::int64_t{stage.memory.in_flight}));
  return out;
}

Document stages_document(const std::vector<StageRow>& rows) {
  Document out = Document::array();
  for (const StageRow& row : rows) {
    Document& item = out.push(Document::object());
    item.set("layers", Document(row.layers));
    item.set("parameters", Document(row.parameters));
    item.set("memory_gib", Document(gib(row.memory.total())));
    item.set("in_flight", Document(std::int64_t{row.memory.in_flight}));
    item.set("compute_s", Document(row.compute));
    item.set("exposed_s", Document(row.exposed));
    item.set("bubble_s", Document(row.bubble));
    item.set("forward_s", Document(row.passes.forward));
    item.set("backward_s", Document(row.passes.backward));
    item.set("input_gradient_s", Document(row.passes.input_gradient));
    item.set("weight_gradient_s", Document(row.passes.weight_gradient));
    item.set("interleaved_s", Document(row.passes.interleaved));
  }
  return out;
}

constexpr JsonField<TrafficRow> kTrafficRowFields[] = {
    json_field<&TrafficRow::phase>("phase"),
    json_field<&TrafficRow::name>("name"),
    json_field<&TrafficRow::group>("group"),
    json_field<&TrafficRow::primitive>("primitive"),
    json_field<&TrafficRow::ranks>("ranks"),
    json_field<&TrafficRow::calls>("calls"),
    json_field<&TrafficRow::size>("size"),
    json_field<&TrafficRow::sent>("sent_bytes"),
    json_field<&TrafficRow::scale_out>("scale_out_bytes"),
    json_field<&TrafficRow::time, microseconds>("call_us"),
};

constexpr JsonField<GroupRow> kGroupFields[] = {
    json_field<&GroupRow::kind>("kind"),
    json_field<&GroupRow::ranks>("ranks"),
    json_field<&GroupRow::stride>("stride"),
    json_field<&GroupRow::groups>("groups"),
    json_field<&GroupRow::per_domain>("per_domain"),
};

constexpr JsonField<ReachFloor> kFloorFields[] = {
    json_field<&ReachFloor::nic>("nic_s"),
    json_field<&ReachFloor::leaf_up>("leaf_up_s"),
    json_field<&ReachFloor::pod_up>("pod_up_s"),
};

constexpr JsonField<ReachRow> kReachFields[] = {
    json_field<&ReachRow::group>("group"),         json_field<&ReachRow::sent>("sent_bytes"),
    json_field<&ReachRow::domain>("domain_bytes"), json_field<&ReachRow::leaf>("leaf_bytes"),
    json_field<&ReachRow::pod>("pod_bytes"),       json_field<&ReachRow::across>("across_bytes"),
};

TextTable reach_table(const StepResults& step) {
  TextTable table{{"group", "sent", "in domain", "under a leaf", "in a pod", "across pods"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  const auto cell = [](double bytes) { return bytes < 0.5 ? std::string("–") : mean_bytes(bytes); };
  for (const ReachRow& row : step.reach)
    table.rows.push_back({row.group, cell(row.sent), cell(row.domain), cell(row.leaf), cell(row.pod), cell(row.across)});
  return table;
}

/// What the bytes ask of each tier, whatever the engine makes of them.
std::string reach_sentence(const StepResults& s) {
  std::string text = "Bytes per step of the mean GPU on this fabric and placement; a fabric of two tiers is one pod.";
  const auto time = [](double seconds_needed) { return format(from_seconds(seconds_needed)); };
  if (s.reach_floor.nic > 0)
    text += fmt::format(" At line rate and perfectly spread they keep NICs busy for {}", time(s.reach_floor.nic));
  if (s.reach_floor.leaf_up > 0) text += fmt::format(", leaf uplinks for {}", time(s.reach_floor.leaf_up));
  if (s.reach_floor.pod_up > 0) text += fmt::format(", links between pods for {}", time(s.reach_floor.pod_up));
  return s.reach_floor.nic > 0 ? text + fmt::format(" of the step's {}.", time(s.step_time_s)) : text;
}

/// "70.6 billion".
std::string large_number_text(double number) {
  static constexpr std::pair<double, const char*> kNames[] = {{1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}};
  for (const auto& [scale, name] : kNames)
    if (number >= scale) return fmt::format("{:.3g} {}", number / scale, name);
  return format_count(static_cast<std::uint64_t>(number));
}

}  // namespace

std::string mean_bytes(double bytes) { return format(Bytes(static_cast<std::int64_t>(bytes + 0.5))); }

TextTable traffic_table(const StepResults& step) {
  TextTable table{{"phase", "what", "group", "calls", "buffer", "sent per GPU", "scale-out"},
                  {Align::left, Align::left, Align::left, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const TrafficRow& row : step.traffic)
    table.rows.push_back({row.phase, row.name, row.group, fmt::format("{:.4g}", row.calls), format(row.size),
                          mean_bytes(row.sent), row.scale_out == 0 ? "–" : mean_bytes(row.scale_out)});
  return table;
}

TextTable primitives_table(const StepResults& step) {
  TextTable table{{"phase", "what", "group", "ranks", "primitive", "calls", "buffer", "idle time", "sent per GPU", "scale-out"},
                  {Align::left, Align::left, Align::left, Align::right, Align::left, Align::right, Align::right, Align::right,
                   Align::right, Align::right},
                  {}};
  for (const TrafficRow& row : step.traffic)
    table.rows.push_back({row.phase, row.name, row.group, std::to_string(row.ranks), row.primitive,
                          fmt::format("{:.4g}", row.calls), format(row.size), format(row.time), mean_bytes(row.sent),
                          row.scale_out == 0 ? "–" : mean_bytes(row.scale_out)});
  return table;
}

TextTable groups_table(const StepResults& step) {
  TextTable table{{"group", "ranks", "stride", "groups", "per domain", "runs over", "group of rank 0"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const GroupRow& row : step.groups) {
    std::vector<std::string> ranks;
    for (const std::uint32_t rank : row.example) ranks.push_back(std::to_string(rank));
    const std::string where = row.ranks == 1                ? "–"
                              : row.per_domain >= row.ranks ? "scale-up"
                              : row.per_domain == 1         ? "scale-out"
                                                            : "both";
    table.rows.push_back({row.kind, format_count(row.ranks), format_count(row.stride), format_count(row.groups),
                          std::to_string(row.per_domain), where,
                          schema::join(ranks, ", ") + (row.ranks > row.example.size() ? ", …" : "")});
  }
  return table;
}

TextTable memory_table(const StepResults& step) {
  TextTable table{{"stage", "layers", "weights", "gradients", "optimizer", "passes", "kept", "buffers", "total"},
                  std::vector<Align>(9, Align::right),
                  {}};
  const auto add = [&](const StageRow& row) {
    const auto number = [](Bytes bytes) { return fmt::format("{:.2f}", gib(bytes)); };
    table.rows.push_back({std::to_string(row.stage), row.layers, number(row.memory.weights), number(row.memory.gradients),
                          number(row.memory.optimizer), std::to_string(row.memory.in_flight), number(row.memory.activations),
                          number(row.memory.buffers), number(row.memory.total())});
  };
  constexpr std::size_t kMost = 4;
  if (step.stages.size() <= kMost) {
    for (const StageRow& row : step.stages) add(row);
    return table;
  }
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}, step.stages.size() - 1}) add(step.stages[i]);
  return table;
}

TextTable breakdown_table(const StepResults& s) {
  TextTable table{{"where the time goes", "mean stage", "of the step", "beside compute"},
                  {Align::left, Align::right, Align::right, Align::right},
                  {}};
  const auto add = [&](const char* name, double part, double hidden) {
    if (part > 0 || hidden > 0)
      table.rows.push_back(
          {name, time_text(part), percent(part / s.step_time_s), hidden > 0 ? "and " + time_text(hidden) : ""});
  };
  add("compute", s.breakdown.compute, 0);
  add("compute slowed by communication", s.breakdown.contention, 0);
  for (const Part& part : communication(s.breakdown)) add(part.name, part.exposed, part.hidden);
  add("waiting for other stages", s.breakdown.bubble, 0);
  add("optimizer", s.breakdown.optimizer, 0);
  add("host", s.breakdown.host, 0);
  return table;
}

/// The bubble that the answer names is not all of the waiting in the table.
std::string bubble_sentence(const StepResults& s) {
  constexpr double kTheSame = 0.0005;
  if (s.breakdown.bubble <= 0 || std::abs(s.breakdown.bubble - s.cost.bubble) < kTheSame * s.step_time_s) return {};
  return fmt::format(
      "Waiting for other stages is {} than the pipeline's own bubble, which the answer counts: {} ({} of the step) would be "
      "left if communication took no time.",
      s.breakdown.bubble > s.cost.bubble ? "more" : "less", time_text(s.cost.bubble), percent(s.cost.bubble / s.step_time_s));
}

Report step_report(const Results& results) {
  const StepResults& s = *results.step;
  Report report{results.name, {}};
  const std::string dropped =
      s.dropped_share > 0
          ? fmt::format(" {} of the tokens' copies find their expert full and are dropped.", percent(s.dropped_share))
          : "";
  report.sections.push_back(
      {"",
       {fmt::format("One step of {} parameters on {} GPUs: {}, {:.0f} tokens/s per GPU. {} tokens; micro-batches per "
                    "pipeline: {}.{}",
                    large_number_text(s.parameters), format_count(results.ranks), time_text(s.step_time_s),
                    s.tokens_per_s_per_gpu, format_count(s.tokens), s.micro_batches, dropped) +
            failures_sentence(results.failures),
        results.packets ? std::string("Every packet of every collective between scale-up domains was simulated: queues, marks, "
                                      "pauses and what senders make of them.")
        : results.network ? mode_sentence(*results.network, s.step_time_s)
                          : std::string("Collectives are timed in closed form on an idle network: congestion, collisions and "
                                        "oversubscription are not part of this engine.")}});
  report.sections.push_back({"Rates", {rates_table(s)}});
  report.sections.push_back({"Time", {breakdown_table(s)}});
  if (std::string sentence = bubble_sentence(s); !sentence.empty())
    report.sections.back().blocks.emplace_back(std::move(sentence));
  if (results.jitter) report.sections.push_back(jitter_section(*results.jitter));
  if (results.circuits) report.sections.push_back(circuit_section(*results.circuits, s.step_time_s));
  if (results.network)
    for (Report::Section& section : network_sections(*results.network)) report.sections.push_back(std::move(section));
  if (!results.lost_links.empty()) report.sections.push_back(lost_links_section(results.lost_links));
  if (results.packets)
    for (Report::Section& section : packet_step_sections(*results.packets)) report.sections.push_back(std::move(section));
  if (results.slice)
    for (Report::Section& section : slice_sections(*results.slice)) report.sections.push_back(std::move(section));
  const double share = static_cast<double>(s.fullest.memory.total().count()) / static_cast<double>(s.memory.count());
  report.sections.push_back(
      {"Memory",
       {fmt::format("Stage {} needs most: {} of {} ({}).", s.fullest.stage, format(s.fullest.memory.total()), format(s.memory),
                    percent(share)),
        memory_table(s), std::string("In GiB. Kept: activations of so many passes at once, from forward to backward.")}});
  report.sections.push_back({"Groups", {groups_table(s)}});
  report.sections.push_back({"Traffic per step",
                             {traffic_table(s), std::string("Buffer: of one call at the stage where it is largest (gradients "
                                                            "and parameters then travel in buckets). Calls and bytes: of "
                                                            "the mean GPU.")}});
  for (Report::Section& section : patterns_sections(results.patterns)) report.sections.push_back(std::move(section));
  if (!s.reach.empty()) report.sections.push_back({"How far it goes", {reach_table(s), reach_sentence(s)}});
  report.sections.push_back(
      {"What this rests on", {inputs_table(results.inputs, false), std::string("railyard explain shows sources in full.")}});
  if (!results.diagnostics.empty()) report.sections.push_back({"Findings", {results.diagnostics}});
  report.sections.push_back({"", {"fingerprint " + results.fingerprint}});
  return report;
}

void add_step(const StepResults& s, Document& out) {
  out.set("step_time_s", Document(s.step_time_s));
  out.set("tokens_per_s_per_gpu", Document(s.tokens_per_s_per_gpu));
  out.set("tflops_per_gpu", conventions(s.tflops_per_gpu));
  out.set("mfu", conventions(s.mfu));
  out.set("parameters", Document(s.parameters));
  out.set("tokens", Document(static_cast<std::int64_t>(s.tokens)));
  out.set("micro_batches", Document(std::int64_t{s.micro_batches}));
  out.set("routing_imbalance", Document(s.routing_imbalance));
  out.set("dropped_share", Document(s.dropped_share));
  out.set("breakdown", breakdown_document(s.breakdown, s.step_time_s));
  out.set("after_passes_s", Document(s.after_passes_s));
  out.set("memory_gib", memory_document(s.fullest));
  out.set("stages", stages_document(s.stages));
  out.set("traffic", list_of(s.traffic, kTrafficRowFields));
  out.set("reach", list_of(s.reach, kReachFields));
  out.set("reach_floor", object_of(s.reach_floor, kFloorFields));
  out.set("groups", list_of(s.groups, kGroupFields));
}

}  // namespace railyard
