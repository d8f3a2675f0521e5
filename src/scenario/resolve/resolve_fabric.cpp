#include "scenario/resolve/resolve_fabric.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "catalog/rates.h"

namespace railyard {

namespace {

constexpr Millimetres kUsualCable = 30_m;
constexpr Picoseconds kUsualSwitch = 900_ns;
constexpr Picoseconds kUsualNic = 1250_ns;
constexpr Picoseconds kKernelStack = 25_us;
constexpr Picoseconds kUsualScaleUp = 3330_ns;

class FabricResolver {
 public:
  FabricResolver(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out, Complaints& complaints)
      : s_(spec),
        out_(out),
        plan_(out.fabric),
        complaints_(complaints),
        gpu_(catalog.gpus.find(spec.cluster.gpu)),
        nic_(catalog.nics.find(spec.cluster.nic)),
        switch_(catalog.switches.find(spec.fabric.switch_model)) {}

  void run() {
    shape();
    endpoints();
    interfaces();
    rates();
    delays();
    radix();
    scale_up();
  }

 private:
  /// The first origin that has a value wins. `key` is the scenario key a user would set to override it.
  template<class Q, class Fact>
  bool resolve(const std::string& key, Q& out, const std::optional<Q>& given, const Entry<Fact>* entry,
               const std::optional<Q>& known, const std::string& fact_key) {
    if (given)
      note(key, format_exact(out = *given), {Status::given, "scenario"});
    else if (entry && known)
      note(key, format_exact(out = *known),
           {entry->origin_of(fact_key).status, entry->name + ": " + entry->origin_of(fact_key).source});
    else
      return false;
    return true;
  }

  void note(const std::string& key, std::string value, Origin origin) {
    out_.inputs.push_back({key, std::move(value), std::move(origin)});
  }

  void missing(const std::string& key, const std::string& hint) {
    if (s_.given("fabric." + key) || (s_.given("cluster.nic") && !nic_) || (s_.model && !gpu_) ||
        (s_.given("fabric.switch") && !switch_))
      return;  // there, or would have been, and already refused
    complaints_.error("RY-SCN-015", s_.where("fabric"), fmt::format("the key '{}' is missing", key), hint);
  }

  /// What needs no resolving: given, or derived as the fabric is wired.
  void shape() {
    const FabricSpec& f = s_.fabric;
    plan_.topology = f.topology;
    plan_.switch_model = f.switch_model;
    plan_.nic_model = s_.cluster.nic;
    plan_.reduces = switch_ ? switch_->fact.reduces : s_.transport.kind == TransportKind::infiniband;
    plan_.switching = f.switching;
    if (f.switching == Switching::scheduled) scheduled();
    plan_.circuits = f.circuits;
    if (f.circuits == Circuits::phases) reconfiguration();
    plan_.spine_radix = f.spine_radix;
    plan_.hosts_per_leaf = f.hosts_per_leaf;
    plan_.hosts_per_pod = f.hosts_per_pod;
    plan_.uplinks = f.uplinks;
    plan_.spine_uplinks = f.spine_uplinks;
    plan_.spines = f.spines;
    plan_.cores = f.cores;
    if (f.rails) plan_.rails = f.rails->on, plan_.rail_count = f.rails->count;
    plan_.island = f.island;
    plan_.drawing = f.drawing;
    if (!f.oversubscription.empty()) plan_.oversubscription = f.oversubscription.front().value;
    if (f.oversubscription.size() > 1) plan_.spine_oversubscription = f.oversubscription[1].value;
  }

  void reconfiguration() {
    constexpr Picoseconds kMirrors = 10'000_us;
    plan_.reconfiguration = s_.fabric.reconfiguration.value_or(kMirrors);
    note("fabric.reconfiguration", format_exact(plan_.reconfiguration),
         s_.fabric.reconfiguration ? Origin{Status::given, "scenario"}
                                   : Origin{Status::assumed, "mirrors (3D MEMS), as TopoOpt has them (NSDI 2023)"});
  }

  void scheduled() {
    const FabricSpec& f = s_.fabric;
    plan_.credit_delay = f.credit_delay.value_or(Picoseconds::zero());
    plan_.cell_overhead = f.cell_overhead.value_or(0);
    note("fabric.credit_delay", format_exact(plan_.credit_delay),
         f.credit_delay ? Origin{Status::given, "scenario"}
                        : Origin{Status::assumed, "the way to the scheduler and back alone"});
    note("fabric.cell_overhead", fmt::format("{}", plan_.cell_overhead),
         f.cell_overhead ? Origin{Status::given, "scenario"}
                         : Origin{Status::assumed, "links are faster than ports by what cells take"});
  }

