// Commands that repeat a run, for people to copy.
#pragma once

#include <string>
#include <vector>

namespace railyard {

/// As a shell reads it as one word: quoted where it must be.
std::string shell_word(const std::string& word);

/// " --set key=value" for each, with a blank before it.
std::string set_words(const std::vector<std::string>& overrides);

/// "railyard run llama3 --set key=value": what repeats a run of a file or preset.
std::string run_command_text(const std::string& scenario, const std::vector<std::string>& overrides);

}  // namespace railyard
