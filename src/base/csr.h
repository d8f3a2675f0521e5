// One-to-many relations without a vector per row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"

namespace railyard {

/// An immutable one-to-many relation, stored as compressed rows: row(a) is every b related to a.
template<class A, class B>
class Csr {
 public:
  Csr() = default;

  /// Keeps the order of pairs that share the same first member. REQUIRES: every first member is below `rows`.
  Csr(std::size_t rows, std::span<const std::pair<A, B>> pairs) : offsets_(rows + 1, 0), values_(pairs.size()) {
    RY_CHECK(pairs.size() <= std::numeric_limits<std::uint32_t>::max(), "a relation holds fewer than 2^32 pairs");
    for (const auto& [a, b] : pairs) {
      RY_CHECK(a.index() < rows, "a pair names a row that exists");
      offsets_[a.index() + 1]++;
    }
    for (std::size_t i = 1; i < offsets_.size(); i++) offsets_[i] += offsets_[i - 1];
    std::vector<std::uint32_t> next(offsets_.begin(), offsets_.end() - 1);
    for (const auto& [a, b] : pairs) values_[next[a.index()]++] = b;
  }

  [[nodiscard]] std::size_t rows() const { return offsets_.size() - 1; }

  [[nodiscard]] std::span<const B> row(A a) const {
    RY_CHECK(a.index() + 1 < offsets_.size(), "a relation is asked for a row that exists");
    return std::span<const B>(values_).subspan(offsets_[a.index()], offsets_[a.index() + 1] - offsets_[a.index()]);
  }

 private:
  std::vector<std::uint32_t> offsets_{0};
  std::vector<B> values_;
};

}  // namespace railyard
