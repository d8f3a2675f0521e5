// What senders of an estate put on their packets.
#pragma once

#include <vector>

#include "tools/lint/view.h"

namespace railyard {

/// DSCPs of data, each once: as jobs ask for, then as NICs are set to.
[[nodiscard]] std::vector<SentMark> sent_marks(const Estate& estate);
/// DSCPs of CNPs, each once.
[[nodiscard]] std::vector<SentMark> sent_cnps(const Estate& estate);

}  // namespace railyard
