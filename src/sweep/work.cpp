#include "sweep/work.h"

#include <fmt/format.h>

#include "base/parallel.h"

namespace railyard {

void run_points(const Sweep& sweep, std::span<const std::size_t> points, unsigned threads, SweepLedger& ledger,
                Progress& progress) {
  constexpr std::uint64_t kPointWork = 1000;  // fine enough for a few long points
  progress.expect(points.size() * kPointWork);
  for_each_index(points.size(), threads, [&](std::size_t i) {
    progress.stop_if_cancelled();
    Progress part(progress, kPointWork);
    ledger.add(points[i], sweep.run(points[i], part));
  });
}

}  // namespace railyard
