#include "config/read/other_nic.h"

#include "base/json.h"
#include "config/read/job_text.h"
#include "config/read/readers.h"

namespace railyard::host_text {

namespace {

bool is_json_text(std::string_view text) {
  const std::string_view begin = trimmed(text.substr(0, 4096));
  return begin.starts_with('{') || begin.starts_with('[');
}

bool is_nicctl_json(const ConfigText& text) {
  return is_json_text(text.text) && contains(text.text, "\"nic\"") && contains(text.text, "\"port\"") &&
         contains(text.text, "\"spec\"");
}

bool is_dcb_json(const ConfigText& text) {
  if (!is_json_text(text.text)) return false;
  for (const std::string_view key :
       {"\"prio_pfc\"", "\"prio_tc\"", "\"tc_tsa\"", "\"dscp_prio\"", "\"prio_buffer\"", "\"dgram_port_prio\""})
    if (contains(text.text, key)) return true;
  return contains(text.text, "\"ifname\"") && contains(text.text, "\"mtu\"") && contains(text.text, "\"link_type\"");
}

/// Runs one reader of a document on a host as if it were one block without a command.
Diagnostics read_json_of_host(const ConfigText& text, Estate& estate, Dialect dialect,
                              void (*read)(HostScope& scope, const Document& root)) {
  const auto root = parse_json(text.text, text.file, "RY-CFG-003");
  if (!root) return broken_file(root.error());
  Device& device = device_of(estate, text.device, DeviceKind::host, dialect);
  device.role = Role::host;
  if (device.dialect == Dialect::dcb) device.dialect = dialect;
  device.files.push_back({text.file, 0, 0});
  Block block;
  std::vector<std::string> spoken_of;
  HostScope scope{device, block, text.file, names_in_file_name(text.file), spoken_of};
  read(scope, *root);
  return {};
}

Diagnostics read_nicctl_file(const ConfigText& text, Estate& estate) {
  return read_json_of_host(text, estate, Dialect::nicctl, read_nicctl_json);
}
Diagnostics read_dcb_file(const ConfigText& text, Estate& estate) {
  return read_json_of_host(text, estate, Dialect::dcb, read_dcb_json);
}

bool is_other_nic_text(const ConfigText& text) {
  return !is_json_text(text.text) && !is_kubernetes_job(text) && !has_mlnx_marks(text.text) && has_other_nic_marks(text.text);
}

Diagnostics read_other_nic_text(const ConfigText& text, Estate& estate) {
  const bool is_broadcom =
      contains(text.text, "IEEE 8021QAZ") || contains(text.text, "Broadcom") || contains(text.text, "bnxt");
  const bool is_amd =
      contains(text.text, "Classification type") || contains(text.text, "ROCE device") || contains(text.text, "nicctl");
  return read_host_text(text, estate, is_broadcom ? Dialect::niccli : is_amd ? Dialect::nicctl : Dialect::dcb);
}

}  // namespace

bool has_other_nic_marks(std::string_view text) {
  for (const std::string_view mark : {"IEEE 8021QAZ ", ") Broadcom BCM", "bnxt_setupcc.sh", "/bnxt_re/", "Classification type ",
                                      "DSCP value used for CNP", "nicctl show ", "nicctl update ", "prio-pfc 0:", "prio-tc 0:",
                                      "dscp-prio ", "tc-tsa 0:", "dcb pfc ", "dcb ets ", "dcb app "})
    if (contains(text, mark)) return true;
  return false;
}

}  // namespace railyard::host_text

namespace railyard {

std::vector<FileReader> other_nic_readers() {
  using namespace host_text;
  return {{"output of niccli, nicctl or dcb", is_other_nic_text, read_other_nic_text},
          {"nicctl show port -j", is_nicctl_json, read_nicctl_file},
          {"dcb -j or ip -j", is_dcb_json, read_dcb_file}};
}

}  // namespace railyard
