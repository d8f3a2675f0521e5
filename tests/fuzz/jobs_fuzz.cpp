// Any bytes as a scenario file with [[job]]: the reader must answer with jobs or with findings, and jobs that it accepts must
// be refused cleanly or, if they are small, be played beside each other.
#include <algorithm>
#include <cstdint>
#include <string>

#include "answer/interference.h"
#include "catalog/catalog.h"
#include "scenario/jobs.h"

namespace railyard {
namespace {

constexpr Bytes kSmall = 64_KiB;

bool is_small(const TrafficSpec& traffic) {
  return traffic.size.value_or(kSmall) <= kSmall && traffic.burst.value_or(kSmall) <= kSmall && traffic.rounds <= 4 &&
         traffic.bursts <= 4 && traffic.flows_per_host <= 4 && traffic.background == 0 &&
         (!traffic.storage || (traffic.storage->load == 0 && traffic.storage->rounds <= 4 &&
                               traffic.storage->checkpoint.value_or(kSmall) <= kSmall));
}

/// Whether it is over in a moment.
bool is_small(const Scenario& s) {
  if (s.fabric.endpoints > 32 || s.job->turns > 2 || s.job->every > 1000_us || s.job->start > 1000_us) return false;
  if (s.workload.model) return *s.workload.training.global_batch <= 16;
  if (s.fabric.link_rate < 1_Gbps) return false;
  if (s.workload.collective) return s.workload.collective->sizes.front() <= kSmall;
  return s.workload.traffic && is_small(*s.workload.traffic);
}

bool have_one_kind(const ClusterJobs& cluster) {
  return std::all_of(cluster.jobs.begin(), cluster.jobs.end(), [&](const Scenario& job) {
    return job.workload.model.has_value() == cluster.jobs.front().workload.model.has_value();
  });
}

void show(const Diagnostics& findings) {
  RY_CHECK(!findings.empty(), "a refusal has a reason");
  for (const Diagnostic& d : findings) (void)to_text(d);
}

void play(const ClusterJobs& cluster) {
  const auto small = [](const Scenario& job) { return is_small(job); };
  if (cluster.jobs.size() > 3 || !have_one_kind(cluster) || !std::all_of(cluster.jobs.begin(), cluster.jobs.end(), small))
    return;
  if (cluster.jobs.front().engine.fidelity == Fidelity::packet && cluster.jobs.front().fabric.endpoints > 16) return;
  Progress progress;
  const Result<Interference> found = find_interference(cluster, {.threads = 1}, progress);
  if (!found) return show(found.error());
  (void)interference_document(*found);
  (void)interference_report(*found);
}

}  // namespace
}  // namespace railyard

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railyard;
  const std::string text(reinterpret_cast<const char*>(data), size);
  int depth = 0;
  const auto read = [&](const std::filesystem::path&) -> Result<std::string> {
    if (depth++ > 2) return std::string("name = \"x\"\n");
    return text;
  };
  const Result<Loaded> loaded = load_scenario_or_jobs(std::filesystem::path("fuzz.toml"), builtin_catalog(), {}, read);
  if (!loaded)
    show(loaded.error());
  else if (loaded->jobs)
    play(*loaded->jobs);
  return 0;
}
