#include "search/crew.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/check.h"
#include "base/parallel.h"

namespace railyard {

struct Crew::Team {
  const RailyardTeamLink& link;
  std::uint64_t round = 0;
};

namespace {

/// "17 4": a round and how much there is in it. Of those who are behind, the first hears of rounds that are over.
std::string round_text(std::uint64_t round, std::size_t count) { return fmt::format("{} {}", round, count); }

Diagnostics no_agreement(std::string message, std::string hint) {
  return {{Severity::error, "RY-SEA-005", std::move(message), std::move(hint), {}}};
}

Diagnostics other_question(int process) {
  return no_agreement(fmt::format("process {} has another scenario, other settings or another build of the program", process),
                      "start the same command with the same build everywhere, in a folder that all machines share");
}

Diagnostics not_there(const TeamMessage& message) {
  return no_agreement(fmt::format("process {} cannot go on: {}", message.from, message.text),
                      "put program and files where all machines see them");
}

/// That a text begins with; 0 where it begins otherwise.
std::uint64_t number_in(const std::string& text) { return std::strtoull(text.c_str(), nullptr, 10); }

/// What the first process tells the others, or what it is told to say, after so many rounds.
Diagnostics gather_questions(const RailyardTeamLink& link, std::uint64_t rounds, const std::string& question,
                             const Diagnostics& own) {
  Diagnostics refused = own;
  for (int missing = link.size - 1; missing > 0; missing--) {
    TeamMessage message = wait_for_message(link);
    while (message.word == TeamWord::ready && number_in(message.text) < rounds)
      message = wait_for_message(link);  // it was late
    if (!refused.empty()) continue;
    if (message.word == TeamWord::refusal)
      refused = not_there(message);
    else if (message.word != TeamWord::question || message.text != question)
      refused = other_question(message.from);
  }
  send_to_others(link, refused.empty() ? TeamWord::question : TeamWord::refusal, {});
  return refused;
}

void pack_line(const std::string& text, std::string& out) { out += fmt::format("{} ", text.size()) + text; }

std::vector<std::string> unpack_lines(std::string_view packed) {
  std::vector<std::string> out;
  while (!packed.empty()) {
    const std::size_t blank = packed.find(' ');
    RY_CHECK(blank != std::string_view::npos, "a text has its length before it");
    const std::size_t size = number_in(std::string(packed.substr(0, blank)));
    RY_CHECK(size <= packed.size() - blank - 1, "texts are whole");
    out.emplace_back(packed.substr(blank + 1, size));
    packed.remove_prefix(blank + 1 + size);
  }
  return out;
}

}  // namespace

Crew::Crew(const RailyardTeamLink& link, unsigned threads)
    : threads_(std::max(1U, threads)), team_(std::make_shared<Team>(Team{link})) {}

bool Crew::is_first() const { return !team_ || team_->link.rank == 0; }

Diagnostics Crew::agree(const std::string& question, const Diagnostics& own) const {
  if (!team_) return own;
  const RailyardTeamLink& link = team_->link;
  if (is_first()) return gather_questions(link, team_->round, question, own);
  if (own.empty())
    send_message(link, 0, TeamWord::question, question);
  else
    send_message(link, 0, TeamWord::refusal, fmt::format("{}: {}", own.front().code, own.front().message));
  const TeamMessage answer = wait_for_message(link);
  if (!own.empty() || answer.word == TeamWord::question) return own;
  return no_agreement("the first process does not go on", {});
}

std::vector<std::string> Crew::share(std::size_t count, const std::function<std::optional<std::string>(std::size_t)>& known,
                                     const MakeText& make, const std::function<void(std::size_t, const std::string&)>& keep,
                                     Progress& progress) const {
  RY_CHECK(team_, "who is alone shares nothing");
  const RailyardTeamLink& link = team_->link;
  const std::string round = round_text(team_->round++, count);
  if (!is_first()) {
    send_message(link, 0, TeamWord::ready, round);
    std::vector<std::string> texts = unpack_lines(assist_work(link, threads_, make));
    if (texts.size() != count) throw TeamBroken{"it does not do what the first process does"};
    return texts;
  }
  std::vector<std::string> texts(count);
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < count; i++)
    if (std::optional<std::string> text = known(i))
      texts[i] = std::move(*text);
    else
      numbers.push_back(i);
  progress.expect((count - numbers.size()) * kNumberWork);
  progress.add((count - numbers.size()) * kNumberWork);
  const TeamLead lead{.keep =
                          [&](std::size_t number, std::string text) {
                            keep(number, text);
                            texts[number] = std::move(text);
                          },
                      .hear =
                          [&](const TeamMessage& message, Diagnostics& refused) {
                            if (message.word == TeamWord::ready && message.text == round) return true;
                            if (message.word == TeamWord::refusal)
                              refused = not_there(message);
                            else if (message.word != TeamWord::ready || number_in(message.text) + 1 >= team_->round)
                              refused = other_question(message.from);
                            return false;
                          }};
  const Diagnostics refused = lead_work(link, numbers, threads_, make, lead, progress);
  if (!refused.empty()) throw TeamBroken{refused.front().message};
  std::string all;
  for (const std::string& text : texts) pack_line(text, all);
  send_to_others(link, TeamWord::end, all);
  return texts;
}

Diagnostics open_journal(const Crew& crew, Journal& journal, const std::filesystem::path& path, const std::string& question,
                         std::size_t values) {
  const bool is_kept = crew.is_first() && !path.empty();
  return crew.agree(question, is_kept ? journal.open(path, question, values) : Diagnostics{});
}

std::vector<Outcome> measure_trials(const Crew& crew, Journal& journal, const std::vector<SearchTrial>& trials,
                                    const std::function<Outcome(std::size_t, Progress&)>& measure, Progress& progress) {
  std::vector<Outcome> out(trials.size());
  if (crew.is_alone()) {
    progress.expect(trials.size() * kNumberWork);
    for_each_index(trials.size(), crew.threads(), [&](std::size_t i) {
      progress.stop_if_cancelled();
      Progress part(progress, kNumberWork);
      if (std::optional<Outcome> known = journal.find(trials[i].level, trials[i].point)) {
        out[i] = std::move(*known);
        return;
      }
      out[i] = measure(i, part);
      journal.add(trials[i].level, trials[i].point, out[i]);
    });
    return out;
  }
  const auto known = [&](std::size_t i) -> std::optional<std::string> {
    const std::optional<Outcome> found = journal.find(trials[i].level, trials[i].point);
    return found ? std::optional(outcome_text(*found)) : std::nullopt;
  };
  const auto read = [](const std::string& text) {
    std::optional<Outcome> outcome = read_outcome(text);
    RY_CHECK(outcome, "what was measured is sent whole");
    return std::move(*outcome);
  };
  const std::vector<std::string> texts = crew.share(
      trials.size(), known, [&](std::size_t i, Progress& part) { return outcome_text(measure(i, part)); },
      [&](std::size_t i, const std::string& text) { journal.add(trials[i].level, trials[i].point, read(text)); }, progress);
  for (std::size_t i = 0; i < trials.size(); i++) out[i] = read(texts[i]);
  return out;
}

}  // namespace railyard
