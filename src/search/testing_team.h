// A team of threads that pass bytes as processes do, for tests.
#pragma once

#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/team_link.h"

namespace railyard {

/// What all of a team have in common: a box of letters for each.
struct Boxes {
  std::mutex mutex;
  std::vector<std::deque<std::pair<int, std::string>>> letters;
};

struct Member {
  Boxes* boxes = nullptr;
  std::string last;
  RailyardTeamLink link{};
};

inline void send_letter(void* self, int to, const char* data, std::size_t size) {
  Member& member = *static_cast<Member*>(self);
  const std::lock_guard lock(member.boxes->mutex);
  member.boxes->letters[static_cast<std::size_t>(to)].emplace_back(member.link.rank, std::string(data, size));
}

inline int receive_letter(void* self, const char** data, std::size_t* size) {
  Member& member = *static_cast<Member*>(self);
  const std::lock_guard lock(member.boxes->mutex);
  auto& own = member.boxes->letters[static_cast<std::size_t>(member.link.rank)];
  if (own.empty()) return -1;
  const int from = own.front().first;
  member.last = std::move(own.front().second);
  own.pop_front();
  *data = member.last.data(), *size = member.last.size();
  return from;
}

inline std::vector<Member> team_of(int size, Boxes& boxes) {
  boxes.letters.resize(static_cast<std::size_t>(size));
  std::vector<Member> members(static_cast<std::size_t>(size));
  for (int rank = 0; rank < size; rank++) {
    Member& member = members[static_cast<std::size_t>(rank)];
    member.boxes = &boxes;
    member.link = {kTeamLinkVersion, &member, rank, size, send_letter, receive_letter, nullptr};
  }
  return members;
}

}  // namespace railyard
