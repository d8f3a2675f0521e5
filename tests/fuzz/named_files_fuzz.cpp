// Any bytes as the files that keys of a scenario name: ranks, loads of experts, traffic and drawings, each read with the rest
// of its scenario. The first byte says which.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "catalog/catalog.h"
#include "scenario/load.h"
#include "sim/simulate.h"

namespace {

constexpr const char* kPhysics =
    "link_rate = \"100 Gb/s\"\nlink_delay = \"300 ns\"\nswitch_latency = \"500 ns\"\nhost_latency = \"1 us\"\n";

std::string scenario_with(unsigned which) {
  const std::string physics = kPhysics, ring = "[traffic]\npattern = \"ring\"\nsize = \"1 kB\"\n";
  const std::string start = "name = \"x\"\n";
  switch (which % 4) {
    case 0:
      return start + ring + "[cluster]\ngpus = 8\n[placement]\npolicy = \"file\"\nfile = \"f\"\n[fabric]\n" + physics;
    case 1:
      return start +
             "[model]\nlayers = 4\nhidden = 1024\nheads = 16\nffn = 4096\nvocabulary = 8192\nsequence = 1024\nexperts = 8\n"
             "experts_per_token = 2\nexpert_ffn = 1024\n[training]\nglobal_batch = 16\nexpert_load = \"f\"\n"
             "[cluster]\ngpu = \"H100-SXM-80\"\ngpus = 8\ngpus_per_node = 8\n";
    case 2:
      return start + "[traffic]\npattern = \"file\"\nfile = \"f\"\n[cluster]\ngpus = 8\n[fabric]\n" + physics;
    default:
      return start + ring + "[cluster]\ngpus = 2\n[fabric]\ntopology = \"file\"\nfile = \"f\"\nhost_latency = \"1 us\"\n";
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railyard;
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1), scenario_text = scenario_with(data[0]);
  const auto read = [&](const std::filesystem::path& path) -> Result<std::string> {
    return path.filename() == "fuzz.toml" ? scenario_text : text;
  };
  const Result<Scenario> scenario = load_scenario("fuzz.toml", builtin_catalog(), {}, read, {.traces = false});
  if (!scenario) {
    RY_CHECK(!scenario.error().empty(), "a refusal has a reason");
    for (const Diagnostic& d : scenario.error()) (void)to_text(d);
  } else if (scenario->fabric.endpoints <= 256) {
    (void)remarks_on(*scenario);
  }
  return 0;
}
