// What fails during weeks of training, how soon that is seen and mended, and what is saved meanwhile. Every figure has its
// origin.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/choice.h"
#include "base/units.h"
#include "catalog/facts.h"

namespace railyard {

/// Where a checkpoint goes: to storage, or into the memory of the host and of another one.
enum class CheckpointPlace : std::uint8_t { storage, memory };
template<>
struct ChoiceNames<CheckpointPlace> {
  static constexpr std::string_view names[] = {"storage", "memory"};
};

/// [reliability]. Times between failures are those of FailureFact.
struct ReliabilitySpec : FailureFact {
  std::string profile;                           // of the catalog: rates that are not given
  std::optional<Milliseconds> planned_interval;  // between planned interruptions of the job; none: there are none
  Milliseconds detection = 10_min;               // from a failure until someone or something acts on it
  Milliseconds restart = 5_min;                  // from then to the first byte of the checkpoint that is read

  CheckpointPlace checkpoint = CheckpointPlace::storage;
  bool checkpoint_async = false;                    // training waits for the copy into host memory alone
  std::optional<Milliseconds> checkpoint_interval;  // of training; the best if not given
  std::optional<Milliseconds> checkpoint_write, checkpoint_read;
  std::optional<BitsPerSecond> storage_rate;                     // of all storage together; none: it never limits
  std::optional<BitsPerSecond> frontend_rate;                    // of a server to storage; none: over the training network
  BitsPerSecond snapshot_rate = BitsPerSecond(400'000'000'000);  // of one GPU to host memory

  std::optional<std::uint32_t> spares;        // servers; none: always enough
  Milliseconds repair = 24_h;                 // of a server, on average
  std::optional<std::uint32_t> repair_crews;  // repairs at once; none: any number

  std::optional<Milliseconds> straggler_mtbf;  // of a server, until it is slow and nobody notices; none: never
  double straggler_slowdown = 0.1;             // how much longer its steps take, as a share
  Milliseconds straggler_detection = 72_min;   // until it is found

  std::optional<Milliseconds> step_time;  // measured; the scenario's own run if not given
};

struct ReliabilityPlan : ReliabilitySpec {
  std::map<std::string, Origin> origins;  // by the name of a key
};

}  // namespace railyard
