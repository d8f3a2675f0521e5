// Tables of what goes over the wire: primitives, patterns, bandwidth.
#include <fmt/format.h>

#include "tools/compare/figures.h"

namespace railyard {

namespace {

struct Primitive {
  const char *name, *title;
};
constexpr Primitive kPrimitives[] = {{"all_reduce", "all-reduce"},
                                     {"all_gather", "all-gather"},
                                     {"reduce_scatter", "reduce-scatter"},
                                     {"all_to_all", "all-to-all"},
                                     {"send", "point-to-point"}};

/// Row of a primitive among the volumes; empty where the results have none.
std::string volume_path(const ComparedRun& run, const char* primitive) {
  const std::string list = path_of_row(run, "patterns.volumes", "by", "primitive");
  return list.empty() ? "" : path_of_row(run, list + ".rows", "name", primitive);
}

FigureColumn share_column(const Primitive& p, const char* member, const char* formula) {
  return {p.name, p.title, Align::right, formula, [p, member](const ComparedRun& run) {
            const std::string row = volume_path(run, p.name);
            return row.empty() ? Figure{} : simulated(run, fmt::format("{}.{}", row, member), percent_text);
          }};
}

FigureTable primitives(const char* id, const char* title, const char* note, const char* member, const char* formula,
                       FigureColumn last) {
  FigureTable table{id, title, note, {}};
  for (const Primitive& p : kPrimitives) table.columns.push_back(share_column(p, member, formula));
  table.columns.push_back(std::move(last));
  return table;
}

/// A member of the flow sizes at one level.
FigureColumn elephants(const char* id, const char* title, const char* level) {
  return {id, title, Align::right, "bytes of flows above 100 MB over all bytes, of flows counted at this level",
          [level](const ComparedRun& run) {
            const std::string row = path_of_row(run, "patterns.flow_sizes", "level", level);
            return row.empty() ? Figure{} : simulated(run, row + ".elephants.bytes_share", percent_text);
          }};
}

/// A member of the burstiness of a place at one resolution.
std::string burst_path(const ComparedRun& run, const char* where, std::size_t resolution, const char* member) {
  const std::string row = path_of_row(run, "patterns.bursts", "where", where);
  return row.empty() ? "" : fmt::format("{}.resolutions[{}].{}", row, resolution, member);
}

constexpr std::size_t kMillisecond = 2;  // of 10 µs, 100 µs, 1 ms

FigureColumn burst(const char* id, const char* title, const char* where, const char* member, const char* formula,
                   std::string (*text)(double)) {
  return {id, title, Align::right, formula, [where, member, text](const ComparedRun& run) {
            return simulated(run, burst_path(run, where, kMillisecond, member), text);
          }};
}

std::string times_text(double ratio) { return fmt::format("{:.1f} ×", ratio); }

Figure effective_paths(const ComparedRun& run) {
  const std::optional<double> groups = number_at(run, "network.members[0].groups"),
                              members = number_at(run, "network.members[0].members"),
                              effective = number_at(run, "network.members[0].effective_paths");
  if (!groups || !members || !effective || *groups == 0) return {};
  return derived(fmt::format("{:.1f} of {:.0f}", *effective, *members / *groups), "network.members[0].effective_paths");
}

/// What all NICs send and, of that, a day.
Figure aggregate(const ComparedRun& run) {
  return simulated(run, burst_path(run, "fabric", kMillisecond, "peak_gbps"), rate_text);
}

Figure per_server(const ComparedRun& run) {
  const std::string path = burst_path(run, "NIC", kMillisecond, "peak_gbps");
  const std::optional<double> peak = path.empty() ? std::nullopt : number_at(run, path);
  const FabricPlan& plan = run.scenario.fabric;
  if (!peak) return {};
  return derived(rate_text(*peak * plan.interfaces_per_node), path);
}

Figure per_day(const ComparedRun& run) {
  const std::optional<double> step = number_at(run, "step_time_s"), ranks = number_at(run, "ranks");
  double sent = 0;
  const Document* const rows = run.results.at_path("traffic");
  if (!step || !ranks || !rows) return {};
  for (std::size_t i = 0; i < rows->items()->size(); i++)
    sent += number_at(run, fmt::format("traffic[{}].scale_out_bytes", i)).value_or(0);
  return derived(amount_text(sent * *ranks * 86'400 / *step), "traffic[].scale_out_bytes");
}

Figure per_step(const ComparedRun& run) {
  double sent = 0;
  const Document* const rows = run.results.at_path("traffic");
  if (!rows) return {};
  for (std::size_t i = 0; i < rows->items()->size(); i++)
    sent += number_at(run, fmt::format("traffic[{}].scale_out_bytes", i)).value_or(0);
  return derived(amount_text(sent), "traffic[].scale_out_bytes");
}

}  // namespace

FigureTable primitives_table_of_all() {
  return primitives(
      "primitives", "Primitives, share of all bytes that GPUs send",
      "Scale-up and network together. The documents give one figure: all-to-all up to 20 % of an iteration's traffic.", "share",
      "bytes of the primitive over all bytes a GPU sends in a step (patterns.volumes, by primitive)",
      said_column("all_to_all", "all-to-all said"));
}

FigureTable primitives_table_of_network() {
  return primitives(
      "primitives-network", "Primitives, share of bytes on the network", "Between servers alone.", "scale_out_share",
      "bytes of the primitive that leave the scale-up domain over all such bytes (patterns.volumes, by primitive)",
      {"per-step", "GPU and step", Align::right, "sum of what a GPU sends over the network in a step", per_step});
}

FigureTable patterns_table() {
  return {
      "patterns",
      "Traffic patterns",
      "Elephants: share of bytes in flows above 100 MB; the documents say about 80 %. It depends on what a flow is: one call "
      "of a "
      "collective at one GPU, what one queue pair carries of it, or all that two GPUs exchange in a step. Peak over mean and "
      "duty "
      "cycle: of the busiest NIC, in bins of 1 ms.",
      {elephants("elephants-call", "per call", "collective"),
       elephants("elephants-qp", "per QP", "queue pair"),
       elephants("elephants-pair", "per GPU pair", "pair of GPUs"),
       burst("peak-to-mean", "peak/mean", "NIC", "peak_to_mean", "largest over mean rate of a NIC in bins of 1 ms", times_text),
       burst("duty", "duty cycle", "NIC", "duty_cycle",
             "share of bins of 1 ms in which the NIC sends more than 1 % of its rate", percent_text),
       {"paths", "paths in effect", Align::right,
        "2^entropy of the loads of equal uplinks of a leaf, mean over leaves (docs/models.md, entropy)", effective_paths},
       path_column("idle", "idle paths", "network.members[0].idle", "share of equal uplinks of leaves that carry nothing",
                   percent_text)}};
}

FigureTable bandwidth_table() {
  return {"bandwidth",
          "Bandwidth",
          "Peaks: of the busiest NIC and of all NICs together, in bins of 1 ms. A server's peak is that of its NICs at once.",
          {said_column("link", "said per link"),
           path_column("rate", "NIC rate", "patterns.bursts[0].capacity_gbps", "line rate of a NIC", rate_text),
           burst("nic-mean", "NIC mean", "NIC", "mean_gbps", "bytes the busiest NIC sends over the step time", rate_text),
           burst("nic-peak", "NIC peak", "NIC", "peak_gbps", "largest rate of the busiest NIC in any bin of 1 ms", rate_text),
           {"server-peak", "server peak", Align::right, "peak of a NIC × NICs of a server", per_server},
           {"fabric-peak", "fabric peak", Align::right, "largest rate of all NICs together in any bin of 1 ms", aggregate},
           {"per-day", "in a day", Align::right, "network bytes of all GPUs in a step × 86,400 s / step time", per_day}}};
}

}  // namespace railyard
