#include "scenario/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/quantity_text.h"
#include "scenario/settle_efficiency.h"
#include "scenario/settle_packets.h"

namespace railyard {

namespace {

/// Memory and scale-up links are known by bytes per second.
std::string bytes_rate(BitsPerSecond rate) {
  const double gigabytes = static_cast<double>(rate.count()) / 8e9;
  return gigabytes < 1000 ? fmt::format("{:.4g} GB/s", gigabytes) : fmt::format("{:.4g} TB/s", gigabytes / 1000);
}

constexpr std::int64_t kLinksAcross = 4;  // host, leaf, spine, leaf, host
constexpr Millimetres kUsualCable = 30_m;
constexpr Picoseconds kUsualSwitch = 900_ns;
constexpr Picoseconds kUsualNic = 1250_ns;
constexpr Picoseconds kKernelStack = 25_us;
constexpr Picoseconds kUsualScaleUp = 3330_ns;
constexpr std::int64_t kWaysOfAPort = 8;  // a cage has eight lanes: slower links do not split it further

class Planner {
 public:
  Planner(Scenario& scenario, const Catalog& catalog, Complaints& complaints)
      : s_(scenario),
        plan_(scenario.plan),
        complaints_(complaints),
        gpu_(catalog.gpus.find(scenario.cluster.gpu)),
        speed_(catalog.speeds.find(scenario.cluster.gpu)),
        step_(catalog.steps.find("training-step")),
        comm_(catalog.communication.find(scenario.cluster.gpu)),
        nccl_(catalog.libraries.find("NCCL")),
        rccl_(catalog.libraries.find("RCCL")),
        model_(scenario.model ? catalog.models.find(scenario.model->preset) : nullptr),
        nic_(catalog.nics.find(scenario.cluster.nic)),
        switch_(catalog.switches.find(scenario.fabric.switch_model)) {}

  void run(const Catalog& catalog) {
    endpoints();
    interfaces();
    rates();
    delays();
    radix();
    scale_up();
    if (s_.model) gpu();
    if (s_.collective) library();
    if (!s_.fabric.oversubscription.empty()) plan_.oversubscription = s_.fabric.oversubscription.front();
    if (s_.fabric.oversubscription.size() > 1) plan_.spine_oversubscription = s_.fabric.oversubscription[1];
    defaults();
    settle_efficiency(s_, catalog);
    if (s_.engine.fidelity == Fidelity::packet) settle_packets(s_, catalog, complaints_);
    claimed_origins();
  }

 private:
  /// The first origin that has a value wins. `key` is the scenario key a user would set to override it.
  template<class Q, class Fact>
  bool settle(const std::string& key, Q& out, const std::optional<Q>& given, const Entry<Fact>* entry,
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
    s_.inputs.push_back({key, std::move(value), std::move(origin)});
  }

