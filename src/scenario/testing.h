// Scenarios from text, for tests of everything above.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/check.h"
#include "scenario/load.h"

namespace railyard::testing {

/// What `text` says. REQUIRES: it says nothing wrong.
inline Scenario scenario_of(const std::string& text) {
  const auto read = [&](const std::filesystem::path&) -> Result<std::string> { return text; };
  Result<Scenario> scenario = load_scenario("test.toml", builtin_catalog(), {}, read);
  if (!scenario) throw std::runtime_error(to_text(scenario.error().front()));
  return std::move(*scenario);
}

/// A GPT of `layers` blocks on A100s, with further sections appended.
inline Scenario gpt(std::uint32_t layers, std::uint32_t gpus, const std::string& training, const std::string& parallel) {
  return scenario_of("name = \"gpt\"\n[model]\nlayers = " + std::to_string(layers) +
                     "\nhidden = 4096\nheads = 32\nffn = 16384\ngated = false\nvocabulary = 51200\nsequence = 2048\n" +
                     "[cluster]\ngpu = \"A100-SXM-80\"\ngpus_per_node = " + std::to_string(std::min(gpus, 8U)) +
                     "\ngpus = " + std::to_string(gpus) + "\n[training]\n" + training + "\n[parallel]\n" + parallel + "\n");
}

}  // namespace railyard::testing
