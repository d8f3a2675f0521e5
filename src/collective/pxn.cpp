// All_to_all along rails (NCCL 2.12, PXN): what is meant for rail r of other nodes first goes to the GPU of rail r of the own
// node, which sends one message per node for all of its neighbours. No message crosses between rails.
#include "collective/lowering.h"

namespace railyard {

std::uint32_t chunk_of_pair(const Shape& shape, PositionId from, PositionId to) {
  const std::uint32_t domains = shape.per_domain == 0 ? 1 : shape.positions / shape.per_domain;
  if (shape.per_domain * domains != shape.positions) return from.index() * shape.positions + to.index();
  const std::uint32_t rail = to.index() % shape.per_domain, domain = to.index() / shape.per_domain;
  return from.index() * shape.positions + rail * domains + domain;
}

Chunks pair_chunks(const Task& task) {
  const std::uint32_t n = task.shape.positions;
  if (task.options.pair_sizes.empty()) return Chunks::copies(task.size, n, n);
  RY_CHECK(task.options.pair_sizes.size() == std::size_t{n} * n, "an uneven all-to-all has a size for every pair");
  std::vector<Bytes> sizes(task.options.pair_sizes.size());
  for (std::uint32_t from = 0; from < n; from++)
    for (std::uint32_t to = 0; to < n; to++)
      sizes[chunk_of_pair(task.shape, PositionId(from), PositionId(to))] = task.options.pair_sizes[std::size_t{from} * n + to];
  return Chunks::listed(sizes);
}

Schedule pxn_schedule(const Task& task) {
  const std::uint32_t n = task.shape.positions, rails = task.shape.per_domain, domains = task.domains();
  Schedule schedule = empty_schedule(task, pair_chunks(task));
  std::vector<Transfer> inside, along_rails;
  for (std::uint32_t from = 0; from < n; from++) {
    const std::uint32_t domain = from / rails, rail = from % rails;
    for (std::uint32_t other = 0; other < rails; other++)
      if (other != rail)
        inside.push_back({.from = PositionId(from),
                          .to = PositionId(domain * rails + other),
                          .chunk = from * n + other * domains,
                          .chunks = domains});
    for (std::uint32_t other = 0; other < domains; other++)
      if (other != domain)
        along_rails.push_back({.from = PositionId(from),
                               .to = PositionId(other * rails + rail),
                               .chunk = domain * rails * n + rail * domains + other,
                               .chunks = rails,
                               .stride = n});
  }
  add_round(schedule, std::move(inside));
  add_round(schedule, std::move(along_rails));
  return schedule;
}

}  // namespace railyard
