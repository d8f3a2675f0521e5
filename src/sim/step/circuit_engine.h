// Circuits that change while a training step runs: an engine that moves them between the messages of another.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "fabric/build.h"

namespace railyard {

/// Parts of a step between which circuits may change: from its beginning until all stages are through with their passes, and
/// from then on.
inline constexpr std::size_t kStepPhases = 2;

/// Lets another engine carry everything, and counts what pods send each other in either phase.
///
/// Where the fabric has several ways of joining pods (Fabric::ways) it begins with the change from gradients of the step before
/// to passes, and changes once more when it is told to. A change takes a time in which circuits that only one of the two ways
/// has are dark; what is under way takes those that stay, or waits where there are none, as if links had failed. Changes that
/// are asked for while another one lasts follow it.
class CircuitEngine final : public Engine {
 public:
  /// `fabric` is the one that `engine` carries messages over: its routes between pods follow the circuits. It must outlive
  /// this.
  CircuitEngine(std::unique_ptr<Engine> engine, Fabric& fabric, Picoseconds reconfiguration);

  /// All stages are through with their passes.
  void begin_gradients(Picoseconds at);

  /// What pods sent each other since the last rewind(), by phase.
  [[nodiscard]] const std::vector<PodDemand>& sent() const { return sent_; }
  /// Changes since then.
  [[nodiscard]] std::uint32_t changes() const { return changes_; }
  /// By trunk: the share of its port-time until `end` in which it had light. Empty where circuits do not change.
  [[nodiscard]] std::vector<double> lit_shares(Picoseconds end) const;

  QpId open(const QueuePair& qp) override { return open(Bundle{.edges = {{qp.from, qp.to, 1}}}); }
  QpId open(TrunkId hop) override { return add_crossing({}, engine_->open(hop)); }
  QpId open(const Bundle& bundle) override;
  void post(std::span<const Message> messages, Picoseconds at) override;
  void post_in_steps(const Message& message, std::uint32_t steps, Picoseconds at) override;
  Picoseconds advance(Picoseconds until, std::vector<Completion>& done) override;
  void set_rate(PortId port, BitsPerSecond rate, Picoseconds at) override { engine_->set_rate(port, rate, at); }
  [[nodiscard]] Picoseconds now() const override { return engine_->now(); }
  void rewind(Sharing sharing) override;
  void finish() override { engine_->finish(); }

 private:
  struct Crossing {
    std::uint32_t from, to;  // pods
    double share = 0;        // of a message, all edges together
  };
  struct Change {
    Picoseconds at;
    CircuitWay way;
  };

  QpId add_crossing(std::vector<Crossing> crossing, QpId id);
  void count(const Message& message);
  void change_to(CircuitWay way, Picoseconds at);
  void catch_up(Picoseconds at);
  void apply(const Change& change);

  const std::unique_ptr<Engine> engine_;
  Fabric& fabric_;
  const Picoseconds reconfiguration_;
  std::vector<std::uint32_t> pod_of_leaf_;        // by block
  std::vector<std::vector<Crossing>> crossings_;  // by connection
  std::vector<PodDemand> sent_;                   // by phase
  std::size_t phase_ = 0;
  std::deque<Change> ahead_;      // by time
  std::vector<Change> happened_;  // the same
  std::uint32_t changes_ = 0;
  std::vector<Completion> none_;  // scratch
};

}  // namespace railyard
