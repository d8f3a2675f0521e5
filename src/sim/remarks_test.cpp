#include <gtest/gtest.h>

#include "scenario/testing.h"
#include "sim/simulate.h"

namespace railyard {
namespace {

/// The code of what a dry run refuses, which is what a run refuses, too; "" if both accept.
std::string refused(const std::string& text) {
  const Scenario scenario = testing::scenario_of(text);
  const Remarks remarks = remarks_on(scenario);
  Progress progress;
  const Result<Run> run = simulate(scenario, {.threads = 1}, progress);
  EXPECT_EQ(remarks.errors.empty(), run.has_value()) << text;
  if (!run && !remarks.errors.empty()) {
    EXPECT_EQ(to_text(run.error().front()), to_text(remarks.errors.front()));
  }
  return remarks.errors.empty() ? "" : std::string(remarks.errors.front().code);
}

const std::string kFabric =
    "[fabric]\ntopology = \"leaf-spine\"\nhosts_per_leaf = 4\nlink_rate = \"400 Gb/s\"\nlink_delay = \"100 ns\"\n"
    "switch_latency = \"500 ns\"\nhost_latency = \"1 us\"\n";

std::string collective(const std::string& keys, const std::string& more = "") {
  return "name = \"t\"\n[cluster]\ngpus = 8\n[collective]\nsizes = [\"64 KiB\"]\n" + keys + kFabric + more;
}

std::string with_library(const std::string& keys) {
  return "name = \"t\"\n[cluster]\ngpus = 16\ngpu = \"H100-SXM-80\"\ngpus_per_node = 8\nnic = \"ConnectX-7\"\n[collective]\n"
         "sizes = [\"64 KiB\"]\n" +
         keys + kFabric;
}

std::string traffic(const std::string& more) {
  return "name = \"t\"\n[cluster]\ngpus = 8\n[traffic]\npattern = \"permutation\"\nsize = \"64 KiB\"\n" + kFabric + more;
}

std::string sliced(const std::string& slice) {
  return "name = \"t\"\n[model]\nlayers = 2\nhidden = 1024\nheads = 8\nffn = 4096\nvocabulary = 8192\nsequence = 1024\n"
         "[training]\nglobal_batch = 8\n[parallel]\ntensor = 2\n[cluster]\ngpu = \"A100-SXM-80\"\ngpus = 8\n"
         "gpus_per_node = 4\n" +
         kFabric + "[engine]\nfidelity = \"packet\"\n[slice]\nlength = \"20 us\"\n" + slice;
}

TEST(Remarks, say_what_a_collective_is_refused_for) {
  EXPECT_EQ(refused(collective("kind = \"all_reduce\"\n")), "");
  EXPECT_EQ(refused(collective("kind = \"all_to_all\"\nalgorithm = \"tree\"\n")), "RY-RUN-004");
  EXPECT_EQ(refused(with_library("kind = \"all_to_all\"\nskew = 1\n")), "RY-RUN-003");
  EXPECT_EQ(refused(with_library("kind = \"all_to_all\"\nalgorithm = \"tree\"\n")), "RY-RUN-004");
  EXPECT_EQ(refused(with_library("kind = \"all_reduce\"\n")), "");
}

TEST(Remarks, say_that_a_failure_cuts_hosts_off) {
  const std::string flows = "[engine]\nfidelity = \"flow\"\n[failures]\n\"gpu 3\" = ";
  EXPECT_EQ(refused(traffic(flows + "\"down\"\n")), "RY-RUN-031");
  EXPECT_EQ(refused(collective("kind = \"all_to_all\"\n", flows + "\"down\"\n")), "RY-RUN-031");
  EXPECT_EQ(refused(traffic(flows + "{ until = \"1 ms\" }\n")), "");
}

TEST(Remarks, say_what_no_engine_does) {
  EXPECT_EQ(refused(traffic("[engine]\nfidelity = \"packet\"\n[failures]\n\"gpu 3\" = \"down\"\n")), "RY-RUN-036");
  EXPECT_EQ(refused(traffic("[transport]\nkind = \"tcp\"\n")), "RY-RUN-008");
}

TEST(Remarks, say_what_a_slice_is_refused_for) {
  EXPECT_EQ(refused(sliced("")), "");
  EXPECT_EQ(refused(sliced("collective = \"dispatch\"\n")), "RY-RUN-051");
  EXPECT_EQ(refused(sliced("ranks = [8]\n")), "RY-RUN-051");
  EXPECT_EQ(refused(sliced("from = \"1 h\"\n")), "RY-RUN-051");
}

}  // namespace
}  // namespace railyard
