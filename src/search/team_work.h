// Numbered work on several processes: the first hands out numbers, whoever has little left to do gets more, and texts come
// back.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "base/result.h"
#include "base/team_link.h"

namespace railyard {

/// The first byte of a message. From the first process: what is asked, a part of a file, numbers, the end. To it: which part is
/// asked for, that work may begin, what a number gave, why there will be nothing.
enum class TeamWord : char {
  question = 'S',
  part = 'P',
  numbers = 'N',
  end = 'E',
  ask = 'A',
  ready = 'O',
  made = 'R',
  refusal = 'X'
};

struct TeamMessage {
  int from = 0;
  TeamWord word = TeamWord::end;
  std::string text;
};

/// Nothing if none has come.
std::optional<TeamMessage> next_message(const RailyardTeamLink& link);
/// It may be long until one comes.
TeamMessage wait_for_message(const RailyardTeamLink& link);
void send_message(const RailyardTeamLink& link, int to, TeamWord word, std::string_view text);
/// From the first process to all others.
void send_to_others(const RailyardTeamLink& link, TeamWord word, std::string_view text);

/// What a number gives; on any thread of any process. Throws Cancelled.
using MakeText = std::function<std::string(std::size_t number, Progress& part)>;

/// What the first process does with what comes. Both are called by the thread that leads.
struct TeamLead {
  std::function<void(std::size_t number, std::string text)> keep;
  /// Every other message. True: its sender is ready for numbers. What is refused ends the work.
  std::function<bool(const TeamMessage& message, Diagnostics& refused)> hear;
};

/// For the first process. Returns when every number is kept, or something was refused; the others still wait. Every number is
/// `kNumberWork` of `progress`. Throws Cancelled.
inline constexpr std::uint64_t kNumberWork = 1000;  // fine enough for a few long ones
Diagnostics lead_work(const RailyardTeamLink& link, std::span<const std::size_t> numbers, unsigned threads,
                      const MakeText& make, const TeamLead& lead, Progress& progress);

/// For every other process, once it has said that it is ready: makes texts until the end, and returns what came with that.
std::string assist_work(const RailyardTeamLink& link, unsigned threads, const MakeText& make);

}  // namespace railyard
