// Thresholds that operators publish for their own health checks: a second opinion beside what is computed.
#pragma once

#include <string>
#include <string_view>

#include "base/units.h"

namespace railyard {

/// Of an all_reduce over so many servers; empty where nobody publishes one.
[[nodiscard]] std::string practice_all_reduce(std::string_view gpu, std::uint32_t nodes);

/// Of ib_write_bw over a port of that rate, and of ib_write_lat; empty where nobody publishes one.
[[nodiscard]] std::string practice_rate(BitsPerSecond port);
[[nodiscard]] std::string practice_latency(std::string_view gpu);

}  // namespace railyard
