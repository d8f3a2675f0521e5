// Rules on DCBX: who tells whom which priorities are lossless.
#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

void switch_negotiates(const LintView& view, LintSink& sink) {
  for (const PolicyUse& use : view.switches) {
    if (use.policy->pfc_mode != PfcMode::negotiated || use.policy->pfc == 0) continue;
    LintFinding& found = sink.add(*use.device, place_of(*use.device, *use.policy, {"pfc_mode", "pfc"}),
                                  "PFC is negotiated over DCBX: a neighbour that does not answer turns it off");
    found.ports = use.names();
    found.repairs.push_back({found.ports, SetPfcMode{PfcMode::forced}});
  }
}

template<class F>
void each_nic(const LintView& view, F what) {
  for (const Device& device : view.estate.devices)
    for (const NicConfig& nic : device.nics) what(device, nic);
}

void nic_willing(const LintView& view, LintSink& sink) {
  each_nic(view, [&](const Device& device, const NicConfig& nic) {
    if (!nic.dcbx_willing.value_or(false) || !nic.dcbx_firmware.value_or(false)) return;
    LintFinding& found = sink.add(device, place_of(device, nic, {"dcbx_willing", "dcbx_firmware"}),
                                  "the NIC's firmware speaks DCBX and is willing: its neighbour sets its PFC");
    found.ports.push_back(nic.name);
    found.repairs.push_back({{}, SetDcbx{nic.name, false}});
  });
}

void nic_agent(const LintView& view, LintSink& sink) {
  each_nic(view, [&](const Device& device, const NicConfig& nic) {
    if (!nic.dcbx_firmware.value_or(false) || nic.dcbx_willing.value_or(true)) return;
    sink.add(device, place_of(device, nic, {"dcbx_firmware"}),
             "the NIC's firmware answers DCBX beside the operating system: two agents speak on one link")
        .ports.push_back(nic.name);
  });
}

constexpr LintRule kDcbxRules[] = {
    {"RY-LNT-080", Severity::warning, 69, "PFC negotiated instead of forced",
     "With `auto`, PFC comes up only if the other end agrees over DCBX; many NICs do not, and the port ends `Oper Off`.",
     "IEEE 802.1Qaz (DCBX); Cisco NX-OS, priority-flow-control mode auto", "Force PFC on at both ends.", switch_negotiates},
    {"RY-LNT-081", Severity::warning, 57, "A NIC lets its neighbour set its PFC",
     "A willing firmware takes whatever priorities the switch advertises, and forgets what was set on the host.",
     "IEEE 802.1Qaz (willing bit); NVIDIA, mlxconfig LLDP_NB_DCBX, DCBX_WILLING",
     "Turn the firmware's DCBX off, or willing; set PFC by hand at both ends.", nic_willing},
    {"RY-LNT-082", Severity::note, 22, "Two agents of DCBX on one link",
     "Two LLDP agents confuse the switch about who is there.", "IEEE 802.1AB; NVIDIA, mlxconfig LLDP_NB_TX_MODE",
     "Let one agent speak.", nic_agent},
};

}  // namespace

std::span<const LintRule> dcbx_rules() { return kDcbxRules; }

}  // namespace railyard
