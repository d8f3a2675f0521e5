#include "analysis/packets/least_times.h"

#include <algorithm>
#include <map>
#include <utility>

#include "fabric/routes.h"

namespace railyard {

namespace {

enum class End : std::uint8_t { out, in };

/// The links of a message's first or last hop: one of them, what all carry together, and what the whole way takes light and
/// switches.
struct HostLink {
  TrunkId first;
  BitsPerSecond rate;
  Picoseconds delay;
};

HostLink link_of(const Fabric& fabric, const PlannedMessage& message, End end) {
  const TrunkPath path = path_of(fabric, message.from, message.to);
  HostLink link{path.front().trunk, {}, {}};
  const std::uint32_t hop = end == End::out ? path.front().hop : path.back().hop;
  for (const TrunkShare& step : path)
    if (step.hop == hop) {
      if (link.rate == BitsPerSecond::zero()) link.first = step.trunk;
      link.rate += fabric.trunk_rate(step.trunk);
    }
  link.delay = least_delay_of(fabric, path);
  return link;
}

/// Messages that share a link from one moment on.
struct Crowd {
  BitsPerSecond rate;
  Picoseconds delay = Picoseconds::max();  // the least of their ways
  std::vector<Bytes> wire;
};

/// The j-th of a crowd is over when its j smallest have crossed the link, and come the rest of the way.
std::vector<Picoseconds> behind_links(const Run& run, const std::vector<std::size_t>& which, End end) {
  std::map<std::pair<TrunkId, Picoseconds>, Crowd> crowds;
  for (const std::size_t i : which) {
    const PlannedMessage& message = run.traffic->messages[i];
    const HostLink link = link_of(run.fabric, message, end);
    Crowd& crowd = crowds[{link.first, message.start}];
    crowd.rate = std::max(crowd.rate, link.rate);
    crowd.delay = std::min(crowd.delay, link.delay);
    crowd.wire.push_back(run.wire.wire_size(message.size));
  }
  std::vector<Picoseconds> out;
  for (auto& [key, crowd] : crowds) {
    std::sort(crowd.wire.begin(), crowd.wire.end());
    Bytes carried;
    for (const Bytes wire : crowd.wire) out.push_back(transmit_time(carried += wire, crowd.rate) + crowd.delay);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::vector<double> least_times_us(const Run& run, std::uint8_t traffic_class) {
  const TrafficRun& traffic = *run.traffic;
  std::vector<std::size_t> which;
  std::vector<Picoseconds> alone;
  for (std::size_t i = 0; i < traffic.messages.size(); i++)
    if (traffic.messages[i].traffic_class == traffic_class && traffic.delivered[i] != Picoseconds::max()) {
      which.push_back(i);
      alone.push_back(traffic.ideal[i]);
    }
  std::sort(alone.begin(), alone.end());
  const std::vector<Picoseconds> out = behind_links(run, which, End::out), in = behind_links(run, which, End::in);
  std::vector<double> least;
  for (std::size_t i = 0; i < alone.size(); i++) least.push_back(microseconds(std::max({alone[i], out[i], in[i]})));
  return least;
}

}  // namespace railyard
