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

/// Bytes of a primitive over those of all, of what a row or all rows have.
using VolumeShare = double (*)(const Volumes&, const VolumeRow&);
double share_of_all(const Volumes& v, const VolumeRow& row) { return v.bytes() > 0 ? row.bytes / v.bytes() : 0; }
double share_of_network(const Volumes& v, const VolumeRow& row) {
  return v.scale_out() > 0 ? row.scale_out / v.scale_out() : 0;
}

FigureColumn share_column(const Primitive& p, const char* member, VolumeShare share, const char* formula) {
  return {p.name, p.title, Align::right, formula, [p, member, share](const ComparedRun& run) {
            const std::vector<Volumes>& all = run.analysed.patterns.volumes;
            const std::optional<std::size_t> by = row_named(all, &Volumes::by, "primitive");
            const std::optional<std::size_t> row = by ? row_named(all[*by].rows, &VolumeRow::name, p.name) : std::nullopt;
            if (!row) return Figure{};
            return simulated(run, fmt::format("patterns.volumes[{}].rows[{}].{}", *by, *row, member),
                             share(all[*by], all[*by].rows[*row]), percent_text);
          }};
}

FigureTable primitives(const char* id, const char* title, const char* note, const char* member, VolumeShare share,
                       const char* formula, FigureColumn last) {
  FigureTable table{id, title, note, {}};
  for (const Primitive& p : kPrimitives) table.columns.push_back(share_column(p, member, share, formula));
  table.columns.push_back(std::move(last));
  return table;
}

/// A member of the flow sizes at one level.
FigureColumn elephants(const char* id, const char* title, const char* level) {
  return {id, title, Align::right, "bytes of flows above 100 MB over all bytes, of flows counted at this level",
          [level](const ComparedRun& run) {
            const std::vector<FlowSizes>& sizes = run.analysed.patterns.flow_sizes;
            const std::optional<std::size_t> row = row_named(sizes, &FlowSizes::level, level);
            if (!row) return Figure{};
            return simulated(run, fmt::format("patterns.flow_sizes[{}].elephants.bytes_share", *row),
                             sizes[*row].elephants.bytes, percent_text);
          }};
}

constexpr std::size_t kMillisecond = 2;  // of 10 µs, 100 µs, 1 ms

/// A member of the burstiness of a place in bins of a millisecond.
struct BurstNumber {
  const char* name;
  double Burstiness::*member;
};
constexpr BurstNumber kMeanRate{"mean_gbps", &Burstiness::mean_gbps}, kPeakRate{"peak_gbps", &Burstiness::peak_gbps},
    kPeakToMean{"peak_to_mean", &Burstiness::peak_to_mean}, kDutyCycle{"duty_cycle", &Burstiness::duty_cycle};

Figure burst_of(const ComparedRun& run, const char* where, const BurstNumber& number,
                const std::function<std::string(double)>& text) {
  const std::vector<PointPattern>& points = run.analysed.patterns.points;
  const std::optional<std::size_t> row = row_named(points, &PointPattern::where, where);
  if (!row || points[*row].resolutions.size() <= kMillisecond) return {};
  return simulated(run, fmt::format("patterns.bursts[{}].resolutions[{}].{}", *row, kMillisecond, number.name),
                   points[*row].resolutions[kMillisecond].*number.member, text);
}

FigureColumn burst(const char* id, const char* title, const char* where, const BurstNumber& number, const char* formula,
                   std::string (*text)(double)) {
  return {id, title, Align::right, formula,
          [where, number, text](const ComparedRun& run) { return burst_of(run, where, number, text); }};
}

std::string times_text(double ratio) { return fmt::format("{:.1f} ×", ratio); }

/// Of the lowest tier in which switches choose; none where equal paths share perfectly.
const MemberLoads* first_members(const Results& results) {
  return results.network && !results.network->members.empty() ? &results.network->members.front() : nullptr;
}

Figure effective_paths(const ComparedRun& run) {
  const MemberLoads* const m = first_members(run.analysed);
  if (!m || m->groups == 0) return {};
  return simulated(run, "network.members[0].effective_paths", m->effective, [m](double effective) {
    return fmt::format("{:.1f} of {:.0f}", effective, static_cast<double>(m->members) / m->groups);
  });
}

std::optional<double> idle_paths(const Results& results) {
  const MemberLoads* const m = first_members(results);
  return m ? std::optional<double>(m->idle) : std::nullopt;
}

