// What the parts of a training step ask for: passes as programs, collectives as items, in closed form or on a network.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>

#include "sim/step/jitter.h"
#include "sim/step/pass_cost.h"
#include "sim/step/step_traffic.h"

namespace railyard {

class StepPrices {
 public:
  /// Without `traffic` every collective takes its closed form. `jitter`, if any, says whose calls are told apart. All must
  /// outlive this.
  StepPrices(const Scenario& scenario, const Step& step, const ClusterLinks& links, StepTraffic* traffic, const Jitter* jitter);

  /// What all compute is multiplied by (slowest_gpu.h).
  [[nodiscard]] double slowdown() const { return slowdown_; }

  const PassProgram& program(std::uint32_t stage, const Slot& slot);
  const Interleaved& pair(std::uint32_t stage, const Slot& a, const Slot& b);

  /// Asks for everything once, so that the network knows all there will be.
  void prepare();

  /// How long a pass, or two interleaved, would take if no network were shared.
  Picoseconds idle_span(std::uint32_t stage, const Slot& slot, const Slot* partner);

  /// Activations to a neighbouring stage, or their gradients.
  CommItem boundary(std::uint32_t from, std::uint32_t to);

  /// Gradients and parameters travel in buckets, each with its own latency.
  [[nodiscard]] std::int64_t buckets(const Op& op) const;
  CommItem bucket(const Op& op, std::uint32_t stage);

 private:
  /// A dual pipe sets compute units apart for communication.
  [[nodiscard]] LentUnits lent_units() const {
    return step_.pipeline.schedule == PipelineSchedule::dualpipe ? LentUnits::throughout : LentUnits::while_sending;
  }
  CommItem item(const Op& op, std::uint32_t stage);
  [[nodiscard]] CommItem idle_item(const Op& op) const;
  [[nodiscard]] ItemOf idle_items() const {
    return [this](const Op& op) { return idle_item(op); };
  }
  [[nodiscard]] std::uint32_t work(std::uint32_t stage, const Slot& slot) const { return step_.work_of[stage][slot.chunk]; }
  const PassProgram& idle(std::uint32_t work, PassKind kind);
  [[nodiscard]] bool crosses(std::uint32_t from, std::uint32_t to);

  const Scenario& s_;
  const Step& step_;
  const ClusterLinks& links_;
  StepTraffic* const traffic_;
  const Jitter* const jitter_;
  const double slowdown_;
  using Pass = std::tuple<std::uint32_t, std::uint32_t, PassKind>;  // stage, work, kind; 0 for all stages where they are alike
  std::map<Pass, PassProgram> programs_;
  std::map<std::pair<Pass, Pass>, Interleaved> pairs_;
  std::map<std::pair<std::uint32_t, PassKind>, PassProgram> idle_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> crosses_;
};

}  // namespace railyard
