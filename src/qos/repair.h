// One change of a device's settings, to be applied to what was read or to be said in the device's own language.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "qos/device.h"

namespace railyard {

struct SetTrust {
  Trust trust = Trust::dscp;
};
struct MapDscp {
  std::uint8_t dscp = 0, traffic_class = 0;
};
struct MapClass {
  std::uint8_t traffic_class = 0, queue = 0, group = 0;
};
struct SetPfc {
  std::uint8_t priority = 0;
  bool on = true;
};
struct SetPfcMode {
  PfcMode mode = PfcMode::forced;
};
struct SetLinkPause {
  bool on = false;
};
struct SetEcn {
  std::uint8_t queue = 0;
  std::optional<EcnPolicy> ecn;
};
struct SetScheduling {
  std::uint8_t queue = 0;
  bool strict = false;
  std::uint32_t weight = 0;
};
struct SetGroup {
  std::uint8_t group = 0;
  GroupPolicy policy;
};
struct SetWatchdog {
  WatchdogPolicy policy;
};
struct SetMtu {
  Bytes mtu = 9216_B;
};
struct SetHash {
  HashConfig hash;
};
struct SetEnvironment {
  std::string name, value;
};  // empty value: unset it
struct SetNicClass {
  std::string nic;
  std::uint8_t tos = 0;
};  // traffic_class and cma_roce_tos
struct SetCnp {
  std::string nic;
  std::uint8_t dscp = 48, priority = 6;
};
struct SetNicEcn {
  std::string nic;
  std::uint8_t priority = 3;
  bool on = true;
};
/// A setting of DCQCN, as NicConfig::dcqcn has it.
struct SetDcqcn {
  std::string nic, name;
  std::int64_t value = 0;
};
struct SetDcbx {
  std::string nic;
  bool willing = false;
};

using Change = std::variant<SetTrust, MapDscp, MapClass, SetPfc, SetPfcMode, SetLinkPause, SetEcn, SetScheduling, SetGroup,
                            SetWatchdog, SetMtu, SetHash, SetEnvironment, SetNicClass, SetCnp, SetNicEcn, SetDcqcn, SetDcbx>;

/// Changes some ports, or all of them if none is named. On a host, ports are named by the netdev of a NIC.
struct Repair {
  std::vector<std::string> ports;
  Change change;
};

/// The device with the change made. Ports that shared a policy with others get one of their own.
[[nodiscard]] Device repaired(Device device, const Repair& repair);

}  // namespace railyard
