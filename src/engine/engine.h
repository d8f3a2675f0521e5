// The one polymorphic interface of the house: something that moves messages across a fabric.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/id.h"
#include "base/units.h"
#include "engine/wire.h"
#include "fabric/ecmp.h"
#include "fabric/fabric.h"
#include "telemetry/telemetry.h"

namespace railyard {

/// A connection between two endpoints; the engine's routing says how many queue pairs carry it. Its messages are delivered in
/// the order posted.
struct QueuePair {
  EndpointId from;
  EndpointId to;
};

struct Message {
  MessageId id;  // the caller's; unique among those in flight
  QpId qp;
  Bytes size;  // payload
};

struct Completion {
  MessageId id;
  Picoseconds at;  // the last byte is in the receiver's memory
};

/// Moves messages across a fabric. Analytic, flow and packet engines differ in fidelity and cost only.
///
/// Time never runs backwards and never waits for the caller: the caller posts work at or after now(), then calls advance(),
/// which stops at the first instant at which something completes. One virtual call therefore covers everything between two
/// completions. Not thread-safe; independent engines may run on independent threads.
class Engine {
 public:
  virtual ~Engine() = default;

  /// REQUIRES: from != to.
  virtual QpId open(const QueuePair& qp) = 0;

  /// Between a node and its neighbour across one trunk: for switches that compute.
  virtual QpId open(TrunkId hop) = 0;

  /// REQUIRES: at >= now(), and not before an earlier post. All messages of one call start at the same instant.
  virtual void post(std::span<const Message> messages, Picoseconds at) = 0;

  /// Runs to the first completion instant or to `until`, whichever is earlier, and returns that time.
  /// Appends every completion of that instant to `done`, ordered by MessageId.
  virtual Picoseconds advance(Picoseconds until, std::vector<Completion>& done) = 0;

  [[nodiscard]] virtual Picoseconds now() const = 0;
};

/// Closed forms per batch of messages; see analytic/analytic_engine.cpp. Fabric and telemetry must outlive the engine.
std::unique_ptr<Engine> make_analytic_engine(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing,
                                             Telemetry& telemetry);

}  // namespace railyard
