// Settings that undo a cause, for trying.
#include <algorithm>
#include <array>

#include "tools/diagnose/next_measurement.h"

namespace railyard {

std::string_view toggle_of(std::string_view cause) {
  struct Toggle {
    std::string_view cause, setting;
  };
  static constexpr auto kAll = std::to_array<Toggle>({
      {"algorithm", "NCCL_ALGO=Ring, and with NCCL_ALGO=Tree"},
      {"ecmp-collision", "NCCL_IB_QPS_PER_CONNECTION=4"},
      {"few-channels", "NCCL_MIN_NCHANNELS=16"},
      {"gpu-direct-off", "NCCL_NET_GDR_LEVEL=SYS"},
      {"nvls-off", "NCCL_NVLS_ENABLE=1"},
      {"one-port", "NCCL_IB_QPS_PER_CONNECTION=4"},
      {"p2p-off", "NCCL_P2P_LEVEL=SYS"},
      {"pxn-off", "NCCL_PXN_DISABLE=0"},
      {"relaxed-ordering-off", "NCCL_IB_PCI_RELAXED_ORDERING=1"},
      {"split-data", "NCCL_IB_SPLIT_DATA_ON_QPS=0"},
  });
  const auto found = std::find_if(kAll.begin(), kAll.end(), [&](const Toggle& one) { return one.cause == cause; });
  return found == kAll.end() ? std::string_view() : found->setting;
}

}  // namespace railyard
