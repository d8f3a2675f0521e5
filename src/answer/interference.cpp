#include "answer/interference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include "analysis/tier_loads.h"
#include "base/fingerprint.h"
#include "base/parallel.h"
#include "base/quantity_text.h"
#include "sim/jobs/jobs_run.h"
#include "sim/late_changes.h"
#include "sim/serving/serving_run.h"

namespace railyard {

namespace {

constexpr std::size_t kMostPairs = 28;  // of eight jobs
constexpr std::size_t kMostLinks = 10;  // that are listed
constexpr double kLeastShare = 0.001;   // of a link, that counts as using it

TurnTimes times_of(std::vector<double> seconds_taken) {
  TurnTimes times;
  if (seconds_taken.empty()) return times;
  std::sort(seconds_taken.begin(), seconds_taken.end());
  const auto count = static_cast<double>(seconds_taken.size());
  for (const double one : seconds_taken) times.mean += one / count;
  const auto at = [&](double share) { return seconds_taken[static_cast<std::size_t>(std::ceil(share * count)) - 1]; };
  times.median = at(0.5), times.p99 = at(0.99), times.most = seconds_taken.back();
  return times;
}

TurnTimes times_of(const PlayedJob& played) {
  std::vector<double> turns;
  for (const JobTurn& turn : played.turns) turns.push_back(seconds(turn.time));
  return times_of(std::move(turns));
}

/// Of the two that jobs have, if they have both.
void add_classes(const ClusterJobs& cluster, const PacketRecord& packets, std::vector<ClassFigures>& out) {
  constexpr std::pair<JobClass, std::uint8_t> kOfJobs[] = {{JobClass::data, kDataClass},
                                                           {JobClass::background, kBackgroundClass}};
  for (const auto& one : kOfJobs)
    if (std::none_of(cluster.jobs.begin(), cluster.jobs.end(),
                     [&](const Scenario& job) { return job.job->class_of_packets() == one.first; }))
      return;
  out.resize(std::size(kOfJobs));
  for (std::size_t i = 0; i < out.size(); i++) {
    const ClassRecord& record = packets.classes[kOfJobs[i].second];
    out[i].name = name_of(kOfJobs[i].first);
    out[i].marked += record.marked, out[i].pauses += record.pauses, out[i].dropped += record.dropped;
  }
}

/// Of all networks that were used.
std::optional<PacketFigures> packets_of(const ClusterJobs& cluster, const JobsRun& run) {
  std::optional<PacketFigures> out;
  for (const Telemetry* network : {&run.network, run.front_end ? &*run.front_end : nullptr}) {
    if (!network || !network->packets) continue;
    const PacketRecord& packets = *network->packets;
    if (!out) out.emplace();
    out->marked += packets.marked;
    out->pauses += packets.by_credits ? packets.credit_stalls : packets.pauses;
    out->timeouts += packets.timeouts;
    for (const std::uint64_t drops : packets.drops) out->dropped += drops;
    add_classes(cluster, packets, out->classes);
  }
  return out;
}

/// "0–3, 8".
std::string servers_text(const Fabric& fabric, const Placement& seats, std::uint32_t own) {
  std::set<std::uint32_t> servers;
  for (std::uint32_t i = static_cast<std::uint32_t>(seats.size()) - own; i < seats.size(); i++)
    servers.insert(fabric.server_of(seats[RankId(i)]));
  constexpr std::size_t kMost = 6;
  std::vector<std::string> runs;
  for (auto at = servers.begin(); at != servers.end();) {
    const std::uint32_t first = *at;
    std::uint32_t last = first;
    while (++at != servers.end() && *at == last + 1) last++;
    runs.push_back(first == last ? fmt::format("{}", first) : fmt::format("{}–{}", first, last));
  }
  if (runs.size() > kMost) return fmt::format("{} servers, {} to {}", servers.size(), *servers.begin(), *servers.rbegin());
  std::string text;
  for (const std::string& run : runs) text += (text.empty() ? "" : ", ") + run;
  return text.empty() ? "–" : text;
}

/// Every set of jobs that is played, and when each begins.
struct JobSets {
  std::vector<std::vector<JobStart>> runs;
  std::size_t together = 0;                                // the first are jobs alone
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  // after that
};

std::vector<JobStart> starts_of(const ClusterJobs& cluster, const std::vector<std::size_t>& who) {
  std::vector<JobStart> starts;
  for (const std::size_t job : who) starts.push_back({job, cluster.jobs[job].job->start});
  return starts;
}

JobSets sets_of(const ClusterJobs& cluster, bool all_pairs) {
  JobSets trials;
  std::vector<std::size_t> all;
  for (std::size_t job = 0; job < cluster.jobs.size(); job++) {
    all.push_back(job);
    trials.runs.push_back(starts_of(cluster, {job}));
  }
  if (all.size() == 1) return trials;  // alone is together
  trials.together = trials.runs.size();
  trials.runs.push_back(starts_of(cluster, all));
  const std::size_t pairs = all.size() * (all.size() - 1) / 2;
  if (!all_pairs || all.size() < 3 || pairs > kMostPairs) return trials;
  for (std::size_t a = 0; a < all.size(); a++)
    for (std::size_t b = a + 1; b < all.size(); b++) {
      trials.pairs.emplace_back(a, b);
      trials.runs.push_back(starts_of(cluster, {a, b}));
    }
  return trials;
}

Result<std::vector<JobsRun>> play_all(const PreparedJobs& prepared, const std::vector<std::vector<JobStart>>& runs,
                                      unsigned threads, Progress& progress) {
  std::vector<std::optional<Result<JobsRun>>> played(runs.size());
  for_each_index(runs.size(), threads, [&](std::size_t i) {
    Progress part(progress, kPartWork);
    played[i].emplace(run_jobs(prepared, runs[i], part));
  });
  std::vector<JobsRun> out;
  for (auto& one : played) {
    if (!*one) return one->error();
    out.push_back(std::move(**one));
  }
  return out;
}

JobKind kind_of(const Scenario& scenario) {
  if (scenario.workload.model) return JobKind::training;
  return scenario.workload.collective ? JobKind::collective : JobKind::traffic;
}

std::optional<BusBandwidth> bus_of(const Scenario& scenario, const PlayedJob& alone, const PlayedJob& together) {
  if (!scenario.workload.collective) return std::nullopt;
  const CollectiveSpec& spec = *scenario.workload.collective;
  return BusBandwidth{std::string(name_of(spec.kind)), spec.sizes.front(), alone.bus_bytes / times_of(alone).mean,
                      together.bus_bytes / times_of(together).mean};
}

std::string turn_of(const Scenario& scenario) {
  if (const std::optional<PassPlan>& pass = scenario.workload.pass) return pass->side == PassSide::prefill ? "prompt" : "token";
  if (scenario.workload.model) return "step";
  if (scenario.workload.collective) return std::string(name_of(scenario.workload.collective->kind));
  return scenario.job->serves.empty() ? "traffic" : "caches";
}

TurnTimes sum_of(const TurnTimes& a, const TurnTimes& b) {
  return {a.mean + b.mean, a.median + b.median, a.p99 + b.p99, a.most + b.most};
}

/// Parts of one job come one after the other: prompts, tokens, caches.
void find_served(Interference& found) {
  for (std::size_t i = 0; i + 2 < found.jobs.size(); i++) {
    const JobFigures &prompts = found.jobs[i], &tokens = found.jobs[i + 1], &caches = found.jobs[i + 2];
    if (prompts.turn != "prompt") continue;
    found.served.push_back({prompts.serves, sum_of(prompts.alone, caches.message_alone),
                            sum_of(prompts.together, caches.message_together), tokens.alone, tokens.together});
  }
}

JobFigures figures_of(const PreparedJobs& prepared, std::size_t job, const PlayedJob& alone, const PlayedJob& together) {
  const Scenario& scenario = prepared.cluster->jobs[job];
  const JobSeats& seats = prepared.seats[job];
  JobFigures out{.name = scenario.job->name,
                 .kind = kind_of(scenario),
                 .turn = turn_of(scenario),
                 .serves = scenario.job->serves,
                 .gpus = seats.own,
                 .servers = servers_text(prepared.fabric, seats.ranks, seats.own),
                 .of = scenario.job->of,
                 .turns = scenario.job->turns,
                 .start_s = seconds(scenario.job->start),
                 .posted = alone.posted / static_cast<double>(alone.turns.size()),
                 .alone = times_of(alone),
                 .together = times_of(together),
                 .message_alone = times_of(alone.messages),
                 .message_together = times_of(together.messages),
                 .bus = bus_of(scenario, alone, together),
                 .packets_alone = {},
                 .staggered = {},
                 .ops = {}};
  for (std::size_t i = 0; i < alone.ops.size(); i++) {
    const OpTimes &a = alone.ops[i], &b = together.ops[i];
    out.ops.push_back({std::string(a.name), std::string(name_of(a.kind)), b.calls, a.seconds / static_cast<double>(a.calls),
                       b.seconds / static_cast<double>(b.calls), b.longest});
  }
  return out;
}

/// How much longer turns of one are beside the other.
void compare_pairs(const JobSets& sets, const std::vector<JobsRun>& played, Interference& found) {
  const std::size_t jobs = found.jobs.size();
  if (jobs != 2 && sets.pairs.empty()) return;
  found.beside.assign(jobs, std::vector<double>(jobs, 0));
  const auto note = [&](const PlayedJob& one, std::size_t other) {
    found.beside[one.job][other] = times_of(one).mean / found.jobs[one.job].alone.mean - 1;
  };
  if (jobs == 2) {
    const JobsRun& both = played[sets.together];
    note(both.jobs[0], 1), note(both.jobs[1], 0);
  }
  for (std::size_t i = 0; i < sets.pairs.size(); i++) {
    const JobsRun& both = played[sets.together + 1 + i];
    note(both.jobs[0], sets.pairs[i].second), note(both.jobs[1], sets.pairs[i].first);
  }
}

/// What the runs of each job alone, and the one of all, have put on the links of one network.
struct NetworkLoads {
  const Fabric& fabric;
  std::string prefix;  // of its names
  std::vector<Table<PortId, double>> carried;

