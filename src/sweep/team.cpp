#include "sweep/team.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "base/check.h"
#include "search/team_work.h"
#include "sweep/disk_copies.h"

namespace railyard {

namespace {

std::string packed_question(const SweepQuestion& question, const Sweep& sweep, const CopyList& copies) {
  std::string out;
  for (const std::string& text : {question.scenario, question.version, question.program, question.folder, sweep.name(),
                                  sweep.files().packed(), packed(copies)})
    pack_text(text, out);
  for (const std::string& text : question.overrides) pack_text(text, out);
  return out;
}

/// A sweep that was sent.
struct SentSweep {
  explicit SentSweep(const std::string& packed) {
    std::string_view rest = packed;
    std::vector<std::string> words;
    while (std::optional<std::string> word = unpack_text(rest)) words.push_back(std::move(*word));
    RY_CHECK(words.size() >= 7, "a sweep is sent whole");
    question = {words[0], {words.begin() + 7, words.end()}, words[1], words[2], words[3]};
    name = words[4];
    files = FileBundle::unpacked(words[5]);
    std::optional<CopyList> list = unpacked_copies(words[6]);
    RY_CHECK(list, "a list of copies is whole");
    copies = std::move(*list);
  }

  SweepQuestion question;
  std::string name;
  FileBundle files;
  CopyList copies;
};

Diagnostic cannot_work(std::string why) { return {Severity::error, "RY-SWP-014", std::move(why), {}, {}}; }

/// Opens the sweep that was sent, or says why that cannot be.
Result<Sweep> sweep_from(const SentSweep& sent, const DiskCopies& copies, const Catalog& catalog) {
  if (!copies.wrong().empty()) return cannot_work(copies.wrong());
  if (sent.question.program != program_name())
    return cannot_work(fmt::format("it is railyard {}, and the first is railyard {}", program_name(), sent.question.program));
  copies.lend(sent.files);
  Result<Sweep> sweep = Sweep::open(sent.question, catalog, sent.files);
  if (sweep && sweep->name() != sent.name) return cannot_work("it makes other points of the same files");
  return sweep;
}

/// Rows of points, as texts.
MakeText texts_of(const Sweep& sweep) {
  return [&sweep](std::size_t point, Progress& part) { return row_text(sweep.run(point, part)); };
}

/// Fills copies part by part. False: it is over before they are there.
bool fetch_copies(const RailyardTeamLink& link, DiskCopies& copies) {
  for (std::string asked = copies.next(); !asked.empty(); asked = copies.next()) {
    send_message(link, 0, TeamWord::ask, asked);
    const TeamMessage part = wait_for_message(link);
    if (part.word == TeamWord::end) return false;
    RY_CHECK(part.word == TeamWord::part, "what was asked for comes");
    copies.take(part.text);
  }
  return true;
}

}  // namespace

Diagnostics lead_team(const RailyardTeamLink& link, const Sweep& sweep, const SweepQuestion& question,
                      std::span<const std::size_t> points, unsigned threads, SweepLedger& ledger, Progress& progress) {
  const CopyList copies = list_copies(sweep.files());
  send_to_others(link, TeamWord::question, packed_question(question, sweep, copies));
  const auto keep = [&](std::size_t point, const std::string& line) {
    std::optional<SweepRow> row = read_row(line, sweep.figures().size());
    RY_CHECK(row, "a row is sent whole");
    ledger.add(point, std::move(*row));
  };
  const auto hear = [&](const TeamMessage& message, Diagnostics& refused) {
    if (message.word == TeamWord::ask)
      send_message(link, message.from, TeamWord::part, part_of(copies, message.text));
    else if (message.word != TeamWord::ready)
      refused.push_back({Severity::error,
                         "RY-SWP-014",
                         fmt::format("process {} cannot work on this sweep: {}", message.from, message.text),
                         "start the same version of the program everywhere",
                         {}});
    return message.word == TeamWord::ready;
  };
  return lead_work(link, points, threads, texts_of(sweep), {keep, hear}, progress);
}

void dismiss_team(const RailyardTeamLink& link) { send_to_others(link, TeamWord::end, ""); }

void join_team(const RailyardTeamLink& link, const Catalog& catalog, unsigned threads) {
  for (;;) {
    const TeamMessage message = wait_for_message(link);
    if (message.word == TeamWord::end) return;
    if (message.word != TeamWord::question) continue;
    const SentSweep sent(message.text);
    DiskCopies copies(sent.copies);
    if (!fetch_copies(link, copies)) return;
    const Result<Sweep> sweep = sweep_from(sent, copies, catalog);
    if (!sweep) {
      send_message(link, 0, TeamWord::refusal, to_text(sweep.error().front()));
      continue;
    }
    send_message(link, 0, TeamWord::ready, "");
    assist_work(link, threads, texts_of(*sweep));
    return;
  }
}

}  // namespace railyard
