#include "workload/roofline.h"

#include <algorithm>
#include <cmath>

namespace railyard {

namespace {

struct Tile {
  double rows, columns;
  double share;  // of the sustained rate: small tiles read more per product
};
constexpr Tile kTiles[] = {{256, 128, 1.0}, {128, 256, 1.0}, {128, 128, 0.94}, {64, 256, 0.9}, {64, 128, 0.82}, {64, 64, 0.65}};

constexpr double kUsualHead = 128;  // for which the catalog's rates hold

double ceil_div(std::uint64_t a, double b) { return std::ceil(static_cast<double>(a) / b); }

double bytes_of(Precision precision) {
  switch (precision) {
    case Precision::fp8:
      return 1;
    case Precision::fp4:
      return 0.5;
    default:
      return 2;
  }
}

FlopsPerSecond rate_of(const SpeedFact& speed, Precision precision) {
  if (precision == Precision::fp8) return speed.gemm_fp8.value_or(speed.gemm_bf16);
  if (precision == Precision::fp4) return speed.gemm_fp4.value_or(speed.gemm_bf16);
  return speed.gemm_bf16;
}

}  // namespace

Picoseconds Roofline::memory(double bytes) const {
  const double rate = static_cast<double>(plan_.gpu.memory_rate.count()) / 8 * plan_.speed.memory_share;
  return from_seconds(bytes / rate) + plan_.speed.kernel_gap;
}

Picoseconds Roofline::expert_kernels(std::uint64_t kernels, double rows, Picoseconds product) const {
  const auto each = static_cast<double>(plan_.step.expert_row.count());
  const Picoseconds passes(static_cast<std::int64_t>(rows * each));
  return std::max(passes, plan_.step.expert_launch * static_cast<std::int64_t>(kernels) - product);
}

Picoseconds Roofline::product(const Product& p, Precision precision, bool block_scaled) const {
  const SpeedFact& speed = plan_.speed;
  double rate = static_cast<double>(rate_of(speed, precision).count());
  if (block_scaled && precision == Precision::fp8) rate *= speed.block_scaling;
  const double units = speed.compute_units, batch = static_cast<double>(p.batch), depth = static_cast<double>(p.k);
  double best = 0;
  for (const Tile& tile : kTiles) {
    const double tiles = ceil_div(p.m, tile.rows) * ceil_div(p.n, tile.columns) * batch;
    const double waves = std::ceil(tiles / units);
    const double work = 2 * waves * units * tile.rows * tile.columns * (depth + speed.gemm_depth);
    const double time = work / (rate * tile.share);
    if (best == 0 || time < best) best = time;
  }
  const double m = static_cast<double>(p.m), n = static_cast<double>(p.n);
  const double bytes = batch * (bytes_of(precision) * (m * depth + depth * n) + 2 * m * n);
  return std::max(from_seconds(best) + speed.kernel_gap, memory(bytes));
}

Picoseconds Roofline::attention(double flops, bool forward, std::uint64_t keys, std::uint32_t head_dim, NumberFormat format,
                                AttentionKernel kernel) const {
  const SpeedFact& speed = plan_.speed;
  double rate = static_cast<double>((forward ? speed.attention_forward : speed.attention_backward).count());
  const double half_head = plan_.step.attention_head;
  rate *= static_cast<double>(keys) / (static_cast<double>(keys) + plan_.step.attention_keys);
  const bool narrow = head_dim < kUsualHead;
  if (narrow && speed.narrow_attention)
    rate *= std::pow(*speed.narrow_attention, std::log2(kUsualHead / head_dim));
  else if (!narrow || kernel != AttentionKernel::triton)  // which holds more of narrow heads at a time
    rate *= head_dim / (head_dim + half_head) * (kUsualHead + half_head) / kUsualHead;
  if (kernel == AttentionKernel::portable) rate *= speed.portable_attention;
  if (kernel == AttentionKernel::triton) rate *= speed.triton_attention.value_or(speed.portable_attention);
  if (format == NumberFormat::fp8 && speed.gemm_fp8 && !narrow)  // whose exponentials take as long in any format
    rate *= static_cast<double>(speed.gemm_fp8->count()) / static_cast<double>(speed.gemm_bf16.count());
  return from_seconds(flops / rate) + speed.kernel_gap;
}

}  // namespace railyard
