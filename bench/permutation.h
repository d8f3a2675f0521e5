// What the two simulators are given: who sends to whom on which tree. No part of either.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace bench {

inline constexpr std::int64_t kMessageBytes = 1'000'000'000;
inline constexpr std::int64_t kLinkBitsPerSecond = 400'000'000'000;

/// A fat tree of three levels with full bisection: leaves of `hosts` hosts and as many spines a pod, pods of `leaves` leaves,
/// every spine with `leaves` cores of its own.
struct Tree {
  std::uint32_t hosts = 0, leaves = 0, pods = 0;
  [[nodiscard]] std::uint32_t size() const { return hosts * leaves * pods; }
};

/// "22x22x22": hosts of a leaf, leaves of a pod, pods. A tree without hosts where the text is not of that form.
inline Tree parse_tree(const char* text) {
  char* rest = nullptr;
  Tree tree;
  tree.hosts = static_cast<std::uint32_t>(std::strtoul(text, &rest, 10));
  if (*rest == 'x') tree.leaves = static_cast<std::uint32_t>(std::strtoul(rest + 1, &rest, 10));
  if (*rest == 'x') tree.pods = static_cast<std::uint32_t>(std::strtoul(rest + 1, &rest, 10));
  return tree;
}

/// Every host sends to one other and receives from one other: a random cycle through all (Sattolo), by splitmix64.
inline std::vector<std::uint32_t> random_cycle(std::uint32_t hosts) {
  std::vector<std::uint32_t> to(hosts);
  std::iota(to.begin(), to.end(), 0U);
  std::uint64_t state = 1;
  for (std::uint32_t i = hosts - 1; i > 0; i--) {
    std::uint64_t x = state += 0x9e3779b97f4a7c15ULL;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
    std::swap(to[i], to[(x ^ x >> 31) % i]);
  }
  return to;
}

/// What a simulator takes to build a tree and to run on it; printed as one line: hosts, seconds to build, seconds to run,
/// processor seconds of both, simulated seconds.
class Stopwatch {
 public:
  void built() { built_ = now(); }
  void print(std::uint32_t hosts, double simulated) const {
    const double cpu = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    std::printf("%u %.6f %.6f %.6f %.9f\n", hosts, built_, now() - built_, cpu, simulated);
  }

 private:
  [[nodiscard]] double now() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double built_ = 0;
};

/// One line per host: when its message was delivered, in seconds.
inline void write_times(const std::string& file, const std::vector<double>& times) {
  std::ofstream out(file);
  out.precision(17);
  for (const double time : times) out << time << '\n';
}

}  // namespace bench
