#include "scenario/read/keys.h"

#include "scenario/read/effect_conditions.h"
#include "scenario/read/failures.h"
#include "scenario/read/keys_parts.h"
#include "scenario/read/static_routes.h"

namespace railyard {

namespace {

using namespace conditions;

const KeyEffect kScheduledRuns{kOnFabric};
const KeyEffect kStepLatency{
    kAnyCollective | kAnyTraffic | kAnyTrace, {kScaleUp}, kAnyTransport, "closed forms of a step have a latency of their own"};

Section top() {
  return section("", "at the top of the file", {}, [](ScenarioSpec& s) -> ScenarioSpec& { return s; },
                 {key("name", &ScenarioSpec::name, "what the report is titled", {.required = true})});
}

Section traffic() {
  using T = TrafficSpec;
  return section(
      "traffic", "synthetic traffic, instead of a model", {kAnyTraffic},
      [](ScenarioSpec& s) -> T& { return present(s.traffic); },
      {key("pattern", &T::pattern, "who sends to whom", {.required = true}),
       key("size", &T::size, "bytes per flow", {.min = 1_B, .max = kLargestBuffer}),
       key("fan_in", &T::fan_in, "senders per receiver of an incast or a microburst", kCount),
       key("senders_at", &T::senders_at,
           "where the senders of an incast sit: leaves take turns, all under the receiver's leaf, or all under others"),
       key("hosts", &T::hosts, "hosts that participate; all if not given", kGroup),
       key("start", &T::start, "when the flows start", {.max = kPeriod.max}),
       key("flows_per_host", &T::flows_per_host, "of uniform: flows that every host starts in a round", kCount),
       key("rounds", &T::rounds, "how often the pattern comes", kCount),
       key("interval", &T::interval, "from one round or burst to the next; rounds start at once if not given", kDelay),
       key("burst", &T::burst, "of a microburst: bytes that each sender sends", {.min = 1_B, .max = kLargestBuffer}),
       key("bursts", &T::bursts, "how many of them, each to another receiver", kCount),
       key("background", &T::background,
           "share of every host's link that sends to hosts drawn at random, in the background class", {.min = 0.0, .max = 1.0}),
       key("background_size", &T::background_size, "bytes per flow of it", {.min = 1_B, .max = kLargestBuffer}),
       only(KeyEffect{kPacketTraffic}, key("slow_hosts", &T::slow_hosts, "hosts, from 0, that take packets in slowly")),
       only(KeyEffect{kPacketTraffic}, key("slow_rate", &T::slow_rate, "and how slowly; 0 is never", {.max = kRate.max})),
       key("file", &T::file, "CSV with columns start_us (or start_s), source, destination and bytes, for pattern = \"file\"")});
}

Section storage() {
  using Storage = StorageSpec;
  return section(
      "traffic.storage", "storage beside a pattern: checkpoints and data sets, in a class of their own", {kAnyTraffic},
      [](ScenarioSpec& s) -> Storage& { return present(present(s.traffic).storage); },
      {key("servers", &Storage::servers, "hosts that are storage: those after the hosts of the pattern",
           {.min = kCount.min, .max = kCount.max, .required = true}),
       key("access", &Storage::access, "hosts write to servers, or read from them"),
       key("load", &Storage::load, "share of every host's link, in messages that come at random times and go to any server",
           {.min = 0.0, .max = 1.0}),
       key("checkpoint", &Storage::checkpoint,
           "bytes that every host writes (or reads) at once, spread over the servers round-robin",
           {.min = 1_B, .max = kLargestBuffer}),
       key("size", &Storage::size, "bytes per message of both", {.min = 1_B, .max = kLargestBuffer}),
       key("start", &Storage::start, "when the first checkpoint starts; with the pattern if not given", {.max = kPeriod.max}),
       key("rounds", &Storage::rounds, "how many checkpoints", kCount),
       key("interval", &Storage::interval, "from one to the next; all at once if not given", kDelay)});
}

Section trace() {
  using T = TraceSpec;
  return section(
      "trace", "an execution trace that another tool wrote, instead of a model", {kAnyTrace},
      [](ScenarioSpec& s) -> T& { return present(s.trace); },
      {key("file", &T::file,
           "the trace: a file, or the folder or the common beginning of one file per rank (NAME.0.et, NAME.1.et, …)",
           {.required = true}),
       key("format", &T::format, "who wrote it; auto looks how it begins"),
       key("groups", &T::groups, "of Chakra: JSON with the ranks of process groups by name"),
       key("ranks", &T::ranks,
           "ranks to repeat it over: a multiple of its own; those if not given, and all GPUs for one rank with collectives",
           kRanks),
       key("compute_scale", &T::compute_scale, "times that every computation takes: 0.5 is a GPU twice as fast",
           {.min = 0.0, .max = 1e6}),
       key("algorithm", &T::algorithm,
           "how collectives are carried out, where their kind has it; the plainest (ring, or direct) if not given")});
}

Section collective() {
  return section("collective", "one collective by itself, instead of a model", {kAnyCollective},
                 [](ScenarioSpec& s) -> CollectiveSpec& { return present(s.collective); },
                 {key("kind", &CollectiveSpec::kind, "which collective", {.required = true}),
                  key("algorithm", &CollectiveSpec::algorithm,
                      "how it is carried out; with a library, what NCCL_ALGO would force, else its own choice"),
                  key("sizes", &CollectiveSpec::sizes, "buffer sizes per rank, one run each",
                      {.min = 1_B, .max = kLargestBuffer, .required = true}),
                  key("group", &CollectiveSpec::group, "ranks that participate; the whole cluster if not given", kGroup),
                  key("library", &CollectiveSpec::library,
                      "who carries it out: the GPU's own library if one is named, else ranks that send without delay"),
                  only(KeyEffect{kAnyCollective, {kNamedGpu}},
                       key("protocol", &CollectiveSpec::protocol,
                           "how the library moves bytes, as NCCL_PROTO forces; its own choice if not given")),
                  key("skew", &CollectiveSpec::skew, "of an all_to_all: Zipf exponent of what receivers get; 0 is even",
                      {.min = 0.0, .max = 4.0})});
}

Section cluster() {
  return section(
      "cluster", "the machines", {}, [](ScenarioSpec& s) -> ClusterSpec& { return s.cluster; },
      {key("gpu", &ClusterSpec::gpu, "a GPU of the catalog"), key("gpus", &ClusterSpec::gpus, "how many in all", kRanks),
       key("gpus_per_node", &ClusterSpec::gpus_per_node, "GPUs per server; 1 where no GPU is named", kPorts),
       key("nic", &ClusterSpec::nic, "a NIC of the catalog"),
       key("nics_per_node", &ClusterSpec::nics_per_node, "NICs per server; one per GPU if not given", kPorts),
       key("host_nics_per_node", &ClusterSpec::host_nics_per_node,
           "NICs of the server beside those of its GPUs: they take ports of the fabric", {.max = 64}),
       key("scale_up_domain", &ClusterSpec::scale_up_domain,
           "GPUs that reach each other without the network; the GPU's own if not given", kPorts),
       only(KeyEffect{kAnyRun, {kScaleUp}},
            key("scale_up", &ClusterSpec::scale_up, "a switch joins the domain, or every GPU has a link to every other")),
       only(KeyEffect{kAnyRun, {kScaleUp}}, key("scale_up_rate", &ClusterSpec::scale_up_rate,
                                                "of one GPU in one direction; the GPU's own if not given", kRateOrBytes)),
       only(KeyEffect{kAnyModel}, key("gpu_power", &ClusterSpec::gpu_power,
                                      "limit of the power of a GPU, where it is less than the GPU's own: lowers its clocks")),
       only(kStepLatency,
            key("scale_up_latency", &ClusterSpec::scale_up_latency, "of one message inside the domain", kDelay))});
}

Section fabric() {
  return section(
      "fabric", "the network between them", {kOnFabric}, [](ScenarioSpec& s) -> FabricSpec& { return s.fabric; },
      {only(KeyEffect{kAnyRun, {kSplitLinks}}, key("topology", &FabricSpec::topology, "its shape")),
       key("gpus", &FabricSpec::gpus, "GPUs it has room for; those of the job if not given", kRanks),
       only({}, key("switch", &FabricSpec::switch_model, "a switch of the catalog: gives radix, switch_latency and buffer")),
       key("oversubscription", &FabricSpec::oversubscription,
           "bandwidth down over bandwidth up, per tier from below: 2 or \"2:1\"", {.min = Ratio{1.0}, .max = Ratio{1e6}}),
       only({}, key("cable", &FabricSpec::cable,
                    "cable length, one for all or per tier from below (to hosts, above leaves, above spines); gives link_delay",
                    {.max = kLongestCable})),
       key("radix", &FabricSpec::radix, "ports per switch at link_rate", {.min = 2, .max = 1U << 16}),
       key("spine_radix", &FabricSpec::spine_radix, "ports of spines and cores at their rate, where they are other switches",
           {.min = 2, .max = 1U << 16}),
       key("hosts_per_leaf", &FabricSpec::hosts_per_leaf, "NIC ports per leaf; as many as the radix allows if not given",
           kPorts),
       key("hosts_per_pod", &FabricSpec::hosts_per_pod, "NIC ports per pod; as many as can be wired if not given", kRanks),
       key("uplinks", &FabricSpec::uplinks, "uplinks per leaf, instead of the first oversubscription", kPorts),
       key("spine_uplinks", &FabricSpec::spine_uplinks, "uplinks per spine, instead of the second oversubscription", kPorts),
       key("spines", &FabricSpec::spines, "spine switches, of a pod where there are pods; as few as can be wired if not given",
           kPorts),
       key("cores", &FabricSpec::cores, "core switches; as few as can be wired if not given", kPorts),
       key("rails", &FabricSpec::rails,
           "NIC i of every server goes to leaf i of its group; a number is so many rails, and NIC i is on rail i mod rails"),
       only(KeyEffect{kAnyRun, {kSplitLinks}},
            key("planes", &FabricSpec::planes, "switches that the ports of a NIC are spread over", {.min = 2, .max = 16})),
       only({}, key("link_rate", &FabricSpec::link_rate, "rate of a host's link; the NIC's if not given", kRate)),
       key("uplink_rate", &FabricSpec::uplink_rate, "rate of a link between switches; link_rate if not given", kRate),
       key("core_rate", &FabricSpec::core_rate, "rate of a link above the spines; uplink_rate if not given", kRate),
       only({}, key("link_delay", &FabricSpec::link_delay,
                    "propagation delay of a link, one for all or per tier, instead of cable", kDelay)),
       only({}, key("switch_latency", &FabricSpec::switch_latency, "delay inside a switch", kDelay)),
       only({}, key("host_latency", &FabricSpec::host_latency, "delay of NIC, PCIe and memory at either end", kDelay)),
       only(KeyEffect{kPackets},
            key("buffer", &FabricSpec::buffer, "packet buffer of a switch; the catalog's if not given, else 64 MiB",
                {.min = 1_B, .max = kLargestQueue})),
       only(KeyEffect{kAnyRun, {kFrames}},
            key("port_mtu", &FabricSpec::port_mtu, "largest frame a port takes", {.min = 256_B, .max = 65536_B})),
       key("switching", &FabricSpec::switching,
           "when a switch starts to send a packet on: at once, when it has all of it, or when the last switch grants a credit "
           "(VOQs and cells)"),
       only(kScheduledRuns,
            key("credit_delay", &FabricSpec::credit_delay,
                "of a scheduled fabric: what its scheduler takes beyond the way to it and back; nothing if not given", kDelay)),
       only(
           kScheduledRuns,
           key("cell_overhead", &FabricSpec::cell_overhead,
               "of a scheduled fabric: share of links above leaves that cells take; none if not given, as with enough speed-up",
               {.min = 0.0, .max = 0.9})),
       key("circuits", &FabricSpec::circuits,
           "how optical circuits join pods: evenly, in a ring, by what is sent, or by what every phase of a step sends"),
       only(KeyEffect{kFlowStep, {kChangingCircuits}},
            key("reconfiguration", &FabricSpec::reconfiguration,
                "how long circuits are dark that change between phases; 10 ms if not given, as mirrors take",
                {.max = Picoseconds(100 * kPicosecondsPerSecond)})),
       key("file", &FabricSpec::file, "drawing of the fabric, for topology = \"file\"")});
}

Section island() {
  return section(
      "fabric.island", "the island of a hybrid fabric, and its gateways", {kOnFabric},
      [](ScenarioSpec& s) -> IslandPlan& { return s.fabric.island; },
      {key("gpus", &IslandPlan::gpus, "GPUs of the island: the last ones; half of all if not given", kRanks),
       key("hosts_per_leaf", &IslandPlan::hosts_per_leaf, "NIC ports per leaf there", kPorts),
       key("link_rate", &IslandPlan::link_rate, "rate of its links", kRate),
       key("switch_latency", &IslandPlan::switch_latency, "delay inside its switches", kDelay),
       only(KeyEffect{kPackets, {}, set_of(TransportKind::roce)}, key("transport", &IslandPlan::transport,
                                                                      "infiniband with kind = \"roce\": its links have credits "
                                                                      "and no pauses or marks; if not given as [transport]")),
       key("gateways", &IslandPlan::gateways, "gateways between island and main fabric, each with a link to every spine",
           kPorts),
       key("boundary_rate", &IslandPlan::boundary_rate, "rate of those links", kRate),
       key("boundary_latency", &IslandPlan::boundary_latency, "what a gateway adds", kDelay)});
}

Section haul() {
  return section("fabric.haul", "links between the sites of topology = \"two-site\"", {kOnFabric},
                 [](ScenarioSpec& s) -> HaulSpec& { return present(s.fabric.haul); },
                 {key("links", &HaulSpec::links, "how many, dealt evenly to the spines of a site",
                      {.min = kPorts.min, .max = kPorts.max, .required = true}),
                  key("rate", &HaulSpec::rate, "of one of them; uplink_rate if not given", kRate),
                  key("length", &HaulSpec::length, "of their fibre: \"80 km\"", {.max = kLongestCable, .required = true})});
}

Section routing() {
  return section(
      "routing", "how paths through the fabric are chosen", {kOnFabric},
      [](ScenarioSpec& s) -> RoutingSpec& { return s.routing; },
      {key("policy", &RoutingSpec::policy, "how one of several equal paths is chosen"),
       only(KeyEffect{kOnFabric, {kChoice, kHashedWays}}, key("hash", &RoutingSpec::hash, "hash function of ECMP")),
       only(KeyEffect{kOnFabric, {kChoice, kHashedWays}}, key("hash_fields", &RoutingSpec::hash_fields, "what the hash sees")),
       only(KeyEffect{kOnFabric, {kChoice, kHashed}},
            key("seeds", &RoutingSpec::seeds, "seeds of the hash in leaf, spine and core")),
       only(KeyEffect{kFlows | kPackets, {kChoice, kManyWays}},
            key("paths", &RoutingSpec::paths,
                "equal paths, as hashes choose them, that one flow is spread over where packets are (flowlet, adaptive, "
                "spray); all if not given",
                kPorts)),
       only(KeyEffect{kPackets}, key("flowlet_gap", &RoutingSpec::flowlet_gap,
                                     "flowlet: idle time after which a flow may take another path", kPeriod)),
       only(KeyEffect{kFlows | kPackets, {kFailing, kWeighedHops}},
            key("wcmp", &RoutingSpec::wcmp, "switches weigh next hops by the live paths behind them (WCMP), not all alike")),
       only(KeyEffect{kPackets, {kFailing}},
            key("local_repair", &RoutingSpec::local_repair,
                "after a link's failure, until the nodes at its ends use other links", {.max = kPeriod.max})),
       only(KeyEffect{kPackets, {kFailing}},
            key("convergence", &RoutingSpec::convergence,
                "after a link's failure, until all switches send around it (BGP, subnet manager)", {.max = kPeriod.max}))});
}

/// [routing.static]: names of nodes, so any key goes; static_routes (fabric/static_routes.h) looks whether the fabric has them.
Section fixed_routes() {
  return {"routing.static",
          "next hops set by hand, loops included, at fidelity = \"packet\": \"leaf 3 to gpu 5\" = \"spine 1\"",
          {kPacketCollective | kPacketTraffic | kPacketTrace},
          {},
          [](const Document& table, std::span<const std::string>, ScenarioSpec& scenario, Complaints& complaints,
             const KeySet&) { read_static_routes(table, scenario.routing.fixed, complaints); }};
}

Section placement() {
  return section(
      "placement", "which rank is where", {kOnFabric}, [](ScenarioSpec& s) -> PlacementSpec& { return s.placement; },
      {key("policy", &PlacementSpec::policy, "how ranks are placed on hosts"),
       key("file", &PlacementSpec::file, "the GPU of rank 0, of rank 1, …: numbers, for policy = \"file\""),
       key("lost_servers", &PlacementSpec::lost_servers,
           "servers, from 0, that are out: their ranks go to servers that the job leaves free, the last ones first")});
}

Section expect() {
  return section("expect", "what the result should be, for scenarios that are tests", {},
                 [](ScenarioSpec& s) -> ExpectSpec& { return s.expect; },
                 {key("diagnostics", &ExpectSpec::diagnostics,
                      "codes that appear, \"RY-SCN-012\" or with the line, "
                      "\"RY-SCN-012:14\"; no others may"),
                  key("fingerprint", &ExpectSpec::fingerprint,
                      "the run's fingerprint, 16 hexadecimal digits; who extends this file does not inherit it")});
}

std::optional<ExpectSpec::Value> read_expected_value(const Document::Member& member, Complaints& complaints) {
  ExpectSpec::Value expected{.path = member.key, .value = 0.0, .relative = 0, .absolute = 0, .where = member.where};
  const Document* value = member.value.members() ? member.value.find("value") : &member.value;
  double number = 0;
  if (value && value->number(number))
    expected.value = *value->number(number);
  else if (value && value->text())
    expected.value = *value->text();
  else
    return schema::wrong_type(member.key, member.value, "a number, text or { value, relative, absolute }", complaints),
           std::nullopt;
  if (!member.value.members()) return expected;
  static const std::vector<Key<ExpectSpec::Value>> kTolerance = {
      key("relative", &ExpectSpec::Value::relative, "tolerance as a share of the value", {.min = 0.0}),
      key("absolute", &ExpectSpec::Value::absolute, "tolerance in the value's unit", {.min = 0.0})};
  static const std::vector<std::string> kValue = {"value"};
  read_table<ExpectSpec::Value>(member.value, kTolerance, kValue, expected, complaints);
  return expected;
}

/// [expect.values]: paths into the results, so any key goes.
Section expect_values() {
  return {
      "expect.values",
      "paths into the JSON results with the value expected there: a number, text, or { value, relative, absolute }",
      {},
      {},
      [](const Document& table, std::span<const std::string>, ScenarioSpec& scenario, Complaints& complaints, const KeySet&) {
        for (const Document::Member& member : *table.members())
          if (auto value = read_expected_value(member, complaints)) scenario.expect.values.push_back(std::move(*value));
      }};
}

/// "published: table 4" as an origin.
std::optional<Origin> read_origin(const Document::Member& member, Complaints& complaints) {
  const std::string* text = member.value.text();
  const std::size_t colon = text ? text->find(':') : std::string::npos;
  Origin origin;
  bool known = false;
  if (colon != std::string::npos)
    for (const Status status : {Status::measured, Status::published, Status::estimated, Status::assumed})
      if (text->substr(0, colon) == name_of(status)) origin.status = status, known = true;
  const std::size_t first = known ? text->find_first_not_of(' ', colon + 1) : std::string::npos;
  if (first == std::string::npos)
    return schema::wrong_type(member.key, member.value,
                              "text like \"published: who says so\"; measured, estimated and assumed go too", complaints),
           std::nullopt;
  origin.source = text->substr(first);
  return origin;
}

/// [origins]: paths of keys, so any key goes; resolve() looks whether they are there.
Section origins() {
  return {
      "origins",
      "where figures of this file come from: the path of a key, and \"published: …\", \"measured: …\", \"estimated: …\" or "
      "\"assumed: …\"",
      {},
      {},
      [](const Document& table, std::span<const std::string>, ScenarioSpec& scenario, Complaints& complaints, const KeySet&) {
        for (const Document::Member& member : *table.members())
          if (auto origin = read_origin(member, complaints)) scenario.origins[member.key] = {std::move(*origin), member.where};
      }};
}

/// [failures]: names of things, so any key goes; port_changes (fabric/failures.h) looks whether the fabric has them.
Section failures() {
  return {"failures",
          "what fails: \"gpu 5 port 0\", \"leaf 3 uplink 7\", \"spine 2\", and \"down\" or { rate, loss, ber, storm, takes, "
          "direction, from, until, every, times }",
          {kFlows | kPackets},
          {},
          [](const Document& table, std::span<const std::string>, ScenarioSpec& scenario, Complaints& complaints,
             const KeySet&) { read_failures(table, scenario.failures, complaints); }};
}

}  // namespace

std::span<const Section> scenario_sections() {
  static const std::vector<Section> sections = [] {
    std::vector<Section> all = {top()};
    const auto add = [&](std::vector<Section> more) {
      for (Section& section : more) all.push_back(std::move(section));
    };
    add(training_sections());
    add(reliability_sections());
    add(cost_sections());
    add({traffic(), storage(), trace(), collective(), serving_section(), job_section(), cluster(), host_section(), fabric(),
         island(), haul()});
    add(transport_sections());
    add(qos_sections());
    add({routing(), fixed_routes(), placement(), engine_section(), failures(), origins(), expect(), expect_values()});
    return all;
  }();
  return sections;
}

std::vector<std::string> subsections_of(std::string_view path) {
  std::vector<std::string> inside;
  const std::string prefix = path.empty() ? std::string() : std::string(path) + ".";
  for (const Section& section : scenario_sections()) {
    if (section.path.empty() || !section.path.starts_with(prefix)) continue;
    const std::string rest = section.path.substr(prefix.size());
    if (rest.find('.') == std::string::npos) inside.push_back(rest);
  }
  return inside;
}

std::vector<std::string> paths_called(std::string_view name) {
  std::vector<std::string> paths;
  for (const Section& section : scenario_sections()) {
    if (section.path == name || section.path.ends_with("." + std::string(name))) paths.push_back(section.path);
    for (const ScenarioKey& key : section.keys)
      if (key.name == name) paths.push_back(section.path.empty() ? key.name : section.path + "." + key.name);
  }
  return paths;
}

}  // namespace railyard
