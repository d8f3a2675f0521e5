// Streaming statistics: a mean that does not drift, quantiles that are exact, histograms of fixed size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace railyard {

/// Count, mean, spread and range of a stream (Welford's update). Constant memory.
class Moments {
 public:
  void add(double value);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double mean() const { return mean_; }  // 0 when empty
  [[nodiscard]] double variance() const;               // of the population; 0 when empty
  [[nodiscard]] double min() const { return count_ ? min_ : 0; }
  [[nodiscard]] double max() const { return count_ ? max_ : 0; }

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0, square_ = 0, min_ = 0, max_ = 0;
};

/// Exact quantiles: keeps every value, sorts when first asked.
class Quantiles {
 public:
  void add(std::int64_t value);

  /// The smallest value that at least a share `q` of all values do not exceed (nearest rank). REQUIRES: count() > 0, 0 <= q
  /// <= 1.
  [[nodiscard]] std::int64_t at(double q) const;
  [[nodiscard]] std::size_t count() const { return values_.size(); }

 private:
  mutable std::vector<std::int64_t> values_;
  mutable bool sorted_ = true;
};

/// Counts in buckets that are 1/8 of a power of two wide, so any value is known to 12.5 %. Constant memory, any range.
class Histogram {
 public:
  struct Bucket {
    std::int64_t from, to;  // from <= value < to
    std::uint64_t count;
  };

  /// REQUIRES: value >= 0.
  void add(std::int64_t value, std::uint64_t times = 1);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::int64_t min() const { return min_; }  // exact; 0 when empty
  [[nodiscard]] std::int64_t max() const { return max_; }
  [[nodiscard]] std::vector<Bucket> buckets() const;  // those that are not empty, ascending

 private:
  static constexpr int kFraction = 3;  // bits below the leading one that choose the bucket
  static std::size_t bucket_of(std::uint64_t value);
  static std::int64_t lower_edge(std::size_t bucket);

  std::array<std::uint64_t, 62 << kFraction> counts_{};
  std::uint64_t count_ = 0;
  std::int64_t min_ = 0, max_ = 0;
};

}  // namespace railyard
