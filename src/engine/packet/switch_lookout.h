// Fetches what the visit of a switch will touch while the switch before it is played: the rows of all switches do not fit a
// cache.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/packet/links.h"
#include "engine/packet/net.h"

namespace railyard::packet {

/// What arrives at a switch, then its ports, one more with each step. Nothing is changed. Of several threads each takes one
/// switch at a time, and knows of no next one: then there is nothing to fetch.
class SwitchLookout {
 public:
  SwitchLookout(const Net& net, const Links& links) : net_(net), links_(links) {}

  /// The first of the switches that are still to come, as bits that count from `first` on.
  void begin(std::uint32_t first, std::uint64_t bits) {
    link_ = past_link_ = port_ = past_port_ = 0;
    if (bits == 0) return;
    const std::uint32_t node = first + static_cast<std::uint32_t>(std::countr_zero(bits));
    link_ = net_.first_link[node], past_link_ = net_.first_link[node + 1];
    port_ = net_.first_port[node], past_port_ = net_.first_port[node + 1];
  }

  [[gnu::always_inline]] void step() {
    if (link_ != past_link_)
      fetch(&links_.view(link_++).first());
    else if (port_ != past_port_)
      fetch(net_.ports + port_++);
  }

 private:
  /// To the second cache: the first is full of the switch that is being played.
  template<class Row>
  static void fetch(const Row* row) {
    constexpr int kToSecond = 2, kToRead = 0;
    for (std::size_t line = 0; line < 3; line++)
      __builtin_prefetch(reinterpret_cast<const char*>(row) + 64 * line, kToRead, kToSecond);
  }

  const Net& net_;
  const Links& links_;
  std::uint32_t link_ = 0, past_link_ = 0, port_ = 0, past_port_ = 0;
};

}  // namespace railyard::packet
