#include <fmt/format.h>

#include <algorithm>

#include "answer/interference.h"
#include "base/quantity_text.h"

namespace railyard {

namespace {

constexpr double kNothing = 0.0005;  // of a time: nobody would notice

std::string length_text(double seconds_) { return format(from_seconds(seconds_)); }

std::string share_text(double share) {
  if (share < 0.0005) return "–";
  return fmt::format("{:.1f} %", share * 100);
}

std::string change_text(double share) {
  if (share > -kNothing && share < kNothing) return "0 %";
  return fmt::format("{:+.1f} %", share * 100);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); i++) text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

/// What sharing costs each of them.
std::string cost_text(const Interference& found) {
  std::vector<std::string> hurt, spared;
  std::vector<const JobFigures*> worst_first;
  for (const JobFigures& job : found.jobs) worst_first.push_back(&job);
  std::stable_sort(worst_first.begin(), worst_first.end(),
                   [](const JobFigures* a, const JobFigures* b) { return a->slowdown() > b->slowdown(); });
  for (const JobFigures* job : worst_first)
    if (job->slowdown() < kNothing)
      spared.push_back(job->name);
    else
      hurt.push_back(fmt::format("{} takes {} instead of {} ({})", job->name, length_text(job->together.mean),
                                 length_text(job->alone.mean), change_text(job->slowdown())));
  if (found.jobs.size() == 1)
    return fmt::format("{} has the fabric to itself: its turns take {}.", spared.front(),
                       length_text(found.jobs[0].alone.mean));
  if (hurt.empty())
    return fmt::format("Sharing the fabric costs nobody anything: {} jobs take as long together as alone.", found.jobs.size());
  std::string text = fmt::format("Beside {} {}", found.jobs.size() == 2 ? "each other" : "the others", joined(hurt));
  if (!spared.empty())
    text += fmt::format("; {} no longer than alone", joined(spared) + (spared.size() == 1 ? " takes" : " take"));
  return text + ".";
}

/// What it does to single messages: a job's traffic may end no later, and each of its messages nevertheless.
std::string messages_text(const Interference& found) {
  std::vector<std::string> hurt;
  for (const JobFigures& job : found.jobs) {
    const TurnTimes &alone = job.message_alone, &together = job.message_together;
    if (job.kind != JobKind::traffic || together.p99 < alone.p99 * 1.01) continue;
    hurt.push_back(fmt::format("{} take {} in the median instead of {}, one in a hundred {} instead of {}", job.name,
                               length_text(together.median), length_text(alone.median), length_text(together.p99),
                               length_text(alone.p99)));
  }
  return hurt.empty() ? "" : fmt::format("Messages of {}.", joined(hurt));
}

/// What those who ask wait for.
std::string served_text(const Interference& found) {
  std::vector<std::string> texts;
  const auto both = [](const TurnTimes& times) { return length_text(times.median) + " and " + length_text(times.p99); };
  for (const ServedLoad& load : found.served)
    texts.push_back(fmt::format(
        "The first token of {} comes after {} (median, and one in a hundred) instead of {}, each further "
        "one after {} instead of {}.",
        load.name, both(load.first_together), both(load.first_alone), both(load.next_together), both(load.next_alone)));
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : " ") + one;
  return text;
}

/// Who does most to whom.
std::string blame_text(const Interference& found) {
  double most = kNothing;
  std::string text;
  for (std::size_t i = 0; i < found.beside.size() && found.jobs.size() > 2; i++)
    for (std::size_t j = 0; j < found.jobs.size(); j++)
      if (found.beside[i][j] > most) {
        most = found.beside[i][j];
        text = fmt::format("Most is what {} does to {}: {} if nobody else is there.", found.jobs[j].name, found.jobs[i].name,
                           change_text(most));
      }
  return text;
}

std::string place_text(const Interference& found) {
  if (found.jobs.size() == 1) return {};
  std::uint32_t links = 0, shared = 0;
  for (const SharedTier& tier : found.tiers) links += tier.links, shared += tier.shared;
  if (shared == 0) return fmt::format("They meet on none of the {} links of the fabric.", format_count(links));
  const SharedLink& link = found.links.front();
  std::vector<std::string> shares;
  for (std::size_t job = 0; job < link.shares.size(); job++)
    if (link.shares[job] >= kNothing)
      shares.push_back(fmt::format("{} for {}", share_text(link.shares[job]), found.jobs[job].name));
  return fmt::format("They meet on {} of {} links; the fullest is {}: {} of it on average, alone {}.", format_count(shared),
                     format_count(links), link.name, share_text(link.together), joined(shares));
}

