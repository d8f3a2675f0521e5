// Faults that are known because they were put in: a cause is simulated, 3 % of noise added, its logs and counters written as
// such a cluster would, and the cause forgotten. How often is it found?
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <set>

#include "base/rng.h"
#include "base/temporary_folder.h"
#include "scenario/presets.h"
#include "tools/diagnose/diagnose.h"
#include "tools/diagnose/signs.h"

namespace railyard {
namespace {

constexpr double kNoiseOfTest = 0.03;

/// Servers of eight H100 on rails under two tiers, that hash.
constexpr const char* kRails = R"(name = "rails"
[cluster]
gpu = "H100-SXM-80"
gpus = 128
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
topology = "rail-optimized"
switch = "Tomahawk-5"
hosts_per_leaf = 8
[routing]
policy = "ecmp"
)";

/// Eight H100 alone.
constexpr const char* kServer = R"(name = "server"
[cluster]
gpu = "H100-SXM-80"
gpus = 8
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
switch = "Tomahawk-5"
)";

/// Ranks that sit anywhere, so that nearly all flows climb to the spines; switches that spread packets, as they should.
constexpr const char* kScattered = R"(name = "scattered"
[cluster]
gpu = "H200-SXM-141"
gpus = 128
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 16
[placement]
policy = "round-robin"
[routing]
policy = "adaptive"
)";

constexpr const char* kThreeTiers = R"(name = "three tiers"
[cluster]
gpu = "A100-SXM-80"
gpus = 128
gpus_per_node = 8
nic = "ConnectX-6"
[fabric]
topology = "clos3"
switch = "Tomahawk-5"
hosts_per_leaf = 16
hosts_per_pod = 64
[routing]
policy = "ecmp"
)";

constexpr const char* kMesh = R"(name = "mesh"
[cluster]
gpu = "MI300X"
gpus = 64
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 16
)";

/// A fault of one severity, or of one between two that are tried: nobody's fault is one of a list.
struct Fault {
  Variant first, second;
  double share = 0;  // of the second
};

Fault any_of(const std::vector<Variant>& variants, Rng& rng) {
  const std::size_t i = rng.below(static_cast<std::uint32_t>(variants.size()));
  const bool has_next = variants[i].continues && i + 1 < variants.size();
  return {variants[i], variants[has_next ? i + 1 : i], has_next ? rng.unit() : 0};
}

/// One cluster, with everything predicted once.
class Cluster {
 public:
  explicit Cluster(const char* text) : request_{folder_.write("cluster.toml", text), {}, 0} {
    const Result<Scenario> scenario = load_named_scenario(request_.scenario, builtin_catalog(), {}, {.workload = false});
    EXPECT_TRUE(scenario.has_value());
    for (const CollectiveKind kind : {CollectiveKind::all_reduce, CollectiveKind::all_to_all}) {
      Curve curve{
          .kind = kind, .ranks = scenario->fabric.endpoints, .points = {}, .hosts = {}, .library = {}, .file = "seeded"};
      curve.nodes = curve.ranks / 8;  // servers
      for (Bytes size = 16_MiB; size <= 8_GiB; size = size * 4) curve.points.push_back({.size = size, .where = {}});
      curves_.push_back(std::move(curve));
    }
    facts_ = facts_of(*scenario, builtin_catalog(), curves_);
    Progress progress;
    predictions_ = predict_causes(request_, builtin_catalog(), *scenario, curves_, facts_, progress);
  }

  [[nodiscard]] const ClusterFacts& facts() const { return facts_; }
  [[nodiscard]] const PredictedTimes& times(const Variant& variant) const { return predictions_.by_set.at(variant.set); }
  [[nodiscard]] bool has(const Variant& variant) const { return predictions_.by_set.contains(variant.set); }

