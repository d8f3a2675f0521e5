#include "scenario/check/check_packet_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "plan/headroom.h"

namespace railyard {

namespace {

class PacketPlanChecker {
 public:
  PacketPlanChecker(const ScenarioSpec& spec, const Scenario& out, Complaints& complaints)
      : s_(spec), t_(spec.transport), out_(out), fabric_(out.fabric), plan_(out.packet), complaints_(complaints) {}

  void run() {
    credits();
    ecn();
    rates();
    buffer();
  }

 private:
  void error(std::string_view code, const std::string& key, std::string message, std::string hint) {
    complaints_.error(code, s_.where(key), std::move(message), std::move(hint));
  }

  void credits() {
    const CreditPlan& plan = plan_.credits;
    const Bytes packet = t_.mtu + t_.packet_overhead() + t_.message_overhead();
    if (plan.room > Bytes::zero() && plan.room < plan.step + packet)
      error("RY-SCN-092", s_.first_given({"transport.credits", "transport.credit_step"}),
            fmt::format("credits = {} is less than one packet of {} plus credit_step = {}: a sender could stall forever",
                        format(plan.room), format(packet), format(plan.step)),
            "use more credits, or smaller steps");
  }

  /// A threshold that is given against one that goes with the parameter set.
  void ecn() {
    const EcnPlan& ecn = plan_.ecn;
    if (!ecn.enabled || ecn.kmin <= ecn.kmax || (t_.ecn.kmin && t_.ecn.kmax)) return;
    const bool low = t_.ecn.kmin.has_value();
    error("RY-SCN-046", low ? "transport.ecn.kmin" : "transport.ecn.kmax",
          low ? fmt::format("kmin = {} is above kmax, which is {} by default here", format(ecn.kmin), format(ecn.kmax))
              : fmt::format("kmax = {} is below kmin, which is {} by default here", format(ecn.kmax), format(ecn.kmin)),
          low ? "give kmax, too" : "give kmin, too");
  }

  void rates() {
    const DcqcnPlan& dcqcn = plan_.dcqcn;
    const BitsPerSecond line = fabric_.link_rate;
    if (!dcqcn.enabled || line == BitsPerSecond::zero()) return;
    const bool limited = dcqcn.rpg_max_rate > BitsPerSecond::zero() && dcqcn.rpg_max_rate < line;
    const BitsPerSecond most = limited ? dcqcn.rpg_max_rate : line;
    const auto within = [&](const char* key, BitsPerSecond rate) {
      if (rate > most)
        error("RY-SCN-098", s_.first_given({key, "transport.dcqcn.rpg_max_rate", "transport.dcqcn.preset"}),
              fmt::format("{} = {} is above {} = {}", std::string_view(key).substr(16), format(rate),
                          limited ? "rpg_max_rate" : "the link's rate", format(most)),
              "use a lower rate");
    };
    within("transport.dcqcn.rpg_min_rate", dcqcn.rpg_min_rate);
    within("transport.dcqcn.rate_to_set_on_first_cnp", dcqcn.rate_to_set_on_first_cnp);
    if (dcqcn.rpg_ai_rate == BitsPerSecond::zero() && dcqcn.rpg_hai_rate == BitsPerSecond::zero())
      error("RY-SCN-098", "transport.dcqcn.rpg_ai_rate", "rpg_ai_rate and rpg_hai_rate are both 0: rates never recover",
            "give one of them");
  }

  void buffer() {
    const BufferPlan& buffer = plan_.buffer;
    const Bytes aside = set_aside(out_);
    const std::string key =
        s_.first_given({"fabric.buffer", "transport.pfc.headroom", "transport.pfc.reserve", "fabric.switch"});
    if (aside >= buffer.size)
      return error(
          "RY-SCN-099", key,
          fmt::format("headroom and reserve of all ports need {}, and the buffer has {}", format(aside), format(buffer.size)),
          "use a larger buffer, shorter cables, or less headroom and reserve");
    if (plan_.pfc.enabled && buffer.xoff && *buffer.xoff > buffer.size - aside)
      error("RY-SCN-099", "transport.pfc.xoff",
            fmt::format("xoff = {} exceeds the shared buffer, {}", format(*buffer.xoff), format(buffer.size - aside)),
            "use less: otherwise the buffer overflows before a pause frame is sent");
    const ClassPlan& data = plan_.classes[kDataClass];
    const Bytes packet = t_.mtu + t_.packet_overhead() + t_.message_overhead();
    const bool drops = data.counted && !(data.lossless && plan_.pfc.enabled) && plan_.credits.room == Bytes::zero();
    if (drops && buffer.xoff && *buffer.xoff + buffer.reserve < packet)
      error("RY-SCN-099", "transport.pfc.xoff",
            fmt::format("xoff = {} is less than one packet of {}, and this class is not lossless: switches drop every packet",
                        format(*buffer.xoff), format(packet)),
            "use at least a few packets, or a smaller MTU");
  }

  const ScenarioSpec& s_;
  const TransportSpec& t_;
  const Scenario& out_;
  const FabricPlan& fabric_;
  const PacketPlan& plan_;
  Complaints& complaints_;
};

/// Ports of one switch that are surely used; zero if that takes a look at the fabric.
std::int64_t ports_of(const FabricPlan& plan) {
  const std::int64_t all =
      std::int64_t{plan.endpoints} / plan.per_node * (plan.interfaces_per_node * plan.ports + plan.host_nics);
  switch (plan.topology) {
    case Topology::star:
      return all;
    case Topology::file:
      return 0;
    case Topology::fat_tree:
      return plan.radix.value_or(0);
    default:
      return std::min(all, std::int64_t{plan.hosts_per_leaf.value_or(0)}) + plan.uplinks.value_or(0);
  }
}

}  // namespace

void check_packet_plan(const ScenarioSpec& spec, const Scenario& out, Complaints& complaints) {
  PacketPlanChecker(spec, out, complaints).run();
}

Bytes set_aside(const Scenario& out) {
  const PacketPlan& plan = out.packet;
  if (out.fabric.link_rate == BitsPerSecond::zero()) return Bytes::zero();
  const Bytes headroom = headroom_of(plan, out.fabric.link_rate, out.fabric.link_delay);
  Int128 port = Int128(plan.pfc.enabled ? plan.buffer.idle_lossless : 0) * headroom.count();
  for (const ClassPlan& c : plan.classes)
    port += (c.lossless ? headroom.count() : 0) + (c.counted ? plan.buffer.reserve.count() : 0);
  return Bytes(static_cast<std::int64_t>(std::min(port * ports_of(out.fabric), Int128(Bytes::max().count() / 4))));
}

}  // namespace railyard
