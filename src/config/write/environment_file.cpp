#include <fmt/format.h>

#include "config/write/writers.h"

namespace railyard {

namespace {

/// What a variable is for, where that is known.
struct VariableReason {
  std::string_view name, reason;
};
constexpr VariableReason kVariableReasons[] = {
    {"NCCL_IB_TC", "ToS of RoCE: DSCP × 4, and 2 for ECN-capable transport; without it packets have DSCP 0 and are lossy"},
    {"NCCL_IB_GID_INDEX", "the GID of RoCE v2 over IPv4; check it with show_gids"},
    {"NCCL_IB_QPS_PER_CONNECTION", "queue pairs of a connection: each is hashed to a path of its own"},
    {"NCCL_IB_SPLIT_DATA_ON_QPS", "0: a message stays on one queue pair; 1: all of them carry a part"},
    {"NCCL_IB_ADAPTIVE_ROUTING", "1 where switches choose paths packet by packet"},
    {"NCCL_IB_SL", "service level of InfiniBand: the virtual lane of data"},
    {"NCCL_PXN_DISABLE", "0: on rails, messages go to the GPU whose NIC is on the right rail"},
    {"NCCL_IB_TIMEOUT", "4.096 µs × 2 to the power of this, until a packet is sent again"},
    {"NCCL_IB_RETRY_CNT", "so often before a queue pair is broken"},
    {"NCCL_IB_PCI_RELAXED_ORDERING", "1: writes may pass each other on PCIe"},
    {"NCCL_CROSS_NIC", "0: rings stay on their rail"},
};

std::string_view reason_of(std::string_view name) {
  for (const VariableReason& known : kVariableReasons)
    if (known.name == name) return known.reason;
  return {};
}

}  // namespace

std::string write_environment(const Device& device) {
  std::string out =
      fmt::format("# {}: variables of NCCL or RCCL. Use as /etc/nccl.conf, or with: set -a; . ./FILE\n", device.name);
  for (const auto& [name, setting] : device.environment) {
    const std::string_view reason = reason_of(name);
    if (!reason.empty()) out += fmt::format("# {}\n", reason);
    out += fmt::format("{}={}\n", name, setting.value);
  }
  return out;
}

}  // namespace railyard
