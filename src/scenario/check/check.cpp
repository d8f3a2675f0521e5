#include "scenario/check/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <type_traits>

#include "base/nearest.h"
#include "base/printable.h"
#include "base/quantity_text.h"
#include "base/schema.h"
#include "scenario/check/check_fabric.h"
#include "scenario/check/check_packets.h"
#include "scenario/check/check_serving.h"
#include "scenario/check/check_traffic.h"
#include "scenario/check/check_training.h"
#include "scenario/check/suggest.h"

namespace railyard {

namespace {

bool speaks(const std::vector<TransportKind>& kinds, TransportKind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// Hardware of the catalog that speaks a transport.
template<class Fact>
std::vector<std::string> speaking(const Shelf<Fact>& shelf, TransportKind kind) {
  std::vector<std::string> out;
  for (const Entry<Fact>& entry : shelf.entries())
    if (speaks(entry.fact.transports, kind)) out.push_back(entry.name);
  return out;
}

/// The chip of the box that a name is nearest to: SN5600 has a Spectrum-4.
std::string chip_of(const std::string& name, const Shelf<SwitchFact>& shelf) {
  std::vector<std::string> boxes;
  for (const Entry<SwitchFact>& entry : shelf.entries()) boxes.push_back(entry.fact.system);
  const std::string box = nearest(name, boxes);
  for (const Entry<SwitchFact>& entry : shelf.entries())
    if (!box.empty() && entry.fact.system == box) return entry.name;
  return {};
}

/// The checks of one scenario; each method is one kind of mistake.
class Checker {
 public:
  Checker(ScenarioSpec& scenario, const Catalog& catalog, Complaints& complaints, bool needs_workload)
      : s_(scenario), catalog_(catalog), complaints_(complaints), needs_workload_(needs_workload) {}

  void run() {
    if (s_.serving) check_serving(s_, catalog_, complaints_);
    one_workload();
    catalog_names();
    priced_parts();
    cluster();
    if (s_.model) check_training(s_, catalog_, complaints_);
    if (s_.jitter) jitter();
    if (s_.traffic) check_traffic(s_, complaints_);
    if (s_.trace) trace();
    if (s_.collective) collective();
    check_fabric(s_, complaints_);
    transport();
    thresholds();
    check_packets(s_, complaints_);
    files();
    failures();
    expectations();
  }

 private:
  void error(std::string_view code, const std::string& key, std::string message, std::string hint) {
    complaints_.error(code, s_.where(key), std::move(message), std::move(hint));
  }

  void one_workload() {
    std::vector<std::string> sections;
    if (s_.model) sections.push_back("model");
    if (s_.traffic) sections.push_back("traffic");
    if (s_.trace) sections.push_back("trace");
    if (s_.collective) sections.push_back("collective");
    std::stable_sort(sections.begin(), sections.end(),
                     [&](const std::string& a, const std::string& b) { return s_.where(a).line < s_.where(b).line; });
    if (sections.empty() && needs_workload_)
      error("RY-SCN-020", "", "nothing to run: there is no [model], [traffic], [trace] or [collective]",
            "add one of them; docs/scenario.md shows how");
    else if (sections.empty() && !s_.cluster.gpus && !s_.fabric.gpus && s_.fabric.topology != Topology::file)
      error("RY-SCN-015", "cluster", "the key 'gpus' is missing", "add gpus = … to [cluster]: how many the fabric joins");
    if (sections.size() > 1)
      error("RY-SCN-021", sections[1], fmt::format("[{}] and [{}] cannot be combined", sections[0], sections[1]),
            "keep one of them");
    for (const char* key : {"training", "parallel", "slice", "jitter"})
      if (!s_.model && !s_.serving && s_.given(key) && !sections.empty())
        error("RY-SCN-022", key, fmt::format("[{}] needs a [model]", key),
              fmt::format("remove it, or replace [{}] by [model]", sections[0]));
  }

  template<class Fact>
  void catalog_name(const Shelf<Fact>& shelf, const std::string& name, const std::string& key, std::string_view kind) {
    if (name.empty() || shelf.find(name)) return;
    const std::vector<std::string> names = shelf.names();
    std::string guess = nearest(name, names);
    if constexpr (std::is_same_v<Fact, SwitchFact>)  // boxes go by other names than their chips
      if (guess.empty()) guess = chip_of(name, shelf);
    error("RY-SCN-023", key, fmt::format("the catalog has no {} \"{}\"", kind, name),
          guess.empty() ? fmt::format("it has {}", schema::join(names, ", ")) : fmt::format("did you mean \"{}\"?", guess));
  }

  /// Names in [prices].
  void priced_parts() {
    std::vector<std::string> known(std::begin(kPlainParts), std::end(kPlainParts));
    const auto add = [&](const std::vector<std::string>& names) { known.insert(known.end(), names.begin(), names.end()); };
    add(catalog_.switches.names()), add(catalog_.nics.names()), add(catalog_.optics.names()), add(catalog_.servers.names());
    for (const GivenPrice& given : s_.prices) {
      if (std::find(known.begin(), known.end(), given.part) != known.end()) continue;
      const std::string guess = nearest(given.part, known);
      complaints_.error("RY-CST-001", given.where, fmt::format("prices has '{}', which is no part", printable(given.part)),
                        guess.empty() ? "use server, switch, nic, fibre, electricity, or a name of railyard catalog switches, "
                                        "nics, optics or servers"
                                      : fmt::format("did you mean \"{}\"?", guess));
    }
  }

  void catalog_names() {
    catalog_name(catalog_.gpus, s_.cluster.gpu, "cluster.gpu", "GPU");
    if (s_.model && catalog_.gpus.find(s_.cluster.gpu) && !catalog_.speeds.find(s_.cluster.gpu))
      error("RY-SCN-151", "cluster.gpu",
            fmt::format("the catalog does not know how fast {} computes: its collectives are modelled alone", s_.cluster.gpu),
            "choose another GPU (railyard catalog speeds), or run a [collective]");
    catalog_name(catalog_.nics, s_.cluster.nic, "cluster.nic", "NIC");
    catalog_name(catalog_.switches, s_.fabric.switch_model, "fabric.switch", "switch");
    if (s_.model) catalog_name(catalog_.models, s_.model->preset, "model.preset", "model");
    if (s_.reliability)
      catalog_name(catalog_.reliability, s_.reliability->profile, "reliability.profile", "set of failure rates");
    if (s_.model) catalog_name(catalog_.software, s_.training.software, "training.software", "software");
  }

  /// GPUs that fill whole nodes and, of a model, whole replicas: "use 96 or 112".
  std::string whole_numbers(std::uint32_t gpus, std::uint32_t per_node) const {
    const ParallelSpec& p = s_.parallel;
    const std::uint64_t replica = s_.model ? std::max<std::uint64_t>(1, std::uint64_t{p.tensor} * p.context * p.pipeline) : 1;
    const std::uint64_t above = gpus_from(gpus, per_node, replica), whole = gpus_from(1, per_node, replica);
    return above == whole ? fmt::format("use {}", above) : fmt::format("use {} or {}", above - whole, above);
  }

  void cluster() {
    ClusterSpec& c = s_.cluster;
    if (!c.gpus && s_.model && !s_.serving && !s_.given("cluster.gpus"))
      error("RY-SCN-015", "cluster", "the key 'gpus' is missing", "add gpus = … to [cluster]: how many GPUs train the model");
    if ((catalog_.gpus.find(c.gpu) || (s_.model && c.gpu.empty())) && !c.gpus_per_node && !s_.given("cluster.gpus_per_node"))
      error("RY-SCN-015", c.gpu.empty() ? "cluster" : "cluster.gpu",
            c.gpu.empty() ? std::string("the key 'gpus_per_node' is missing")
                          : fmt::format("gpu = \"{}\" needs the key 'gpus_per_node'", c.gpu),
            "add gpus_per_node = … to [cluster] (8 in most servers, 4 in a GB200 tray)");
    const std::uint32_t per_node = c.gpus_per_node.value_or(1);
    if (c.gpus && *c.gpus % per_node != 0)
      error("RY-SCN-024", "cluster.gpus", fmt::format("gpus = {} does not fill whole nodes of {}", *c.gpus, per_node),
            whole_numbers(*c.gpus, per_node));
    const std::uint32_t nics = c.nics_per_node.value_or(per_node);
    if (per_node % nics != 0 && nics % per_node != 0)
      error("RY-SCN-025", "cluster.nics_per_node", fmt::format("{} NICs cannot be shared evenly by {} GPUs", nics, per_node),
            fmt::format("use a divisor or a multiple of {}", per_node));
    if (s_.host.nics && *s_.host.nics > nics)
      error("RY-SCN-150", "host.nics", fmt::format("a server has {} NICs, and {} are to be used", nics, *s_.host.nics),
            fmt::format("use at most {}, or give nics_per_node", nics));
  }

  void collective() {
    const CollectiveSpec& c = *s_.collective;
    if (!c.group && !s_.cluster.gpus && !s_.given("collective.group") && !s_.given("cluster.gpus") &&
        s_.fabric.topology != Topology::file)
      error("RY-SCN-015", "collective", "the number of ranks is missing",
            "add group = … to [collective] or gpus = … to [cluster]");
    if (c.group && s_.cluster.gpus && *c.group > *s_.cluster.gpus)
      error("RY-SCN-039", "collective.group", fmt::format("group = {} is more than gpus = {}", *c.group, *s_.cluster.gpus),
            "use at most as many ranks as there are GPUs");
    if (c.skew > 0 && c.kind != CollectiveKind::all_to_all)
      error("RY-SCN-079", "collective.skew", fmt::format("skew does not apply to kind = \"{}\"", name_of(c.kind)),
            "remove it, or use kind = \"all_to_all\"");
    if (c.protocol != ProtocolChoice::automatic && (c.library == LibraryChoice::none || s_.cluster.gpu.empty()))
      error("RY-SCN-079", "collective.protocol", "protocol needs a communication library",
            c.library == LibraryChoice::none ? fmt::format("remove it, or library = \"none\"{}",
                                                           s_.cluster.gpu.empty() ? ", and name a gpu in [cluster]" : "")
                                             : "remove it, or name a gpu in [cluster]");
    if (!c.group && s_.cluster.gpus && *s_.cluster.gpus < 2)
      error("RY-SCN-039", "cluster.gpus", "a collective needs at least two ranks", "use more GPUs");
  }

  void trace() {
    const CollectiveAlgorithm algorithm = s_.trace->algorithm;
    if (algorithm == CollectiveAlgorithm::nvls || algorithm == CollectiveAlgorithm::in_network)
      error("RY-TRC-010", "trace.algorithm",
            fmt::format("collectives of a trace are sent between ranks, and algorithm = \"{}\" needs switches that add up",
                        name_of(algorithm)),
            "use ring, tree, halving-doubling, direct, hierarchical or pxn");
  }

  /// Whether it says once how late, and once which calls.
  void jitter() {
    const JitterSpec& j = *s_.jitter;
    const bool drawn = s_.given("jitter.min") || s_.given("jitter.max");
    if (s_.given("jitter.delay") && drawn)
      error("RY-SCN-120", "jitter.delay", "both a fixed delay and a range are given", "keep delay, or min and max");
    else if (!s_.given("jitter.delay") && !s_.given("jitter.max"))
      error("RY-SCN-015", drawn ? "jitter.min" : "jitter", "[jitter] has no delay",
            drawn ? "add max = … to [jitter]" : "add delay = \"75 us\" to [jitter], or min = \"50 us\" and max = \"100 us\"");
    if (j.min && j.max && *j.max < *j.min)
      error("RY-SCN-120", "jitter.max", fmt::format("max = {} is less than min = {}", format(*j.max), format(*j.min)),
            "swap them");
    if (s_.slice)
      error("RY-SCN-120", "jitter", "[jitter] cannot be combined with [slice]: a slice is taken from a step without jitter",
            "remove one of them");
    if (s_.given("jitter.calls") && s_.given("jitter.which"))
      error("RY-SCN-120", "jitter.calls", "both calls and which are given", "keep one: which calls begin late");
  }

  void transport() {
    const TransportSpec& t = s_.transport;
    const bool rdma = t.kind == TransportKind::roce || t.kind == TransportKind::infiniband;
    const std::int64_t mtu = t.mtu.count();
    const bool of_simulator = s_.traffic && s_.engine.fidelity == Fidelity::packet;  // theirs are often 1,000 bytes
    if (rdma && (mtu < 256 || mtu > 4096 || (!of_simulator && (mtu & (mtu - 1)) != 0)))
      error("RY-SCN-043", "transport.mtu", fmt::format("mtu = {} is not an RDMA MTU", mtu), "use 256, 512, 1024, 2048 or 4096");
    if (const auto* nic = catalog_.nics.find(s_.cluster.nic); nic && !speaks(nic->fact.transports, t.kind))
      error("RY-SCN-044", s_.given("transport.kind") ? "transport.kind" : "cluster.nic",
            fmt::format("{} does not support transport {}", s_.cluster.nic, name_of(t.kind)),
            fmt::format("choose another transport, or a NIC that does: {}", fmt::join(speaking(catalog_.nics, t.kind), ", ")));
    if (const auto* box = catalog_.switches.find(s_.fabric.switch_model); box && !speaks(box->fact.transports, t.kind)) {
      const std::vector<std::string> others = speaking(catalog_.switches, t.kind);
      error("RY-SCN-044", "fabric.switch",
            fmt::format("{} does not support transport {}", s_.fabric.switch_model, name_of(t.kind)),
            fmt::format("set kind = \"{}\" in [transport]{}", name_of(box->fact.transports.front()),
                        others.empty() ? ", or name no switch, but radix and switch_latency"
                                       : fmt::format(", or choose a switch that does: {}", fmt::join(others, ", "))));
    }
    const auto has_no_meaning = [&](const char* section, bool anyway) {
      if (s_.given(section) && !anyway)
        error("RY-SCN-045", section, fmt::format("[{}] does not apply to kind = \"{}\"", section, name_of(t.kind)),
              "remove it");
    };
    has_no_meaning("transport.dcqcn", t.kind == TransportKind::roce);
    has_no_meaning("transport.pfc", t.kind != TransportKind::infiniband && t.kind != TransportKind::srd);
  }

  void thresholds() {
    const EcnSpec& ecn = s_.transport.ecn;
    if (ecn.kmin && ecn.kmax && *ecn.kmin > *ecn.kmax)
      error("RY-SCN-046", "transport.ecn.kmin",
            fmt::format("kmin = {} is above kmax = {}", format(*ecn.kmin), format(*ecn.kmax)), "swap them");
    const PfcSpec& pfc = s_.transport.pfc;
    if (pfc.xon && pfc.xoff && *pfc.xon > *pfc.xoff)
      error("RY-SCN-046", "transport.pfc.xon", fmt::format("xon = {} is above xoff = {}", format(*pfc.xon), format(*pfc.xoff)),
            "use an xon of at most xoff: a pause ends below the backlog at which it began");
    if (pfc.alpha && pfc.xoff)
      error("RY-SCN-047", "transport.pfc.xoff", "both alpha and xoff are given", "keep one: the threshold is dynamic or fixed");
  }

  /// A file beside a choice that does not read one.
  void unread_file(const std::string& key, const std::string& choice_key, std::string_view choice, bool reads) {
    if (s_.given(key) && !reads)
      error("RY-SCN-052", key, fmt::format("{} does not apply to {} = \"{}\"", key, choice_key, choice),
            fmt::format("remove it, or use {} = \"file\"", choice_key));
  }

  void files() {
    unread_file("fabric.file", "topology", name_of(s_.fabric.topology), s_.fabric.topology == Topology::file);
    unread_file("placement.file", "policy", name_of(s_.placement.policy), s_.placement.policy == PlacementPolicy::file);
    if (s_.traffic)
      unread_file("traffic.file", "pattern", name_of(s_.traffic->pattern), s_.traffic->pattern == TrafficPattern::file);
    if (s_.fabric.topology == Topology::file && s_.fabric.file.empty())
      error("RY-SCN-015", "fabric.topology", "topology = \"file\" needs the key 'file'", "add file = \"…\" to [fabric]");
    if (s_.placement.policy == PlacementPolicy::file && s_.placement.file.empty())
      error("RY-SCN-015", "placement.policy", "policy = \"file\" needs the key 'file'", "add file = \"…\" to [placement]");
  }

  void failures() {
    if (s_.routing.wcmp && s_.fabric.topology == Topology::file)
      error("RY-SCN-146", "routing.wcmp", "wcmp counts paths through tiers, and topology = \"file\" has none",
            "remove wcmp, or use another topology");
    if (!s_.failures.empty() && s_.engine.fidelity == Fidelity::analytic)
      error("RY-SCN-084", "failures",
            "[failures] needs fidelity = \"flow\" or \"packet\": the analytic engine does not reroute",
            "set fidelity = \"flow\" in [engine], or remove [failures]");
  }

  void expectations() {
    const std::string& fingerprint = s_.expect.fingerprint;
    const bool hexadecimal = fingerprint.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!fingerprint.empty() && (fingerprint.size() != 16 || !hexadecimal))
      error("RY-SCN-048", "expect.fingerprint", fmt::format("\"{}\" is not a fingerprint", fingerprint),
            "copy the 16 hexadecimal digits a run prints");
  }

  ScenarioSpec& s_;
  const Catalog& catalog_;
  Complaints& complaints_;
  bool needs_workload_;
};

}  // namespace

void check_scenario(ScenarioSpec& scenario, const Catalog& catalog, Complaints& complaints, bool needs_workload) {
  Checker(scenario, catalog, complaints, needs_workload).run();
}

}  // namespace railyard
