// The flow engine on any small fabric with any traffic: bytes are kept, no port runs above its rate, nothing beats its way, and
// neither remembering rates nor the order of posts shows.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "draw.h"
#include "engine/engine.h"
#include "fabric/build.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

constexpr WireFormat kRoce{.mtu = 4096_B, .header = kRoceHeader, .message_header = kRoceMessageHeader};

struct Post {
  std::uint32_t connection;
  Bytes size;
  Picoseconds at;
};

/// A fabric and traffic on it: messages by id, in the order of time.
struct Case {
  Scenario scenario;
  Fabric fabric;
  FlowOptions options;
  std::vector<QueuePair> connections;
  std::vector<Post> posts;
  std::vector<std::pair<PortId, BitsPerSecond>> changes;  // one after the other, as far apart as `step`
  Picoseconds step = 50_us;

  [[nodiscard]] PathPolicy routing() const { return path_policy_of(scenario.routing); }
  [[nodiscard]] bool on_ports() const { return is_hashed(routing().policy) || routing().paths; }
  /// A message on the wire: queue pairs that share it send messages of their own.
  [[nodiscard]] Bytes wire_size(const Post& post) const {
    const bool shared = is_hashed(routing().policy) && routing().use == QpUse::split;
    return kRoce.wire_size(post.size, shared ? routing().queue_pairs : 1);
  }
};

Scenario random_scenario() {
  static const std::vector<Scenario> shapes = testing::shapes();
  Scenario s = shapes[below(static_cast<std::uint32_t>(shapes.size()))];
  s.routing.policy = std::array{RoutingPolicy::spray, RoutingPolicy::adaptive, RoutingPolicy::ecmp,
                                RoutingPolicy::enhanced_ecmp, RoutingPolicy::enhanced_ecmp}[below(5)];
  if (!is_hashed(s.routing.policy) && below(3) == 0) s.routing.paths = 1 + below(4);
  s.routing.qps_per_connection = 1 + below(4);
  if (below(2)) s.routing.qp_use = QpUse::round_robin;
  if (below(2)) s.fabric.switching = Switching::cut_through;
  s.routing.qp_seed = below(1000);
  return s;
}

Case random_case() {
  Scenario scenario = random_scenario();
  Result<Fabric> fabric = testing::build_fabric(scenario);
  RC_ASSERT(fabric.has_value());
  Case c{std::move(scenario), std::move(*fabric), {}, {}, {}, {}};
  c.options.efficiency = below(2) ? 1 : 0.9;
  if (below(3) == 0) c.options.cap = 150_Gbps;
  const std::uint32_t connections = 1 + below(24), endpoints = c.fabric.endpoints();
  for (std::uint32_t i = 0; i < connections; i++) {
    const std::uint32_t from = below(endpoints), to = (from + 1 + below(endpoints - 1)) % endpoints;
    c.connections.push_back({EndpointId(from), EndpointId(to)});
  }
  Picoseconds at;
  for (std::uint32_t i = 1 + below(32); i > 0; i--) {
    at += Picoseconds(below(2) ? 0 : below(400'000'000));  // many start together
    c.posts.push_back({below(connections), Bytes(below(1U << (4 + below(20)))), at});
  }
  return c;
}

/// Some ports get slower, go down, and come back.
void add_changes(Case& c) {
  std::vector<PortId> changed;
  for (std::uint32_t i = below(6); i > 0; i--) {
    const PortId port(below(static_cast<std::uint32_t>(c.fabric.port_from.size())));
    c.changes.emplace_back(port, below(2) ? 0_bps : 10_Gbps);
    changed.push_back(port);
  }
  for (const PortId port : changed) c.changes.emplace_back(port, c.fabric.trunk_port_rate[c.fabric.port_trunk[port]]);
}

struct Outcome {
  std::vector<Picoseconds> at;  // by message
  Telemetry telemetry;
};

