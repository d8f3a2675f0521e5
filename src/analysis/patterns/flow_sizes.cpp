#include "analysis/patterns/flow_sizes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "sim/step/collective_time.h"

namespace railyard {

namespace {

/// Counts by value; values that differ in their last digits only are one.
class Counter {
 public:
  void add(double value, double times = 1) {
    const std::int64_t key = std::llround(value * scale_);
    if (key != last_key_ || !last_) last_key_ = key, last_ = &counts_[key];
    *last_ += times;
  }
  explicit Counter(double scale) : scale_(scale) {}
  [[nodiscard]] std::vector<SizeCount> values() const {
    std::vector<SizeCount> all;
    for (const auto& [key, count] : counts_) all.push_back({static_cast<double>(key) / scale_, count});
    return all;
  }

 private:
  double scale_;
  std::int64_t last_key_ = 0;
  double* last_ = nullptr;
  std::map<std::int64_t, double> counts_;
};

/// Calls of one bundle that are alike.
struct AlikeCalls {
  double bytes = 0;
  std::uint32_t steps = 1;
  double count = 0;
};

std::vector<std::vector<AlikeCalls>> alike_calls(const WireTraffic& traffic, std::size_t bundles) {
  std::map<std::tuple<std::uint32_t, double, std::uint32_t>, double> counts;
  for (const WireCall& call : traffic.calls) counts[{call.bundle, call.bytes, call.steps}]++;
  std::vector<std::vector<AlikeCalls>> calls(bundles);
  for (const auto& [key, count] : counts) calls[std::get<0>(key)].push_back({std::get<1>(key), std::get<2>(key), count});
  return calls;
}

constexpr double kShareScale = 1e12;

std::vector<SizeCount> edge_shares(const Bundle& bundle) {
  Counter shares(kShareScale);
  for (const Edge& edge : bundle.edges) shares.add(edge.share);
  return shares.values();
}

/// What each sender sends over all its edges.
std::vector<SizeCount> sender_shares(const Bundle& bundle, std::vector<double>& by_endpoint) {
  Counter shares(kShareScale);
  for (const Edge& edge : bundle.edges) {
    if (by_endpoint.size() <= edge.from.index()) by_endpoint.resize(edge.from.index() + 1, 0);
    by_endpoint[edge.from.index()] += edge.share;
  }
  for (const Edge& edge : bundle.edges) {
    double& sum = by_endpoint[edge.from.index()];
    if (sum > 0) shares.add(sum);
    sum = 0;
  }
  return shares.values();
}

/// Bytes by sender and receiver over the whole run.
std::vector<SizeCount> pair_sizes(std::span<const Bundle> bundles, const std::vector<double>& bytes) {
  struct Part {
    std::uint32_t to;
    double bytes;
  };
  std::vector<std::uint32_t> first(1, 0);
  for (std::size_t b = 0; b < bundles.size(); b++)
    for (const Edge& edge : bundles[b].edges) {
      if (bytes[b] <= 0) break;
      if (first.size() <= edge.from.index() + 1) first.resize(edge.from.index() + 2, 0);
      first[edge.from.index() + 1]++;
    }
  for (std::size_t i = 1; i < first.size(); i++) first[i] += first[i - 1];
  std::vector<Part> parts(first.back());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (std::size_t b = 0; b < bundles.size(); b++)
    for (const Edge& edge : bundles[b].edges) {
      if (bytes[b] <= 0) break;
      parts[next[edge.from.index()]++] = {edge.to.index(), edge.share * bytes[b]};
    }
  Counter sizes(1);
  for (std::size_t from = 0; from + 1 < first.size(); from++) {
    const auto begin = parts.begin() + first[from], end = parts.begin() + first[from + 1];
    std::stable_sort(begin, end, [](const Part& a, const Part& b) { return a.to < b.to; });
    for (auto part = begin; part != end;) {
      double sum = 0;
      const std::uint32_t to = part->to;
      for (; part != end && part->to == to; ++part) sum += part->bytes;
      sizes.add(sum);
    }
  }
  return sizes.values();
}

constexpr const char* kOfCollective = "What one GPU sends across the network in one call, to all its peers.";

FlowSizes pairs_level(std::span<const Bundle> bundles, const WireTraffic& traffic) {
  return flow_sizes("pair of GPUs", "What one GPU sends to another across the network in the whole run.",
                    pair_sizes(bundles, bytes_of_bundles(traffic, bundles.size())));
}

void add_pieces(double bytes, double count, std::vector<SizeCount>& sizes) {
  const double pieces = std::max(1.0, std::ceil(bytes / kLargestMessage - 1e-9));
  sizes.push_back({bytes / pieces, pieces * count});
}

}  // namespace

FlowSizes flow_sizes(std::string level, std::string what, std::vector<SizeCount> sizes) {
  FlowSizes result{.level = std::move(level), .what = std::move(what)};
  std::stable_sort(sizes.begin(), sizes.end(), [](const SizeCount& a, const SizeCount& b) { return a.bytes < b.bytes; });
  std::map<int, FlowSizes::Bucket> buckets;
  for (const SizeCount& size : sizes) {
    if (size.bytes <= 0 || size.count <= 0) continue;
    const double bytes = size.bytes * size.count;
    result.count += size.count, result.bytes += bytes, result.max = size.bytes;
    if (size.bytes > kElephant) result.elephants.count += size.count, result.elephants.bytes += bytes;
    if (size.bytes < kMouse) result.mice.count += size.count, result.mice.bytes += bytes;
    const int power = std::ilogb(size.bytes);
    FlowSizes::Bucket& bucket = buckets.try_emplace(power, FlowSizes::Bucket{.from = size.bytes}).first->second;
    bucket.to = size.bytes;  // they come in order
    bucket.count += size.count, bucket.bytes += bytes;
  }
  if (result.count <= 0) return result;
  for (FlowSizes::Shares* shares : {&result.elephants, &result.mice})
    shares->count /= result.count, shares->bytes /= result.bytes;
  for (const auto& [power, bucket] : buckets) result.buckets.push_back(bucket);
  const auto quantile = [&](double q) {
    double below = 0;
    for (const SizeCount& size : sizes)
      if ((below += size.bytes > 0 ? size.count : 0) >= q * result.count * (1 - 1e-12) && size.bytes > 0) return size.bytes;
    return result.max;
  };
  result.p50 = quantile(0.5), result.p99 = quantile(0.99);
  return result;
}

std::vector<FlowSizes> flow_sizes_of(std::span<const Bundle> bundles, const WireTraffic& traffic, std::uint32_t queue_pairs) {
  const std::vector<std::vector<AlikeCalls>> calls = alike_calls(traffic, bundles.size());
  std::vector<SizeCount> messages, queues, collectives;
  std::vector<double> scratch;
  for (std::size_t bundle = 0; bundle < bundles.size(); bundle++) {
    if (calls[bundle].empty()) continue;
    const std::vector<SizeCount> edges = edge_shares(bundles[bundle]), senders = sender_shares(bundles[bundle], scratch);
    for (const AlikeCalls& alike : calls[bundle]) {
      for (const SizeCount& edge : edges) {
        const double bytes = alike.bytes * edge.bytes, count = alike.count * edge.count;
        add_pieces(bytes / alike.steps, count * alike.steps, messages);
        queues.push_back({bytes / queue_pairs, count * queue_pairs});
      }
      for (const SizeCount& sender : senders) collectives.push_back({alike.bytes * sender.bytes, alike.count * sender.count});
    }
  }
  return {flow_sizes("message",
                     "What one GPU sends to another at a time: one step of a ring, or its share of an all-to-all or of a "
                     "boundary, in pieces of at most 512 KiB.",
                     std::move(messages)),
          flow_sizes("queue pair", "What one queue pair carries in one call: the flow that a switch sees.", std::move(queues)),
          flow_sizes("collective", kOfCollective, std::move(collectives)), pairs_level(bundles, traffic)};
}

std::vector<FlowSizes> message_sizes_of(std::span<const Bundle> bundles, const WireTraffic& traffic,
                                        std::uint32_t queue_pairs) {
  Counter sizes(1);
  for (const WireCall& call : traffic.calls) sizes.add(call.bytes);
  std::vector<SizeCount> messages = sizes.values(), queues;
  for (const SizeCount& size : messages) queues.push_back({size.bytes / queue_pairs, size.count * queue_pairs});
  return {flow_sizes("message", "One message as it was posted.", std::move(messages)),
          flow_sizes("queue pair", "What one queue pair carries of one message.", std::move(queues)),
          pairs_level(bundles, traffic)};
}

std::vector<FlowSizes> flow_sizes_of(const Run& run, const CollectiveRun& collective, std::span<const Bundle> bundles,
                                     const WireTraffic& traffic) {
  std::vector<SizeCount> messages, senders;
  for (const EdgeLoad& load : edge_loads(*collective.schedule)) {
    if (!crosses_network(run, *collective.schedule, load)) continue;
    const auto count = static_cast<double>(load.messages);
    messages.push_back({static_cast<double>(load.bytes.count()) / count, count});
  }
  std::vector<SizeCount> queues = messages;
  const double queue_pairs = std::max(1U, run.routing.queue_pairs);
  for (SizeCount& size : queues) size.bytes /= queue_pairs, size.count *= queue_pairs;
  std::vector<double> scratch;
  for (const Bundle& bundle : bundles)
    for (const SizeCount& sender : sender_shares(bundle, scratch))
      senders.push_back({sender.bytes * traffic.calls.front().bytes, sender.count});
  return {flow_sizes("message", "One message of the algorithm, the mean of those between two GPUs.", std::move(messages)),
          flow_sizes("queue pair", "What one queue pair carries of one message.", std::move(queues)),
          flow_sizes("collective", kOfCollective, std::move(senders)), pairs_level(bundles, traffic)};
}

std::vector<FlowSizes> flow_sizes_of(const Step& step, Bytes bucket) {
  std::map<double, double> counts;  // by size: passes are many, and their collectives are alike
  const double ranks = step.layout.stage_ranks();
  const auto add = [&](const Op& op, double times, bool in_buckets) {
    if (op.kind != OpKind::collective || op.group.size == 1) return;
    const double pieces =
        in_buckets ? std::max(1.0, std::ceil(static_cast<double>(op.size.count()) / static_cast<double>(bucket.count()))) : 1;
    counts[sent_by(op).remote / pieces] += times * pieces * ranks;
  };
  for (std::uint32_t stage = 0; stage < step.pipeline.stages; stage++) {
    for (const Slot& slot : step.pipeline.order[stage]) {
      const bool is_forward = slot.kind == PassKind::forward;
      const VirtualStageWork& work = step.work({stage, slot.chunk});
      for (const Segment& segment : is_forward ? work.forward : work.backward)
        for (const Op& op : segment.ops)
          if (is_forward || takes_part(op, slot.kind)) add(op, segment.repeats, false);
      const Seat seat{stage, slot.chunk};
      const auto to = is_forward ? step.pipeline.after(seat) : step.pipeline.before(seat);
      if (slot.kind != PassKind::weight_gradient && to && to->stage != stage && step.layout.crosses(stage, to->stage))
        counts[static_cast<double>(step.boundary.count())] += ranks;
    }
    for (const auto* chunks : {&step.stages[stage].gradients, &step.stages[stage].gathers})
      for (const std::vector<Op>& ops : *chunks)
        for (const Op& op : ops) add(op, 1, true);
  }
  std::vector<SizeCount> sizes;
  for (const auto& [bytes, count] : counts) sizes.push_back({bytes, count});
  FlowSizes level = flow_sizes(
      "collective", "What one GPU sends across the network in one call, to all its peers, in closed form.", std::move(sizes));
  return level.count > 0 ? std::vector<FlowSizes>{std::move(level)} : std::vector<FlowSizes>{};
}

}  // namespace railyard
