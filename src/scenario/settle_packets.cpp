#include "scenario/settle_packets.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/check_packets.h"
#include "scenario/dcqcn_presets.h"
#include "scenario/headroom.h"

namespace railyard {

namespace {

constexpr Bytes kUsualBuffer = 64_MiB;
constexpr double kUsualAlpha = 1.0 / 8;
constexpr Bytes kUsualXonOffset = 3_KiB;
constexpr std::uint32_t kControlPriority = 6;
constexpr std::uint32_t kAnyOrder = 1U << 20;  // more packets than are ever under way

class PacketPlanner {
 public:
  PacketPlanner(Scenario& scenario, const Catalog& catalog)
      : s_(scenario),
        t_(scenario.transport),
        plan_(scenario.packet),
        switch_(catalog.switches.find(scenario.fabric.switch_model)) {}

  void run() {
    plan_ = {};
    plan_.seed = s_.engine.seed;
    plan_.flowlet_gap = s_.routing.flowlet_gap;
    if (s_.routing.policy == RoutingPolicy::flowlet)
      note("routing.flowlet_gap", format_exact(plan_.flowlet_gap),
           {Status::published, "Juniper's default; SONiC's example has 256 us"});
    nic();
    dcqcn();
    classes();
    pfc();
    headroom();
    buffer();
    slow_hosts();
  }

 private:
  void note(const std::string& key, std::string value, Origin otherwise) {
    s_.inputs.push_back({key, std::move(value), s_.given(key) ? Origin{Status::given, "scenario"} : std::move(otherwise)});
  }

  void note_given(const std::string& key, std::string value) {
    if (s_.given(key)) note(key, std::move(value), {});
  }

  void nic() {
    NicPlan& nic = plan_.nic;
    nic.ack_every = t_.ack_every;
    nic.ack = t_.ack_size;
    nic.cnp = t_.cnp_size;
    nic.ack_with_data = t_.ack_class == AckClass::data;
    // Where packets of a flow take several ways, NICs that cannot take them in any order are of no use.
    const bool spread = s_.routing.policy == RoutingPolicy::adaptive || s_.routing.policy == RoutingPolicy::spray;
    nic.recovery = t_.loss_recovery.value_or(spread ? LossRecovery::selective_repeat : LossRecovery::go_back_n);
    nic.reorder = t_.reorder_window.value_or(spread ? kAnyOrder : 0);
    nic.window = t_.window;
    nic.timeout = t_.retransmit_timeout;
    nic.retries = t_.retries;
    nic.host_rate = t_.host_rate;
    nic.receive_buffer = t_.receive_buffer;
    note("transport.ack_every", std::to_string(nic.ack_every),
         {Status::assumed, "ACKs are coalesced by NICs, how far is not published"});
    note("transport.ack_size", format_exact(nic.ack), {Status::published, "RoCEv2 headers and AETH 4 (InfiniBand annex A17)"});
    note("transport.cnp_size", format_exact(nic.cnp),
         {Status::published, "RoCEv2 headers and 16 bytes (InfiniBand annex A17)"});
    note("transport.loss_recovery", std::string(name_of(nic.recovery)),
         {Status::assumed, spread ? "NICs made for packets that take several ways" : "what RDMA NICs do since the first"});
    if (spread && !t_.reorder_window)
      note("transport.reorder_window", std::to_string(nic.reorder), {Status::assumed, "packets may arrive in any order"});
    note("transport.retransmit_timeout", format_exact(nic.timeout), {Status::assumed, "4.096 us x 2^14, usual for verbs"});
    note("transport.retries", std::to_string(nic.retries), {Status::published, "7, the most verbs allow and NCCL's default"});
    if (nic.window) note("transport.window", format_exact(*nic.window), {});
    if (nic.host_rate) note("transport.host_rate", format_exact(*nic.host_rate), {});
    note_given("transport.ack_class", std::string(name_of(t_.ack_class)));
    note_given("transport.reorder_window", std::to_string(nic.reorder));
    note_given("transport.receive_buffer", format_exact(nic.receive_buffer));
  }

