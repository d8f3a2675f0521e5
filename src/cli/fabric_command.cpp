#include "cli/fabric_command.h"

#include <iostream>

#include "catalog/catalog.h"
#include "cli/output.h"
#include "export/cluster_files.h"
#include "fabric/build.h"
#include "tools/fabric/fabric_report.h"
#include "tools/fabric/picture/dot.h"
#include "tools/fabric/picture/svg.h"

namespace railyard {

namespace {

NcclServer server_of(const Scenario& scenario) {
  const auto* const gpu = builtin_catalog().gpus.find(scenario.workload.gpu_model);
  const ScaleUpPlan& inside = scenario.fabric.scale_up;
  return {.gpus = scenario.fabric.per_node,
          .nics = scenario.fabric.interfaces_per_node,
          .nic_rate = scenario.fabric.link_rate,
          .is_amd = gpu && gpu->fact.vendor == "AMD",
          .scale_up_rate = inside.domain > 1 ? inside.rate : BitsPerSecond::zero(),
          .scale_up_switched = inside.wiring == ScaleUpWiring::switched};
}

bool write_cluster_files(const Scenario& scenario, const Fabric& fabric, const Options& options) {
  return (options.slurm_topology.empty() || write_output(slurm_topology(fabric), "--slurm-topology", options)) &&
         (options.nccl_topology.empty() || write_output(nccl_topology(server_of(scenario)), "--nccl-topology", options));
}

}  // namespace

int fabric_command(const Options& options) {
  const Result<Scenario> scenario = load_input(options.files.front(), overrides_of(options), options, {.workload = false});
  if (!scenario) return complain(scenario.error(), options);
  if (options.outputs->overwrite_inputs()) return kBadInput;
  const Result<Fabric> fabric = build_fabric(scenario->fabric, scenario->keys);
  if (!fabric) return complain(fabric.error(), options);

  const FabricSummary summary = summarise(*scenario, *fabric, builtin_catalog());
  const bool written = write_results(fabric_document(summary), options) &&
                       (options.svg.empty() || write_output(fabric_svg(*fabric, summary), "--svg", options)) &&
                       (options.dot.empty() || write_output(fabric_dot(*fabric, summary), "--dot", options)) &&
                       write_cluster_files(*scenario, *fabric, options);
  if (!written) return kFoundErrors;
  const bool is_silent = options.quiet || options.json == "-" || options.svg == "-" || options.dot == "-" ||
                         options.slurm_topology == "-" || options.nccl_topology == "-";
  if (!is_silent) write_terminal(fabric_report(summary), terminal_width(), std::cout);
  return kFine;
}

}  // namespace railyard
