// Flows that carry a training step over the fabric of its run.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "sim/step/circuit_engine.h"
#include "sim/step/step_carrier.h"

namespace railyard {

class FlowCarrier {
 public:
  /// All must outlive this. Circuits that follow what is sent change where the fabric has several ways of joining pods; each
  /// change takes `reconfiguration`.
  FlowCarrier(const Scenario& scenario, const Step& step, Run& run, const std::vector<PortChange>& failures,
              const FlowOptions& options, Telemetry& telemetry, Picoseconds reconfiguration)
      : failures_(failures),
        // Headers are part of the share of a port that flows use.
        payload_{.mtu = run.wire.mtu, .header = {}, .message_header = {}},
        carrier_(scenario, step, run, failures,
                 over_circuits(make_flow_engine(run.fabric, payload_, run.routing, options, telemetry),
                               scenario.fabric.circuits, run.fabric, reconfiguration)) {}

  /// From the beginning, with all that fails.
  void begin() {
    engine().rewind(Sharing::fair);
    for (const PortChange& change : failures_) engine().set_rate(change.port, change.rate, change.at);
  }
  [[nodiscard]] StepNetwork network(const Jitter* jitter) {
    StepNetwork network = carrier_.network(jitter);
    network.circuits = circuits_;
    return network;
  }
  [[nodiscard]] Engine& engine() { return carrier_.engine(); }
  [[nodiscard]] StepTraffic& traffic() { return carrier_.traffic(); }
  /// None where no circuits follow what is sent.
  [[nodiscard]] const CircuitEngine* circuits() const { return circuits_; }

 private:
  std::unique_ptr<Engine> over_circuits(std::unique_ptr<Engine> flows, Circuits circuits, Fabric& fabric,
                                        Picoseconds reconfiguration) {
    if (fabric.pods.empty() || !follow_demand(circuits)) return flows;
    auto engine = std::make_unique<CircuitEngine>(std::move(flows), fabric, reconfiguration);
    circuits_ = engine.get();
    return engine;
  }

  const std::vector<PortChange>& failures_;
  const WireFormat payload_;
  CircuitEngine* circuits_ = nullptr;
  StepCarrier carrier_;
};

}  // namespace railyard
