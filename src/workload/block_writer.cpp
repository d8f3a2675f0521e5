#include "workload/block_writer.h"

#include <algorithm>

namespace railyard {

BlockWriter::BlockWriter(const BlockContext& context) : c_(context), t_(static_cast<double>(context.layout.tensor)) {
  rows_ = static_cast<double>(c_.tokens());
  stream_ = rows_ / (c_.sequence_parallel() ? t_ : 1);
}

BlockWork BlockWriter::take(Recompute recompute) {
  for (auto group = backward_.rbegin(); group != backward_.rend(); ++group)
    work_.backward.insert(work_.backward.end(), group->begin(), group->end());
  std::vector<Op> again;
  const std::size_t enough =
      c_.training.recompute_early_stop && last_matrix_ ? *last_matrix_ : work_.forward.size();  // for full recomputation
  for (std::size_t i = 0; i < work_.forward.size(); i++) {
    const Op& op = work_.forward[i];
    if ((recompute == Recompute::full && i < enough) || (recompute == Recompute::selective && op.cheap)) again.push_back(op);
  }
  work_.backward.insert(work_.backward.begin(), again.begin(), again.end());
  work_.working = whole(kept_);
  work_.kept = recompute == Recompute::full ? whole(stream_ * c_.model.hidden * kAct) : work_.working;
  return std::move(work_);
}

bool BlockWriter::low_precision() const {
  return c_.training.precision == Precision::fp8 || c_.training.precision == Precision::fp4;
}

/// Selective recomputation beside fused attention: norms, activations and up-projections of latents are done again.
bool BlockWriter::drops_cheap() const { return c_.training.recompute == Recompute::selective && !unfused(); }

Op BlockWriter::compute(OpKind kind, std::string_view name, double flops, Picoseconds time) const {
  return {.kind = kind, .name = name, .flops = flops, .time = time};
}

Op BlockWriter::product_op(std::string_view name, const Product& product, Precision precision) const {
  return compute(OpKind::product, name, product.flops(),
                 c_.roofline.product(product, precision, c_.training.fp8_scaling == Scaling::block));
}
Op BlockWriter::product_op(std::string_view name, const Product& product) const {
  return product_op(name, product, c_.training.precision);
}

Op BlockWriter::weight_op(std::string_view name, const Product& product, Precision precision) const {
  Op op = product_op(name, product, precision);
  op.time += accumulation(product);
  op.weight = true;
  return op;
}
Op BlockWriter::weight_op(std::string_view name, const Product& product) const {
  return weight_op(name, product, c_.training.precision);
}

/// Gradients of weights are added to what earlier micro-batches left in memory; half of that hides behind the product.
Picoseconds BlockWriter::accumulation(const Product& p) const {
  const double elements = static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.batch);
  const double kept = static_cast<double>(width_of(c_.training.gradients));
  if (!c_.training.fused_accumulation) return c_.roofline.memory(elements * 4 * kept);
  return (c_.roofline.memory(elements * 2 * kept) - c_.roofline.memory(0)) / 2;
}

Op BlockWriter::memory_op(std::string_view name, double bytes) const {
  return compute(OpKind::memory, name, 0, c_.roofline.memory(bytes));
}

Op BlockWriter::collective_op(std::string_view name, CollectiveKind kind, GroupKind group, double bytes, Beside beside) const {
  Op op{.kind = OpKind::collective, .name = name};
  op.group = c_.layout.group(group);
  op.collective = kind;
  op.size = whole(bytes);
  op.beside = beside;
  return op;
}

Op BlockWriter::reduce_op(double bytes, Beside beside) const {
  const CollectiveKind kind = c_.sequence_parallel() ? CollectiveKind::reduce_scatter : CollectiveKind::all_reduce;
  return collective_op("reduce", kind, GroupKind::tensor, bytes, beside);
}

void BlockWriter::forward_cheap(Op op) {
  op.cheap = true;
  forward(op);
}

Beside BlockWriter::beside_gather_and_reduce() const {
  return c_.parallel.tensor_overlap == TensorOverlap::full ? Beside::pieces : Beside::nothing;
}
Beside BlockWriter::beside_input() const {
  return c_.parallel.tensor_overlap == TensorOverlap::none ? Beside::nothing : Beside::next;
}
Beside BlockWriter::beside_weights() const {
  return c_.parallel.tensor_overlap == TensorOverlap::none ? Beside::nothing : Beside::weights;
}

void BlockWriter::norm() {
  Op op = memory_op("norm", stream_ * c_.model.hidden * 2 * kAct);
  op.cheap = !unfused();
  forward(op);
  // Input and gradient are read again for the gradients of its weights. Software that learned to add up gradients inside of
  // products learned that, too.
  const double again = c_.training.fused_layers || c_.training.fused_accumulation ? 0 : 2;
  backward().push_back(memory_op("norm", stream_ * c_.model.hidden * (4 + again) * kAct));
  kept_ += stream_ * c_.model.hidden * (kAct + (drops_cheap() ? 0 : input_bytes()));  // its input, and its output
}

void BlockWriter::residual() {
  const double width = stream_ * c_.model.hidden, mask = c_.training.dropout ? 1 : 0;
  forward(memory_op("residual", width * (3 * kAct + mask)));
  backward().push_back(memory_op("residual", width * (2 * kAct + (c_.training.dropout ? kAct + mask : 0))));
  kept_ += width * mask;
}

/// In low precision, gradients and some inputs are converted first: those that no norm or activation writes converted.
void BlockWriter::cast(std::vector<Op>& ops, double elements) const {
  if (low_precision()) ops.push_back(memory_op("cast", elements * (kAct + 1)));
}

