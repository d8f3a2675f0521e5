#include "workload/block_writer.h"

#include <algorithm>

namespace railyard {

namespace {

constexpr double kFlashBackward = 2.5;  // products of a fused backward kernel over the forward one's: five instead of two

// What PyTorch's kernels read and write of a rotary embedding, bytes an element. Forward: times cosines; half of it negated;
// the halves swapped; times sines; both added; joined with what has no position. Backward all but the last.
constexpr double kRotaryBytes = 4 + 2 + 4 + 4 + 6 + 4, kRotaryBackward = kRotaryBytes - 4;

}  // namespace

void BlockWriter::attention() {
  norm();
  const bool latent = c_.model.attention == Attention::mla;
  latent ? decodes() ? absorbed_projections() : latent_projections() : projections();
  if (c_.layout.context > 1) exchange_keys();
  decodes() ? cached_core() : unfused() ? unfused_core() : fused_core();
  output("proj", heads() * c_.model.value_dim(), false);
  residual();
}

void BlockWriter::projections() {
  const std::uint64_t kv = kv_heads();
  const std::uint64_t width = (heads() + 2 * kv) * c_.model.head_dim;
  column("qkv", c_.model.hidden, width);
  join_gradients(backward(), static_cast<double>(width));
  kept_ += rows_ * static_cast<double>(width) * kAct;
  kv_width_ = static_cast<double>(2 * kv * c_.model.head_dim);
}

void BlockWriter::latent_projections() {
  const LatentAttention& a = c_.model.latent;
  const std::uint64_t query = heads() * (a.nope + a.rope), kv = heads() * (a.nope + a.value);
  if (a.query_rank > 0) {
    replicated("down", c_.model.hidden, a.query_rank + a.kv_rank + a.rope);
    column("q up", a.query_rank, query, !unfused());
  } else {
    replicated("down", c_.model.hidden, a.kv_rank + a.rope);
    column("q", c_.model.hidden, query);
  }
  forward_cheap(memory_op("norm", rows_ * (a.query_rank + a.kv_rank) * 2 * kAct));
  backward().push_back(memory_op("norm", rows_ * (a.query_rank + a.kv_rank) * 4 * kAct));
  column("kv up", a.kv_rank, kv, !unfused());
  kept_ += rows_ * (a.query_rank + a.kv_rank + a.rope) * 2 * kAct;
  if (!drops_cheap()) kept_ += rows_ * static_cast<double>(query + kv) * kAct;
  kv_width_ = static_cast<double>(query + heads() * a.value);
}

/// Gradients of queries, keys and values come apart from attention and are copied to where the product wants them.
void BlockWriter::join_gradients(std::vector<Op>& back, double width) const {
  if (!c_.training.fused_layers) back.push_back(memory_op("join", rows_ * width * 2 * kAct));
}

/// Keys and values of the whole sequence reach every rank; their gradients are summed on the way back. A ring passes them on
/// while it computes, and again in the backward pass (ring_backward); gathered ones are kept.
void BlockWriter::exchange_keys() {
  const bool ring = c_.parallel.context_method == ContextMethod::ring;
  const double all = kAct * kv_width_ * rows_ * c_.layout.context;
  forward(collective_op("keys", CollectiveKind::all_gather, GroupKind::context, all, ring ? Beside::next : Beside::nothing));
  if (ring) return;
  backward().push_back(collective_op("keys", CollectiveKind::reduce_scatter, GroupKind::context, all, Beside::nothing));
  kept_ += all - kAct * kv_width_ * rows_;
}

void BlockWriter::ring_backward(std::vector<Op>& back) const {
  if (c_.layout.context == 1 || c_.parallel.context_method != ContextMethod::ring) return;
  const double all = kAct * kv_width_ * rows_ * c_.layout.context;
  back.push_back(collective_op("keys", CollectiveKind::all_gather, GroupKind::context, all, Beside::next));
  back.push_back(collective_op("keys", CollectiveKind::reduce_scatter, GroupKind::context, all, Beside::next));
}

/// Of queries and keys in the layers that have rotary embeddings: one kernel, or those of PyTorch one after the other.
void BlockWriter::rotary(std::vector<Op>& ops, bool is_forward) const {
  if (!c_.model.rotary) return;
  const bool fused = !c_.model.scaled_rotary || c_.training.fused_rotary || c_.model.attention == Attention::mla;
  const double queries = rows_ * static_cast<double>(heads()) * c_.model.query_dim();
  const double keys = rows_ * static_cast<double>(kv_heads()) * c_.model.head_dim;
  const double apart = (queries + keys) * (is_forward ? kRotaryBytes : kRotaryBackward);
  ops.push_back(memory_op("rotary", fused ? queries * 2 * kAct : apart));
}

/// Kernels are made for queries and values of one width: what is narrower is padded. In fp8 their backward pass looks at all
/// keys before a token, those outside its window too.
void BlockWriter::fused_core() {
  const double count = static_cast<double>(heads());
  const double square =
      static_cast<double>(c_.training.micro_batch_size) * c_.model.sequence * c_.model.sequence / c_.layout.context;
  const double windowed = c_.model.windowed(), before = cached() / c_.model.sequence;
  const double before_each = (c_.model.causal ? 0.5 : 1) + before, all = before_each * (1 - windowed),
               near = std::min(c_.model.seen_in_window() + before, c_.model.window / double(c_.model.sequence)) *
                      windowed;  // of the square
  const std::uint32_t both = c_.model.query_dim() + c_.model.value_dim();
  const std::uint32_t width = std::max(c_.model.query_dim(), c_.model.value_dim());
  const auto attend = [&](bool is_forward) {
    const double products = (is_forward ? 1 : kFlashBackward) * 2 * square * count;
    const auto time = [&](double seen, std::uint32_t keys) {
      return c_.roofline.attention(products * seen * 2 * width, is_forward, keys, width, c_.training.attention_precision,
                                   c_.training.attention);
    };
    const std::uint32_t keys = c_.model.sequence + static_cast<std::uint32_t>(cached());
    if (windowed > 0 && !is_forward && c_.training.attention_precision == NumberFormat::fp8)
      return compute(OpKind::attention, "attention", products * (all + near) * both, time(before_each, keys));
    Picoseconds mean = windowed < 1 ? time(all, keys) : Picoseconds::zero();
    if (windowed > 0) mean += time(near, std::min(c_.model.window, c_.model.sequence));
    return compute(OpKind::attention, "attention", products * (all + near) * both, mean);
  };
  rotary(work_.forward, true);
  forward(attend(true));
  std::vector<Op>& back = backward();
  ring_backward(back);
  back.push_back(attend(false));
  rotary(back, false);
  kept_ += rows_ * count * 4;  // statistics of the softmax; the output is kept as the next product's input
}

void BlockWriter::unfused_core() {
  const std::uint64_t batch = heads() * c_.training.micro_batch_size, keys = c_.model.sequence,
                      queries = keys / c_.layout.context;
  const double scores = static_cast<double>(batch) * static_cast<double>(queries) * static_cast<double>(keys);
  const std::uint64_t query_dim = c_.model.query_dim(), value_dim = c_.model.value_dim();
  const auto product = [&](std::string_view name, const Product& p) {  // in full precision, whatever the weights are in
    return product_op(name, p, low_precision() ? Precision::bf16 : c_.training.precision);
  };
  forward_cheap(product("scores", {queries, keys, query_dim, batch}));
  forward_cheap(memory_op("softmax", scores * 2 * kAct));
  if (c_.training.dropout) forward_cheap(memory_op("score dropout", scores * (2 * kAct + 1)));
  forward_cheap(product("values", {queries, value_dim, keys, batch}));
  std::vector<Op>& back = backward();
  ring_backward(back);
  back.push_back(product("values", {queries, keys, value_dim, batch}));
  back.push_back(product("values", {keys, value_dim, queries, batch}));
  if (c_.training.dropout) back.push_back(memory_op("score dropout", scores * (2 * kAct + 1)));
  back.push_back(memory_op("softmax", scores * 3 * kAct));
  back.push_back(product("scores", {queries, query_dim, keys, batch}));
  back.push_back(product("scores", {keys, query_dim, queries, batch}));
  if (c_.training.recompute != Recompute::selective) kept_ += scores * (kAct + (c_.training.dropout ? kAct + 1 : 0));
}

}  // namespace railyard
