// What is due on a link.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/packet/device/state.h"

namespace railyard::packet::device {

/// How many packets of a link are due, and when the next one is. Times come in order; several are looked at together, since
/// memory is far away.
inline std::uint32_t count_due(const LinkView& view, Time end, Time& later) {
  constexpr std::uint32_t kTogether = 4;
  for (std::uint32_t head = view.head;; head += kTogether) {
    Time at[kTogether];
    for (std::uint32_t k = 0; k < kTogether; k++)
      at[k] = head - view.head + k < view.tail - view.head ? view.slots[(head + k) & view.mask].at : kNever;
    std::uint32_t due = 0;
    for (std::uint32_t k = 0; k < kTogether; k++)
      if (at[k] < end)
        due++;
      else
        later = std::min(later, at[k]);
    if (due < kTogether) return head - view.head + due;
  }
}

}  // namespace railyard::packet::device
