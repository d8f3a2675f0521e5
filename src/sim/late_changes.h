// What a run says where changes of rates were too many to follow one by one.
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "base/diagnostic.h"
#include "base/quantity_text.h"
#include "plan/scenario.h"

namespace railyard {

/// A note at `key` if rates were found late, at so many instants (docs/models.md, merged changes of rates).
inline Diagnostics late_changes(const Scenario& scenario, const char* key, std::uint64_t late) {
  if (late == 0) return {};
  return {{Severity::note, "RY-RUN-028",
           fmt::format("rates changed too often to follow every change: {} times several changes were made at once, as if "
                       "messages were up to a 64th larger; times may be about 1 % too long",
                       format_count(late)),
           "use fewer ranks or messages to follow every change", scenario.keys.where(key)}};
}

}  // namespace railyard
