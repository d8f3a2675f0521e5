// Sums over the flows and interfaces of a capture.
#pragma once

#include <cstdint>
#include <vector>

#include "capture/capture_summary.h"

namespace railyard {

struct CaptureFigures {
  std::vector<const CapturedFlow*> flows;  // each once
  std::size_t hosts = 0, elephants = 0, mice = 0;
  std::uint64_t packets = 0, flow_bytes = 0, payload = 0, messages = 0, elephant_bytes = 0;
  std::uint64_t gaps = 0, missing = 0, repeated = 0;
  ShareEntropy five_tuples, source_ports;
};
CaptureFigures figures_of(const CaptureSummary& summary);

/// Addresses of senders and receivers of data, in order.
std::vector<IpAddress> hosts_of(const std::vector<const CapturedFlow*>& flows);

/// Frames of one priority, or all, on all interfaces.
CapturedPauses pauses_of(const CaptureSummary& summary, std::size_t priority);
std::uint64_t pause_frames(const CaptureSummary& summary);

/// Interfaces with frames, those with most bytes first.
std::vector<std::uint32_t> busiest_places(const CaptureSummary& summary);

/// Bits per second from its first packet to its last; zero where there is one.
double rate_of_flow(const CapturedFlow& flow);

}  // namespace railyard
