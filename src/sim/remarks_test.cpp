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
  EXPECT_EQ(refused(traffic("[engine]\nfidelity = \"packet\"\n[failures]\n\"gpu 3\" = \"down\"\n")), "RY-RUN-031");
}

TEST(Remarks, say_what_no_engine_does) {
  EXPECT_EQ(refused(traffic("[engine]\nfidelity = \"flow\"\n[failures]\n\"gpu 3\" = { loss = 0.1 }\n")), "RY-RUN-055");
  EXPECT_EQ(refused(traffic("[transport]\nkind = \"tcp\"\n")), "RY-RUN-008");
}

TEST(Remarks, say_what_a_slice_is_refused_for) {
  EXPECT_EQ(refused(sliced("")), "");
  EXPECT_EQ(refused(sliced("collective = \"dispatch\"\n")), "RY-RUN-051");
  EXPECT_EQ(refused(sliced("ranks = [8]\n")), "RY-RUN-051");
  EXPECT_EQ(refused(sliced("from = \"1 h\"\n")), "RY-RUN-051");
}

/// The codes of what a dry run remarks, which is what a run does.
std::vector<std::string> remarked(const std::string& text) {
  const Scenario scenario = testing::scenario_of(text);
  const Remarks remarks = remarks_on(scenario);
  Progress progress;
  const Result<Run> run = simulate(scenario, {.threads = 1}, progress);
  EXPECT_TRUE(run) << to_text(run.error().front());
  std::vector<std::string> codes, again;
  for (const Diagnostic& d : remarks.warnings) codes.emplace_back(d.code);
  for (const Diagnostic& d : run->diagnostics) again.emplace_back(d.code);
  EXPECT_EQ(codes, again) << text;
  for (const Diagnostic& d : remarks.warnings) EXPECT_FALSE(d.hint.empty());
  return codes;
}

using Codes = std::vector<std::string>;

TEST(Remarks, say_what_is_under_way_between_sites) {
  const auto sites = [](const std::string& more) {
    return "name = \"t\"\n[cluster]\ngpus = 16\n[collective]\nkind = \"send\"\nsizes = [\"1 MiB\"]\n[fabric]\n"
           "topology = \"two-site\"\nhosts_per_leaf = 4\nspines = 2\nlink_rate = \"100 Gb/s\"\nlink_delay = \"100 ns\"\n"
           "switch_latency = \"500 ns\"\nhost_latency = \"1 us\"\n[fabric.haul]\nlinks = 4\nlength = \"99 km\"\n" +
           more;
  };
  EXPECT_EQ(remarked(sites("")), Codes{"RY-RUN-086"}) << "12.5 MB at every link";
  EXPECT_EQ(remarked(sites("[transport]\nkind = \"infiniband\"\n")), Codes{});
  EXPECT_EQ(remarked(sites("[transport]\nkind = \"infiniband\"\nwindow = \"1 MiB\"\n[engine]\nfidelity = \"flow\"\n")),
            Codes{"RY-RUN-087"});
  EXPECT_EQ(remarked(sites("[transport]\nkind = \"infiniband\"\nwindow = \"1 MiB\"\nqps_per_connection = 12\n"
                           "[engine]\nfidelity = \"flow\"\n")),
            Codes{});
}

/// A step of 32 GPUs in servers of four on rails, whose leaves have room for so many servers.
std::string on_rails(int servers_per_leaf, const std::string& fabric, const std::string& more = "", int tensor = 4) {
  return "name = \"t\"\n[model]\nlayers = 2\nhidden = 1024\nheads = 8\nffn = 4096\nvocabulary = 8192\nsequence = 1024\n"
         "[training]\nglobal_batch = 8\n[parallel]\ntensor = " +
         std::to_string(tensor) +
         "\n[cluster]\ngpu = \"A100-SXM-80\"\ngpus = 32\ngpus_per_node = 4\n[fabric]\ntopology = \"leaf-spine\"\n"
         "rails = true\nradix = 32\nlink_rate = \"200 Gb/s\"\nhosts_per_leaf = " +
         std::to_string(servers_per_leaf) + "\n" + fabric + "[engine]\nfidelity = \"flow\"\n" + more;
}

TEST(Remarks, say_that_nothing_crosses_a_leaf_where_keys_above_it_are_given) {
  EXPECT_EQ(remarked(on_rails(8, "oversubscription = 2\n")), Codes{"RY-RUN-070"});
  EXPECT_EQ(remarked(on_rails(8, "", "[routing]\npolicy = \"ecmp\"\n[transport]\nqps_per_connection = 4\n")),
            Codes{"RY-RUN-070"});
  EXPECT_EQ(remarked(on_rails(8, "")), Codes{}) << "nobody asked";
  EXPECT_EQ(remarked(on_rails(4, "oversubscription = 2\n")), Codes{}) << "two leaves a rail";
}

TEST(Remarks, say_that_tensor_groups_straddle_scale_up_domains) {
  EXPECT_EQ(remarked(on_rails(8, "", "", 8)), Codes{"RY-RUN-071"});
  EXPECT_EQ(remarked(on_rails(8, "", "", 4)), Codes{});
}

