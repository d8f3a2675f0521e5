// Whether a GPU can play packets here, and which it can play.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "plan/packet_plan.h"

namespace railyard {

/// A GPU did not do what it was asked, or has no memory left for it: what() is a sentence without a full stop. Nothing of the
/// run is left.
class GpuFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Why no GPU can be used on this machine, a sentence without a full stop; empty: one can.
[[nodiscard]] std::string why_no_gpu();

/// What a GPU does not do of these packets, the end of a sentence that begins with "a GPU does not simulate"; none: it can.
[[nodiscard]] std::optional<std::string> not_on_gpu(const PacketPlan& plan);

}  // namespace railyard
