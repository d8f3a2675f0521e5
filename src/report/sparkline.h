// A series in one line of text.
#pragma once

#include <string>
#include <vector>

namespace railyard {

/// One character for every span of time, `most` of them: from a dot for nothing to a full block for 1.
std::string sparkline(const std::vector<double>& values, std::size_t most);

}  // namespace railyard
