#include "scenario/resolve/resolve_packets.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "plan/headroom.h"
#include "scenario/check/check_packet_plan.h"
#include "scenario/resolve/resolve_control.h"
#include "scenario/resolve/resolve_qos.h"
#include "scenario/resolve/transport_defaults.h"

namespace railyard {

namespace {

constexpr Bytes kUsualBuffer = 64_MiB;
constexpr double kUsualAlpha = 1.0 / 8;
constexpr Bytes kUsualXonOffset = 3_KiB;
constexpr Picoseconds kShieldConvergence = 4'000_us;  // of InfiniBand switches that tell each other
constexpr std::uint32_t kAnyOrder = 1U << 20;         // more packets than are ever under way
constexpr std::uint32_t kDuplicates = 3;              // ACKs for one packet that TCP takes for a loss
constexpr std::uint32_t kMaxEntropies = 4096;         // that packets can name
constexpr std::uint32_t kDefaultEntropies = 256;
constexpr std::int64_t kPacketsPerTimeout = 256;  // of Ultra Ethernet, at least: an incast of as many

class PacketResolver {
 public:
  PacketResolver(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out)
      : s_(spec),
        out_(out),
        t_(spec.transport),
        own_(transport_defaults(spec.transport.kind)),
        fabric_(out.fabric),
        routing_(out.routing),
        plan_(out.packet),
        switch_(catalog.switches.find(spec.fabric.switch_model)) {}

  void run() {
    plan_ = {};
    plan_.seed = s_.engine.seed, plan_.device = s_.engine.device;
    plan_.flowlet_gap = s_.routing.flowlet_gap;
    if (routing_.policy == RoutingPolicy::flowlet)
      note("routing.flowlet_gap", format_exact(plan_.flowlet_gap),
           {Status::published, "Juniper's default; SONiC's example has 256 us"});
    resolve_control(s_, out_);
    nic();
    entropies();
    resolve_marks(s_, out_);
    if (plan_.dcqcn.enabled && !plan_.dcqcn.cnp_on_ack)
      note("transport.cnp_size", format_exact(plan_.nic.cnp),
           {Status::published, "RoCEv2 headers and 16 bytes (InfiniBand annex A17)"});
    classes();
    pfc();
    headroom();
    buffer();
    queues();
    credits();
    slow_hosts();
    host_faults();
    if (!s_.failures.empty()) failover();
  }

 private:
  void note(const std::string& key, std::string value, Origin otherwise) {
    note_input(out_, key, std::move(value), std::move(otherwise));
  }

  /// How long a failed link is used on.
  void failover() {
    const bool infiniband = t_.kind == TransportKind::infiniband;
    FailoverPlan& plan = plan_.failover;
    plan.local_repair = s_.routing.local_repair.value_or(FailoverPlan{}.local_repair);
    plan.convergence = s_.routing.convergence.value_or(
        std::max(plan.local_repair, infiniband ? kShieldConvergence : FailoverPlan{}.convergence));
    note("routing.local_repair", format_exact(plan.local_repair),
         {Status::assumed, "a link that goes down is noticed in milliseconds (RFC 7938, 7.1)"});
    note("routing.convergence", format_exact(plan.convergence),
         infiniband ? Origin{Status::assumed, "5,000 times faster than a subnet manager's 20 s (Mellanox on SHIELD, 2017)"}
                    : Origin{Status::assumed, "BGP in a data centre converges within a second (RFC 7938, 7)"});
  }

  void note_given(const std::string& key, std::string value) {
    if (s_.given(key)) note(key, std::move(value), {});
  }

  void nic() {
    NicPlan& nic = plan_.nic;
    const bool clocked =
        (t_.kind == TransportKind::roce && plan_.control.has_window()) || has_cnps_on_acks(s_, out_);  // by ACKs
    nic.ack_every = t_.ack_every.value_or(clocked ? 1 : own_.ack_every);
    nic.ack = t_.ack_size.value_or(own_.ack);
    nic.cnp = t_.cnp_size;
    nic.ack_with_data = t_.ack_class.value_or(own_.ack_class) == AckClass::data;
    nic.window = t_.window;
    nic.timeout = t_.retransmit_timeout.value_or(own_timeout());
    nic.retries = t_.retries.value_or(own_.retries);
    nic.host_rate = t_.host_rate;
    nic.flow_rate = t_.flow_rate;
    nic.backs_off = t_.kind == TransportKind::tcp;
    nic.admission = t_.admission;
    nic.receive_buffer = t_.receive_buffer;
    note("transport.ack_every", std::to_string(nic.ack_every),
         clocked ? Origin{Status::published, "every packet, as in HPCC's ns-3"} : own_.acks);
    note("transport.ack_size", format_exact(nic.ack), own_.bytes);
    losses();
    note("transport.retransmit_timeout", format_exact(nic.timeout), own_.loss);
    const bool verbs = t_.kind == TransportKind::roce || t_.kind == TransportKind::infiniband;
    note("transport.retries", std::to_string(nic.retries),
         verbs ? Origin{Status::published, "7, the most verbs allow and NCCL's default"} : own_.loss);
    if (nic.window) note("transport.window", format_exact(*nic.window), {});
    if (nic.host_rate) note("transport.host_rate", format_exact(*nic.host_rate), {});
    if (nic.flow_rate) note("transport.flow_rate", format_exact(*nic.flow_rate), {});
    note_given("transport.admission", std::to_string(nic.admission));
    note_given("transport.ack_class", std::string(name_of(t_.ack_class.value_or(own_.ack_class))));
    note_given("transport.reorder_window", std::to_string(nic.reorder));
    note_given("transport.receive_buffer", format_exact(nic.receive_buffer));
  }

