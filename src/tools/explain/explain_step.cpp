#include "tools/explain/explain_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/quantity_text.h"
#include "base/schema.h"
#include "report/step_report.h"
#include "workload/expand.h"

namespace railyard {

namespace {

std::string billions(std::int64_t parameters) { return fmt::format("{:.4g} G", static_cast<double>(parameters) / 1e9); }

Report::Section model_section(const Step& step) {
  const ModelPlan& m = step.model;
  TextTable table{
      {"component", "count", "parameters each", "parameters"}, {Align::left, Align::right, Align::right, Align::right}, {}};
  const auto add = [&](const char* name, std::int64_t count, std::int64_t each) {
    if (count > 0 && each > 0) table.rows.push_back({name, std::to_string(count), billions(each), billions(count * each)});
  };
  add("embedding", m.tied_embeddings ? 1 : 2, embedding_parameters(m));
  add("attention", m.layers, attention_parameters(m));
  add("dense MLP", m.dense_layers, mlp_parameters(m, m.ffn));
  add("routed experts", (m.layers - m.dense_layers) * std::int64_t{m.experts}, mlp_parameters(m, m.expert_ffn));
  add("shared experts", (m.layers - m.dense_layers) * std::int64_t{m.shared_experts}, mlp_parameters(m, m.expert_ffn));
  add("further tokens", m.mtp_layers, m.mtp_layers == 0 ? 0 : mtp_parameters(m) / m.mtp_layers);
  add("encoder", m.encoder.layers > 0 ? 1 : 0, encoder_parameters(m));
  const std::string flops = fmt::format(
      "{:.4g} parameters. Per token, forward and backward: {:.4g} FLOP in products with weights, {:.4g} in attention (half of "
      "it "
      "visible to a causal model).",
      static_cast<double>(total_parameters(m)), step.flops.products, step.flops.attention_full);
  return {"1. model: what is trained", {flops, table}};
}

Report::Section layout_section(const StepRun& run, const StepResults& results) {
  const Layout& l = run.step.layout;
  return {"2. layout: who works with whom",
          {fmt::format("{} ranks = tensor {} × context {} × data {} × pipeline {}{}. Rank = {}. A scale-up domain is {} ranks.",
                       format_count(l.ranks()), l.tensor, l.context, l.data, l.pipeline,
                       run.step.model.experts == 0
                           ? ""
                           : fmt::format("; expert {} × expert tensor {} inside a stage", l.expert, l.expert_tensor),
                       l.order == RankOrder::data_inside ? "tensor + T (context + C (data + D pipeline))"
                                                         : "tensor + T (context + C (pipeline + P data))",
                       l.domain),
           groups_table(results)}};
}

/// One line per op of a block, forward and backward side by side.
TextTable ops_table(const StepRun& run, const std::vector<Op>& ops) {
  TextTable table{{"op", "kind", "time", "GFLOP", "TFLOP/s", "buffer", "group", "beside"},
                  {Align::left, Align::left, Align::right, Align::right, Align::right, Align::right},
                  {}};
  static constexpr std::string_view kKinds[] = {"product", "attention", "memory"};
  static constexpr std::string_view kBeside[] = {"",          "next product",  "weights", "next, in pieces",
                                                 "the block", "shared experts"};
  for (const Op& op : ops) {
    if (op.kind == OpKind::collective) {
      if (op.group.size == 1) continue;
      const Picoseconds time = collective_time(op, run.links);
      table.rows.push_back({std::string(op.name), std::string(name_of(op.collective)), format(time), "", "", format(op.size),
                            std::string(name_of(op.group.kind)), std::string(kBeside[static_cast<std::size_t>(op.beside)])});
      continue;
    }
    const bool counts = op.flops > 0;
    table.rows.push_back({std::string(op.name) + (op.weight ? ", weights" : ""),
                          std::string(kKinds[static_cast<std::size_t>(op.kind)]), format(op.time),
                          counts ? fmt::format("{:.4g}", op.flops / 1e9) : "",
                          counts ? fmt::format("{:.0f}", op.flops / seconds(op.time) / 1e12) : "", "", "", ""});
  }
  return table;
}

/// The part most stages hold.
const VirtualStageWork& usual_virtual_stage(const Step& step) {
  std::vector<std::uint32_t> uses(step.works.size(), 0);
  for (const auto& chunks : step.work_of)
    for (const std::uint32_t work : chunks) uses[work]++;
  return step.works[static_cast<std::size_t>(std::max_element(uses.begin(), uses.end()) - uses.begin())];
}

Report::Section ops_section(const StepRun& run) {
  const VirtualStageWork& virtual_stage = usual_virtual_stage(run.step);
  Report::Section section{"3. blocks: what a rank does for one micro-batch", {}};
  const auto largest = [](const std::vector<Segment>& segments) {
    return std::max_element(segments.begin(), segments.end(),
                            [](const Segment& a, const Segment& b) { return a.ops.size() < b.ops.size(); });
  };
  const auto show = [&](const char* direction, const std::vector<Segment>& segments) {
    const auto segment = largest(segments);
    if (segment == segments.end()) return;
    section.blocks.push_back(fmt::format("{}, {}:", segment->name, direction));
    section.blocks.push_back(ops_table(run, segment->ops));
  };
  show("forward", virtual_stage.forward);
  show("backward", virtual_stage.backward);
  return section;
}

Report::Section virtual_stages_section(const StepRun& run) {
  const Step& step = run.step;
  TextTable table{
      {"virtual stage", "copies", "forward", "backward", "compute", "rest", "kept each", "blocks"},
      {Align::right, Align::right, Align::left, Align::right, Align::right, Align::right, Align::right, Align::right},
      {}};
  for (std::uint32_t i = 0; i < step.works.size(); i++) {
    const VirtualStageWork& work = step.works[i];
    std::size_t seats = 0;
    for (const auto& chunks : step.work_of) seats += static_cast<std::size_t>(std::count(chunks.begin(), chunks.end(), i));
    std::vector<std::string> blocks;
    for (const Segment& segment : work.forward)
      blocks.push_back(segment.repeats > 1 ? fmt::format("{} {}s", segment.repeats, segment.name) : std::string(segment.name));
    const PassCost forward = idle_cost(work, PassKind::forward, run.links);
    const PassCost backward = idle_cost(work, PassKind::backward, run.links);
    table.rows.push_back({std::string(1, static_cast<char>('A' + i % 26)), std::to_string(seats), format(forward.time),
                          format(backward.time), format(forward.compute + backward.compute),
                          format(forward.time + backward.time - forward.compute - backward.compute), format(work.kept),
                          schema::join(blocks, ", ")});
  }
  return {
      "4. virtual stages: what pipeline stages hold",
      {fmt::format(
           "Stages: {}, chunks of each: {}, schedule: {}, micro-batches: {}. The activations of a virtual stage, {} per rank, "
           "go to the next. Rest is "
           "communication that compute does not cover.",
           step.pipeline.stages, step.pipeline.chunks, name_of(step.pipeline.schedule), step.pipeline.micro_batches,
           format(step.boundary)),
       table}};
}

/// One character per slice of time: what the stage does in most of it, 'x' where it does several things.
std::string timeline(const std::vector<PassTime>& passes, Picoseconds span, std::size_t width) {
  constexpr char kLetters[] = {'F', 'B', 'b', 'w'};
  std::vector<std::array<double, std::size(kLetters)>> busy(width);  // share of every slice, by kind of pass
  const double slice = seconds(span) / static_cast<double>(width);
  for (const PassTime& pass : passes) {
    const double start = seconds(pass.start) / slice, end = seconds(pass.end) / slice;
    for (auto i = static_cast<std::size_t>(start); i < width && static_cast<double>(i) < end; i++)
      busy[i][static_cast<std::size_t>(pass.slot.kind)] +=
          std::min(end, static_cast<double>(i) + 1) - std::max(start, static_cast<double>(i));
  }
  std::string line(width, '.');
  for (std::size_t i = 0; i < width; i++) {
    const auto most = std::max_element(busy[i].begin(), busy[i].end());
    const double all = std::accumulate(busy[i].begin(), busy[i].end(), 0.0);
    if (all >= 0.5) line[i] = *most >= 0.75 * all ? kLetters[most - busy[i].begin()] : 'x';
  }
  return line;
}

Report::Section timeline_section(const StepRun& run) {
  constexpr std::size_t kWidth = 64;
  constexpr std::uint32_t kMost = 8;
  const std::uint32_t stages = run.step.pipeline.stages;
  TextTable whole{{"stage", "the whole step"}, {Align::right, Align::left}, {}};
  const std::uint32_t every = std::max(1U, (stages + kMost - 1) / kMost);
  for (std::uint32_t stage = 0; stage < stages; stage++)
    if (stage % every == 0 || stage + 1 == stages)
      whole.rows.push_back({std::to_string(stage), timeline(run.passes[stage], run.time, kWidth)});
  TextTable first{{"pass", "micro-batch", "chunk", "start", "end"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right},
                  {}};
  static constexpr std::string_view kNames[] = {"forward", "backward", "input gradient", "weight gradient"};
  const std::uint32_t shown = stages / 2;
  constexpr std::size_t kPasses = 8;
  const std::vector<PassTime>& passes = run.passes[shown];
  for (std::size_t i = 0; i < passes.size(); i++) {
    if (i >= kPasses / 2 && i + kPasses / 2 < passes.size()) continue;
    const PassTime& pass = passes[i];
    first.rows.push_back({std::string(kNames[static_cast<std::size_t>(pass.slot.kind)]) + (pass.slot.with_next ? " with" : ""),
                          std::to_string(pass.slot.micro_batch_index), std::to_string(pass.slot.chunk), format(pass.start),
                          format(pass.end)});
  }
  return {"5. timeline: when it happens",
          {fmt::format(
               "F forward, B backward, b gradients of inputs, w of weights, x several of them, . mostly waiting; {} across.",
               format(run.time)),
           whole, fmt::format("Stage {}: the first and the last of its {} passes.", shown, passes.size()), first}};
}

std::string peers_text(const std::vector<std::uint32_t>& peers) {
  constexpr std::size_t kShown = 4;
  std::vector<std::string> some;
  for (std::size_t i = 0; i < std::min(peers.size(), kShown); i++) some.push_back(std::to_string(peers[i]));
  return schema::join(some, ", ") + (peers.size() > kShown ? fmt::format(", … ({})", peers.size()) : "");
}

std::vector<std::string> rank_row(const StepRun& run, std::uint32_t stage, const RankOp& op) {
  static constexpr std::string_view kPasses[] = {"forward", "backward", "input gradient", "weight gradient"};
  const std::string pass = !op.in_pass ? std::string("once per step")
                                       : fmt::format("{} {}/{}", kPasses[static_cast<std::size_t>(op.slot.kind)],
                                                     op.slot.micro_batch_index, op.slot.chunk);
  const auto row = [&](std::string what, Picoseconds time, std::string with) {
    return std::vector<std::string>{
        pass,           std::string(op.name), std::move(what), format(time), op.size == Bytes::zero() ? "" : format(op.size),
        std::move(with)};
  };
  const auto message = [&] {
    return boundary_time(op.size, run.step.layout.crosses(stage, run.step.layout.position(op.peers.front()).pipeline),
                         run.links);
  };
  switch (op.kind) {
    case RankOpKind::compute:
      return row("compute", op.time, "");
    case RankOpKind::send:
      return row("send", message(), "to " + peers_text(op.peers));
    case RankOpKind::receive:
      return row("receive", message(), "from " + peers_text(op.peers));
    case RankOpKind::collective:
      break;
  }
  return row(std::string(name_of(op.collective)), collective_time(op.op, run.links), peers_text(op.peers));
}

}  // namespace

std::vector<Report::Section> rank_sections(const StepRun& run, std::uint32_t rank) {
  constexpr std::size_t kShown = 40;  // at the beginning, and at the end
  const Step& step = run.step;
  const Position at = step.layout.position(rank);
  const std::vector<RankOp> ops = expand_rank(step, rank);
  TextTable table{{"pass, micro-batch/chunk", "op", "what", "time", "size", "ranks"},
                  {Align::left, Align::left, Align::left, Align::right, Align::right, Align::left},
                  {}};
  const std::size_t left_out = ops.size() > 2 * kShown ? ops.size() - 2 * kShown : 0;
  for (std::size_t i = 0; i < ops.size(); i++) {
    if (left_out > 0 && i == kShown)
      table.rows.push_back({"…", fmt::format("{} more", format_count(left_out)), "", "", "", ""});
    if (left_out == 0 || i < kShown || i >= kShown + left_out) table.rows.push_back(rank_row(run, at.pipeline, ops[i]));
  }
  Report::Section section{
      fmt::format("rank {}: tensor {}, context {}, data {}, stage {}", rank, at.tensor, at.context, at.data, at.pipeline),
      {table}};
  return {section};
}

std::vector<Report::Section> explain_step(const StepRun& run, const StepResults& results) {
  return {model_section(run.step),
          layout_section(run, results),
          ops_section(run),
          virtual_stages_section(run),
          timeline_section(run),
          {"6. memory: what has to fit", {memory_table(results)}},
          {"7. traffic: what is sent", {primitives_table(results)}},
          {"8. analysis: what it means", {breakdown_table(results)}}};
}

}  // namespace railyard
