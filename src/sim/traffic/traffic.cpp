#include "sim/traffic/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "base/quantity_text.h"

namespace railyard {

namespace {

Diagnostic refused(const Scenario& scenario, const char* code, const std::string& key, std::string what, std::string hint) {
  return {Severity::error, code, std::move(what), std::move(hint), scenario.keys.where(key)};
}

/// The switch each host hangs on, and the rate of its link.
struct HostLinks {
  explicit HostLinks(const Fabric& fabric) : leaf(fabric.kind.size()), rate(fabric.kind.size()) {
    for (const TrunkId trunk : ids(fabric.trunk_tier)) {
      if (fabric.trunk_tier[trunk] != Tier::host_up) continue;
      const PortId port = fabric.trunk_ports[trunk].front();
      const NodeId host = fabric.port_from[port];
      if (!leaf[host].valid()) leaf[host] = fabric.port_to[port];
      rate[host] += fabric.trunk_rate(trunk);
    }
  }
  Table<NodeId, NodeId> leaf;
  Table<NodeId, BitsPerSecond> rate;
};

class TrafficPlanner {
 public:
  TrafficPlanner(const Scenario& scenario, const Fabric& fabric, const Placement& placement)
      : scenario_(scenario),
        spec_(*scenario.workload.traffic),
        fabric_(fabric),
        placement_(placement),
        links_(fabric),
        hosts_(traffic_hosts(scenario, fabric)) {
    RY_CHECK(placement.size() >= hosts_ + spec_.servers(), "every host has a place");
    possible_ = possible_senders();
  }

  Result<std::vector<PlannedMessage>> run() {
    if (possible_ < spec_.fan_in.value_or(1) && spec_.senders_at != SendersAt::anywhere) return too_few_senders();
    if (const double messages = pattern_messages(); messages > static_cast<double>(kMostTraffic)) return too_many(messages);
    if (last_start() > kLongestTraffic)
      return refused(scenario_, "RY-RUN-011", "traffic", "this traffic exceeds Railyard's limit of time",
                     "let it start earlier, or use a shorter interval");
    add_pattern();
    const Picoseconds until = spec_.background > 0 || storage_load() > 0 ? pattern_end() : spec_.start;
    const double messages = static_cast<double>(out_.size()) + beside_messages(until);
    if (messages > static_cast<double>(kMostTraffic)) return too_many(messages);
    for (std::uint32_t host = 0; host < hosts_; host++) {
      if (spec_.background > 0) add_background(host, until);
      if (spec_.storage) add_storage(*spec_.storage, host, until);
    }
    const auto earlier = [](const auto& a, const auto& b) { return a.start < b.start; };
    if (!std::is_sorted(out_.begin(), out_.end(), earlier)) std::stable_sort(out_.begin(), out_.end(), earlier);
    return std::move(out_);
  }

 private:
  [[nodiscard]] Diagnostic too_many(double messages) const {
    return refused(scenario_, "RY-RUN-032", "traffic",
                   fmt::format("this traffic has {:.3g} messages; the limit is {}", messages, format_count(kMostTraffic)),
                   "use fewer hosts, rounds or bursts, or less background and storage in larger messages");
  }

  /// In picoseconds, and more than fit.
  [[nodiscard]] double last_start() const {
    const double times = spec_.pattern == TrafficPattern::microburst ? spec_.bursts : spec_.rounds;
    const auto last = [](Picoseconds start, Picoseconds interval, double rounds) {
      return static_cast<double>(start.count()) + static_cast<double>(interval.count()) * rounds;
    };
    const double pattern = last(spec_.start, spec_.interval, times);
    return spec_.storage ? std::max(pattern, last(storage_start(), spec_.storage->interval, spec_.storage->rounds)) : pattern;
  }

  [[nodiscard]] std::uint32_t fan_in() const { return std::min(spec_.fan_in.value_or(possible_), possible_); }

