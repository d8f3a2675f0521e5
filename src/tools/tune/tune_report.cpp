#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity_text.h"
#include "report/command_text.h"
#include "tools/tune/tune.h"

namespace railyard {

namespace {

/// Differences below this are not worth a word.
constexpr double kSame = 0.0005;

std::string change_text(double after, double before) {
  return before == 0 ? (after == 0 ? "=" : "new") : fmt::format("{:+.1f} %", 100 * (after / before - 1));
}

std::string from_to(double before, double after, const char* digits = "{:.3g}") {
  const std::string a = fmt::format(fmt::runtime(digits), before), b = fmt::format(fmt::runtime(digits), after);
  return a == b ? a : a + " → " + b;
}

/// What differs from today, in words.
std::string settings_words(const Tuned& tuned, const TunedRow& row) {
  std::string text;
  for (std::size_t i = 0; i < row.values.size(); i++)
    if (row.values[i] != tuned.defaults[i])
      text += fmt::format("{}{} {} instead of {}", text.empty() ? "" : ", ", tuned.space.axes()[i].name, row.values[i],
                          tuned.defaults[i]);
  return text;
}

std::string_view goal_words(std::string_view by) {
  if (by == "incasts") return "the geometric mean of the p99 of incasts";
  if (by == "worst") return "the worst p99 of all workloads";
  if (by == "pauses") return "the geometric mean of pauses";
  return by == "drops" ? "the geometric mean of drops" : "the geometric mean of the p99 of all workloads";
}

Report::Section settings_section(const Tuned& tuned) {
  TextTable table;
  table.header = {"setting", "today", "best"};
  for (std::size_t rank = 1; rank < tuned.best.size(); rank++) table.header.push_back(fmt::format("{}.", rank + 1));
  for (std::size_t i = 0; i < tuned.space.axes().size(); i++) {
    std::vector<std::string> row{tuned.space.axes()[i].name, tuned.defaults[i]};
    for (const TunedRow& best : tuned.best) row.push_back(best.values[i] == tuned.defaults[i] ? "=" : best.values[i]);
    table.rows.push_back(std::move(row));
  }
  std::vector<std::string> scores{"score", "1"};
  for (const TunedRow& best : tuned.best) scores.push_back(fmt::format("{:.3f}", best.score));
  table.rows.push_back(std::move(scores));
  std::vector<std::string> seeds{"score by seed", "1"};
  for (const TunedRow& best : tuned.best) seeds.push_back(fmt::format("{:.3f} to {:.3f}", best.least_score, best.most_score));
  table.rows.push_back(std::move(seeds));
  return {
      "What to set",
      {table, fmt::format("The score is {} over that of today's settings. A workload that is hurt by more than 5 % adds what "
                          "it loses; one that loses more than 1 % of its goodput, ten times that.",
                          goal_words(tuned.by))}};
}

Report::Section tails_section(const Tuned& tuned, const TunedRow& best) {
  TextTable table;
  table.header = {"workload", "p99 µs", "change", "at best", "goodput Gb/s", "change", "stands for"};
  table.align = {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::left};
  for (std::size_t i = 0; i < tuned.workloads.size(); i++) {
    const WorkloadFigures &a = tuned.today.figures[i], &b = best.figures[i];
    table.rows.push_back({tuned.workloads[i].name, from_to(a.tail_us, b.tail_us, "{:.0f}"), change_text(b.tail_us, a.tail_us),
                          change_text(a.least_us, a.tail_us), from_to(a.goodput_gbps, b.goodput_gbps, "{:.0f}"),
                          change_text(b.goodput_gbps, a.goodput_gbps), tuned.workloads[i].about});
  }
  return {"What it does",
          {table,
           fmt::format("At best: what links of hosts leave, whatever is set. Of messages that start together at one link the "
                       "last waits for all the others, and none is faster than alone. So no setting changes the p99 of incasts "
                       "by more than {:+.0f} % on average.",
                       100 * (tuned.least_incast_tail() - 1))}};
}

Report::Section control_section(const Tuned& tuned, const TunedRow& best) {
  TextTable table;
  table.header = {"workload", "fairness", "longest queue MB", "its swing", "settled after µs", "pauses", "drops"};
  table.align.assign(7, Align::right);
  table.align.front() = Align::left;
  for (std::size_t i = 0; i < tuned.workloads.size(); i++) {
    const WorkloadFigures &a = tuned.today.figures[i], &b = best.figures[i];
    table.rows.push_back({tuned.workloads[i].name, from_to(a.fairness, b.fairness, "{:.2f}"),
                          from_to(a.deepest_bytes / 1e6, b.deepest_bytes / 1e6, "{:.1f}"), from_to(a.swing, b.swing, "{:.1f}"),
                          from_to(a.settled_us, b.settled_us, "{:.0f}"), from_to(a.pauses, b.pauses, "{:.0f}"),
                          from_to(a.drops, b.drops, "{:.0f}")});
  }
  return {"How it behaves",
          {table,
           "Fairness is Jain's index of the receivers' rates; of an incast, the mean completion time over the longest. "
           "Swing is the standard deviation of the longest queue over its mean. It has settled when it stays below twice "
           "its mean of the second half."}};
}

std::string effect_words(const Axis& axis, const std::vector<AxisEffect>& effects, double best) {
  std::string text;
  for (const AxisEffect& effect : effects) {
    const std::string& value = axis.values[effect.value].text;
    text += (text.empty() ? "" : ", ") + value + " ";
    if (!effect.outcome.refused.empty())
      text += "cannot be";
    else if (std::abs(effect.outcome.values.front() / best - 1) < kSame)
      text += "=";
    else
      text += fmt::format("{}{:+.1f} %", effect.is_bound ? "about " : "", 100 * (effect.outcome.values.front() / best - 1));
  }
  return text;
}

double span_of(const std::vector<AxisEffect>& effects) {
  double least = INFINITY, most = 0;
  for (const AxisEffect& effect : effects)
    if (effect.outcome.refused.empty()) {
      least = std::min(least, effect.outcome.values.front());
      most = std::max(most, effect.outcome.values.front());
    }
  return most > 0 ? most / least : 0;
}

Report::Section knobs_section(const Tuned& tuned) {
  std::vector<std::size_t> order(tuned.search.effects.size());
  for (std::size_t i = 0; i < order.size(); i++) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return span_of(tuned.search.effects[a]) > span_of(tuned.search.effects[b]);
  });
  TextTable table;
  table.header = {"setting", "the score with each value, all else as in the best"};
  for (const std::size_t i : order)
    table.rows.push_back(
        {tuned.space.axes()[i].name, effect_words(tuned.space.axes()[i], tuned.search.effects[i], tuned.best.front().score)});
  return {"Which setting matters", {table}};
}

