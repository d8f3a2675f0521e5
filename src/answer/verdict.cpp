#include "answer/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answer/recorded_accuracy.h"
#include "answer/verdict_parts.h"
#include "base/quantity_text.h"

namespace railyard {

namespace {

/// Keys of inputs with a status.
std::vector<std::string> inputs_of(const Results& results, Status status) {
  std::vector<std::string> keys;
  for (const Input& input : results.inputs)
    if (input.origin.status == status) keys.push_back(input.key);
  return keys;
}

std::string listed(const std::vector<std::string>& keys, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, keys.size()); i++) text += (i == 0 ? "" : ", ") + keys[i];
  return keys.size() > most ? fmt::format("{} and {} more", text, keys.size() - most) : text;
}

Confidence confidence_in(const Scenario& scenario, const Results& results) {
  Confidence c;
  c.assumed = inputs_of(results, Status::assumed);
  c.estimated = inputs_of(results, Status::estimated);
  if (!results.step) return c;
  const bool experts = scenario.workload.model->experts > 0;
  const RecordedAccuracy recorded = recorded_accuracy(experts, scenario.engine.fidelity);
  c.kind = experts ? "steps of models with experts" : "steps of dense models";
  c.rows = recorded.rows;
  c.median = recorded.median;
  c.p90 = recorded.p90;
  return c;
}

std::string confidence_text(const Confidence& c) {
  std::string text = c.rows == 0
                         ? "How sure: docs/capabilities.md says what runs of this kind were held against."
                         : fmt::format(
                               "How sure: {} published {} that no constant was set on are off by {} in the median, nine in ten "
                               "by no more than {}. None of them tells the network's share alone.",
                               c.rows, c.kind, percent_of(c.median), percent_of(c.p90));
  if (!c.assumed.empty()) text += fmt::format(" Assumed here: {}.", listed(c.assumed, 4));
  return text;
}

/// What the engine leaves out.
std::vector<std::string> unknown_of(const Scenario& scenario, const Results& results) {
  std::vector<std::string> out;
  switch (scenario.engine.fidelity) {
    case Fidelity::analytic:
      if (results.step)
        out.emplace_back(
            "what collectives cost each other, and what hashing, oversubscription and placement do (closed forms know "
            "an idle network; engine.fidelity = \"flow\" plays it)");
      else
        out.emplace_back("queues, losses and pauses (engine.fidelity = \"packet\" plays them)");
      break;
    case Fidelity::flow:
      out.push_back(
          fmt::format("queues, losses, pauses and how fast congestion control reacts (flows share links at once; "
                      "engine.fidelity = \"packet\" plays them{})",
                      results.step ? ", of a large step a [slice]" : ""));
      break;
    case Fidelity::packet:
      if (results.slice) out.emplace_back("packets outside the slice: the step itself is carried by flows");
      break;
  }
  if (results.step) out.emplace_back("failures and restarts over weeks, data loading and checkpoints");
  return out;
}

std::string unknown_text(const std::vector<std::string>& unknown) {
  std::string text;
  for (const std::string& one : unknown) text += (text.empty() ? "" : "; ") + one;
  return "Not told by this run: " + text + ".";
}

/// Changes of the network; others are of the job.
bool is_of_network(const Advice& a) { return a.of != ChangeOf::job || a.kind == "placement"; }

/// Of a collective that was tried instead of the step: what the step would save at least.
std::string gain_text(const Advice& a) {
  const std::string times = fmt::format("{} → {}", time_of(a.before_s), time_of(a.after_s));
  if (a.of_step != a.gain)
    return fmt::format("{}, which gains {} of the step or more ({}, {}): {}", a.change, percent_of(a.of_step), a.metric, times,
                       a.command);
  return fmt::format("{}, which gains {} ({}){}: {}", a.change, percent_of(a.gain), times,
                     a.cost.empty() ? std::string() : " and takes " + a.cost, a.command);
}

/// What the gain's size says against it.
std::string caveat(const Advice& a) { return a.confidence.starts_with("low") ? ", though too small to rely on" : ""; }

/// Less hardware that does as well, or better.
std::string cheaper_text(const Advice& a) {
  if (a.gain >= kWorthSaying)
    return fmt::format(" Less does better: {} gains {}{}.", a.change, percent_of(a.gain),
                       a.cost.empty() ? std::string() : " (" + a.cost + ")");
  return fmt::format(" Less would do for this job: {} costs {}{}.", a.change,
                     a.gain > -0.0001 ? "nothing" : percent_of(-a.gain), a.cost.empty() ? std::string() : " (" + a.cost + ")");
}

/// The best change of the network and the best of the job, then what would do with less.
std::string change_text(const Tried& tried) {
  if (!tried.tried) return "No change was tried.";
  const auto first = [&](auto wanted) -> const Advice* {
    const auto found = std::find_if(tried.advice.begin(), tried.advice.end(), wanted);
    return found == tried.advice.end() ? nullptr : &*found;
  };
  const auto helps = [](const Advice& a) { return !a.keeps && !a.cheaper; };
  const Advice* network = first([&](const Advice& a) { return helps(a) && is_of_network(a); });
  const Advice* setting = first([&](const Advice& a) { return helps(a) && is_of_network(a) && a.of != ChangeOf::hardware; });
  constexpr double kAlmost = 0.8;  // as much: then nobody needs new hardware
  if (setting && setting->of_step >= kAlmost * network->of_step) network = setting;
  const Advice* job = first([&](const Advice& a) { return helps(a) && !is_of_network(a); });
  const Advice* cheaper = first([](const Advice& a) { return a.cheaper; });
  std::string text;
  if (network) text += fmt::format("Best change of the network{}: {}.", caveat(*network), gain_text(*network));
  if (network && network->of == ChangeOf::hardware && setting)
    text += fmt::format(" Without new hardware{}: {}.", caveat(*setting), gain_text(*setting));
  if (job) text += fmt::format("{}Best change of the job{}: {}.", text.empty() ? "" : " ", caveat(*job), gain_text(*job));
  if (text.empty())
    text = fmt::format("No change that was tried gains {}{}.", percent_of(kWorthSaying),
                       tried.draws > 0 ? " beyond the luck of the hash" : "");
  else if (tried.draws > 0)
    text += fmt::format(" Times are means over {} seeds of the hash.", tried.draws);
  return cheaper ? text + cheaper_text(*cheaper) : text;
}

