// What a capture says of the traffic: the same questions that are asked of a run.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "capture/burst_meter.h"
#include "capture/capture_reader.h"
#include "capture/captured_flows.h"

namespace railyard {

/// PFC frames of one priority.
struct CapturedPauses {
  std::uint64_t pauses = 0, resumes = 0;
};

/// One interface of a capture.
struct InterfaceSummary {
  CapturedInterface interface;
  std::uint64_t frames = 0, bytes = 0;   // on the wire
  std::array<CapturedPauses, 8> pauses;  // by priority
  std::vector<BurstMeter> bursts;        // by width, the finest first
};

struct CaptureSummary {
  std::uint64_t frames = 0, roce = 0, other = 0, tagged = 0;
  std::uint64_t bytes = 0;  // of all frames, on the wire
  std::int64_t first_ns = 0, last_ns = 0;
  std::uint64_t late = 0;  // frames whose time is before that of the one before
  std::map<std::uint8_t, std::uint64_t> opcodes;
  std::uint64_t data = 0, marked = 0, capable = 0;  // packets with data; with congestion experienced; that could have it
  std::uint64_t crc_checked = 0, crc_wrong = 0;
  std::uint64_t link_pauses = 0;  // 802.3x, which stop a whole link
  std::vector<InterfaceSummary> interfaces;
  CapturedFlows flows;
  Diagnostics diagnostics;  // what is wrong with the file; nothing is counted after an error
};

/// Reads all frames of a capture, one after the other: memory grows with queue pairs and messages, not with frames. `file` is
/// for messages.
CaptureSummary summarise(std::span<const std::uint8_t> bytes, const std::string& file);

/// "10.0.0.3", "fd00::7".
std::string address_text(const IpAddress& address);

/// "RC write middle", "CNP"; "opcode 0x93" where there is no name.
std::string opcode_text(std::uint8_t opcode);

/// Entropy in bits of shares of a whole, and what it would be if all were alike.
struct ShareEntropy {
  std::size_t count = 0;
  double bits = 0, most_bits = 0;
};
ShareEntropy entropy_of(const std::vector<std::uint64_t>& parts);

/// The smallest value that a share `q` of a histogram's values do not exceed, as far as its buckets tell.
double quantile_of(const Histogram& histogram, double q);

}  // namespace railyard
