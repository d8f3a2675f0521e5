// Files for runners that exist: ROCm CVS, azurehpc health checks (NHC), SuperBench. Their formats: docs/validate.md.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/json.h"
#include "tools/validate/plan.h"

namespace railyard {

namespace {

Document json_text(std::string value) { return Document(std::move(value)); }

std::string two_digits(double value) { return fmt::format("{:.2f}", value); }

Document strings(std::initializer_list<std::string> values) {
  Document out = Document::array();
  for (const std::string& one : values) out.push(json_text(one));
  return out;
}

Document object_of(std::initializer_list<std::pair<const char*, std::string>> members) {
  Document out = Document::object();
  for (const auto& [key, value] : members) out.set(key, json_text(value));
  return out;
}

/// { "8589934592": { "bus_bw": "304.00" } } for every size.
Document cvs_sizes(const ExpectedCollective& one) {
  Document sizes = Document::object();
  for (std::size_t i = 0; i < one.times.size(); i++)
    sizes.set(std::to_string(one.curve.points[i].size.count()),
              object_of({{"bus_bw", two_digits(least_bandwidth(one, i) / 1e9)}}));
  return sizes;
}

/// The configuration of rccl_perf. Thresholds have what predictions are off by taken off already: no more tolerance.
PlanFile cvs_rccl(const ValidationCluster& c, const TestScope& scope) {
  Document collectives = Document::array(), results = Document::object();
  for (const ExpectedCollective& one : c.collectives) {
    if (one.scope.name != scope.name || one.phase == ValidationPhase::failures) continue;
    const std::string test = test_name(one.curve.kind) + "_perf";
    collectives.push(json_text(test));
    results.set(fmt::format("{}-float-{}", test, scope.ranks), cvs_sizes(one));
  }
  Document parameters = object_of({{"rccl_tests_dir", "/opt/rccl-tests/build"},
                                   {"start_msg_size", "1048576"},
                                   {"end_msg_size", "8g"},
                                   {"step_function", "2"},
                                   {"threads_per_gpu", "1"},
                                   {"warmup_iterations", "10"},
                                   {"no_of_iterations", "20"},
                                   {"no_of_cycles", "1"},
                                   {"check_iteration_count", "1"}});
  parameters.set("rccl_collective", std::move(collectives));
  parameters.set("data_types", strings({"float"}));
  Document cvs = object_of({{"cluster_snapshot_debug", "False"},
                            {"verify_bus_bw", "True"},
                            {"bus_bw_tolerance", "1.0"},
                            {"verify_bw_dip", "True"},
                            {"verify_lat_dip", "True"},
                            {"rccl_result_file", "/tmp/rccl_result_file.json"}});
  if (scope.nodes == 1) {
    cvs.set("fabric", json_text("scale_up"));
    Document inside = Document::object();
    inside.set("scale_up", std::move(results));
    results = std::move(inside);
  }
  Document rccl = Document::object();
  rccl.set("mpi_params", object_of({{"no_of_nodes", std::to_string(scope.nodes)},
                                    {"no_of_local_ranks", std::to_string(c.gpus_per_node)},
                                    {"mpi_pml", "auto"},
                                    {"mpi_dir", "<changeme>"},
                                    {"mpi_oob_port", "<changeme>"}}));
  rccl.set("env_source_script", json_text("none"));
  rccl.set("rccl_test_params", std::move(parameters));
  rccl.set("cvs_params", std::move(cvs));
  rccl.set("results", std::move(results));
  Document out = Document::object();
  out.set("rccl", std::move(rccl));
  return {fmt::format("cvs/rccl_{}_config.json", scope.name), write_json(out)};
}

const ExpectedValue* find_value(const ValidationPlan& plan, std::string_view prefix) {
  const auto found =
      std::find_if(plan.values.begin(), plan.values.end(), [&](const ExpectedValue& v) { return v.id.starts_with(prefix); });
  return found == plan.values.end() ? nullptr : &*found;
}

PlanFile cvs_perftest(const ExpectedValue& rate) {
  Document ibperf = object_of({{"install_perf_package", "True"},
                               {"install_dir", "/home/{user-id}/"},
                               {"rocm_dir", "<changeme>"},
                               {"gid_index", "3"},
                               {"port_no", "1516"},
                               {"duration", "30"},
                               {"verify_bw", "True"}});
  ibperf.set("qp_count_list", strings({"4"}));
  ibperf.set("ib_bw_test_list", strings({"ib_write_bw"}));
  ibperf.set("ib_lat_test_list", strings({"ib_write_lat"}));
  Document sizes = Document::array();
  sizes.push(Document(std::int64_t{8388608}));
  ibperf.set("msg_size_list", std::move(sizes));
  Document by_size = Document::object(), by_test = Document::object(), out = Document::object();
  by_size.set("8388608", object_of({{"4", two_digits(rate.threshold)}}));
  by_test.set("ib_write_bw", std::move(by_size));
  ibperf.set("expected_results", std::move(by_test));
  out.set("ibperf", std::move(ibperf));
  return {"cvs/ibperf_config.json", write_json(out)};
}

PlanFile health_checks(const ValidationPlan& plan) {
  const ValidationCluster& c = plan.cluster;
  const bool amd = c.library == "RCCL";
  std::string lines = "# NHC checks for " + c.name + "\n# <hostmask> || <check>\n";
  for (std::uint32_t nic = 0; nic < c.nics_per_node && !c.pairs.empty(); nic++)
    lines += fmt::format(" * || check_hw_ib {} {}:1\n", c.port_rate.count() / 1'000'000'000, device_name(c, nic));
  lines += fmt::format(" * || check_gpu_count {}{}\n", c.gpus_per_node, amd ? " rocm" : "");
  for (const ExpectedCollective& one : c.collectives) {
    if (one.scope.name != "server" || one.curve.kind != CollectiveKind::all_reduce || one.times.empty()) continue;
    const double least = least_bandwidth(one, one.times.size() - 1) / 1e9;
    lines += amd ? fmt::format(" * || check_rccl_allreduce {:.1f} 1 8G\n", least)
                 : fmt::format(
                       "# the third word is NCCL_TOPO_FILE: name the one of your servers\n"
                       " * || check_nccl_allreduce {:.1f} 1 /etc/nccl-topo.xml 8G\n",
                       least);
  }
  if (const ExpectedValue* rate = find_value(plan, "ib_write_bw/"))
    lines += fmt::format(" * || {} {:.0f}\n", amd ? "check_ib_bw_non_gdr" : "check_ib_bw_gdr", rate->threshold);
  lines += " * || check_ib_link_flapping 6\n";
  return {"nhc/nhc.conf", lines};
}

/// What SuperBench calls an operation; empty where it has none.
std::string operation_of(CollectiveKind kind) {
  static const std::map<CollectiveKind, std::string> names = {{CollectiveKind::all_reduce, "allreduce"},
                                                              {CollectiveKind::all_gather, "allgather"},
                                                              {CollectiveKind::reduce_scatter, "reducescatter"},
                                                              {CollectiveKind::all_to_all, "alltoall"}};
  const auto found = names.find(kind);
  return found == names.end() ? "" : found->second;
}

std::string rule_text(const std::string& name, const std::string& category, double least,
                      const std::vector<std::string>& metrics) {
  std::string out = fmt::format(
      "    {}:\n      function: variance\n      criteria: \"lambda x:x<{:.3f}\"\n      categories: {}\n"
      "      metrics:\n",
      name, least - 1, category);
  for (const std::string& metric : metrics) out += "        - " + metric + "\n";
  return out;
}

class SuperBench {
 public:
  std::vector<PlanFile> files(const ValidationPlan& plan) {
    const std::string library = plan.cluster.library == "RCCL" ? "rccl-bw" : "nccl-bw";
    for (const ExpectedCollective& one : plan.cluster.collectives)
      if (one.phase != ValidationPhase::failures) add(library, one);
    if (const ExpectedValue* rate = find_value(plan, "ib_write_bw/")) add(*rate, plan.cluster.nics_per_node);
    std::string text = "# SuperBench rules for " + plan.cluster.name + "\nversion: v0.10\nsuperbench:\n  rules:\n" +
                       "    failure-rule:\n      function: failure_check\n      criteria: \"lambda x:x>0\"\n" +
                       "      categories: Failed\n      metrics:\n";
    for (const auto& [benchmark, unused] : benchmarks_) text += "        - " + benchmark + "/return_code\n";
    return {{"superbench/rules.yaml", text + rules_}, {"superbench/baseline.json", write_json(baseline_)}};
  }

 private:
  void add(const std::string& library, const ExpectedCollective& one) {
    const std::string operation = operation_of(one.curve.kind), benchmark = library + ":" + one.scope.name;
    if (operation.empty() || one.times.empty()) return;
    const std::size_t last = one.times.size() - 1;
    const Bytes size = one.curve.points[last].size;
    const double expected = bus_bandwidth_of(one.curve, size, one.times[last]);
    const std::string metric = fmt::format("{}/{}_{}_busbw:0", benchmark, operation, size.count());
    benchmarks_[benchmark] = true;
    baseline_.set(metric, Document(expected / 1e9));
    rules_ += rule_text(fmt::format("{}-{}", operation, one.scope.name), library == "rccl-bw" ? "RCCL" : "NCCL",
                        least_bandwidth(one, last) / expected, {metric});
  }

  /// Each NIC with itself; the unit is GB/s there.
  void add(const ExpectedValue& rate, std::uint32_t nics) {
    std::vector<std::string> metrics;
    for (std::uint32_t nic = 0; nic < nics; nic++) {
      metrics.push_back(fmt::format("ib-loopback/ib_write_bw_8388608:{}", nic));
      baseline_.set(metrics.back(), Document(rate.expected / 8));
    }
    benchmarks_["ib-loopback"] = true;
    rules_ += rule_text("ib-loopback", "IB", rate.threshold / rate.expected, metrics);
  }

  std::map<std::string, bool> benchmarks_;
  std::string rules_;
  Document baseline_ = Document::object();
};

}  // namespace

std::vector<PlanFile> runner_files(const ValidationPlan& plan) {
  std::vector<PlanFile> files = SuperBench().files(plan);
  files.push_back(health_checks(plan));
  if (plan.cluster.library != "RCCL") return files;
  for (const TestScope& scope : plan.cluster.scopes) files.push_back(cvs_rccl(plan.cluster, scope));
  if (const ExpectedValue* rate = find_value(plan, "ib_write_bw/")) files.push_back(cvs_perftest(*rate));
  return files;
}

}  // namespace railyard
