// A GPU plays packets as the processor does, whatever the fabric, the traffic and the settings: the same deliveries at the same
// instants, the same counters. Where there is no GPU, or RAILYARD_GPU is not set, the processor plays its part, in one order
// and in the other.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>

#include "engine/packet/device/backend.h"
#include "engine/packet/device/cuda.h"
#include "engine/packet/device/device_runner.h"
#include "packet_case.h"

namespace railyard::packet {
namespace {

Outcome run_on(const Case& c, device::Backend& backend) {
  return run_case(c, [&](Network& network, Time span) { return std::make_unique<LookaheadScheduler>(network, span, backend); });
}

/// Transports and settings that a GPU plays.
Case case_for_gpu() {
  Case c = random_case();
  if (c.plan.control.has_window() || c.plan.control.has_receiver_credits()) c.plan.control = {};
  c.plan.nic.admission = 0;
  c.plan.credits = {};
  return c;
}

RC_GTEST_PROP(PacketOnGpu, gives_what_the_processor_gives, ()) {
  const Case c = case_for_gpu();
  const Outcome on_processor = run_windows(c, 1);
  RC_CLASSIFY(on_processor.telemetry.packets->pauses > 0, "pauses");
  RC_CLASSIFY(on_processor.telemetry.packets->marked > 0, "marks");
  RC_CLASSIFY(on_processor.telemetry.packets->retransmissions > 0, "losses");
  RC_CLASSIFY(on_processor.telemetry.packets->storms > 0, "storms");
  RC_CLASSIFY(on_processor.telemetry.packets->trimmed > 0, "trimmed");
  if (std::getenv("RAILYARD_GPU") != nullptr) {
    static const std::unique_ptr<device::Backend> gpu = device::make_cuda();
    return expect_equal(run_on(c, *gpu), on_processor);
  }
  for (const bool is_reversed : {false, true}) {
    const std::unique_ptr<device::Backend> gpu = device::make_emulation(is_reversed);
    expect_equal(run_on(c, *gpu), on_processor);
  }
}

}  // namespace
}  // namespace railyard::packet
