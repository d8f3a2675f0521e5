#include "scheduler/write_placement.h"

#include <fmt/format.h>

#include <iterator>
#include <set>

namespace railyard {

std::string write_hostfile(const std::vector<std::string>& names, const std::vector<RankSeat>& seats) {
  std::vector<std::uint32_t> order, slots(names.size(), 0);
  for (const RankSeat& seat : seats)
    if (slots[seat.node]++ == 0) order.push_back(seat.node);
  std::string text;
  for (const std::uint32_t node : order) fmt::format_to(std::back_inserter(text), "{} slots={}\n", names[node], slots[node]);
  return text;
}

bool is_consecutive(const std::vector<RankSeat>& seats) {
  std::set<std::uint32_t> left;
  for (std::size_t rank = 1; rank < seats.size(); rank++) {
    if (seats[rank].node == seats[rank - 1].node) continue;
    left.insert(seats[rank - 1].node);
    if (left.contains(seats[rank].node)) return false;
  }
  return true;
}

std::string write_rankfile(const std::vector<std::string>& names, const std::vector<RankSeat>& seats) {
  std::string text;
  for (std::size_t rank = 0; rank < seats.size(); rank++)
    fmt::format_to(std::back_inserter(text), "rank {}={} slot={}\n", rank, names[seats[rank].node], seats[rank].gpu);
  return text;
}

std::string write_slurm_hosts(const std::vector<std::string>& names, const std::vector<RankSeat>& seats) {
  std::string text;
  for (const RankSeat& seat : seats) text += names[seat.node] + "\n";
  return text;
}

}  // namespace railyard
