// Captures made by hand, for tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/frame.h"
#include "capture/pcapng_writer.h"

namespace railyard::testing {

using FileBytes = std::vector<std::uint8_t>;

inline FileBytes frame_bytes(const RoceFrame& frame, std::uint32_t most = 65535) {
  FileBytes bytes;
  encode(frame, most, bytes);
  return bytes;
}

/// A frame of a flow from 10.0.0.1 to 10.0.0.2, or of answers to it.
inline RoceFrame roce_frame(RoceOpcode opcode, std::uint32_t sequence, std::uint32_t payload = 1024) {
  RoceFrame frame{.source = 0x0A000001, .destination = 0x0A000002, .source_port = 50000, .opcode = opcode};
  frame.destination_qp = 17;
  frame.sequence = sequence;
  frame.payload = payload;
  frame.reth.length = payload;
  if (opcode != RoceOpcode::acknowledge && opcode != RoceOpcode::cnp) return frame;
  std::swap(frame.source, frame.destination);
  frame.destination_qp = 9;
  frame.payload = opcode == RoceOpcode::cnp ? static_cast<std::uint32_t>(kCnpPayload) : 0;
  return frame;
}

/// Builds a pcapng file.
class PcapngFile {
 public:
  explicit PcapngFile(std::vector<CaptureInterface> interfaces = {{"leaf 0 to GPU 1", 100_Gbps}}, std::uint32_t most = 65535)
      : writer_(interfaces, most, [this](std::string_view bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }) {
  }

  PcapngFile& add(Picoseconds at, const RoceFrame& frame, std::uint32_t interface = 0, std::uint32_t most = 65535) {
    writer_.add(interface, at, size_of(frame), frame_bytes(frame, most));
    return *this;
  }
  PcapngFile& add(Picoseconds at, const PauseFrame& frame) {
    FileBytes bytes;
    encode(frame, bytes);
    writer_.add(0, at, static_cast<std::uint32_t>(bytes.size()), bytes);
    return *this;
  }
  const FileBytes& bytes() {
    writer_.finish();
    return bytes_;
  }

 private:
  FileBytes bytes_;
  PcapngWriter writer_;
};

/// Builds a pcap file, in either order of bytes.
class PcapFile {
 public:
  PcapFile(bool big_endian, bool nanoseconds, std::uint32_t link = 1) : big_endian_(big_endian) {
    word(nanoseconds ? 0xA1B23C4DU : 0xA1B2C3D4U);
    word(big_endian ? 0x00020004 : 0x00040002);
    word(0), word(0), word(65535), word(link);
  }
  PcapFile& add(std::uint32_t seconds, std::uint32_t fraction, const FileBytes& frame, std::uint32_t size = 0) {
    word(seconds), word(fraction), word(static_cast<std::uint32_t>(frame.size()));
    word(size == 0 ? static_cast<std::uint32_t>(frame.size()) : size);
    bytes.insert(bytes.end(), frame.begin(), frame.end());
    return *this;
  }
  void word(std::uint32_t value) {
    for (int i = 0; i < 4; i++) bytes.push_back(static_cast<std::uint8_t>(value >> 8 * (big_endian_ ? 3 - i : i)));
  }

  FileBytes bytes;

 private:
  bool big_endian_;
};

}  // namespace railyard::testing
