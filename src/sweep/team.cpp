#include "sweep/team.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "base/check.h"
#include "sweep/pool.h"

namespace railyard {

namespace {

using namespace std::chrono_literals;

// The first byte of a message. From the first process: the sweep, numbers, the end. To it: a row, why there will be none.
constexpr char kSweepMessage = 'S', kNumbersMessage = 'N', kEndMessage = 'E', kRowMessage = 'R', kRefusalMessage = 'X';

constexpr auto kBetweenLooks = 500us;

struct TeamMessage {
  int from = 0;
  char kind = 0;
  std::string text;
};

std::optional<TeamMessage> next_message(const RailyardTeamLink& link) {
  const char* data = nullptr;
  std::size_t size = 0;
  const int from = link.receive(link.self, &data, &size);
  if (from < 0) return std::nullopt;
  RY_CHECK(size > 0, "a message has a kind");
  return TeamMessage{from, *data, std::string(data + 1, size - 1)};
}

void send_message(const RailyardTeamLink& link, int to, char kind, const std::string& text) {
  const std::string message = kind + text;
  link.send(link.self, to, message.data(), message.size());
}

std::string packed_question(const SweepQuestion& question, const Sweep& sweep) {
  std::string out;
  for (const std::string& text : {question.scenario, question.version, sweep.name(), sweep.files().packed()})
    pack_text(text, out);
  for (const std::string& text : question.overrides) pack_text(text, out);
  return out;
}

/// Numbers that are not yet given to anybody, and how many each process has.
class Assignment {
 public:
  Assignment(std::span<const std::size_t> points, int processes, unsigned threads)
      : points_(points), threads_(threads), held_(static_cast<std::size_t>(processes), 0) {}

  /// More numbers for a process that has few left; none for others. The fewer are left, the fewer at a time.
  std::span<const std::size_t> more_for(int process) {
    constexpr std::size_t kMost = 32, kShare = 4;  // of an equal part of what is left
    std::size_t& held = held_[static_cast<std::size_t>(process)];
    const std::size_t left = points_.size() - given_;
    const std::size_t chunk = std::clamp<std::size_t>(left / (held_.size() * threads_ * kShare), 1, kMost) * threads_;
    if (left == 0 || held > chunk / 2) return {};
    const std::span<const std::size_t> part = points_.subspan(given_, std::min(chunk, left));
    given_ += part.size(), held += part.size();
    return part;
  }
  void has_done(int process) { held_[static_cast<std::size_t>(process)]--, done_++; }
  [[nodiscard]] bool is_over() const { return done_ == points_.size(); }

 private:
  std::span<const std::size_t> points_;
  std::size_t threads_;
  std::vector<std::size_t> held_;
  std::size_t given_ = 0, done_ = 0;
};

std::string numbers_text(std::span<const std::size_t> numbers) { return fmt::format("{}", fmt::join(numbers, " ")); }

std::vector<std::size_t> numbers_of(const std::string& text) {
  std::vector<std::size_t> out;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    std::size_t number = 0;
    const auto [next, problem] = std::from_chars(at, end, number);
    RY_CHECK(problem == std::errc(), "numbers are numbers");
    out.push_back(number);
    at = next + 1;
  }
  return out;
}

/// Opens the sweep that was sent, or says why that cannot be.
Result<Sweep> sweep_from(const std::string& packed, const Catalog& catalog) {
  std::string_view rest = packed;
  std::vector<std::string> words;
  while (std::optional<std::string> word = unpack_text(rest)) words.push_back(std::move(*word));
  RY_CHECK(words.size() >= 4, "a sweep is sent whole");
  const SweepQuestion question{words[0], {words.begin() + 4, words.end()}, words[1]};
  Result<Sweep> sweep = Sweep::open(question, catalog, FileBundle::unpacked(words[3]));
  if (sweep && sweep->name() != words[2])
    return Diagnostic{Severity::error, "RY-SWP-014", "it makes other points of the same files", {}, {}};
  return sweep;
}

/// Runs what it is told to until it is told to stop.
void work_for_team(const RailyardTeamLink& link, const Sweep& sweep, unsigned threads) {
  Progress unseen;
  PointPool pool(sweep, threads, unseen);
  for (;;) {
    while (const std::optional<TeamMessage> message = next_message(link)) {
      if (message->kind == kEndMessage) return;
      pool.push(numbers_of(message->text));
    }
    for (const NumberedRow& done : pool.take(kBetweenLooks)) send_message(link, 0, kRowMessage, row_line(done.point, done.row));
  }
}

}  // namespace

Diagnostics lead_team(const RailyardTeamLink& link, const Sweep& sweep, const SweepQuestion& question,
                      std::span<const std::size_t> points, unsigned threads, SweepLedger& ledger, Progress& progress) {
  constexpr std::uint64_t kPointWork = 1000;
  progress.expect(points.size() * kPointWork);
  const std::string packed = packed_question(question, sweep);
  for (int rank = 1; rank < link.size; rank++) send_message(link, rank, kSweepMessage, packed);
  Assignment assignment(points, link.size, threads);
  Diagnostics refused;
  PointPool pool(sweep, threads, progress);
  const auto keep = [&](int from, NumberedRow row) {
    ledger.add(row.point, std::move(row.row));
    assignment.has_done(from);
    progress.add(kPointWork);
  };
  while (!assignment.is_over() && refused.empty()) {
    pool.push(assignment.more_for(0));
    for (int rank = 1; rank < link.size; rank++)
      if (const auto more = assignment.more_for(rank); !more.empty())
        send_message(link, rank, kNumbersMessage, numbers_text(more));
    while (const std::optional<TeamMessage> message = next_message(link)) {
      std::optional<NumberedRow> row = read_row_line(message->text, sweep.figures().size());
      if (message->kind == kRowMessage && row)
        keep(message->from, std::move(*row));
      else
        refused.push_back({Severity::error,
                           "RY-SWP-014",
                           fmt::format("process {} cannot work on this sweep: {}", message->from, message->text),
                           "start the same version of the program everywhere",
                           {}});
    }
    for (NumberedRow& row : pool.take(kBetweenLooks)) keep(0, std::move(row));
  }
  return refused;
}

void dismiss_team(const RailyardTeamLink& link) {
  for (int rank = 1; rank < link.size; rank++) send_message(link, rank, kEndMessage, "");
}

void join_team(const RailyardTeamLink& link, const Catalog& catalog, unsigned threads) {
  for (;;) {
    const std::optional<TeamMessage> message = next_message(link);
    if (!message) {
      std::this_thread::sleep_for(kBetweenLooks);
      continue;
    }
    if (message->kind == kEndMessage) return;
    if (message->kind != kSweepMessage) continue;
    const Result<Sweep> sweep = sweep_from(message->text, catalog);
    if (sweep) return work_for_team(link, *sweep, threads);
    send_message(link, 0, kRefusalMessage, to_text(sweep.error().front()));
  }
}

}  // namespace railyard