  template<class Value>
  void take(Value& out, const std::optional<Value>& given, const char* key) {
    if (!given) return;
    out = *given;
    note(std::string("transport.dcqcn.") + key, schema::written(out), {});
  }

  void dcqcn() {
    const DcqcnSpec& spec = t_.dcqcn;
    const DcqcnSet set = dcqcn_set(spec.preset, s_.plan.link_rate);
    plan_.dcqcn = set.dcqcn;
    DcqcnPlan& plan = plan_.dcqcn;
    plan.enabled = spec.enabled && t_.kind == TransportKind::roce;
    if (plan.enabled) {
      // The word may be the user's, the values are not.
      s_.inputs.push_back({"transport.dcqcn.preset", std::string(name_of(spec.preset)), set.origin});
      take(plan.clamp_target, spec.clamp_tgt_rate, "clamp_tgt_rate");
      take(plan.clamp_target_after_time, spec.clamp_tgt_rate_after_time_inc, "clamp_tgt_rate_after_time_inc");
      take(plan.time_reset, spec.rpg_time_reset, "rpg_time_reset");
      take(plan.byte_reset, spec.rpg_byte_reset, "rpg_byte_reset");
      take(plan.threshold, spec.rpg_threshold, "rpg_threshold");
      take(plan.max_rate, spec.rpg_max_rate, "rpg_max_rate");
      take(plan.min_rate, spec.rpg_min_rate, "rpg_min_rate");
      take(plan.additive, spec.rpg_ai_rate, "rpg_ai_rate");
      take(plan.hyper, spec.rpg_hai_rate, "rpg_hai_rate");
      take(plan.gd, spec.rpg_gd, "rpg_gd");
      take(plan.least_kept, spec.rpg_min_dec_fac, "rpg_min_dec_fac");
      take(plan.first_rate, spec.rate_to_set_on_first_cnp, "rate_to_set_on_first_cnp");
      take(plan.old_weight, spec.dce_tcp_g, "dce_tcp_g");
      take(plan.alpha_period, spec.dce_tcp_rtt, "dce_tcp_rtt");
      take(plan.cut_period, spec.rate_reduce_monitor_period, "rate_reduce_monitor_period");
      take(plan.first_alpha, spec.initial_alpha_value, "initial_alpha_value");
      take(plan.cnp_gap, spec.min_time_between_cnps, "min_time_between_cnps");
      CnpMode mode = plan.cnp_on_ack ? CnpMode::ack_flag : CnpMode::packet;
      take(mode, spec.cnp_mode, "cnp_mode");
      plan.cnp_on_ack = mode == CnpMode::ack_flag;
    } else {
      note("transport.dcqcn.enabled", "false", {Status::assumed, "DCQCN belongs to RoCE"});
    }
    ecn(set);
  }

  void ecn(const DcqcnSet& set) {
    const EcnSpec& spec = t_.ecn;
    const bool own = plan_.dcqcn.enabled && set.ecn;
    plan_.ecn = own ? *set.ecn : EcnPlan{.enabled = true, .kmin = 1_MiB, .kmax = 2_MiB, .pmax = 0.05};
    plan_.ecn.enabled = spec.enabled;
    if (spec.kmin) plan_.ecn.kmin = *spec.kmin;
    if (spec.kmax) plan_.ecn.kmax = *spec.kmax;
    if (spec.pmax) plan_.ecn.pmax = *spec.pmax;
    if (!spec.enabled) return note("transport.ecn.enabled", "false", {});
    const Origin origin =
        own ? Origin{set.origin.status, fmt::format("goes with {}: {}", name_of(t_.dcqcn.preset), set.origin.source)}
            : Origin{Status::published, "SONiC's profile AZURE_LOSSLESS, the default of most of its switches"};
    note("transport.ecn.kmin", format_exact(plan_.ecn.kmin), origin);
    note("transport.ecn.kmax", format_exact(plan_.ecn.kmax), origin);
    note("transport.ecn.pmax", fmt::format("{}", plan_.ecn.pmax), origin);
  }