  [[nodiscard]] NodeId leaf_of(std::uint32_t host) const { return links_.leaf[fabric_.node_of(placement_[RankId(host)])]; }

  /// Whether a host sits where senders of an incast to host 0 may.
  [[nodiscard]] bool may_send(std::uint32_t host) const {
    const bool is_near = leaf_of(host) == leaf_of(0);
    return host != 0 && (spec_.senders_at == SendersAt::anywhere || is_near == (spec_.senders_at == SendersAt::same_leaf));
  }

  [[nodiscard]] std::uint32_t possible_senders() const {
    if (spec_.senders_at == SendersAt::anywhere) return hosts_ - 1;
    std::uint32_t count = 0;
    for (std::uint32_t host = 1; host < hosts_; host++) count += may_send(host) ? 1 : 0;
    return count;
  }

  [[nodiscard]] Diagnostic too_few_senders() const {
    const bool near = spec_.senders_at == SendersAt::same_leaf;
    return refused(scenario_, "RY-RUN-033", spec_.fan_in ? "traffic.fan_in" : "traffic.senders_at",
                   fmt::format("{} hosts are to send, and {} of the pattern sit {}", spec_.fan_in.value_or(1), possible_,
                               near ? "under the leaf of host 0 beside it" : "under other leaves than host 0"),
                   possible_ > 0 ? fmt::format("use at most {}, or senders_at = \"anywhere\"", possible_)
                                 : std::string("use senders_at = \"anywhere\""));
  }

  [[nodiscard]] double pattern_messages() const {
    const double hosts = hosts_, rounds = spec_.rounds;
    switch (spec_.pattern) {
      case TrafficPattern::incast:
        return fan_in() * rounds;
      case TrafficPattern::all_to_all:
        return hosts * (hosts - 1) * rounds;
      case TrafficPattern::uniform:
        return hosts * spec_.flows_per_host * rounds;
      case TrafficPattern::microburst:
        return static_cast<double>(fan_in()) * spec_.bursts;
      case TrafficPattern::file:
        return static_cast<double>(spec_.lines.size()) * rounds;
      case TrafficPattern::none:
        return 0;
      case TrafficPattern::permutation:
      case TrafficPattern::ring:
        break;
    }
    return hosts * rounds;
  }

  void add_pattern() {
    if (spec_.pattern == TrafficPattern::microburst) return add_bursts();
    for (std::uint32_t round = 0; round < spec_.rounds; round++) {
      now_ = spec_.start + spec_.interval * round;
      add_round(round);
    }
  }

  void add_round(std::uint32_t round) {
    switch (spec_.pattern) {
      case TrafficPattern::incast:
        for (const std::uint32_t sender : incast_senders()) add(sender, 0, *spec_.size);
        break;
      case TrafficPattern::permutation:
        add_permutation(round);
        break;
      case TrafficPattern::all_to_all:
        for (std::uint32_t shift = 1; shift < hosts_; shift++)
          for (std::uint32_t host = 0; host < hosts_; host++) add(host, (host + shift) % hosts_, *spec_.size);
        break;
      case TrafficPattern::ring:
        for (std::uint32_t host = 0; host < hosts_; host++) add(host, (host + 1) % hosts_, *spec_.size);
        break;
      case TrafficPattern::uniform:
        add_uniform(round);
        break;
      case TrafficPattern::file:
        for (const TrafficLine& line : spec_.lines) add(line.source, line.destination, line.size, line.start);
        break;
      case TrafficPattern::none:
        break;
      case TrafficPattern::microburst:
        RY_CHECK(false, "bursts come at times of their own");
    }
  }

  void add(std::uint32_t from, std::uint32_t to, Bytes size, Picoseconds after = {}) {
    out_.push_back({placement_[RankId(from)], placement_[RankId(to)], size, now_ + after, kDataClass});
  }