  /// The transport's own; Ultra Ethernet's is no less than many packets take, as senders that are slowed down keep one each
  /// in flight.
  [[nodiscard]] Picoseconds own_timeout() const {
    if (t_.kind != TransportKind::uec || fabric_.link_rate == BitsPerSecond::zero()) return own_.timeout;
    return std::max(own_.timeout, transmit_time(t_.mtu + t_.packet_overhead(), fabric_.link_rate) * kPacketsPerTimeout);
  }

  /// What is sent again, and what is taken for lost.
  void losses() {
    NicPlan& nic = plan_.nic;
    // Where packets of a flow take several entropies, NICs are taken to be made for it, unless the catalog knows better.
    const bool spreads = routing_.policy == RoutingPolicy::adaptive || routing_.policy == RoutingPolicy::spray;
    const bool in_order_alone = spreads && out_.transport.any_order == false && t_.kind != TransportKind::tcp;
    const bool spread = own_.any_order || (spreads && !in_order_alone);
    const bool window = plan_.control.has_window(), repeats = spread || window;
    nic.recovery = t_.loss_recovery.value_or(repeats ? LossRecovery::selective_repeat : LossRecovery::go_back_n);
    if (window) nic.recovery = LossRecovery::selective_repeat;
    nic.reorder = t_.reorder_window.value_or(spread ? kAnyOrder : t_.kind == TransportKind::tcp ? kDuplicates : 0);
    note("transport.loss_recovery", std::string(name_of(nic.recovery)),
         {Status::assumed, spread                          ? "NICs made for packet spraying"
                           : t_.kind == TransportKind::tcp ? "TCP with selective ACKs (RFC 2018)"
                           : repeats                       ? "what goes with a window"
                           : in_order_alone                ? out_.transport.nic + " takes packets in order alone"
                                                           : "what RDMA NICs do since the first"});
    if (t_.reorder_window || nic.reorder == 0) return;
    note("transport.reorder_window", std::to_string(nic.reorder),
         spread ? Origin{Status::assumed, "packets may arrive in any order"}
                : Origin{Status::published, "three duplicate ACKs are a loss (RFC 5681)"});
  }

  /// Entropies that a sender of Ultra Ethernet draws from for every packet.
  void entropies() {
    NicPlan& nic = plan_.nic;
    nic.routes_by_entropy = t_.kind == TransportKind::uec && routing_.policy == RoutingPolicy::spray;
    if (!nic.routes_by_entropy) return;
    nic.entropies = std::min(kMaxEntropies, routing_.paths.value_or(kDefaultEntropies));
    nic.recycles_entropies = t_.entropy_choice.value_or(EntropyChoice::recycled) == EntropyChoice::recycled;
    note("routing.paths", std::to_string(nic.entropies), {Status::assumed, "entropy values that a sender draws from"});
    note("transport.entropy_choice", nic.recycles_entropies ? "recycled" : "random",
         {Status::published, "REPS: eight values that were not marked are kept"});
  }

