#include "engine/packet/parameters.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace railyard::packet {

namespace {

std::uint32_t whole(Bytes size) { return static_cast<std::uint32_t>(size.count()); }

bool reacts(const DcqcnPlan& plan) { return plan.enabled && plan.reacts; }

void add_buffer(const PacketPlan& plan, Parameters& p) {
  p.pfc = plan.pfc.enabled;
  p.fixed_thresholds = plan.buffer.xoff.has_value();
  p.release_at_start = plan.buffer.release_at_start;
  p.frame = whole(plan.pfc.frame);
  p.reserve = whole(plan.buffer.reserve);
  p.xoff = whole(plan.buffer.xoff.value_or(Bytes::zero()));
  p.xon = whole(plan.buffer.xon.value_or(plan.buffer.xoff.value_or(Bytes::zero())));
  p.xon_offset = whole(plan.buffer.xon_offset);
  p.alpha = static_cast<std::uint64_t>(std::llround(plan.buffer.alpha * 65536));
  p.watchdog = plan.pfc.watchdog && plan.pfc.enabled;
  p.watchdog_forwards = plan.pfc.watchdog_forwards;
  p.detection = plan.pfc.detection.count();
  p.restoration = plan.pfc.restoration.count();
  p.poll = std::max<Time>(1, plan.pfc.poll.count());
  for (std::size_t c = 0; c < kClasses; c++) {
    p.counted[c] = plan.classes[c].counted;
    p.lossless[c] = plan.classes[c].lossless && plan.pfc.enabled;
    p.shares.weight[c] = std::max(1U, plan.classes[c].weight);
    if (plan.classes[c].strict) p.shares.strict |= 1U << c;
  }
}

void add_ecn(const EcnPlan& plan, Parameters& p) {
  const Marking marking = marking_of(plan);
  p.ecn = marking.enabled;
  p.kmin = marking.kmin;
  p.kmax = marking.kmax;
  p.mark_slope = marking.slope;
}

Control control_of(CongestionControl kind) {
  switch (kind) {
    case CongestionControl::none:
    case CongestionControl::dcqcn:
      return Control::rate;
    case CongestionControl::nscc:
      return Control::nscc;
    case CongestionControl::dctcp:
      return Control::dctcp;
    case CongestionControl::cubic:
      return Control::cubic;
    case CongestionControl::swift:
      return Control::swift;
    case CongestionControl::hpcc:
      return Control::hpcc;
    case CongestionControl::timely:
      return Control::timely;
    case CongestionControl::rccc:
      return Control::rccc;
    case CongestionControl::nscc_rccc:
      return Control::nscc;
    case CongestionControl::ibcc:
      return Control::ibcc;
  }
  return Control::rate;
}

/// What transports with windows need, and what they need of switches.
void add_control(const PacketPlan& plan, Parameters& p) {
  p.control.kind = control_of(plan.control.kind);
  p.control.limits.mtu = p.mtu;
  p.control.limits.first = plan.control.first.value_or(Bytes::zero()).count();
  p.control.limits.most = plan.nic.window.value_or(Bytes::zero()).count();
  const bool bounded = p.control.kind == Control::nscc || p.control.kind == Control::swift || p.control.kind == Control::hpcc ||
                       p.control.kind == Control::rccc;
  if (p.has_windows() && !bounded) {  // as far as packets can be told apart
    const std::int64_t most = std::int64_t{kMostInFlight} * p.mtu;
    p.control.limits.most = p.control.limits.most > 0 ? std::min(p.control.limits.most, most) : most;
  }
  p.control.nscc.trims = plan.buffer.trim.has_value();
  p.control.nscc.target = p.control.swift.queueing = p.control.timely.low =
      plan.control.target.value_or(Picoseconds::zero()).count();
  p.control.ibcc = {.increase = plan.control.ccti_increase,
                    .limit = plan.control.ccti_limit,
                    .timer = std::max<Time>(1, plan.control.ccti_timer.count())};
  p.receiver_credits = plan.control.has_receiver_credits();
  p.marks_roots = p.control.kind == Control::ibcc;
  p.tells_load = p.control.kind == Control::hpcc;
  p.entropies = std::max(1U, plan.nic.entropies);
  p.recycles = plan.nic.recycles_entropies;
  p.backs_off = plan.nic.backs_off;
  p.flow_rate = plan.nic.flow_rate.value_or(BitsPerSecond::zero()).count();
  p.admission = plan.nic.admission;
  p.queue_limit = whole(plan.buffer.queue.value_or(Bytes::zero()));
  if (p.has_windows()) p.trim_size = whole(plan.buffer.trim.value_or(Bytes::zero()));
  p.island = plan.credits.on_island;
  p.credit_step = plan.credits.room > Bytes::zero() ? std::max(1U, whole(plan.credits.step)) : 0;
  p.most_packet = p.mtu + p.header + p.message_header;
}

}  // namespace

