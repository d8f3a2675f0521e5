#include "tools/validate/practice.h"

#include <fmt/format.h>

namespace railyard {

namespace {

/// GB/s of bus bandwidth, by GPU, of one server and of two; 0: not published.
struct PublishedLimit {
  std::string_view gpu;
  double server, pair;
};
constexpr PublishedLimit kLimits[] = {{"A100", 185, 185}, {"H100", 440, 440},   {"H200", 440, 440}, {"B200", 440, 440},
                                      {"B300", 800, 700}, {"MI300X", 310, 350}, {"MI355X", 0, 350}, {"GB300", 0, 440}};

/// Gb/s, by the rate of the port.
struct PublishedRate {
  std::int64_t port_gbps;
  double least;
};
constexpr PublishedRate kRates[] = {{100, 96}, {200, 192}, {400, 384}};

}  // namespace

std::string practice_all_reduce(std::string_view gpu, std::uint32_t nodes) {
  for (const PublishedLimit& one : kLimits) {
    if (!gpu.starts_with(one.gpu)) continue;
    const double least = nodes == 1 ? one.server : nodes == 2 ? one.pair : 0;
    return least > 0 ? fmt::format("OCI: {:.0f} GB/s or more", least) : "";
  }
  return {};
}

std::string practice_rate(BitsPerSecond port) {
  for (const PublishedRate& one : kRates)
    if (port.count() == one.port_gbps * 1'000'000'000) return fmt::format("OCI: {:.0f} Gb/s or more", one.least);
  return {};
}

std::string practice_latency(std::string_view gpu) { return fmt::format("OCI: {} µs at most", gpu.starts_with("GB") ? 9 : 5); }

}  // namespace railyard
