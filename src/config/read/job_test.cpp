#include <gtest/gtest.h>

#include "config/read/readers.h"

namespace railyard {
namespace {

Estate read_job(const std::string& text, const std::string& file = "train.sh") {
  Estate estate;
  int readers = 0;
  const std::string name = file.substr(0, file.find('.'));
  for (const FileReader& reader : file_readers()) readers += reader.recognises({file, name, text}) ? 1 : 0;
  EXPECT_EQ(readers, 1) << text;
  EXPECT_TRUE(read_config({file, name, text}, estate).empty());
  return estate;
}

std::string value_of(const Device& job, std::string_view name) {
  const auto found = job.environment.find(name);
  return found == job.environment.end() ? "(unset)" : found->second.value;
}

TEST(ReadJob, nccl_conf_keeps_the_first_of_two) {
  const Estate estate =
      read_job("# fabric\nNCCL_IB_TC=106\nNCCL_IB_HCA==mlx5_0,mlx5_1\nNCCL_NET_PLUGIN={{ hpcx_path }}\nNCCL_IB_TC=0\n",
               "gpu01/nccl.conf");
  const Device& job = estate.devices.at(0);
  EXPECT_EQ(job.kind, DeviceKind::job);
  EXPECT_EQ(job.dialect, Dialect::environment);
  EXPECT_EQ(value_of(job, "NCCL_IB_TC"), "106");
  EXPECT_EQ(value_of(job, "NCCL_IB_HCA"), "=mlx5_0,mlx5_1") << "a leading = is an exact match";
  EXPECT_EQ(value_of(job, "NCCL_NET_PLUGIN"), "{{ hpcx_path }}");
  EXPECT_EQ(job.environment.at("NCCL_IB_TC").where.line, 2U);
  EXPECT_EQ(job.nodes, std::vector<std::string>{"gpu01/nccl"}) << "what the path calls the host";
}

TEST(ReadJob, batch_scripts_export_in_many_ways) {
  const Estate estate = read_job(R"(#!/bin/bash
#SBATCH --nodes=3
#SBATCH --nodelist=gpu[01-02,7],login1
#SBATCH --export=ALL,NCCL_DEBUG=INFO
TC=106
export NCCL_IB_TC=$TC NCCL_IB_GID_INDEX="3"   # RoCE v2
export NCCL_IB_TIMEOUT=${TIMEOUT:-22}
NCCL_IB_HCA='^mlx5_2'
setenv NCCL_ALGO Ring
echo NCCL_PROTO=LL
source /opt/site/env.sh
export NCCL_P2P_DISABLE=1; unset NCCL_P2P_DISABLE
srun --export=ALL,NCCL_CROSS_NIC=1 mpirun -np 8 \
  -x NCCL_PXN_DISABLE=0 \
  -x LD_LIBRARY_PATH \
  -genv NCCL_BUFFSIZE 8388608 ./train --lr=0.1
)");
  const Device& job = estate.devices.at(0);
  EXPECT_EQ(job.name, "train");
  EXPECT_EQ(value_of(job, "NCCL_DEBUG"), "INFO");
  EXPECT_EQ(value_of(job, "NCCL_IB_TC"), "106");
  EXPECT_EQ(value_of(job, "NCCL_IB_GID_INDEX"), "3");
  EXPECT_EQ(value_of(job, "NCCL_IB_TIMEOUT"), "22");
  EXPECT_EQ(value_of(job, "NCCL_IB_HCA"), "^mlx5_2");
  EXPECT_EQ(value_of(job, "NCCL_ALGO"), "Ring");
  EXPECT_EQ(value_of(job, "NCCL_PROTO"), "(unset)") << "only printed";
  EXPECT_EQ(value_of(job, "NCCL_P2P_DISABLE"), "(unset)");
  EXPECT_EQ(value_of(job, "NCCL_CROSS_NIC"), "1");
  EXPECT_EQ(value_of(job, "NCCL_PXN_DISABLE"), "0");
  EXPECT_EQ(value_of(job, "NCCL_BUFFSIZE"), "8388608");
  EXPECT_EQ(value_of(job, "TC"), "(unset)");
  EXPECT_EQ(job.environment.at("NCCL_PXN_DISABLE").where.line, 14U) << "its own line, not the command's";
  EXPECT_EQ(job.nodes, (std::vector<std::string>{"gpu01", "gpu02", "gpu7", "login1"}));
  ASSERT_EQ(job.unread.size(), 1U);
  EXPECT_EQ(job.unread[0].statement, "source /opt/site/env.sh");
}

TEST(ReadJob, manifests_have_variables_in_lists_and_in_shell) {
  const Estate estate = read_job(R"(apiVersion: v1
kind: Service
metadata: {name: headless}
---
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata:
  name: all-reduce
spec:
  Launcher:
    containers:
    - name: l
      env:
      - name: NCCL_IB_GID_INDEX
        value: "3"
      - {name: NCCL_IB_SL, value: {{ .Values.sl }}}
      command: ["bash", "-c"]
      args:
      - |
        source /opt/env.sh
        mpirun \
          -x NCCL_IB_TC=41 \
          -x NCCL_IB_HCA='=mlx5_0,mlx5_1' \
          ./all_reduce_perf
  Worker:
    nodeSelector: {kubernetes.io/hostname: gpu03}
    containers: [{name: w, args: ["mpirun", "-x", "NCCL_ALGO=Ring"]}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data:
  NCCL_DEBUG: WARN
  nccl.conf: |
    NCCL_IB_TC=106
)",
                                 "jobs.yaml");
  ASSERT_EQ(estate.devices.size(), 2U);
  const Device& job = estate.devices[0];
  EXPECT_EQ(job.name, "all-reduce");
  EXPECT_EQ(value_of(job, "NCCL_IB_GID_INDEX"), "3");
  EXPECT_EQ(value_of(job, "NCCL_IB_SL"), "{{ .Values.sl }}");
  EXPECT_EQ(value_of(job, "NCCL_IB_TC"), "41");
  EXPECT_EQ(value_of(job, "NCCL_IB_HCA"), "=mlx5_0,mlx5_1");
  EXPECT_EQ(value_of(job, "NCCL_ALGO"), "Ring");
  EXPECT_EQ(job.environment.at("NCCL_IB_TC").where.line, 22U);
  EXPECT_EQ(job.nodes, std::vector<std::string>{"gpu03"});
  ASSERT_EQ(job.unread.size(), 1U);
  EXPECT_EQ(job.unread[0].where.line, 20U);
  EXPECT_EQ(value_of(estate.devices[1], "NCCL_DEBUG"), "WARN");
  EXPECT_EQ(value_of(estate.devices[1], "NCCL_IB_TC"), "106");
}

TEST(ReadJob, two_files_with_one_name_are_two_jobs) {
  Estate estate;
  const std::string text = "apiVersion: v1\nkind: Pod\nmetadata: {name: test}\nspec: {containers: [{name: a}]}\n";
  for (const char* file : {"a", "b"}) EXPECT_TRUE(read_config({std::string(file) + ".yaml", file, text}, estate).empty());
  ASSERT_EQ(estate.devices.size(), 2U);
  EXPECT_EQ(estate.devices[1].name, "test of b");
}

TEST(ReadJob, notes_have_a_job_for_each_heading) {
  const Estate estate = read_job(
      "# Settings\n\n## H100\n\n```\nNCCL_IB_TC=41\n```\n\n## MI300X\n\n```sh\nexport NCCL_IB_TC=106\n```\n", "notes.md");
  ASSERT_EQ(estate.devices.size(), 2U);
  EXPECT_EQ(estate.devices[0].name, "H100");
  EXPECT_EQ(value_of(estate.devices[0], "NCCL_IB_TC"), "41");
  EXPECT_EQ(estate.devices[1].environment.at("NCCL_IB_TC").where.line, 12U);
}

TEST(ReadJob, logs_and_results_are_no_jobs) {
  for (const char* text : {"h0:11:22 [0] NCCL INFO NCCL_IB_TC set by environment to 106.\n",
                           "mpirun -x NCCL_IB_TC=41 all_reduce_perf\n#  size  count  type  redop  time  algbw  busbw\n",
                           "<system version=\"1\"><cpu numaid=\"0\"/></system>\n", "plain words\n", ""}) {
    Estate estate;
    ASSERT_EQ(read_config({"x", "x", text}, estate).size(), 1U) << text;
    EXPECT_TRUE(estate.devices.empty());
  }
}

}  // namespace
}  // namespace railyard
