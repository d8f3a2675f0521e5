// One event of a trace that PyTorch's profiler (Kineto) writes: what both replaying it and summing it up read of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/document.h"

namespace railyard {

struct KinetoEvent {
  std::string category, name;
  double start_us = -1, length_us = -1;  // negative where it is not said
  std::string collective;                // as the operation is called, or "" for what is only known by its kernel's name
  double bytes = 0;                      // the larger of its two buffers; 0 where it is not said
  std::uint32_t group_size = 0;          // 0 where it is not said
  std::string group;                     // description or name of the process group
  std::string group_ranks;               // "[0, 8, 16]", if said
  bool on_gpu = false, kernel = false, communicates = false;
};

/// Without parsing it: false only if it is no event of the GPU.
bool may_be_on_gpu(std::string_view text);

KinetoEvent kineto_event(const Document& event);

}  // namespace railyard
