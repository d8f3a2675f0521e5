#include "tools/goodput/span_text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/quantity_text.h"
#include "tools/goodput/job.h"

namespace railyard {

std::string span_text(double s) {
  if (s <= 0) return "–";
  if (s < 90) return fmt::format("{:.{}f} s", s, s < 10 ? 1 : 0);
  if (s < 1.5 * kHourSeconds) return fmt::format("{:.{}f} min", s / 60, s < 600 ? 1 : 0);
  if (s < 2 * kDaySeconds) return fmt::format("{:.1f} h", s / kHourSeconds);
  return fmt::format("{:.1f} days", s / kDaySeconds);
}

std::string span_setting(double s) {
  const double finest = s >= 1 ? 1e3 : 1;
  return format_exact(Milliseconds(static_cast<std::int64_t>(std::llround(s * 1e3 / finest) * std::llround(finest))));
}

}  // namespace railyard
