// Writes the ops of one block, forward and backward together. Internal to block*.cpp.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "workload/block.h"
#include "workload/memory.h"

namespace railyard {

inline constexpr double kAct = 2;  // bytes of an activation in memory

/// Rounded; what no 64 bits can hold counts as an exabyte, which no memory plan accepts.
inline Bytes whole(double bytes) { return Bytes(static_cast<std::int64_t>(std::min(bytes, 1e18) + 0.5)); }

/// Appends the ops of one block, layer by layer from the input on. Backward ops are written in groups, one per layer, and the
/// groups come out in reverse. A reference to a group holds until the next one is begun.
class BlockWriter {
 public:
  explicit BlockWriter(const BlockContext& context);

  /// Everything written so far, with what is done again in front of the backward pass. Of full recomputation that stops early
  /// that ends where the last matrix of a dense block begins: the backward pass needs its input, not its output.
  BlockWork take(Recompute recompute);

  void attention();
  void dense_mlp(std::uint32_t width);
  void experts();
  void embedding();
  void head();
  /// A product that brings something of width `in` to the width of the model.
  void merge(std::string_view name, std::uint64_t in);

 private:
  // Single ops.
  [[nodiscard]] Op compute(OpKind kind, std::string_view name, double flops, Picoseconds time) const;
  [[nodiscard]] Op product_op(std::string_view name, const Product& product, Precision precision) const;
  [[nodiscard]] Op product_op(std::string_view name, const Product& product) const;
  [[nodiscard]] Op weight_op(std::string_view name, const Product& product, Precision precision) const;
  [[nodiscard]] Op weight_op(std::string_view name, const Product& product) const;
  [[nodiscard]] Op memory_op(std::string_view name, double bytes) const;
  [[nodiscard]] Op collective_op(std::string_view name, CollectiveKind kind, GroupKind group, double bytes,
                                 Beside beside) const;
  /// Of a tensor group: reduce-scatter with sequence parallelism, all-reduce without.
  [[nodiscard]] Op reduce_op(double bytes, Beside beside) const;
  [[nodiscard]] Picoseconds accumulation(const Product& product) const;

  void forward(const Op& op) { work_.forward.push_back(op); }
  void forward_cheap(Op op);  // done again under selective recomputation
  std::vector<Op>& backward() { return backward_.emplace_back(); }

  // Layers.
  void norm();
  void residual();
  void column(std::string_view name, std::uint64_t in, std::uint64_t out, bool cheap = false);
  void output(std::string_view name, std::uint64_t in, bool after_activation);
  void replicated(std::string_view name, std::uint64_t in, std::uint64_t out);
  /// Forward op at which its last matrix begins.
  std::size_t mlp(std::uint64_t width, std::string_view up, std::string_view down);
  void first_half(std::uint64_t width, std::string_view up);  // of an MLP, up to its activation
  void activation(double rows, double in, double out);
  void cast(std::vector<Op>& ops, double elements) const;
  void cast_weights(double in, double out);
  void bias(std::vector<Op>& back, double elements) const;
  void transpose(std::vector<Op>& ops, double elements) const;
  void gather_input(double bytes);

  // Attention.
  void projections();
  void latent_projections();
  void absorbed_projections();
  void core();
  void fused_core();
  void unfused_core();
  void cached_core();
  void exchange_keys();
  void join_gradients(std::vector<Op>& back, double width) const;
  void ring_backward(std::vector<Op>& back) const;
  void rotary(std::vector<Op>& ops, bool is_forward) const;
  [[nodiscard]] double cached() const { return c_.pass ? static_cast<double>(c_.pass->cached) : 0; }
  [[nodiscard]] bool decodes() const { return c_.pass && c_.pass->side == PassSide::decode; }

  // Experts.
  void route_tokens(double tokens);
  /// Tokens to the experts of their group, or back; the way back of one is the other, in the format `back`.
  struct Exchange {
    Op forward, backward;
  };
  [[nodiscard]] Exchange exchange_ops(std::string_view name, NumberFormat format, NumberFormat back) const;
  void exchange(const Exchange& ops);
  /// The same beside what `write` writes, which is of shared experts.
  void exchange_beside(Exchange ops, const std::function<void()>& write);
  [[nodiscard]] bool overlaps_shared() const;
  [[nodiscard]] std::uint64_t shared_width() const;
  void expert_products(double rows, double mean_rows);

  [[nodiscard]] bool low_precision() const;
  [[nodiscard]] bool drops_cheap() const;
  [[nodiscard]] double input_bytes() const { return low_precision() ? 1 : kAct; }  // of what a product keeps
  [[nodiscard]] double sent_width() const { return static_cast<double>(width_of(c_.training.activations)); }
  [[nodiscard]] bool unfused() const { return c_.training.attention == AttentionKernel::unfused; }
  [[nodiscard]] std::uint64_t heads() const { return c_.model.heads / c_.layout.tensor; }
  [[nodiscard]] std::uint64_t kv_heads() const {  // fewer than ranks: each has one
    return (c_.model.kv_heads + c_.layout.tensor - 1) / c_.layout.tensor;
  }
  [[nodiscard]] Beside beside_gather_and_reduce() const;
  [[nodiscard]] Beside beside_input() const;
  [[nodiscard]] Beside beside_weights() const;

  const BlockContext& c_;
  double t_, rows_ = 0, stream_ = 0;  // tokens: of the rank, and in the part of the residual stream it holds
  double kv_width_ = 0;               // of keys and values of one token, all of the rank's heads
  double kept_ = 0;
  std::optional<std::size_t> last_matrix_;  // forward op of a dense block at which it begins
  BlockWork work_;
  std::vector<std::vector<Op>> backward_;
};

}  // namespace railyard
