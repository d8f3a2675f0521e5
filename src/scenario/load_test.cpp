#include "scenario/load.h"

#include <gtest/gtest.h>

#include <map>

#include "base/toml.h"
#include "scenario/read/scenario_document.h"

namespace railyard {
namespace {

constexpr std::string_view kBase = R"(name = "base"
[collective]
kind = "all_reduce"
sizes = ["1 MiB"]
[cluster]
gpus = 8
nic = "ConnectX-7"
[fabric]
switch = "Tomahawk-5"
)";

/// Files that exist only here.
class Files {
 public:
  Files& add(const std::string& name, std::string_view text) { return files_[name] = text, *this; }
  [[nodiscard]] Result<Scenario> load(const std::string& name, const std::vector<std::string>& overrides = {}) const {
    return load_scenario(name, builtin_catalog(), overrides, [this](const std::filesystem::path& path) -> Result<std::string> {
      const auto found = files_.find(path.lexically_normal().string());
      if (found == files_.end()) return Diagnostic{Severity::error, "RY-SCN-001", "no such file", "", {path.string(), 0, 0}};
      return found->second;
    });
  }

 private:
  std::map<std::string, std::string> files_;
};

std::vector<std::string> codes(const Result<Scenario>& scenario) {
  std::vector<std::string> all;
  if (!scenario)
    for (const Diagnostic& d : scenario.error()) all.push_back(d.code + ":" + std::to_string(d.where.line));
  return all;
}

using Codes = std::vector<std::string>;

TEST(Load, a_plain_scenario_is_read_with_its_physics_resolved) {
  const Result<Scenario> s = Files().add("a.toml", kBase).load("a.toml");
  ASSERT_TRUE(s) << to_text(s.error()[0]);
  EXPECT_EQ(s->fabric.endpoints, 8U);
  EXPECT_EQ(s->fabric.link_rate, 400_Gbps);
  EXPECT_EQ(s->fabric.uplink_rate, 400_Gbps);
  EXPECT_EQ(s->fabric.radix, 128U);
  EXPECT_EQ(s->fabric.link_delay, propagation_time(30_m));
  EXPECT_EQ(s->fabric.switch_latency, 900_ns);
  EXPECT_TRUE(s->keys.given("cluster.gpus"));
  EXPECT_FALSE(s->keys.given("transport.mtu"));
}

TEST(Load, slow_links_do_not_give_a_switch_more_ports_than_it_has_lanes) {
  const Files files = Files().add("a.toml", kBase);
  EXPECT_EQ(files.load("a.toml", {"fabric.link_rate=200 Gb/s"})->fabric.radix, 256U);
  EXPECT_EQ(files.load("a.toml", {"fabric.link_rate=10 Gb/s"})->fabric.radix, 512U);  // 64 cages of eight lanes
  EXPECT_EQ(files.load("a.toml", {"fabric.radix=32"})->fabric.radix, 32U);
}

TEST(Load, inputs_carry_their_status) {
  const Result<Scenario> s = Files().add("a.toml", kBase).load("a.toml", {"fabric.host_latency=1 us"});
  ASSERT_TRUE(s);
  std::map<std::string, Status> status;
  for (const Input& input : s->inputs) status[input.key] = input.origin.status;
  EXPECT_EQ(status.at("fabric.link_rate"), Status::published);
  EXPECT_EQ(status.at("fabric.switch_latency"), Status::estimated);
  EXPECT_EQ(status.at("fabric.host_latency"), Status::given);
  EXPECT_EQ(status.at("fabric.cable"), Status::assumed);
}

TEST(Load, overrides_win_over_the_file_and_later_ones_over_earlier) {
  const Files files = Files().add("a.toml", kBase);
  EXPECT_EQ(files.load("a.toml", {"transport.mtu=1024", "transport.mtu=2048"})->transport.mtu, 2048_B);
  EXPECT_EQ(files.load("a.toml", {"fabric.link_rate=200 Gb/s"})->fabric.link_rate, 200_Gbps);  // quotes may be left out
  EXPECT_EQ(files.load("a.toml", {"fabric.link_rate=\"200 Gb/s\""})->fabric.link_rate, 200_Gbps);
  EXPECT_EQ(files.load("a.toml", {"collective.sizes=[\"1 B\", \"2 B\"]"})->workload.collective->sizes.size(), 2U);
}

TEST(Load, an_override_without_a_value_takes_a_key_away_and_its_origin) {
  const Files files = Files().add("a.toml", std::string(kBase) +
                                                "[transport.dcqcn]\nenabled = true\n[origins]\n\"transport.dcqcn.enabled\" = "
                                                "\"assumed: not stated\"\n");
  EXPECT_TRUE(files.load("a.toml")->keys.given("transport.dcqcn.enabled"));
  const Result<Scenario> s = files.load("a.toml", {"transport.dcqcn="});
  ASSERT_TRUE(s);
  EXPECT_FALSE(s->keys.given("transport.dcqcn.enabled"));
  for (const Input& input : s->inputs) EXPECT_NE(input.key, "transport.dcqcn.enabled");
  EXPECT_EQ(codes(files.load("a.toml", {"transport.pfc="})), Codes{"RY-SCN-004:0"});
}

TEST(Load, an_override_quotes_parts_as_the_file_does) {
  const std::string base = "[failures]\n\"leaf 0\" = \"down\"\n";
  for (const char* text : {"failures.\"gpu 5 port 1\"=down", "failures.'gpu 5 port 1' = down", "failures.gpu 5 port 1=down"}) {
    Diagnostics renamed;
    const Result<Document> document = overridden(*parse_toml(base, "a.toml", "RY-SCN-002"), text, renamed);
    ASSERT_TRUE(document) << text;
    EXPECT_NE(document->find("failures")->find("gpu 5 port 1"), nullptr) << text;
  }
  Diagnostics renamed;
  const Result<Document> less = overridden(*parse_toml(base, "a.toml", "RY-SCN-002"), "failures.\"leaf 0\"=", renamed);
  ASSERT_TRUE(less);
  EXPECT_EQ(less->find("failures")->find("leaf 0"), nullptr);
  EXPECT_FALSE(overridden(*less, "failures.\"leaf 0=down", renamed));  // a quote that never ends
}

TEST(Load, a_bad_override_is_reported_as_what_was_typed) {
  const Files files = Files().add("a.toml", kBase);
  EXPECT_EQ(codes(files.load("a.toml", {"mtu"})), Codes{"RY-SCN-004:0"});
  EXPECT_EQ(codes(files.load("a.toml", {".=3"})), Codes{"RY-SCN-004:0"});
  const Result<Scenario> s = files.load("a.toml", {"transport.mut=1024"});
  ASSERT_FALSE(s);
  EXPECT_EQ(to_text(s.error()[0]), "--set transport.mut=1024: error RY-SCN-010: unknown key 'mut'; did you mean 'mtu'?");
}

TEST(Load, extends_lays_one_file_over_another_and_keeps_locations) {
  const Files files =
      Files().add("sets/base.toml", kBase).add("a.toml", "extends = \"sets/base.toml\"\nname = \"a\"\n[cluster]\ngpus = 16\n");
  const Result<Scenario> s = files.load("a.toml");
  ASSERT_TRUE(s) << to_text(s.error()[0]);
  EXPECT_EQ(s->name, "a");
  EXPECT_EQ(s->workload.gpus, 16U);
  EXPECT_EQ(s->fabric.link_rate, 400_Gbps);
  EXPECT_EQ(to_text(s->keys.where("cluster.gpus")), "a.toml:4:8");
  EXPECT_EQ(to_text(s->keys.where("cluster.nic")), "sets/base.toml:7:7");
}

TEST(Load, a_file_is_looked_for_beside_the_one_that_names_it) {
  const std::string ranks = std::string(kBase) + "[placement]\npolicy = \"file\"\nfile = \"ranks.txt\"\n";
  Files files = Files().add("sets/base.toml", ranks).add("a.toml", "extends = \"sets/base.toml\"\nname = \"a\"\n");
  files.add("sets/ranks.txt", "7 6 5 4 3 2 1 0");
  const Result<Scenario> s = files.load("a.toml");
  ASSERT_TRUE(s) << to_text(s.error()[0]);
  EXPECT_EQ(s->placement.seats.front(), 7U);
  files.add("mine.txt", "0 1 2 3 4 5 6 7");
  EXPECT_EQ(files.load("a.toml", {"placement.file=mine.txt"})->placement.seats.front(), 0U) << "set from outside";
}

TEST(Load, expectations_are_inherited_but_for_the_fingerprint) {
  const std::string pinned = std::string(kBase) + "[expect]\nfingerprint = \"0123456789abcdef\"\n[expect.values]\nranks = 8\n";
  const auto read = [&](const std::filesystem::path& path) -> Result<std::string> {
    return path.filename() == "base.toml" ? pinned : "extends = \"base.toml\"\n";
  };
  EXPECT_EQ(load_expectations("base.toml", read).fingerprint, "0123456789abcdef");
  EXPECT_EQ(load_expectations("a.toml", read).fingerprint, "");
  EXPECT_EQ(load_expectations("a.toml", read).values.size(), 1U);
}

constexpr std::string_view kStep = R"(name = "step"
[model]
preset = "llama3-8b"
[training]
global_batch = 64
[cluster]
gpu = "H100-SXM-80"
gpus = 16
gpus_per_node = 8
)";

