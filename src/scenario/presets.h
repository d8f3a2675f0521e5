// The files of scenarios/ by name, wherever the program is run: "llama3", "packets/incast".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenario/load.h"
#include "scenario/scenario_text.h"

namespace railyard {

/// Names of all presets: "llama3", "packets/incast", …
std::vector<std::string> preset_names();

/// What a preset is called in its file: "Llama 3 405B on 16,384 H100 over RoCE, 8K tokens". Empty if there is none.
std::string preset_title(const std::string& name);

/// "scenarios/llama3.toml" for "llama3" where no file on disk is called that; everything else as it is.
std::string scenario_path(const std::string& name_or_path);

/// For load_scenario: files of a preset come from the program, others from disk.
ReadFile reader_for(const std::string& name_or_path);

/// load_scenario for a file on disk, or for a preset by its name. What a preset extends comes from the program as well. A name
/// that is neither is RY-SCN-001, with the nearest preset in its hint. `text` remembers
/// what was read, if given.
Result<Scenario> load_named_scenario(const std::string& name_or_path, const Catalog& catalog,
                                     std::span<const std::string> overrides = {}, const LoadOptions& options = {},
                                     const ScenarioText* text = nullptr);

}  // namespace railyard
