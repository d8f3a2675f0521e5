#include "analysis/packets/failure_effects.h"

#include <algorithm>
#include <tuple>

#include "analysis/tier_loads.h"

namespace railyard {

namespace {

constexpr std::size_t kRowsShown = 10;

template<class Row>
void keep_first(std::vector<Row>& rows) {
  if (rows.size() > kRowsShown) rows.erase(rows.begin() + kRowsShown, rows.end());
}

}  // namespace

std::optional<FailureEffects> failure_effects(const Fabric& fabric, const PacketRecord& packets) {
  if (packets.losses.empty() && packets.rerouted.empty() && packets.timed_out.empty()) return std::nullopt;
  FailureEffects effects{.lost = packets.lost, .timed_out_in_all = packets.timed_out.size()};
  for (const LossRecord& loss : packets.losses)
    effects.losses.push_back(
        {port_name(fabric, loss.port), loss.packets, loss.data, loss.bytes, microseconds(loss.first), microseconds(loss.last)});
  std::stable_sort(effects.losses.begin(), effects.losses.end(),
                   [](const LossRow& a, const LossRow& b) { return a.packets > b.packets; });
  for (const RerouteRecord& one : packets.rerouted) effects.rerouted.push_back({microseconds(one.at), one.queue_pairs});
  for (const TimeoutRecord& one : packets.timed_out) {
    TimeoutRow row{end_name(fabric, one.from), end_name(fabric, one.to), one.timeouts, microseconds(one.first), {}};
    if (one.broken) row.broken_us = microseconds(*one.broken);
    effects.broken += one.broken.has_value();
    effects.timed_out.push_back(std::move(row));
  }
  std::stable_sort(effects.timed_out.begin(), effects.timed_out.end(), [](const TimeoutRow& a, const TimeoutRow& b) {
    return std::tuple(!a.broken_us, a.broken_us.value_or(0)) < std::tuple(!b.broken_us, b.broken_us.value_or(0));
  });
  keep_first(effects.losses);
  keep_first(effects.rerouted);
  keep_first(effects.timed_out);
  return effects;
}

}  // namespace railyard