  /// See plan_traffic(): one of every leaf, then the next of every leaf.
  [[nodiscard]] std::vector<std::uint32_t> incast_senders() const {
    std::map<NodeId, std::vector<std::uint32_t>> under;  // hosts by leaf
    for (std::uint32_t host = 0; host < hosts_; host++) under[leaf_of(host)].push_back(host);
    std::vector<const std::vector<std::uint32_t>*> leaves;
    for (auto leaf = under.upper_bound(leaf_of(0)); leaf != under.end(); ++leaf) leaves.push_back(&leaf->second);
    for (auto leaf = under.begin(); leaf != under.upper_bound(leaf_of(0)); ++leaf) leaves.push_back(&leaf->second);
    std::vector<std::uint32_t> senders;
    const std::uint32_t wanted = fan_in();
    for (std::size_t index = 1; senders.size() < wanted; index++)
      for (const auto* there : leaves) {
        if (index > there->size() || senders.size() == wanted) continue;
        const std::uint32_t host = (*there)[index % there->size()];
        if (may_send(host)) senders.push_back(host);
      }
    return senders;
  }

  /// Shuffles until nobody sends to itself: less than three times on average, and every such order is as likely as the next.
  void add_permutation(std::uint32_t round) {
    Rng rng(scenario_.engine.seed, "traffic-permutation", round);
    std::vector<std::uint32_t> to(hosts_);
    std::iota(to.begin(), to.end(), 0U);
    for (bool fixed = true; fixed;) {
      for (std::uint32_t i = hosts_; i > 1; i--) std::swap(to[i - 1], to[rng.below(i)]);
      fixed = false;
      for (std::uint32_t host = 0; host < hosts_; host++) fixed |= to[host] == host;
    }
    for (std::uint32_t host = 0; host < hosts_; host++) add(host, to[host], *spec_.size);
  }

  void add_uniform(std::uint32_t round) {
    for (std::uint32_t host = 0; host < hosts_; host++) {
      Rng rng(scenario_.engine.seed, "traffic-uniform", std::uint64_t{round} << 32 | host);
      for (std::uint32_t i = 0; i < spec_.flows_per_host; i++) add(host, other_than(host, rng), *spec_.size);
    }
  }

  [[nodiscard]] std::uint32_t other_than(std::uint32_t host, Rng& rng) const {
    const std::uint32_t drawn = rng.below(hosts_ - 1);
    return drawn < host ? drawn : drawn + 1;
  }

  void add_bursts() {
    std::vector<bool> taken(hosts_, false);
    for (std::uint32_t burst = 0; burst < spec_.bursts; burst++) {
      Rng rng(scenario_.engine.seed, "traffic-microburst", burst);
      now_ = spec_.start + spec_.interval * burst;
      const std::uint32_t receiver = rng.below(hosts_);
      std::vector<std::uint32_t> senders;
      while (senders.size() < fan_in()) {
        const std::uint32_t sender = other_than(receiver, rng);
        if (taken[sender]) continue;
        taken[sender] = true;
        senders.push_back(sender);
      }
      for (const std::uint32_t sender : senders) {
        add(sender, receiver, spec_.burst ? *spec_.burst : *spec_.size);
        taken[sender] = false;
      }
    }
  }

  // Beside it.

  [[nodiscard]] BitsPerSecond link_rate(EndpointId host) const {
    return links_.rate[fabric_.node_of(host)] / fabric_.per_interface;
  }

  /// When the last message of the pattern has started, and the busiest host has sent and received all of them on what
  /// background and storage leave of its link.
  [[nodiscard]] Picoseconds pattern_end() const {
    constexpr double kLeastLeft = 0.05;  // of a link
    Table<EndpointId, Bytes> sent(fabric_.endpoints()), received(fabric_.endpoints());
    Picoseconds last = spec_.start;
    double longest = 0;  // seconds
    for (const PlannedMessage& message : out_) {
      sent[message.from] += message.size;
      received[message.to] += message.size;
      last = std::max(last, message.start);
      for (const auto& [host, bytes] :
           {std::pair(message.from, sent[message.from]), std::pair(message.to, received[message.to])})
        longest = std::max(longest, static_cast<double>(bytes.count()) * 8 / static_cast<double>(link_rate(host).count()));
    }
    return last + from_seconds(longest / std::max(kLeastLeft, 1 - spec_.background - storage_load()));
  }

