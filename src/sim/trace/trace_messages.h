// The messages of a trace: those under way, and a record of those that were.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "sim/collective/network_rates.h"
#include "sim/traffic/lone_message.h"
#include "sim/traffic/traffic_run.h"

namespace railyard {

/// Whose message one is: a node that sends, or a schedule with a name of its own for it.
struct TraceMessageOwner {
  std::uint32_t schedule = 0;  // kNode: none
  std::uint32_t id = 0;        // of the node, or the schedule's own message
  static constexpr std::uint32_t kNode = 0xffff'ffff;
};

/// Numbers messages as they are posted. The first `kept` are columns of the run, each with when it was delivered; where there
/// are more, all become the run's sums, and what is kept are those under way.
class TraceMessages {
 public:
  /// `rows`: of run.traced.rows, by schedule; those of nodes have the first. Network and run must outlive it.
  TraceMessages(const Network& network, TrafficRun& run, std::uint64_t kept, std::vector<std::uint32_t> rows)
      : network_(network), run_(run), kept_(kept), rows_(std::move(rows)) {}

  void add_connection(EndpointId from, EndpointId to) {
    run_.connections++;
    run_.traced.opened.emplace_back(from, to);
  }
  MessageId post(const PlannedMessage& message, const TraceMessageOwner& owner);
  TraceMessageOwner deliver(const Completion& completion);

 private:
  struct UnderWay {
    PlannedMessage message;
    TraceMessageOwner owner;
  };
  struct Way {
    LoneMessage alone;
    std::uint32_t switches = 0;
  };

  void sum_up();
  void add_to_sums(const PlannedMessage& message, Picoseconds delivered);

  const Network& network_;
  TrafficRun& run_;
  const std::uint64_t kept_;
  const std::vector<std::uint32_t> rows_;
  std::uint32_t posted_ = 0;
  std::unordered_map<std::uint32_t, UnderWay> under_way_;  // never iterated
  std::map<std::pair<EndpointId, EndpointId>, Way> ways_;  // of messages that are summed up
};

}  // namespace railyard
