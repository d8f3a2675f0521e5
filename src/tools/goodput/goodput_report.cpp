#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity_text.h"
#include "report/command_text.h"
#include "tools/goodput/goodput.h"
#include "tools/goodput/span_text.h"
#include "tools/goodput/timeline.h"

namespace railyard {

namespace {

std::string percent(double share) { return fmt::format("{:.{}f} %", share * 100, share < 0.001 ? 2 : 1); }

std::string tokens_of(double tokens) {
  if (tokens >= 1e12) return fmt::format("{:.4g} trillion tokens", tokens / 1e12);
  if (tokens >= 1e9) return fmt::format("{:.4g} billion tokens", tokens / 1e9);
  return fmt::format("{:.4g} million tokens", tokens / 1e6);
}

std::string gpu_hours(double hours) {
  return hours >= 1e6 ? fmt::format("{:.2f} million GPU-hours", hours / 1e6)
                      : format_count(static_cast<std::uint64_t>(std::llround(hours))) + " GPU-hours";
}

/// Parts of the time that no training comes of, the largest first.
struct Part {
  std::string name;
  double seconds = 0;
  std::string what;
};

std::vector<Part> losses(const Goodput& g) {
  const TimeParts& t = g.drawn.mean;
  std::vector<Part> parts = {{"detection", t.detection, "from failures until something was done"},
                             {"restart", t.restart, "servers exchanged, processes started, checkpoint read"},
                             {"lost work", t.lost, "training since the last checkpoint, done again"},
                             {"checkpoints", t.checkpoint, "training waited for them"},
                             {"waiting", t.waiting, "for a server, with no spare left"},
                             {"stragglers", t.slow, "steps that took longer beside a slow server"}};
  std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.seconds > b.seconds; });
  return parts;
}

std::string first_sentence(const Goodput& g) {
  const double hours = g.drawn.time.mean / 3600 * g.weeks.gpus;
  if (g.asked.days)
    return fmt::format("In {:g} days {} GPUs train {}: {} of what they would if nothing ever failed ({} at {} a step).",
                       *g.asked.days, format_count(g.weeks.gpus), tokens_of(g.tokens()), percent(g.drawn.share.mean),
                       tokens_of(g.weeks.tokens), span_text(g.weeks.step_s));
  return fmt::format(
      "{} take {:.1f} days on {} GPUs (nine runs in ten: {:.1f} to {:.1f}) and {}; if nothing ever failed they would take "
      "{:.1f}.",
      tokens_of(g.weeks.tokens), g.days(), format_count(g.weeks.gpus), g.drawn.time.p5 / kDaySeconds,
      g.drawn.time.p95 / kDaySeconds, gpu_hours(hours), g.ideal_days());
}

std::string second_sentence(const Goodput& g) {
  const TimeParts& t = g.drawn.mean;
  const double each = (t.lost + t.detection + t.waiting + t.restart) / std::max(1e-9, g.drawn.interruptions.mean);
  const std::vector<Part> parts = losses(g);
  return fmt::format(
      "The effective training time is {} ± {}. The job is interrupted every {}, {:.0f} times in all, and each time costs {}; "
      "most is lost to {} ({}), then to {} ({}).",
      percent(g.drawn.share.mean), fmt::format("{:.2f}", g.drawn.share.error * 100),
      span_text(g.drawn.time.mean / std::max(1e-9, g.drawn.interruptions.mean)), g.drawn.interruptions.mean, span_text(each),
      parts[0].name, percent(parts[0].seconds / t.all()), parts[1].name, percent(parts[1].seconds / t.all()));
}

std::string change_sentence(const Goodput& g) {
  const GoodputLever& best = g.levers.front();
  return fmt::format("What helps most: {}. It gains {} ({} → {}).", best.change, percent(best.gain.mean),
                     g.asked.days ? percent(g.drawn.share.mean) : fmt::format("{:.1f}", g.days()),
                     g.asked.days ? percent(best.share) : fmt::format("{:.1f} days", best.days));
}

TextTable time_table(const Goodput& g) {
  const double all = g.drawn.mean.all();
  TextTable table{{"part", "of the time", "per run", "what it is"}, {Align::left, Align::right, Align::right}, {}};
  table.rows.push_back(
      {"training", percent(g.drawn.mean.training / all), span_text(g.drawn.mean.training), "steps that count in the end"});
  for (const Part& part : losses(g))
    if (part.seconds > 0) table.rows.push_back({part.name, percent(part.seconds / all), span_text(part.seconds), part.what});
  return table;
}

