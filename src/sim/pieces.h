// How a collective on the wire is cut into messages, as communication libraries send it: pieces that ranks pass on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/engine.h"

namespace railyard {

inline constexpr Bytes kPiece = 64_KiB;                   // of a message, at most
inline constexpr std::uint32_t kPiecesPerStep = 8;        // 512 KiB, what NCCL passes on at once
inline constexpr std::uint32_t kMostPiecesInFlight = 64;  // of an edge: 4 MiB, NCCL's buffer

/// Every edge sends `count` messages, `per_step` of them in every step: what came in in one step is sent on in the next, and
/// after `steps` of them it begins again with data of its own.
struct Pieces {
  std::uint32_t count = 0;
  std::uint32_t per_step = 1;  // of them, in a row
  std::uint32_t steps = 1;

  /// Whether piece `i` is one that came in before.
  [[nodiscard]] bool is_passed_on(std::uint32_t i) const { return i / per_step % steps > 0; }
  /// The first `n` pieces of `all` bytes.
  [[nodiscard]] Bytes up_to(Bytes all, std::uint32_t n) const {
    return Bytes(static_cast<std::int64_t>(Int128(all.count()) * n / count));
  }
  /// Piece `i` of them.
  [[nodiscard]] Bytes piece(Bytes all, std::uint32_t i) const { return up_to(all, i + 1) - up_to(all, i); }
};

/// Of a collective whose busiest edge carries `most` bytes in `steps` steps; zero is taken for one.
Pieces cut_into_pieces(double most, std::uint32_t steps);

/// Where an edge stands in the ring of its group.
struct RingPlace {
  std::uint32_t before = kNobody;  // edge whose pieces it passes on
  std::uint32_t after = kNobody;   // edge that passes on its own
  static constexpr std::uint32_t kNobody = 0xFFFFFFFFU;
};

/// A rank passes on what it received. Where several edges leave a rank, the first does.
std::vector<RingPlace> ring_places(std::span<const Edge> edges);

}  // namespace railyard
