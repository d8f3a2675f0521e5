// How long a GPU computes: a roofline per operation (docs/models.md, compute time).
#pragma once

#include <cstdint>

#include "plan/workload_plan.h"

namespace railyard {

/// C[m,n] += A[m,k] B[k,n], `batch` times over.
struct Product {
  std::uint64_t m = 0, n = 0, k = 0, batch = 1;

  [[nodiscard]] double flops() const {
    return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) * static_cast<double>(batch);
  }
};

class Roofline {
 public:
  explicit Roofline(const GpuPlan& plan) : plan_(plan) {}

  /// Tiles of one size fill the compute units in waves; the last wave is as long as a full one. The best tile wins, and memory
  /// bounds them all. REQUIRES: the GPU computes in `precision`.
  [[nodiscard]] Picoseconds product(const Product& product, Precision precision, bool block_scaled = false) const;

  /// A fused attention kernel over `keys` keys per query with heads of `head_dim`. REQUIRES: it is one that fuses.
  [[nodiscard]] Picoseconds attention(double flops, bool forward, std::uint64_t keys, std::uint32_t head_dim,
                                      NumberFormat format, AttentionKernel kernel) const;

  /// What one product of all experts, which takes `product`, loses where each expert has kernels of its own: passes over its
  /// `rows` rows, or the wait for a host that launches `kernels` kernels one after the other, whichever is longer.
  [[nodiscard]] Picoseconds expert_kernels(std::uint64_t kernels, double rows, Picoseconds product) const;

  /// A kernel that reads and writes `bytes` in all.
  [[nodiscard]] Picoseconds memory(double bytes) const;

 private:
  GpuPlan plan_;
};

}  // namespace railyard
