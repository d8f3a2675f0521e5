// Rules on buffers: headroom, thresholds, pools.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/quantity_text.h"
#include "tools/lint/headroom_need.h"
#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

/// Groups that PFC is on for and that some class fills, as bits.
std::uint8_t pausing_groups(const QosPolicy& policy) {
  const std::uint8_t classes = lossless_classes(policy);
  std::uint8_t bits = 0;
  for (std::uint8_t c = 0; c < kPriorities; c++)
    if (has_bit(classes, c)) bits = static_cast<std::uint8_t>(bits | 1U << policy.group_of_class[c] % kPriorities);
  return bits;
}

template<class F>
void each_pausing_group(const LintView& view, F what) {
  for (const PolicyUse& use : view.switches) {
    const std::uint8_t groups = pausing_groups(*use.policy);
    for (std::uint8_t g = 0; g < kPriorities; g++)
      if (has_bit(groups, g)) what(use, g, use.policy->groups[g]);
  }
}

LintFinding& add_at_group(const PolicyUse& use, std::uint8_t group, std::string message, LintSink& sink) {
  LintFinding& found =
      sink.add(*use.device, place_of(*use.device, *use.policy, {fmt::format("group.{}", group), "pfc"}), std::move(message));
  found.ports = use.names();
  return found;
}

void headroom_too_small(const LintView& view, LintSink& sink) {
  each_pausing_group(view, [&](const PolicyUse& use, std::uint8_t g, const GroupPolicy& group) {
    if (!group.headroom) return;
    struct Kind {
      const PortConfig* port;
      std::vector<std::string> names;
    };
    std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, Kind> short_of;  // by speed, cable and MTU
    for (const PortConfig* port : use.ports) {
      if (!port->speed || port->speed->count() <= 0) continue;
      if (needed_headroom(*port->speed, port->cable, port->mtu) <= *group.headroom) continue;
      Kind& kind = short_of[{port->speed->count(), port->cable.value_or(Millimetres::zero()).count(),
                             port->mtu.value_or(Bytes::zero()).count()}];
      kind.port = port;
      kind.names.push_back(port->name);
    }
    for (auto& [key, kind] : short_of) {
      const PortConfig& port = *kind.port;
      LintFinding& found = add_at_group(
          use, g,
          fmt::format("headroom {} of priority group {} is less than the {} that {} with {} of cable can bring after a pause",
                      format(*group.headroom), g, format(needed_headroom(*port.speed, port.cable, port.mtu)),
                      format(*port.speed), port.cable ? format(*port.cable) : "no length"),
          sink);
      found.ports = std::move(kind.names);
      GroupPolicy enough = group;
      enough.headroom = advised_headroom(*port.speed, port.cable, port.mtu);
      found.repairs.push_back({found.ports, SetGroup{g, enough}});
    }
  });
}

void headroom_zero(const LintView& view, LintSink& sink) {
  each_pausing_group(view, [&](const PolicyUse& use, std::uint8_t g, const GroupPolicy& group) {
    const bool has_speed = std::any_of(use.ports.begin(), use.ports.end(), [](const PortConfig* p) { return p->speed; });
    if (!group.headroom || *group.headroom != Bytes::zero() || has_speed) return;  // with a speed: RY-LNT-020
    add_at_group(use, g, fmt::format("priority group {} has no headroom: what arrives after a pause is dropped", g), sink);
  });
}

void xon_not_below_xoff(const LintView& view, LintSink& sink) {
  each_pausing_group(view, [&](const PolicyUse& use, std::uint8_t g, const GroupPolicy& group) {
    if (!group.xon || !group.xoff || *group.xon < *group.xoff) return;
    LintFinding& found = add_at_group(
        use, g, fmt::format("xon {} of priority group {} is not below xoff {}", format(*group.xon), g, format(*group.xoff)),
        sink);
    GroupPolicy lower = group;
    lower.xon = *group.xoff / 2;
    found.repairs.push_back({found.ports, SetGroup{g, lower}});
  });
}

