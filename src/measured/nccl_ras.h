// What NCCL's and RCCL's RAS answers (`ncclras`, port 28028), as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/printed_text.h"
#include "measured/measured.h"

namespace railyard::nccl_log {

[[nodiscard]] bool is_ras_report(std::string_view text);
void read_ras_report(const std::vector<printed::NumberedLine>& lines, const std::string& file, LibraryLog& log);

}  // namespace railyard::nccl_log
