#include "collective/schedule.h"

#include <algorithm>
#include <tuple>

namespace railyard {

namespace {

/// The bytes of all messages of a transfer: chunks form a grid of times × chunks, of which the longer side is summed at once.
Bytes bytes_in_all(const Schedule& schedule, const Round& round, const Transfer& transfer) {
  const Chunks& chunks = schedule.chunks;
  const bool by_time = transfer.chunks <= round.times;
  const std::uint32_t outer = by_time ? transfer.chunks : round.times,
                      outer_step = by_time ? transfer.stride : round.chunk_step;
  const std::uint32_t inner = by_time ? round.times : transfer.chunks,
                      inner_step = by_time ? round.chunk_step : transfer.stride;
  Bytes sum;
  for (std::uint64_t i = 0; i < outer; i++)
    sum += chunks.sum(static_cast<std::uint32_t>((transfer.chunk + i * outer_step) % chunks.count()), inner_step, inner);
  return sum;
}

}  // namespace

std::uint64_t Schedule::messages() const {
  std::uint64_t all = 0;
  for (const Round& round : rounds) all += round.transfers.size() * std::uint64_t{round.times};
  return all;
}

std::uint64_t Schedule::repeats() const {
  std::uint64_t all = 0;
  for (const Round& round : rounds) all += round.repeats;
  return all;
}

std::vector<EdgeLoad> edge_loads(const Schedule& schedule) {
  std::vector<EdgeLoad> all;
  for (const Round& round : schedule.rounds)
    for (const Transfer& transfer : round.transfers)
      all.push_back({transfer.from, transfer.to, bytes_in_all(schedule, round, transfer), round.times});
  std::sort(all.begin(), all.end(),
            [](const EdgeLoad& a, const EdgeLoad& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });
  std::vector<EdgeLoad> loads;
  for (const EdgeLoad& load : all) {
    if (loads.empty() || loads.back().from != load.from || loads.back().to != load.to) {
      loads.push_back(load);
      continue;
    }
    loads.back().bytes += load.bytes;
    loads.back().messages += load.messages;
  }
  return loads;
}

}  // namespace railyard
