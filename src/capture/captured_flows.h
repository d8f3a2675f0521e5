// Queue pairs of a capture: what each carried, what was missing or sent again, and how long its packets waited for ACKs.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/stats.h"
#include "capture/capture_reader.h"
#include "capture/dissect.h"

namespace railyard {

/// What switches hash and receivers look up: data to one queue pair. Beside it, where it was seen: a capture at several ports
/// of a path has a packet several times.
struct CapturedFlowKey {
  IpAddress source{}, destination{};
  std::uint16_t source_port = 0;
  std::uint32_t destination_qp = 0, interface = 0;

  friend auto operator<=>(const CapturedFlowKey&, const CapturedFlowKey&) = default;
};

/// A message, from its first packet on.
struct CapturedMessage {
  std::int64_t at_ns = 0;
  std::uint64_t bytes = 0;
};

struct CapturedFlow {
  CapturedFlowKey key;
  std::uint64_t packets = 0, bytes = 0, payload = 0;  // bytes on the wire; payload without what was sent again
  std::uint64_t marked = 0;                           // with congestion experienced
  std::uint64_t gaps = 0, missing = 0;                // times that numbers were left out; how many of them
  std::uint64_t repeated = 0;                         // packets with numbers that had come before, or after which others had
  std::int64_t first_ns = 0, last_ns = 0;
  std::uint8_t hop_limit = 0;
  std::vector<CapturedMessage> messages;
};

/// Answers to all flows of a capture.
struct CapturedAnswers {
  std::uint64_t acks = 0, naks = 0, receiver_not_ready = 0, cnps = 0, flagged_acks = 0;  // the last: with BECN
  std::uint64_t unpaired = 0;  // ACKs of packets that were not captured, or not told apart
  Histogram wait_ns;           // from a packet to its ACK
};

class CapturedFlows {
 public:
  /// A RoCEv2 frame. REQUIRES: frames come in the order of the file.
  void add(const CapturedFrame& frame, const DissectedFrame& seen);

  [[nodiscard]] const std::vector<CapturedFlow>& all() const { return flows_; }
  [[nodiscard]] const CapturedAnswers& answers() const { return answers_; }

  /// Of each queue pair one flow: where most of its packets were seen, the first of several. By source, destination and pair.
  [[nodiscard]] std::vector<const CapturedFlow*> once() const;

 private:
  static constexpr std::uint32_t kRemembered = 512;  // packets of a flow that an ACK may name

  struct Sent {
    std::int64_t at_ns = 0;
    std::uint32_t sequence = 0;
    bool waits = false;  // for its ACK
  };
  struct Course {
    std::uint32_t beyond = 0;   // one past the highest number
    bool has_begun = false;     // anything was seen
    bool after_read = false;    // a request for data takes as many numbers as its answer has packets
    bool knows_length = false;  // of the message that goes on: its header told
    std::vector<Sent> sent;     // by number, modulo kRemembered
  };
  struct HashKey {
    std::size_t operator()(const CapturedFlowKey& key) const;
  };

  std::uint32_t flow_of(const CapturedFrame& frame, const DissectedFrame& seen);
  void add_data(const CapturedFrame& frame, const DissectedFrame& seen);
  bool follow(CapturedFlow& flow, Course& course, const DissectedFrame& seen);
  void add_to_message(CapturedFlow& flow, Course& course, const CapturedFrame& frame, const DissectedFrame& seen);
  void add_answer(const CapturedFrame& frame, const DissectedFrame& seen);
  void time_ack(const CapturedFrame& frame, const DissectedFrame& seen);
  std::optional<std::int64_t> take_sent(const DissectedFrame& ack);

  std::vector<CapturedFlow> flows_;
  std::vector<Course> courses_;
  std::unordered_map<CapturedFlowKey, std::uint32_t, HashKey> index_;
  std::unordered_map<CapturedFlowKey, std::vector<std::uint32_t>, HashKey> between_;  // by addresses alone
  CapturedFlowKey last_key_{};
  std::uint32_t last_ = 0;
  CapturedAnswers answers_;
};

}  // namespace railyard
