// Which lines of a file a mistake changed, and whether a line is near one of them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "config/read/read.h"

namespace railyard {

[[nodiscard]] std::vector<std::string> lines_in(const std::string& text);

/// By file: numbers of lines that the file without the mistake does not have. Files that only lost lines are not in it.
using ChangedLines = std::map<std::string, std::set<std::uint32_t>>;
[[nodiscard]] ChangedLines changed_lines(const std::vector<ConfigText>& clean, const std::vector<ConfigText>& files);

/// Whether a line is one that was changed, is the head of a block that was changed in, or stands in one block with it or right
/// below it. Lines of nv set are in one block where they are about the same thing.
[[nodiscard]] bool is_near(const ConfigText& file, std::uint32_t line, const std::set<std::uint32_t>& changed);

}  // namespace railyard
