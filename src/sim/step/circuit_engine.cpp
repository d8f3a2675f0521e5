#include "sim/step/circuit_engine.h"

#include <algorithm>
#include <map>

namespace railyard {

CircuitEngine::CircuitEngine(std::unique_ptr<Engine> engine, Fabric& fabric, Picoseconds reconfiguration)
    : engine_(std::move(engine)), fabric_(fabric), reconfiguration_(reconfiguration) {
  RY_CHECK(!fabric.pods.empty(), "circuits join pods");
  const std::vector<BlockId>& pods = fabric.pods;
  for (const BlockId block : ids(fabric.blocks)) {
    BlockId top = block;
    while (fabric.blocks[top].parent.valid()) top = fabric.blocks[top].parent;
    pod_of_leaf_.push_back(static_cast<std::uint32_t>(std::find(pods.begin(), pods.end(), top) - pods.begin()));
  }
}

void CircuitEngine::rewind(Sharing sharing) {
  engine_->rewind(sharing);
  const std::size_t pods = fabric_.pods.size();
  sent_.assign(kStepPhases, PodDemand(pods, std::vector<double>(pods, 0)));
  phase_ = 0;
  changes_ = 0;
  ahead_.clear();
  happened_.clear();
  if (fabric_.ways.empty()) return;
  change_to(CircuitWay::passes, Picoseconds::zero());
  apply(ahead_.front());  // connections to come find their paths right at once
  ahead_.pop_front();
}

void CircuitEngine::begin_gradients(Picoseconds at) {
  phase_ = 1;
  if (!fabric_.ways.empty()) change_to(CircuitWay::gradients, at);
}

void CircuitEngine::change_to(CircuitWay way, Picoseconds at) {
  const Picoseconds start = ahead_.empty() ? at : std::max(at, ahead_.back().at);
  if (reconfiguration_ > Picoseconds::zero()) ahead_.push_back({start, CircuitWay::between});
  ahead_.push_back({start + reconfiguration_, way});
  changes_++;
}

/// Ports go dark or are lit; routes between pods are those of the circuits that are left.
void CircuitEngine::apply(const Change& change) {
  const LitCircuits& lit = fabric_.ways[static_cast<std::size_t>(change.way)];
  fabric_.next_pod = lit.next_pod;
  for (std::size_t i = 0; i < fabric_.circuits.size(); i++) {
    const CircuitBundle& bundle = fabric_.circuits[i];
    for (const TrunkId trunk : {bundle.there, bundle.back}) {
      const IdRange<PortId> ports = fabric_.trunk_ports[trunk];
      for (const PortId port : ports) {
        const auto nth = [&](std::size_t way) {  // of its switch; whether that way lights it
          return (port.index() - ports.front().index()) % bundle.per_switch < fabric_.ways[way].per_switch[i];
        };
        const bool now = nth(static_cast<std::size_t>(change.way));
        const bool before = happened_.empty() || nth(static_cast<std::size_t>(happened_.back().way));
        if (now != before) engine_->set_rate(port, now ? fabric_.trunk_port_rate[trunk] : BitsPerSecond::zero(), change.at);
      }
    }
  }
  happened_.push_back(change);
}

/// Changes that nobody waited for: nothing was under way.
void CircuitEngine::catch_up(Picoseconds at) {
  while (!ahead_.empty() && ahead_.front().at < at) {
    engine_->advance(ahead_.front().at, none_);
    RY_CHECK(none_.empty(), "whoever posts has taken what was delivered before");
    apply(ahead_.front());
    ahead_.pop_front();
  }
}

QpId CircuitEngine::add_crossing(std::vector<Crossing> crossing, QpId id) {
  RY_CHECK(id.index() == crossings_.size(), "the engine serves nobody else");
  crossings_.push_back(std::move(crossing));
  return id;
}

QpId CircuitEngine::open(const Bundle& bundle) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> shares;
  for (const Edge& edge : bundle.edges) {
    const std::uint32_t from = pod_of_leaf_[fabric_.leaf_of(edge.from).index()];
    const std::uint32_t to = pod_of_leaf_[fabric_.leaf_of(edge.to).index()];
    if (from != to) shares[{from, to}] += edge.share;
  }
  std::vector<Crossing> crossing;
  for (const auto& [pods, share] : shares) crossing.push_back({pods.first, pods.second, share});
  return add_crossing(std::move(crossing), engine_->open(bundle));
}

void CircuitEngine::count(const Message& message) {
  for (const Crossing& one : crossings_[message.qp.index()])
    sent_[phase_][one.from][one.to] += one.share * static_cast<double>(message.size.count());
}

void CircuitEngine::post(std::span<const Message> messages, Picoseconds at) {
  catch_up(at);
  for (const Message& message : messages) count(message);
  engine_->post(messages, at);
}

void CircuitEngine::post_in_steps(const Message& message, std::uint32_t steps, Picoseconds at) {
  catch_up(at);
  count(message);
  engine_->post_in_steps(message, steps, at);
}

Picoseconds CircuitEngine::advance(Picoseconds until, std::vector<Completion>& done) {
  const std::size_t before = done.size();
  for (;;) {
    const bool changes = !ahead_.empty() && ahead_.front().at <= until;
    const Picoseconds reached = engine_->advance(changes ? ahead_.front().at : until, done);
    if (!changes || done.size() > before) return reached;
    apply(ahead_.front());
    ahead_.pop_front();
  }
}

std::vector<double> CircuitEngine::lit_shares(Picoseconds end) const {
  if (happened_.empty() || end == Picoseconds::zero()) return {};
  std::vector<double> shares(fabric_.trunk_tier.size(), 1);
  for (std::size_t i = 0; i < fabric_.circuits.size(); i++) {
    double port_seconds = 0;
    for (std::size_t k = 0; k < happened_.size(); k++) {
      const Picoseconds from = std::min(happened_[k].at, end);
      const Picoseconds to = k + 1 < happened_.size() ? std::min(happened_[k + 1].at, end) : end;
      port_seconds += seconds(to - from) * fabric_.ways[static_cast<std::size_t>(happened_[k].way)].per_switch[i];
    }
    const CircuitBundle& bundle = fabric_.circuits[i];
    for (const TrunkId trunk : {bundle.there, bundle.back})
      shares[trunk.index()] = port_seconds / (seconds(end) * bundle.per_switch);
  }
  return shares;
}

}  // namespace railyard