  /// What somebody would measure with it.
  [[nodiscard]] std::vector<Curve> measured(const Fault& fault, Rng& noise) const {
    std::vector<Curve> curves = curves_;
    const PredictedTimes &with = times(fault.first), &next = times(fault.second);
    const PredictedTimes& without = predictions_.by_set.at({});
    for (std::size_t i = 0; i < curves.size(); i++)
      for (std::size_t k = 0; k < curves[i].points.size(); k++) {
        CurvePoint& point = curves[i].points[k];
        const bool shows = !with[i].empty() && !next[i].empty() && point.size >= fault.first.from;
        const double first = shows ? with[i][k] * fault.first.slowdown : without[i][k];
        const double last = shows ? next[i][k] * fault.second.slowdown : without[i][k];
        const double time = first * std::pow(last / first, fault.share);
        point.time_s = time * std::exp(kNoiseOfTest * normal(noise));
        point.bus_bandwidth = static_cast<double>(point.size.count()) / point.time_s;
      }
    return curves;
  }

  [[nodiscard]] std::string found(const std::vector<Curve>& curves, const CauseSigns& signs) const {
    std::vector<Outlier> odd = odd_ones(signs.measured, curves, std::vector<double>(curves.size(), 1));
    odd.insert(odd.end(), signs.odd.begin(), signs.odd.end());
    const auto ranked = rank_causes(curves, predictions_, facts_, evidence_of({signs.measured, signs.estate, facts_, odd}));
    return std::string(ranked.front().cause->id);
  }

  /// How much slower the slowest point is.
  [[nodiscard]] double slowdown(const Variant& variant) const {
    const PredictedTimes& with = times(variant);
    const PredictedTimes& without = predictions_.by_set.at({});
    double most = 1;
    for (std::size_t i = 0; i < with.size(); i++)
      for (std::size_t k = 0; k < with[i].size(); k++) most = std::max(most, variant.slowdown * with[i][k] / without[i][k]);
    return most;
  }

 private:
  static double normal(Rng& rng) {
    double sum = -6;
    for (int i = 0; i < 12; i++) sum += rng.unit();
    return sum;
  }

  TemporaryFolder folder_;
  ExpectationRequest request_;
  std::vector<Curve> curves_;
  ClusterFacts facts_;
  CausePredictions predictions_;
};

struct Tally {
  int draws = 0, with_signs = 0, by_curve = 0;
  std::set<std::string> taken_for;
};

/// Draws faults on a cluster; those that cost less than a quarter anywhere are no faults anybody would ask about.
void draw(const Cluster& cluster, std::uint64_t seed, int draws_each, std::map<std::string, Tally>& tally) {
  constexpr double kNoticed = 1.25;
  for (const SlowCause& cause : all_causes()) {
    std::vector<Variant> variants;
    for (const Variant& variant : cause.variants(cluster.facts()))
      if (cluster.has(variant) && (cause.in == CauseIn::nothing || cluster.slowdown(variant) > kNoticed))
        variants.push_back(variant);
    if (variants.empty()) continue;
    const CauseSigns signs = signs_of(cause.id, cluster.facts());
    for (int i = 0; i < draws_each; i++) {
      Rng rng(seed, cause.id, static_cast<std::uint64_t>(i));
      const std::vector<Curve> curves = cluster.measured(any_of(variants, rng), rng);
      Tally& one = tally[std::string(cause.id)];
      one.draws++;
      const std::string found = cluster.found(curves, signs);
      one.with_signs += found == cause.id ? 1 : 0;
      one.by_curve += cluster.found(curves, {}) == cause.id ? 1 : 0;
      if (found != cause.id) one.taken_for.insert(found);
    }
  }
}

TEST(Seeded, faults_are_found_again) {
  std::map<std::string, Tally> tally;
  std::uint64_t seed = 20261117;
  for (const char* text : {kRails, kServer, kScattered, kThreeTiers, kMesh}) draw(Cluster(text), seed++, 6, tally);
  Tally all;
  for (const auto& [cause, one] : tally) {
    all.draws += one.draws, all.with_signs += one.with_signs, all.by_curve += one.by_curve;
    std::cout << "| `" << cause << "` | " << one.draws << " | " << one.by_curve << " | " << one.with_signs << " |";
    for (const std::string& other : one.taken_for) std::cout << " `" << other << "`";
    std::cout << " |\n";
  }
  std::cout << "| all | " << all.draws << " | " << all.by_curve << " | " << all.with_signs << " |\n";
  EXPECT_GE(all.draws, 300);
  EXPECT_GE(all.with_signs, 0.9 * all.draws);
}

}  // namespace
}  // namespace railyard