  NetworkLoads(const PreparedJobs& network, bool in_front, std::size_t runs, const std::vector<JobsRun>& played)
      : fabric(network.fabric), prefix(in_front ? "front end: " : "") {
    const Telemetry nothing(fabric.trunk_tier.size());
    for (std::size_t run = 0; run < runs; run++) {
      const Telemetry* const seen = !in_front               ? &played[run].network
                                    : played[run].front_end ? &*played[run].front_end
                                                            : &nothing;
      carried.push_back(carried_by_ports(fabric, *seen));
    }
  }
};

/// Keeps the fullest.
void keep_link(SharedLink link, std::vector<SharedLink>& links) {
  const auto at =
      std::find_if(links.begin(), links.end(), [&](const SharedLink& other) { return other.together < link.together; });
  links.insert(at, std::move(link));
  if (links.size() > kMostLinks) links.pop_back();
}

/// Where they meet: what each puts on every link alone, and all together.
void find_links(const NetworkLoads& loads, const std::vector<JobsRun>& played, Interference& found) {
  const Fabric& fabric = loads.fabric;
  std::map<Tier, SharedTier> tiers;
  for (const PortId port : ids(fabric.port_from)) {
    const TrunkId trunk = fabric.port_trunk[port];
    const Tier tier = fabric.trunk_tier[trunk];
    if (tier == Tier::scale_up || tier == Tier::scale_down) continue;
    const auto rate = static_cast<double>(fabric.trunk_port_rate[trunk].count());
    const auto share = [&](std::size_t run) { return loads.carried[run][port] * 8 / (rate * seconds(played[run].end)); };
    SharedLink link{.name = {}, .shares = {}, .together = share(loads.carried.size() - 1)};
    std::uint32_t users = 0;
    for (std::size_t job = 0; job < found.jobs.size(); job++) {
      link.shares.push_back(share(job));
      users += link.shares.back() >= kLeastShare;
    }
    SharedTier& row = tiers[tier];
    row.name = loads.prefix + std::string(name_of(tier, fabric.topology));
    row.links++, row.used += users > 0, row.shared += users > 1;
    const bool full = found.links.size() >= kMostLinks && found.links.back().together >= link.together;
    if (users < 2 || full) continue;
    link.name = loads.prefix + port_name(fabric, port);
    keep_link(std::move(link), found.links);
  }
  for (auto& [tier, row] : tiers) found.tiers.push_back(std::move(row));
}

void find_links(const PreparedJobs& prepared, const JobSets& sets, const std::vector<JobsRun>& played, Interference& found) {
  find_links(NetworkLoads(prepared, false, sets.together + 1, played), played, found);
  if (prepared.front_end) find_links(NetworkLoads(*prepared.front_end, true, sets.together + 1, played), played, found);
}

/// Traffic or a collective that comes again and again while others have their turns: an error if that would be too often to
/// play.
Diagnostics too_many_turns(const PreparedJobs& prepared, const std::vector<JobsRun>& alone) {
  constexpr double kMostMessages = 1e8, kMostBytes = 1e14;  // of flows; of packets: about an hour of one core
  const auto length = [&](std::size_t job) {
    const PlayedJob& played = alone[job].jobs[0];
    return std::max(times_of(played).mean, seconds(prepared.cluster->jobs[job].job->every));
  };
  double longest = 0;
  const std::size_t jobs = prepared.cluster->jobs.size();
  for (std::size_t job = 0; job < jobs; job++) {
    const JobPlan& plan = *prepared.cluster->jobs[job].job;
    longest = std::max(longest, seconds(plan.start) + length(job) * plan.turns);
  }
  Diagnostics found;
  for (std::size_t job = 0; job < jobs; job++) {
    const PlayedJob& played = alone[job].jobs[0];
    const JobPlan& plan = *prepared.cluster->jobs[job].job;
    const double turns = longest / length(job), counted = plan.turns;
    const bool often = turns * static_cast<double>(played.carried) / counted > kMostMessages;
    const bool large = prepared.by_packets && turns * played.posted / counted > kMostBytes;
    if (!often && !large) continue;
    found.push_back({Severity::error, "RY-JOB-011",
                     fmt::format("a turn of job '{}' takes {} and would come {:.2g} times while others have theirs", plan.name,
                                 format(from_seconds(length(job))), turns),
                     "give it every = … or more to send, or others fewer turns",
                     prepared.cluster->jobs[job].keys.where("job")});
  }
  return found;
}

/// Each job that trains begins later than the one before it by a part of its step.
std::vector<JobStart> staggered(const ClusterJobs& cluster, const Interference& found) {
  std::vector<JobStart> starts;
  const auto jobs = static_cast<double>(found.jobs.size());
  for (std::size_t job = 0; job < found.jobs.size(); job++)
    starts.push_back(
        {job, cluster.jobs[job].job->start + from_seconds(found.jobs[job].alone.mean * static_cast<double>(job) / jobs)});
  return starts;
}

std::string fingerprint_of(const std::vector<JobsRun>& played) {
  Fingerprint all;
  for (const JobsRun& run : played) {
    all.add(run.network.fingerprint.value());
    if (run.front_end) all.add(run.front_end->fingerprint.value());
    for (const PlayedJob& job : run.jobs)
      for (const JobTurn& turn : job.turns) all.add(static_cast<std::uint64_t>(turn.time.count()));
  }
  return all.text();
}

}  // namespace

Result<Interference> find_interference(const ClusterJobs& written, const Trials& trials, Progress& progress) {
  const Result<ClusterJobs> parts = with_serving_parts(written);
  if (!parts) return parts.error();
  const ClusterJobs& cluster = *parts;
  const Result<PreparedJobs> prepared = prepare_jobs(cluster, {});
  if (!prepared) return prepared.error();
  const JobSets sets = sets_of(cluster, trials.others);
  progress.expect(sets.runs.size() * kPartWork);
  const auto first = sets.runs.begin() + static_cast<std::ptrdiff_t>(cluster.jobs.size());
  Result<std::vector<JobsRun>> played = play_all(*prepared, {sets.runs.begin(), first}, trials.threads, progress);
  if (!played) return played.error();
  if (Diagnostics refused = too_many_turns(*prepared, *played); !refused.empty()) return refused;
  Result<std::vector<JobsRun>> shared = play_all(*prepared, {first, sets.runs.end()}, trials.threads, progress);
  if (!shared) return shared.error();
  std::move(shared->begin(), shared->end(), std::back_inserter(*played));
  Interference found;
  found.name = cluster.name;
  found.findings = prepared->warnings;
  const JobsRun& together = (*played)[sets.together];
  for (std::size_t job = 0; job < cluster.jobs.size(); job++)
    found.jobs.push_back(figures_of(*prepared, job, (*played)[job].jobs[0], together.jobs[job]));
  for (std::size_t job = 0; job < cluster.jobs.size(); job++)
    found.jobs[job].packets_alone = packets_of(cluster, (*played)[job]);
  found.packets = packets_of(cluster, together);
  find_served(found);
  compare_pairs(sets, *played, found);
  find_links(*prepared, sets, *played, found);
  found.length_s = seconds(together.end);
  found.exact = together.exact;
  for (const Diagnostic& late :
       late_changes(cluster.jobs.front(), "engine.fidelity",
                    together.network.solving.late + (together.front_end ? together.front_end->solving.late : 0)))
    found.findings.push_back(late);
  const bool train =
      std::all_of(found.jobs.begin(), found.jobs.end(), [](const JobFigures& job) { return job.kind == JobKind::training; });
  if (trials.others && train && cluster.jobs.size() > 1) {
    progress.expect(kPartWork);
    Result<std::vector<JobsRun>> apart = play_all(*prepared, {staggered(cluster, found)}, trials.threads, progress);
    if (!apart) return apart.error();
    for (std::size_t job = 0; job < found.jobs.size(); job++) found.jobs[job].staggered = times_of(apart->front().jobs[job]);
    played->push_back(std::move(apart->front()));
  }
  found.fingerprint = fingerprint_of(*played);
  progress.finish();
  return found;
}

JobRemarks remarks_on_jobs(const ClusterJobs& cluster) {
  const Result<ClusterJobs> parts = with_serving_parts(cluster);
  if (!parts) return {parts.error(), {}};
  const Result<PreparedJobs> prepared = prepare_jobs(*parts, {});
  if (!prepared) return {prepared.error(), {}};
  return {{}, prepared->warnings};
}

}  // namespace railyard
