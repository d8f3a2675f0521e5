// Time of a training step: who wakes when, and which collective is on its way.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <vector>

#include "engine/engine.h"
#include "sim/step/pass_cost.h"

namespace railyard {

/// A stage has three streams, each serving one collective at a time: those of its passes, those beside whole blocks, and those
/// of data parallelism.
enum class StreamKind : std::uint8_t { pass, block, data };

/// Something to communicate, once it is ready.
struct Job {
  CommItem item;
  Picoseconds ready = {};
  std::uint16_t chunk = 0;
  bool opens = false, closes = false;  // the first and the last of the chunk's parameters
  bool gradients = false;
};

/// An item and the time it took, its delay included.
struct Served {
  CommItem item;
  Picoseconds start, took;

  /// The part of its delay that lies between two times.
  [[nodiscard]] Picoseconds waited_between(Picoseconds from, Picoseconds to) const {
    const Picoseconds first = std::max(start, from), last = std::min(start + item.delay, to);
    return last > first ? last - first : Picoseconds::zero();
  }
};

/// Hands out time in order: wakes stages, serves streams, lets an engine carry what goes over a network. Deterministic: what
/// happens at one instant happens in the order in which it was asked for, arrivals from the network first.
class StepClock {
 public:
  struct Handlers {
    std::function<void(std::uint32_t stage)> wake;
    std::function<void(std::uint32_t stage, StreamKind, const Job&, const Served&)> served;
    std::function<void(std::uint64_t tag, const Served&)> arrived;
    std::function<void(std::uint32_t stage, const Served&)> carried;  // everything the network carried
  };

  StepClock(std::uint32_t stages, Engine* engine, Handlers handlers);

  /// Runs until nothing is left to do. False: something the engine has never arrives.
  bool run();

  // The same piece by piece, for those who share an engine with others: they let it advance.

  /// When something happens next that the network has no part in; without end if nothing does.
  [[nodiscard]] Picoseconds next() const { return events_.empty() ? Picoseconds::max() : events_.top().at; }
  /// Lets the next of that happen. REQUIRES: there is one.
  void proceed();
  /// The network is through with an item, by the id it was posted with.
  void arrive(MessageId id, Picoseconds at);
  /// Items that the network has.
  [[nodiscard]] std::uint32_t on_network() const { return on_network_; }

  [[nodiscard]] Picoseconds now() const { return now_; }
  void wake(std::uint32_t stage, Picoseconds at);

  void enqueue(std::uint32_t stage, StreamKind kind, Job job);
  /// Jobs of a chunk that are not ready become so now.
  void release(std::uint32_t stage, std::uint16_t chunk);
  [[nodiscard]] bool is_idle(std::uint32_t stage, StreamKind kind) const { return stream(stage, kind).jobs.empty(); }

  /// Sends an item beside all streams; `tag` comes back on arrival.
  void send(std::uint32_t stage, const CommItem& item, std::uint64_t tag);

  /// What is on its way, for people.
  struct Waiting {
    std::uint32_t stage = 0;
    CommItem item;
  };
  [[nodiscard]] std::vector<Waiting> waiting() const;

 private:
  static constexpr std::uint32_t kStreams = 3, kNoStream = 0xFFFFFFFF;
  enum class What : std::uint8_t { wake, serve, post, end };

  struct Stream {
    std::deque<Job> jobs;  // the first is on its way while busy
    bool busy = false;
  };
  struct Event {
    Picoseconds at;
    std::uint64_t order;
    What what;
    std::uint32_t id;  // of a stage, a stream or an item
    friend bool operator>(const Event& a, const Event& b) { return a.at != b.at ? a.at > b.at : a.order > b.order; }
  };
  struct Travelling {
    CommItem item;
    std::uint32_t stage = 0, stream = kNoStream;
    std::uint64_t tag = 0;
    Picoseconds start;
    bool in_progress = false;
  };

  Stream& stream(std::uint32_t stage, StreamKind kind) { return streams_[stage * kStreams + static_cast<std::uint32_t>(kind)]; }
  [[nodiscard]] const Stream& stream(std::uint32_t stage, StreamKind kind) const {
    return streams_[stage * kStreams + static_cast<std::uint32_t>(kind)];
  }
  void at(Picoseconds when, What what, std::uint32_t id) { events_.push({when, order_++, what, id}); }
  void serve(std::uint32_t id);
  void start(Travelling travelling);
  void post(std::uint32_t id);
  void carried(std::uint32_t id);
  void end(std::uint32_t id);
  bool take_arrivals(Picoseconds until);

  Engine* const engine_;
  const Handlers handlers_;
  Picoseconds now_;
  std::uint64_t order_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<Stream> streams_;
  std::vector<Travelling> travelling_;
  std::vector<std::uint32_t> free_;  // of travelling_
  std::uint32_t on_network_ = 0;
  std::vector<Completion> done_;  // scratch
};

}  // namespace railyard
