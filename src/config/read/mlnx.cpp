#include "config/read/host_nic.h"
#include "config/read/job_text.h"
#include "config/read/mlnx_template.h"
#include "config/read/readers.h"

namespace railyard::host_text {

namespace {

bool is_mlnx_text(const ConfigText& text) {
  return !is_nic_template(text) && !is_kubernetes_job(text) && has_mlnx_marks(text.text);
}

Diagnostics read_mlnx_text(const ConfigText& text, Estate& estate) { return read_host_text(text, estate, Dialect::mlnx); }

}  // namespace

bool has_mlnx_marks(std::string_view text) {
  if (contains(text, "\n|---") || contains(text, "\n| ---")) return false;  // prose with tables
  for (const std::string_view mark :
       {"Priority trust state:", "dscp2prio mapping:", "PFC configuration:", "mlnx_qos -i", "ROCE_CC_PRIO_MASK_P1",
        "CNP_DSCP_P1", "cma_roce_tos", "/ecn/roce_np/", "/ecn/roce_rp/", "Global tclass=", "n_gids_found=", "/traffic_class",
        "hca_id:", "/cc_params/", " mlxconfig ", "mlxconfig -d"})
    if (contains(text, mark)) return true;
  if (contains(text, " ==> ") && contains(text, " port 1 ")) return true;  // ibdev2netdev
  return contains(text, "INDEX") && contains(text, "GID") && contains(text, "VER") && contains(text, "DEV");
}

}  // namespace railyard::host_text

namespace railyard {

std::vector<FileReader> mlnx_readers() {
  using namespace host_text;
  return {{"NicConfigurationTemplate of NVIDIA's operator", is_nic_template, read_nic_template},
          {"output of mlnx_qos, mlxconfig, show_gids and the like", is_mlnx_text, read_mlnx_text}};
}

}  // namespace railyard