void alpha_out_of_range(const LintView& view, LintSink& sink) {
  constexpr double kLeast = 1.0 / 128, kMost = 8;
  each_pausing_group(view, [&](const PolicyUse& use, std::uint8_t g, const GroupPolicy& group) {
    if (!group.alpha || (*group.alpha >= kLeast && *group.alpha <= kMost)) return;
    LintFinding& found = add_at_group(
        use, g,
        fmt::format("the dynamic threshold of priority group {} is {:g} of what is free ({}); chips take 1/128 to 8", g,
                    *group.alpha, *group.alpha < kLeast ? "it pauses at once" : "it hardly ever pauses"),
        sink);
    GroupPolicy usual = group;
    usual.alpha = 1.0 / 8;
    found.repairs.push_back({found.ports, SetGroup{g, usual}});
  });
}

void queue_limit_below_kmax(const LintView& view, LintSink& sink) {
  for (const PolicyUse& use : view.switches) {
    const std::uint8_t queues = lossless_queues(*use.policy);
    for (std::uint8_t q = 0; q < kPriorities; q++) {
      const QueuePolicy& queue = use.policy->queues[q];
      if (!has_bit(queues, q) || !queue.limit || !queue.ecn || queue.ecn->kmax.unit != ThresholdUnit::bytes) continue;
      if (static_cast<double>(queue.limit->count()) > queue.ecn->kmax.value) continue;
      sink.add(*use.device, place_of(*use.device, *use.policy, {fmt::format("queue.{}.limit", q), fmt::format("queue.{}", q)}),
               fmt::format("lossless queue {} drops above {}, which is not above Kmax {}", q, format(*queue.limit),
                           format(Bytes(static_cast<std::int64_t>(queue.ecn->kmax.value)))))
          .ports = use.names();
    }
  }
}

/// Where headroom has no share of its own, other pools may have what is left.
void shares_odd(const LintView& view, LintSink& sink) {
  for (const Device& device : view.estate.devices) {
    const BufferConfig& b = device.buffer;
    if (!b.lossless_percent || !b.lossy_percent) continue;
    const double sum = *b.lossless_percent + b.headroom_percent.value_or(0) + *b.lossy_percent;
    if (b.headroom_percent ? std::abs(sum - 100) < 0.5 : sum < 100.5) continue;
    sink.add(device, b.where,
             fmt::format("shares of the buffer make {:g} %: lossless {:g}, {}lossy {:g}", sum, *b.lossless_percent,
                         b.headroom_percent ? fmt::format("headroom {:g}, ", *b.headroom_percent) : "", *b.lossy_percent));
  }
}

bool does_pfc(const Device& device) {
  return std::any_of(device.policies.begin(), device.policies.end(), [](const QosPolicy& p) { return p.pfc != 0; });
}

void lossless_share_empty(const LintView& view, LintSink& sink) {
  for (const Device& device : view.estate.devices) {
    const BufferConfig& b = device.buffer;
    if (!does_pfc(device)) continue;
    const bool lossless = b.lossless_percent && *b.lossless_percent <= 0,
               headroom = b.headroom_percent && *b.headroom_percent <= 0;
    if (!lossless && !headroom) continue;
    sink.add(device, b.where,
             fmt::format("PFC is on, and {} of the buffer is 0 %", lossless ? "the lossless share" : "the share of headroom"));
  }
}

/// Headroom of all ports and lossless priorities of a device; the largest of one group beside it.
struct HeadroomSum {
  Bytes all, largest;
};
std::map<const Device*, HeadroomSum> headroom_of_devices(const LintView& view) {
  std::map<const Device*, HeadroomSum> sums;
  each_pausing_group(view, [&](const PolicyUse& use, std::uint8_t, const GroupPolicy& group) {
    if (!group.headroom) return;
    HeadroomSum& sum = sums[use.device];
    sum.all += *group.headroom * static_cast<std::int64_t>(use.ports.size());
    sum.largest = std::max(sum.largest, *group.headroom);
  });
  return sums;
}

