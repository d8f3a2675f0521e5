#include "capture/capture_summary.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace railyard {

namespace {

constexpr std::int64_t kBurstWidths[] = {10'000, 100'000, 1'000'000};  // nanoseconds
constexpr std::uint32_t kFrameOverhead = 24;                           // FCS, preamble and gap

class Summariser {
 public:
  Summariser(std::span<const std::uint8_t> bytes, const std::string& file) : reader_(bytes, file), file_(file) {}

  CaptureSummary run() {
    CapturedFrame frame;
    while (reader_.next(frame)) add(frame);
    if (const std::size_t there = reader_.interfaces().size(); there > 0)
      place_of(static_cast<std::uint32_t>(there - 1));  // those without a frame, too
    for (InterfaceSummary& one : out_.interfaces)
      for (BurstMeter& meter : one.bursts) meter.finish();
    if (reader_.problem()) out_.diagnostics.push_back(*reader_.problem());
    if (out_.roce == 0 && !has_errors(out_.diagnostics))
      out_.diagnostics.push_back({Severity::error,
                                  "RY-CAP-006",
                                  fmt::format("none of its {} frames is RoCEv2 (UDP port {})", out_.frames, kRoceUdpPort),
                                  "capture where RDMA shows: NICs hide it from tcpdump unless sniffing is on; mirror a switch "
                                  "port, or use the NIC's sniffer",
                                  {file_}});
    return std::move(out_);
  }

 private:
  void add(const CapturedFrame& frame) {
    const DissectedFrame seen = dissect(frame.bytes);
    const std::uint64_t size = frame.size + kFrameOverhead;
    if (out_.frames == 0) out_.first_ns = out_.last_ns = frame.at_ns;
    out_.late += frame.at_ns < out_.last_ns;
    out_.first_ns = std::min(out_.first_ns, frame.at_ns);
    out_.last_ns = std::max(out_.last_ns, frame.at_ns);
    out_.frames++;
    out_.bytes += size;
    out_.tagged += seen.is_tagged;
    InterfaceSummary& place = place_of(frame.interface);
    place.frames++;
    place.bytes += size;
    for (BurstMeter& meter : place.bursts) meter.add(frame.at_ns, size);
    if (seen.kind == FrameKind::roce)
      add_roce(frame, seen);
    else if (seen.kind == FrameKind::pfc)
      add_pause(seen, place);
    else
      (seen.kind == FrameKind::pause ? out_.link_pauses : out_.other)++;
  }

  InterfaceSummary& place_of(std::uint32_t index) {
    while (out_.interfaces.size() <= index) {
      InterfaceSummary& one = out_.interfaces.emplace_back();
      one.interface = reader_.interfaces()[out_.interfaces.size() - 1];
      for (const std::int64_t width : kBurstWidths) one.bursts.emplace_back(width, one.interface.rate);
    }
    return out_.interfaces[index];
  }

  void add_roce(const CapturedFrame& frame, const DissectedFrame& seen) {
    out_.roce++;
    out_.opcodes[seen.opcode]++;
    out_.crc_checked += seen.crc != CrcState::unknown;
    out_.crc_wrong += seen.crc == CrcState::wrong;
    if (carries_data(seen.opcode)) {
      out_.data++;
      out_.marked += seen.ecn == EcnBits::ce;
      out_.capable += seen.ecn != EcnBits::none;
    }
    out_.flows.add(frame, seen);
  }

  static void add_pause(const DissectedFrame& seen, InterfaceSummary& place) {
    for (std::size_t priority = 0; priority < seen.quanta.size(); priority++) {
      if ((seen.priorities >> priority & 1) == 0) continue;
      CapturedPauses& counted = place.pauses[priority];
      (seen.quanta[priority] > 0 ? counted.pauses : counted.resumes)++;
    }
  }

  CaptureReader reader_;
  std::string file_;
  CaptureSummary out_;
};

}  // namespace

CaptureSummary summarise(std::span<const std::uint8_t> bytes, const std::string& file) { return Summariser(bytes, file).run(); }

std::string address_text(const IpAddress& address) {
  char text[INET6_ADDRSTRLEN] = {};
  const bool is_ipv4 = std::all_of(address.begin(), address.begin() + 10, [](std::uint8_t byte) { return byte == 0; }) &&
                       address[10] == 0xFF && address[11] == 0xFF;
  inet_ntop(is_ipv4 ? AF_INET : AF_INET6, address.data() + (is_ipv4 ? 12 : 0), text, sizeof text);
  return text;
}

std::string opcode_text(std::uint8_t opcode) {
  static constexpr std::string_view kServices[] = {"RC", "UC", "RD", "UD", "", "XRC", "", ""};
  static constexpr std::string_view kOperations[] = {
      "send first",           "send middle",           "send last",    "send last, immediate", "send only",
      "send only, immediate", "write first",           "write middle", "write last",           "write last, immediate",
      "write only",           "write only, immediate", "read request", "read response first",  "read response middle",
      "read response last",   "read response only",    "acknowledge",  "atomic acknowledge",   "compare and swap",
      "fetch and add"};
  if (opcode == static_cast<std::uint8_t>(RoceOpcode::cnp)) return "CNP";
  const std::string_view service = kServices[opcode >> 5];
  const std::size_t operation = operation_of(opcode);
  if (service.empty() || operation >= std::size(kOperations)) return fmt::format("opcode 0x{:02x}", opcode);
  return fmt::format("{} {}", service, kOperations[operation]);
}

ShareEntropy entropy_of(const std::vector<std::uint64_t>& parts) {
  ShareEntropy out;
  double sum = 0;
  for (const std::uint64_t part : parts) sum += static_cast<double>(part);
  for (const std::uint64_t part : parts) {
    if (part == 0) continue;
    const double share = static_cast<double>(part) / sum;
    out.bits -= share * std::log2(share);
    out.count++;
  }
  out.bits = std::max(0.0, out.bits);
  out.most_bits = out.count > 0 ? std::log2(static_cast<double>(out.count)) : 0;
  return out;
}

double quantile_of(const Histogram& histogram, double q) {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(histogram.count())));
  std::uint64_t before = 0;
  for (const Histogram::Bucket& bucket : histogram.buckets()) {
    before += bucket.count;
    if (before >= std::max<std::uint64_t>(wanted, 1))
      return static_cast<double>(std::clamp(bucket.to - 1, histogram.min(), histogram.max()));
  }
  return static_cast<double>(histogram.max());
}

}  // namespace railyard
