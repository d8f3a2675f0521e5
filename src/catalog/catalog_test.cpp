#include "catalog/catalog.h"

#include <gtest/gtest.h>

#include <set>

#include "base/nearest.h"
#include "catalog/rates.h"

namespace railyard {
namespace {

Diagnostics mistakes_in(std::string_view name, std::string_view text) {
  const EmbeddedFile file{name, text};
  const Result<Catalog> loaded = load_catalog({&file, 1});
  return loaded ? Diagnostics{} : loaded.error();
}

TEST(Catalog, what_ships_is_sound) {
  const Result<Catalog> loaded = load_catalog(embedded_catalog());
  if (!loaded)
    for (const Diagnostic& d : loaded.error()) ADD_FAILURE() << to_text(d);
}

TEST(Catalog, has_the_hardware_people_ask_for) {
  const Catalog& catalog = builtin_catalog();
  for (const char* gpu :
       {"A100-SXM-80", "H100-SXM-80", "H200-SXM-141", "H800-SXM-80", "B200-SXM", "GB200", "MI300X", "MI325X", "MI355X"})
    EXPECT_TRUE(catalog.gpus.find(gpu)) << gpu;
  for (const char* model : {"llama3-405b", "deepseek-v2", "deepseek-v3", "grok-1", "gpt3-175b"})
    EXPECT_TRUE(catalog.models.find(model)) << model;
  EXPECT_EQ(catalog.nics.find("ConnectX-7")->fact.rate, 400_Gbps);
  EXPECT_EQ(catalog.switches.find("Tomahawk-5")->fact.capacity, 51'200_Gbps);
  for (const char* box :
       {"Tomahawk-6", "Tomahawk-Ultra", "Jericho3-AI", "Jericho4", "Spectrum-4", "Quantum-X800", "Silicon-One-G200"})
    EXPECT_TRUE(catalog.switches.find(box)) << box;
  for (const char* nic : {"ConnectX-8", "Thor-2", "Thor-Ultra", "Pollara-400"}) EXPECT_TRUE(catalog.nics.find(nic)) << nic;
  for (const char* optic : {"800G-DR4", "1.6T-2xDR4"}) EXPECT_TRUE(catalog.optics.find(optic)) << optic;
}

TEST(Catalog, short_names_are_understood) {
  const Catalog& all = builtin_catalog();
  using Slips = std::vector<std::pair<const char*, const char*>>;
  const auto expect = [](const std::vector<std::string>& names, const Slips& slips) {
    for (const auto& [written, meant] : slips) EXPECT_EQ(nearest(written, names), meant) << written;
  };
  expect(all.gpus.names(), {{"H100", "H100-SXM-80"},
                            {"h200", "H200-SXM-141"},
                            {"H100-80GB", "H100-SXM-80"},
                            {"H100_SXM", "H100-SXM-80"},
                            {"A100", "A100-SXM-40"},
                            {"B200", "B200-SXM"},
                            {"MI300", "MI300X"},
                            {"mi-325x", "MI325X"},
                            {"GB200-NVL72", "GB200"}});
  expect(all.nics.names(), {{"CX7", "ConnectX-7"},
                            {"CX-8", "ConnectX-8"},
                            {"connectx7", "ConnectX-7"},
                            {"BF3", "BlueField-3"},
                            {"Bluefield3", "BlueField-3"},
                            {"Thor2", "Thor-2"},
                            {"Pollara", "Pollara-400"}});
  expect(all.switches.names(), {{"Tomahawk5", "Tomahawk-5"},
                                {"TH5", "Tomahawk-5"},
                                {"Tomahawk 4", "Tomahawk-4"},
                                {"Spectrum4", "Spectrum-4"},
                                {"QuantumX800", "Quantum-X800"},
                                {"G200", "Silicon-One-G200"}});
  expect(all.models.names(), {{"llama3", "llama3-8b"},
                              {"Llama-3-70B", "llama3-70b"},
                              {"llama3.1-405b", "llama3-405b"},
                              {"deepseekv3", "deepseek-v3"},
                              {"gpt3", "gpt3-175b"},
                              {"qwen3-235b", "qwen3-235b-a22b"},
                              {"mixtral", "mixtral-8x7b"},
                              {"8x22b", "mixtral-8x22b"}});
}

TEST(Catalog, models_have_the_sequences_that_they_were_trained_with) {
  const auto sequence = [](const char* name) { return builtin_catalog().models.find(name)->fact.sequence.value_or(0); };
  EXPECT_EQ(sequence("qwen3-235b-a22b"), 4096U);  // the released model takes 40,960
  EXPECT_EQ(sequence("qwen3-30b-a3b"), 4096U);
  EXPECT_EQ(sequence("kimi-k2"), 4096U);
  EXPECT_EQ(sequence("deepseek-v3"), 4096U);
  EXPECT_EQ(sequence("llama3-405b"), 8192U);
  EXPECT_EQ(sequence("mixtral-8x7b"), 32768U);
}

TEST(Catalog, hardware_carries_what_it_is_said_to) {
  const auto ports = [](const char* name, BitsPerSecond rate) {
    return ports_at(builtin_catalog().switches.find(name)->fact, rate);
  };
  EXPECT_EQ(ports("Tomahawk-5", 800_Gbps), 64U);
  EXPECT_EQ(ports("Tomahawk-5", 400_Gbps), 128U);
  EXPECT_EQ(ports("Tomahawk-5", 300_Gbps), 128U);
  EXPECT_EQ(ports("Tomahawk-5", 10_Gbps), 512U);
  EXPECT_EQ(ports("Tomahawk-5", 1600_Gbps), 0U);
  EXPECT_EQ(pcie_rate("PCIe 4.0 x16")->count() / 1'000'000'000, 252);
  EXPECT_EQ(pcie_rate("PCIe 5.0 x16")->count() / 1'000'000'000, 504);
  EXPECT_EQ(pcie_rate("PCIe 6.0 x16")->count() / 1'000'000'000, 944);
  EXPECT_FALSE(pcie_rate("PCIe 5.0"));
  EXPECT_FALSE(pcie_rate("NVLink-C2C"));
  for (const Entry<GpuFact>& gpu : builtin_catalog().gpus.entries())
    if (gpu.fact.nic_rate) {
      EXPECT_GE(pcie_rate(gpu.fact.host_interface).value_or(BitsPerSecond::zero()), *gpu.fact.nic_rate) << gpu.name;
    }
}

TEST(Catalog, every_entry_has_a_source_and_is_not_merely_given) {
  for_each_shelf(builtin_catalog(), [](const CatalogKind& kind, const auto& shelf) {
    EXPECT_FALSE(shelf.entries().empty()) << kind.name;
    for (const auto& entry : shelf.entries()) {
      EXPECT_FALSE(entry.origin.source.empty()) << entry.name;
      EXPECT_NE(entry.origin.status, Status::given) << entry.name;
    }
  });
}

TEST(Catalog, switch_ports_fill_their_capacity) {
  for (const auto& entry : builtin_catalog().switches.entries())
    EXPECT_LE(entry.fact.port_rate * entry.fact.ports, entry.fact.capacity) << entry.name;
}

TEST(Catalog, dense_models_have_the_parameters_they_are_known_by) {
  for (const char* name : {"llama3-8b", "llama3-70b", "llama3-405b"}) {
    const ModelFact& m = builtin_catalog().models.find(name)->fact;
    const double head = static_cast<double>(*m.hidden) / *m.heads;
    const double attention = 2.0 * *m.hidden * *m.hidden + 2.0 * *m.hidden * head * *m.kv_heads;
    const double mlp = 3.0 * *m.hidden * *m.ffn;
    const double total = *m.layers * (attention + mlp) + 2.0 * *m.vocabulary * *m.hidden;
    EXPECT_NEAR(total / *m.parameters, 1, 0.02) << name;
  }
}

TEST(Catalog, single_values_may_have_their_own_status) {
  const auto* nic = builtin_catalog().nics.find("ConnectX-7");
  EXPECT_EQ(nic->origin_of("rate").status, Status::published);
  EXPECT_EQ(nic->origin_of("latency").status, Status::estimated);
}

TEST(Catalog, mistakes_are_all_reported_with_their_lines) {
  const Diagnostics found = mistakes_in("catalog/nics.toml",
                                        "[A]\n"
                                        "vendor = \"x\"\n"
                                        "rate = \"400 Gbits\"\n"
                                        "transports = [\"rocee\"]\n"
                                        "colour = \"red\"\n"
                                        "source = \"s\"\n");
  std::set<std::pair<std::string, std::uint32_t>> seen;
  for (const Diagnostic& d : found) seen.insert({d.code, d.where.line});
  const std::set<std::pair<std::string, std::uint32_t>> expected = {
      {"RY-CAT-007", 1}, {"RY-CAT-004", 3}, {"RY-CAT-006", 4}, {"RY-CAT-002", 5}};
  EXPECT_EQ(seen, expected);
}

TEST(Catalog, a_file_of_unknown_kind_and_a_syntax_error_are_reported) {
  EXPECT_EQ(mistakes_in("catalog/cats.toml", "[Tom]\n").at(0).code, "RY-CAT-009");
  EXPECT_EQ(mistakes_in("catalog/nics.toml", "[A\n").at(0).code, "RY-CAT-001");
  EXPECT_EQ(mistakes_in("catalog/nics.toml", "A = 3\n").at(0).code, "RY-CAT-003");
}

TEST(Catalog, an_entry_in_two_files_and_a_model_without_layers_are_mistakes) {
  constexpr std::string_view kModel = "[m]\nlayers = 0\nsource = \"s\"\nstatus = \"published\"\n";
  const EmbeddedFile files[] = {{"catalog/models/a.toml", kModel}, {"catalog/models/b.toml", kModel}};
  const Result<Catalog> loaded = load_catalog(files);
  ASSERT_FALSE(loaded);
  ASSERT_EQ(loaded.error().size(), 2U);
  EXPECT_EQ(loaded.error()[0].code, "RY-CAT-005");
  EXPECT_EQ(loaded.error()[1].code, "RY-CAT-008");
}

TEST(Catalog, an_origin_for_a_value_that_is_not_there_is_a_mistake) {
  const Diagnostics found =
      mistakes_in("catalog/prices.toml",
                  "[a]\nitem = \"x\"\nprice = \"1 USD\"\nper = \"each\"\ndate = \"2024\"\nsource = \"s\"\n"
                  "status = \"published\"\n[a.values]\ncolour = { status = \"assumed\", source = \"t\" }\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].code, "RY-CAT-002");
}

TEST(Catalog, prices_and_servers_name_parts_that_it_has) {
  const Catalog& catalog = builtin_catalog();
  for (const Entry<PriceFact>& price : catalog.prices.entries()) {
    const PriceFact& fact = price.fact;
    EXPECT_TRUE(fact.switch_model.empty() || catalog.switches.find(fact.switch_model)) << price.name;
    EXPECT_TRUE(fact.nic.empty() || catalog.nics.find(fact.nic)) << price.name;
    EXPECT_TRUE(fact.optic.empty() || catalog.optics.find(fact.optic)) << price.name;
    EXPECT_TRUE(fact.server.empty() || catalog.servers.find(fact.server)) << price.name;
  }
  for (const Entry<ServerFact>& server : catalog.servers.entries()) {
    EXPECT_NE(catalog.gpus.find(server.fact.gpu), nullptr) << server.name;
    EXPECT_TRUE(server.fact.nic.empty() || catalog.nics.find(server.fact.nic)) << server.name;
  }
}

TEST(Catalog, every_gpu_that_trains_has_the_speeds_a_step_needs) {
  const Catalog& catalog = builtin_catalog();
  for (const Entry<GpuFact>& gpu : catalog.gpus.entries()) {
    const bool trains = gpu.name != "GB10" && gpu.name != "RTX-PRO-6000";
    EXPECT_EQ(catalog.speeds.find(gpu.name) != nullptr, trains) << gpu.name;
  }
  for (const Entry<SpeedFact>& speed : catalog.speeds.entries())
    EXPECT_NE(catalog.gpus.find(speed.name), nullptr) << speed.name;
}

TEST(Catalog, every_gpu_has_what_a_communication_library_makes_of_it) {
  const Catalog& catalog = builtin_catalog();
  for (const Entry<GpuFact>& gpu : catalog.gpus.entries()) {
    const Entry<CommFact>* found = catalog.communication.find(gpu.name);
    ASSERT_NE(found, nullptr) << gpu.name;
    const CommFact& fact = found->fact;
    EXPECT_LT(fact.ring_rate, gpu.fact.scale_up_rate) << gpu.name;
    EXPECT_LE(fact.all_to_all_rate, gpu.fact.scale_up_rate) << gpu.name;
    EXPECT_LT(fact.ll_rate, fact.ll128_rate) << gpu.name;
    EXPECT_LT(fact.ll128_rate, fact.ring_rate) << gpu.name;
    EXPECT_EQ(fact.nvls_rate.has_value(), fact.nvls_latency.has_value()) << gpu.name;
    EXPECT_EQ(gpu.fact.vendor == "AMD", fact.tuning == TuningTable::cdna) << gpu.name;
  }
  for (const Entry<CommFact>& entry : catalog.communication.entries())
    EXPECT_NE(catalog.gpus.find(entry.name), nullptr) << entry.name;
}

}  // namespace
}  // namespace railyard
