// The plan as a document: per phase what is run, what it should give, what it must give.
#include <fmt/format.h>

#include "base/quantity_text.h"
#include "tools/validate/plan.h"

namespace railyard {

namespace {

std::string value_text(double value) { return value >= 100 ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value); }

std::string values_table(const ValidationPlan& plan, ValidationPhase phase) {
  std::string text;
  for (const ExpectedValue& one : plan.values) {
    if (one.phase != phase) continue;
    if (text.empty()) text = "\n| what | expected | pass | from | others ask for |\n|---|---:|---:|---|---|\n";
    text +=
        fmt::format("| {} | {} {} | {} {} | {} | {} |\n", one.what, value_text(one.expected), one.unit, one.is_most ? "≤" : "≥",
                    value_text(one.threshold), one.basis, one.practice.empty() ? "–" : one.practice);
  }
  return text;
}

std::string shell(const std::vector<std::string>& commands) {
  std::string text = "\n```sh\n";
  for (const std::string& one : commands) text += one + "\n";
  return text + "```\n";
}

std::vector<std::string> laboratory_commands(const ValidationCluster& c) {
  std::vector<std::string> out = {"railyard settings SCENARIO     # what switches, NICs and jobs are to be set to",
                                  "railyard lint configs/          # configurations as they are, of all devices together",
                                  "ibv_devinfo -v; rdma link       # on every server: firmware, active MTU, GIDs, state"};
  if (c.transport == TransportKind::roce)
    out.emplace_back("ethtool -i INTERFACE; ethtool -m INTERFACE   # driver, firmware, optics");
  out.push_back(fmt::format("NCCL_DEBUG=INFO {}_perf …   # keep the log: HCAs, GPUDirect, version", "all_reduce"));
  return out;
}

std::vector<std::string> phase_commands(const ValidationPlan& plan, ValidationPhase phase) {
  const ValidationCluster& c = plan.cluster;
  const std::string library = c.library == "RCCL" ? "rccl" : "nccl";
  std::vector<std::string> out;
  if (phase == ValidationPhase::laboratory) return laboratory_commands(c);
  if (phase == ValidationPhase::baseline)
    for (const NicPair& pair : c.pairs) out.push_back(fmt::format("bash commands/perftest_{}.sh", pair.name));
  if (phase == ValidationPhase::synthetic && !c.pairs.empty() && c.nodes >= 3)
    out.emplace_back("bash commands/perftest_incast.sh");
  for (const TestScope& scope : c.scopes)
    for (const ExpectedCollective& one : c.collectives)
      if (one.phase == phase && one.scope.name == scope.name) {
        out.push_back(
            fmt::format("bash commands/{}_tests_{}.sh   # or: sbatch sbatch/{}.sbatch", library, scope.name, scope.name));
        break;
      }
  if (phase == ValidationPhase::operational)
    out = {"railyard validate judge SCENARIO logs/   # after every change of firmware or configuration",
           "railyard diagnose --scenario SCENARIO logs/   # when something is slow"};
  return out;
}

std::string failures_text(const ValidationCluster& c) {
  if (c.failures.empty()) return "\nNothing of this network can be taken away by name.\n";
  const TestScope* scope = nullptr;
  std::string text =
      "\nTake each away while the tests run, and put their logs where they are judged:\n\n"
      "| what fails | logs go to | expected |\n|---|---|---|\n";
  for (const ExpectedCollective& one : c.collectives) {
    if (one.phase != ValidationPhase::failures || one.failure.empty()) continue;
    scope = &one.scope;
    if (one.times.empty() && one.curve.kind != CollectiveKind::all_reduce) continue;  // it was said already
    const std::string then =
        one.times.empty()
            ? fmt::format("the job stops ({}): it must be told so, and start again without the server", one.refused)
            : fmt::format("{} at {}: {} GB/s", test_name(one.curve.kind), format(one.curve.points.back().size),
                          value_text(bus_bandwidth_of(one.curve, one.curve.points.back().size, one.times.back()) / 1e9));
    for (const FailureTest& failure : c.failures)
      if (failure.id == one.failure) text += fmt::format("| {} | `logs/failures/{}/` | {} |\n", failure.name, failure.id, then);
  }
  if (scope)
    text += fmt::format("\nThe tests are all_reduce and alltoall over the first {} servers ({} ranks).\n", scope->nodes,
                        scope->ranks);
  return text;
}

constexpr std::string_view kCounters =
    "\nRead counters before and after every phase (`ethtool -S`, `rdma statistic`, counters of switches) into its folder of "
    "logs. Pass:\n\n"
    "| counter | pass | from |\n|---|---|---|\n"
    "| corrupted packets, symbol errors, links that went down | none | a healthy link has none after FEC |\n"
    "| dropped, out of sequence, sent again | at most 1 of 100,000 packets | loss that operators accept (spiderpool) |\n"
    "| PFC storms, watchdogs that fired | none | a storm stops everybody behind it |\n"
    "| PFC pauses without load | none | nobody is slow then |\n"
    "| ECN marks under synthetic load, where ECN is on | some | none means that ECN is not configured |\n";

constexpr std::string_view kOperational =
    "\n- Alerts: any link that flaps; any retransmission beyond 1 of 100,000 packets; pauses that go on for five minutes; a "
    "step that takes 10 % longer than the median of the day.\n"
    "- Dashboards: pauses, marks, CNPs and drops per priority and port; load of uplinks per leaf; step time.\n"
    "- Runbook: who may change ECN and PFC thresholds, which firmware is approved, who is called.\n"
    "- Criterion for \"degraded by the network\": `railyard diagnose` says yes.\n";

std::string phase_text(const ValidationPlan& plan, ValidationPhase phase) {
  const PhaseText& text = text_of(phase);
  std::string out = fmt::format("\n## {}. {}\n\nWhat is looked at: {}. What must come out: {}.\n", static_cast<int>(phase) + 1,
                                text.title, text.aim, text.result);
  const std::vector<std::string> commands = phase_commands(plan, phase);
  if (!commands.empty()) out += shell(commands);
  if (phase == ValidationPhase::laboratory) {
    const ValidationCluster& c = plan.cluster;
    out += fmt::format(
        "\n| what | pass |\n|---|---|\n| NICs that {} uses | {} a server |\n| rate of a port | {} |\n| RDMA MTU | {} |\n"
        "| GPUDirect RDMA | on, for every NIC |\n| version of {}, drivers, firmware | one of each |\n",
        c.library, c.nics_per_node, format(c.port_rate), c.mtu.count(), c.library);
  }
  if (phase == ValidationPhase::baseline) out += kCounters;
  if (phase == ValidationPhase::failures) out += failures_text(plan.cluster);
  if (phase == ValidationPhase::operational) out += kOperational;
  return out + values_table(plan, phase);
}

std::string files_text(const ValidationPlan& plan) {
  std::string text =
      "\n## Files\n\n| file | for |\n|---|---|\n| `thresholds.json` | the numbers of this plan, for programs |\n"
      "| `commands/` | perftest and collective tests by pair, leaf and pod; `hosts.txt` names the servers, one a line |\n"
      "| `sbatch/` | the same for Slurm |\n| `nhc/nhc.conf` | Node Health Check with the tests of azurehpc-health-checks |\n"
      "| `superbench/` | `sb result diagnosis --rule-file rules.yaml --baseline-file baseline.json`; benchmarks are named "
      "after scopes (`nccl-bw:pair`) |\n";
  if (plan.cluster.library == "RCCL") text += "| `cvs/` | ROCm CVS: `rccl_perf` and `ibperf` |\n";
  return text;
}

}  // namespace

std::string plan_markdown(const ValidationPlan& plan) {
  const ValidationCluster& c = plan.cluster;
  std::string out = fmt::format(
      "# Validation of {}\n\n{} servers with {} {} and {} NIC ports of {} each, over {}. Every expected value is computed from "
      "this fabric. Run `railyard validate judge SCENARIO logs/` at any time: it says which phases pass.\n",
      c.name, format_count(c.nodes), c.gpus_per_node, c.gpu, c.nics_per_node, format(c.port_rate), name_of(c.transport));
  for (std::size_t i = 0; i < kValidationPhases; i++) out += phase_text(plan, static_cast<ValidationPhase>(i));
  return out + files_text(plan);
}

}  // namespace railyard
