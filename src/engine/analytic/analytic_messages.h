// What the analytic engine knows of a message and of what it sends, and what happens next to each.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "engine/engine.h"
#include "engine/rates/max_min.h"

namespace railyard {

inline constexpr std::uint32_t kNoMessage = 0xFFFFFFFF;

/// One message after the other.
struct SendLine {
  QpId connection;
  std::uint32_t head = kNoMessage, tail = kNoMessage;  // flights, which know who follows
};

struct AnalyticConnection {
  std::uint32_t first_path = 0, paths = 0;
  std::uint32_t first_line = 0;    // queue pairs that take turns are a line each
  bool bundle = false;             // every way carries its share of every message
  bool hop = false;                // across one trunk
  Picoseconds last_delivery = {};  // later messages do not overtake
};
static_assert(sizeof(AnalyticConnection) == 24, "an all-to-all has one for every pair");

/// Of a connection with several lines: whose turn it is, and its flights as posted.
struct AnalyticTurns {
  std::uint32_t turn = 0;
  std::uint32_t first = kNoMessage, last = kNoMessage;
};

/// Of a flight on such a connection.
struct AnalyticInTurn {
  std::uint32_t line = 0, next = kNoMessage;
};

/// What a payload weighs, cut for so many queue pairs.
struct AnalyticWireSize {
  Bytes payload, wire;
  std::uint32_t qps = 0;
};

struct AnalyticMessage {
  Message message;
  Picoseconds posted, arrival;
  std::uint32_t next = kNoMessage;  // of its line
  std::uint32_t sendings_left = 0;
};
static_assert(sizeof(AnalyticMessage) == 40, "an all-to-all has a message for every pair");

/// What takes one way of one message.
struct AnalyticSend {
  std::uint32_t flight = 0, path = 0;
};

/// The same where it is followed: `left` and `rate` hold since then.
struct AnalyticProgress {
  Int128 left = 0;
  std::int64_t rate = 0;
  Picoseconds since;

  [[nodiscard]] Picoseconds finish() const { return since + time_of_volume(left, rate); }
};
static_assert(sizeof(AnalyticProgress) == 32, "an uneven all-to-all has one for every pair");

struct AnalyticEnd {
  Picoseconds at;
  std::uint32_t sending;
  friend bool operator>(const AnalyticEnd& a, const AnalyticEnd& b) { return a.at > b.at; }
};

}  // namespace railyard