TEST(Load, old_names_of_keys_work_with_a_warning_where_they_are_written) {
  const Files files =
      Files().add("a.toml", std::string(kStep) +
                                "[jitter]\nleast = \"1 us\"\nmost = \"2 us\"\n[origins]\n\"jitter.most\" = \"assumed: x\"\n");
  const Result<Scenario> s = files.load("a.toml");
  ASSERT_TRUE(s) << to_text(s.error()[0]);
  EXPECT_EQ(s->workload.jitter->min, 1_us);
  EXPECT_EQ(s->workload.jitter->max, 2_us);
  EXPECT_TRUE(s->keys.given("jitter.max"));
  ASSERT_EQ(s->warnings.size(), 2U);
  EXPECT_EQ(to_text(s->warnings[0]), "a.toml:11:1: warning RY-SCN-130: jitter.least is now jitter.min; use the new name");
  EXPECT_EQ(s->warnings[1].where.line, 12U);
  const Result<Scenario> less = files.load("a.toml", {"jitter.least=", "jitter.most=3 us"});
  ASSERT_TRUE(less) << to_text(less.error()[0]);
  EXPECT_FALSE(less->keys.given("jitter.min"));
  EXPECT_EQ(less->workload.jitter->max, 3_us);
  EXPECT_EQ(less->warnings.back().where.file, "--set jitter.most=3 us");
}

