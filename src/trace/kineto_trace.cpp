// Reads what PyTorch's profiler (Kineto) wrote of one rank to replay it: kernels of the GPU as computes, and collectives with
// their sizes, in the order in which they ran. Every rank does the same.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/json.h"
#include "base/printed_text.h"
#include "trace/json_list.h"
#include "trace/readers.h"

namespace railyard {

namespace {

/// One event on the GPU.
struct GpuEvent {
  std::int64_t start = 0, end = 0;  // ps
  std::int64_t bytes = -1;          // of a collective that is played
  TraceCollective kind = TraceCollective::all_reduce;
  std::uint32_t group_size = 0, group_stride = 1;
  std::uint32_t number = 0;  // of the event in the file
  bool communicates = false;
};

constexpr double kLatestMicroseconds = 1e13;  // events since the machine was started, or since 1970 less that

std::string_view text_of(const Document& object, std::string_view key) {
  const Document* const value = object.find(key);
  return value && value->text() ? std::string_view(*value->text()) : std::string_view();
}

double number_of(const Document& object, std::string_view key) {
  double storage = 0;
  const Document* const value = object.find(key);
  const double* const found = value ? value->number(storage) : nullptr;
  return found ? *found : 0;
}

std::optional<TraceCollective> collective_in_name(std::string_view name) {
  std::string plain = printed::lower_case(name.substr(0, 80));
  std::erase(plain, '_');
  constexpr std::pair<std::string_view, TraceCollective> kWords[] = {{"allreduce", TraceCollective::all_reduce},
                                                                     {"allgather", TraceCollective::all_gather},
                                                                     {"reducescatter", TraceCollective::reduce_scatter},
                                                                     {"alltoall", TraceCollective::all_to_all},
                                                                     {"broadcast", TraceCollective::broadcast},
                                                                     {"barrier", TraceCollective::barrier},
                                                                     {"reduce", TraceCollective::reduce}};
  for (const auto& [word, kind] : kWords)
    if (plain.find(word) != std::string::npos) return kind;
  return std::nullopt;
}

std::int64_t bytes_of_element(std::string_view type) {
  const std::string plain = printed::lower_case(type);
  if (plain.starts_with("float8") || plain == "byte" || plain == "char" || plain == "bool") return 1;
  if (plain == "half" || plain == "bfloat16" || plain == "float16" || plain == "short") return 2;
  if (plain == "double" || plain == "long") return 8;
  return plain == "float" || plain == "float32" || plain == "int" ? 4 : 0;
}

/// How far apart neighbours of a group are: "[0, 8, 16, 24]" are 8; 1 where it is not said.
std::uint32_t stride_of(std::string_view ranks) {
  if (ranks.starts_with('[')) ranks.remove_prefix(1);
  const std::vector<std::string_view> numbers = printed::split_at(ranks.substr(0, ranks.find(']')), ',');
  if (numbers.size() < 2) return 1;
  const auto first = printed::whole_number(printed::without_blanks(numbers[0]), kMostTraceRanks);
  const auto second = printed::whole_number(printed::without_blanks(numbers[1]), kMostTraceRanks);
  return first && second && *second > *first ? static_cast<std::uint32_t>(*second - *first) : 1;
}

class KinetoReader {
 public:
  KinetoReader(const TraceInput& input, std::uint32_t ranks) : input_(input), ranks_(ranks) {}

  Result<TraceDraft> run() {
    if (!read_events()) return found_;
    std::stable_sort(events_.begin(), events_.end(), [](const GpuEvent& a, const GpuEvent& b) { return a.start < b.start; });
    draft_.format = TraceFormat::kineto;
    draft_.sizes = "Sizes are the larger of the two buffers of a rank, as nccl-tests count them.";
    draft_.files = {input_.name};
    draft_.has_lines = false;
    draft_.ranks = ranks_;
    if (!fits()) return found_;
    for (std::uint32_t rank = 0; rank < ranks_; rank++) add_rank(rank);
    if (unknown_ > 0)
      draft_.notes.push_back(
          {Severity::note,
           "RY-TRC-009",
           fmt::format("{} kernels that communicate say neither how much nor with whom, and take the time that was recorded",
                       unknown_),
           "sends and receives of one rank's trace have no peers",
           {input_.name, 0, 0}});
    return std::move(draft_);
  }

