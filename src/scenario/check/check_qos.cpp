#include "scenario/check/check_qos.h"

#include <fmt/format.h>

#include "base/quantity_text.h"

namespace railyard {

namespace {

SourceSpan place_of(const ScenarioSpec& spec, const QosTable& table) {
  return table.where.line > 0 ? table.where : spec.where("qos");
}

/// Thresholds of one queue, where both are counted in the same.
void check_ecn(const QosPolicy& policy, const SourceSpan& where, Complaints& complaints) {
  for (std::size_t queue = 0; queue < kPriorities; queue++) {
    const std::optional<EcnPolicy>& ecn = policy.queues[queue].ecn;
    if (!ecn || ecn->kmin.unit != ecn->kmax.unit || ecn->kmin.value <= ecn->kmax.value) continue;
    return complaints.error("RY-SCN-046", where, fmt::format("kmin of queue {} is above its kmax", queue),
                            "give both, kmin the lower one");
  }
}

}  // namespace

void check_policy(const ScenarioSpec& spec, const QosPolicy& policy, const QosTable& table, Complaints& complaints) {
  const SourceSpan where = place_of(spec, table);
  check_ecn(policy, where, complaints);
  if (table.alpha && table.xoff)
    complaints.error("RY-SCN-094", where, "both alpha and xoff are given", "keep one: both say when a pause is sent");
  if (table.xon && table.xon_offset)
    complaints.error("RY-SCN-094", where, "both xon and xon_offset are given", "keep one: both say when a pause is lifted");
  const GroupPolicy& group = policy.groups.front();
  if (table.xon && !group.xoff && !spec.transport.pfc.xoff)
    complaints.error("RY-SCN-094", where, "xon is given without xoff", "add xoff, or use alpha and xon_offset");
  const WatchdogPolicy& watchdog = policy.watchdog;
  const Picoseconds poll = watchdog.poll.value_or(spec.transport.pfc.watchdog_poll);
  if (watchdog.enabled && (watchdog.detection.value_or(poll) < poll || watchdog.restoration.value_or(poll) < poll))
    complaints.error("RY-SCN-096", where, fmt::format("a time of the watchdog is less than watchdog_poll = {}", format(poll)),
                     "use longer times, or a shorter watchdog_poll");
}

void check_dcqcn(const DcqcnPlan& plan, BitsPerSecond line, const SourceSpan& where, Complaints& complaints) {
  if (line == BitsPerSecond::zero()) return;
  const BitsPerSecond most = plan.rpg_max_rate > BitsPerSecond::zero() ? std::min(plan.rpg_max_rate, line) : line;
  if (plan.rpg_min_rate > most || plan.rate_to_set_on_first_cnp > most)
    complaints.error(
        "RY-SCN-098", where,
        fmt::format("DCQCN of a host: rpg_min_rate = {} or rate_to_set_on_first_cnp = {} is above what it may send, {}",
                    format(plan.rpg_min_rate), format(plan.rate_to_set_on_first_cnp), format(most)),
        "use lower rates");
  if (plan.rpg_ai_rate == BitsPerSecond::zero() && plan.rpg_hai_rate == BitsPerSecond::zero())
    complaints.error("RY-SCN-098", where, "DCQCN of a host: rpg_ai_rate and rpg_hai_rate are both 0: rates never recover",
                     "give one of them");
}

void check_device_plan(const ScenarioSpec& spec, const Scenario& out, Complaints& complaints) {
  const TransportSpec& t = spec.transport;
  const Bytes packet = t.mtu + t.packet_overhead() + t.message_overhead();
  for (const DeviceQos& device : out.packet.qos.profiles)
    for (const ClassQos& c : device.classes) {
      const GroupQos& group = device.groups[c.group];
      if (!c.used || !c.counted || c.priority || !group.xoff || *group.xoff + group.reserve >= packet) continue;
      return complaints.error(
          "RY-SCN-099", spec.where("qos"),
          fmt::format("xoff = {} is less than one packet of {} in a group that is not lossless: switches drop every packet",
                      format(*group.xoff), format(packet)),
          "use at least a few packets, or make the group lossless");
    }
}

}  // namespace railyard
