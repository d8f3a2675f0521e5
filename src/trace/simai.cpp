// Reads a workload of SimAI (or AICB): a line of settings, a count, and a line per layer with what its forward pass, its input
// gradient and its weight gradient compute and do together. All ranks have the same layers.
#include <fmt/format.h>

#include <charconv>

#include "base/printed_text.h"
#include "trace/readers.h"

namespace railyard {

namespace {

constexpr std::int64_t kPicosecondsPerNanosecond = 1000;
constexpr std::size_t kMostLayers = 1U << 20;

enum class SimaiGroup : std::uint8_t { tensor, data, expert, data_expert };
constexpr std::size_t kSimaiGroups = 4;

/// What follows a computation.
struct SimaiComm {
  std::vector<TraceCollective> kinds = {};  // none: nothing
  SimaiGroup group = SimaiGroup::tensor;
  std::int64_t bytes = 0;
};

struct SimaiPart {
  std::int64_t compute = 0;  // ps
  SimaiComm comm;
};

struct SimaiLayer {
  SimaiPart forward, input_gradient, weight_gradient;
  std::int64_t update = 0;  // ps
  std::uint32_t line = 0;
};

bool read_kinds(std::string_view word, SimaiComm& comm) {
  struct Name {
    std::string_view word;
    std::vector<TraceCollective> kinds;
  };
  static const std::vector<Name> kNames = {{"ALLREDUCEALLTOALL", {TraceCollective::all_reduce, TraceCollective::all_to_all}},
                                           {"ALLREDUCE", {TraceCollective::all_reduce}},
                                           {"ALLGATHER", {TraceCollective::all_gather}},
                                           {"REDUCESCATTER", {TraceCollective::reduce_scatter}},
                                           {"ALLTOALL", {TraceCollective::all_to_all}},
                                           {"NONE", {}}};
  for (const Name& name : kNames) {
    if (!word.starts_with(name.word)) continue;
    comm.kinds = name.kinds;
    const std::string_view rest = word.substr(name.word.size());
    if (rest == "_EP") comm.group = SimaiGroup::expert;
    if (rest == "_DP_EP") comm.group = SimaiGroup::data_expert;
    return rest.empty() || rest == "_EP" || rest == "_DP_EP";
  }
  return false;
}

bool natural_number(std::string_view word, std::int64_t& value) {
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size() && value >= 0;
}

class SimaiReader {
 public:
  explicit SimaiReader(const TraceInput& input) : input_(input), lines_(input.bytes) {}

  Result<TraceDraft> run(std::optional<std::uint32_t> asked, std::uint32_t otherwise) {
    read_settings();
    if (found_.empty()) read_layers();
    if (found_.empty()) find_ranks(asked, otherwise);
    if (!found_.empty()) return found_;
    draft_.format = TraceFormat::simai;
    draft_.sizes =
        "Sizes are those of a whole group, as nccl-tests count them: of an all-gather what is gathered, of others the buffer "
        "of a rank.";
    draft_.files = {input_.name};
    make_groups();
    for (std::uint32_t rank = 0; rank < draft_.ranks; rank++) add_rank(rank);
    return std::move(draft_);
  }

 private:
  void mistake(std::string what, std::string hint) {
    if (found_.empty()) found_.push_back(trace_mistake(input_, lines_.number(), std::move(what), std::move(hint)));
  }

  /// "HYBRID_TRANSFORMER model_parallel_NPU_group: 8 ep: 1 pp: 1 …"
  void read_settings() {
    std::string_view line;
    if (!lines_.next(line)) return mistake("this workload is empty", "check the file");
    const std::vector<std::string_view> words = printed::words_of(line);
    std::int64_t pipeline = 1;
    const auto take = [&](std::size_t at, std::string_view key, std::int64_t& value) {
      if (words[at] != key || at + 1 == words.size()) return;
      if (!natural_number(words[at + 1], value) || value == 0 || value > kMostTraceRanks)
        mistake(fmt::format("{} {} is not a number of ranks", key, printable(words[at + 1])), "correct it");
    };
    for (std::size_t at = 1; at < words.size(); at++) {
      take(at, "model_parallel_NPU_group:", tensor_);
      take(at, "ep:", expert_);
      take(at, "pp:", pipeline);
      take(at, "all_gpus:", gpus_);
    }
    if (pipeline > 1 && found_.empty())
      found_.push_back({Severity::error,
                        "RY-TRC-008",
                        fmt::format("pp: {} makes stages of the job, and these layers are those of one", pipeline),
                        "write pp: 1 and the ranks of one stage in all_gpus, or give the job as a [model]",
                        {input_.name, 1, 1}});
  }

