#include "search/team_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <thread>
#include <vector>

#include "base/check.h"
#include "search/work_pool.h"

namespace railyard {

namespace {

using namespace std::chrono_literals;

constexpr auto kBetweenLooks = 500us;

/// Numbers that are not yet given to anybody, and how many each process has.
class Assignment {
 public:
  Assignment(std::span<const std::size_t> numbers, int processes, unsigned threads)
      : numbers_(numbers), threads_(threads), held_(static_cast<std::size_t>(processes), 0), is_ready_(held_.size(), 0) {
    is_ready_.front() = 1;
  }

  void is_ready(int process) { is_ready_[static_cast<std::size_t>(process)] = 1; }

  /// More numbers for a process that can work and has few left; none for others. The fewer are left, the fewer at a time.
  std::span<const std::size_t> more_for(int process) {
    constexpr std::size_t kMost = 32, kShare = 4;  // of an equal part of what is left
    std::size_t& held = held_[static_cast<std::size_t>(process)];
    const std::size_t left = numbers_.size() - given_;
    const std::size_t chunk = std::clamp<std::size_t>(left / (held_.size() * threads_ * kShare), 1, kMost) * threads_;
    if (left == 0 || held > chunk / 2 || is_ready_[static_cast<std::size_t>(process)] == 0) return {};
    const std::span<const std::size_t> part = numbers_.subspan(given_, std::min(chunk, left));
    given_ += part.size(), held += part.size();
    return part;
  }
  void has_done(int process) { held_[static_cast<std::size_t>(process)]--, done_++; }
  [[nodiscard]] bool is_over() const { return done_ == numbers_.size(); }

 private:
  std::span<const std::size_t> numbers_;
  std::size_t threads_;
  std::vector<std::size_t> held_;
  std::vector<char> is_ready_;
  std::size_t given_ = 0, done_ = 0;
};

/// Takes a number and the blank or the end after it.
std::size_t take_number(std::string_view& text) {
  std::size_t number = 0;
  const auto [next, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  RY_CHECK(problem == std::errc(), "numbers are numbers");
  text.remove_prefix(std::min(text.size(), static_cast<std::size_t>(next - text.data()) + 1));
  return number;
}

std::vector<std::size_t> numbers_of(std::string_view text) {
  std::vector<std::size_t> out;
  while (!text.empty()) out.push_back(take_number(text));
  return out;
}

}  // namespace

std::optional<TeamMessage> next_message(const RailyardTeamLink& link) {
  const char* data = nullptr;
  std::size_t size = 0;
  const int from = link.receive(link.self, &data, &size);
  if (from < 0) return std::nullopt;
  RY_CHECK(size > 0, "a message has a word");
  return TeamMessage{from, TeamWord(*data), std::string(data + 1, size - 1)};
}

TeamMessage wait_for_message(const RailyardTeamLink& link) {
  for (;;) {
    if (std::optional<TeamMessage> message = next_message(link)) return std::move(*message);
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

void send_message(const RailyardTeamLink& link, int to, TeamWord word, std::string_view text) {
  std::string message(1, static_cast<char>(word));
  message += text;
  link.send(link.self, to, message.data(), message.size());
}

void send_to_others(const RailyardTeamLink& link, TeamWord word, std::string_view text) {
  for (int rank = 1; rank < link.size; rank++) send_message(link, rank, word, text);
}

Diagnostics lead_work(const RailyardTeamLink& link, std::span<const std::size_t> numbers, unsigned threads,
                      const MakeText& make, const TeamLead& lead, Progress& progress) {
  progress.expect(numbers.size() * kNumberWork);
  Assignment assignment(numbers, link.size, threads);
  Diagnostics refused;
  WorkPool pool(make, threads, progress);
  const auto keep = [&](int from, std::size_t number, std::string text) {
    lead.keep(number, std::move(text));
    assignment.has_done(from);
    progress.add(kNumberWork);
  };
  while (!assignment.is_over() && refused.empty()) {
    pool.push(assignment.more_for(0));
    for (int rank = 1; rank < link.size; rank++)
      if (const auto more = assignment.more_for(rank); !more.empty())
        send_message(link, rank, TeamWord::numbers, fmt::format("{}", fmt::join(more, " ")));
    while (std::optional<TeamMessage> message = next_message(link)) {
      std::string_view text = message->text;
      if (message->word == TeamWord::made) {
        const std::size_t number = take_number(text);
        keep(message->from, number, std::string(text));
      } else if (lead.hear(*message, refused)) {
        assignment.is_ready(message->from);
      }
    }
    for (WorkPool::Made& made : pool.take(kBetweenLooks)) keep(0, made.number, std::move(made.text));
  }
  return refused;
}

std::string assist_work(const RailyardTeamLink& link, unsigned threads, const MakeText& make) {
  Progress unseen;
  WorkPool pool(make, threads, unseen);
  for (;;) {
    while (std::optional<TeamMessage> message = next_message(link)) {
      if (message->word == TeamWord::end) return std::move(message->text);
      RY_CHECK(message->word == TeamWord::numbers, "who assists gets numbers");
      pool.push(numbers_of(message->text));
    }
    for (const WorkPool::Made& made : pool.take(kBetweenLooks))
      send_message(link, 0, TeamWord::made, fmt::format("{} {}", made.number, made.text));
  }
}

}  // namespace railyard
