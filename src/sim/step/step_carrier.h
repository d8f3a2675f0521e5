// A step's collectives on an engine: what StepPlayer needs to play the step over a fabric.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "sim/collective/network_rates.h"
#include "sim/isolation.h"
#include "sim/run.h"
#include "sim/step/step_run.h"
#include "sim/step/step_traffic.h"

namespace railyard {

class StepCarrier {
 public:
  /// All but the engine must outlive this.
  StepCarrier(const Scenario& scenario, const Step& step, const Run& run, const std::vector<PortChange>& failures,
              std::unique_ptr<Engine> engine)
      : live_(live_after(run.fabric, failures)),
        links_(links_of(*scenario.workload.gpu)),
        engine_(std::move(engine)),
        traffic_(step, run.fabric, run.placement, live_, links_, exchange_way(scenario, run.fabric),
                 scenario.transport.strict_priority, nic_shares(scenario, run.fabric, failures), *engine_),
        fabric_(run.fabric) {}

  [[nodiscard]] StepNetwork network(const Jitter* jitter) { return {fabric_, traffic_, *engine_, live_, {}, jitter}; }
  [[nodiscard]] Engine& engine() { return *engine_; }
  [[nodiscard]] StepTraffic& traffic() { return traffic_; }

 private:
  const LivePorts live_;  // once all failures have happened
  const ClusterLinks links_;
  const std::unique_ptr<Engine> engine_;
  StepTraffic traffic_;
  const Fabric& fabric_;
};

}  // namespace railyard
