// One line of the log that NCCL's or RCCL's Inspector plugin writes: one call of one rank, as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace railyard {

struct InspectorRecord {
  std::string communicator;            // its hash, as text
  std::uint32_t rank = 0;              // in the communicator
  std::uint32_t ranks = 0, nodes = 0;  // of the communicator; 0 where it is not said
  std::string host, version;           // of the format
  std::uint64_t process = 0;
  std::string call;          // "AllReduce", "Send", …
  bool message = false;      // a send or a receive, not a collective
  std::uint32_t peer = 0;    // of a message: rank in the communicator
  std::uint64_t number = 0;  // of the communicator's calls of this kind
  std::uint64_t bytes = 0;   // count times element, as the library is called
  double time_us = 0;
  double algorithm_gbs = -1, bus_gbs = -1;  // GB/s; negative where they are not said
  std::optional<double> start_us;           // of its first kernel, or of the call; verbose logs have it

  /// Bytes as nccl-tests count them. Of an all-gather, a reduce-scatter and an all-to-all the library is told what one rank has
  /// of it or for another, so that the buffer of all is as often that as there are ranks. Nothing beyond 2^63.
  [[nodiscard]] std::optional<std::int64_t> buffer_bytes() const;
};

enum class InspectorLine : std::uint8_t { call, other, broken };  // other: what the plugin writes beside calls

/// Fills `record` where the line is a call.
InspectorLine read_inspector_line(std::string_view line, InspectorRecord& record);

}  // namespace railyard
