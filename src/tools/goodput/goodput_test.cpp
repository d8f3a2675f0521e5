#include "tools/goodput/goodput.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "scenario/load.h"
#include "tools/goodput/timeline.h"

namespace railyard {
namespace {

const char* const kScenario = R"(
name = "weeks"
[model]
layers = 4
hidden = 1024
heads = 16
ffn = 4096
vocabulary = 8192
sequence = 1024
[training]
global_batch = 64
tokens = 1e11
[parallel]
tensor = 2
[cluster]
gpu = "H100-SXM-80"
gpus_per_node = 8
gpus = 64
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 16
[reliability]
gpu_mtbf = "500 h"
host_mtbf = "1000 h"
storage_rate = "1 GB/s"
spares = 1
repair = "10 h"
straggler_mtbf = "900 h"
)";

Result<Goodput> asked(const std::vector<std::string>& set, const GoodputRequest& request = {.runs = 50, .days = {}}) {
  const auto read = [](const std::filesystem::path&) -> Result<std::string> { return std::string(kScenario); };
  const Result<Scenario> scenario = load_scenario("weeks.toml", builtin_catalog(), set, read);
  if (!scenario) return scenario.error();
  Progress progress;
  return goodput_of(*scenario, request, {"", {}, false}, builtin_catalog(), 1, progress);
}

std::string code_of(const std::vector<std::string>& set) {
  const Result<Goodput> goodput = asked(set);
  return goodput ? "" : goodput.error().front().code;
}

/// What was found, without what was asked.
std::string found(const std::vector<std::string>& set) {
  const Result<Goodput> goodput = asked(set);
  EXPECT_TRUE(goodput) << to_text(goodput.error().front());
  if (!goodput) return {};
  const Document document = goodput_document(*goodput);
  return write_compact_json(*document.find("effective_share")) + write_compact_json(*document.find("days")) +
         write_compact_json(*document.find("time"));
}

TEST(Goodput, every_key_has_an_effect) {
  const std::string base = found({});
  for (const char* set : {"reliability.profile=hpn-links",
                          "reliability.node_mtbf=600 h",
                          "reliability.gpu_mtbf=300 h",
                          "reliability.host_mtbf=300 h",
                          "reliability.nic_mtbf=300 h",
                          "reliability.link_mtbf=300 h",
                          "reliability.switch_mtbf=300 h",
                          "reliability.software_mtbf=300 h",
                          "reliability.planned_interval=20 h",
                          "reliability.detection=1 min",
                          "reliability.restart=1 min",
                          "reliability.checkpoint=memory",
                          "reliability.checkpoint_async=true",
                          "reliability.checkpoint_interval=20 min",
                          "reliability.checkpoint_write=20 s",
                          "reliability.checkpoint_read=20 s",
                          "reliability.storage_rate=2 GB/s",
                          "reliability.spares=2",
                          "reliability.repair=5 h",
                          "reliability.repair_crews=1",
                          "reliability.straggler_mtbf=500 h",
                          "reliability.straggler_slowdown=0.5",
                          "reliability.straggler_detection=10 min",
                          "reliability.step_time=1 s",
                          "training.tokens=2e11"})
    EXPECT_NE(found({set}), base) << set;
  const std::string async = "reliability.checkpoint_async=true", near = "reliability.frontend_rate=100 Mb/s";
  EXPECT_NE(found({near}), base);
  EXPECT_NE(found({async}), found({async, "reliability.snapshot_rate=1 Gb/s"}));
}

TEST(Goodput, mistakes_have_codes) {
  EXPECT_EQ(code_of({"training.tokens="}), "RY-REL-001");
  EXPECT_EQ(code_of({"reliability.gpu_mtbf=", "reliability.host_mtbf="}), "RY-REL-002");
  EXPECT_EQ(code_of({"reliability.checkpoint_interval=10 s", "reliability.checkpoint_write=1 min"}), "RY-REL-003");
  EXPECT_EQ(code_of({"reliability.spares=9"}), "RY-REL-004");
  EXPECT_EQ(code_of({"reliability.gpu_mtbf=2 h"}), "RY-REL-005");
  EXPECT_EQ(code_of({"training.tokens=1e18"}), "RY-REL-007");
  EXPECT_EQ(code_of({"reliability.gpu_mtbf=0"}), "RY-SCN-013");
  EXPECT_EQ(code_of({"reliability.checkpoint_interval=0"}), "RY-SCN-013");
  EXPECT_EQ(code_of({"reliability.profile=llama3"}), "RY-SCN-023");
}

TEST(Goodput, a_scenario_without_a_model_or_without_rates_is_refused) {
  Progress progress;
  Scenario scenario;
  EXPECT_EQ(goodput_of(scenario, {}, {}, builtin_catalog(), 1, progress).error().front().code, "RY-REL-006");
  scenario.workload.model.emplace();
  EXPECT_EQ(goodput_of(scenario, {}, {}, builtin_catalog(), 1, progress).error().front().code, "RY-REL-002");
}

TEST(Goodput, parts_are_counted_from_the_cluster) {
  const Result<Goodput> goodput = asked({"reliability.nic_mtbf=1e5 h", "reliability.link_mtbf=1e5 h",
                                         "reliability.switch_mtbf=1e5 h", "reliability.software_mtbf=1e5 h"});
  ASSERT_TRUE(goodput);
  std::vector<std::uint64_t> parts;
  for (const Cause& cause : goodput->weeks.job.causes) parts.push_back(cause.parts);
  EXPECT_EQ(parts, (std::vector<std::uint64_t>{64, 8, 64, 64, 4, 64}));  // GPU, host, NIC, link, leaf switch, software
  EXPECT_EQ(goodput->weeks.job.causes[4].nodes, 2U);                     // 16 NICs under a leaf, 8 of a server
}

TEST(Goodput, a_checkpoint_takes_what_its_narrowest_part_takes) {
  const auto weeks = [](const std::vector<std::string>& set) { return asked(set)->weeks.checkpoint; };
  const CheckpointCost storage = weeks({});
  EXPECT_NEAR(storage.write, storage.state / 1e9, 1e-6);
  EXPECT_EQ(storage.write_limit, "storage");
  EXPECT_NEAR(storage.host_write, storage.state / 8, 1);
  const CheckpointCost frontend = weeks({"reliability.frontend_rate=800 Mb/s", "reliability.storage_rate=10 TB/s"});
  EXPECT_NEAR(frontend.write, frontend.host_write / 1e8, 1e-6);
  EXPECT_EQ(frontend.write_limit, "the front-end network");
  // Eight NICs of 400 Gb/s; half of that where leaves are oversubscribed.
  const CheckpointCost fabric = weeks({"reliability.storage_rate="});
  EXPECT_NEAR(fabric.host_rate, 8 * 50e9, 1e3);
  EXPECT_NEAR(weeks({"reliability.storage_rate=", "fabric.oversubscription=2"}).host_rate, 4 * 50e9, 1e3);
  // 14 bytes a parameter; replicas read the weights of each.
  EXPECT_NEAR(storage.state / 14, 83'886'080, 2e7);
  EXPECT_GT(storage.host_read, storage.host_write);
}

TEST(Goodput, days_yield_tokens) {
  const Result<Goodput> goodput = asked({"training.tokens="}, {.runs = 50, .days = 30});
  ASSERT_TRUE(goodput);
  EXPECT_NEAR(goodput->days(), 30, 0.01);
  EXPECT_NEAR(goodput->tokens() / goodput->weeks.tokens, goodput->drawn.share.mean, 0.01);
}

TEST(Goodput, the_picture_shows_what_was_drawn) {
  const Result<Goodput> goodput = asked({});
  ASSERT_TRUE(goodput);
  const std::vector<double> shares = productive_shares(*goodput, 7200);
  double sum = 0;
  for (const double share : shares) sum += share * 7200;
  double lost = 0;
  for (const Interruption& one : goodput->one) lost += one.lost + one.detection + one.waiting + one.restart;
  EXPECT_NEAR(sum, static_cast<double>(shares.size()) * 7200 - lost, 0.02 * goodput->one_s);
  const std::string svg = timeline_svg(*goodput);
  EXPECT_TRUE(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
}

}  // namespace
}  // namespace railyard
