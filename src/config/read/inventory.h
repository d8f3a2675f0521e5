// The two formats of our own: an inventory, and what an organisation allows.
//
// An inventory is a table with one row for a device or for one end of a cable. As CSV its first line names the columns, in any
// order and case; cells may be in quotes, lines that begin with # are left out, columns that are not known too:
//
//   device,role,nos,firmware,port,optics,cable,neighbour,neighbour_port
//   leaf01,leaf,SONiC 202405,,,,,,
//   leaf01,,,,Ethernet0,QSFP-DD-DR4,30 m,gpu01,eth4
//
// `device` (or name, hostname) is required; the others are role (host, leaf, spine, core), nos, firmware, port (interface),
// optics (transceiver), cable (a length, "30 m"; a bare number is metres), neighbour and neighbour_port. As JSON it is an array
// of objects with these keys, by itself or under "inventory", or objects that have their ports in an array "ports".
//
// What is allowed is TOML, all of it optional:
//
//   lossless_priorities = [3]
//   [versions]                                  # approved, by what they are versions of
//   "ConnectX-7" = ["28.39.1002", "28.43.2026"]
//   SONiC = "202405"
//   [owners]                                    # by DSCP, priority or device, for people
//   "dscp 26" = "training"
//   [[suppress]]                                # findings that are known and accepted
//   code = "RY-LNT-012"
//   device = "leaf01"                           # not given: everywhere
//   reason = "replaced in March"                # required
#pragma once

#include "config/read/read.h"

namespace railyard::host_text {

[[nodiscard]] bool is_inventory_csv(const ConfigText& text);
[[nodiscard]] bool is_inventory_json(const ConfigText& text);
Diagnostics read_inventory_csv(const ConfigText& text, Estate& estate);
Diagnostics read_inventory_json(const ConfigText& text, Estate& estate);

[[nodiscard]] bool is_fabric_policy(const ConfigText& text);
Diagnostics read_fabric_policy(const ConfigText& text, Estate& estate);

}  // namespace railyard::host_text