/// Messages are posted in the order given: ids, by time.
Outcome play(const Case& c, const FlowOptions& options, const std::vector<std::uint32_t>& order) {
  Outcome outcome{std::vector<Picoseconds>(c.posts.size()), Telemetry(c.fabric.trunk_tier.size())};
  const auto engine = make_flow_engine(c.fabric, kRoce, c.routing(), options, outcome.telemetry);
  std::vector<QpId> qps;
  for (const QueuePair& connection : c.connections) qps.push_back(engine->open(connection));
  for (std::size_t i = 0; i < c.changes.size(); i++)
    engine->set_rate(c.changes[i].first, c.changes[i].second, c.step * static_cast<std::int64_t>(i));
  for (const std::uint32_t id : order) {
    const Message message{MessageId(id), qps[c.posts[id].connection], c.posts[id].size};
    engine->post({&message, 1}, c.posts[id].at);
  }
  std::vector<Completion> done;
  while (done.size() < c.posts.size()) {
    const std::size_t before = done.size();
    engine->advance(Picoseconds::max(), done);
    RC_ASSERT(done.size() > before);
  }
  for (const Completion& one : done) outcome.at[one.id.index()] = one.at;
  engine->finish();
  return outcome;
}

std::vector<std::uint32_t> in_order(const Case& c) {
  std::vector<std::uint32_t> order(c.posts.size());
  for (std::uint32_t i = 0; i < order.size(); i++) order[i] = i;
  return order;
}

Outcome play(const Case& c) { return play(c, c.options, in_order(c)); }

/// When closed forms say that messages are there.
std::vector<Picoseconds> closed_forms(const Case& c, std::optional<std::uint64_t> merge_after = {}) {
  Telemetry telemetry(c.fabric.trunk_tier.size());
  const auto engine = make_analytic_engine(c.fabric, kRoce, c.routing(), telemetry, merge_after);
  std::vector<QpId> qps;
  for (const QueuePair& connection : c.connections) qps.push_back(engine->open(connection));
  for (std::uint32_t id = 0; id < c.posts.size(); id++) {
    const Message message{MessageId(id), qps[c.posts[id].connection], c.posts[id].size};
    engine->post({&message, 1}, c.posts[id].at);
  }
  std::vector<Completion> done;
  while (done.size() < c.posts.size()) engine->advance(Picoseconds::max(), done);
  std::vector<Picoseconds> at(c.posts.size());
  for (const Completion& one : done) at[one.id.index()] = one.at;
  return at;
}

/// Wire bytes on every tier, from the ways themselves; and how far rounding on every lane may be off.
std::array<double, kTiers> bytes_by_tier(const Case& c) {
  std::array<double, kTiers> bytes = {};
  for (const Post& post : c.posts) {
    const QueuePair& qp = c.connections[post.connection];
    for (const TrunkShare& step : path_of(c.fabric, qp.from, qp.to))
      bytes[static_cast<std::size_t>(c.fabric.trunk_tier[step.trunk])] +=
          static_cast<double>(c.wire_size(post).count()) * step.share;
  }
  return bytes;
}

RC_GTEST_PROP(FlowEngine, every_byte_is_delivered_and_counted_on_every_tier_it_crosses, ()) {
  Case c = random_case();
  if (below(2)) add_changes(c);
  const Outcome outcome = play(c);
  Bytes payload;
  for (const Post& post : c.posts) payload += post.size;
  RC_ASSERT(outcome.telemetry.payload == payload);
  RC_ASSERT(outcome.telemetry.messages == c.posts.size());
  const std::array<double, kTiers> expected = bytes_by_tier(c);
  std::array<double, kTiers> counted = {}, over_time = {};
  for (const TrunkId trunk : ids(c.fabric.trunk_tier))
    counted[static_cast<std::size_t>(c.fabric.trunk_tier[trunk])] +=
        static_cast<double>(outcome.telemetry.trunk_carried[trunk].count());
  const double crossings = 4.0 * static_cast<double>(c.connections.size() * (1 + c.changes.size()));
  for (std::size_t tier = 0; tier < kTiers; tier++) {
    if (!c.changes.empty()) break;  // around what is down, messages cross tiers that they would not
    for (const double bits : outcome.telemetry.tier_rate.row(tier)) over_time[tier] += bits / 8;
    RC_ASSERT(std::abs(counted[tier] - expected[tier]) <= crossings * 4 + expected[tier] * 1e-9);
    RC_ASSERT(std::abs(over_time[tier] - expected[tier]) <= crossings * 4 + expected[tier] * 1e-6);
  }
}

