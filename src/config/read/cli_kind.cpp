#include "config/read/cli_kind.h"

#include <algorithm>
#include <array>

#include "config/read/cli_tree.h"

namespace railyard {

namespace {

struct TellingLine {
  CliKind kind;
  int weight;
  std::string_view start;  // of a line, blanks before it left out
};

/// Words that a line of one vendor's configuration starts with, and how sure they make.
constexpr TellingLine kTelling[] = {
    {CliKind::eos, 5, "! device:"},
    {CliKind::eos, 5, "daemon TerminAttr"},
    {CliKind::eos, 5, "management api http-commands"},
    {CliKind::eos, 5, "service routing protocols model"},
    {CliKind::eos, 3, "transceiver qsfp default-mode"},
    {CliKind::eos, 5, "qos profile "},
    {CliKind::eos, 5, "service-profile "},
    {CliKind::eos, 4, "qos map dscp "},
    {CliKind::eos, 4, "qos map cos "},
    {CliKind::eos, 4, "qos map traffic-class "},
    {CliKind::eos, 4, "tx-queue "},
    {CliKind::eos, 4, "uc-tx-queue "},
    {CliKind::eos, 4, "mc-tx-queue "},
    {CliKind::eos, 4, "priority-flow-control on"},
    {CliKind::eos, 4, "priority-flow-control priority "},
    {CliKind::eos, 4, "priority-flow-control pause watchdog"},
    {CliKind::eos, 4, "priority-flow-control all off"},
    {CliKind::eos, 4, "random-detect ecn minimum-threshold"},
    {CliKind::eos, 4, "policy-map type quality-of-service"},
    {CliKind::eos, 3, "ip load-sharing trident"},
    {CliKind::eos, 3, "ip load-sharing sand"},
    {CliKind::eos, 3, "load-balance policies"},
    {CliKind::eos, 2, "interface Port-Channel"},
    {CliKind::eos, 1, "qos trust "},
    {CliKind::eos, 1, "dcbx mode "},
    {CliKind::nxos, 5, "!Command: show running-config"},
    {CliKind::nxos, 5, "vdc "},
    {CliKind::nxos, 5, "boot nxos "},
    {CliKind::nxos, 3, "feature "},
    {CliKind::nxos, 3, "vpc domain "},
    {CliKind::nxos, 5, "class type network-qos "},
    {CliKind::nxos, 5, "class type queuing "},
    {CliKind::nxos, 4, "pause pfc-cos "},
    {CliKind::nxos, 4, "service-policy type network-qos "},
    {CliKind::nxos, 4, "service-policy type queuing "},
    {CliKind::nxos, 1, "service-policy type qos input "},
    {CliKind::nxos, 4, "random-detect minimum-threshold "},
    {CliKind::nxos, 4, "priority-flow-control watch-dog"},
    {CliKind::nxos, 2, "priority-flow-control mode "},
    {CliKind::nxos, 4, "bandwidth remaining percent "},
    {CliKind::nxos, 3, "ip load-sharing address "},
    {CliKind::nxos, 3, "interface breakout module "},
    {CliKind::nxos, 2, "interface mgmt0"},
    {CliKind::nxos, 2, "interface ethernet "},
    {CliKind::os10, 5, "trust dot1p-map "},
    {CliKind::os10, 5, "trust dscp-map "},
    {CliKind::os10, 5, "trust-map "},
    {CliKind::os10, 5, "qos-map traffic-class "},
    {CliKind::os10, 5, "service-policy input type "},
    {CliKind::os10, 5, "service-policy output type "},
    {CliKind::os10, 4, "ets mode "},
    {CliKind::os10, 4, "dcbx enable"},
    {CliKind::os10, 4, "pfc-cos "},
    {CliKind::os10, 5, "match qos-group"},
    {CliKind::os10, 2, "match queue "},
    {CliKind::os10, 4, "vlt-domain "},
    {CliKind::os10, 3, "interface range ethernet1/"},
    {CliKind::os10, 3, "interface ethernet1/"},
    {CliKind::os10, 3, "interface mgmt1/1/1"},
    {CliKind::os10, 4, "wred "},
    {CliKind::os10, 4, "random-detect color "},
    {CliKind::os10, 2, "priority-flow-control mode "},
    {CliKind::os10, 4, "pfc-shared-"},
    {CliKind::aoscx, 5, "!Version ArubaOS-CX"},
    {CliKind::aoscx, 5, "flow-control priority "},
    {CliKind::aoscx, 4, "flow-control rx"},
    {CliKind::aoscx, 5, "qos dscp-map "},
    {CliKind::aoscx, 5, "qos cos-map "},
    {CliKind::aoscx, 5, "qos queue-profile "},
    {CliKind::aoscx, 5, "qos schedule-profile "},
    {CliKind::aoscx, 5, "apply qos "},
    {CliKind::aoscx, 4, "vsx"},
    {CliKind::aoscx, 3, "interface 1/1/"},
    {CliKind::aoscx, 1, "qos trust "},
};

/// "interface Ethernet5" is EOS; "interface Ethernet1/5" may be EOS (breakout) and is what NX-OS has.
CliKind kind_of_ethernet(std::string_view line) {
  constexpr std::string_view head = "interface Ethernet";
  if (!line.starts_with(head)) return CliKind::none;
  const std::string_view name = line.substr(head.size());
  if (name.empty() || name[0] < '0' || name[0] > '9') return CliKind::none;
  return name.find('/') == std::string_view::npos ? CliKind::eos : CliKind::nxos;
}

}  // namespace

CliKind cli_kind(std::string_view text) {
  std::array<int, 5> score = {};
  std::array<bool, std::size(kTelling)> seen = {};
  std::array<bool, 5> ethernet = {};
  for (std::string_view line : cli_lines(text)) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.starts_with("no ")) line.remove_prefix(3);
    if (line.empty() || line[0] == '{' || line[0] == '<') continue;
    for (std::size_t i = 0; i < std::size(kTelling); i++) {
      if (seen[i] || !line.starts_with(kTelling[i].start)) continue;
      seen[i] = true;
      score[static_cast<std::size_t>(kTelling[i].kind)] += kTelling[i].weight;
    }
    const auto kind = static_cast<std::size_t>(kind_of_ethernet(line));
    if (kind != 0 && !ethernet[kind]) ethernet[kind] = true, score[kind] += 1;
  }
  const auto most = std::max_element(score.begin() + 1, score.end());
  return *most < 2 ? CliKind::none : static_cast<CliKind>(most - score.begin());
}

}  // namespace railyard
