// Rules on ECN and WRED of lossless queues.
#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

/// As `nv set qos roce` sets it (NVIDIA Cumulus Linux).
constexpr EcnPolicy kUsualEcn = {{ThresholdUnit::bytes, 150'000}, {ThresholdUnit::bytes, 1'500'000}, 1, true};

std::string threshold_text(const Threshold& t) {
  switch (t.unit) {
    case ThresholdUnit::bytes:
      return format(Bytes(static_cast<std::int64_t>(t.value)));
    case ThresholdUnit::percent:
      return fmt::format("{} %", t.value);
    case ThresholdUnit::cells:
      return fmt::format("{} segments", t.value);
    case ThresholdUnit::time:
      return fmt::format("{} µs", t.value);
  }
  return {};
}

/// Calls what for every lossless queue, with its number.
template<class F>
void each_lossless_queue(const LintView& view, F what) {
  for (const PolicyUse& use : view.switches) {
    const std::uint8_t queues = lossless_queues(*use.policy);
    for (std::uint8_t q = 0; q < kPriorities; q++)
      if (has_bit(queues, q)) what(use, q, use.policy->queues[q]);
  }
}

LintFinding& add_at_queue(const PolicyUse& use, std::uint8_t queue, std::string message, LintSink& sink) {
  LintFinding& found = sink.add(
      *use.device, place_of(*use.device, *use.policy, {fmt::format("queue.{}.ecn", queue), fmt::format("queue.{}", queue)}),
      std::move(message));
  found.ports = use.names();
  return found;
}

/// Proposes thresholds for a queue.
void propose(LintFinding& found, std::uint8_t queue, EcnPolicy ecn) {
  found.repairs.push_back({found.ports, SetEcn{queue, ecn}});
}

bool reacts_to_marks(const LintView& view) {
  for (const Device& device : view.estate.devices)
    for (const NicConfig& nic : device.nics)
      if (nic.ecn_rp.value_or(0) != 0) return true;
  return false;
}

void lossless_without_ecn(const LintView& view, LintSink& sink) {
  const bool dcqcn = reacts_to_marks(view);
  each_lossless_queue(view, [&](const PolicyUse& use, std::uint8_t q, const QueuePolicy& queue) {
    if (queue.ecn || !tells_of(*use.device, "queue")) return;
    propose(add_at_queue(use, q,
                         fmt::format("lossless queue {} never marks: {}", q,
                                     dcqcn ? "DCQCN is on at the NICs and hears of no congestion" : "PFC alone slows senders"),
                         sink),
            q, kUsualEcn);
  });
}

void lossless_queue_drops(const LintView& view, LintSink& sink) {
  each_lossless_queue(view, [&](const PolicyUse& use, std::uint8_t q, const QueuePolicy& queue) {
    if (!queue.ecn || queue.ecn->marks) return;
    EcnPolicy marking = *queue.ecn;
    marking.marks = true;
    propose(add_at_queue(use, q,
                         fmt::format("WRED of lossless queue {} drops between {} and {} instead of marking", q,
                                     threshold_text(queue.ecn->kmin), threshold_text(queue.ecn->kmax)),
                         sink),
            q, marking);
  });
}

void thresholds_crossed(const LintView& view, LintSink& sink) {
  each_lossless_queue(view, [&](const PolicyUse& use, std::uint8_t q, const QueuePolicy& queue) {
    if (!queue.ecn || queue.ecn->kmin.unit != queue.ecn->kmax.unit || queue.ecn->kmin.value <= queue.ecn->kmax.value) return;
    EcnPolicy turned = *queue.ecn;
    std::swap(turned.kmin, turned.kmax);
    propose(add_at_queue(use, q,
                         fmt::format("Kmin {} of queue {} is above Kmax {}", threshold_text(queue.ecn->kmin), q,
                                     threshold_text(queue.ecn->kmax)),
                         sink),
            q, turned);
  });
}

void slope_without_room(const LintView& view, LintSink& sink) {
  each_lossless_queue(view, [&](const PolicyUse& use, std::uint8_t q, const QueuePolicy& queue) {
    if (!queue.ecn || queue.ecn->kmin != queue.ecn->kmax || queue.ecn->pmax >= 1) return;
    add_at_queue(use, q,
                 fmt::format("Kmin and Kmax of queue {} are both {}: the probability of {:g} % has no room to apply", q,
                             threshold_text(queue.ecn->kmin), queue.ecn->pmax * 100),
                 sink);
  });
}

void probability_zero(const LintView& view, LintSink& sink) {
  each_lossless_queue(view, [&](const PolicyUse& use, std::uint8_t q, const QueuePolicy& queue) {
    if (!queue.ecn || queue.ecn->pmax > 0) return;
    EcnPolicy marking = *queue.ecn;
    marking.pmax = 1;
    propose(add_at_queue(use, q,
                         fmt::format("the marking probability of queue {} is 0: nothing is marked below Kmax {}", q,
                                     threshold_text(queue.ecn->kmax)),
                         sink),
            q, marking);
  });
}

/// The most that one priority group holds before it pauses: a fixed threshold, or a dynamic one in an empty buffer.
std::optional<Bytes> highest_xoff(const Device& device, const GroupPolicy& group) {
  if (group.xoff) return group.xoff;
  if (!group.alpha || !device.buffer.size) return std::nullopt;
  return Bytes(static_cast<std::int64_t>(static_cast<double>(device.buffer.size->count()) * *group.alpha / (1 + *group.alpha)));
}

/// A queue's threshold against the least xoff of the groups that fill it.
template<class F>
void against_xoff(const LintView& view, F what) {
  each_lossless_queue(view, [&](const PolicyUse& use, std::uint8_t q, const QueuePolicy& queue) {
    if (!queue.ecn || queue.ecn->kmin.unit != ThresholdUnit::bytes || queue.ecn->kmax.unit != ThresholdUnit::bytes) return;
    const std::uint8_t classes = lossless_classes(*use.policy);
    std::optional<Bytes> least;
    for (std::uint8_t c = 0; c < kPriorities; c++) {
      if (!has_bit(classes, c) || use.policy->queue_of_class[c] != q) continue;
      const auto xoff = highest_xoff(*use.device, use.policy->groups[use.policy->group_of_class[c]]);
      if (xoff && (!least || *xoff < *least)) least = xoff;
    }
    if (least) what(use, q, *queue.ecn, *least);
  });
}

void pause_before_first_mark(const LintView& view, LintSink& sink) {
  against_xoff(view, [&](const PolicyUse& use, std::uint8_t q, const EcnPolicy& ecn, Bytes xoff) {
    const auto least = static_cast<double>(xoff.count());
    if (ecn.kmin.value < least) return;
    LintFinding& found = add_at_queue(use, q,
                                      fmt::format("Kmin {} of queue {} is not below the PFC threshold {}: one sender is paused "
                                                  "before a packet is marked",
                                                  threshold_text(ecn.kmin), q, format(xoff)),
                                      sink);
    propose(found, q, {{ThresholdUnit::bytes, least / 8}, {ThresholdUnit::bytes, least / 2}, ecn.pmax, true});
  });
}

void pause_before_last_mark(const LintView& view, LintSink& sink) {
  against_xoff(view, [&](const PolicyUse& use, std::uint8_t q, const EcnPolicy& ecn, Bytes xoff) {
    const auto least = static_cast<double>(xoff.count());
    if (ecn.kmin.value >= least || ecn.kmax.value <= least) return;
    LintFinding& found =
        add_at_queue(use, q,
                     fmt::format("Kmax {} of queue {} is above the PFC threshold {}: pauses begin before every "
                                 "packet is marked",
                                 threshold_text(ecn.kmax), q, format(xoff)),
                     sink);
    propose(found, q, {ecn.kmin, {ThresholdUnit::bytes, std::max(ecn.kmin.value, least / 2)}, ecn.pmax, true});
  });
}

void marks_too_late(const LintView& view, LintSink& sink) {
  constexpr Picoseconds kLongWait = 100_us;  // ten round trips of a large fabric
  each_lossless_queue(view, [&](const PolicyUse& use, std::uint8_t q, const QueuePolicy& queue) {
    if (!queue.ecn || queue.ecn->kmin.unit == ThresholdUnit::percent || queue.ecn->kmin.unit == ThresholdUnit::cells) return;
    std::vector<std::string> late;
    Picoseconds longest;
    for (const PortConfig* port : use.ports) {
      if (!port->speed || port->speed->count() <= 0) continue;
      const Picoseconds wait = transmit_time(bytes_of(queue.ecn->kmin, {.rate = *port->speed}), *port->speed);
      if (wait <= kLongWait) continue;
      late.push_back(port->name);
      longest = std::max(longest, wait);
    }
    if (late.empty()) return;
    add_at_queue(use, q,
                 fmt::format("Kmin {} of queue {} is {} of waiting at the port's rate: senders hear of congestion late",
                             threshold_text(queue.ecn->kmin), q, format(longest)),
                 sink)
        .ports = late;
  });
}

void marks_at_once(const LintView& view, LintSink& sink) {
  constexpr double kTwoFrames = 2 * 4178;
  each_lossless_queue(view, [&](const PolicyUse& use, std::uint8_t q, const QueuePolicy& queue) {
    if (!queue.ecn || queue.ecn->kmax.unit != ThresholdUnit::bytes || queue.ecn->kmax.value >= kTwoFrames) return;
    propose(add_at_queue(use, q,
                         fmt::format("Kmax {} of queue {} is less than two packets of RDMA: everything is marked",
                                     threshold_text(queue.ecn->kmax), q),
                         sink),
            q, kUsualEcn);
  });
}

void kmax_beyond_buffer(const LintView& view, LintSink& sink) {
  each_lossless_queue(view, [&](const PolicyUse& use, std::uint8_t q, const QueuePolicy& queue) {
    const std::optional<Bytes>& size = use.device->buffer.size;
    if (!queue.ecn || !size || queue.ecn->kmax.unit != ThresholdUnit::bytes) return;
    if (queue.ecn->kmax.value <= static_cast<double>(size->count())) return;
    add_at_queue(use, q,
                 fmt::format("Kmax {} of queue {} is more than the whole buffer of {}", threshold_text(queue.ecn->kmax), q,
                             format(*size)),
                 sink);
  });
}

constexpr std::string_view kDcqcnPaper = "DCQCN (Zhu et al., SIGCOMM 2015), section 5: thresholds of ECN below those of PFC";

constexpr LintRule kEcnRules[] = {
    {"RY-LNT-010", Severity::warning, 72, "A lossless queue without ECN",
     "PFC stops whole links, and pauses spread. DCQCN slows down single flows first, but only if switches mark.",
     "RFC 3168; DCQCN (Zhu et al., SIGCOMM 2015); NVIDIA Cumulus Linux, RoCE", "Turn ECN on for the queue.",
     lossless_without_ecn},
    {"RY-LNT-011", Severity::error, 88, "WRED drops in a lossless queue",
     "Go-back-N sends everything after a lost packet again: one drop costs a window of packets.",
     "RFC 3168, section 5; SONiC, WRED_PROFILE ecn_none", "Mark (ECN) instead of dropping.", lossless_queue_drops},
    {"RY-LNT-012", Severity::error, 60, "Kmin above Kmax",
     "The marking curve is not defined; chips refuse it, or mark nothing until Kmin.", "SAI, WRED profile; RFC 2309",
     "Swap the two thresholds.", thresholds_crossed},
    {"RY-LNT-013", Severity::note, 15, "Kmin equals Kmax with a probability below 1",
     "Between equal thresholds there is no slope; from Kmax on every packet is marked.", "SAI, WRED profile",
     "Give the probability 100 %, or two different thresholds.", slope_without_room},
    {"RY-LNT-014", Severity::warning, 58, "Marking probability 0",
     "Nothing is marked until Kmax, and everything above: rates swing.", "SONiC, WRED_PROFILE green_drop_probability",
     "Give a probability above 0.", probability_zero},
    {"RY-LNT-015", Severity::warning, 68, "PFC before the first mark",
     "Senders are paused before any of them is told to slow down: PFC does the work of DCQCN, and pauses spread.", kDcqcnPaper,
     "Lower Kmin and Kmax below the PFC threshold, or raise that.", pause_before_first_mark},
    {"RY-LNT-016", Severity::note, 35, "Kmax above the PFC threshold", "Pauses begin while ECN is still ramping up.",
     kDcqcnPaper, "Lower Kmax below the PFC threshold.", pause_before_last_mark},
    {"RY-LNT-017", Severity::note, 25, "Marks begin late for the speed of the port",
     "Kmin divided by the rate is what packets wait before anybody is told. Well above a round trip, queues stand.",
     "DCQCN (SIGCOMM 2015), section 5; HPCC, thresholds in proportion to the rate", "Scale Kmin with the speed of the port.",
     marks_too_late},
    {"RY-LNT-018", Severity::warning, 50, "Thresholds of less than two packets",
     "A queue of one packet is no congestion; senders slow down on an idle link.", "DCQCN (SIGCOMM 2015), section 5",
     "Raise both thresholds.", marks_at_once},
    {"RY-LNT-019", Severity::warning, 52, "Kmax beyond the buffer", "The threshold is never reached.",
     "SAI, WRED profile and buffer pool", "Lower Kmax; check its unit.", kmax_beyond_buffer},
};

}  // namespace

std::span<const LintRule> ecn_rules() { return kEcnRules; }

}  // namespace railyard
