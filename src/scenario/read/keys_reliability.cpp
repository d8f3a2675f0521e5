#include "catalog/keys.h"
#include "scenario/read/effect_conditions.h"
#include "scenario/read/keys_parts.h"

namespace railyard {

namespace {

const Limits<Milliseconds> kLongSpan{.min = 1_s, .max = Milliseconds(std::int64_t{1} << 55)};
const Limits<Milliseconds> kPauseSpan{.max = 100'000_h};
const Limits<BitsPerSecond> kStorageRate{.min = 1_Mbps, .max = 1'000'000'000_Gbps};

std::vector<TableKey<ReliabilitySpec>> rate_keys() {
  using R = ReliabilitySpec;
  std::vector<TableKey<R>> keys = {
      key("profile", &R::profile, "failure rates of the catalog (railyard catalog reliability); keys beside it override them")};
  for (const Key<FailureFact>& rate : failure_keys()) keys.emplace_back(rate.inherited<R>());
  return keys;
}

}  // namespace

std::vector<Section> reliability_sections() {
  using R = ReliabilitySpec;
  std::vector<TableKey<R>> keys = rate_keys();
  const std::vector<TableKey<R>> others = {
      key("planned_interval", &R::planned_interval, "between planned interruptions of the job; there are none if not given",
          kLongSpan),
      key("detection", &R::detection, "from a failure until something is done about it", kPauseSpan),
      key("restart", &R::restart, "from then until the checkpoint is read: servers exchanged, processes and NCCL up",
          kPauseSpan),
      key("checkpoint", &R::checkpoint, "where checkpoints go: storage, or the memory of the host and of another one"),
      key("checkpoint_async", &R::checkpoint_async,
          "training waits until a checkpoint is in host memory; the rest is written beside it"),
      key("checkpoint_interval", &R::checkpoint_interval, "training between two checkpoints; the best one if not given",
          kLongSpan),
      key("checkpoint_write", &R::checkpoint_write,
          "time to write one; from its size and the rates of storage and network if not given", kPauseSpan),
      key("checkpoint_read", &R::checkpoint_read, "time to read one; the same", kPauseSpan),
      key("storage_rate", &R::storage_rate, "of all storage together; never the limit if not given", kStorageRate),
      key("frontend_rate", &R::frontend_rate,
          "of a server to storage, over a network of its own; over the training network if not given", kRate),
      key("snapshot_rate", &R::snapshot_rate, "of one GPU to the memory of its host", kRate),
      key("spares", &R::spares, "servers that stand by; always enough if not given", {.max = 1U << 24}),
      key("repair", &R::repair, "mean time until a server that failed is back, as a spare", kPauseSpan),
      key("repair_crews", &R::repair_crews, "repairs at once; any number if not given", kCount),
      key("straggler_mtbf", &R::straggler_mtbf, "until one server becomes slow without failing; never if not given", kLongSpan),
      key("straggler_slowdown", &R::straggler_slowdown, "how much longer steps take beside one, as a share",
          {.min = 0.0, .max = 100.0}),
      key("straggler_detection", &R::straggler_detection, "until one is found and exchanged", kPauseSpan),
      key("step_time", &R::step_time, "measured time of a step; that of the scenario's run if not given",
          {.min = Milliseconds(1), .max = 24_h})};
  keys.insert(keys.end(), others.begin(), others.end());
  return {section(
      "reliability", "what fails in weeks of training and how it is mended, for `railyard goodput`; a run does not read it",
      {kAnyStep}, [](ScenarioSpec& s) -> R& { return present(s.reliability); }, std::move(keys))};
}

}  // namespace railyard
