#include "tools/fabric/drawn_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace railyard {

namespace {

constexpr std::uint32_t kFewGpus = 1024;     // up to here, every pair is looked at
constexpr std::uint32_t kSamples = 500'000;  // beyond
constexpr std::uint32_t kMeasured = 64;      // paths measured per class

/// How many nodes lie between, and whether the scale-out network is among them.
struct Distance {
  std::uint32_t nodes = 0;
  bool network = false;
  friend auto operator<=>(const Distance&, const Distance&) = default;
};

Distance distance(const Fabric& f, EndpointId from, EndpointId to) {
  Distance best{DrawnRoutes::kUnreachable, true};
  for (const TrunkId trunk : f.drawn->from.row(f.node_of(from))) {
    const NodeId next = f.port_to[f.trunk_ports[trunk].front()];
    if (next == f.node_of(to)) return {0, false};
    if (f.kind[next] == NodeKind::host) continue;
    best = std::min(best, Distance{f.drawn->hops(next, to), f.kind[next] != NodeKind::scale_up});
  }
  return best;
}

std::string name_of(const Distance& d) {
  if (d.nodes == 0) return "linked directly";
  if (!d.network && d.nodes == 1) return "same scale-up switch";
  return d.nodes == 1 ? "through one switch" : fmt::format("through {} switches", d.nodes);
}

class Looker {
 public:
  Looker(const Scenario& scenario, const Fabric& fabric) : s_(scenario), f_(fabric) {}

  void look(EndpointId from, EndpointId to) {
    const Distance d = distance(f_, from, to);
    PairClass& c = classes_[d];
    if (c.pairs < kMeasured) {
      const Picoseconds latency = small_message(s_, f_, from, to);
      c.latency_least = c.pairs == 0 ? latency : std::min(c.latency_least, latency);
      c.latency_most = std::max(c.latency_most, latency);
    }
    c.pairs += 1;
    looked_ += 1;
  }

  /// REQUIRES: something was looked at.
  std::vector<PairClass> finished() {
    const double pairs = static_cast<double>(f_.endpoints()) * (f_.endpoints() - 1.0);
    std::vector<PairClass> all;
    for (auto& [d, c] : classes_) {
      c.name = name_of(d);
      c.switches = d.network ? d.nodes : d.nodes - std::min(1U, d.nodes);
      c.share = c.pairs / looked_;
      c.pairs = c.share * pairs;
      all.push_back(c);
    }
    std::sort(all.begin(), all.end(), [](const PairClass& a, const PairClass& b) { return a.latency_least < b.latency_least; });
    return all;
  }

 private:
  const Scenario& s_;
  const Fabric& f_;
  std::map<Distance, PairClass> classes_;
  double looked_ = 0;
};

}  // namespace

PairTable classify_drawn(const Scenario& scenario, const Fabric& f) {
  Looker looker(scenario, f);
  const std::uint32_t gpus = f.endpoints();
  if (gpus <= kFewGpus) {
    for (std::uint32_t a = 0; a < gpus; a++)
      for (std::uint32_t b = 0; b < gpus; b++)
        if (a != b) looker.look(EndpointId(a), EndpointId(b));
    return {looker.finished(), false};
  }
  std::uint64_t state = 1;  // Knuth's MMIX generator: the same pairs every time
  const auto draw = [&](std::uint32_t below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>((state >> 33) % below);
  };
  for (std::uint32_t i = 0; i < kSamples; i++) {
    const std::uint32_t a = draw(gpus), b = draw(gpus - 1);
    looker.look(EndpointId(a), EndpointId(b < a ? b : b + 1));
  }
  return {looker.finished(), true};
}

}  // namespace railyard