std::string_view cause_behind(const Advice& a) {
  if (a.kind == "failure") return "failure";
  if (a.kind == "adaptive routing" || a.kind == "queue pairs" || a.kind == "hashing" || a.kind == "queue pairs and hashing")
    return "hashing";
  if (a.kind == "oversubscription") return "oversubscription";
  if (a.kind == "placement" || a.kind == "order of ranks") return "placement";
  return {};
}

}  // namespace

std::string percent_of(double share) {
  if (share > 0 && share < 0.0001) return "less than 0.01 %";
  return share < 0.00995 ? fmt::format("{:.2f} %", share * 100) : fmt::format("{:.1f} %", share * 100);
}

std::string time_of(double seconds) { return format(from_seconds(seconds)); }

std::string cause_of(const Tried& tried, double network_share) {
  std::string cause;
  double most = network_share / 4;
  for (const Advice& a : tried.advice) {
    const std::string_view behind = cause_behind(a);
    const double saved = a.after_s < a.before_s ? 1 - a.after_s / a.before_s : 0;
    if (behind.empty() || a.cheaper || saved <= most) continue;
    most = saved;
    cause = behind;
  }
  return cause;
}

std::string cause_in_words(const std::string& cause) {
  if (cause == "failure") return "what has failed slows all down";
  if (cause == "hashing") return "flows collide, because switches hash them to the same links";
  if (cause == "oversubscription") return "there are fewer links up than down (oversubscription)";
  if (cause == "placement") return "ranks that talk to each other sit far apart";
  return cause;
}

Baseline baseline_of(const Scenario& scenario, const Results& results, std::string run, std::string label) {
  Baseline before{.run = std::move(run), .label = std::move(label), .metric = "step"};
  if (results.step) {
    before.time_s = results.step->step_time_s;
    const bool experts = scenario.workload.model && scenario.workload.model->experts > 0;
    before.resolves = recorded_accuracy(experts, scenario.engine.fidelity).median;
  } else if (!results.points.empty()) {
    before.metric = fmt::format("{} of {}", results.collective, format(results.points.back().size));
    before.time_s = seconds(results.points.back().time);
  } else if (results.trace) {
    before.metric = "trace";
    before.time_s = results.trace->makespan_us * 1e-6;
  } else if (results.traffic) {
    before.metric = "all messages";
    before.time_s = results.traffic->makespan_us * 1e-6;
  }
  before.hardware = hardware_of(scenario, builtin_catalog());
  return before;
}

RunVerdict verdict_on(const Scenario& scenario, const Results& results, const Tried& tried) {
  RunVerdict v;
  if (results.step)
    judge_step(scenario, results, tried, v);
  else if (results.trace)
    judge_trace(results, tried, v);
  else if (results.traffic)
    judge_traffic(scenario, results, tried, v);
  else
    judge_collective(scenario, results, tried, v);
  if (!tried.advice.empty() && !tried.advice.front().keeps && !tried.advice.front().cheaper) v.change = tried.advice.front();
  v.confidence = confidence_in(scenario, results);
  v.unknown = unknown_of(scenario, results);
  v.sentences.push_back({"change", change_text(tried)});
  v.sentences.push_back({"confidence", confidence_text(v.confidence)});
  if (!v.unknown.empty()) v.sentences.push_back({"unknown", unknown_text(v.unknown)});
  return v;
}

Report::Section advice_section(const Tried& tried) {
  Report::Section section{"What was tried", {}};
  TextTable table{{"gain", "asks for", "what, and the keys to set"}, {Align::right}, {}};
  for (const Advice& a : tried.advice) {
    std::string set;
    for (const std::string& one : a.set) set += (set.empty() ? "" : ", ") + one;
    const std::string lead = a.keeps ? "keep; not: " : a.cheaper ? "cheaper: " : "";
    table.rows.push_back(
        {gain_of(a), std::string(name_of(a.of)),
         fmt::format("{}{} ({}){}", lead, a.change, set, a.cost.empty() || a.keeps ? std::string() : ". Parts: " + a.cost)});
  }
  if (!table.rows.empty()) section.blocks.emplace_back(std::move(table));
  if (!tried.without_effect.empty()) {
    std::string list;
    for (const std::string& one : tried.without_effect) list += (list.empty() ? "" : "; ") + one;
    section.blocks.emplace_back(fmt::format("Tried too, without effect (less than 0.05 %, or 0.5 % for hardware{}): {}.",
                                            tried.draws > 0 ? ", or the luck of a hash" : "", list));
  }
  if (!tried.advice.empty())
    section.blocks.emplace_back(
        std::string("Gain: work per second against today, time before / time after − 1. Parts: power and prices as far as the "
                    "catalog has them."));
  return section;
}

Report::Section verdict_section(const RunVerdict& verdict) {
  Report::Section section;
  for (const Sentence& sentence : verdict.sentences) section.blocks.emplace_back(sentence.text);
  return section;
}

}  // namespace railyard
