// What one of several jobs sees of the engine that they share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/check.h"
#include "engine/engine.h"
#include "plan/job_plan.h"

namespace railyard {

/// An engine with connections, messages and a clock of its own: time zero is when the job's turn begins. Whoever holds the
/// engine itself lets it advance, and hands completions to the job that `owner` names.
class JobPort final : public Engine {
 public:
  /// `job` of `jobs`, what it is, and how its packets travel. The engine must outlive this.
  JobPort(Engine& engine, std::uint32_t job, std::uint32_t jobs, const JobPlan& plan)
      : engine_(engine),
        job_(job),
        jobs_(jobs),
        priority_(static_cast<std::uint8_t>(2 * plan.priority)),
        lane_{plan.class_of_packets() == JobClass::data ? kDataClass : kBackgroundClass, plan.has_own_transport} {}

  void begin_turn(Picoseconds origin) { origin_ = origin; }
  [[nodiscard]] Picoseconds origin() const { return origin_; }
  /// Bytes that it has put on the wire, of all edges together.
  [[nodiscard]] double posted() const { return posted_; }

  /// Whose message one of the engine is, and what the job calls it.
  static std::uint32_t owner(MessageId id, std::uint32_t jobs) { return id.index() % jobs; }
  static MessageId own_id(MessageId id, std::uint32_t jobs) { return MessageId(id.index() / jobs); }

  QpId open(const QueuePair& qp) override { return open(Bundle{.edges = {{qp.from, qp.to, 1}}}); }
  QpId open(TrunkId hop) override { return opened(engine_.open(hop), 1); }
  QpId open(const Bundle& bundle) override {
    Bundle mine = bundle;
    mine.priority = static_cast<std::uint8_t>(mine.priority + priority_);
    mine.lane = lane_;
    double edges = 0;
    for (const Edge& edge : mine.edges) edges += edge.share;
    return opened(engine_.open(mine), edges);
  }

  void post(std::span<const Message> messages, Picoseconds at) override {
    for (const Message& message : messages) post_in_steps(message, 1, at);
  }
  void post_in_steps(const Message& message, std::uint32_t steps, Picoseconds at) override {
    RY_CHECK(engine_.now() <= origin_ + at, "a job posts nothing for times that are over");
    const Row& row = rows_[message.qp.index()];
    posted_ += static_cast<double>(message.size.count()) * row.edges;
    engine_.post_in_steps({MessageId(message.id.index() * jobs_ + job_), row.connection, message.size}, steps, origin_ + at);
  }

  [[nodiscard]] Picoseconds now() const override { return engine_.now() - origin_; }

  Picoseconds advance(Picoseconds, std::vector<Completion>&) override { return refuse(), Picoseconds::zero(); }
  void set_rate(PortId, BitsPerSecond, Picoseconds) override { refuse(); }
  void rewind(Sharing) override { refuse(); }
  void finish() override { refuse(); }

 private:
  struct Row {
    QpId connection;
    double edges = 1;  // that a message goes over, each by its share
  };

  static void refuse() { RY_CHECK(false, "whoever holds the engine does that for all jobs"); }
  QpId opened(QpId connection, double edges) {
    rows_.push_back({connection, edges});
    return QpId(static_cast<std::uint32_t>(rows_.size() - 1));
  }

  Engine& engine_;
  const std::uint32_t job_, jobs_;
  const std::uint8_t priority_;
  const PacketLane lane_;
  Picoseconds origin_;
  std::vector<Row> rows_;  // by the job's own connection
  double posted_ = 0;
};

}  // namespace railyard
