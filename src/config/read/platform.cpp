#include "config/read/host_nic.h"
#include "config/read/job_text.h"
#include "config/read/readers.h"

namespace railyard::host_text {

namespace {

bool is_platform_text(const ConfigText& text) {
  return !is_kubernetes_job(text) && !has_mlnx_marks(text.text) && !has_other_nic_marks(text.text) &&
         has_platform_marks(text.text);
}

Diagnostics read_platform_text(const ConfigText& text, Estate& estate) {
  const bool is_nvidia = contains(text.text, "Mellanox") || contains(text.text, "mlx5");
  return read_host_text(text, estate, is_nvidia ? Dialect::mlnx : Dialect::dcb);
}

/// A matrix with GPUs and NICs, as nvidia-smi prints it, perhaps with colours.
bool has_topology_matrix(std::string_view text) {
  return contains(text, "GPU0") && contains(text, "CPU Affinity") && (contains(text, "NIC0") || contains(text, "mlx5_"));
}

}  // namespace

bool has_platform_marks(std::string_view text) {
  if (trimmed(text.substr(0, 64)).starts_with('{') || contains(text, "NCCL INFO")) return false;
  const bool has_pci = contains(text, "LnkSta:") || contains(text, "ACSCtl:");
  const bool has_links = contains(text, ": <BROADCAST,") && contains(text, " mtu ");
  const bool has_driver = contains(text, "firmware-version:") && contains(text, "bus-info:");
  return has_pci || has_links || has_driver || has_topology_matrix(text) || contains(text, "(Topology) Numa Node:");
}

}  // namespace railyard::host_text

namespace railyard {

std::vector<FileReader> platform_readers() {
  using namespace host_text;
  return {{"output of lspci, nvidia-smi topo, rocm-smi, ip link or ethtool -i", is_platform_text, read_platform_text}};
}

}  // namespace railyard
