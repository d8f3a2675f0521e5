// What [sweep] says: which keys take which values, and which combinations are wanted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/document.h"
#include "base/result.h"

namespace railyard {

/// From one number to another, both included.
struct SweepRange {
  double from = 0, to = 0;
  std::string unit;       // "Gb/s"; empty for plain numbers
  bool is_log = false;    // each is so many times the last
  bool is_whole = false;  // whole numbers alone

  /// The value at `share` of the way; whole numbers are all equally likely.
  [[nodiscard]] Document at(double share, const SourceSpan& where) const;
};

struct SweepAxis {
  std::string key;  // "parallel.tensor"
  SourceSpan where;
  std::vector<Document> values;     // none of a range without steps, which only a hypercube can draw from
  std::optional<SweepRange> range;  // that they are from
};

struct SweepCondition {
  std::string text;
  SourceSpan where;
};

struct SweepSpec {
  std::vector<SweepAxis> axes;
  std::optional<SweepAxis> seeds;          // of engine.seed: beside all other axes, also those of a hypercube
  std::optional<std::uint32_t> hypercube;  // points that a latin hypercube draws from the axes, instead of all combinations
  std::uint64_t hypercube_seed = 1;
  std::vector<SweepCondition> where;
  std::vector<std::string> figures;  // paths into the results, for columns of their own
  SourceSpan at;
};

/// Every mistake is reported: no [sweep] or no axis (RY-SWP-001), a key of it that is wrong (RY-SWP-002), values of an axis
/// (RY-SWP-003), a range (RY-SWP-004), seeds and repetitions (RY-SWP-007). `scenario` has the seed that repetitions count from.
Result<SweepSpec> read_sweep_spec(const Document& sweep, const Document& scenario, const SourceSpan& file);

/// An axis of [sweep.axes]: a list, or { from, to, step | steps, log }. `drawn`: by a hypercube, which needs no steps.
Result<SweepAxis> read_sweep_axis(const std::string& key, const Document& value, bool drawn);

/// A value as tables show it: 4, "ecmp" as ecmp, 400 Gb/s, [1,2].
std::string sweep_value_text(const Document& value);

}  // namespace railyard