/// Whoever minds incasts most takes one, whoever minds the rest another.
Report::Section front_section(const Tuned& tuned) {
  constexpr std::size_t kShown = 8;
  TextTable table;
  table.header = {"incasts", "others", "goodput", "settings"};
  table.align = {Align::right, Align::right, Align::right, Align::left};
  for (std::size_t i = 0; i < std::min(kShown, tuned.front.size()); i++) {
    const SettingRatios& row = tuned.front[i];
    std::string words;
    for (const std::string& set : row.set) words += (words.empty() ? "" : ", ") + set;
    table.rows.push_back({fmt::format("{:.3f}", row.incasts), fmt::format("{:.3f}", row.others),
                          fmt::format("{:.3f}", row.goodput), words.empty() ? "as it is" : words});
  }
  return {"What nothing beats",
          {table, fmt::format("Over today's: the p99 of incasts and of the other workloads, by geometric mean, and the goodput "
                              "of the one that loses most. Of {} settings that were checked, {} are not beaten in all three.",
                              tuned.search.ranked.size(), tuned.front.size())}};
}

std::string seeds_words(const std::vector<std::uint64_t>& seeds) {
  return fmt::format("seeds {} to {}", seeds.front(), seeds.back());
}

/// Why the best of some seeds is not the best of others.
std::string seeds_text(const Tuned& tuned) {
  const SearchersChoice& choice = *tuned.searched;
  const std::string rule =
      "Who is best of many with some seeds owes a part of that to their draws of hashes and receivers, so the choice is made "
      "by "
      "the mean over seeds that the search had not seen.";
  const std::string seeds = seeds_words(tuned.searched_seeds);
  if (choice.is_best)
    return fmt::format("{} Here it is the best with {}, too: {:.3f} there, {:.3f} on the others.", rule, seeds, choice.score,
                       choice.checked);
  return fmt::format("{} The best with {} scores {:.3f} there and {:.3f} on the others; the one chosen {:.3f} and {:.3f}.",
                     rule, seeds, choice.score, choice.checked, choice.best, tuned.best.front().score);
}

