// Where a key of a scenario has an effect: in which runs, over which transports, and under which conditions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalog/facts.h"

namespace railyard {

struct Scenario;

/// Kinds of runs, a bit each: a workload at a fidelity. A step is played by flows before packets carry it, or a slice of it.
using RunSet = std::uint16_t;
inline constexpr RunSet kClosedStep = 1, kFlowStep = 2, kPacketStep = 4;
inline constexpr RunSet kClosedCollective = 8, kFlowCollective = 16, kPacketCollective = 32;
inline constexpr RunSet kClosedTraffic = 64, kFlowTraffic = 128, kPacketTraffic = 256;
inline constexpr RunSet kClosedServing = 512, kFlowServing = 1024;
inline constexpr RunSet kClosedTrace = 2048, kFlowTrace = 4096, kPacketTrace = 8192;

inline constexpr RunSet kAnyStep = kClosedStep | kFlowStep | kPacketStep;
inline constexpr RunSet kAnyCollective = kClosedCollective | kFlowCollective | kPacketCollective;
inline constexpr RunSet kAnyTraffic = kClosedTraffic | kFlowTraffic | kPacketTraffic;
inline constexpr RunSet kAnyTrace = kClosedTrace | kFlowTrace | kPacketTrace;
inline constexpr RunSet kAnyServing = kClosedServing | kFlowServing;
inline constexpr RunSet kAnyModel = kAnyStep | kAnyServing;
inline constexpr RunSet kFlows = kFlowStep | kPacketStep | kFlowCollective | kFlowTraffic | kFlowServing | kFlowTrace;
inline constexpr RunSet kPackets = kPacketStep | kPacketCollective | kPacketTraffic | kPacketTrace;
inline constexpr RunSet kAnyRun = kAnyModel | kAnyCollective | kAnyTraffic | kAnyTrace;
/// All but closed forms of a step and of serving, which see links and no fabric.
inline constexpr RunSet kOnFabric = kAnyRun & ~kClosedStep & ~kClosedServing;

/// The kind of a scenario's run; none if it has no workload.
RunSet run_of(const Scenario& scenario);

/// Transports, a bit each.
using TransportSet = std::uint8_t;
constexpr TransportSet set_of(TransportKind kind) { return static_cast<TransportSet>(1U << static_cast<unsigned>(kind)); }
inline constexpr TransportSet kAnyTransport = set_of(TransportKind::roce) | set_of(TransportKind::infiniband) |
                                              set_of(TransportKind::tcp) | set_of(TransportKind::uec) |
                                              set_of(TransportKind::srd);

/// What must hold of a scenario, every number resolved. Asked only in runs that the key is for.
struct EffectCondition {
  bool (*holds)(const Scenario&);
  const char* when;       // for the reference: "with experts"
  const char* otherwise;  // why a key has no effect where it does not hold: "the model has no experts"
};

struct KeyEffect {
  RunSet runs = kAnyRun;
  std::vector<EffectCondition> conditions = {};
  TransportSet transports = kAnyTransport;
  const char* otherwise = nullptr;  // why it has none in other runs, where that is not what is usual to say

  /// The same under one more condition.
  [[nodiscard]] KeyEffect when(const EffectCondition& condition) const {
    KeyEffect more = *this;
    more.conditions.push_back(condition);
    return more;
  }
};

/// Why a key with this effect has none in a scenario; empty if it has one.
std::string no_effect_because(const KeyEffect& effect, const Scenario& scenario);

/// In a few words, for the reference: "packets, with experts"; empty if a key has an effect wherever its section has.
std::string in_words(const KeyEffect& effect);

}  // namespace railyard