/// Weights are there in low precision, unless software converts them before each product; the backward pass reads them the
/// other way round as well.
void BlockWriter::cast_weights(double in, double out) {
  if (!c_.training.fused_layers && low_precision()) forward(memory_op("cast weights", in * out * (kAct + 2)));
}

/// The gradient of a bias is a sum over all rows. In low precision it comes with the conversion.
void BlockWriter::bias(std::vector<Op>& back, double elements) const {
  if (!c_.model.biases || c_.training.fused_layers || low_precision()) return;
  back.push_back(memory_op("bias", elements * kAct));
  back.back().weight = true;
}

/// Low-precision units read both factors along the inner dimension: gradients of weights need theirs the other way round.
void BlockWriter::transpose(std::vector<Op>& ops, double elements) const {
  if (!low_precision()) return;
  ops.push_back(memory_op("transpose", elements * 2));
  ops.back().weight = true;
}

void BlockWriter::gather_input(double bytes) {
  forward(collective_op("gather", CollectiveKind::all_gather, GroupKind::tensor, bytes, beside_gather_and_reduce()));
}

/// A matrix whose columns are split over the tensor group: its input is gathered, the gradient of its input reduced.
void BlockWriter::column(std::string_view name, std::uint64_t in, std::uint64_t out, bool cheap) {
  const auto rows = static_cast<std::uint64_t>(rows_);
  const double input = sent_width() * rows_ * static_cast<double>(in);
  std::vector<Op>& back = backward();
  cast(back, rows_ * static_cast<double>(out));
  if (c_.sequence_parallel()) {
    gather_input(input);
    back.push_back(collective_op("gather", CollectiveKind::all_gather, GroupKind::tensor, input, beside_input()));
  }
  back.push_back(product_op(name, {rows, in, out}));
  if (c_.layout.tensor > 1) back.push_back(reduce_op(input, beside_weights()));
  transpose(back, rows_ * static_cast<double>(in + out));
  back.push_back(weight_op(name, {in, out, rows}));
  bias(back, rows_ * static_cast<double>(out));
  if (!c_.training.fused_layers) cast(work_.forward, rows_ * static_cast<double>(in));
  cast_weights(static_cast<double>(in), static_cast<double>(out));
  cheap ? forward_cheap(product_op(name, {rows, out, in})) : forward(product_op(name, {rows, out, in}));
}

/// A matrix whose rows are split over the tensor group: its output is reduced, the gradient of its output gathered.
void BlockWriter::output(std::string_view name, std::uint64_t in, bool after_activation) {
  const auto rows = static_cast<std::uint64_t>(rows_);
  const std::uint64_t out = c_.model.hidden;
  const double bytes = sent_width() * rows_ * static_cast<double>(out);
  if (!after_activation || !c_.training.fused_layers) cast(work_.forward, rows_ * static_cast<double>(in));
  cast_weights(static_cast<double>(in), static_cast<double>(out));
  std::vector<Op>& back = backward();
  if (c_.sequence_parallel())
    back.push_back(collective_op("gather", CollectiveKind::all_gather, GroupKind::tensor, bytes, beside_gather_and_reduce()));
  const bool reduced = c_.layout.tensor > 1, beside = beside_gather_and_reduce() != Beside::nothing;
  if (reduced && beside) forward(reduce_op(bytes, beside_gather_and_reduce()));  // what runs beside a product stands before it
  forward(product_op(name, {rows, out, in}));
  if (reduced && !beside) forward(reduce_op(bytes, Beside::nothing));
  cast(back, rows_ * static_cast<double>(out));
  back.push_back(product_op(name, {rows, in, out}));
  transpose(back, rows_ * static_cast<double>(in + out));
  back.push_back(weight_op(name, {in, out, rows}));
  bias(back, stream_ * static_cast<double>(out));  // added after the reduction
  if (!(after_activation && drops_cheap())) kept_ += rows_ * static_cast<double>(in) * input_bytes();
}

/// A matrix every tensor rank holds whole.
void BlockWriter::replicated(std::string_view name, std::uint64_t in, std::uint64_t out) {
  const auto rows = static_cast<std::uint64_t>(stream_);
  forward(product_op(name, {rows, out, in}));
  std::vector<Op>& back = backward();
  back.push_back(product_op(name, {rows, in, out}));
  back.push_back(weight_op(name, {in, out, rows}));
}

void BlockWriter::merge(std::string_view name, std::uint64_t in) {
  replicated(name, in, c_.model.hidden);
  kept_ += stream_ * static_cast<double>(in) * kAct;
}

void BlockWriter::first_half(std::uint64_t width, std::string_view up) {
  const std::uint64_t both = width * (c_.model.gated ? 2 : 1);
  column(up, c_.model.hidden, both);
  activation(rows_, static_cast<double>(both), static_cast<double>(width));
}

std::size_t BlockWriter::mlp(std::uint64_t width, std::string_view up, std::string_view down) {
  first_half(width, up);
  const std::size_t last = work_.forward.size();
  output(down, width, true);
  return last;
}

void BlockWriter::activation(double rows, double in, double out) {
  Op op = memory_op("activation", rows * (in + out) * kAct);
  Op back = memory_op("activation", rows * (2 * in + out) * kAct);
  if (!c_.training.fused_activation) {
    const Picoseconds kernel = c_.roofline.memory(rows * out * 2 * kAct);
    op.time = kernel * c_.activation_kernels;
    back.time = op.time * 2;
  }
  op.cheap = !unfused();
  forward(op);
  backward().push_back(back);
  kept_ += rows * in * (drops_cheap() ? input_bytes() : kAct);
}

void BlockWriter::dense_mlp(std::uint32_t width) {
  norm();
  last_matrix_ = mlp(width / c_.layout.tensor, "up", "down");
  residual();
}

}  // namespace railyard