std::string phase_text(const Interference& found) {
  std::vector<std::string> changes;
  bool differs = false, costs = false;
  for (const JobFigures& job : found.jobs) {
    if (!job.staggered) return {};
    const double apart = job.staggered->mean / job.alone.mean - 1;
    changes.push_back(fmt::format("{} {}", job.name, change_text(apart)));
    differs |= std::abs(apart - job.slowdown()) > kNothing;
    costs |= apart > kNothing;
  }
  if (!differs) return "It makes no difference whether they begin at a time or out of phase.";
  return fmt::format("If each begins a part of its step later than the one before, sharing costs {}.",
                     costs ? joined(changes) : "nobody anything");
}

TextTable jobs_table(const Interference& found) {
  TextTable table{{"job", "turn", "GPUs", "servers", "alone", "median", "p99", "longer"},
                  {Align::left, Align::left, Align::right, Align::left, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const JobFigures& job : found.jobs)
    table.rows.push_back({job.name, job.turn, job.gpus > 0 ? format_count(job.gpus) : "of " + job.of, job.servers,
                          length_text(job.alone.mean), length_text(job.together.median), length_text(job.together.p99),
                          change_text(job.slowdown())});
  if (std::any_of(found.jobs.begin(), found.jobs.end(), [](const JobFigures& job) { return job.staggered.has_value(); })) {
    table.header.emplace_back("out of phase");
    table.align.push_back(Align::right);
    for (std::size_t i = 0; i < found.jobs.size(); i++)
      table.rows[i].push_back(change_text(found.jobs[i].staggered->mean / found.jobs[i].alone.mean - 1));
  }
  return table;
}

TextTable matrix_table(const Interference& found) {
  TextTable table{{"longer by"}, {Align::left}, {}};
  for (const JobFigures& job : found.jobs) {
    table.header.push_back("beside " + job.name);
    table.align.push_back(Align::right);
  }
  for (std::size_t i = 0; i < found.jobs.size(); i++) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(found.jobs[i].name);
    for (std::size_t j = 0; j < found.jobs.size(); j++) row.push_back(i == j ? "–" : change_text(found.beside[i][j]));
  }
  return table;
}

