#include "expected/counters.h"

#include <algorithm>

namespace railyard {

namespace {

constexpr std::uint32_t kNoPriority = 99;

}  // namespace

Counters::Counters(const std::vector<CounterSample>& samples) {
  for (const CounterSample& sample : samples) {
    CounterGrowth& growth = all_[{sample.device, sample.port, sample.kind, sample.name, sample.priority.value_or(kNoPriority)}];
    if (growth.samples == 0 || sample.time_s < growth.first_time)
      growth.first = sample.value, growth.first_time = sample.time_s, growth.where = sample.where;
    if (growth.samples == 0 || sample.time_s >= growth.last_time) growth.last = sample.value, growth.last_time = sample.time_s;
    growth.samples++;
  }
}

Counters::Sum Counters::sum(std::initializer_list<CounterKind> kinds) const {
  Sum sum;
  for (const auto& [key, growth] : all_) {
    if (std::find(kinds.begin(), kinds.end(), std::get<2>(key)) == kinds.end()) continue;
    const double by = std::max(0.0, growth.by());
    sum.counters++;
    sum.all += by;
    if (by <= sum.most) continue;
    sum.most = by;
    sum.port = std::get<1>(key).empty() ? std::get<0>(key) : std::get<0>(key) + " " + std::get<1>(key);
    sum.where = growth.where;
  }
  return sum;
}

std::map<std::uint32_t, double> Counters::by_priority() const {
  std::map<std::uint32_t, double> bytes;
  for (const auto& [key, growth] : all_) {
    const bool counts = std::get<2>(key) == CounterKind::tx_bytes || std::get<2>(key) == CounterKind::rx_bytes;
    if (counts && std::get<4>(key) != kNoPriority) bytes[std::get<4>(key)] += std::max(0.0, growth.by());
  }
  return bytes;
}

std::map<std::string, std::vector<double>> Counters::sent() const {
  std::map<std::string, std::vector<double>> of_device;
  for (const auto& [key, growth] : all_)
    if (std::get<2>(key) == CounterKind::tx_bytes && growth.by() > 0) of_device[std::get<0>(key)].push_back(growth.by());
  return of_device;
}

}  // namespace railyard
