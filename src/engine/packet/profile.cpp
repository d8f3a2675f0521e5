#include "engine/packet/profile.h"

#include <algorithm>
#include <cmath>

#include "engine/packet/net.h"

namespace railyard::packet {

namespace {

std::uint32_t whole_bytes(Bytes size) { return static_cast<std::uint32_t>(size.count()); }

Thresholds thresholds_of(const GroupQos& group) {
  return {.fixed = group.xoff.has_value(),
          .reserve = whole_bytes(group.reserve),
          .xoff = whole_bytes(group.xoff.value_or(Bytes::zero())),
          .xon = whole_bytes(group.xon.value_or(group.xoff.value_or(Bytes::zero()))),
          .xon_offset = whole_bytes(group.xon_offset),
          .alpha = static_cast<std::uint64_t>(std::llround(group.alpha * 65536))};
}

/// The first class that uses the same as class `c`.
template<class Same>
std::uint8_t first_alike(const DeviceQos& device, std::size_t c, const Same& same) {
  for (std::size_t other = 0; other < c; other++)
    if (device.classes[c].used && device.classes[other].used && same(device.classes[other], device.classes[c]))
      return static_cast<std::uint8_t>(other);
  return static_cast<std::uint8_t>(c);
}

}  // namespace

Marking marking_of(const EcnPlan& plan) {
  const double span = std::max(1.0, static_cast<double>(plan.kmax.count()) - static_cast<double>(plan.kmin.count()));
  return {.enabled = plan.enabled,
          .kmin = whole_bytes(plan.kmin),
          .kmax = whole_bytes(plan.kmax),
          .slope = static_cast<std::uint64_t>(std::min(plan.pmax / span, 1.0) * 0x1.0p63) * 2};
}

Profile profile_of(const Parameters& p) {
  Profile profile;
  profile.shares = p.shares;
  profile.pfc = p.pfc;
  profile.watchdog = p.watchdog;
  profile.watchdog_forwards = p.watchdog_forwards;
  profile.detection = p.detection;
  profile.restoration = p.restoration;
  profile.poll = p.poll;
  for (std::size_t c = 0; c < kClasses; c++) {
    profile.counted[c] = p.counted[c];
    profile.lossless[c] = p.lossless[c];
    profile.marking[c] = {.enabled = p.ecn, .kmin = p.kmin, .kmax = p.kmax, .slope = p.mark_slope};
    profile.thresholds[c] = {.fixed = p.fixed_thresholds,
                             .reserve = p.reserve,
                             .xoff = p.xoff,
                             .xon = p.xon,
                             .xon_offset = p.xon_offset,
                             .alpha = p.alpha};
  }
  return profile;
}

bool adopt(const Profile& profile, Parameters& p) {
  const std::uint32_t several = profile.shares.strict & (profile.shares.strict - 1);
  if (several != 0) return false;
  for (std::size_t c = 0; c < kClasses; c++) {
    if (!profile.used[c]) continue;
    const bool own = profile.queue[c] == c && profile.group[c] == c;
    const bool alike = profile.marking[c] == profile.marking[kDataClass] &&
                       (!profile.counted[c] || profile.thresholds[c] == profile.thresholds[kDataClass]);
    if (!own || !alike || (profile.lossless[c] && profile.stops[profile.priority[c]] != 1U << c)) return false;
  }
  p.shares = profile.shares;
  p.watchdog_forwards = profile.watchdog_forwards;
  p.detection = profile.detection;
  p.restoration = profile.restoration;
  p.poll = profile.poll;
  std::copy_n(profile.counted, kClasses, p.counted);
  std::copy_n(profile.lossless, kClasses, p.lossless);
  const Marking& marking = profile.marking[kDataClass];
  p.ecn = marking.enabled, p.kmin = marking.kmin, p.kmax = marking.kmax, p.mark_slope = marking.slope;
  const Thresholds& limits = profile.thresholds[kDataClass];
  p.fixed_thresholds = limits.fixed, p.reserve = limits.reserve, p.xoff = limits.xoff, p.xon = limits.xon;
  p.xon_offset = limits.xon_offset, p.alpha = limits.alpha;
  return true;
}

Profile profile_of(const DeviceQos& device, bool is_host) {
  Profile p;
  p.pfc = device.pfc != 0;
  p.watchdog = device.watchdog.enabled && !is_host;
  p.watchdog_forwards = device.watchdog.forwards;
  p.detection = device.watchdog.detection.count();
  p.restoration = device.watchdog.restoration.count();
  p.poll = std::max<Time>(1, device.watchdog.poll.count());
  for (std::size_t c = 0; c < kClasses; c++) {
    const ClassQos& row = device.classes[c];
    const auto same_queue = [&](const ClassQos& a, const ClassQos& b) { return !is_host && a.queue == b.queue; };
    const std::uint8_t queue = p.queue[c] = first_alike(device, c, same_queue);
    const std::uint8_t group = p.group[c] =
        first_alike(device, c, [](const ClassQos& a, const ClassQos& b) { return a.group == b.group; });
    p.counted[c] = row.counted;
    p.used[c] = row.used;
    p.shares.weight[queue] = std::max(1U, device.queues[row.queue].weight);
    if (!row.used) continue;
    if (device.queues[row.queue].strict) p.shares.strict |= 1U << queue;
    p.rank[queue] = static_cast<std::uint8_t>(kPriorities - 1 - row.queue);
    p.marking[queue] = marking_of(device.queues[row.queue].ecn);
    p.thresholds[group] = thresholds_of(device.groups[row.group]);
    p.lossless[group] = row.priority.has_value();
    p.priority[group] = row.priority.value_or(0);
    for (std::uint8_t priority = 0; priority < kPriorities; priority++)
      if (device.pfc >> priority & 1 && device.queue_of_priority[priority] == row.queue)
        p.stops[priority] |= static_cast<std::uint8_t>(1U << queue);
  }
  return p;
}

}  // namespace railyard::packet