  /// Messages a second of one host that load its link by a share.
  [[nodiscard]] double message_rate(std::uint32_t host, double share, Bytes size) const {
    const auto bits = static_cast<double>(link_rate(placement_[RankId(host)]).count());
    return share * bits / 8 / static_cast<double>(size.count());
  }

  /// Of background and storage, about.
  [[nodiscard]] double beside_messages(Picoseconds until) const {
    double messages = 0;
    for (std::uint32_t host = 0; host < hosts_; host++) {
      double rate = message_rate(host, spec_.background, spec_.background_size);
      if (spec_.storage) rate += message_rate(host, spec_.storage->load, spec_.storage->size);
      messages += rate * seconds(until - spec_.start);
    }
    if (spec_.storage && spec_.storage->checkpoint)
      messages += static_cast<double>(checkpoint_messages(*spec_.storage)) * spec_.storage->rounds * hosts_;
    return messages;
  }

  void add_background(std::uint32_t host, Picoseconds until) {
    const double gap = 1e12 / message_rate(host, spec_.background, spec_.background_size);  // picoseconds
    Rng when(scenario_.engine.seed, "background-times", host), what(scenario_.engine.seed, "background-messages", host);
    for (Picoseconds at = spec_.start;;) {
      at += Picoseconds(static_cast<std::int64_t>(std::min(exponential(when) * gap, 1e17)));
      if (at >= until) return;
      const std::uint32_t to = other_than(host, what);
      const Bytes size = heavy_tailed(what, spec_.background_size);
      out_.push_back({placement_[RankId(host)], placement_[RankId(to)], size, at, kBackgroundClass});
    }
  }

  // Storage.

  [[nodiscard]] double storage_load() const { return spec_.storage ? spec_.storage->load : 0; }
  [[nodiscard]] Picoseconds storage_start() const { return spec_.storage->start.value_or(spec_.start); }

  [[nodiscard]] static std::int64_t checkpoint_messages(const StorageSpec& storage) {
    return (storage.checkpoint->count() - 1) / storage.size.count() + 1;
  }

  void add_storage(const StorageSpec& storage, std::uint32_t host, Picoseconds until) {
    if (storage.load > 0) {
      const double gap = 1e12 / message_rate(host, storage.load, storage.size);  // picoseconds
      Rng when(scenario_.engine.seed, "storage-times", host), where(scenario_.engine.seed, "storage-servers", host);
      for (Picoseconds at = spec_.start;;) {
        at += Picoseconds(static_cast<std::int64_t>(std::min(exponential(when) * gap, 1e17)));
        if (at >= until) break;
        add_stored(storage, host, where.below(storage.servers), storage.size, at);
      }
    }
    if (!storage.checkpoint) return;
    const std::int64_t messages = checkpoint_messages(storage);
    for (std::uint32_t round = 0; round < storage.rounds; round++) {
      const Picoseconds at = storage_start() + storage.interval * round;
      for (std::int64_t i = 0; i < messages; i++) {
        const Bytes size = i + 1 < messages ? storage.size : *storage.checkpoint - storage.size * (messages - 1);
        add_stored(storage, host, static_cast<std::uint32_t>((host + i) % storage.servers), size, at);
      }
    }
  }

  void add_stored(const StorageSpec& storage, std::uint32_t host, std::uint32_t server, Bytes size, Picoseconds at) {
    EndpointId from = placement_[RankId(host)], to = placement_[RankId(hosts_ + server)];
    if (storage.access == StorageAccess::read) std::swap(from, to);
    out_.push_back({from, to, size, at, kStorageClass});
  }

