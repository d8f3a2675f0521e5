// Arrivals at a node as they are worked off, and what is known of those that follow.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/packet/arrivals.h"

namespace railyard::packet {

/// Arrivals in order. The memory that each will touch is fetched some arrivals before: first what tells where that is
/// (`Model::expect`), then that itself (`Model::expect_soon`).
template<class Model>
class Upcoming {
 public:
  Upcoming(std::uint32_t node, const Model& model, Arrivals& arrivals)
      : node_(node), model_(model), due_(arrivals.in_order()), past_(due_ + arrivals.size()), note_(arrivals.notes()) {
    const std::ptrdiff_t size = past_ - due_;
    for (std::ptrdiff_t i = 0; i < std::min(size, kFar); i++) note_[i] = model_.expect(*due_[i].packet);
    for (std::ptrdiff_t i = 0; i < std::min(size, kNear); i++) expect_soon(i);
  }
  [[nodiscard]] std::uint64_t key() const { return due_->key; }

  struct Arrival {
    const Packet* packet;
    std::uint32_t port;  // of a switch, by which it leaves
  };
  [[gnu::always_inline]] Arrival take() {
    if (due_ + kFar < past_) note_[kFar] = model_.expect(*due_[kFar].packet);
    if (due_ + kNear < past_) expect_soon(kNear);
    return {due_++->packet, *note_++};
  }

 private:
  static constexpr std::ptrdiff_t kFar = 12, kNear = 6;  // arrivals ahead

  [[gnu::always_inline]] void expect_soon(std::ptrdiff_t i) { note_[i] = model_.expect_soon(node_, *due_[i].packet, note_[i]); }

  const std::uint32_t node_;
  const Model& model_;
  const Arrivals::Due* due_;
  const Arrivals::Due* const past_;
  std::uint32_t* note_;  // what is known of each so far
};

}  // namespace railyard::packet
