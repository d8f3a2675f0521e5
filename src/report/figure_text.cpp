#include "report/figure_text.h"

#include <fmt/format.h>

#include "base/quantity_text.h"

namespace railyard {

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string time_text(double seconds) { return format(Picoseconds(static_cast<std::int64_t>(seconds * 1e12 + 0.5))); }

std::string seconds_or_dash(double seconds) { return seconds > 0 ? format(from_seconds(seconds)) : "–"; }

std::string microseconds_or_dash(double us) { return us > 0 ? format(Picoseconds(static_cast<std::int64_t>(us * 1e6))) : "–"; }

std::string gbps_text(double gbps) { return format(BitsPerSecond(static_cast<std::int64_t>(gbps * 1e9))); }

Document numbers(const std::vector<double>& values) {
  Document out = Document::array();
  for (const double value : values) out.push(Document(value));
  return out;
}

}  // namespace railyard