  void read_layers() {
    std::string_view line;
    std::int64_t count = 0;
    const bool there = lines_.next(line);
    const std::vector<std::string_view> words = printed::words_of(there ? line : std::string_view());
    if (words.size() != 1 || !natural_number(words[0], count) || count > static_cast<std::int64_t>(kMostLayers))
      return mistake("the second line says how many layers follow", "write their number");
    while (found_.empty() && layers_.size() < static_cast<std::size_t>(count) && lines_.next(line)) read_layer(line);
    if (found_.empty() && layers_.size() < static_cast<std::size_t>(count))
      mistake(fmt::format("{} layers are promised, and the file ends after {}", count, layers_.size()),
              "check that it is whole");
  }

  void read_layer(std::string_view line) {
    const std::vector<std::string_view> words = printed::words_of(line);
    SimaiLayer layer;
    layer.line = lines_.number();
    if (words.size() != 12 && words.size() != 13)
      return mistake(
          fmt::format("a layer has 12 fields, and here are {}", words.size()),
          "name, dependency, then time, collective and bytes of forward pass, input and weight gradient, then the update");
    SimaiPart* const parts[] = {&layer.forward, &layer.input_gradient, &layer.weight_gradient};
    for (std::size_t part = 0; part < 3; part++) {
      if (part == 2) parts[part]->comm.group = SimaiGroup::data;
      read_part(words[2 + 3 * part], words[3 + 3 * part], words[4 + 3 * part], *parts[part]);
    }
    read_time(words[11], layer.update);
    layers_.push_back(std::move(layer));
  }

  void read_time(std::string_view word, std::int64_t& time) {
    if (!natural_number(word, time) || time > kLongestTraceNode.count() / kPicosecondsPerNanosecond)
      return mistake(fmt::format("\"{}\" is not a time in nanoseconds", printable(word)),
                     "write a whole number, a day at most");
    time *= kPicosecondsPerNanosecond;
  }

  void read_part(std::string_view time, std::string_view kind, std::string_view bytes, SimaiPart& part) {
    read_time(time, part.compute);
    if (!read_kinds(kind, part.comm))
      mistake(fmt::format("\"{}\" is no collective", printable(kind)),
              "use NONE, ALLREDUCE, ALLGATHER, REDUCESCATTER, ALLTOALL or ALLREDUCEALLTOALL, with _EP or _DP_EP");
    if (!natural_number(bytes, part.comm.bytes) || part.comm.bytes > kLargestTraceMessage)
      mistake(fmt::format("\"{}\" is not a number of bytes", printable(bytes)), "write a whole number");
  }

  void find_ranks(std::optional<std::uint32_t> asked, std::uint32_t otherwise) {
    const std::int64_t smallest = tensor_ * expert_;
    const std::int64_t ranks = asked ? *asked : gpus_ > 0 ? gpus_ : std::max<std::int64_t>(otherwise, smallest);
    draft_.ranks = static_cast<std::uint32_t>(ranks);
    if (ranks % smallest != 0 || ranks > kMostTraceRanks || std::uint64_t{draft_.ranks} * layers_.size() * 8 > kMostTraceNodes)
      found_.push_back(
          {Severity::error,
           "RY-TRC-007",
           fmt::format("{} ranks do not fit {} tensor-parallel ones times {} expert-parallel ones", ranks, tensor_, expert_),
           fmt::format("use a multiple of {}", smallest),
           {input_.name, 1, 1}});
  }

  /// Ranks of a group: `count` of them, `stride` apart.
  struct Members {
    std::uint32_t first = 0, stride = 1, count = 1;
  };

