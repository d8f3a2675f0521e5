// The reader survives anything and always answers with a scenario or with findings.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "scenario/load.h"
#include "scenario/read/keys.h"

namespace railyard {
namespace {

RC_GTEST_PROP(ScenarioReader, any_override_is_taken_or_refused, ()) {
  const auto sections = scenario_sections();
  const Section& section = sections[*rc::gen::inRange<std::size_t>(0, sections.size())];
  const std::string key =
      section.keys.empty() ? "x" : section.keys[*rc::gen::inRange<std::size_t>(0, section.keys.size())].name;
  const std::string value =
      *rc::gen::oneOf(rc::gen::arbitrary<std::string>(),
                      rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](std::int64_t i) { return std::to_string(i); }));
  const std::vector<std::string> overrides = {(section.path.empty() ? "" : section.path + ".") + key + "=" + value};
  const auto read = [](const std::filesystem::path&) -> Result<std::string> {
    return std::string(
        "name = \"p\"\n[collective]\nkind = \"all_reduce\"\nsizes = [\"1 MiB\"]\n[cluster]\ngpus = 8\n"
        "nic = \"ConnectX-7\"\n[fabric]\nswitch = \"Tomahawk-5\"\n");
  };
  const Result<Scenario> scenario = load_scenario("p.toml", builtin_catalog(), overrides, read);
  RC_ASSERT(scenario.has_value() || !scenario.error().empty());
  if (!scenario)
    for (const Diagnostic& d : scenario.error()) RC_ASSERT(!d.code.empty() && !d.message.empty() && !d.hint.empty());
}

}  // namespace
}  // namespace railyard
