// A GPU played by one thread of the processor: the same code, so that what a GPU would compute can be tested without one.
#pragma once

#include <cstdint>

#include "engine/packet/device/windows.h"

namespace railyard::packet::device {

/// A block of one thread.
struct EmulatedBlock {
  template<class Do>
  void each(std::uint32_t count, const Do& act) {
    for (std::uint32_t i = 0; i < count; i++) act(is_reversed ? count - 1 - i : i);
  }
  template<class Do>
  void each_apart(std::uint32_t count, const Do& act) {
    each(count, act);
  }
  template<class Do>
  void once(const Do& act) {
    act();
  }
  template<class Make, class Begin, class End>
  void in_steps(std::uint32_t count, const Make& make, const Begin& begin, const End& end) {
    each(count, [&](std::uint32_t i) {
      auto one = make(i);
      begin(one);
      while (one.step()) {
      }
      end(one);
    });
  }
  static bool claim(std::uint32_t* mark) {
    const bool marked = *mark != 0;
    *mark = 0;
    return marked;
  }
  bool is_reversed;
};

/// A grid of one block, which does everything in one order or in the other: what comes out may not depend on it.
struct EmulatedGrid {
  template<class Do>
  void blocks(std::uint32_t count, const Do& act) {
    EmulatedBlock block{is_reversed};
    for (std::uint32_t i = 0; i < count; i++) act(block, *scratch, shared, is_reversed ? count - 1 - i : i);
  }
  template<class Do>
  void in_turn(std::uint32_t count, std::uint32_t*, const Do& act) {
    blocks(count, act);
  }
  template<class Do>
  void threads(std::uint32_t count, const Do& act) {
    for (std::uint32_t i = 0; i < count; i++) act(is_reversed ? count - 1 - i : i);
  }
  static void sync() {}
  static bool is_first() { return true; }

  Scratch* scratch;
  bool is_reversed;
  BlockShared shared = {};
};

}  // namespace railyard::packet::device
