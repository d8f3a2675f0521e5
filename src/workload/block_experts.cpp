#include "workload/block_writer.h"

#include <algorithm>
#include <utility>

namespace railyard {

namespace {

/// Kernels of one product of one expert that is not grouped with others, as Transformer Engine launches them. In low precision
/// four: with a scale per tensor the largest value, the scale, the conversion and the product; with one per block the
/// conversion, the scales of both factors laid out for the tensor cores, and the product.
std::uint64_t kernels_of_product(Precision precision) {
  return precision == Precision::fp8 || precision == Precision::fp4 ? 4 : 1;
}

/// An exchange, and beside it the ops of shared experts. Collectives of their tensor group that run beside nothing keep out of
/// it: gathers come before, reductions after.
std::vector<Op> beside_exchange(Op exchange, const std::vector<Op>& shared) {
  const auto keeps_out = [](const Op& op) { return op.kind == OpKind::collective && op.beside == Beside::nothing; };
  const auto gathers = [](const Op& op) { return op.collective == CollectiveKind::all_gather; };
  std::vector<Op> ops;
  for (const Op& op : shared)
    if (keeps_out(op) && gathers(op)) ops.push_back(op);
  exchange.beside = Beside::shared;
  ops.push_back(exchange);
  for (Op op : shared) {
    if (keeps_out(op)) continue;
    op.shared = op.kind != OpKind::collective;
    ops.push_back(op);
  }
  for (const Op& op : shared)
    if (keeps_out(op) && !gathers(op)) ops.push_back(op);
  return ops;
}

}  // namespace

BlockWriter::Exchange BlockWriter::exchange_ops(std::string_view name, NumberFormat format, NumberFormat back) const {
  const Spread spread = spread_of(c_);
  // The busiest rank's. Tokens beyond an expert's capacity are not sent, and padding is not either.
  const ExpertLoads& loads = c_.routing.loads;
  const auto op = [&](NumberFormat used, std::string_view called) {
    const double mean = rows_ / t_ * c_.model.hidden * static_cast<double>(width_of(used));
    Op sent =
        collective_op(called, CollectiveKind::all_to_all, GroupKind::expert, mean * loads.all * spread.copies, Beside::nothing);
    sent.remote = whole(mean * loads.remote * spread.remote);
    sent.from_experts = called == "combine";
    return sent;
  };
  return {op(format, name), op(back, name == "dispatch" ? "combine" : "dispatch")};
}

void BlockWriter::exchange(const Exchange& ops) {
  if (c_.layout.expert == 1) return;
  forward(ops.forward);
  backward().push_back(ops.backward);
}

void BlockWriter::exchange_beside(Exchange ops, const std::function<void()>& write) {
  std::vector<Op> before = std::exchange(work_.forward, {});
  std::vector<std::vector<Op>> groups = std::exchange(backward_, {});
  write();
  std::vector<Op> back;
  for (auto group = backward_.rbegin(); group != backward_.rend(); ++group)
    back.insert(back.end(), group->begin(), group->end());
  const std::vector<Op> there = beside_exchange(ops.forward, std::exchange(work_.forward, std::move(before)));
  work_.forward.insert(work_.forward.end(), there.begin(), there.end());
  backward_ = std::move(groups);
  backward_.push_back(beside_exchange(ops.backward, back));
}

bool BlockWriter::overlaps_shared() const {
  return c_.parallel.shared_expert_overlap && c_.model.shared_experts > 0 && c_.layout.expert > 1;
}

/// Of all shared experts together, as one tensor rank holds it.
std::uint64_t BlockWriter::shared_width() const {
  return std::uint64_t{c_.model.shared_experts} * c_.model.expert_ffn / c_.layout.tensor;
}

/// The rows of the busiest rank, spread over its experts, through both products. Arithmetic is counted for the mean rank.
void BlockWriter::expert_products(double rows, double mean_rows) {
  const std::uint64_t held = c_.model.experts / c_.layout.expert;
  const std::uint64_t width = c_.model.expert_ffn / c_.layout.expert_tensor, hidden = c_.model.hidden;
  const std::uint64_t both = width * (c_.model.gated ? 2 : 1);
  const auto each = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(rows / static_cast<double>(held) + 0.5));
  const auto counted = [&](Op op) {
    op.flops *= mean_rows / rows;
    return op;
  };
  // Kernels of each expert are launched one after the other, with what they convert and pad.
  const bool separate = c_.training.expert_products == ExpertProducts::separate;
  const std::uint64_t kernels = held * kernels_of_product(c_.training.precision);
  const auto apart = [&](std::vector<Op>& ops) {
    if (!separate) return;
    const Picoseconds lost = c_.roofline.expert_kernels(kernels, rows, ops.back().time);
    ops.push_back(compute(OpKind::memory, "expert kernels", 0, lost));
  };
  const auto grouped = [&](std::string_view name, std::uint64_t in, std::uint64_t out) {
    cast_weights(static_cast<double>(in * held), static_cast<double>(out));
    forward(counted(product_op(name, {each, out, in, held})));
    apart(work_.forward);
    std::vector<Op>& back = backward();
    cast(back, rows * static_cast<double>(out));
    back.push_back(counted(product_op(name, {each, in, out, held})));
    apart(back);
    transpose(back, rows * static_cast<double>(in + out));
    back.push_back(counted(weight_op(name, {in, out, each, held})));
    apart(back);
    back.back().weight = true;
    bias(back, rows * static_cast<double>(out));
    if (in == hidden || !drops_cheap()) kept_ += rows * static_cast<double>(in) * input_bytes();
  };
  cast(work_.forward, rows * static_cast<double>(hidden));
  grouped("expert up", hidden, both);
  activation(rows, static_cast<double>(both), static_cast<double>(width));
  if (!c_.training.fused_layers) cast(work_.forward, rows * static_cast<double>(width));
  grouped("expert down", width, hidden);
}

