// Messages that processes of a team swap: each sends one to each other, and goes on when it has one of each.
#pragma once

#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/check.h"
#include "base/team_link.h"

namespace railyard {

/// Rounds of messages over a team's link. All processes call swap() equally often. While there is a TeamPost nobody else uses
/// the link to receive. Used by one thread at a time.
class TeamPost {
 public:
  explicit TeamPost(const RailyardTeamLink& link);

  [[nodiscard]] unsigned rank() const { return static_cast<unsigned>(link_.rank); }
  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(link_.size); }

  /// What `to` gets in the next round. Empty after swap().
  [[nodiscard]] std::string& outbox(unsigned to) { return out_[to]; }

  /// Sends all and waits for the others.
  void swap();

  /// What came from `from` in the last round; there until the next. Nothing of itself.
  [[nodiscard]] std::string_view inbox(unsigned from) const { return in_[from]; }

 private:
  const RailyardTeamLink& link_;
  std::vector<std::string> out_, in_;
  std::vector<std::deque<std::string>> early_;  // by process: of rounds to come
};

/// Puts rows as they lie in memory at the end of a message. All processes are the same program on machines of one kind.
template<class Row>
void pack_rows(const Row* rows, std::size_t count, std::string& out) {
  static_assert(std::is_trivially_copyable_v<Row>);
  out.append(reinterpret_cast<const char*>(rows), count * sizeof(Row));
}
template<class Row>
void pack_row(const Row& row, std::string& out) {
  pack_rows(&row, 1, out);
}

/// Takes rows from the front of a message. REQUIRES: it has as many.
template<class Row>
void unpack_rows(std::string_view& rest, Row* rows, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<Row>);
  RY_CHECK(rest.size() / sizeof(Row) >= count, "a message has what it says");
  if (count > 0) std::memcpy(static_cast<void*>(rows), rest.data(), count * sizeof(Row));
  rest.remove_prefix(count * sizeof(Row));
}
template<class Row>
[[nodiscard]] Row unpack_row(std::string_view& rest) {
  Row row;
  unpack_rows(rest, &row, 1);
  return row;
}

}  // namespace railyard
