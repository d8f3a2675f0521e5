// Reads what PyTorch's profiler (Kineto) wrote of one rank to replay it: kernels of the GPU as computes, and collectives with
// their sizes, in the order in which they ran. Every rank does the same.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "base/printed_text.h"
#include "trace/collective_name.h"
#include "trace/json_list.h"
#include "trace/kineto_event.h"
#include "trace/readers.h"
#include "trace/repeated_groups.h"
#include "trace/timed_rank.h"

namespace railyard {

namespace {

constexpr double kLatestMicroseconds = 1e11;  // of events, from the first on

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
    std::stable_sort(events_.begin(), events_.end(),
                     [](const TimedEvent& a, const TimedEvent& b) { return a.start < b.start; });
    draft_.format = TraceFormat::kineto;
    draft_.sizes = "Sizes are the larger of the two buffers of a rank, as nccl-tests count them.";
    draft_.files = {input_.name};
    draft_.has_lines = false;
    draft_.ranks = ranks_;
    if (!fits()) return found_;
    RepeatedGroups groups(draft_);
    for (std::uint32_t rank = 0; rank < ranks_; rank++)
      add_timed_rank(draft_, rank, events_,
                     [&](const TimedEvent& event) { return groups.group_of(shapes_[event.node.peer], rank); });
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
      if (may_be_on_gpu(text) && !read_event(text, number)) return false;
      bytes.skip(text.size());
      number++;
    }
    if (!is_whole)
      return refuse("RY-TRC-002", fmt::format("traceEvents break off after {} events", number), "check that the file is whole");
    if (events_.empty())
      return refuse("RY-TRC-002", "nothing in this trace ran on a GPU", "profile with ProfilerActivity.CUDA");
    return true;
  }

  bool read_event(std::string_view text, std::uint32_t number) {
    const Result<Document> document = parse_json(text, input_.name, "RY-TRC-002");
    if (!document)
      return refuse("RY-TRC-002", fmt::format("event {} is no JSON: {}", number, document.error().front().message),
                    "check the file");
    const KinetoEvent event = kineto_event(*document);
    if (!event.on_gpu) return true;
    if (events_.empty()) first_us_ = event.start_us;
    const double since = event.start_us - first_us_;
    if (!(std::abs(since) < kLatestMicroseconds) || !(event.length_us >= 0 && event.length_us < 86'400e6))
      return refuse("RY-TRC-002", fmt::format("event {} has no time, or lies days away from others", number),
                    "check its ts and dur");
    TimedEvent out{.start = std::llround(since * 1e6), .node = {.place = number}, .communicates = event.communicates};
    out.end = out.start + std::llround(event.length_us * 1e6);
    if (event.communicates) read_collective(event, out.node);
    events_.push_back(out);
    return true;
  }

  void read_collective(const KinetoEvent& event, TraceNode& node) {
    auto kind = collective_in_name(event.collective);
    if (!kind) kind = collective_in_name(event.name);
    if (!kind || !(event.bytes > 0 && event.bytes < static_cast<double>(kLargestTraceMessage))) {
      unknown_++;
      return;
    }
    node.op = TraceOp::collective;
    node.kind = *kind;
    node.amount = static_cast<std::int64_t>(event.bytes);
    node.peer = shape_of(event);
  }

  /// The number of a shape of groups that the event's has.
  std::uint32_t shape_of(const KinetoEvent& event) {
    const GroupShape shape =
        event.group_size == 0 ? GroupShape{ranks_, 1} : GroupShape{event.group_size, stride_of(event.group_ranks)};
    for (std::uint32_t i = 0; i < shapes_.size(); i++)
      if (shapes_[i].size == shape.size && shapes_[i].stride == shape.stride) return i;
    shapes_.push_back(shape);
    return static_cast<std::uint32_t>(shapes_.size() - 1);
  }

  /// Whether groups divide the ranks evenly.
  bool fits() {
    if (std::uint64_t{ranks_} * events_.size() * 2 > kMostTraceNodes)
      return refuse("RY-TRC-007", "these are more events than can be played for so many ranks", "use fewer ranks");
    for (const TimedEvent& event : events_) {
      if (event.node.op != TraceOp::collective || shapes_[event.node.peer].divides(ranks_)) continue;
      const GroupShape shape = shapes_[event.node.peer];
      return refuse("RY-TRC-007",
                    fmt::format("event {}: groups of {} ranks, {} apart, do not divide {} ranks", event.node.place, shape.size,
                                shape.stride, ranks_),
                    fmt::format("set ranks to a multiple of {}", shape.block()));
    }
    return true;
  }

  const TraceInput& input_;
  const std::uint32_t ranks_;
  TraceDraft draft_;
  Diagnostics found_;
  std::vector<TimedEvent> events_;
  std::vector<GroupShape> shapes_;
  double first_us_ = 0;
  std::uint64_t unknown_ = 0;
};

}  // namespace

Result<TraceDraft> read_kineto_trace(const TraceInput& input, std::uint32_t ranks) { return KinetoReader(input, ranks).run(); }

}  // namespace railyard