std::optional<double> nic_rate(const Results& results) {
  const std::vector<PointPattern>& points = results.patterns.points;
  return points.empty() ? std::nullopt : std::optional<double>(points.front().capacity_gbps);
}

/// What all NICs send and, of that, a day.
Figure aggregate(const ComparedRun& run) { return burst_of(run, "fabric", kPeakRate, rate_text); }

Figure per_server(const ComparedRun& run) {
  return burst_of(run, "NIC", kPeakRate,
                  [&](double peak) { return rate_text(peak * run.scenario.fabric.interfaces_per_node); });
}

/// Bytes that a GPU sends over the network in a step.
double sent_in_a_step(const ComparedRun& run) {
  double sent = 0;
  for (std::size_t i = 0; i < step_of(run).traffic.size(); i++)
    sent += number_at(run.results, fmt::format("traffic[{}].scale_out_bytes", i), step_of(run).traffic[i].scale_out);
  return sent;
}

Figure per_day(const ComparedRun& run) {
  return derived(amount_text(sent_in_a_step(run) * run.analysed.ranks * 86'400 / step_of(run).step_time_s),
                 "traffic[].scale_out_bytes");
}

Figure per_step(const ComparedRun& run) { return derived(amount_text(sent_in_a_step(run)), "traffic[].scale_out_bytes"); }

}  // namespace

FigureTable primitives_table_of_all() {
  return primitives("primitives", "Primitives, share of all bytes that GPUs send",
                    "Scale-up and network together. The documents of docs/claims.md give one figure: all-to-all up to 20 % of "
                    "an iteration's traffic.",
                    "share", share_of_all,
                    "bytes of the primitive over all bytes a GPU sends in a step (patterns.volumes, by primitive)",
                    claimed_column("all_to_all", "all-to-all claimed"));
}

FigureTable primitives_table_of_network() {
  return primitives(
      "primitives-network", "Primitives, share of bytes on the network", "Between servers alone. Sent per GPU: in a step.",
      "scale_out_share", share_of_network,
      "bytes of the primitive that leave the scale-up domain over all such bytes (patterns.volumes, by primitive)",
      {"per-step", "sent per GPU", Align::right, "sum of what a GPU sends over the network in a step", per_step});
}

FigureTable patterns_table() {
  return {
      "patterns",
      "Traffic patterns",
      "Elephants: share of bytes in flows above 100 MB; the documents of docs/claims.md say about 80 %. It depends on what a "
      "flow is: one call "
      "of a "
      "collective at one GPU, what one queue pair carries of it, or all that two GPUs exchange in a step. Peak over mean and "
      "duty "
      "cycle: of the busiest NIC, in bins of 1 ms.",
      {elephants("elephants-call", "per call", "collective"),
       elephants("elephants-qp", "per QP", "queue pair"),
       elephants("elephants-pair", "per GPU pair", "pair of GPUs"),
       burst("peak-to-mean", "peak/mean", "NIC", kPeakToMean, "largest over mean rate of a NIC in bins of 1 ms", times_text),
       burst("duty", "duty cycle", "NIC", kDutyCycle, "share of bins of 1 ms in which the NIC sends more than 1 % of its rate",
             percent_text),
       {"paths", "paths in effect", Align::right,
        "2^entropy of the loads of equal uplinks of a leaf, mean over leaves (docs/models.md, entropy)", effective_paths},
       path_column("idle", "idle paths", "network.members[0].idle", idle_paths,
                   "share of equal uplinks of leaves that carry nothing", percent_text)}};
}

FigureTable bandwidth_table() {
  return {"bandwidth",
          "Bandwidth",
          "Peaks: of the busiest NIC and of all NICs together, in bins of 1 ms. A server's peak is that of its NICs at once.",
          {claimed_column("link", "claimed per link"),
           path_column("rate", "NIC rate", "patterns.bursts[0].capacity_gbps", nic_rate, "line rate of a NIC", rate_text),
           burst("nic-mean", "NIC mean", "NIC", kMeanRate, "bytes the busiest NIC sends over the step time", rate_text),
           burst("nic-peak", "NIC peak", "NIC", kPeakRate, "largest rate of the busiest NIC in any bin of 1 ms", rate_text),
           {"server-peak", "server peak", Align::right, "peak of a NIC × NICs of a server", per_server},
           {"fabric-peak", "fabric peak", Align::right, "largest rate of all NICs together in any bin of 1 ms", aggregate},
           {"per-day", "in a day", Align::right, "network bytes of all GPUs in a step × 86,400 s / step time", per_day}}};
}

}  // namespace railyard