void headroom_beyond_buffer(const LintView& view, LintSink& sink) {
  const auto sums = headroom_of_devices(view);
  for (const Device& device : view.estate.devices) {
    const auto sum = sums.find(&device);
    if (sum == sums.end() || !device.buffer.size || device.buffer.headroom_pool || sum->second.all <= *device.buffer.size)
      continue;
    sink.add(device, device.buffer.where,
             fmt::format("headroom of all ports is {}, more than the buffer of {}", format(sum->second.all),
                         format(*device.buffer.size)));
  }
}

void headroom_pool_too_small(const LintView& view, LintSink& sink) {
  const auto sums = headroom_of_devices(view);
  for (const Device& device : view.estate.devices) {
    const auto sum = sums.find(&device);
    if (sum == sums.end() || !device.buffer.headroom_pool || sum->second.largest <= *device.buffer.headroom_pool) continue;
    sink.add(device, device.buffer.where,
             fmt::format("the shared headroom pool of {} does not hold the {} of a single priority group",
                         format(*device.buffer.headroom_pool), format(sum->second.largest)));
  }
}

constexpr std::string_view kHeadroomSource =
    "IEEE 802.1Q, Annex O; SONiC, buffer_headroom_mellanox.lua (docs/models.md, headroom)";

constexpr LintRule kBufferRules[] = {
    {"RY-LNT-020", Severity::error, 92, "Headroom below what speed and cable need",
     "What is on its way when the pause is sent must find room: two ways over the cable, the response of the neighbour, frames "
     "begun. Less of it drops packets exactly under congestion.",
     kHeadroomSource, "Raise the headroom (SONiC: xoff of the profile) for this speed and cable, or correct the cable length.",
     headroom_too_small},
    {"RY-LNT-021", Severity::error, 90, "A lossless group with no headroom",
     "Pauses are late by at least two ways over the cable; without headroom that much is dropped each time.", kHeadroomSource,
     "Give the group headroom for its speed and cable.", headroom_zero},
    {"RY-LNT-022", Severity::error, 62, "xon not below xoff",
     "The port resumes where it pauses: it sends a flood of pause frames, or never resumes.",
     "SAI, buffer profile XON_TH, XOFF_TH", "Set xon below xoff.", xon_not_below_xoff},
    {"RY-LNT-023", Severity::warning, 48, "Dynamic threshold out of range",
     "Chips take powers of two from 1/128 to 8. Far below, a port pauses on its first packets; far above, one port takes the "
     "buffer of all.",
     "SONiC, BUFFER_PROFILE dynamic_th -7 to 3; SAI, SHARED_DYNAMIC_TH", "Use 1/8 to 1 for a lossless group.",
     alpha_out_of_range},
    {"RY-LNT-024", Severity::error, 82, "A lossless queue drops below Kmax",
     "A limit of the egress queue drops packets that ingress admitted as lossless.",
     "SAI, egress queue buffer profile; SONiC, "
     "egress_lossless_profile",
     "Give lossless queues no limit of their own below the pool.", queue_limit_below_kmax},
    {"RY-LNT-025", Severity::warning, 42, "Shares of the buffer do not make 100 %",
     "The device scales or refuses them; what is in force is not what was written.",
     "Juniper, shared-buffer ingress buffer-partition", "Let lossless, headroom and lossy make 100 %.", shares_odd},
    {"RY-LNT-026", Severity::error, 89, "PFC with an empty lossless share", "There is no buffer to be lossless in.",
     "Juniper, shared-buffer ingress buffer-partition lossless and lossless-headroom", "Give both partitions a share.",
     lossless_share_empty},
    {"RY-LNT-027", Severity::error, 78, "Headroom of all ports is more than the buffer",
     "The profile cannot be applied to every port, or leaves nothing to share.", kHeadroomSource,
     "Use fewer lossless priorities, shorter cables in the profile, or a shared headroom pool.", headroom_beyond_buffer},
    {"RY-LNT-028", Severity::error, 76, "A shared headroom pool smaller than one group's headroom",
     "A single port that pauses loses packets.", "SONiC, BUFFER_POOL xoff", "Enlarge the pool.", headroom_pool_too_small},
};

}  // namespace

std::span<const LintRule> buffer_rules() { return kBufferRules; }

}  // namespace railyard