TEST(Load, a_new_name_goes_before_an_old_one_of_the_file_it_extends) {
  const Files files = Files()
                          .add("base.toml", std::string(kStep) + "[jitter]\nmost = \"2 us\"\n")
                          .add("a.toml", "extends = \"base.toml\"\n[jitter]\nmax = \"5 us\"\n");
  const Result<Scenario> s = files.load("a.toml");
  ASSERT_TRUE(s) << to_text(s.error()[0]);
  EXPECT_EQ(s->workload.jitter->max, 5_us);
}

TEST(Load, an_old_and_a_new_name_in_one_file_are_a_mistake) {
  const std::string both = std::string(kStep) + "[jitter]\nmost = \"2 us\"\nmax = \"5 us\"\n";
  const Result<Scenario> s = Files().add("a.toml", both).load("a.toml");
  EXPECT_EQ(codes(s), Codes{"RY-SCN-131:11"});
}

TEST(Load, a_key_whose_values_changed_with_its_name_is_refused_with_the_new_one) {
  const Files files = Files().add("a.toml", kStep);
  const Result<Scenario> s = files.load("a.toml", {"training.fused_loss=true"});
  ASSERT_FALSE(s);
  ASSERT_EQ(s.error().size(), 1U);
  EXPECT_EQ(to_text(s.error()[0]),
            "--set training.fused_loss=true: error RY-SCN-137: training.fused_loss has become training.loss; "
            "write loss = \"fused\" for true, loss = \"separate\" for false");
}