  void missing(const std::string& key, const std::string& hint) {
    if (s_.given("fabric." + key) || (s_.given("cluster.nic") && !nic_) || (s_.model && !gpu_) ||
        (s_.given("fabric.switch") && !switch_))
      return;  // there, or would have been, and already refused
    complaints_.error("RY-SCN-015", s_.where("fabric"), fmt::format("the key '{}' is missing", key), hint);
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
                        fmt::format("{} GPUs or hosts are more than can be simulated", gpus),
                        fmt::format("use at most {}", kMost));
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
    if (nic_) nic_rate = BitsPerSecond((one_port ? *nic_->fact.ethernet_rate : nic_->fact.rate).count() / plan_.planes);
    if (!settle("fabric.link_rate", plan_.link_rate, s_.fabric.link_rate, nic_, nic_rate,
                one_port ? "ethernet_rate" : "rate") &&
        !(s_.model && gpu_ &&
          settle("fabric.link_rate", plan_.link_rate, std::optional<BitsPerSecond>(), gpu_, gpu_->fact.nic_rate, "nic_rate")) &&
        !drawn_rate())
      missing("link_rate", "add nic = \"ConnectX-7\" or the like to [cluster], or link_rate = \"400 Gb/s\" to [fabric]");
    plan_.uplink_rate = s_.fabric.uplink_rate.value_or(plan_.link_rate);
    if (s_.fabric.uplink_rate) note("fabric.uplink_rate", format_exact(plan_.uplink_rate), {Status::given, "scenario"});
    plan_.core_rate = s_.fabric.core_rate.value_or(plan_.uplink_rate);
    if (s_.fabric.core_rate) note("fabric.core_rate", format_exact(plan_.core_rate), {Status::given, "scenario"});
    if (nic_ && plan_.link_rate > nic_rate.value_or(BitsPerSecond::max()))
      complaints_.error("RY-SCN-050", s_.where("fabric.link_rate"),
                        fmt::format("link_rate = \"{}\" is more than {} has{} ({})", format(plan_.link_rate), nic_->name,
                                    plan_.planes > 1 ? fmt::format(" for each of {} planes", plan_.planes) : "",
                                    format(nic_rate.value_or(plan_.link_rate))),
                        plan_.planes > 1 ? "give the rate of one port, or leave it out" : "use a faster NIC or a slower link");
    check_port(s_.given("fabric.link_rate") ? "fabric.link_rate" : "fabric.switch", plan_.link_rate);
    if (s_.fabric.uplink_rate) check_port("fabric.uplink_rate", plan_.uplink_rate);
    if (s_.fabric.core_rate) check_port("fabric.core_rate", plan_.core_rate);
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
    if (!settle("cluster.scale_up_rate", plan.rate, c.scale_up_rate, gpu_, rate, "scale_up_rate") && !s_.given("cluster.gpu") &&
        !s_.given("cluster.scale_up_rate") && !s_.model)
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

  void delays() {
    if (s_.fabric.link_delay) {
      note("fabric.link_delay", format_exact(plan_.link_delay = *s_.fabric.link_delay), {Status::given, "scenario"});
    } else if (s_.fabric.topology != Topology::file) {
      const Origin origin =
          s_.fabric.cable ? Origin{Status::given, "scenario"} : Origin{Status::assumed, "a usual cable in a hall"};
      note("fabric.cable", format_exact(s_.fabric.cable.value_or(kUsualCable)), origin);
      plan_.link_delay = propagation_time(s_.fabric.cable.value_or(kUsualCable));
    }
    const auto switch_latency = switch_ ? switch_->fact.latency : std::nullopt;
    const bool counted_only = !s_.model && !s_.collective && !s_.traffic;
    if (settle("fabric.switch_latency", plan_.switch_latency, s_.fabric.switch_latency, switch_, switch_latency, "latency"))
      ;
    else if (switch_)
      note("fabric.switch_latency", format_exact(plan_.switch_latency = kUsualSwitch),
           {Status::assumed, fmt::format("none is known of {}: that of a usual switch", switch_->name)});
    else if ((s_.model || s_.fabric.topology == Topology::file || counted_only) && s_.fabric.switch_model.empty())
      note("fabric.switch_latency", format_exact(plan_.switch_latency = kUsualSwitch),
           {Status::assumed, "no switch is named: a usual one"});
    else
      missing("switch_latency", "add switch = \"Tomahawk-5\" or the like, or switch_latency = \"900 ns\" to [fabric]");
    if (s_.transport.kind == TransportKind::tcp && !s_.fabric.host_latency)
      return note("fabric.host_latency", format_exact(plan_.host_latency = kKernelStack),
                  {Status::estimated, "TCP in the kernel: system call, copy, interrupt and wake-up at one end"});
    const bool own = nic_ && s_.transport.kind == TransportKind::infiniband && nic_->fact.infiniband_latency;
    const auto host_latency = own ? nic_->fact.infiniband_latency : nic_ ? nic_->fact.latency : std::nullopt;
    if (settle("fabric.host_latency", plan_.host_latency, s_.fabric.host_latency, nic_, host_latency,
               own ? "infiniband_latency" : "latency"))
      return;
    if (s_.model)
      note("fabric.host_latency", format_exact(plan_.host_latency = kUsualNic),
           {Status::assumed, "no NIC is named: a usual one"});
    else
      note("fabric.host_latency", format_exact(Picoseconds::zero()),
           {Status::assumed, "no NIC is named: its delay is left out"});
  }

