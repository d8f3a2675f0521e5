#include "collective/schedule.h"

namespace railyard {

std::string_view name_of(Algorithm) { return "ring"; }

std::uint64_t Schedule::messages() const {
  std::uint64_t all = 0;
  for (const Round& round : rounds) all += round.transfers.size() * std::uint64_t{round.repeats};
  return all;
}

std::uint64_t Schedule::repeats() const {
  std::uint64_t all = 0;
  for (const Round& round : rounds) all += round.repeats;
  return all;
}

Bytes all_reduce_cut_bytes(Bytes size) { return size; }
Bytes all_reduce_total_bytes(std::uint32_t positions, Bytes size) { return size * (2 * (std::int64_t{positions} - 1)); }

}  // namespace railyard