  void classes() {
    const ClassesSpec& spec = t_.classes;
    ClassPlan &control = plan_.classes[kControlClass], &data = plan_.classes[kDataClass],
              &background = plan_.classes[kBackgroundClass];
    const auto lossless = [&](std::uint32_t priority) {
      const std::vector<std::uint32_t>& all = t_.pfc.priorities;
      return t_.pfc.enabled && std::find(all.begin(), all.end(), priority) != all.end();
    };
    control = {.priority = static_cast<std::uint8_t>(t_.dcqcn.cnp_802p_prio.value_or(kControlPriority)),
               .lossless = false,
               .strict = !spec.control_weight,
               .weight = spec.control_weight.value_or(1),
               .counted = spec.control_counted};
    data = {.priority = static_cast<std::uint8_t>(t_.pfc.priorities.front()),
            .lossless = t_.pfc.enabled,
            .strict = false,
            .weight = spec.data_weight,
            .counted = true};
    background = {.priority = static_cast<std::uint8_t>(spec.background_priority),
                  .lossless = lossless(spec.background_priority),
                  .strict = false,
                  .weight = spec.background_weight,
                  .counted = true};
    note_given("transport.dcqcn.cnp_802p_prio", std::to_string(control.priority));
    note_given("transport.classes.control_weight", std::to_string(control.weight));
    note_given("transport.classes.control_counted", control.counted ? "true" : "false");
    if (!s_.traffic || s_.traffic->background == 0) return;
    const Origin origin{Status::published, "Cumulus Linux, RoCE: half to each of two queues, CNPs strictly first"};
    note("transport.classes.data_weight", std::to_string(data.weight), origin);
    note("transport.classes.background_weight", std::to_string(background.weight), origin);
  }

  void pfc() {
    const PfcSpec& spec = t_.pfc;
    plan_.pfc = {.enabled = spec.enabled,
                 .frame = spec.frame_size,
                 .response = spec.response,
                 .watchdog = spec.watchdog,
                 .watchdog_forwards = spec.watchdog_action == WatchdogAction::forward,
                 .detection = spec.watchdog_detection,
                 .restoration = spec.watchdog_restoration,
                 .poll = spec.watchdog_poll};
    if (!spec.enabled) return note("transport.pfc.enabled", "false", {});
    note_given("transport.pfc.frame_size", format_exact(spec.frame_size));
    if (s_.plan.link_rate > BitsPerSecond::zero())
      note("transport.pfc.response", format_exact(pause_response(plan_, s_.plan.link_rate)),
           {Status::published, fmt::format("SONiC's pause quanta of a port of {}", format(s_.plan.link_rate))});
    if (!spec.watchdog) return;
    const Origin origin{Status::published, "SONiC, pfcwd start_default"};
    note("transport.pfc.watchdog_detection", format_exact(spec.watchdog_detection), origin);
    note("transport.pfc.watchdog_restoration", format_exact(spec.watchdog_restoration), origin);
    note("transport.pfc.watchdog_poll", format_exact(spec.watchdog_poll), origin);
    note("transport.pfc.watchdog_action", std::string(name_of(spec.watchdog_action)), origin);
  }