TEST(Load, old_names_of_values_work_with_a_warning) {
  const Files files = Files().add("a.toml", std::string(kStep) + "[transport]\nserved_first = \"nobody\"\n");
  const Result<Scenario> s = files.load("a.toml");
  ASSERT_TRUE(s) << to_text(s.error()[0]);
  EXPECT_EQ(s->transport.strict_priority, StrictPriority::none);
  std::vector<std::string> messages;
  for (const Diagnostic& d : s->warnings)
    if (d.code == "RY-SCN-130") messages.push_back(d.message);
  EXPECT_EQ(messages, (std::vector<std::string>{"transport.served_first is now transport.strict_priority",
                                                "transport.strict_priority = \"nobody\" is now \"none\""}));
}

TEST(Load, a_second_name_of_a_key_is_not_warned_about) {
  const Result<Scenario> s = Files().add("a.toml", kStep).load("a.toml", {"training.micro_batch_size=2"});
  ASSERT_TRUE(s) << to_text(s.error()[0]);
  EXPECT_EQ(s->workload.training.micro_batch_size, 2U);
  EXPECT_TRUE(s->warnings.empty());
}

TEST(Load, extends_in_a_circle_or_to_nowhere_is_a_mistake) {
  EXPECT_EQ(codes(Files().add("a.toml", "extends = \"b.toml\"\n").add("b.toml", "extends = \"./a.toml\"\n").load("a.toml")),
            Codes{"RY-SCN-003:1"});
  EXPECT_EQ(codes(Files().add("a.toml", "name = \"a\"\nextends = \"b.toml\"\n").load("a.toml")), Codes{"RY-SCN-001:2"});
  EXPECT_EQ(codes(Files().add("a.toml", "extends = 3\n").load("a.toml")), Codes{"RY-SCN-011:1"});
}

TEST(Load, a_preset_gives_the_dimensions_that_keys_override) {
  const Result<Scenario> s =
      Files()
          .add("a.toml",
               "name = \"a\"\n[model]\npreset = \"llama3-405b\"\nlayers = 32\nsequence = 4096\n"
               "[training]\nglobal_batch = 16\n[cluster]\ngpu = \"H100-SXM-80\"\ngpus = 16\ngpus_per_node = 8\n")
          .load("a.toml");
  ASSERT_TRUE(s) << to_text(s.error()[0]);
  EXPECT_EQ(s->workload.model->layers, 32U);
  EXPECT_EQ(s->workload.model->hidden, 16384U);
  EXPECT_EQ(s->workload.model->kv_heads, 8U);
}

TEST(Load, keys_of_the_flow_engine_are_read_and_have_defaults) {
  const Files files = Files().add("a.toml", kBase);
  const EnginePlan plain = files.load("a.toml")->engine;
  EXPECT_EQ(plain.mode, EngineMode::automatic);
  EXPECT_EQ(plain.quantum, 10_us);
  EXPECT_TRUE(plain.cache);
  EXPECT_EQ(plain.efficiency, 1);
  const Result<Scenario> s = files.load(
      "a.toml", {"engine.mode=exact", "engine.quantum=3 us", "engine.cache=false", "engine.efficiency=1", "routing.paths=4"});
  ASSERT_TRUE(s);
  EXPECT_EQ(s->engine.mode, EngineMode::exact);
  EXPECT_EQ(s->engine.quantum, 3_us);
  EXPECT_FALSE(s->engine.cache);
  EXPECT_EQ(s->engine.efficiency, 1.0);
  EXPECT_EQ(s->routing.paths, 4U);
}