 private:
  bool refuse(std::string code, std::string what, std::string hint) {
    found_.push_back({Severity::error, std::move(code), std::move(what), std::move(hint), {input_.name, 0, 0}});
    return false;
  }

  bool read_events() {
    BufferedBytes bytes(input_.bytes);
    if (!skip_behind_text(bytes, "\"traceEvents\"") || !skip_behind_text(bytes, "["))
      return refuse("RY-TRC-002", "there is no \"traceEvents\" in this JSON", "give a trace of PyTorch's profiler");
    bool is_whole = false;
    std::uint32_t number = 0;
    for (std::string_view text = next_json_object(bytes, is_whole); !text.empty(); text = next_json_object(bytes, is_whole)) {
      if (is_of_gpu(text) && !read_event(text, number)) return false;
      bytes.skip(text.size());
      number++;
    }
    if (!is_whole)
      return refuse("RY-TRC-002", fmt::format("traceEvents break off after {} events", number), "check that the file is whole");
    if (events_.empty())
      return refuse("RY-TRC-002", "nothing in this trace ran on a GPU", "profile with ProfilerActivity.CUDA");
    return true;
  }

  /// Without parsing it.
  static bool is_of_gpu(std::string_view text) {
    return text.find("\"kernel\"") != std::string_view::npos || text.find("\"gpu_memcpy\"") != std::string_view::npos ||
           text.find("\"gpu_memset\"") != std::string_view::npos;
  }