  void headroom() {
    HeadroomPlan& h = plan_.headroom;
    h.packet = t_.mtu + t_.packet_overhead() + t_.message_overhead();
    h.port_mtu = s_.fabric.port_mtu;
    h.small_packets = t_.pfc.small_packets;
    if (switch_ && switch_->fact.cell) h.cell = *switch_->fact.cell;
    if (switch_ && switch_->fact.tile_latency) h.tile = *switch_->fact.tile_latency;
    plan_.buffer.headroom = t_.pfc.headroom;
    if (!t_.pfc.enabled || s_.plan.link_rate == BitsPerSecond::zero()) return;
    const Bytes settled = headroom_of(plan_, s_.plan.link_rate, s_.plan.link_delay);
    const bool own = settled > headroom_by_formula(plan_, s_.plan.link_rate, s_.plan.link_delay);
    note("transport.pfc.headroom", format_exact(settled),
         {own || h.cell == Bytes::zero() ? Status::estimated : Status::published,
          fmt::format("per port of {} and lossless class: {}", format(s_.plan.link_rate),
                      own                       ? "what can still arrive, more than the usual formula has"
                      : h.cell == Bytes::zero() ? "cable both ways, response, two frames and the pause"
                                                : "SONiC's formula for Spectrum")});
  }

  void buffer() {
    const PfcSpec& spec = t_.pfc;
    BufferPlan& plan = plan_.buffer;
    plan.reserve = spec.reserve.value_or(plan_.headroom.cell == Bytes::zero() ? Bytes::zero() : kSpectrumReserve);
    note("transport.pfc.reserve", format_exact(plan.reserve),
         plan.reserve == Bytes::zero() ? Origin{Status::assumed, "all of the buffer is shared"}
                                       : Origin{Status::published, "SONiC's formula for Spectrum: what its pipeline holds"});
    plan.release_at_start = spec.release == BufferRelease::start;
    note_given("transport.pfc.release", std::string(name_of(spec.release)));
    plan.alpha = spec.alpha.value_or(kUsualAlpha);
    plan.xon_offset = spec.xon_offset.value_or(kUsualXonOffset);
    plan.xoff = spec.xoff;
    const Origin usual{Status::published, "HPCC's model of a switch"};
    if (spec.xoff) {
      plan.xon = spec.xon.value_or(std::max(Bytes::zero(), *spec.xoff - plan.xon_offset));
      note("transport.pfc.xoff", format_exact(*plan.xoff), {});
      note("transport.pfc.xon", format_exact(*plan.xon),
           {Status::published, "below xoff by xon_offset, as in HPCC's model of a switch"});
    } else {
      note("transport.pfc.alpha", fmt::format("{}", plan.alpha), usual);
      note("transport.pfc.xon_offset", format_exact(plan.xon_offset), usual);
    }
    size();
  }

  void size() {
    Bytes& size = plan_.buffer.size;
    const Bytes least = set_aside(s_) * 2;
    if (s_.fabric.buffer)
      note("fabric.buffer", format_exact(size = *s_.fabric.buffer), {});
    else if (switch_ && switch_->fact.buffer)
      note("fabric.buffer", format_exact(size = *switch_->fact.buffer),
           {switch_->origin_of("buffer").status, switch_->name + ": " + switch_->origin_of("buffer").source});
    else
      note("fabric.buffer", format_exact(size = std::max(kUsualBuffer, least)),
           {Status::assumed, least > kUsualBuffer ? "unknown; twice what headroom and reserve of all ports take"
                                                  : "unknown; that of a switch of 12.8 Tb/s"});
  }

  void slow_hosts() {
    if (!s_.traffic || !s_.traffic->slow_rate) return;
    for (const std::uint32_t host : s_.traffic->slow_hosts) plan_.slow.push_back({host, *s_.traffic->slow_rate});
    note_given("traffic.slow_rate", format_exact(*s_.traffic->slow_rate));
  }

  Scenario& s_;
  const TransportSpec& t_;
  PacketPlan& plan_;
  const Entry<SwitchFact>* switch_;
};

}  // namespace

void settle_packets(Scenario& scenario, const Catalog& catalog, Complaints& complaints) {
  PacketPlanner(scenario, catalog).run();
  check_packet_plan(scenario, complaints);
}

}  // namespace railyard