RC_GTEST_PROP(FlowEngine, ports_sum_up_to_trunks, ()) {
  Case c = random_case();
  add_changes(c);
  const Outcome outcome = play(c);
  RC_ASSERT(outcome.telemetry.port_carried.empty() != c.on_ports());
  if (!c.on_ports()) return;
  for (const TrunkId trunk : ids(c.fabric.trunk_tier)) {
    Bytes sum;
    for (const PortId port : c.fabric.trunk_ports[trunk]) sum += outcome.telemetry.port_carried[port];
    RC_ASSERT(sum == outcome.telemetry.trunk_carried[trunk]);
  }
}

RC_GTEST_PROP(FlowEngine, no_port_carries_more_than_it_can_from_the_first_post_to_the_last_delivery, ()) {
  const Case c = random_case();
  const Outcome outcome = play(c);
  const Picoseconds span = *std::max_element(outcome.at.begin(), outcome.at.end()) - c.posts.front().at;
  for (const TrunkId trunk : ids(c.fabric.trunk_tier)) {
    RC_ASSERT(outcome.telemetry.trunk_carried[trunk] <= bytes_in(span, c.fabric.trunk_rate(trunk)));
    if (c.on_ports())
      for (const PortId port : c.fabric.trunk_ports[trunk])
        RC_ASSERT(outcome.telemetry.port_carried[port] <= bytes_in(span, c.fabric.trunk_port_rate[trunk]));
  }
}

RC_GTEST_PROP(FlowEngine, no_message_is_faster_than_its_path_alone, ()) {
  const Case c = random_case();
  const Outcome outcome = play(c);
  const bool one_path = c.on_ports() && (c.routing().use == QpUse::round_robin ||
                                         (is_hashed(c.routing().policy) ? c.routing().queue_pairs : *c.routing().paths) == 1);
  for (std::uint32_t id = 0; id < c.posts.size(); id++) {
    const QueuePair& qp = c.connections[c.posts[id].connection];
    const TrunkPath path = path_of(c.fabric, qp.from, qp.to);
    Picoseconds sending;
    for (const TrunkShare& step : path) {
      const BitsPerSecond rate = one_path ? c.fabric.trunk_port_rate[step.trunk] : c.fabric.trunk_rate(step.trunk);
      const Bytes wire(static_cast<std::int64_t>(static_cast<double>(c.wire_size(c.posts[id]).count()) * step.share));
      sending = std::max(sending, transmit_time(wire, rate));
    }
    RC_ASSERT(outcome.at[id] - c.posts[id].at + 1_ps >= sending + least_delay_of(c.fabric, path));
  }
}

RC_GTEST_PROP(FlowEngine, remembered_rates_are_those_found_anew, ()) {
  Case c = random_case();
  add_changes(c);
  FlowOptions without = c.options;
  without.cache = false;
  const Outcome cached = play(c), fresh = play(c, without, in_order(c));
  RC_ASSERT(cached.at == fresh.at);
  RC_ASSERT(cached.telemetry.fingerprint.text() == fresh.telemetry.fingerprint.text());
}

RC_GTEST_PROP(FlowEngine, the_order_of_posts_of_one_instant_does_not_show, ()) {
  Case c = random_case();
  if (below(2)) add_changes(c);
  for (Post& post : c.posts)  // fewer instants, so that more of them are shared
    post.at = Picoseconds(post.at.count() / 500'000'000 * 500'000'000);
  std::map<std::pair<Picoseconds, std::uint32_t>, std::uint32_t> turn;  // connections at an instant, in another order
  for (const Post& post : c.posts) turn.try_emplace({post.at, post.connection}, below(1000));
  std::vector<std::uint32_t> order = in_order(c);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Post &left = c.posts[a], &right = c.posts[b];
    if (left.at != right.at) return left.at < right.at;
    return turn[{left.at, left.connection}] < turn[{right.at, right.connection}];
  });
  RC_ASSERT(play(c).at == play(c, c.options, order).at);
}