  bool read_event(std::string_view text, std::uint32_t number) {
    const Result<Document> event = parse_json(text, input_.name, "RY-TRC-002");
    if (!event)
      return refuse("RY-TRC-002", fmt::format("event {} is no JSON: {}", number, event.error().front().message),
                    "check the file");
    const std::string_view category = text_of(*event, "cat");
    if (category != "kernel" && category != "gpu_memcpy" && category != "gpu_memset") return true;
    const double start = number_of(*event, "ts"), length = number_of(*event, "dur");
    const double since = events_.empty() ? 0 : start - first_us_;
    if (events_.empty()) first_us_ = start;
    if (!(std::abs(since) < kLatestMicroseconds / 100) || !(length >= 0 && length < 86'400e6))
      return refuse("RY-TRC-002", fmt::format("event {} lies days away from others", number), "check its ts and dur");
    GpuEvent out{.start = std::llround(since * 1e6), .number = number};
    out.end = out.start + std::llround(length * 1e6);
    read_collective(*event, out);
    events_.push_back(out);
    return true;
  }

  void read_collective(const Document& event, GpuEvent& out) {
    const std::string_view name = text_of(event, "name");
    out.communicates = name.starts_with("nccl") || name.starts_with("rccl");
    if (!out.communicates) return;
    const Document* const args = event.find("args");
    const Document none = Document::object();
    const Document& from = args && args->members() ? *args : none;
    auto kind = collective_in_name(text_of(from, "Collective name"));
    if (!kind) kind = collective_in_name(name);
    const double elements = std::max(number_of(from, "In msg nelems"), number_of(from, "Out msg nelems"));
    const double bytes = elements * static_cast<double>(bytes_of_element(text_of(from, "dtype")));
    if (!kind || !(bytes > 0 && bytes < static_cast<double>(kLargestTraceMessage))) {
      unknown_++;
      return;
    }
    out.kind = *kind;
    out.bytes = static_cast<std::int64_t>(bytes);
    out.group_size =
        static_cast<std::uint32_t>(std::clamp(number_of(from, "Group size"), 0.0, static_cast<double>(kMostTraceRanks)));
    out.group_stride = stride_of(text_of(from, "Process Group Ranks"));
  }

  /// Whether groups divide the ranks evenly.
  bool fits() {
    if (std::uint64_t{ranks_} * events_.size() * 2 > kMostTraceNodes)
      return refuse("RY-TRC-007", "these are more events than can be played for so many ranks", "use fewer ranks");
    for (const GpuEvent& event : events_) {
      const std::uint64_t block = std::uint64_t{event.group_size} * event.group_stride;
      if (event.bytes >= 0 && event.group_size > 0 && (block > ranks_ || ranks_ % block != 0))
        return refuse("RY-TRC-007",
                      fmt::format("event {}: groups of {} ranks, {} apart, do not divide {} ranks", event.number,
                                  event.group_size, event.group_stride, ranks_),
                      fmt::format("set ranks to a multiple of {}", block));
    }
    return true;
  }

  std::uint32_t group_of(const GpuEvent& event, std::uint32_t rank) {
    const std::uint32_t size = event.group_size == 0 ? ranks_ : event.group_size;
    const std::uint32_t stride = event.group_size == 0 ? 1 : event.group_stride;
    const std::uint32_t first = rank / (size * stride) * (size * stride) + rank % stride;
    const auto [entry, is_new] = groups_.try_emplace({size, stride, first}, static_cast<std::uint32_t>(draft_.groups.size()));
    if (!is_new) return entry->second;
    std::vector<std::uint32_t> members;
    for (std::uint32_t i = 0; i < size; i++) members.push_back(first + i * stride);
    draft_.groups.push(std::move(members));
    return entry->second;
  }

  /// An event waits for the last compute and the last collective that had ended when it began, and then as long as the GPU had
  /// nothing to do: what the host took.
  void add_rank(std::uint32_t rank) {
    TraceNodeId last[2] = {};  // compute, collective
    std::int64_t ended[2] = {};
    std::vector<std::pair<GpuEvent, TraceNodeId>> running;
    for (const GpuEvent& event : events_) {
      settle(event.start, running, last, ended);
      std::int64_t idle = event.start;
      for (const bool comm : {false, true})
        if (last[comm].valid()) idle = std::min(idle, event.start - ended[comm]);
      for (const auto& one : running) idle = one.first.end > event.start ? 0 : idle;
      const TraceNodeId id = draft_.nodes.push(node_of_event(event, rank, std::max<std::int64_t>(0, idle)));
      const TraceNodeId before = waiting_.valid() ? std::exchange(waiting_, TraceNodeId()) : id;
      for (const TraceNodeId one : last)
        if (one.valid()) draft_.after_end.emplace_back(one, before);
      running.emplace_back(event, id);
    }
  }

  static void settle(std::int64_t now, std::vector<std::pair<GpuEvent, TraceNodeId>>& running, TraceNodeId (&last)[2],
                     std::int64_t (&ended)[2]) {
    for (const auto& [event, id] : running)
      if (event.end <= now && (!last[event.communicates].valid() || event.end >= ended[event.communicates]))
        last[event.communicates] = id, ended[event.communicates] = event.end;
    std::erase_if(running, [&](const auto& one) { return one.first.end <= now; });
  }

  /// Adds what the host took before it as a node of its own where it is a collective; else it is part of the compute.
  TraceNode node_of_event(const GpuEvent& event, std::uint32_t rank, std::int64_t idle) {
    TraceNode node{.stream = static_cast<std::uint16_t>(event.communicates ? 1 : 0), .rank = rank, .place = event.number};
    node.amount = event.end - event.start + idle;
    if (event.bytes < 0) return node;
    if (idle > 0) {
      waiting_ = draft_.nodes.push({.stream = 2, .rank = rank, .place = event.number, .amount = idle});
      draft_.after_end.emplace_back(waiting_, TraceNodeId(waiting_.index() + 1));
    }
    node.op = TraceOp::collective;
    node.kind = event.kind;
    node.peer = group_of(event, rank);
    node.amount = event.bytes;
    return node;
  }

  const TraceInput& input_;
  const std::uint32_t ranks_;
  TraceDraft draft_;
  Diagnostics found_;
  std::vector<GpuEvent> events_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> groups_;  // by size, stride and first rank
  TraceNodeId waiting_;  // of the host, before the node that comes next
  double first_us_ = 0;
  std::uint64_t unknown_ = 0;
};

}  // namespace

Result<TraceDraft> read_kineto_trace(const TraceInput& input, std::uint32_t ranks) { return KinetoReader(input, ranks).run(); }

}  // namespace railyard
