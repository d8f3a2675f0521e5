#include "sim/remarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "base/quantity_text.h"
#include "base/schema.h"
#include "fabric/routes.h"
#include "sim/step/reach.h"

namespace railyard {

namespace {

using Keys = std::vector<std::string>;

constexpr const char* kUplinks[] = {"fabric.uplinks", "fabric.uplink_rate"};
constexpr const char* kPaths[] = {"routing.policy", "routing.hash", "routing.hash_fields", "routing.seeds",
                                  "transport.qps_per_connection"};

class Remarker {
 public:
  Remarker(const Scenario& scenario, const Fabric& fabric, const Placement& placement, std::span<const PortChange> failures,
           const Step* step)
      : s_(scenario), fabric_(fabric), placement_(placement), failures_(failures), step_(step) {}

  Diagnostics all() {
    tensor_groups();
    idle_failures();
    long_haul();
    if (one_domain()) return std::move(found_);
    if (!one_leaf()) {
      empty_leaves();
      overtaken_packets();
    }
    small_messages();
    return std::move(found_);
  }

 private:
  void add(Severity severity, const char* code, const std::string& key, std::string what, std::string hint) {
    found_.push_back({severity, code, std::move(what), std::move(hint), s_.keys.where(key)});
  }

  template<std::size_t N>
  void add_given(const char* const (&keys)[N], Keys& out) const {
    for (const char* key : keys)
      if (s_.keys.given(key)) out.emplace_back(key);
  }
  /// Full bandwidth is no question.
  void add_uplinks(Keys& out) const {
    const bool oversubscribed = s_.fabric.oversubscription > 1 || s_.fabric.spine_oversubscription > 1;
    if (oversubscribed && s_.keys.given("fabric.oversubscription")) out.emplace_back("fabric.oversubscription");
    add_given(kUplinks, out);
  }
  /// Keys of what a leaf's hosts do not need to reach each other. Those of a fabric of one leaf are named elsewhere.
  [[nodiscard]] Keys given_above_leaves() const {
    Keys keys;
    if (fabric_.blocks.size() > 1) add_uplinks(keys);
    add_given(kPaths, keys);
    return keys;
  }

  void tensor_groups() {
    if (!step_) return;
    const Group group = step_->layout.group(GroupKind::tensor);
    const std::uint32_t domain = step_->layout.domain;
    if (domain <= 1 || group.size <= domain) return;
    add(Severity::warning, "RY-RUN-071", "parallel.tensor",
        fmt::format("tensor groups of {} straddle scale-up domains of {}: several collectives of every layer cross the network",
                    group.size, domain),
        fmt::format("use tensor = {} or less, unless that is the question", domain));
  }

  /// A failure of something else's NIC. What fails above leaves may be on some path.
  void idle_failures() {
    std::set<NodeId> seats;
    for (const EndpointId endpoint : placement_) seats.insert(fabric_.node_of(endpoint));
    const auto is_idle = [&](const PortChange& change) {
      const Tier tier = fabric_.trunk_tier[fabric_.port_trunk[change.port]];
      if (tier != Tier::host_up && tier != Tier::host_down) return false;
      return !seats.contains(tier == Tier::host_up ? fabric_.port_from[change.port] : fabric_.port_to[change.port]);
    };
    if (failures_.empty() || !std::all_of(failures_.begin(), failures_.end(), is_idle)) return;
    add(Severity::note, "RY-RUN-073", "failures", "these failures hit no NIC of the job: they cannot matter",
        fmt::format("let a GPU fail that one of the {} ranks sits on", placement_.size()));
  }

  /// What is under way between two sites: as much headroom as a pause would take, and more than most windows.
  void long_haul() {
    if (!s_.fabric.haul_links) return;
    const Picoseconds round_trip = s_.fabric.delay_above_spines() * 2;
    const Bytes under_way = bytes_in(round_trip, s_.fabric.core_rate);
    const bool pauses = s_.transport.kind == TransportKind::roce;
    const bool seen = s_.engine.fidelity == Fidelity::packet;
    if (pauses && !seen)
      add(Severity::note, "RY-RUN-086", "fabric.haul.length",
          fmt::format("a link between sites has {} under way in a round trip of {}: a lossless class takes as much headroom at "
                      "every one of them, which fidelity = \"{}\" does not see",
                      format(under_way), format(round_trip), name_of(s_.engine.fidelity)),
          "look whether the buffer of the switch has room for it; without PFC, losses wait that long to be repeated");
    const std::optional<Bytes> window = s_.transport.window;
    if (!window || *window * s_.routing.qps_per_connection >= under_way) return;
    const double seconds = static_cast<double>(round_trip.count()) / static_cast<double>(kPicosecondsPerSecond);
    const auto rate = static_cast<std::int64_t>(8 * static_cast<double>(window->count()) / seconds);
    add(Severity::warning, "RY-RUN-087", "transport.window",
        fmt::format("a window of {} lets a queue pair send {} between sites, {} apart, and links have {}", format(*window),
                    format(BitsPerSecond(rate)), format(round_trip), format(s_.fabric.core_rate)),
        fmt::format("use a window of {}, or as many queue pairs as make up for it", format(under_way)));
  }

