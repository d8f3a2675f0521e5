// One thing that may be chosen, and what it may be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace railyard {

/// What it is called on a table, and the overrides that make it so.
struct AxisValue {
  std::string text;
  std::vector<std::string> set;
};

struct Axis {
  std::string name;
  std::vector<AxisValue> values;
  bool is_late = false;  // has its first value everywhere but around the best, where all are tried
};

/// "parallel.tensor=1,2,4,8": a list. "training.micro_batch=1..8": whole numbers; "=4..16+4": in steps; "=1..64*2": each twice
/// the last. Ends of a range may have a unit, the same for both: "transport.ecn.kmin=100 KiB..1600 KiB*2". A switch is a list:
/// "true,false". RY-SEA-001 where it is none of that.
Result<Axis> read_axis(const std::string& text);

/// All of them; two of one name are RY-SEA-001, too.
Result<std::vector<Axis>> read_axes(const std::vector<std::string>& texts);

/// The overrides of all their values.
std::vector<std::string> all_sets(const std::vector<Axis>& axes);

}  // namespace railyard
