// Lines that people copied from a terminal: who was asked what.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace railyard {

/// `root@gpu01:~# ethtool -S eth4`, `leaf1#show pfc counters`, `$ rdma statistic`: host and words of the command.
struct PromptLine {
  std::string host;  // "" where the prompt has none
  std::vector<std::string_view> command;
};

/// Empty words where the line is no prompt with a command.
[[nodiscard]] PromptLine prompt_line(std::string_view line);

/// Whether a line is a time alone, as `date` prints it: another snapshot begins.
[[nodiscard]] bool is_date_line(std::string_view line);

}  // namespace railyard
