#include "tools/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/results.h"
#include "base/quantity_text.h"
#include "report/results_report.h"
#include "report/step_report.h"
#include "tools/explain/explain_step.h"

namespace railyard {

namespace {

Report::Section scenario_section(const Scenario& scenario) {
  TextTable given{{"key", "written at", "value"}, {}, {}};
  for (const auto& [path, key] : scenario.keys.by_path)
    if (!key.value.empty()) given.rows.push_back({path, to_text(key.where), key.value});
  return {"1. scenario: what was asked for",
          {given, std::string("Resolved from these, the catalog and assumptions:"), inputs_table(scenario.inputs, true)}};
}

Report::Section fabric_section(const Results& results, const Run& run) {
  TextTable trunks{{"tier", "trunks", "ports each", "rate each", "delay to the next node"},
                   {Align::left, Align::right, Align::right, Align::right, Align::right},
                   {}};
  for (const TierLoad& load : results.tiers) {
    const auto first = std::find(run.fabric.trunk_tier.begin(), run.fabric.trunk_tier.end(), load.tier);
    const TrunkId trunk(static_cast<std::uint32_t>(first - run.fabric.trunk_tier.begin()));
    trunks.rows.push_back({load.name, format_count(load.trunks), format_count(load.ports / load.trunks),
                           format(load.trunk_rate), format(run.fabric.trunk_delay[trunk])});
  }
  return {"2. fabric: what was built", {describe(results.fabric) + ".", trunks}};
}

Report::Section placement_section(const Results& results, const Run& run) {
  constexpr std::uint32_t kShown = 8;
  TextTable seats{{"rank", "endpoint", "leaf"}, {Align::right, Align::right, Align::right}, {}};
  for (const RankId rank : ids(run.placement)) {
    if (rank.index() == kShown) break;
    const EndpointId seat = run.placement[rank];
    seats.rows.push_back(
        {std::to_string(rank.index()), std::to_string(seat.index()), std::to_string(run.fabric.leaf_of(seat).index())});
  }
  Report::Section section{"3. placement: which rank is where", {seats}};
  if (run.placement.size() > kShown)
    section.blocks.push_back(fmt::format("… and {} more ranks.", run.placement.size() - kShown));
  section.blocks.push_back(
      fmt::format("{} of {} ring neighbours are under different leaves.", results.fabric.neighbours_across, results.ranks));
  return section;
}

Report::Section schedule_section(const Run& run) {
  TextTable schedules{{"size", "algorithm", "rounds", "messages", "largest chunk", "payload per rank"},
                      {Align::right, Align::left, Align::right, Align::right, Align::right, Align::right},
                      {}};
  for (const CollectiveRun& collective : run.collectives) {
    const std::string name(name_of(collective.algorithm));
    const Bytes sent(static_cast<std::int64_t>(collective.sent));
    if (collective.schedule)
      schedules.rows.push_back({format(collective.size), name, format_count(collective.schedule->repeats()),
                                format_count(collective.schedule->messages()), format(collective.schedule->chunks.largest()),
                                format(sent)});
    else
      schedules.rows.push_back({format(collective.size),
                                fmt::format("{} {}, {} channels", name, name_of(*collective.protocol), collective.channels),
                                "-", "-", "-", format(sent)});
  }
  return {"4. collective: what becomes of it", {schedules}};
}

Report::Section engine_section(const Run& run) {
  TextTable times{{"size", "messages", "fastest message", "slowest message", "whole collective"},
                  {Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const CollectiveRun& collective : run.collectives) {
    const Histogram& spans = collective.telemetry.message_time;
    times.rows.push_back({format(collective.size), format_count(collective.telemetry.messages),
                          format(Picoseconds(spans.min())), format(Picoseconds(spans.max())), format(collective.time)});
  }
  const std::string wire = fmt::format(
      "Analytic: messages of one instant share every link they meet fairly, latency is added per path. With a library, the "
      "messages are those between nodes, all at once. A full packet is {} on the wire for {} of payload.",
      format_exact(run.wire.mtu + run.wire.header), format_exact(run.wire.mtu));
  return {"5. engine: what happened", {wire, times}};
}

/// What was asked for and built, and then what everybody sees.
Report explain_traffic(const Scenario& scenario, const Results& results) {
  Report report{scenario.name, {scenario_section(scenario)}};
  for (Report::Section& section : results_report(results).sections) {
    if (section.title == "What this rests on") continue;
    if (section.title.empty() && section.blocks.size() > 1) section.title = "2. traffic: what was sent, over what";
    report.sections.push_back(std::move(section));
  }
  return report;
}

}  // namespace

Report explain_scenario(const Scenario& scenario) { return {scenario.name, {scenario_section(scenario)}}; }

Report explain_run(const Scenario& scenario, const Run& run) {
  const Results results = analyse(scenario, run);
  if (run.training) {
    Report step{scenario.name, {}};
    for (Report::Section& section : explain_step(*run.training, *results.step)) step.sections.push_back(std::move(section));
    const Report whole = step_report(results);
    for (const Report::Section& section : whole.sections)
      if (section.title == "Rates" || section.title == "Jitter" || section.title == "Findings")
        step.sections.back().blocks.insert(step.sections.back().blocks.end(), section.blocks.begin(), section.blocks.end());
    step.sections.back().blocks.insert(step.sections.back().blocks.begin(), whole.sections.front().blocks.front());
    step.sections.push_back(scenario_section(scenario));
    step.sections.back().title = "9. scenario: what was asked for";
    return step;
  }
  if (run.traffic) return explain_traffic(scenario, results);
  Report report{scenario.name,
                {scenario_section(scenario), fabric_section(results, run), placement_section(results, run),
                 schedule_section(run), engine_section(run)}};
  Report::Section conclusions{"6. analysis: what it means", {}};
  for (const Report::Section& section : results_report(results).sections)
    if (section.title == "Time" || section.title.starts_with("Load") || section.title == "Findings")
      conclusions.blocks.insert(conclusions.blocks.end(), section.blocks.begin(), section.blocks.end());
  report.sections.push_back(std::move(conclusions));
  return report;
}

Result<Report> explain_rank(const Scenario& scenario, const Run& run, std::uint32_t rank) {
  const std::uint32_t ranks = run.training ? run.training->step.layout.ranks() : 0;
  if (rank >= ranks)
    return Diagnostics{{Severity::error, "RY-RUN-014",
                        run.training ? fmt::format("there is no rank {}: the job has ranks 0 to {}", rank, ranks - 1)
                                     : std::string("--rank needs a training step ([model])"),
                        run.training ? "name one of them" : "leave it out", scenario.keys.file}};
  return Report{scenario.name, rank_sections(*run.training, rank)};
}

}  // namespace railyard
