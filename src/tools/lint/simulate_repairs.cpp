#include "tools/lint/simulate_repairs.h"

#include <fmt/format.h>

#include "analysis/results.h"
#include "answer/trial.h"
#include "base/quantity_text.h"
#include "scenario/presets.h"
#include "sim/simulate.h"

namespace railyard {

namespace {

/// What packets met, of a run of any kind.
const PacketResults* packets_of(const Results& results) {
  if (results.traffic && results.traffic->packets) return &*results.traffic->packets;
  if (results.slice && results.slice->traffic.packets) return &*results.slice->traffic.packets;
  if (results.packets) return &results.packets->packets;
  if (!results.points.empty() && results.points.back().packets) return &*results.points.back().packets;
  return nullptr;
}

SimulatedConfigs simulated_of(const Scenario& scenario, const Run& run) {
  const Results results = analyse(scenario, run);
  SimulatedConfigs out{.time_s = outcome_s(run), .fingerprint = run.fingerprint};
  if (const TrafficResults* traffic = results.traffic ? &*results.traffic : results.slice ? &results.slice->traffic : nullptr) {
    out.messages = traffic->flows.messages;
    out.undelivered = traffic->flows.undelivered;
    out.slowdown_p99 = traffic->flows.slowdown.p99;
    if (traffic->background) out.bystanders_p99 = traffic->background->slowdown.p99;
  }
  if (const PacketResults* packets = packets_of(results)) {
    out.pauses = packets->pauses, out.paused_us = packets->paused_us, out.marked = packets->marked;
    out.drops = packets->drops, out.retransmissions = packets->retransmissions;
    out.timeouts = packets->timeouts, out.broken = packets->broken;
  }
  return out;
}

std::string time_or_never(const std::optional<double>& time) { return time ? format(from_seconds(*time)) : "never"; }

/// What the repairs are worth, in a sentence.
std::string worth_text(const SimulatedRepairs& both) {
  const SimulatedConfigs &before = both.as_it_is, &after = both.repaired;
  if (!before.refused.empty())
    return fmt::format("{} does not get through as devices are configured: {}. Repaired it takes {}.", both.scenario,
                       before.refused, time_or_never(after.time_s));
  if (before.fingerprint == after.fingerprint)
    return fmt::format("{} does not notice: packet by packet the same happens with the repairs as without them.",
                       both.scenario);
  const std::string drops = fmt::format("{} → {} packets dropped, {} → {} pauses", format_count(before.drops),
                                        format_count(after.drops), format_count(before.pauses), format_count(after.pauses));
  if (!before.time_s && after.time_s)
    return fmt::format("{} never ends as devices are configured; repaired it takes {}. {}.", both.scenario,
                       time_or_never(after.time_s), drops);
  if (before.time_s && after.time_s) {
    const double ratio = *before.time_s / *after.time_s;
    const std::string gain = ratio >= 2 ? fmt::format("{:.1f} × as long", ratio) : fmt::format("{:+.1f} %", (ratio - 1) * 100);
    return fmt::format("{} takes {} as devices are configured and {} repaired: {}. {}.", both.scenario,
                       time_or_never(before.time_s), time_or_never(after.time_s), gain, drops);
  }
  return fmt::format("{}: {}.", both.scenario, drops);
}

TextTable both_table(const SimulatedRepairs& both) {
  const SimulatedConfigs &before = both.as_it_is, &after = both.repaired;
  TextTable table{{"", "as it is", "repaired"}, {Align::left, Align::right, Align::right}, {}};
  const auto count = [&](const char* what, std::uint64_t a, std::uint64_t b) {
    table.rows.push_back({what, format_count(a), format_count(b)});
  };
  table.rows.push_back({"time", time_or_never(before.time_s), time_or_never(after.time_s)});
  if (before.messages > 0) {
    count("messages that never arrive", before.undelivered, after.undelivered);
    table.rows.push_back({"p99 of messages, over alone", fmt::format("{:.2f} ×", before.slowdown_p99),
                          fmt::format("{:.2f} ×", after.slowdown_p99)});
  }
  if (before.bystanders_p99 && after.bystanders_p99)
    table.rows.push_back({"the same of bystanders", fmt::format("{:.2f} ×", *before.bystanders_p99),
                          fmt::format("{:.2f} ×", *after.bystanders_p99)});
  count("packets dropped", before.drops, after.drops);
  count("retransmissions", before.retransmissions, after.retransmissions);
  count("timeouts", before.timeouts, after.timeouts);
  count("queue pairs broken", before.broken, after.broken);
  count("PFC pauses", before.pauses, after.pauses);
  table.rows.push_back(
      {"paused, all ports", format(from_seconds(before.paused_us / 1e6)), format(from_seconds(after.paused_us / 1e6))});
  count("packets marked", before.marked, after.marked);
  return table;
}

Document configs_document(const SimulatedConfigs& one) {
  Document out = Document::object();
  if (!one.refused.empty()) {
    out.set("refused", Document(one.refused));
    return out;
  }
  out.set("time_s", one.time_s ? Document(*one.time_s) : Document());
  const auto count = [&](const char* name, std::uint64_t value) { out.set(name, Document(static_cast<std::int64_t>(value))); };
  count("messages", one.messages), count("undelivered", one.undelivered);
  out.set("slowdown_p99", Document(one.slowdown_p99));
  count("drops", one.drops), count("retransmissions", one.retransmissions), count("timeouts", one.timeouts);
  count("broken_queue_pairs", one.broken), count("pauses", one.pauses), count("marked", one.marked);
  out.set("paused_us", Document(one.paused_us));
  out.set("fingerprint", Document(one.fingerprint));
  return out;
}

/// Why a scenario with devices as they are cannot be played because they let no packet through; empty where that is not why.
std::string closed_to_packets(const Diagnostics& errors) {
  for (const Diagnostic& one : errors)
    if (one.code != "RY-SCN-144") return {};
  return errors.empty() ? std::string() : errors.front().message;
}

}  // namespace

Result<SimulatedRepairs> simulate_repairs(const std::string& scenario, const std::vector<std::string>& overrides,
                                          const Estate& as_it_is, const Estate& repaired, const Catalog& catalog,
                                          unsigned threads, Progress& progress) {
  SimulatedRepairs both{scenario, {}, {}};
  progress.expect(2 * kPartWork);
  for (const bool after : {false, true}) {
    Progress part(progress, kPartWork, after ? "devices as repaired" : "devices as they are");
    LoadOptions load;
    load.estate = after ? &repaired : &as_it_is;
    const Result<Scenario> loaded = load_named_scenario(scenario, catalog, overrides, load);
    if (!loaded && !after && !closed_to_packets(loaded.error()).empty()) {
      both.as_it_is.refused = closed_to_packets(loaded.error());
      continue;
    }
    if (!loaded) return loaded.error();
    if (loaded->engine.fidelity != Fidelity::packet)
      return Diagnostics{{Severity::error, "RY-LNT-902",
                          "settings of devices matter to packets, and this scenario is not played packet by packet",
                          "add --set engine.fidelity=packet, for a training step a [slice], too",
                          loaded->keys.where("engine.fidelity")}};
    const Result<Run> run = simulate(*loaded, {.threads = threads}, part);
    if (!run) return run.error();
    (after ? both.repaired : both.as_it_is) = simulated_of(*loaded, *run);
  }
  return both;
}

Report::Section repairs_section(const SimulatedRepairs& both) {
  if (!both.as_it_is.refused.empty()) return {"What the mistakes cost", {worth_text(both)}};
  return {"What the mistakes cost", {worth_text(both), both_table(both)}};
}

Document repairs_document(const SimulatedRepairs& both) {
  Document out = Document::object();
  out.set("scenario", Document(both.scenario));
  out.set("answer", Document(worth_text(both)));
  out.set("as_it_is", configs_document(both.as_it_is));
  out.set("repaired", configs_document(both.repaired));
  return out;
}

}  // namespace railyard