  /// Tensor-parallel ranks are neighbours; then come those that share experts, then the rest of data parallelism.
  [[nodiscard]] Members members(SimaiGroup kind, std::uint32_t rank) const {
    const auto tensor = static_cast<std::uint32_t>(tensor_), expert = static_cast<std::uint32_t>(expert_);
    const std::uint32_t in_tensor = rank % tensor, replica = rank / tensor, replicas = draft_.ranks / tensor;
    switch (kind) {
      case SimaiGroup::tensor:
        return {rank - in_tensor, 1, tensor};
      case SimaiGroup::data:
        return {in_tensor, tensor, replicas};
      case SimaiGroup::expert:
        return {replica / expert * expert * tensor + in_tensor, tensor, expert};
      case SimaiGroup::data_expert:
        return {replica % expert * tensor + in_tensor, tensor * expert, replicas / expert};
    }
    check_failed("kind", "a group of SimAI is of a known kind", __FILE__, __LINE__);
  }

  void make_groups() {
    group_.assign(std::size_t{draft_.ranks} * kSimaiGroups, 0);
    for (std::uint32_t rank = 0; rank < draft_.ranks; rank++)
      for (std::size_t kind = 0; kind < kSimaiGroups; kind++) {
        const Members all = members(static_cast<SimaiGroup>(kind), rank);
        std::uint32_t& group = group_[rank * kSimaiGroups + kind];
        group = all.first == rank ? add_group(all) : group_[all.first * kSimaiGroups + kind];
      }
  }

  std::uint32_t add_group(const Members& all) {
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t i = 0; i < all.count; i++) ranks.push_back(all.first + i * all.stride);
    return draft_.groups.push(std::move(ranks)).index();
  }

  /// Forward from the first layer to the last, then gradients back. A layer's input gradient waits for nothing but the layer
  /// behind it, its collective runs beside the weight gradient; that one's runs beside all that follows.
  void add_rank(std::uint32_t rank) {
    rank_ = rank;
    std::vector<TraceNodeId> last;
    for (const SimaiLayer& layer : layers_) last = {add_part(layer.forward, layer.line, last)};
    for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
      const TraceNodeId input = add_compute(layer->input_gradient.compute, layer->line, last);
      const TraceNodeId exchanged = add_comm(layer->input_gradient.comm, layer->line, input);
      const TraceNodeId weight = add_compute(layer->weight_gradient.compute, layer->line, {input});
      const TraceNodeId reduced = add_comm(layer->weight_gradient.comm, layer->line, weight);
      if (!layer->weight_gradient.comm.kinds.empty()) add_compute(layer->update, layer->line, {reduced});
      last = {exchanged, weight};
    }
  }

  TraceNodeId add_part(const SimaiPart& part, std::uint32_t line, const std::vector<TraceNodeId>& before) {
    return add_comm(part.comm, line, add_compute(part.compute, line, before));
  }

  TraceNodeId add_compute(std::int64_t time, std::uint32_t line, const std::vector<TraceNodeId>& before) {
    const TraceNodeId id = draft_.nodes.push({.rank = rank_, .place = line, .amount = time});
    for (const TraceNodeId one : before) draft_.after_end.add(one, id);
    return id;
  }

  /// The last of its collectives, or `before` where there are none.
  TraceNodeId add_comm(const SimaiComm& comm, std::uint32_t line, TraceNodeId before) {
    for (const TraceCollective kind : comm.kinds) {
      const TraceNodeId id = draft_.nodes.push({.op = TraceOp::collective,
                                                .kind = kind,
                                                .rank = rank_,
                                                .peer = group_[rank_ * kSimaiGroups + static_cast<std::size_t>(comm.group)],
                                                .place = line,
                                                .amount = comm.bytes});
      draft_.after_end.add(before, id);
      before = id;
    }
    return before;
  }

  const TraceInput& input_;
  TraceLines lines_;
  TraceDraft draft_;
  Diagnostics found_;
  std::int64_t tensor_ = 1, expert_ = 1, gpus_ = 0;
  std::vector<SimaiLayer> layers_;
  std::vector<std::uint32_t> group_;  // by rank and kind of group
  std::uint32_t rank_ = 0;
};

}  // namespace

Result<TraceDraft> read_simai(const TraceInput& input, std::optional<std::uint32_t> asked, std::uint32_t otherwise) {
  return SimaiReader(input).run(asked, otherwise);
}

}  // namespace railyard