  /// Queues that end by themselves, not only with the buffer.
  void queues() {
    BufferPlan& plan = plan_.buffer;
    const bool can = !switch_ || switch_->fact.trimming;
    const bool trims = t_.trimming.value_or(own_.trims && can && plan_.control.has_window());
    plan.queue = t_.queue_limit;
    if (!plan.queue && own_.trims && !plan_.pfc.enabled && fabric_.link_rate > BitsPerSecond::zero())
      plan.queue = std::max(bytes_in(kReferenceTrip, fabric_.link_rate), (t_.mtu + t_.packet_overhead()) * 4);
    if (!plan.queue) return;
    note("transport.queue_limit", format_exact(*plan.queue),
         {Status::published, "what a link carries in 12 us, as in htsim's model of UEC"});
    const Origin own{Status::assumed, "the transport's own"};
    const Origin untold{Status::assumed, fmt::format("{} is not known to trim", s_.fabric.switch_model)};
    note("transport.trimming", trims ? "true" : "false",
         !can               ? untold
         : switch_ && trims ? switch_->origin_of("trimming")
                            : own);
    if (!trims) return;
    plan.trim = t_.trim_size;
    note("transport.trim_size", format_exact(t_.trim_size), {Status::published, "SONiC, SWITCH_TRIMMING"});
  }

  /// Room that senders know of, on InfiniBand.
  void credits() {
    const bool on_island = s_.fabric.island.transport == TransportKind::infiniband && !own_.credits;
    if ((!own_.credits && !on_island) || fabric_.link_rate == BitsPerSecond::zero()) return;
    CreditPlan& plan = plan_.credits;
    plan.on_island = on_island;
    const Bytes packet = t_.mtu + t_.packet_overhead() + t_.message_overhead();
    const std::int64_t ports = std::max<std::int64_t>(fabric_.radix.value_or(64), 1);
    const bool third = stores() && plan_.queue_of[kStorageClass] == kStorageClass;
    const std::int64_t queues_per_port = third ? 3 : 2;  // data, background, storage
    const Bytes share = plan_.buffer.size / (ports * queues_per_port), least = packet * 4;
    plan.room = t_.credits.value_or(std::max(share, least));
    plan.step = t_.credit_step.value_or(std::max(plan.room / 8, Bytes(1)));
    note("transport.credits", format_exact(plan.room),
         {Status::estimated,
          fmt::format("an equal share of the switch's buffer for each port and {} virtual lanes", third ? "three" : "two")});
    note("transport.credit_step", format_exact(plan.step), {Status::assumed, "an eighth of the room"});
  }

  void classes() {
    const ClassesSpec& spec = t_.classes;
    ClassPlan &control = plan_.classes[kControlClass], &data = plan_.classes[kDataClass],
              &background = plan_.classes[kBackgroundClass], &storage = plan_.classes[kStorageClass];
    const auto lossless = [&](std::uint32_t priority) {
      const std::vector<std::uint32_t>& all = t_.pfc.priorities;
      return pauses() && std::find(all.begin(), all.end(), priority) != all.end();
    };
    control = {.priority = static_cast<std::uint8_t>(t_.dcqcn.cnp_802p_prio.value_or(kCnpPriority)),
               .lossless = false,
               .strict = !spec.control_weight,
               .weight = spec.control_weight.value_or(1),
               .counted = spec.control_counted};
    data = {.priority = static_cast<std::uint8_t>(t_.pfc.priorities.front()),
            .lossless = pauses(),
            .strict = false,
            .weight = spec.data_weight,
            .counted = true};
    background = {.priority = static_cast<std::uint8_t>(spec.background_priority),
                  .lossless = lossless(spec.background_priority),
                  .strict = false,
                  .weight = spec.background_weight,
                  .counted = true};
    storage = {.priority = static_cast<std::uint8_t>(spec.storage_priority),
               .lossless = lossless(spec.storage_priority),
               .strict = false,
               .weight = spec.storage_weight,
               .counted = true};
    share_queues();
    note_given("transport.classes.background_priority", std::to_string(background.priority));
    note_given("transport.dcqcn.cnp_802p_prio", std::to_string(control.priority));
    note_given("transport.classes.control_weight", std::to_string(control.weight));
    note_given("transport.classes.control_counted", control.counted ? "true" : "false");
    weights();
  }

  /// Classes of one priority wait in one queue. Where nobody waits, no queue is reserved.
  void share_queues() {
    const auto priority = [&](std::uint8_t c) { return plan_.classes[c].priority; };
    std::array<std::uint8_t, kClasses>& queue_of = plan_.queue_of;
    if (priority(kBackgroundClass) == priority(kDataClass)) queue_of[kBackgroundClass] = kDataClass;
    for (const std::uint8_t c : {kBackgroundClass, kDataClass})
      if (priority(kStorageClass) == priority(c)) queue_of[kStorageClass] = c;
    for (const std::uint8_t c : {kBackgroundClass, kStorageClass})
      if (queue_of[c] != c || (c == kStorageClass && !stores())) plan_.classes[c].lossless = plan_.classes[c].counted = false;
    keep_for_idle_priorities();
  }

