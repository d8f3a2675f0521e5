#include "trace/inspector_log.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/printed_text.h"
#include "trace/collective_name.h"
#include "trace/inspector_record.h"

namespace railyard::inspector {

namespace {

constexpr std::size_t kEnoughOfInspector = 20;
constexpr double kLongestLogMicroseconds = 1e11;

class LogReader {
 public:
  explicit LogReader(std::span<const TraceInput> inputs) : inputs_(inputs) {}

  Result<Log> run() {
    for (const TraceInput& input : inputs_) {
      log_.files.push_back(input.name);
      read_file(input);
    }
    if (found_.empty() && calls_ == 0)
      mistake(inputs_.front(), 0, "there is no call of two or more ranks in it", "give a log of NCCL's Inspector");
    if (!found_.empty()) return found_;
    return std::move(log_);
  }

 private:
  void mistake(const TraceInput& input, std::uint32_t line, std::string what, std::string hint) {
    if (found_.size() < kEnoughOfInspector) found_.push_back(trace_mistake(input, line, std::move(what), std::move(hint)));
  }

  void read_file(const TraceInput& input) {
    TraceLines lines(input.bytes);
    std::string_view line;
    InspectorRecord record;
    while (found_.size() < kEnoughOfInspector && lines.next(line)) {
      if (printed::without_blanks(line).empty()) continue;
      const InspectorLine kind = read_inspector_line(line, record);
      if (kind == InspectorLine::broken)
        mistake(input, lines.number(), "this is no line of NCCL's Inspector: it is cut off, or has no size or time",
                "remove it, or check that the log was written to its end");
      if (kind == InspectorLine::call && record.ranks != 1) add(input, lines.number(), record);
    }
    if (lines.is_broken()) mistake(input, lines.number(), "the file breaks off", "check that it is whole");
    if (lines.is_too_long()) mistake(input, lines.number(), "a line is longer than 1 MiB", "check that this is a log");
  }

  void add(const TraceInput& input, std::uint32_t line, const InspectorRecord& record) {
    const auto bytes = record.buffer_bytes();
    if (record.ranks == 0 || record.ranks > kMostTraceRanks || record.rank >= record.ranks || record.peer >= record.ranks)
      return mistake(input, line, fmt::format("rank {} of {} cannot be", record.rank, record.ranks), "check rank and n_ranks");
    if (!bytes || *bytes > kLargestTraceMessage) return mistake(input, line, "it is larger than 1 PB", "correct its size");
    if (calls_ >= kMostTraceNodes) return mistake(input, line, "there are more calls than can be played", "use a shorter log");
    const std::uint32_t communicator = communicator_of(input, line, record);
    Process& process = process_of(input, line, record, communicator);
    Call call{.length = std::llround(record.time_us * 1e6), .bytes = *bytes, .number = record.number};
    call.communicator = communicator, call.line = line, call.peer = record.peer;
    call.order = static_cast<std::uint32_t>(process.calls.size());
    if (!set_kind(record, call)) log_.unknown++;
    if (!set_start(record, process, call)) return mistake(input, line, "it lies days away from others", "check event_trace_ts");
    process.calls.push_back(call);
    calls_++;
  }

  static bool set_kind(const InspectorRecord& record, Call& call) {
    const auto kind = collective_in_name(record.call);
    call.op = TraceOp::compute;
    if (record.message && (record.call == "Send" || record.call == "Recv"))
      call.op = record.call == "Send" ? TraceOp::send : TraceOp::receive;
    else if (!record.message && kind)
      call.op = TraceOp::collective, call.kind = *kind;
    return call.op != TraceOp::compute;
  }

  bool set_start(const InspectorRecord& record, const Process& process, Call& call) {
    log_.timed = log_.timed && record.start_us.has_value();
    if (!log_.timed) return true;
    const auto first = first_us_.try_emplace(&process - log_.processes.data(), *record.start_us).first;
    const double since = *record.start_us - first->second;
    if (!(std::abs(since) < kLongestLogMicroseconds)) return false;
    call.start = std::llround(since * 1e6);
    return true;
  }

  std::uint32_t communicator_of(const TraceInput& input, std::uint32_t line, const InspectorRecord& record) {
    const auto next = static_cast<std::uint32_t>(log_.communicators.size());
    const auto [entry, is_new] = communicators_.try_emplace(record.communicator, next);
    if (is_new) log_.communicators.push_back({record.ranks, record.nodes, {}});
    if (log_.communicators[entry->second].ranks != record.ranks)
      mistake(input, line,
              fmt::format("communicator {} has {} ranks here and {} before", printable(record.communicator), record.ranks,
                          log_.communicators[entry->second].ranks),
              "give logs of one job");
    return entry->second;
  }

  /// A process is one rank; where logs do not name processes, a rank of the communicator is.
  Process& process_of(const TraceInput& input, std::uint32_t line, const InspectorRecord& record, std::uint32_t communicator) {
    const std::uint64_t process = record.process == 0 ? record.rank : record.process;
    const auto next = static_cast<std::uint32_t>(log_.processes.size());
    const auto [entry, is_new] = processes_.try_emplace({record.host, process}, next);
    if (is_new) log_.processes.push_back({static_cast<std::uint32_t>(log_.files.size() - 1), {}, {}});
    Process& found = log_.processes[entry->second];
    const std::uint32_t known = found.ranks.try_emplace(communicator, record.rank).first->second;
    const std::uint32_t owner =
        log_.communicators[communicator].processes.try_emplace(record.rank, entry->second).first->second;
    if (known != record.rank || owner != entry->second)
      mistake(input, line,
              known != record.rank ? fmt::format("its process is rank {} and rank {} of one communicator", known, record.rank)
                                   : fmt::format("two processes are rank {} of one communicator", record.rank),
              "give logs of one job, with a process for each GPU");
    return found;
  }

  std::span<const TraceInput> inputs_;
  Log log_;
  Diagnostics found_;
  std::map<std::string, std::uint32_t> communicators_;                        // by hash
  std::map<std::pair<std::string, std::uint64_t>, std::uint32_t> processes_;  // by host and number there
  std::map<std::ptrdiff_t, double> first_us_;                                 // start of a process's first call
  std::uint64_t calls_ = 0;
};

}  // namespace

Result<Log> read_log(std::span<const TraceInput> inputs) { return LogReader(inputs).run(); }

}  // namespace railyard::inspector
