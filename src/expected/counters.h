// Counters of ports, before and after: what each grew by.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "measured/measured.h"

namespace railyard {

/// What one counter of one port grew by, from its first to its last sample; its value where there is one alone.
struct CounterGrowth {
  double first = 0, last = 0, first_time = 0, last_time = 0;
  std::size_t samples = 0;
  SourceSpan where;

  [[nodiscard]] double by() const { return samples > 1 ? last - first : last; }
};

class Counters {
 public:
  explicit Counters(const std::vector<CounterSample>& samples);

  /// Of all ports together, the port with the most of it, and how many counters there are.
  struct Sum {
    double all = 0, most = 0;
    std::string port;
    std::size_t counters = 0;
    SourceSpan where;
  };
  [[nodiscard]] Sum sum(std::initializer_list<CounterKind> kinds) const;

  /// Bytes, sent and received, of all ports that count them by priority.
  [[nodiscard]] std::map<std::uint32_t, double> by_priority() const;

  /// Bytes sent, by port of each device that has several.
  [[nodiscard]] std::map<std::string, std::vector<double>> sent() const;

 private:
  /// Device, port, kind, name and priority (none: 99).
  using Key = std::tuple<std::string, std::string, CounterKind, std::string, std::uint32_t>;

  std::map<Key, CounterGrowth> all_;
};

}  // namespace railyard
