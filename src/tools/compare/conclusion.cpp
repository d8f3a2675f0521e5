#include "tools/compare/conclusion.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/compare/figures.h"

namespace railyard {

namespace {

using Ordered = std::vector<const ComparedRun*>;

/// "GPT-4 14.6 %; Llama 3 2.1 %".
std::string shares_text(const Ordered& runs, double (RunVerdict::*share)() const) {
  std::string text;
  for (const ComparedRun* run : runs)
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", run->label, percent_text((run->verdict.*share)()));
  return text;
}

std::string limits_text(const Ordered& runs) {
  std::string text;
  for (const ComparedRun* run : runs) {
    const Limit& limit = run->verdict.limit;
    const std::string what = limit.kind == "bubble"     ? "the pipeline's own bubble"
                             : limit.kind == "scale-up" ? "scale-up links"
                             : limit.kind == "compute"  ? "compute alone"
                                                        : "the " + limit.kind;
    text += fmt::format("{}{} by {} ({})", text.empty() ? "" : "; ", run->label, what, percent_text(limit.share));
  }
  return text;
}

/// The change that gains most of all runs.
const ComparedRun* most_to_gain(const Ordered& runs) {
  const ComparedRun* best = nullptr;
  for (const ComparedRun* run : runs)
    if (run->verdict.change && (!best || run->verdict.change->of_step > best->verdict.change->of_step)) best = run;
  return best;
}

/// Runs that gain as much as the best, with what.
std::string equals_text(const Ordered& runs, const ComparedRun& best) {
  constexpr double kAsMuch = 0.0005;
  std::string text;
  for (const ComparedRun* run : runs)
    if (run != &best && run->verdict.change && run->verdict.change->of_step > best.verdict.change->of_step - kAsMuch)
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", run->label, run->verdict.change->change);
  return text.empty() ? text : fmt::format(" As much with {}.", text);
}

std::string change_text(const Ordered& runs) {
  const bool tried = std::any_of(runs.begin(), runs.end(), [](const ComparedRun* run) { return !run->trials.empty(); });
  if (!tried) return "No change was tried.";
  const ComparedRun* best = most_to_gain(runs);
  if (!best) return "No change that was tried moves a step by 0.05 %.";
  const Advice& a = *best->verdict.change;
  return fmt::format("Most is gained with {}: {} ({}, {} → {} a step).{}", best->label, a.change, "+" + percent_text(a.of_step),
                     seconds_text(a.before_s), seconds_text(a.after_s), equals_text(runs, *best));
}

std::string confidence_text(const Ordered& runs) {
  const Confidence* dense = nullptr;
  const Confidence* experts = nullptr;
  for (const ComparedRun* run : runs) (run->scenario.workload.model->experts > 0 ? experts : dense) = &run->verdict.confidence;
  std::string text;
  for (const Confidence* c : {dense, experts})
    if (c)
      text += fmt::format("{}{} published {} are off by {} in the median, nine in ten by no more than {}",
                          text.empty() ? "How sure: " : "; ", c->rows, c->kind, percent_text(c->median), percent_text(c->p90));
  return text + ".";
}

}  // namespace

std::vector<Sentence> comparison_sentences(const std::vector<ComparedRun>& runs) {
  Ordered by_cost;
  for (const ComparedRun& run : runs) by_cost.push_back(&run);
  std::stable_sort(by_cost.begin(), by_cost.end(), [](const ComparedRun* a, const ComparedRun* b) {
    return a->verdict.network_share() > b->verdict.network_share();
  });
  return {{"cost",
           fmt::format("What the network costs, as a share of a step: {}. Links inside scale-up domains cost: {}.",
                       shares_text(by_cost, &RunVerdict::network_share), shares_text(by_cost, &RunVerdict::scale_up_share))},
          {"limit", fmt::format("What limits them: {}.", limits_text(by_cost))},
          {"change", change_text(by_cost)},
          {"confidence", confidence_text(by_cost)}};
}

}  // namespace railyard
