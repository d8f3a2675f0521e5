// Reads the text of a terminal: every block of it by every reader that knows something of it.
#include "config/read/host_nic.h"

namespace railyard::host_text {

namespace {

/// Hosts are written to in the tongue of their NICs; a NIC's own tool knows better than one that all NICs have.
void choose_dialect(Device& device, Dialect dialect) {
  if (device.dialect == Dialect::dcb || device.nics.empty()) device.dialect = dialect;
}

/// "Receive buffer size" of "Receive buffer size (bytes): 130944", "net.ipv4.tcp_ecn" of "net.ipv4.tcp_ecn = 1".
std::string_view kind_of(std::string_view line) {
  const std::string_view key = trimmed(line.substr(0, line.find_first_of(":=(")));
  return key.empty() ? line : key;
}

bool says_something(const Line& line) {
  return !line.taken && line.text.find_first_not_of("-=_*#+. \t") != std::string_view::npos && !line.text.starts_with('#') &&
         !line.text.starts_with("//");
}

/// Where the firmware speaks DCBX and is willing, the switch decides on PFC.
void settle_dcbx(Device& device) {
  for (const NicConfig& nic : device.nics)
    if (nic.dcbx_firmware.value_or(false) && nic.dcbx_willing.value_or(false))
      device.policies[nic.policy].pfc_mode = PfcMode::negotiated;
}

void read_block(HostScope& scope) {
  for (const std::string& word : scope.block.command) {
    const std::string_view name = assigned_name(word);
    if (!name.empty() && !scope.block.runs("echo"))
      set_environment(scope.device, name, std::string_view(word).substr(name.size() + 1), scope.at(scope.block.number));
  }
  read_mlnx_qos(scope);
  read_mlxconfig(scope);
  read_niccli(scope);
  read_nicctl(scope);
  read_dcb(scope);
  read_lspci(scope);
  read_gpu_topology(scope);
  read_rdma_tools(scope);
  read_link_tools(scope);
  read_sysfs(scope);
  for (const Line& line : scope.block.lines)
    if (says_something(line)) add_unread(scope.device, kind_of(line.text), scope.at(line));
}

}  // namespace

Diagnostics read_host_text(const ConfigText& text, Estate& estate, Dialect dialect) {
  const std::string plain = without_escapes(text.text);
  std::vector<Block> blocks = blocks_of(plain);
  std::string host = text.device;
  for (const Block& block : blocks)
    if (!block.host.empty()) {
      host = block.host;
      break;
    }
  std::map<std::string, std::vector<std::string>> spoken_of;
  for (Block& block : blocks) {
    if (!block.host.empty()) host = block.host;
    Device& device = device_of(estate, host, DeviceKind::host, dialect);
    device.role = Role::host;
    choose_dialect(device, dialect);
    if (!spoken_of.contains(host)) device.files.push_back({text.file, 0, 0});
    HostScope scope{device, block, text.file, names_in_file_name(text.file), spoken_of[host]};
    read_block(scope);
    if (&block == &blocks.back()) join_lone_names(scope);
  }
  for (const auto& [name, nics] : spoken_of) settle_dcbx(device_of(estate, name, DeviceKind::host, dialect));
  return {};
}

}  // namespace railyard::host_text