std::string library_sweep(const std::string& size, int gpus, const std::string& fabric, const std::string& more = "") {
  return "name = \"t\"\n[cluster]\ngpus = " + std::to_string(gpus) +
         "\ngpu = \"H100-SXM-80\"\ngpus_per_node = 8\nnic = \"ConnectX-7\"\n[collective]\nkind = \"all_reduce\"\nsizes = [\"" +
         size + "\"]\n" + kFabric + fabric + more;
}

TEST(Remarks, say_that_one_scale_up_domain_needs_no_network) {
  EXPECT_EQ(remarked(library_sweep("1 GiB", 8, "oversubscription = 2\n")), Codes{"RY-RUN-072"});
  EXPECT_EQ(remarked(library_sweep("1 GiB", 8, "")), Codes{});
  EXPECT_EQ(remarked(library_sweep("1 GiB", 16, "oversubscription = 2\n")), Codes{});
}

TEST(Remarks, say_that_a_failure_is_somewhere_else) {
  const std::string slow = "[failures]\n\"gpu 31 port 0\" = { rate = \"100 Gb/s\" }\n";
  const std::string few = on_rails(4, "gpus = 64\n", slow);  // the fabric has more GPUs than the job
  EXPECT_EQ(remarked(few), Codes{}) << "the job's last";
  const std::string other = on_rails(4, "gpus = 64\n", "[failures]\n\"gpu 63 port 0\" = { rate = \"100 Gb/s\" }\n");
  EXPECT_EQ(remarked(other), Codes{"RY-RUN-073"});
}

TEST(Remarks, say_that_leaves_are_too_empty_to_be_oversubscribed) {
  const auto across_rails = [](int per_leaf) {
    return "name = \"t\"\n[cluster]\ngpus = 32\ngpus_per_node = 4\nscale_up_domain = 4\nscale_up_rate = \"2400 Gb/s\"\n"
           "[collective]\nkind = \"all_reduce\"\nalgorithm = \"ring\"\nsizes = [\"16 MiB\"]\n[fabric]\ntopology = "
           "\"leaf-spine\"\n"
           "rails = true\nradix = 64\nlink_rate = \"400 Gb/s\"\nswitch_latency = \"500 ns\"\noversubscription = 2\n"
           "hosts_per_leaf = " +
           std::to_string(per_leaf) + "\n";
  };
  EXPECT_EQ(remarked(across_rails(8)), Codes{}) << "every leaf has its eight servers";
  EXPECT_EQ(remarked(across_rails(32)), Codes{"RY-RUN-074"});
}

TEST(Remarks, say_that_packets_which_are_overtaken_cost_what_flows_do_not_see) {
  const auto step = [](const std::string& policy, const std::string& recovery) {
    return on_rails(4, "", "[routing]\npolicy = \"" + policy + "\"\n[transport]\nloss_recovery = \"" + recovery + "\"\n");
  };
  const Codes both{"RY-RUN-020", "RY-RUN-076"}, no_effect{"RY-RUN-020"};
  EXPECT_EQ(remarked(step("adaptive", "go-back-n")), both);
  EXPECT_EQ(remarked(step("spray", "go-back-n")), both);
  EXPECT_EQ(remarked(step("adaptive", "selective-repeat")), no_effect);
  EXPECT_EQ(remarked(step("ecmp", "go-back-n")), no_effect) << "packets of a flow stay on their path";
  EXPECT_EQ(remarked(on_rails(4, "switching = \"scheduled\"\n", "[transport]\nloss_recovery = \"go-back-n\"\n")), no_effect)
      << "the last switch puts cells together in order";
  const auto with_nic = [](const std::string& nic, const std::string& transport) {
    std::string text = on_rails(4, "", "[routing]\npolicy = \"adaptive\"\n" + transport);
    text.replace(text.find("200 Gb/s"), 3, "100");
    return text.insert(text.find("[cluster]\n") + 10, "nic = \"" + nic + "\"\n");
  };
  const Codes in_order{"RY-RUN-076"};
  EXPECT_EQ(remarked(with_nic("ConnectX-4", "")), in_order) << "by the catalog";
  EXPECT_EQ(remarked(with_nic("ConnectX-4", "[transport]\nloss_recovery = \"selective-repeat\"\n")), no_effect);
  EXPECT_EQ(remarked(with_nic("ConnectX-7", "")), Codes{});
  EXPECT_EQ(remarked(with_nic("Thor-2", "")), Codes{}) << "nothing is documented";
  // 200 Gb/s, packets of 4,178 bytes: as many as one round trip holds.
  const Remarks remarks = remarks_on(testing::scenario_of(step("adaptive", "go-back-n")));
  ASSERT_EQ(remarks.warnings.size(), 2U);
  EXPECT_NE(remarks.warnings[1].hint.find("1 / (1 + "), std::string::npos) << remarks.warnings[1].hint;
}

TEST(Remarks, say_that_latency_decides_where_bandwidth_was_asked_for) {
  EXPECT_EQ(remarked(library_sweep("1 KiB", 16, "oversubscription = 2\n")), Codes{"RY-RUN-075"});
  EXPECT_EQ(remarked(library_sweep("1 KiB", 16, "")), Codes{});
}

}  // namespace
}  // namespace railyard