  /// What a model's scenario computes with and how fast a GPU reaches others.
  void gpu() {
    if (s_.cluster.gpu.empty() && !s_.given("cluster.gpu"))
      complaints_.error("RY-SCN-015", s_.where("cluster"), "the key 'gpu' is missing",
                        "add gpu = \"H100-SXM-80\" or the like to [cluster] (railyard catalog gpus)");
    if (!gpu_ || !speed_) return;
    RY_CHECK(step_, "the catalog tells what is lost where the parts of a step meet");
    GpuPlan& plan = s_.gpu_plan.emplace();
    plan.gpu = gpu_->fact;
    if (s_.cluster.scale_up_rate) plan.gpu.scale_up_rate = *s_.cluster.scale_up_rate;
    plan.speed = speed_->fact;
    plan.step = step_->fact;
    preset();
    const std::uint32_t per_node = plan_.per_node;
    constexpr std::uint32_t kLargestBoard = 16;
    const std::uint32_t known = gpu_->fact.scale_up_domain;
    settle_count("cluster.scale_up_domain", plan.scale_up_domain, s_.cluster.scale_up_domain,
                 known <= kLargestBoard ? std::min(known, per_node) : known);
    const std::uint32_t nics = s_.cluster.nics_per_node.value_or(per_node);
    plan.scale_out_rate = BitsPerSecond(plan_.link_rate.count() * plan_.planes * nics / per_node);
    plan.scale_out_latency =
        plan_.host_latency * 2 + plan_.link_delay * kLinksAcross + plan_.switch_latency * (kLinksAcross - 1);
    const auto know = [&](const auto* entry, const char* key, std::string value) {
      const Origin& origin = entry->origin_of(key);
      note(fmt::format("{} {}", gpu_->name, key), std::move(value), {origin.status, origin.source});
    };
    know(gpu_, "bf16_dense", format(plan.gpu.bf16_dense));
    know(gpu_, "memory", format(plan.gpu.memory));
    know(gpu_, "memory_rate", bytes_rate(plan.gpu.memory_rate));
    if (!s_.cluster.scale_up_rate) know(gpu_, "scale_up_rate", bytes_rate(plan.gpu.scale_up_rate));
    know(speed_, "gemm_bf16", format(plan.speed.gemm_bf16));
    if (s_.training.precision == Precision::fp8 && plan.speed.gemm_fp8) know(speed_, "gemm_fp8", format(*plan.speed.gemm_fp8));
    if (s_.training.precision == Precision::fp4 && plan.speed.gemm_fp4) know(speed_, "gemm_fp4", format(*plan.speed.gemm_fp4));
    know(speed_, "attention_forward", format(plan.speed.attention_forward));
    know(speed_, "attention_backward", format(plan.speed.attention_backward));
    if ((s_.training.precision == Precision::fp8 && !plan.speed.gemm_fp8) ||
        (s_.training.precision == Precision::fp4 && !plan.speed.gemm_fp4))
      complaints_.error(
          "RY-SCN-053", s_.where("training.precision"),
          fmt::format("the catalog has no rate of {} products for {}", name_of(s_.training.precision), gpu_->name),
          "use precision = \"bf16\" or another GPU");
  }

  /// Rates that were measured on the GPU's own links, on links that many times as fast. What a protocol limits does not grow.
  static void fit_to_links(CommFact& gpu, double factor) {
    const auto times = [](BitsPerSecond rate, double by) {
      return BitsPerSecond(static_cast<std::int64_t>(static_cast<double>(rate.count()) * by));
    };
    for (BitsPerSecond CommFact::*rate : {&CommFact::ring_rate, &CommFact::all_to_all_rate})
      gpu.*rate = times(gpu.*rate, factor);
    for (BitsPerSecond CommFact::*rate : {&CommFact::ll_rate, &CommFact::ll128_rate})
      gpu.*rate = times(gpu.*rate, std::min(factor, 1.0));
    if (gpu.nvls_rate) gpu.nvls_rate = times(*gpu.nvls_rate, factor);
  }