  bool one_domain() {
    const auto first = fabric_.domain_of(*placement_.begin());
    if (placement_.size() < 2 || std::any_of(placement_.begin(), placement_.end(),
                                             [&](EndpointId endpoint) { return fabric_.domain_of(endpoint) != first; }))
      return false;
    const Keys keys = given_above_leaves();
    if (!keys.empty())
      add(Severity::note, "RY-RUN-072", keys.front(),
          fmt::format("all {} ranks share one scale-up domain and nothing crosses the network: {} cannot matter",
                      placement_.size(), schema::join(keys, " and ")),
          "use more GPUs than a domain has, or leave that out");
    return true;
  }

  /// Whether groups of a step reach no further than their leaf. Messages change GPU inside a domain first where that keeps
  /// them on a rail.
  [[nodiscard]] bool step_stays_under_leaves() const {
    const auto reach = reach_of_groups(*step_, fabric_, placement_);
    for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
      const bool pairs = static_cast<GroupKind>(kind) == GroupKind::expert;
      const Reach& far = pairs ? reach[kind].pairs : reach[kind].ring;
      if (far.pod > 0 || far.across > 0) return false;
    }
    return true;
  }
  [[nodiscard]] bool stays_under_leaves() const {
    if (step_) return step_stays_under_leaves();
    const EndpointId first = *placement_.begin();
    return std::all_of(placement_.begin(), placement_.end(), [&](EndpointId endpoint) {
      const bool relays = s_.workload.library && !share_domain(fabric_, first, endpoint);
      if (s_.workload.library && !relays) return true;  // inside the domain, whose GPUs are on all rails
      return fabric_.leaf_of(relays ? relay_of(fabric_, first, endpoint) : first) == fabric_.leaf_of(endpoint);
    });
  }

  bool one_leaf() {
    const Keys keys = given_above_leaves();
    const bool has_spines = fabric_.topology != Topology::star && fabric_.topology != Topology::rail_only && !fabric_.drawn;
    if (keys.empty() || !has_spines || fabric_.blocks.empty()) return false;
    // Ports of a NIC that go to leaves of their own are a choice of paths, too.
    if (fabric_.trunk_ports[host_up_trunk(fabric_, InterfaceId(0))].size() > 1 || !stays_under_leaves()) return false;
    const bool rails = fabric_.rails > 1;
    add(Severity::note, "RY-RUN-070", keys.front(),
        fmt::format("{}: nothing crosses the spines, and {} cannot matter",
                    rails ? "all servers of a rail that communicate sit under one leaf"
                          : "all GPUs that communicate sit under one leaf",
                    schema::join(keys, " and ")),
        "use more servers than a leaf holds, or a smaller hosts_per_leaf, to see what they do");
    return true;
  }

  /// Leaves that have half as many hosts as the oversubscription asked for is meant for, or fewer.
  void empty_leaves() {
    constexpr double kHardlyAny = 0.5;
    if (!s_.keys.given("fabric.oversubscription") || fabric_.drawn || fabric_.blocks.size() < 2) return;
    std::vector<double> down(fabric_.blocks.size(), 0);
    for (const InterfaceId interface : ids(fabric_.leaf))
      if (fabric_.leaf[interface].valid())
        down[fabric_.leaf[interface].index()] +=
            static_cast<double>(fabric_.trunk_rate(host_up_trunk(fabric_, interface)).count());
    double worst = 0;
    for (const BlockId block : ids(fabric_.blocks))
      if (down[block.index()] > 0 && fabric_.blocks[block].parent.valid())
        worst =
            std::max(worst, down[block.index()] / static_cast<double>(fabric_.trunk_rate(fabric_.blocks[block].up).count()));
    const double asked = s_.fabric.oversubscription;
    if (worst <= 0 || worst > kHardlyAny * asked) return;
    add(Severity::note, "RY-RUN-074", "fabric.oversubscription",
        fmt::format("leaves are not full: the network is oversubscribed {:.2g}:1 at most, not {:.2g}:1 as asked for", worst,
                    asked),
        "use as many hosts as leaves are built for, or a smaller hosts_per_leaf");
  }

