// What configurations of devices say of the tiers and devices of a fabric.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plan/device_qos.h"
#include "qos/device.h"

namespace railyard {

struct EstatePolicies {
  std::array<std::optional<QosPolicy>, kDeviceTiers> tiers;  // by DeviceTier: what most devices of it have
  struct Single {
    DeviceTier tier = DeviceTier::leaf;
    std::uint32_t index = 0;
    QosPolicy policy;
    std::optional<Millimetres> cable;
    std::string name;  // of the device
    SourceSpan where;
  };
  std::array<std::optional<Millimetres>, kDeviceTiers> cables;  // that most devices of a tier make their headroom for
  /// A port of a switch that does otherwise than most of its ports, and whose neighbour is known.
  struct Ports {
    DeviceTier tier = DeviceTier::leaf;
    std::uint32_t index = 0;
    DeviceTier to = DeviceTier::nic;
    std::uint32_t neighbour = 0;  // a switch, or a server
    QosPolicy policy;
    std::optional<Millimetres> cable;
    SourceSpan where;
  };
  std::vector<Ports> ports;
  std::vector<Single> singles;            // devices that differ from their tier and have a number in their name
  std::optional<std::uint8_t> cnp_mark;   // DSCP that most NICs send CNPs with
  std::optional<std::uint8_t> data_mark;  // DSCP that the job, or else most NICs, send data with
  struct OwnMark {
    std::uint32_t host = 0;  // server
    std::uint8_t dscp = 0;
    SourceSpan where;
  };
  std::vector<OwnMark> own_marks;  // of hosts that send with another
  /// A server's NICs, as its tools print them, each with the priority of what it sends as data.
  struct Nics {
    std::uint32_t server = 0;
    std::vector<NicConfig> nics;
    std::vector<std::uint8_t> priorities;
    SourceSpan where;
  };
  std::vector<Nics> nics;  // of servers with a number in their name
};

/// A device that has a place in a fabric.
struct PlacedDevice {
  const Device* device;
  DeviceTier tier;
  std::optional<std::uint32_t> index;  // in its tier, counted as below; a host is a server
};
[[nodiscard]] std::vector<PlacedDevice> placed_devices(const Estate& estate);

/// Devices are of a tier by the beginning of their name (leaf, tor, spine, core), else by their role, of which vendors have
/// notions of their own; hosts are NICs. A device
/// does what most of its ports do, beside those that do otherwise and whose neighbour has a number; of those in a tier the
/// policy that most have stands for it. "leaf03" is leaf 3, and counts from `first`: 1 if no device of its tier has number 0,
/// as operators count.
[[nodiscard]] EstatePolicies estate_policies(const Estate& estate);

}  // namespace railyard
