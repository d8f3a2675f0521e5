// A packet run as somebody with probes at its ports would have captured it: frames of RoCEv2 and PFC, in a pcapng file.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "capture/frame.h"
#include "capture/pcapng_writer.h"
#include "fabric/fabric.h"
#include "plan/scenario.h"
#include "telemetry/packet_tap.h"

namespace railyard {

/// Errors if a run of `scenario` has no frames that can be written: it must be traffic or one collective, packet by packet,
/// over RoCE with rates (RY-CAP-021).
Diagnostics not_captured(const Scenario& scenario);

/// Makes frames of what a run tells. Every field is the model's where it has one: times, ports, order, sizes, marks, numbers.
/// The rest (MAC addresses, memory addresses, keys) follows from ids; payloads are zero (docs/models.md, frames of a capture).
class WireCapture final : public PacketTap {
 public:
  /// Frames that leave by `ports` go to `write`, the first `most` bytes of each; `packed`: as gzip.
  WireCapture(const Fabric& fabric, const Scenario& scenario, std::span<const PortId> ports, std::uint32_t most,
              PcapngWriter::Write write, bool packed);

  [[nodiscard]] bool wants(PortId port) const override { return interface_of_[port] != kNoInterface; }
  void opened(const QueuePairHeader& header) override { flows_.push_back({header, {}, 0}); }
  void posted(std::uint32_t flow, const TappedMessage& message) override { flows_[flow].messages.push_back(message); }
  void saw(std::span<const Sighting> frames) override;

  /// Writes what is left.
  void finish() { writer_.finish(); }

 private:
  static constexpr std::uint32_t kNoInterface = 0xFFFFFFFFU;

  struct Flow {
    QueuePairHeader header;
    std::vector<TappedMessage> messages;  // in order
    std::size_t last = 0;                 // that was asked for
  };

  static std::size_t message_with(Flow& flow, std::uint32_t number);
  void add(const Sighting& seen);
  void add_pause(const Sighting& seen);
  void set_network(const Sighting& seen, const Flow& flow);
  void set_data(const Sighting& seen, Flow& flow);
  void set_answer(const Sighting& seen, Flow& flow);

  const Fabric fabric_;
  Table<PortId, std::uint32_t> interface_of_;
  std::array<std::uint8_t, kClasses> dscp_{}, priority_{};
  bool has_tag_ = false, writes_ = true;  // 802.1Q; data is written to memory, not sent
  std::uint32_t most_;
  std::vector<Flow> flows_;
  RoceFrame frame_;                  // of the packet that is looked at
  FrameParts parts_;                 // scratch
  std::vector<std::uint8_t> bytes_;  // and as it is on the wire
  PcapngWriter writer_;
};

}  // namespace railyard