  /// The largest message is through a NIC before the first bit of it has reached the other end.
  void small_messages() {
    if (!s_.workload.collective || fabric_.drawn) return;  // a drawing has no NICs of its own
    Keys keys;
    add_uplinks(keys);
    if (s_.keys.given("transport.qps_per_connection")) keys.emplace_back("transport.qps_per_connection");
    if (keys.empty()) return;
    const std::vector<Bytes>& sizes = s_.workload.collective->sizes;
    const Bytes largest = *std::max_element(sizes.begin(), sizes.end());
    const TrunkId nic = host_up_trunk(fabric_, InterfaceId(0));
    const Picoseconds sent = transmit_time(largest, fabric_.trunk_rate(nic)), way = fabric_.trunk_delay[nic];
    if (sent >= way) return;
    add(Severity::note, "RY-RUN-075", "collective.sizes",
        fmt::format("{} takes {} on a NIC, and the way to the first switch alone {}: latency decides, {} hardly matters",
                    format(largest), format(sent), format(way), schema::join(keys, " and ")),
        "use larger sizes to see what bandwidth does");
  }

  /// As the scenario says; else as the catalog says of the NIC.
  [[nodiscard]] bool goes_back_n() const {
    const auto key = s_.keys.by_path.find("transport.loss_recovery");
    if (key != s_.keys.by_path.end()) return key->second.value.find(name_of(LossRecovery::go_back_n)) != std::string::npos;
    const TransportKind kind = s_.transport.kind;
    return s_.transport.any_order == false && (kind == TransportKind::roce || kind == TransportKind::infiniband);
  }

  /// NICs that take packets in order alone, where routing spreads them (docs/models.md, a step on the wire).
  void overtaken_packets() {
    const bool puts_together = s_.fabric.switching == Switching::scheduled;  // the last switch does, of cells, in order
    const bool spreads =
        !puts_together && (s_.routing.policy == RoutingPolicy::adaptive || s_.routing.policy == RoutingPolicy::spray);
    const EndpointId first = *placement_.begin(), last = placement_[RankId(static_cast<std::uint32_t>(placement_.size()) - 1)];
    if (!spreads || !goes_back_n() || s_.engine.fidelity == Fidelity::packet || fabric_.drawn) return;
    if (share_domain(fabric_, first, last)) return;
    const double rate = static_cast<double>(fabric_.trunk_rate(host_up_trunk(fabric_, InterfaceId(0))).count()) / 8;
    const double packet = static_cast<double>((s_.transport.mtu + s_.transport.header).count());
    const double trip = 2 * seconds(delay_of(fabric_, path_of(fabric_, relay_of(fabric_, first, last), last)));
    const double flying = std::max(1.0, std::ceil(rate * trip / packet));
    const auto left = [&](double overtaken) { return 100 / (1 + flying * overtaken); };
    const bool given = s_.keys.given("transport.loss_recovery");
    add(Severity::warning, "RY-RUN-076", given ? "transport.loss_recovery" : "routing.policy",
        fmt::format("routing spreads packets, and {} everything again that follows one that was overtaken: this run does not "
                    "count that",
                    given ? "NICs that recover by go-back-n send" : s_.transport.nic + " takes them in order alone and sends"),
        fmt::format("with a share p of packets overtaken and {:.0f} in flight about 1 / (1 + {:.0f} p) of the rate is left, "
                    "{:.0f} % at p = 1 % and {:.0f} % at 10 %; use {}, or fidelity = \"packet\" to see p",
                    flying, flying, left(0.01), left(0.1),
                    given ? "\"selective-repeat\"" : "policy = \"ecmp\", a NIC that takes packets in any order"));
  }

  const Scenario& s_;
  const Fabric& fabric_;
  const Placement& placement_;
  const std::span<const PortChange> failures_;
  const Step* const step_;
  Diagnostics found_;
};

}  // namespace

Diagnostics pointless(const Scenario& scenario, const Fabric& fabric, const Placement& placement,
                      std::span<const PortChange> failures, const Step* step) {
  Diagnostics found = Remarker(scenario, fabric, placement, failures, step).all();
  sort_by_location(found);
  return found;
}

}  // namespace railyard