RC_GTEST_PROP(FlowEngine, merging_moves_no_completion_by_more_than_it_says, ()) {
  const Case c = random_case();
  FlowOptions merged = c.options;
  merged.exact = false;
  merged.quantum = Picoseconds(static_cast<std::int64_t>(100'000 * std::pow(10.0, below(401) / 100.0)));  // 0.1 µs to 1 ms
  const Outcome exact = play(c), quantised = play(c, merged, in_order(c));
  for (std::uint32_t id = 0; id < c.posts.size(); id++) {
    const Picoseconds moved(std::abs((exact.at[id] - quantised.at[id]).count()));
    RC_ASSERT(moved <= quantised.telemetry.solving.error + 1_ps);
  }
}

/// Many messages of many sizes that mostly start together and meet on few links.
Case crowded_case() {
  Case c = random_case();
  const std::uint32_t endpoints = c.fabric.endpoints();
  c.connections.clear(), c.posts.clear();
  Picoseconds at;
  for (std::uint32_t i = 0; i < 20 + below(60); i++) {
    const std::uint32_t from = below(endpoints), to = (from + 1 + below(std::min(3U, endpoints - 1))) % endpoints;
    c.connections.push_back({EndpointId(from), EndpointId(to)});
    at += Picoseconds(below(8) ? 0 : below(20'000'000));
    c.posts.push_back({i, Bytes(1'000 + below(1U << (12 + below(10)))), at});
  }
  return c;
}

/// What holding links beyond an end may move a completion by: a 64th of the time since the first post, and rounding.
void expect_moved_little(const Case& c, const std::vector<Picoseconds>& exact, const std::vector<Picoseconds>& late) {
  for (std::uint32_t id = 0; id < c.posts.size(); id++) {
    const std::int64_t moved = std::abs((exact[id] - late[id]).count());
    RC_ASSERT(moved <= 1'000 + (exact[id] - c.posts.front().at).count() / 64);
  }
}

RC_GTEST_PROP(FlowEngine, holding_links_for_a_64th_longer_moves_completions_by_little, ()) {
  const Case c = crowded_case();
  FlowOptions merged = c.options;
  merged.merge_after = 0;
  expect_moved_little(c, play(c).at, play(c, merged, in_order(c)).at);
}

RC_GTEST_PROP(AnalyticEngine, holding_links_for_a_64th_longer_moves_completions_by_little, ()) {
  Case c = crowded_case();
  c.scenario.routing.paths.reset();
  expect_moved_little(c, closed_forms(c), closed_forms(c, 0));
}

RC_GTEST_PROP(FlowEngine, on_one_link_holding_it_longer_never_speeds_up_and_costs_at_most_a_64th, ()) {
  Case c = random_case();
  c.connections.clear(), c.posts.clear();
  for (std::uint32_t from = 1; from < c.fabric.endpoints(); from++) {
    c.connections.push_back({EndpointId(from), EndpointId(0)});
    c.posts.push_back({from - 1, Bytes(1'000 + below(1U << (12 + below(10)))), {}});
  }
  c.scenario = testing::star(c.fabric.endpoints(), 100_Gbps, 0_ns);
  c.fabric = std::move(*testing::build_fabric(c.scenario));
  FlowOptions merged = c.options;
  merged.merge_after = 0;
  const std::vector<Picoseconds> exact = play(c).at, late = play(c, merged, in_order(c)).at;
  const std::int64_t rounding = 1'000;
  for (std::uint32_t id = 0; id < c.posts.size(); id++) {
    RC_ASSERT(late[id].count() + rounding >= exact[id].count());
    RC_ASSERT(late[id].count() <= exact[id].count() + exact[id].count() / 64 + rounding);
  }
}

RC_GTEST_PROP(FlowEngine, takes_as_long_as_closed_forms_say, ()) {
  Case c = random_case();
  c.scenario.routing.paths.reset();
  c.options = {};
  const std::vector<Picoseconds> flows = play(c).at, closed = closed_forms(c);
  for (std::size_t i = 0; i < flows.size(); i++)
    RC_ASSERT(std::abs((flows[i] - closed[i]).count()) <= 20'000 + closed[i].count() / 100'000);  // small packets, rounded
}

}  // namespace
}  // namespace railyard
