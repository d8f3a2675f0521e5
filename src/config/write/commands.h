// Commands of one change in each dialect, for write.cpp alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "qos/repair.h"

namespace railyard {

using CommandLines = std::vector<std::string>;

CommandLines sonic_commands(const Device& device, const Repair& repair);
CommandLines nvue_commands(const Device& device, const Repair& repair);
CommandLines eos_commands(const Device& device, const Repair& repair);
CommandLines nxos_commands(const Device& device, const Repair& repair);
CommandLines junos_commands(const Device& device, const Repair& repair);
CommandLines os10_commands(const Device& device, const Repair& repair);
CommandLines aoscx_commands(const Device& device, const Repair& repair);
CommandLines mlnx_commands(const Device& device, const Repair& repair);
CommandLines niccli_commands(const Device& device, const Repair& repair);
CommandLines nicctl_commands(const Device& device, const Repair& repair);
CommandLines dcb_commands(const Device& device, const Repair& repair);
CommandLines environment_commands(const Device& device, const Repair& repair);

/// Names of the ports that are meant: those that are named, else all of the device; "<port>" where nobody knows any.
[[nodiscard]] CommandLines meant_ports(const Device& device, const Repair& repair);

/// The NICs that are meant: by the name in the change, by the ports of the repair, else all; one with names to fill in where
/// nobody knows any.
[[nodiscard]] std::vector<NicConfig> meant_nics(const Device& device, const Repair& repair, const std::string& name = {});

/// The policy of the first port or NIC that is meant, with the change made: what lists of all priorities are written from.
[[nodiscard]] QosPolicy policy_after(const Device& device, const Repair& repair);

/// What a change does, in a few words: "map DSCP 26 to traffic class 3".
[[nodiscard]] std::string in_words(const Change& change);

/// Where a change is made that this kind of device has no command for: "# on hosts: …" and the like.
[[nodiscard]] CommandLines only_words(std::string_view comment, const Change& change, std::string_view why);

}  // namespace railyard
