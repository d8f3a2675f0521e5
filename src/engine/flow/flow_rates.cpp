#include "engine/flow/flow_rates.h"

#include <numeric>

namespace railyard {

void FlowRates::add(FlowId flow) {
  rates_.add(flow.index());
  key_.add(flow.index());
}

void FlowRates::remove(FlowId flow) {
  rates_.remove(flow.index());
  key_.remove(flow.index());
}

void FlowRates::clear() {
  rates_.clear();
  key_ = {};
}

FoundRates FlowRates::update(Telemetry::Solving& solving) {
  solving.changes++;
  if (rates_.follow()) {
    solving.solves++;
    return rates_.found();
  }
  if (cached_)
    if (const PhaseCache::Phase* known = cache_.find(key_)) return {known->flow, known->rate, true};
  solving.solves++;
  rates_.solve();
  if (cached_) cache_.keep(key_, rates_.found());
  return rates_.found();
}

std::vector<std::int64_t> FlowRates::solve_alone(FlowId first, std::uint32_t count) {
  std::vector<std::uint32_t> flows(count);
  std::iota(flows.begin(), flows.end(), first.index());
  std::vector<std::int64_t> rates(count);
  rates_.solve_alone(flows, rates);
  return rates;
}

}  // namespace railyard
