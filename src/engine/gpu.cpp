#include "engine/gpu.h"

#include "engine/packet/device/cuda.h"

namespace railyard {

std::string why_no_gpu() { return packet::device::why_no_cuda(); }

std::optional<std::string> not_on_gpu(const PacketPlan& plan) {
  if (plan.control.has_window() || plan.control.has_receiver_credits())
    return "transports that limit what is in flight (TCP, UEC, HPCC and others): RoCE with DCQCN or without, it does";
  if (plan.credits.room > 0_B) return "links with credits (InfiniBand)";
  if (!plan.host_faults.empty()) return "hosts that fail for a while";
  return std::nullopt;
}

}  // namespace railyard
