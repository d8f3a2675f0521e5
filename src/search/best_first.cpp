#include "search/best_first.h"

#include <set>
#include <utility>

#include "base/check.h"

namespace railyard {

std::optional<PointId> best_first(const std::vector<PointId>& points, std::size_t at_once,
                                  const std::function<Prospect(PointId)>& prospect_of,
                                  const std::function<void(const std::vector<PointId>&)>& look_closer) {
  RY_CHECK(at_once > 0, "somebody is looked at");
  std::set<std::pair<std::vector<double>, PointId>> queue;
  const auto add = [&](PointId point) {
    if (Prospect prospect = prospect_of(point); !prospect.is_refused) queue.emplace(std::move(prospect.merit), point);
  };
  for (const PointId point : points) add(point);
  while (!queue.empty()) {
    if (prospect_of(queue.begin()->second).is_known) return queue.begin()->second;
    std::vector<PointId> closer;
    for (auto at = queue.begin(); at != queue.end() && closer.size() < at_once;) {
      if (prospect_of(at->second).is_known) break;  // what comes after it is only needed if all before are refused
      closer.push_back(at->second);
      at = queue.erase(at);
    }
    look_closer(closer);
    for (const PointId point : closer) add(point);
  }
  return std::nullopt;
}

}  // namespace railyard