  void endpoints() {
    const ClusterSpec& c = s_.cluster;
    std::uint32_t gpus = c.gpus.value_or(0);
    if (gpus == 0 && s_.collective) gpus = s_.collective->group.value_or(0);
    if (gpus == 0 && s_.traffic) gpus = s_.traffic->hosts ? *s_.traffic->hosts + s_.traffic->servers() : 0;
    if (s_.fabric.topology == Topology::file) gpus = s_.fabric.drawing.gpus();
    gpus = std::max(gpus, s_.fabric.gpus.value_or(0));
    constexpr std::uint32_t kMost = 2'000'000;
    if (gpus > kMost)
      complaints_.error("RY-SCN-049",
                        s_.where(c.gpus          ? "cluster.gpus"
                                 : s_.collective ? "collective.group"
                                                 : "traffic.hosts"),
                        fmt::format("{} GPUs or hosts exceed the limit", gpus), fmt::format("use at most {}", kMost));
    plan_.endpoints = std::min(gpus, kMost);
  }

  /// How GPUs share NICs, and into how many ports each NIC is split.
  void interfaces() {
    const ClusterSpec& c = s_.cluster;
    const std::uint32_t per_node = c.gpus_per_node.value_or(1), nics = c.nics_per_node.value_or(per_node);
    const bool split = s_.fabric.topology == Topology::multi_plane || s_.fabric.topology == Topology::dual_tor;
    plan_.per_node = per_node;
    plan_.interfaces_per_node = std::min(per_node, nics);
    plan_.planes = split ? s_.fabric.planes.value_or(2) : 1;
    plan_.ports = std::max(1U, nics / per_node) * plan_.planes;
    plan_.host_nics = c.host_nics_per_node;
  }

  void rates() {
    const bool one_port = nic_ && nic_->fact.ethernet_rate && s_.transport.kind != TransportKind::infiniband;
    std::optional<BitsPerSecond> nic_rate;
    if (nic_) nic_rate = BitsPerSecond(port_rate(nic_->fact, s_.transport.kind).count() / plan_.planes);
    if (!resolve("fabric.link_rate", plan_.link_rate, s_.fabric.link_rate, nic_, nic_rate,
                 one_port ? "ethernet_rate" : "rate") &&
        !(s_.model && gpu_ &&
          resolve("fabric.link_rate", plan_.link_rate, std::optional<BitsPerSecond>(), gpu_, gpu_->fact.nic_rate,
                  "nic_rate")) &&
        !drawn_rate())
      missing("link_rate", fmt::format("add nic = \"{}\" or the like to [cluster], or link_rate = \"400 Gb/s\" to [fabric]",
                                       s_.transport.kind == TransportKind::srd   ? "EFA-p5"
                                       : s_.transport.kind == TransportKind::uec ? "Pollara-400"
                                                                                 : "ConnectX-7"));
    plan_.uplink_rate = s_.fabric.uplink_rate.value_or(plan_.link_rate);
    if (s_.fabric.uplink_rate) note("fabric.uplink_rate", format_exact(plan_.uplink_rate), {Status::given, "scenario"});
    plan_.core_rate = s_.fabric.core_rate.value_or(plan_.uplink_rate);
    if (s_.fabric.haul && s_.fabric.haul->rate) plan_.core_rate = *s_.fabric.haul->rate;
    if (s_.fabric.core_rate) note("fabric.core_rate", format_exact(plan_.core_rate), {Status::given, "scenario"});
    if (nic_ && plan_.link_rate > nic_rate.value_or(BitsPerSecond::max()))
      complaints_.error("RY-SCN-050", s_.where("fabric.link_rate"),
                        fmt::format("link_rate = \"{}\" exceeds the port rate of {}{} ({})", format(plan_.link_rate),
                                    nic_->name, plan_.planes > 1 ? fmt::format(" for each of {} planes", plan_.planes) : "",
                                    format(nic_rate.value_or(plan_.link_rate))),
                        plan_.planes > 1 ? "give the rate of one port, or leave it out" : "use a faster NIC or a slower link");
    check_port(s_.given("fabric.link_rate") ? "fabric.link_rate" : "fabric.switch", plan_.link_rate);
    if (s_.fabric.uplink_rate) check_port("fabric.uplink_rate", plan_.uplink_rate);
    if (s_.fabric.core_rate) check_port("fabric.core_rate", plan_.core_rate);
    if (s_.fabric.haul) check_port("fabric.haul.rate", plan_.core_rate);
  }