  /// Who carries a collective out.
  void library() {
    const LibraryChoice choice = s_.collective->library;
    if (choice == LibraryChoice::none || (choice == LibraryChoice::automatic && s_.cluster.gpu.empty())) return;
    if (s_.cluster.gpu.empty() && !s_.given("cluster.gpu"))
      return complaints_.error("RY-SCN-015", s_.where("collective.library"), "a library runs on GPUs, and none is named",
                               "add gpu = \"H100-SXM-80\" or the like to [cluster]");
    if (!gpu_ || !comm_) return;
    RY_CHECK(nccl_ && rccl_, "the catalog knows both libraries");
    const bool amd = gpu_->fact.vendor == "AMD";
    if ((choice == LibraryChoice::nccl && amd) || (choice == LibraryChoice::rccl && !amd))
      return complaints_.error("RY-SCN-078", s_.where("collective.library"),
                               fmt::format("{} does not run on {}", name_of(choice), gpu_->name),
                               "use \"auto\", or another GPU");
    s_.library = LibraryPlan{amd, comm_->fact, (amd ? rccl_ : nccl_)->fact, plan_.scale_up.rate};
    if (s_.library->link == BitsPerSecond::zero()) s_.library->link = gpu_->fact.scale_up_rate;  // a domain of one
    fit_to_links(s_.library->gpu,
                 static_cast<double>(s_.library->link.count()) / static_cast<double>(gpu_->fact.scale_up_rate.count()));
    const auto know = [&](const char* key, std::string value) {
      const Origin& origin = comm_->origin_of(key);
      note(fmt::format("{} {}", gpu_->name, key), std::move(value), {origin.status, origin.source});
    };
    know("launch", format(comm_->fact.launch));
    know("simple_step", format(comm_->fact.simple_step));
    know("ring_rate", bytes_rate(comm_->fact.ring_rate));
    if (comm_->fact.nvls_rate) know("nvls_rate", bytes_rate(*comm_->fact.nvls_rate));
    if (plan_.endpoints > plan_.scale_up.domain) know("net_share", fmt::format("{}", comm_->fact.net_share));
  }

  /// The model's own origin, and that of single dimensions that are less certain.
  void preset() {
    if (!model_) return;
    note("model.preset", model_->name, model_->origin);
    for (const auto& [key, origin] : model_->values)
      if (!s_.given("model." + key) && key != "parameters" && key != "active_parameters") {
        const auto written = std::find_if(model_->written.begin(), model_->written.end(),
                                          [&name = key](const auto& w) { return w.first == name; });
        note("model." + key, written->second, origin);
      }
  }

  void settle_count(const std::string& key, std::uint32_t& out, const std::optional<std::uint32_t>& given,
                    std::uint32_t known) {
    out = given.value_or(known);
    const Origin& origin = gpu_->origin_of("scale_up_domain");
    note(key, std::to_string(out), given ? Origin{Status::given, "scenario"} : Origin{origin.status, origin.source});
  }

  void radix() {
    if (s_.fabric.radix) {
      plan_.radix = s_.fabric.radix;
      note("fabric.radix", std::to_string(*plan_.radix), {Status::given, "scenario"});
    } else if (switch_ && plan_.link_rate > BitsPerSecond::zero()) {
      const std::int64_t fits = switch_->fact.port_rate / std::min(plan_.link_rate, switch_->fact.port_rate);
      std::int64_t ways = 1;  // a port splits into halves, quarters, eighths
      while (ways * 2 <= std::min(fits, kWaysOfAPort)) ways *= 2;
      plan_.radix = static_cast<std::uint32_t>(switch_->fact.ports * ways);
      const Origin& origin = switch_->origin_of("capacity");
      note("fabric.radix", std::to_string(*plan_.radix),
           {origin.status, fmt::format("{}: {} ports of {}, {} link{} of {} each", switch_->name, switch_->fact.ports,
                                       format(switch_->fact.port_rate), ways, ways == 1 ? "" : "s", format(plan_.link_rate))});
    }
  }

