// What single links carried over time, in bins of equal width, for those that somebody asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "telemetry/telemetry.h"

namespace railyard {

/// Amounts by row in bins that are as wide as each other, but for a picosecond.
class EvenBins {
 public:
  EvenBins(Picoseconds time, std::size_t bins, std::size_t rows) : time_(time), bins_(bins), amounts_(rows * bins, 0) {}

  /// Evenly over a span; what lies behind the last bin is left out.
  void spread(std::size_t row, Picoseconds begin, Picoseconds end, double amount);
  void add(std::size_t row, std::size_t bin, double amount) { amounts_[row * bins_ + bin] += amount; }
  void clear();

  [[nodiscard]] double at(std::size_t row, std::size_t bin) const { return amounts_[row * bins_ + bin]; }
  [[nodiscard]] std::size_t bins() const { return bins_; }
  [[nodiscard]] Picoseconds time() const { return time_; }
  [[nodiscard]] double width_s(std::size_t bin) const { return seconds(edge(bin + 1) - edge(bin)); }
  /// When a bin begins; that after the last: the end.
  [[nodiscard]] Picoseconds edge(std::size_t bin) const;

 private:
  const Picoseconds time_;
  const std::size_t bins_;
  std::vector<double> amounts_;
};

/// Ports that are asked for, or the trunks that they belong to where equal paths share perfectly: each has a row.
class AskedLinks {
 public:
  AskedLinks(const Fabric& fabric, std::span<const PortId> ports, bool are_ports);

  [[nodiscard]] bool has(std::uint32_t link) const { return row_[link] > 0; }
  [[nodiscard]] std::size_t row(std::uint32_t link) const { return row_[link] - 1; }
  [[nodiscard]] std::size_t row(PortId port) const { return row(number(port)); }
  /// What of its row a port carries.
  [[nodiscard]] double part(PortId port) const {
    return are_ports_ ? 1 : 1 / static_cast<double>(fabric_.trunk_ports[fabric_.port_trunk[port]].size());
  }
  [[nodiscard]] std::size_t rows() const { return rows_; }

 private:
  [[nodiscard]] std::uint32_t number(PortId port) const { return are_ports_ ? port.index() : fabric_.port_trunk[port].index(); }

  const Fabric& fabric_;
  const bool are_ports_;
  std::vector<std::uint32_t> row_;  // by link, from 1 on; 0: nobody asks
  std::uint32_t rows_ = 0;
};

/// Adds the bits that asked ports put on the wire, by samples of packets. REQUIRES: links are ports.
void add_samples(const Fabric& fabric, std::span<const PortId> ports, const PortSeries& series, const AskedLinks& asked,
                 EvenBins& bits);

/// Adds the bits that flows put on asked links.
void add_spell(const FlowSpell& spell, const AskedLinks& asked, EvenBins& bits);

}  // namespace railyard