TextTable ops_table(const Interference& found) {
  TextTable table{{"job", "what", "group", "calls", "alone", "together", "longer", "longest"},
                  {Align::left, Align::left, Align::left, Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const JobFigures& job : found.jobs)
    for (const SharedOp& op : job.ops)
      table.rows.push_back({job.name, op.name, op.group, format_count(op.calls), length_text(op.alone_s),
                            length_text(op.together_s), change_text(op.together_s / op.alone_s - 1),
                            length_text(op.longest_s)});
  return table;
}

TextTable buses_table(const Interference& found) {
  TextTable table{{"job", "collective", "size", "alone", "together"},
                  {Align::left, Align::left, Align::right, Align::right, Align::right},
                  {}};
  const auto rate = [](double bytes_per_second) { return fmt::format("{:.2f} GB/s", bytes_per_second / 1e9); };
  for (const JobFigures& job : found.jobs)
    if (job.bus)
      table.rows.push_back(
          {job.name, job.bus->collective, format(job.bus->size), rate(job.bus->alone), rate(job.bus->together)});
  return table;
}

TextTable messages_table(const Interference& found) {
  TextTable table{{"job", "median alone", "together", "p99 alone", "together", "slowest alone", "together"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const JobFigures& job : found.jobs) {
    if (job.kind != JobKind::traffic) continue;
    const TurnTimes &alone = job.message_alone, &together = job.message_together;
    table.rows.push_back({job.name, length_text(alone.median), length_text(together.median), length_text(alone.p99),
                          length_text(together.p99), length_text(alone.most), length_text(together.most)});
  }
  return table;
}

TextTable packets_table(const Interference& found) {
  TextTable table{{"who", "marked", "pauses", "dropped", "timeouts"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right},
                  {}};
  const auto row = [&](const std::string& who, const PacketFigures& figures) {
    table.rows.push_back({who, format_count(figures.marked), format_count(figures.pauses), format_count(figures.dropped),
                          format_count(figures.timeouts)});
  };
  for (const JobFigures& job : found.jobs) row(job.name + " alone", *job.packets_alone);
  row("all together", *found.packets);
  for (const ClassFigures& one : found.packets->classes)
    table.rows.push_back({fmt::format("of class {}", one.name), format_count(one.marked), format_count(one.pauses),
                          format_count(one.dropped), "–"});
  return table;
}

Report::Section links_section(const Interference& found) {
  Report::Section section{"Where they meet", {}};
  TextTable tiers{{"tier", "links", "used", "by several"}, {Align::left, Align::right, Align::right, Align::right}, {}};
  for (const SharedTier& tier : found.tiers)
    tiers.rows.push_back({tier.name, format_count(tier.links), format_count(tier.used), format_count(tier.shared)});
  section.blocks.push_back(tiers);
  if (found.links.empty()) return section;
  TextTable links{{"fullest links of several jobs"}, {Align::left}, {}};
  for (const JobFigures& job : found.jobs) links.header.push_back(job.name), links.align.push_back(Align::right);
  links.header.emplace_back("together");
  links.align.push_back(Align::right);
  for (const SharedLink& link : found.links) {
    std::vector<std::string>& row = links.rows.emplace_back();
    row.push_back(link.name);
    for (const double share : link.shares) row.push_back(share_text(share));
    row.push_back(share_text(link.together));
  }
  section.blocks.push_back(links);
  section.blocks.push_back(
      std::string("Mean use of a link over the run: of each job alone, and of all together, where each job "
                  "goes on until all have had their turns."));
  return section;
}

}  // namespace

std::vector<JobSentence> answer_of(const Interference& found) {
  std::vector<JobSentence> sentences = {{"sharing", cost_text(found)}};
  for (JobSentence sentence : {JobSentence{"serving", served_text(found)}, JobSentence{"messages", messages_text(found)},
                               JobSentence{"blame", blame_text(found)}, JobSentence{"place", place_text(found)},
                               JobSentence{"phase", phase_text(found)}})
    if (!sentence.text.empty()) sentences.push_back(std::move(sentence));
  if (!found.packets)
    sentences.push_back(
        {"unknown",
         "Not told by this run: queues, losses and pauses, and what congestion control makes of them (flows share "
         "links at once)."});
  return sentences;
}

Report interference_report(const Interference& found) {
  Report report{found.name.empty() ? "Several jobs on one fabric" : found.name, {}};
  Report::Section answer{"", {}};
  for (const JobSentence& sentence : answer_of(found)) answer.blocks.push_back(sentence.text);
  report.sections.push_back(std::move(answer));
  report.sections.push_back(
      {"Jobs",
       {jobs_table(found),
        fmt::format("A turn is a training step, a pass of serving, a collective, or all of a job's traffic once. Times of the "
                    "turns that count, beside all others, "
                    "in {}.{}",
                    length_text(found.length_s), found.exact ? "" : " Completions that lie close together are merged.")}});
  if (found.jobs.size() > 2 && !found.beside.empty()) report.sections.push_back({"Two at a time", {matrix_table(found)}});
  TextTable ops = ops_table(found);
  if (!ops.rows.empty())
    report.sections.push_back({"Collectives between scale-up domains", {std::move(ops), std::string("Means of one call.")}});
  if (TextTable buses = buses_table(found); !buses.rows.empty())
    report.sections.push_back(
        {"Bus bandwidth", {std::move(buses), std::string("As nccl-tests count it: busbw, of the mean time of a turn.")}});
  if (TextTable messages = messages_table(found); !messages.rows.empty())
    report.sections.push_back({"Messages of traffic", {std::move(messages), std::string("From start to delivery.")}});
  if (found.packets)
    report.sections.push_back({"Packets", {packets_table(found), std::string("Pauses: by PFC, or for want of credits.")}});
  if (found.jobs.size() > 1) report.sections.push_back(links_section(found));
  if (!found.findings.empty()) report.sections.push_back({"Findings", {found.findings}});
  report.sections.push_back({"", {fmt::format("fingerprint {}", found.fingerprint)}});
  return report;
}

}  // namespace railyard