  /// What the scenario says of its own figures, in the list of inputs.
  void claimed_origins() {
    for (const auto& [path, claim] : s_.origins) {
      const auto key = s_.places.find(path);
      if (key == s_.places.end()) {
        complaints_.error("RY-SCN-071", claim.where, fmt::format("[origins] names '{}', which is not given", path),
                          "correct the path, or remove the line");
        continue;
      }
      if (key->second.where.file != claim.where.file) continue;  // overridden by another file or by --set
      const auto input =
          std::find_if(s_.inputs.begin(), s_.inputs.end(), [&name = path](const Input& i) { return i.key == name; });
      if (input != s_.inputs.end())
        input->origin = claim.origin;
      else
        note(path, key->second.value, claim.origin);
    }
  }

  [[nodiscard]] Origin header_origin() const {
    switch (s_.transport.kind) {
      case TransportKind::roce:
        return {Status::published,
                "RoCEv2 over IPv4: Ethernet, IP, UDP, BTH, iCRC, preamble and gap (InfiniBand annex A17, IEEE 802.3)"};
      case TransportKind::infiniband:
        return {Status::published,
                "InfiniBand inside a subnet: LRH, BTH, ICRC, VCRC (InfiniBand architecture specification, volume 1)"};
      case TransportKind::tcp:
        return {Status::published, "Ethernet, IPv4 and TCP with time stamps (RFC 9293, RFC 7323, IEEE 802.3)"};
      case TransportKind::uec:
        return {Status::estimated, "Ethernet, IPv4, UDP, PDS 12 and SES 44 (Ultra Ethernet 1.0, not read again)"};
    }
    return {};
  }

  /// Choices that shape every result and that people rarely write down.
  void defaults() {
    if (s_.transport.kind == TransportKind::infiniband && !s_.given("routing.policy"))
      s_.routing.policy = RoutingPolicy::adaptive;
    if (s_.transport.kind == TransportKind::uec && !s_.given("routing.policy")) s_.routing.policy = RoutingPolicy::spray;
    const auto choice = [&](const std::string& key, std::string value, Origin otherwise) {
      note(key, std::move(value), s_.given(key) ? Origin{Status::given, "scenario"} : std::move(otherwise));
    };
    if (s_.fabric.topology != Topology::star)
      choice("fabric.oversubscription",
             s_.fabric.oversubscription.empty() ? fmt::format("{}", plan_.oversubscription)
                                                : fmt::format("{}", fmt::join(s_.fabric.oversubscription, ", ")),
             {Status::assumed, "as much bandwidth up as down"});
    choice("fabric.switching", std::string(name_of(s_.fabric.switching)), {Status::assumed, "usual for switches of this kind"});
    if (s_.fabric.topology != Topology::star)
      choice("routing.policy", std::string(name_of(s_.routing.policy)),
             {Status::assumed, s_.transport.kind == TransportKind::infiniband ? "usual on InfiniBand"
                               : s_.transport.kind == TransportKind::uec      ? "what Ultra Ethernet is made for"
                                                                              : "what Ethernet switches do if not told"});
    choice("transport.mtu", format_exact(s_.transport.mtu), {Status::assumed, "the largest RDMA MTU"});
    choice("transport.header", format_exact(s_.transport.packet_overhead()), header_origin());
    if (s_.transport.kind == TransportKind::roce || s_.transport.kind == TransportKind::infiniband)
      choice("transport.message_header", format_exact(s_.transport.message_overhead()),
             s_.transport.header ? Origin{Status::given, "none beside a given header"}
                                 : Origin{Status::published, "RETH of an RDMA WRITE (InfiniBand annex A17)"});
    if (s_.fabric.topology == Topology::star && !plan_.radix)
      note("fabric.radix", std::to_string(plan_.endpoints),
           {Status::assumed, "no switch is named: one with a port for every host"});
  }

  Scenario& s_;
  FabricPlan& plan_;
  Complaints& complaints_;
  const Entry<GpuFact>* gpu_;
  const Entry<SpeedFact>* speed_;
  const Entry<StepFact>* step_;
  const Entry<CommFact>* comm_;
  const Entry<LibraryFact>*nccl_, *rccl_;
  const Entry<ModelFact>* model_;
  const Entry<NicFact>* nic_;
  const Entry<SwitchFact>* switch_;
};

}  // namespace

void make_plan(Scenario& scenario, const Catalog& catalog, Complaints& complaints) {
  Planner(scenario, catalog, complaints).run(catalog);
}

}  // namespace railyard
