// The best of many of which little is known at first: the likeliest is looked at with more care, until nothing can beat it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "search/space.h"

namespace railyard {

/// What is known of a point so far. `merit` is compared word for word, less is better; more care may raise it and never lowers
/// it.
struct Prospect {
  std::vector<double> merit;
  bool is_known = false;    // no care tells more
  bool is_refused = false;  // it cannot be chosen
};

/// The point of least merit that is not refused, of equal ones the first; nothing if all are. Until the likeliest is known,
/// `look_closer` is asked for the likeliest `at_once` that are not: afterwards prospect_of() knows more of them.
std::optional<PointId> best_first(const std::vector<PointId>& points, std::size_t at_once,
                                  const std::function<Prospect(PointId)>& prospect_of,
                                  const std::function<void(const std::vector<PointId>&)>& look_closer);

}  // namespace railyard
