#include "expected/predict.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "scenario/presets.h"
#include "sim/simulate.h"

namespace railyard {

namespace {

constexpr std::uint32_t kMostFollowed = 1024;  // ranks whose flows are followed for a cause; beyond, closed forms

Document collective_of(const Curve& curve) {
  const SourceSpan here{"railyard diagnose", 0, 0};
  Document section(Document::Object{}, here);
  section.set("kind", Document(std::string(name_of(curve.kind)), here), here);
  Document sizes(Document::Array{}, here);
  for (const CurvePoint& point : curve.points) sizes.push(Document(format_exact(point.size), here));
  section.set("sizes", std::move(sizes), here);
  return section;
}

Result<std::vector<double>> times_of(const ExpectationRequest& request, const Catalog& catalog, const Scenario& scenario,
                                     const Curve& curve, const std::vector<std::string>& set) {
  std::vector<std::string> all = request.overrides;
  for (const std::string& one : overrides_for(curve, scenario)) all.push_back(one);
  all.insert(all.end(), set.begin(), set.end());
  const Result<Scenario> changed =
      load_named_scenario(request.scenario, catalog, all, {.workload = true, .collective = collective_of(curve)});
  if (!changed) return changed.error();
  Progress ignored;
  const Result<Run> run = simulate(*changed, {.threads = 1}, ignored);
  if (!run) return run.error();
  std::vector<double> times;
  for (const CollectiveRun& point : run->collectives) times.push_back(seconds(point.time));
  return times;
}

/// Whether both are the same collective of a group of the same size: pairs of nodes are measured by the dozen.
bool are_alike(const Curve& a, const Curve& b) {
  return a.kind == b.kind && a.ranks == b.ranks && a.nodes == b.nodes &&
         std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(),
                    [](const CurvePoint& x, const CurvePoint& y) { return x.size == y.size; });
}

}  // namespace

std::vector<std::string> overrides_for(const Curve& curve, const Scenario& scenario) {
  std::vector<std::string> set;
  const std::uint32_t per_node = std::max(1U, curve.ranks / curve.nodes);
  const FabricPlan& fabric = scenario.fabric;
  if (per_node != fabric.per_node && fabric.per_node > 0 && fabric.topology != Topology::file && curve.nodes > 1) {
    const std::uint32_t nics = std::max(1U, fabric.interfaces_per_node * per_node / fabric.per_node);
    set.push_back(fmt::format("cluster.gpus_per_node={}", per_node));
    set.push_back(fmt::format("cluster.nics_per_node={}", nics));
    set.push_back(fmt::format("cluster.gpus={}", curve.ranks));
  } else if (curve.ranks > fabric.endpoints) {
    set.push_back(fmt::format("cluster.gpus={}", (curve.ranks + fabric.per_node - 1) / fabric.per_node * fabric.per_node));
  }
  if (const auto& asked = scenario.workload.collective) {  // what the scenario forces is meant
    if (asked->algorithm != CollectiveAlgorithm::automatic)
      set.push_back(fmt::format("collective.algorithm={}", name_of(asked->algorithm)));
    if (asked->protocol != ProtocolChoice::automatic)
      set.push_back(fmt::format("collective.protocol={}", name_of(asked->protocol)));
  }
  set.push_back(fmt::format("collective.group={}", curve.ranks));
  set.push_back(fmt::format("engine.fidelity={}", curve.nodes > 1 && curve.ranks <= kMostFollowed ? "flow" : "analytic"));
  return set;
}

Result<PredictedTimes> predict(const ExpectationRequest& request, const Catalog& catalog, const Scenario& scenario,
                               const std::vector<Curve>& curves, const std::vector<std::string>& set, Progress& progress) {
  PredictedTimes times;
  progress.expect(curves.size());
  Diagnostics refused;
  for (const Curve& curve : curves) {
    progress.add(1);
    const auto alike = std::find_if(curves.begin(), curves.begin() + static_cast<std::ptrdiff_t>(times.size()),
                                    [&](const Curve& other) { return are_alike(curve, other); });
    if (const auto known = static_cast<std::size_t>(alike - curves.begin()); known < times.size()) {
      times.push_back(std::vector<double>(times[known]));
      continue;
    }
    const Result<std::vector<double>> of_curve = curve.points.empty() ? Result<std::vector<double>>(std::vector<double>{})
                                                                      : times_of(request, catalog, scenario, curve, set);
    if (!of_curve && refused.empty()) refused = of_curve.error();
    times.push_back(of_curve ? *of_curve : std::vector<double>{});
  }
  const bool any = std::any_of(times.begin(), times.end(), [](const auto& of_curve) { return !of_curve.empty(); });
  if (!any && !refused.empty()) return refused;
  return times;
}

}  // namespace railyard
