// Several jobs on one fabric: each alone, every two, and all together; what they do to each other, and where they meet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/document.h"
#include "base/progress.h"
#include "base/result.h"
#include "base/units.h"
#include "plan/cluster_jobs.h"
#include "report/report.h"
#include "sim/run.h"

namespace railyard {

/// Seconds of a job's turns in one run.
struct TurnTimes {
  double mean = 0, median = 0, p99 = 0, most = 0;
};

/// One kind of collective of a training job.
struct SharedOp {
  std::string name, group;
  std::uint64_t calls = 0;                            // of all turns that count
  double alone_s = 0, together_s = 0, longest_s = 0;  // means of one call; the longest together
};

/// What became of the packets of one class at switches.
struct ClassFigures {
  std::string name;  // "data", "background"
  std::uint64_t marked = 0, pauses = 0, dropped = 0;
};

/// What switches and NICs saw packet by packet.
struct PacketFigures {
  std::uint64_t marked = 0, pauses = 0, dropped = 0, timeouts = 0;
  std::vector<ClassFigures> classes;  // where jobs have several
};

enum class JobKind : std::uint8_t { training, collective, traffic };

/// What a collective of a job gets done, in bytes per second: what nccl-tests call busbw.
struct BusBandwidth {
  std::string collective;
  Bytes size;
  double alone = 0, together = 0;
};

struct JobFigures {
  std::string name;
  JobKind kind = JobKind::traffic;  // passes of serving train nothing, and are played as steps are
  std::string turn;                 // what it does once: "step", "traffic", "all_reduce", "prompt", "token", "caches"
  std::string serves;               // the job that it is a part of, where that serves
  std::uint32_t gpus = 0;           // its own
  std::string servers;              // "0–31", those it has a rank on
  std::string of;                   // whose hosts its traffic has
  std::uint32_t turns = 0;          // that count
  double start_s = 0;
  double posted = 0;  // bytes on the wire in one turn
  TurnTimes alone, together;
  TurnTimes message_alone, message_together;  // of traffic: single messages
  std::optional<BusBandwidth> bus;            // of a collective
  std::optional<PacketFigures> packets_alone;
  std::optional<TurnTimes> staggered;  // where jobs begin out of phase
  std::vector<SharedOp> ops;

  [[nodiscard]] double slowdown() const { return together.mean / alone.mean - 1; }
};

/// What those who ask a job that serves wait for. A first token waits for a pass of prefill, and for the cache; what is rare of
/// both is taken to come at a time.
struct ServedLoad {
  std::string name;
  TurnTimes first_alone, first_together, next_alone, next_together;
};

/// Links of one tier.
struct SharedTier {
  std::string name;
  std::uint32_t links = 0, used = 0, shared = 0;  // by any job alone, by several
};

/// A link that several jobs use, and the share of it that each has on average while it runs alone.
struct SharedLink {
  std::string name;
  std::vector<double> shares;  // by job
  double together = 0;         // with all of them
};

struct Interference {
  std::string name;
  std::vector<JobFigures> jobs;
  std::vector<ServedLoad> served;           // of the jobs that serve, which are there in parts
  std::vector<std::vector<double>> beside;  // how much longer job i's turns are beside job j; empty: too many to try
  std::vector<SharedTier> tiers;
  std::vector<SharedLink> links;  // fullest first
  double length_s = 0;            // of the run of all
  bool exact = true;
  std::optional<PacketFigures> packets;  // of all together
  std::string fingerprint;
  Diagnostics findings;
};

/// What is played beside each job alone and all together.
struct Trials {
  unsigned threads = 0;  // the result does not depend on it
  bool others = true;    // every two of several, and all out of phase
};

/// Plays all of it. Refuses what prepare_jobs() and run_serving() do, and traffic that would come too often beside longer turns
/// (RY-JOB-011).
Result<Interference> find_interference(const ClusterJobs& cluster, const Trials& trials, Progress& progress);

/// What prepare_jobs() would refuse, or warn about.
struct JobRemarks {
  Diagnostics errors, warnings;
};
JobRemarks remarks_on_jobs(const ClusterJobs& cluster);

/// A sentence of the answer, and what it is about, in a word.
struct JobSentence {
  std::string about, text;
};

/// What sharing costs each, who hurts whom, where, what phases change, and what this could not tell.
std::vector<JobSentence> answer_of(const Interference& found);

Report interference_report(const Interference& found);
Document interference_document(const Interference& found);

}  // namespace railyard
