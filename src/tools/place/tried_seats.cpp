#include "tools/place/tried_seats.h"

#include "base/check.h"
#include "base/fingerprint.h"

namespace railyard {

namespace {

constexpr std::size_t kSeatValues = 1 + kGroupKinds * 9;

/// The values of a placement, one after the other, as something writes or reads them.
template<class Tried, class Visit>
void visit_seat_values(Tried& tried, Visit visit) {
  visit(tried.step_s);
  for (auto& weight : tried.weights) visit(weight);
  for (auto& group : tried.reach)
    for (auto* const reach : {&group.ring, &group.pairs}) {
      visit(reach->leaf), visit(reach->pod);
      visit(reach->across), visit(reach->domain);
    }
}

}  // namespace

PointId point_of_seats(const std::vector<std::uint32_t>& seats) {
  Fingerprint point;
  point.add(seats.size());
  for (const std::uint32_t seat : seats) point.add(seat);
  return point.value();
}

Outcome outcome_of_seats(const TriedSeats& tried) {
  Outcome outcome;
  if (!tried.refused.empty()) {
    outcome.refused = tried.refused.front().message;
    return outcome;
  }
  visit_seat_values(tried, [&](double value) { outcome.values.push_back(value); });
  return outcome;
}

void take_outcome_of_seats(const Outcome& outcome, TriedSeats& tried) {
  if (!outcome.refused.empty()) {
    tried.refused = {{Severity::error, {}, outcome.refused, {}, {}}};
    return;
  }
  RY_CHECK(outcome.values.size() == kSeatValues, "a journal has all values of a placement");
  std::size_t next = 0;
  visit_seat_values(tried, [&](double& value) { value = outcome.values[next++]; });
}

Diagnostics open_seat_journal(const Crew& crew, const std::string& file, const std::vector<std::string>& words,
                              Journal& journal) {
  Problem problem;
  problem.measures.assign(kSeatValues, {"placement", "", true});
  return open_journal(crew, journal, file, name_of_search(problem, words), kSeatValues);
}

}  // namespace railyard