Report::Section manner_section(const Tuned& tuned) {
  const std::uint64_t tried = tuned.search.levels.front().tried;
  if (!tuned.searched)
    return {"How it was found",
            {fmt::format("All {} settings were played packet by packet on {} hosts under {} workloads, with {}: none is "
                         "better.",
                         format_count(tried), format_count(tuned.hosts), tuned.workloads.size(),
                         seeds_words(tuned.checked_seeds))}};
  return {"How it was found",
          {seeds_text(tuned),
           fmt::format("{} of {} settings were played packet by packet on {} hosts with {}, each under {} workloads: today's, "
                       "everything that differs from it in one thing, and generations that grew from the better ones; one that "
                       "could be no better than {:g} any more was given up. The figures above are of the {} best and what lies "
                       "around them, played again with {}, which the search had not seen.",
                       format_count(tried), format_count(tuned.search.points), format_count(tuned.hosts),
                       seeds_words(tuned.searched_seeds), tuned.workloads.size(), kHopeless, tuned.search.levels.back().tried,
                       seeds_words(tuned.checked_seeds))}};
}

}  // namespace

std::string tune_answer(const Tuned& tuned) {
  if (!tuned.is_better())
    return fmt::format(
        "None of {} settings that were tried is better than today's on seeds it was not chosen with: the best "
        "changes tails by {:+.1f} %.",
        format_count(tuned.search.levels.front().tried), 100 * (tuned.best.front().score - 1));
  const TunedRow& best = tuned.best.front();
  double logs = 0, least = INFINITY;
  for (std::size_t i = 0; i < best.figures.size(); i++) {
    logs += std::log(best.figures[i].tail_us / tuned.today.figures[i].tail_us);
    least = std::min(least, best.figures[i].goodput_gbps / tuned.today.figures[i].goodput_gbps);
  }
  const double all = std::exp(logs / static_cast<double>(best.figures.size()));
  return fmt::format(
      "The best settings change the p99 of incasts by {:+.0f} % and that of all workloads by {:+.0f} % on average; "
      "goodput changes by {:+.1f} % at worst: {}.",
      100 * (tuned.incast_tail() - 1), 100 * (all - 1), 100 * (least - 1), settings_words(tuned, best));
}

Report tune_report(const Tuned& tuned) {
  const TunedRow& best = tuned.best.front();
  Report report;
  report.title = fmt::format("Settings for the network of {}", tuned.name);
  report.sections.push_back({"", {tune_answer(tuned)}});
  if (tuned.is_better())
    report.sections.back().blocks.emplace_back("railyard settings " + shell_word(tuned.scenario) + set_words(best.set));
  report.sections.push_back(settings_section(tuned));
  report.sections.push_back(tails_section(tuned, best));
  report.sections.push_back(control_section(tuned, best));
  report.sections.push_back(front_section(tuned));
  report.sections.push_back(knobs_section(tuned));
  report.sections.push_back(manner_section(tuned));
  return report;
}

std::vector<PageBars> tune_bars(const Tuned& tuned) {
  if (tuned.best.empty()) return {};
  PageBars tails{"99th percentile of completion times of the best settings, over today's", "× today", {}};
  for (std::size_t i = 0; i < tuned.workloads.size(); i++) {
    const double today = tuned.today.figures[i].tail_us, best = tuned.best.front().figures[i].tail_us;
    if (today > 0) tails.bars.push_back({tuned.workloads[i].name, best / today, fmt::format("{:.3f} ×", best / today)});
  }
  PageBars front{"99th percentile of incasts, of settings that nothing beats, over today's", "× today", {}};
  for (std::size_t i = 0; i < tuned.front.size(); i++)
    front.bars.push_back({fmt::format("setting {}", i + 1), tuned.front[i].incasts,
                          fmt::format("{:.3f} ×, others {:.3f} ×", tuned.front[i].incasts, tuned.front[i].others),
                          tuned.front[i].values == tuned.best.front().values});
  return {tails, front};
}

}  // namespace railyard
