#include "answer/port_names.h"

#include <fmt/format.h>

namespace railyard {

namespace {

constexpr std::uint32_t kLanes = 8;  // of a cage

}  // namespace

std::string PortNames::next(BitsPerSecond rate) {
  std::uint32_t lanes = kLanes;
  if (splits_)
    while (lanes > 1 && cages_.rate * (lanes / 2) >= rate * kLanes) lanes /= 2;
  lane_ = (lane_ + lanes - 1) / lanes * lanes;  // a port begins where its lanes can
  const std::uint32_t cage = lane_ / kLanes, first = lane_ % kLanes, part = first / lanes;
  const bool whole = lanes == kLanes;
  const std::uint32_t lane = lane_;
  lane_ += lanes;
  switch (dialect_) {
    case Dialect::nvue:
      return whole ? fmt::format("swp{}", cage + 1) : fmt::format("swp{}s{}", cage + 1, part);
    case Dialect::eos:
      return fmt::format("Ethernet{}/{}", cage + 1, first + 1);
    case Dialect::nxos:
      return whole ? fmt::format("Ethernet1/{}", cage + 1) : fmt::format("Ethernet1/{}/{}", cage + 1, part + 1);
    case Dialect::junos:
      return whole ? fmt::format("et-0/0/{}", cage) : fmt::format("et-0/0/{}:{}", cage, part);
    default:
      return fmt::format("Ethernet{}", lane);
  }
}

std::string nic_port_name(Dialect dialect, std::uint32_t index) {
  return fmt::format("{}{}", dialect == Dialect::mlnx ? "mlx5_" : dialect == Dialect::nicctl ? "ionic_" : "bnxt_re", index);
}

}  // namespace railyard