TEST(Load, failures_are_read_in_the_order_written) {
  const Result<Scenario> s =
      Files()
          .add("a.toml", std::string(kBase) +
                             "[engine]\nfidelity = \"flow\"\n[failures]\n\"spine 2\" = \"down\"\n"
                             "\"leaf 3 uplink 7\" = { rate = \"100 Gb/s\", from = \"1 us\", until = \"2 us\" }\n"
                             "\"link a b\" = { from = \"3 us\" }\n")
          .load("a.toml", {"failures.gpu 5 port 1=down"});
  ASSERT_TRUE(s) << to_text(s.error()[0]);
  ASSERT_EQ(s->failures.size(), 4U);
  EXPECT_EQ(s->failures[0].where.file, "--set failures.gpu 5 port 1=down");
  EXPECT_EQ(s->failures[0].what.link_kind, FailureLinkKind::port);
  EXPECT_EQ(s->failures[1].what.kind, FailureKind::spine);
  EXPECT_EQ(s->failures[1].rate, 0_bps);
  EXPECT_FALSE(s->failures[1].what.link_kind || s->failures[1].until);
  const Failure& uplink = s->failures[2];
  EXPECT_EQ(uplink.name, "leaf 3 uplink 7");
  EXPECT_EQ(uplink.what.index, 3U);
  EXPECT_EQ(uplink.what.link_kind, FailureLinkKind::uplink);
  EXPECT_EQ(uplink.what.link_index, 7U);
  EXPECT_EQ(uplink.rate, 100_Gbps);
  EXPECT_EQ(uplink.from, 1_us);
  EXPECT_EQ(uplink.until, 2_us);
  EXPECT_EQ(to_text(uplink.where), "a.toml:14:1");
  EXPECT_EQ(s->failures[3].what.first + s->failures[3].what.second, "ab");
}

TEST(Load, a_section_that_is_not_a_table_is_a_mistake) {
  EXPECT_EQ(codes(Files().add("a.toml", kBase).load("a.toml", {"transport=3"})), Codes{"RY-SCN-011:0"});
}

TEST(Load, a_syntax_error_is_reported_where_it_is) {
  EXPECT_EQ(codes(Files().add("a.toml", "name = \"a\"\n[collective\n").load("a.toml")), Codes{"RY-SCN-002:2"});
}

TEST(Load, a_fingerprint_has_sixteen_hexadecimal_digits) {
  const Files files = Files().add("a.toml", kBase);
  EXPECT_EQ(codes(files.load("a.toml", {"expect.fingerprint=what?"})), Codes{"RY-SCN-048:0"});
  EXPECT_TRUE(files.load("a.toml", {"expect.fingerprint=\"0123456789abcdef\""}));
}

TEST(Load, a_file_that_is_not_there_or_a_folder_is_a_mistake) {
  EXPECT_EQ(load_scenario("no/such/file.toml", builtin_catalog()).error()[0].code, "RY-SCN-001");
  EXPECT_EQ(load_scenario(".", builtin_catalog()).error()[0].code, "RY-SCN-001");
}

