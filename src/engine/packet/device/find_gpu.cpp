#include "engine/packet/device/find_gpu.h"

#include "engine/packet/device/cuda.h"
#include "engine/packet/device/device_runner.h"

namespace railyard::packet::device {

namespace {

/// Between 1,024 hosts, where a GPU was measured to be as quick as two or three cores, and 24,576, where it was as quick as
/// thirteen (bench/gpu.py): assumed. Where the caller looks at every delivery, it waits for the caller.
constexpr std::uint32_t kLeastHosts = 8192;

}  // namespace

std::unique_ptr<Backend> find_gpu(const Parameters& p, EngineDevice asked, const PacketOptions& options, std::uint32_t hosts) {
  const bool can = can_play(p) && options.tap == nullptr;
  RY_CHECK(can || asked == EngineDevice::automatic || asked == EngineDevice::cpu, "a GPU is asked for what it can do");
  if (asked == EngineDevice::emulated) return make_emulation(options.threads % 2 == 0);
  const bool is_worth_it = can && options.all_posted && hosts >= kLeastHosts && why_no_cuda().empty();
  if (asked == EngineDevice::cuda || (asked == EngineDevice::automatic && is_worth_it)) return make_cuda();
  return nullptr;
}

}  // namespace railyard::packet::device