  /// A drawing says how fast its links are; the fastest stands for all where one number is shown.
  bool drawn_rate() {
    if (s_.fabric.topology != Topology::file) return false;
    for (const DrawnLink& link : s_.fabric.drawing.links)
      if (s_.fabric.drawing.kinds[link.a] == DrawnKind::network_switch ||
          s_.fabric.drawing.kinds[link.b] == DrawnKind::network_switch)
        plan_.link_rate = std::max(plan_.link_rate, link.rate);
    if (plan_.link_rate == BitsPerSecond::zero() && !s_.fabric.drawing.links.empty())
      plan_.link_rate = s_.fabric.drawing.links.front().rate;
    note("fabric.link_rate", format_exact(plan_.link_rate), {Status::given, "the fastest link to a switch in the drawing"});
    return true;
  }

  /// How GPUs of one server or rack reach each other.
  void scale_up() {
    const ClusterSpec& c = s_.cluster;
    ScaleUpPlan& plan = plan_.scale_up;
    if (s_.fabric.topology == Topology::file) {
      for (const DrawnLink& link : s_.fabric.drawing.links)
        if (s_.fabric.drawing.kinds[link.a] == DrawnKind::scale_up_switch ||
            s_.fabric.drawing.kinds[link.b] == DrawnKind::scale_up_switch)
          plan.rate = std::max(plan.rate, BitsPerSecond(link.rate.count() * link.count));
      return;
    }
    // GPUs that are linked on one board reach no further than their node; racks that are one domain hold several nodes.
    constexpr std::uint32_t kLargestBoard = 16;
    const std::uint32_t known = gpu_ ? gpu_->fact.scale_up_domain : 1;
    const std::uint32_t usual = known <= kLargestBoard ? std::min(known, plan_.per_node) : known;
    plan.domain = std::max(1U, std::min(c.scale_up_domain.value_or(usual), std::max(plan_.endpoints, 1U)));
    if (c.scale_up_domain) plan.domain = *c.scale_up_domain;
    if (plan.domain == 1) return;
    const bool mesh = gpu_ && gpu_->fact.scale_up == "xGMI";
    plan.wiring = c.scale_up.value_or(mesh ? ScaleUpWiring::mesh : ScaleUpWiring::switched);
    const auto rate = gpu_ ? std::optional(gpu_->fact.scale_up_rate) : std::nullopt;
    if (!resolve("cluster.scale_up_rate", plan.rate, c.scale_up_rate, gpu_, rate, "scale_up_rate") &&
        !s_.given("cluster.gpu") && !s_.given("cluster.scale_up_rate") && !s_.model)
      complaints_.error("RY-SCN-015", s_.where("cluster.scale_up_domain"), "the key 'scale_up_rate' is missing",
                        "add scale_up_rate = \"3600 Gb/s\" or the like, or gpu = \"…\", to [cluster]");
    plan.latency = c.scale_up_latency.value_or(kUsualScaleUp);
    if (s_.model) return;  // its closed forms have a latency of their own
    note("cluster.scale_up_latency", format_exact(plan.latency),
         c.scale_up_latency
             ? Origin{Status::given, "scenario"}
             : Origin{Status::published,
                      "Insights into DeepSeek-V3 (ISCA'25), Table 5: 64 bytes between GPUs of a node, end to end"});
  }

  void check_port(const std::string& key, BitsPerSecond rate) {
    if (!switch_ || rate <= switch_->fact.port_rate) return;
    complaints_.error(
        "RY-SCN-051", s_.where(key),
        fmt::format("{} has no port of {} (its fastest is {})", switch_->name, format(rate), format(switch_->fact.port_rate)),
        "use a faster switch or a slower link");
  }

  /// Delays of links by tier, from below: as given, or as long cables take.
  void cables() {
    std::vector<Picoseconds> delays = s_.fabric.link_delay;
    if (!delays.empty()) {
      note("fabric.link_delay", joined(delays), {Status::given, "scenario"});
    } else if (s_.fabric.topology != Topology::file) {
      const bool given = !s_.fabric.cable.empty();
      const std::vector<Millimetres> lengths = given ? s_.fabric.cable : std::vector{kUsualCable};
      note("fabric.cable", joined(lengths),
           given ? Origin{Status::given, "scenario"} : Origin{Status::assumed, "a usual cable in a hall"});
      for (const Millimetres length : lengths) delays.push_back(propagation_time(length));
    }
    if (!delays.empty()) plan_.link_delay = delays[0];
    if (delays.size() > 1) plan_.uplink_delay = delays[1];
    if (delays.size() > 2) plan_.core_delay = delays[2];
    if (s_.fabric.haul) haul(*s_.fabric.haul);
  }

  void haul(const HaulSpec& haul) {
    plan_.haul_links = haul.links;
    plan_.core_delay = propagation_time(haul.length);
    note("fabric.haul.links", fmt::format("{} of {}", haul.links, format_exact(plan_.core_rate)), {Status::given, "scenario"});
    note("fabric.haul.length", format_exact(haul.length), {Status::given, "scenario"});
  }

