// How fast a message can be that has the fabric to itself.
#pragma once

#include <vector>

#include "sim/collective/network_rates.h"

namespace railyard {

/// The way between two endpoints, and what a message alone on it needs at least.
class LoneMessage {
 public:
  /// The network must outlive it.
  LoneMessage(const Network& network, EndpointId from, EndpointId to);

  /// From its start to the last byte in the receiver's memory. No engine delivers a message sooner: of links that are equal
  /// choices the fastest counts, or all together where a message is spread over them (docs/models.md, slowdown).
  [[nodiscard]] Picoseconds time_of(Bytes payload) const;

  /// The same against the time that it took: engines round parts of it, so that two picoseconds are no difference.
  [[nodiscard]] Picoseconds time_of(Bytes payload, Picoseconds taken) const;

 private:
  /// Rates in bytes per picosecond, delays in picoseconds.
  struct Hop {
    double rate = 0;      // of the fastest port
    double slowest = 0;   // of the slowest
    double capacity = 0;  // of all that the message may use at once
    double delay = 0;
    bool scale_up = false;
  };

  [[nodiscard]] bool stores(std::size_t hop) const;
  [[nodiscard]] double tail_of(std::size_t first, double packet) const;
  [[nodiscard]] double inside(double payload) const;
  [[nodiscard]] double as_fluid(double wire, double packet) const;
  [[nodiscard]] double as_packets(double wire, double first, double last, double sent_last) const;

  const Network& network_;
  std::vector<Hop> hops_;
  bool is_inside_ = true;  // a scale-up domain
};

}  // namespace railyard
