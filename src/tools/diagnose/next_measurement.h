// What to measure next: of all that could be, what tells the two likeliest causes apart best.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expected/judged.h"
#include "tools/diagnose/score.h"

namespace railyard {

struct NextMeasurement {
  std::string what;                 // how it is done
  std::string if_first, if_second;  // what it shows with the first cause, and with the second
  double separation = 0;            // by how much it speaks for whichever of the two is true, at least (as Evidence::log_odds)
};

/// What a diagnosis knows when it asks.
struct Asked {
  const ExpectationRequest& request;
  const Catalog& catalog;
  const Scenario& scenario;
  const ClusterFacts& facts;
  const std::vector<JudgedCurve>& curves;
  const Measurements& measured;  // what is there already is not asked for again
  const Estate& estate;
};

/// None where the two look alike in everything that can be measured.
[[nodiscard]] std::optional<NextMeasurement> next_measurement(const Asked& asked, const RankedCause& first,
                                                              const RankedCause& second);

/// A setting of the library that undoes a cause, to be tried with the same test; empty where there is none.
[[nodiscard]] std::string_view toggle_of(std::string_view cause);

}  // namespace railyard