  template<class Quantities>
  static std::string joined(const Quantities& quantities) {
    std::vector<std::string> words;
    for (const auto& quantity : quantities) words.push_back(format_exact(quantity));
    return fmt::format("{}", fmt::join(words, ", "));
  }

  void delays() {
    cables();
    const auto switch_latency = switch_ ? switch_->fact.latency : std::nullopt;
    const bool counted_only = !s_.model && !s_.collective && !s_.traffic;
    if (resolve("fabric.switch_latency", plan_.switch_latency, s_.fabric.switch_latency, switch_, switch_latency, "latency"))
      ;
    else if (switch_)
      note("fabric.switch_latency", format_exact(plan_.switch_latency = kUsualSwitch),
           {Status::assumed, fmt::format("none is known of {}: that of a usual switch", switch_->name)});
    else if ((s_.model || s_.fabric.topology == Topology::file || counted_only) && s_.fabric.switch_model.empty())
      note("fabric.switch_latency", format_exact(plan_.switch_latency = kUsualSwitch),
           {Status::assumed, "no switch is named: a usual one"});
    else
      missing("switch_latency", s_.transport.kind == TransportKind::srd
                                    ? "add switch_latency = \"900 ns\" and radix = 64 or the like to [fabric]"
                                    : fmt::format("add switch = \"{}\" or the like, or switch_latency = \"900 ns\" to [fabric]",
                                                  s_.transport.kind == TransportKind::infiniband ? "Quantum-2" : "Tomahawk-5"));
    if (s_.transport.kind == TransportKind::tcp && !s_.fabric.host_latency)
      return note("fabric.host_latency", format_exact(plan_.host_latency = kKernelStack),
                  {Status::estimated, "TCP in the kernel: system call, copy, interrupt and wake-up at one end"});
    const bool own = nic_ && s_.transport.kind == TransportKind::infiniband && nic_->fact.infiniband_latency;
    const auto host_latency = own ? nic_->fact.infiniband_latency : nic_ ? nic_->fact.latency : std::nullopt;
    if (resolve("fabric.host_latency", plan_.host_latency, s_.fabric.host_latency, nic_, host_latency,
                own ? "infiniband_latency" : "latency"))
      return;
    if (s_.model)
      note("fabric.host_latency", format_exact(plan_.host_latency = kUsualNic),
           {Status::assumed, "no NIC is named: a usual one"});
    else
      note("fabric.host_latency", format_exact(Picoseconds::zero()),
           {Status::assumed, "no NIC is named: its delay is left out"});
  }

  void radix() {
    const BitsPerSecond rate = plan_.link_rate;
    if (s_.fabric.radix) {
      plan_.radix = s_.fabric.radix;
      note("fabric.radix", std::to_string(*plan_.radix), {Status::given, "scenario"});
      check_capacity();
    } else if (switch_ && rate > BitsPerSecond::zero()) {
      plan_.radix = ports_at(switch_->fact, std::min(rate, switch_->fact.port_rate));
      const std::uint32_t links = *plan_.radix / switch_->fact.ports;
      const Origin& origin = switch_->origin_of("capacity");
      note("fabric.radix", std::to_string(*plan_.radix),
           {origin.status, fmt::format("{}: {} ports of {}, {} link{} of {} each", switch_->name, switch_->fact.ports,
                                       format(switch_->fact.port_rate), links, links == 1 ? "" : "s", format(rate))});
    }
  }

  /// Whether a switch has as many ports as are said of it.
  void check_capacity() {
    const BitsPerSecond rate = plan_.link_rate;
    if (!switch_ || rate == BitsPerSecond::zero() || rate > switch_->fact.port_rate) return;
    const std::uint32_t most = ports_at(switch_->fact, rate);
    if (*plan_.radix <= most) return;
    complaints_.error(
        "RY-SCN-143", s_.where("fabric.radix"),
        fmt::format("{} has {} ports at {}, not {}", switch_->name, most, format(rate), *plan_.radix),
        fmt::format("use at most {}, leave radix out, or leave switch out (switch_latency then says its delay)", most));
  }

  const ScenarioSpec& s_;
  Scenario& out_;
  FabricPlan& plan_;
  Complaints& complaints_;
  const Entry<GpuFact>* gpu_;
  const Entry<NicFact>* nic_;
  const Entry<SwitchFact>* switch_;
};

}  // namespace

void resolve_fabric(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out, Complaints& complaints) {
  FabricResolver(spec, catalog, out, complaints).run();
}

}  // namespace railyard
