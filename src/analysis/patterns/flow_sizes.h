// How large flows are, at every level at which somebody may count them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/patterns/wire_traffic.h"

namespace railyard {

/// So many flows of one size.
struct SizeCount {
  double bytes = 0, count = 0;
};

inline constexpr double kElephant = 100e6, kMouse = 100e3;  // bytes: larger, and smaller

struct FlowSizes {
  struct Shares {
    double count = 0, bytes = 0;
  };
  struct Bucket {
    double from = 0, to = 0;  // the smallest and the largest in it
    double count = 0, bytes = 0;
  };
  std::string level, what;  // "message", and one sentence that says what is counted
  double count = 0, bytes = 0;
  Shares elephants = {}, mice = {};
  double p50 = 0, p99 = 0, max = 0;  // by count, nearest rank
  std::vector<Bucket> buckets = {};  // what lies between two powers of two, those that are not empty
};
FlowSizes flow_sizes(std::string level, std::string what, std::vector<SizeCount> sizes);

/// What ranks pass on at once: NCCL's step of a channel. Longer messages are cut in such pieces.
inline constexpr double kLargestMessage = 512.0 * 1024;

/// Of everything that crossed the network: messages, queue pairs in one call, GPUs in one call, and pairs of GPUs over the
/// whole run.
std::vector<FlowSizes> flow_sizes_of(std::span<const Bundle> bundles, const WireTraffic& traffic, std::uint32_t queue_pairs);

/// The same where every call is a message by itself.
std::vector<FlowSizes> message_sizes_of(std::span<const Bundle> bundles, const WireTraffic& traffic, std::uint32_t queue_pairs);

/// Of one collective that was played message by message; `traffic` is its only call.
std::vector<FlowSizes> flow_sizes_of(const Run& run, const CollectiveRun& collective, std::span<const Bundle> bundles,
                                     const WireTraffic& traffic);

/// What one GPU sends across the network in one call of each collective, where no network was played: closed forms.
std::vector<FlowSizes> flow_sizes_of(const Step& step, Bytes bucket);

}  // namespace railyard