TEST(Load, expectations_are_read_even_from_a_scenario_full_of_mistakes) {
  const auto read = [](const std::filesystem::path&) -> Result<std::string> {
    return std::string(
        "nmae = 3\n[expect]\ndiagnostics = [\"RY-SCN-010:1\"]\n[expect.values]\n\"points[0].time_us\" = { value = 2, relative "
        "= 0.1 }\n");
  };
  const ExpectSpec expect = load_expectations("x.toml", read);
  EXPECT_EQ(expect.diagnostics, Codes{"RY-SCN-010:1"});
  ASSERT_EQ(expect.values.size(), 1U);
  EXPECT_EQ(expect.values[0].relative, 0.1);
}

constexpr std::string_view kOldStep = R"(name = "step"
[model]
preset = "llama3-8b"
[cluster]
gpu = "A100-SXM-80"
gpus = 8
gpus_per_node = 8
[training]
global_batch = 8
software = "megatron-2022"
)";

TEST(Load, software_sets_what_the_scenario_does_not) {
  const Result<Scenario> s = Files().add("a.toml", std::string(kOldStep) + "dropout = false\n").load("a.toml");
  ASSERT_TRUE(s) << to_text(s.error()[0]);
  EXPECT_EQ(s->workload.training.attention, AttentionKernel::unfused);
  EXPECT_EQ(s->workload.training.loss, LossKernels::separate);
  EXPECT_FALSE(s->workload.training.dropout);  // the scenario's word counts
  EXPECT_FALSE(s->workload.parallel.data_overlap);
  EXPECT_FALSE(s->keys.given("training.attention"));
  EXPECT_FALSE(s->keys.given("parallel"));
  const auto input =
      std::find_if(s->inputs.begin(), s->inputs.end(), [](const Input& i) { return i.key == "training.attention"; });
  ASSERT_NE(input, s->inputs.end());
  EXPECT_EQ(input->origin.status, Status::published);
  EXPECT_TRUE(input->origin.source.starts_with("megatron-2022: "));
  EXPECT_TRUE(s->warnings.empty());  // keys of the software that have no effect here are nobody's mistake
  EXPECT_TRUE(std::none_of(s->inputs.begin(), s->inputs.end(),
                           [](const Input& i) { return i.key == "training.dropout" && i.origin.status == Status::published; }));
}

TEST(Load, every_software_of_the_catalog_is_sound) {
  for (const std::string& name : builtin_catalog().software.names()) {
    const Result<Scenario> s = Files().add("a.toml", kOldStep).load("a.toml", {"training.software=" + name});
    EXPECT_TRUE(s) << name << ": " << (s ? "" : to_text(s.error()[0]));
  }
}

TEST(Load, software_overlaps_exchanges_where_the_schedule_can) {
  const auto overlaps = [](const std::vector<std::string>& changes) {
    std::vector<std::string> all = {"training.software=megatron-bridge-26.06", "model.preset=mixtral-8x7b", "parallel.zero=1",
                                    "cluster.gpu=GB300", "training.global_batch=64"};
    all.insert(all.end(), changes.begin(), changes.end());
    const Result<Scenario> s = Files().add("a.toml", kOldStep).load("a.toml", all);
    EXPECT_TRUE(s) << (s ? "" : to_text(s.error()[0]));
    return s && s->workload.parallel.expert_overlap;
  };
  EXPECT_TRUE(overlaps({"parallel.expert=8"}));
  EXPECT_TRUE(overlaps({"parallel.expert=4", "parallel.pipeline=2", "parallel.virtual_pipeline=2"}));
  EXPECT_FALSE(overlaps({"parallel.expert=4", "parallel.pipeline=2"}));
  EXPECT_FALSE(overlaps({}));  // experts stay where their tokens are
}

TEST(Load, unknown_software_is_a_mistake_with_a_guess) {
  const Result<Scenario> s = Files().add("a.toml", kOldStep).load("a.toml", {"training.software=megatron-2020"});
  ASSERT_FALSE(s);
  EXPECT_EQ(s.error()[0].code, "RY-SCN-023");
  EXPECT_NE(s.error()[0].hint.find("megatron-202"), std::string::npos);
}

}  // namespace
}  // namespace railyard
