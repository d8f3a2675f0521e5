#include "base/team_post.h"

#include <limits>
#include <thread>
#include <utility>

namespace railyard {

TeamPost::TeamPost(const RailyardTeamLink& link)
    : link_(link),
      out_(static_cast<std::size_t>(link.size)),
      in_(static_cast<std::size_t>(link.size)),
      early_(static_cast<std::size_t>(link.size)) {}

void TeamPost::swap() {
  constexpr unsigned kSpins = 256;  // some tens of microseconds; a process that waits longer lets others run
  for (unsigned k = 1; k < size(); k++) {
    const unsigned to = (rank() + k) % size();
    RY_CHECK(out_[to].size() < std::numeric_limits<int>::max(), "a message is smaller than 2 GiB");
    link_.send(link_.self, static_cast<int>(to), out_[to].data(), out_[to].size());
    out_[to].clear();
  }
  out_[rank()].clear();
  unsigned missing = size() - 1;
  std::vector<char> has_come(size(), 0);
  for (unsigned from = 0; from < size(); from++) {
    if (early_[from].empty()) continue;
    in_[from] = std::move(early_[from].front());
    early_[from].pop_front();
    has_come[from] = 1, missing--;
  }
  for (unsigned spins = 0; missing > 0;) {
    const char* data = nullptr;
    std::size_t length = 0;
    const int which = link_.receive(link_.self, &data, &length);
    if (which < 0) {
      if (++spins > kSpins) std::this_thread::yield();
      continue;
    }
    const auto from = static_cast<std::size_t>(which);
    if (has_come[from] != 0) {
      early_[from].emplace_back(data, length);
      continue;
    }
    in_[from].assign(data, length);
    has_come[from] = 1, missing--;
  }
}

}  // namespace railyard
