// Formats in which other tools write execution traces.
#pragma once

#include <cstdint>

#include "base/choice.h"

namespace railyard {

enum class TraceFormat : std::uint8_t { automatic, goal, chakra, simai, kineto, csv, inspector };

template<>
struct ChoiceNames<TraceFormat> {
  static constexpr std::string_view names[] = {"auto", "goal", "chakra", "simai", "kineto", "csv", "inspector"};
};

}  // namespace railyard