  const Scenario& scenario_;
  const TrafficSpec& spec_;
  const Fabric& fabric_;
  const Placement& placement_;
  const HostLinks links_;
  const std::uint32_t hosts_;
  std::uint32_t possible_ = 0;  // senders of an incast
  Picoseconds now_;             // of the round being added
  std::vector<PlannedMessage> out_;
};

}  // namespace

double exponential(Rng& rng) {
  // Numbers drawn after u fall an even number of times with probability exp(-u) (von Neumann 1951).
  for (double whole = 0;; whole++) {
    const double first = rng.unit();
    double last = first;
    bool odd = false;  // times they fell
    for (double next = rng.unit(); next < last; next = rng.unit()) {
      last = next;
      odd = !odd;
    }
    if (!odd) return whole + first;
  }
}

Bytes heavy_tailed(Rng& rng, Bytes mean) {
  constexpr double kRange = 1000, kLogRange = 6.907755278982137;  // largest over smallest, and its natural logarithm
  const double smallest = static_cast<double>(mean.count()) * (1 - 1 / kRange) / kLogRange;
  const double size = smallest / (1 - rng.unit() * (1 - 1 / kRange));
  return Bytes(std::max<std::int64_t>(1, static_cast<std::int64_t>(size)));
}

std::uint32_t traffic_hosts(const Scenario& scenario, const Fabric& fabric) {
  return scenario.workload.traffic->hosts_of(scenario.workload.gpus.value_or(fabric.endpoints()));
}

std::uint32_t traffic_hosts_needed(const Scenario& scenario, const Fabric& fabric) {
  return traffic_hosts(scenario, fabric) + scenario.workload.traffic->servers();
}

Diagnostics impossible_hosts(const Scenario& scenario, const Fabric& fabric) {
  const std::uint32_t hosts = traffic_hosts(scenario, fabric);
  const std::string key = scenario.keys.given("traffic.hosts") ? "traffic.hosts" : "traffic";
  if (hosts < 2)
    return {
        refused(scenario, "RY-RUN-033", key, "traffic needs at least two hosts", "set traffic.hosts or cluster.gpus to more")};
  if (const std::uint32_t needed = traffic_hosts_needed(scenario, fabric); needed > fabric.endpoints())
    return {refused(scenario, "RY-RUN-033", key,
                    fmt::format("the traffic has {} hosts{}, and the fabric has {}", needed,
                                scenario.workload.traffic->storage ? " (storage servers included)" : "", fabric.endpoints()),
                    fmt::format("use at most {}", fabric.endpoints()))};
  return {};
}

LeastTraffic least_traffic(const Scenario& scenario, const Fabric& fabric) {
  const TrafficSpec& spec = *scenario.workload.traffic;
  const bool to_all = spec.pattern == TrafficPattern::all_to_all, uniform = spec.pattern == TrafficPattern::uniform;
  if (!to_all && !uniform && spec.pattern != TrafficPattern::permutation && spec.pattern != TrafficPattern::ring) return {};
  const std::uint64_t hosts = traffic_hosts(scenario, fabric), pairs = to_all ? hosts * (hosts - 1) : hosts;
  const double messages = static_cast<double>(pairs) * (uniform ? spec.flows_per_host : 1) * spec.rounds;
  return {pairs, static_cast<std::uint64_t>(std::min(messages, static_cast<double>(kMostTraffic)))};
}

Result<std::vector<PlannedMessage>> plan_traffic(const Scenario& scenario, const Fabric& fabric, const Placement& placement) {
  if (Diagnostics impossible = impossible_hosts(scenario, fabric); !impossible.empty()) return impossible;
  return TrafficPlanner(scenario, fabric, placement).run();
}

}  // namespace railyard