TextTable cause_table(const Goodput& g) {
  TextTable table{{"cause", "parts", "per run", "detection", "lost work", "waiting", "restart", "each", "of the time"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right,
                   Align::right, Align::right},
                  {}};
  for (std::size_t i = 0; i < g.drawn.causes.size(); i++) {
    const CauseTotals& c = g.drawn.causes[i];
    if (c.interruptions <= 0) continue;
    const std::uint64_t parts = i < g.weeks.job.causes.size() ? g.weeks.job.causes[i].parts : g.weeks.servers;
    const auto each = [&](double sum) { return span_text(sum / c.interruptions); };
    table.rows.push_back({g.cause_name(i), parts == 0 ? "–" : format_count(parts), fmt::format("{:.1f}", c.interruptions),
                          each(c.detection), each(c.lost), each(c.waiting), each(c.restart), each(c.all()),
                          percent(c.all() / g.drawn.mean.all())});
  }
  return table;
}

TextTable lever_table(const Goodput& g) {
  TextTable table{{"gains", "±", "effective", g.asked.days ? "of the time" : "days", "change"},
                  {Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const GoodputLever& lever : g.levers)
    table.rows.push_back({percent(lever.gain.mean), fmt::format("{:.2f}", lever.gain.error * 100), percent(lever.share),
                          g.asked.days ? percent(lever.share) : fmt::format("{:.1f}", lever.days),
                          lever.change + ":" + set_words(lever.set)});
  return table;
}

std::string checkpoint_text(const Goodput& g) {
  const CheckpointCost& c = g.weeks.checkpoint;
  const TrainingJob& job = g.weeks.job;
  const auto bytes = [](double size) { return format(Bytes(static_cast<std::int64_t>(size))); };
  std::string text = fmt::format(
      "Weights and optimizer are {}. A server writes {} of it and reads {} (each replica reads its weights), at {} over {}. "
      "Writing takes {} ({}), reading {} ({}).",
      bytes(c.state), bytes(c.host_write), bytes(c.host_read),
      format(BitsPerSecond(static_cast<std::int64_t>(c.host_rate * 8))), c.network, span_text(c.write),
      c.write_limit == "given" ? "given" : "limited by " + c.write_limit, span_text(c.read),
      c.read_limit == "given" ? "given" : "limited by " + c.read_limit);
  if (job.lag > 0) text += fmt::format(" Training waits {} of that and goes on beside the rest.", span_text(job.stall));
  text +=
      fmt::format(" One is written every {:.0f} steps ({}){}.", g.weeks.interval_steps, span_text(job.interval),
                  g.weeks.interval_given ? fmt::format(", as asked; the best would be {}", span_text(g.weeks.best_interval_s))
                                         : ", the best interval in closed form");
  return text;
}

std::string closed_text(const Goodput& g) {
  return fmt::format(
      "In closed form, with spares always there, the effective training time is {}; {} drawn runs have {} ± {}. Spares that "
      "suffice for 99 % of the time: {}.",
      percent(g.expected), format_count(g.drawn.runs), percent(g.drawn.share.mean),
      fmt::format("{:.2f}", g.drawn.share.error * 100), g.spares_99);
}

TextTable input_table(const Goodput& g) {
  TextTable table{{"key", "value", "status", "source"}, {}, {}};
  for (const Input& input : g.inputs)
    table.rows.push_back({input.key.substr(input.key.find('.') + 1), input.value, std::string(name_of(input.origin.status)),
                          input.origin.source});
  return table;
}

constexpr const char* kAssumptions =
    "Assumed: failures come at a constant rate, each a whole interruption of the job; switches above the leaves, links "
    "between them and other planes of a NIC are redundant and interrupt nothing; a copy in another host's memory survives "
    "every failure; nothing fails while the job waits for a server; checkpoints written beside training do not slow it.";

}  // namespace

std::vector<std::string> goodput_answer(const Goodput& g) {
  std::vector<std::string> answer = {first_sentence(g), second_sentence(g)};
  if (!g.levers.empty() && g.levers.front().gain.mean > 0.0005) answer.push_back(change_sentence(g));
  return answer;
}

Report goodput_report(const Goodput& g) {
  Report report{g.name, {}};
  Report::Section& first = report.sections.emplace_back();
  for (std::string& sentence : goodput_answer(g)) first.blocks.emplace_back(std::move(sentence));
  if (!g.levers.empty()) report.sections.push_back({"What to change", {lever_table(g)}});
  report.sections.push_back({"Where the time goes", {time_table(g), closed_text(g)}});
  report.sections.push_back({"What an interruption costs",
                             {cause_table(g), std::string("Columns from detection on are means "
                                                          "of one interruption.")}});
  report.sections.push_back({"Checkpoints", {checkpoint_text(g)}});
  report.sections.push_back(
      {"One drawn run", {timeline_table(g), std::string("A full block: two hours of training that counts; a dot: none.")}});
  report.sections.push_back({"Inputs", {input_table(g), std::string(kAssumptions)}});
  if (!g.diagnostics.empty()) report.sections.push_back({"Of the step", {g.diagnostics}});
  return report;
}

}  // namespace railyard
