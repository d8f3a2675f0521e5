// Files of scenarios/ that scenarios on disk may extend or name without having them.
#pragma once

#include <string>

namespace railyard {

/// The file of a preset ("llama3"); empty if there is none.
std::string preset_text(const std::string& name);

/// Whether a scenario on disk may extend or name it, though it is not there: a preset ("llama3") or a file that presets use
/// ("expert-load.txt"). A file of that name beside the scenario goes first.
bool is_shipped(const std::string& name);

}  // namespace railyard