DcqcnParameters dcqcn_of(const DcqcnPlan& plan) {
  DcqcnParameters p;
  p.enabled = reacts(plan);
  p.notifies = plan.enabled && plan.notifies;
  p.cnp_on_ack = p.notifies && plan.cnp_on_ack;
  p.min_time_between_cnps = plan.min_time_between_cnps.count();
  p.at_send = plan.pacing == RatePacing::at_send;
  p.clamp_tgt_rate = plan.clamp_tgt_rate;
  p.clamp_tgt_rate_after_time_inc = plan.clamp_tgt_rate_after_time_inc;
  p.rpg_time_reset = plan.rpg_time_reset.count();
  p.dce_tcp_rtt = std::max<Time>(1, plan.dce_tcp_rtt.count());
  p.rate_reduce_monitor_period = std::max<Time>(1, plan.rate_reduce_monitor_period.count());
  p.rpg_byte_reset = whole(plan.rpg_byte_reset);
  p.rpg_threshold = plan.rpg_threshold;
  p.rpg_gd = plan.rpg_gd;
  p.rpg_min_dec_fac = plan.rpg_min_dec_fac;
  p.dce_tcp_g = plan.dce_tcp_g;
  p.initial_alpha_value = plan.initial_alpha_value;
  p.rpg_max_rate = plan.reacts ? plan.rpg_max_rate.count() : 0;
  p.rpg_min_rate = std::max<std::int64_t>(1, plan.rpg_min_rate.count());
  p.rpg_ai_rate = plan.rpg_ai_rate.count();
  p.rpg_hai_rate = plan.rpg_hai_rate.count();
  p.rate_to_set_on_first_cnp = plan.rate_to_set_on_first_cnp.count();
  p.decay[0] = plan.dce_tcp_g << 20;
  for (int k = 1; k < 24; k++) p.decay[k] = times(p.decay[k - 1], p.decay[k - 1]);
  return p;
}

Parameters parameters_of(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing, const PacketPlan& plan) {
  Parameters p;
  p.mtu = whole(wire.mtu);
  p.header = whole(wire.header);
  p.message_header = whole(wire.message_header);
  p.ack_size = whole(plan.nic.ack);
  p.cnp_size = whole(plan.nic.cnp);
  p.ack_every = std::max(1U, plan.nic.ack_every);
  p.reorder = plan.nic.reorder;
  p.ack_with_data = plan.nic.ack_with_data;
  p.selective = plan.nic.recovery == LossRecovery::selective_repeat;
  if (plan.nic.window) p.window = static_cast<std::uint32_t>(std::max<std::int64_t>(1, *plan.nic.window / wire.mtu));
  p.timeout = plan.nic.timeout == Picoseconds::zero() ? kNever : plan.nic.timeout.count();
  p.retries = plan.nic.retries;
  p.host_rate = plan.nic.host_rate.value_or(BitsPerSecond::zero()).count();
  p.receive_buffer = static_cast<std::uint64_t>(plan.nic.receive_buffer.count());
  p.seed = plan.seed;
  p.cut_through = fabric.switching == Switching::cut_through;
  p.scheduled = fabric.switching == Switching::scheduled;
  p.credit_delay = fabric.credit_delay.count();
  p.flowlet_gap = plan.flowlet_gap.count();
  switch (routing.policy) {
    case RoutingPolicy::ecmp:
    case RoutingPolicy::enhanced_ecmp:
    case RoutingPolicy::pinned:
      p.choice = Choice::path;
      break;
    case RoutingPolicy::flowlet:
      p.choice = Choice::flowlet;
      break;
    case RoutingPolicy::adaptive:
      p.choice = Choice::least;
      break;
    case RoutingPolicy::spray:
      p.choice = plan.nic.routes_by_entropy ? Choice::entropy : Choice::random;
      break;
  }
  if (p.scheduled) p.choice = Choice::path;  // cells take all, and with them every packet
  p.reacts = reacts(plan.dcqcn) || std::any_of(plan.dcqcn_sets.begin(), plan.dcqcn_sets.end(), reacts);
  add_ecn(plan.ecn, p);
  add_buffer(plan, p);
  add_control(plan, p);
  return p;
}

Parameters parameters_beside(const Parameters& first, const Fabric& fabric, const PathPolicy& routing, const PacketPlan& plan,
                             const TransportBeside& beside) {
  PacketPlan own_plan = plan;
  own_plan.nic = beside.nic;
  own_plan.control = beside.control;
  const Parameters own = parameters_of(fabric, beside.wire, routing, own_plan);
  RY_CHECK(own.has_windows() && !own.receiver_credits && !own.tells_load, "the second transport goes by windows and ACKs");
  Parameters p = first;
  p.mtu = own.mtu, p.header = own.header, p.message_header = own.message_header, p.most_packet = own.most_packet;
  p.ack_size = own.ack_size, p.ack_every = own.ack_every, p.ack_with_data = own.ack_with_data;
  p.reorder = own.reorder, p.selective = own.selective, p.window = own.window;
  p.timeout = own.timeout, p.retries = own.retries, p.backs_off = own.backs_off;
  p.control = own.control, p.flow_rate = own.flow_rate;
  p.entropies = 1, p.recycles = false, p.admission = 0, p.reacts = false;
  return p;
}

}  // namespace railyard::packet