void BlockWriter::route_tokens(double tokens) {
  const auto rows = static_cast<std::uint64_t>(tokens);
  const std::uint64_t hidden = c_.model.hidden, experts = c_.model.experts;
  const double moved = tokens * c_.model.experts_per_token * static_cast<double>(hidden) * 2 * kAct;
  forward(product_op("router", {rows, experts, hidden}, Precision::bf16));
  forward(memory_op("route", moved));
  std::vector<Op>& back = backward();
  back.push_back(memory_op("route", moved));
  back.push_back(product_op("router", {rows, hidden, experts}, Precision::bf16));
  back.push_back(weight_op("router", {hidden, experts, rows}, Precision::bf16));
}

void BlockWriter::experts() {
  const double tokens = rows_ / t_, hidden = c_.model.hidden, etp = c_.layout.expert_tensor;
  const double copies = tokens * c_.model.experts_per_token;
  const double load = c_.training.capacity_factor.value_or(c_.routing.imbalance);  // capacity is filled up with padding
  const double mean = c_.training.capacity_factor.value_or(1);
  norm();
  route_tokens(tokens);
  const Exchange dispatch = exchange_ops("dispatch", c_.training.dispatch, c_.training.combine);
  const Exchange combine = exchange_ops("combine", c_.training.combine, c_.training.dispatch);
  if (overlaps_shared())
    exchange_beside(dispatch, [&] { first_half(shared_width(), "shared up"); });
  else
    exchange(dispatch);
  // Experts that are cut in pieces: every piece sees all tokens of its group, and their copies only once they were dispatched.
  const double gathered = kAct * hidden * etp * (c_.layout.expert == 1 ? tokens : copies * load);
  if (etp > 1) {
    forward(collective_op("gather", CollectiveKind::all_gather, GroupKind::expert_tensor, gathered, Beside::nothing));
    backward().push_back(
        collective_op("reduce", CollectiveKind::reduce_scatter, GroupKind::expert_tensor, gathered, Beside::nothing));
  }
  expert_products(copies * load * etp, copies * mean * etp);
  if (etp > 1) {
    forward(collective_op("reduce", CollectiveKind::reduce_scatter, GroupKind::expert_tensor, gathered, Beside::nothing));
    backward().push_back(
        collective_op("gather", CollectiveKind::all_gather, GroupKind::expert_tensor, gathered, Beside::nothing));
  }
  if (overlaps_shared())
    exchange_beside(combine, [&] { output("shared down", shared_width(), true); });
  else
    exchange(combine);
  forward(memory_op("route", copies * hidden * 2 * kAct));
  backward().push_back(memory_op("route", copies * hidden * 2 * kAct));
  if (c_.layout.tensor > 1 && !c_.sequence_parallel()) {  // every tensor rank handled its share of the tokens and wants all
    forward(
        collective_op("tokens", CollectiveKind::all_gather, GroupKind::tensor, sent_width() * rows_ * hidden, Beside::nothing));
    backward().push_back(
        collective_op("tokens", CollectiveKind::all_gather, GroupKind::tensor, sent_width() * rows_ * hidden, Beside::nothing));
  }
  if (c_.model.shared_experts > 0 && !overlaps_shared()) mlp(shared_width(), "shared up", "shared down");
  residual();
}

}  // namespace railyard
