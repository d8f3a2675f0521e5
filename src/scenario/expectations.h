// What a scenario that is a test expects of its result: [expect].
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/diagnostic.h"

namespace railyard {

/// What a result should be, for scenarios that are tests. Absent fields expect nothing.
struct ExpectSpec {
  struct Value {
    std::string path;  // into the JSON results: "points[0].time_us"
    std::variant<double, std::string> value;
    double relative = 0, absolute = 0;  // tolerance: the larger of the two holds
    SourceSpan where;
  };
  std::vector<std::string> diagnostics;  // "RY-SCN-012" or, with its line, "RY-SCN-012:14"
  std::string fingerprint;
  std::vector<Value> values;
};

}  // namespace railyard