  /// A switch keeps headroom for every priority that PFC is on for, whether anything has it or not.
  void keep_for_idle_priorities() {
    const auto used = std::count_if(plan_.classes.begin(), plan_.classes.end(), [](const ClassPlan& c) { return c.lossless; });
    const auto all = static_cast<std::ptrdiff_t>(t_.pfc.priorities.size());
    if (!pauses() || all <= used) return;
    plan_.buffer.idle_lossless = static_cast<std::uint32_t>(all - used);
    note("transport.pfc.priorities", fmt::format("{}", fmt::join(t_.pfc.priorities, ", ")),
         {Status::given, fmt::format("{} of them without traffic: headroom is set aside for them, too", all - used)});
  }

  [[nodiscard]] bool stores() const { return s_.traffic && s_.traffic->storage; }

  void weights() {
    const auto weight = [&](std::uint8_t c) { return std::to_string(plan_.classes[c].weight); };
    const bool has_background = s_.traffic && s_.traffic->background > 0;
    const Origin origin{Status::published, "Cumulus Linux, RoCE: half to each of two queues, CNPs strictly first"};
    if (has_background || stores()) note("transport.classes.data_weight", weight(kDataClass), origin);
    if (has_background) note("transport.classes.background_weight", weight(kBackgroundClass), origin);
    if (!stores()) return;
    note("transport.classes.storage_priority", std::to_string(plan_.classes[kStorageClass].priority),
         {Status::assumed, "bulk traffic, in a queue of its own"});
    if (plan_.queue_of[kStorageClass] == kStorageClass)
      note("transport.classes.storage_weight", weight(kStorageClass), {Status::assumed, "as much as others"});
  }

  /// Ethernet is lossless if asked to be, and for RoCE unless asked not to.
  [[nodiscard]] bool pauses() const { return t_.pfc.enabled && (own_.pfc || s_.given("transport.pfc.enabled")); }

  void pfc() {
    const PfcSpec& spec = t_.pfc;
    plan_.pfc = {.enabled = pauses(),
                 .frame = spec.frame_size,
                 .response = spec.response,
                 .watchdog = spec.watchdog,
                 .watchdog_forwards = spec.watchdog_action == WatchdogAction::forward,
                 .detection = spec.watchdog_detection,
                 .restoration = spec.watchdog_restoration,
                 .poll = spec.watchdog_poll};
    if (!pauses()) return note("transport.pfc.enabled", "false", {Status::assumed, "the transport's own"});
    note_given("transport.pfc.frame_size", format_exact(spec.frame_size));
    if (fabric_.link_rate > BitsPerSecond::zero())
      note("transport.pfc.response", format_exact(pause_response(plan_, fabric_.link_rate)),
           {Status::published, fmt::format("SONiC's pause quanta of a port of {}", format(fabric_.link_rate))});
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
    if (!pauses() || fabric_.link_rate == BitsPerSecond::zero()) return;
    const Bytes resolved = headroom_of(plan_, fabric_.link_rate, fabric_.link_delay);
    const bool own = resolved > headroom_by_formula(plan_, fabric_.link_rate, fabric_.link_delay);
    note("transport.pfc.headroom", format_exact(resolved),
         {own || h.cell == Bytes::zero() ? Status::estimated : Status::published,
          fmt::format("per port of {} and lossless class: {}", format(fabric_.link_rate),
                      own                       ? "what can still arrive, more than the usual formula has"
                      : h.cell == Bytes::zero() ? "round-trip cable delay, response time, two frames and the pause frame"
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
    const Bytes least = set_aside(out_) * 2;
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

  /// Every time that a host fails, by time.
  void host_faults() {
    for (const Failure& failure : s_.failures)
      for (std::uint32_t i = 0; failure.is_of_host() && i < failure.times; i++) {
        const Picoseconds later = failure.every.value_or(Picoseconds::zero()) * i;
        plan_.host_faults.push_back({.host = failure.what.index,
                                     .storms = failure.storms,
                                     .takes = failure.takes,
                                     .from = failure.from + later,
                                     .until = failure.until ? *failure.until + later : Picoseconds::max()});
      }
    std::stable_sort(plan_.host_faults.begin(), plan_.host_faults.end(),
                     [](const HostFault& a, const HostFault& b) { return a.from < b.from; });
  }

  const ScenarioSpec& s_;
  Scenario& out_;
  const TransportSpec& t_;
  const TransportDefaults& own_;
  const FabricPlan& fabric_;
  const RoutingPlan& routing_;
  PacketPlan& plan_;
  const Entry<SwitchFact>* switch_;
};

}  // namespace

void resolve_packets(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out, Complaints& complaints) {
  PacketResolver(spec, catalog, out).run();
  check_packet_plan(spec, out, complaints);
  resolve_qos(spec, out, complaints);
}

}  // namespace railyard
