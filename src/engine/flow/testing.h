// A flow engine on a fabric, and what it delivers, for tests.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "engine/engine.h"
#include "engine/testing.h"
#include "fabric/build.h"
#include "fabric/routes.h"
#include "fabric/testing.h"

namespace railyard::flow_testing {

inline constexpr BitsPerSecond kRate = 100_Gbps;
inline constexpr Bytes kSize = Bytes(25'000'000);  // 2 ms
inline constexpr Picoseconds kStored = transmit_time(4096_B, kRate);

/// A fabric, a flow engine on it, and what it did.
struct FlowBench {
  Scenario scenario;
  Fabric fabric;
  Telemetry telemetry;
  std::unique_ptr<Engine> engine;

  explicit FlowBench(const Scenario& described, const FlowOptions& options = {}, WireFormat wire = testing::kBareWire)
      : scenario(described),
        fabric(std::move(*testing::build_fabric(scenario))),
        telemetry(fabric.trunk_tier.size()),
        engine(make_flow_engine(fabric, wire, path_policy_of(scenario.routing), options, telemetry)) {}

  QpId open(std::uint32_t from, std::uint32_t to) { return engine->open({EndpointId(from), EndpointId(to)}); }
  QpId open(const Bundle& bundle) { return engine->open(bundle); }

  void post(std::uint32_t id, QpId qp, Bytes size, Picoseconds at = {}) {
    const Message message{MessageId(id), qp, size};
    engine->post({&message, 1}, at);
  }
  /// Completion times by message id, until nothing more completes.
  std::map<std::uint32_t, Picoseconds> times() {
    std::map<std::uint32_t, Picoseconds> at;
    std::vector<Completion> done;
    do {
      done.clear();
      engine->advance(Picoseconds::max(), done);
      for (const Completion& one : done) at[one.id.index()] = one.at;
    } while (!done.empty());
    return at;
  }
  PortId up(std::uint32_t endpoint) const { return fabric.trunk_ports[host_up_trunk(fabric, InterfaceId(endpoint))].front(); }
  PortId down(std::uint32_t endpoint) const {
    return fabric.trunk_ports[host_down_trunk(fabric, InterfaceId(endpoint))].front();
  }
};

/// Fair shares are rounded down to 2^-8 bit/s, and every change of rate rounds up to a picosecond.
inline void expect_near(Picoseconds time, Picoseconds expected, std::int64_t changes = 1) {
  EXPECT_LE(std::abs((time - expected).count()), changes) << time.count() << " ps instead of " << expected.count();
}

/// Of a star without delays: `link_times` of kSize / kRate, and one packet stored.
inline Picoseconds after(double link_times) {
  return from_seconds(seconds(transmit_time(kSize, kRate)) * link_times) + kStored;
}

/// Eight hosts under each of two leaves, eight spines with a link to either.
inline Scenario hashed(std::uint32_t queue_pairs = 1, QpUse use = QpUse::split) {
  Scenario s = testing::leaf_spine(16, 8, 1, kRate, 0_ns);
  s.fabric.switching = Switching::cut_through;
  s.fabric.spines = 8;
  s.routing.policy = RoutingPolicy::enhanced_ecmp;
  s.routing.qps_per_connection = queue_pairs;
  s.routing.qp_use = use;
  return s;
}

/// The path of the nth queue pair of `from` to the nth of `to`.

inline std::vector<PortId> path_of(const FlowBench& b, std::uint32_t from, std::uint32_t to, std::uint32_t nth = 0) {
  const HashSettings hash = path_policy_of(b.scenario.routing).hash;
  const EndpointId sender(from), receiver(to);
  return hashed_path(b.fabric, sender, receiver, header_of(b.fabric, sender, receiver, nth, nth, hash), hash);
}

}  // namespace railyard::flow_testing
