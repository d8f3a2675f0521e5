#include "sweep/sweep_check.h"

#include <algorithm>

namespace railyard {

std::optional<Diagnostics> mistakes_of_sweep(const SweepQuestion& question, const Catalog& catalog, const FileBundle& files) {
  constexpr std::size_t kTried = 64;
  const ReadFile read = files.reader(disk_or_preset_reader(question.scenario));
  const Result<SweepDocument> document = load_sweep_document(question.scenario, question.overrides, read);
  if (!document || !document->sweep.members() || document->sweep.members()->empty()) return std::nullopt;
  const Result<Sweep> sweep = Sweep::open(question, catalog, files);
  if (!sweep) return sweep.error();
  const Result<Scenario> first = sweep->scenario(0);
  if (first) return Diagnostics{};
  for (std::size_t p = 1; p < std::min(sweep->points().size(), kTried); p++)
    if (sweep->scenario(p)) return Diagnostics{};
  return first.error();
}

}  // namespace railyard
