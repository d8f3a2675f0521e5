// Flows listed in a file, for [traffic] with pattern = "file".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "plan/traffic_line.h"

namespace railyard {

/// Reads comma-separated values. The first line names the columns, in any order: `source` and `destination` (or `src` and
/// `dst`), `bytes`, and `start_us` or `start_s`; blanks and a byte order mark are ignored, lines end with LF or CRLF, and "#"
/// starts a comment. Times are read exactly. Every mistake is returned with its line, the first twenty of them. Takes time in
/// proportion to the text.
Result<std::vector<TrafficLine>> read_traffic(std::string_view text, const std::string& file);

/// An error for every line that names a host which `hosts` of them do not have, up to twenty.
Diagnostics missing_hosts(const std::vector<TrafficLine>& lines, std::uint32_t hosts, const std::string& file);

}  // namespace railyard
