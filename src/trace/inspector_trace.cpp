// Makes a trace of logs of NCCL's Inspector: of all ranks where every rank of every communicator has its log, else of one that
// all are taken to do.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "trace/inspector_log.h"
#include "trace/repeated_groups.h"
#include "trace/timed_rank.h"

namespace railyard::inspector {

namespace {

constexpr const char* kInspectorSizes =
    "Sizes are what the library is called with: the buffer of an all-gather, a reduce-scatter or an all-to-all over n ranks is "
    "n "
    "times that, of others it is that.";

Diagnostic inspector_note(const Log& log, std::string what, std::string hint) {
  return {Severity::note, "RY-TRC-009", std::move(what), std::move(hint), {log.files.front(), 0, 0}};
}

TraceNode node_of_call(const Call& call) {
  return {.op = call.op, .kind = call.kind, .tag = call.communicator, .place = call.line, .amount = call.bytes};
}

/// Adds calls of one rank to a draft; `peer` tells the group of a collective and the peer of a message.
class CallAdder {
 public:
  CallAdder(TraceDraft& draft, bool timed) : draft_(draft), timed_(timed) {}

  template<class Peer>
  void add(std::uint32_t rank, std::vector<Call>& calls, const Peer& peer) {
    if (timed_)
      add_timed(rank, calls, peer);
    else
      add_chains(rank, calls, peer);
  }

 private:
  template<class Peer>
  void add_timed(std::uint32_t rank, std::vector<Call>& calls, const Peer& peer) {
    std::stable_sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) { return a.start < b.start; });
    std::vector<TimedEvent> events;
    events.reserve(calls.size());
    for (const Call& call : calls) {
      TimedEvent event{call.start - calls.front().start, call.start - calls.front().start + call.length, node_of_call(call),
                       true};
      event.node.peer = static_cast<std::uint32_t>(events.size());
      events.push_back(event);
    }
    add_timed_rank(draft_, rank, events, [&](const TimedEvent& event) { return peer(calls[event.node.peer]); });
  }

  /// Without times: calls of a communicator follow each other, and so do messages to one peer and from one.
  template<class Peer>
  void add_chains(std::uint32_t rank, const std::vector<Call>& calls, const Peer& peer) {
    std::map<std::tuple<std::uint32_t, TraceOp, std::uint32_t>, TraceNodeId> last;
    for (const Call& call : calls) {
      TraceNode node = node_of_call(call);
      const bool message = call.op == TraceOp::send || call.op == TraceOp::receive;
      node.rank = rank;
      if (call.op == TraceOp::compute)
        node.amount = call.length, node.stream = 1;
      else
        node.peer = peer(call);
      const TraceNodeId id = draft_.nodes.push(node);
      TraceNodeId& before = last[{call.communicator, message ? call.op : TraceOp::collective, message ? call.peer : 0}];
      if (before.valid()) draft_.after_end.add(before, id);
      before = id;
    }
  }

  TraceDraft& draft_;
  const bool timed_;
};

TraceDraft begin_draft(const Log& log, std::uint32_t ranks) {
  TraceDraft draft;
  draft.format = TraceFormat::inspector;
  draft.sizes = kInspectorSizes;
  draft.ranks = ranks;
  if (!log.timed)
    draft.notes.push_back(inspector_note(log,
                                         "these logs do not say when calls began: those of a communicator follow each other, "
                                         "communicators run beside each other, "
                                         "and nothing computes in between",
                                         "set NCCL_INSPECTOR_DUMP_VERBOSE=1 to have times"));
  if (log.unknown > 0)
    draft.notes.push_back(
        inspector_note(log, fmt::format("{} calls are none that is played, and take the time that was recorded", log.unknown),
                       "all-reduce, all-gather, reduce-scatter, all-to-all, broadcast, reduce, sends and receives are"));
  return draft;
}

/// All ranks of all communicators have their logs.
class WholeJob {
 public:
  explicit WholeJob(Log log) : log_(std::move(log)), rank_of_(log_.processes.size()) {}

  Result<TraceDraft> run() {
    number_ranks();
    TraceDraft draft = begin_draft(log_, static_cast<std::uint32_t>(log_.processes.size()));
    draft.files = log_.files;
    if (log_.files.size() > 1) {
      draft.files.resize(log_.processes.size());
      for (std::size_t i = 0; i < log_.processes.size(); i++) draft.files[rank_of_[i]] = log_.files[log_.processes[i].file];
    }
    add_groups(draft);
    const std::uint64_t lost = match_calls();
    if (lost > 0)
      draft.notes.push_back(
          inspector_note(log_, fmt::format("{} calls of collectives are not in the logs of all ranks, and are left out", lost),
                         "set NCCL_INSPECTOR_DUMP_COLL_RING_SIZE higher to have all"));
    CallAdder adder(draft, log_.timed);
    for (std::uint32_t rank = 0; rank < draft.ranks; rank++) {
      const auto process = static_cast<std::size_t>(std::find(rank_of_.begin(), rank_of_.end(), rank) - rank_of_.begin());
      std::vector<Call> calls = std::move(log_.processes[process].calls);
      adder.add(rank, calls, [&](const Call& call) {
        return call.op == TraceOp::collective ? call.communicator : rank_of_[process_in(call.communicator, call.peer)];
      });
    }
    return draft;
  }

 private:
  [[nodiscard]] std::uint32_t process_in(std::uint32_t communicator, std::uint32_t rank) const {
    return log_.communicators[communicator].processes.at(rank);
  }

  /// As the first communicator of all processes counts them; without one, as they are met.
  void number_ranks() {
    for (std::uint32_t i = 0; i < rank_of_.size(); i++) rank_of_[i] = i;
    for (const Communicator& one : log_.communicators) {
      if (one.processes.size() != log_.processes.size()) continue;
      for (const auto& [rank, process] : one.processes) rank_of_[process] = rank;
      return;
    }
  }

  void add_groups(TraceDraft& draft) const {
    for (const Communicator& one : log_.communicators) {
      std::vector<std::uint32_t> members;
      for (const auto& [rank, process] : one.processes) members.push_back(rank_of_[process]);
      std::sort(members.begin(), members.end());
      draft.groups.push(std::move(members));
    }
  }

  /// A collective of one communicator: the k-th call with a number and a kind.
  struct Match {
    std::uint32_t communicator = 0, repeat = 0;
    std::uint64_t number = 0;
    TraceCollective kind = TraceCollective::all_reduce;
    std::uint32_t order = 0, times = 0;  // place in the first rank's log; ranks that have it

    [[nodiscard]] auto key() const { return std::tuple(communicator, kind, number, repeat); }
  };

  /// Sorted by what names them, the k-th of the same as the k-th.
  static std::vector<Match> matches_of(const std::vector<Call>& calls) {
    std::vector<Match> out;
    for (const Call& call : calls)
      if (call.op == TraceOp::collective) out.push_back({call.communicator, 0, call.number, call.kind, call.order, 0});
    std::sort(out.begin(), out.end(),
              [](const Match& a, const Match& b) { return std::tuple(a.key(), a.order) < std::tuple(b.key(), b.order); });
    for (std::size_t i = 1; i < out.size(); i++)
      if (std::tuple(out[i].communicator, out[i].kind, out[i].number) ==
          std::tuple(out[i - 1].communicator, out[i - 1].kind, out[i - 1].number))
        out[i].repeat = out[i - 1].repeat + 1;
    return out;
  }

  /// Leaves collectives that all ranks of a communicator have, in the order that its first rank has them; how many are left
  /// out.
  std::uint64_t match_calls() {
    std::vector<Match> all;  // of the first rank of each communicator
    for (std::uint32_t process = 0; process < log_.processes.size(); process++)
      for (const Match& one : matches_of(log_.processes[process].calls))
        if (process_in(one.communicator, 0) == process) all.push_back(one);
    std::sort(all.begin(), all.end(), [](const Match& a, const Match& b) { return a.key() < b.key(); });
    const auto find = [&](const Match& one) -> Match* {
      const auto found =
          std::lower_bound(all.begin(), all.end(), one, [](const Match& a, const Match& b) { return a.key() < b.key(); });
      return found != all.end() && found->key() == one.key() ? &*found : nullptr;
    };
    for (const Process& process : log_.processes)
      for (const Match& one : matches_of(process.calls))
        if (Match* const same = find(one)) same->times++;
    std::uint64_t lost = 0;
    for (Process& process : log_.processes) {
      std::vector<std::optional<std::uint32_t>> place(process.calls.size(), 0U);
      for (const Match& one : matches_of(process.calls)) {
        const Match* const same = find(one);
        const bool whole = same && same->times == log_.communicators[one.communicator].ranks;
        place[one.order] = whole ? std::optional(same->order) : std::nullopt;
        lost += whole ? 0 : 1;
      }
      keep(process, place);
    }
    return lost;
  }

  /// Calls with a place; collectives of one communicator take turns at where they stand, as their places are.
  static void keep(Process& process, const std::vector<std::optional<std::uint32_t>>& place) {
    std::map<std::uint32_t, std::vector<Call>> collectives;  // by communicator
    std::vector<Call> kept;
    for (Call call : process.calls) {
      if (!place[call.order]) continue;
      call.order = *place[call.order];
      if (call.op == TraceOp::collective) collectives[call.communicator].push_back(call);
      kept.push_back(call);
    }
    for (auto& [communicator, calls] : collectives)
      std::stable_sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) { return a.order > b.order; });
    for (Call& call : kept) {
      if (call.op != TraceOp::collective) continue;
      std::vector<Call>& left = collectives[call.communicator];
      call = left.back();
      left.pop_back();
    }
    process.calls = std::move(kept);
  }

  Log log_;
  std::vector<std::uint32_t> rank_of_;  // by process
};

/// One rank's log stands for all.
class OneRank {
 public:
  OneRank(Log log, std::optional<std::uint32_t> asked, std::uint32_t otherwise) : log_(std::move(log)) {
    for (const Communicator& one : log_.communicators)
      if (one.ranks > largest_.ranks) largest_ = one;
    ranks_ = asked.value_or(otherwise > 1 ? otherwise : largest_.ranks);
    process_ = largest_.processes.begin()->second;
  }

  Result<TraceDraft> run() {
    Process& process = log_.processes[process_];
    TraceDraft draft = begin_draft(log_, ranks_);
    draft.files = {log_.files[process.file]};
    if (const auto mistake = misfit(process)) return *mistake;
    if (log_.processes.size() > 1)
      draft.notes.push_back(inspector_note(
          log_,
          fmt::format(
              "these are logs of {} ranks, and not of all: that of rank {} of the largest communicator is taken for all",
              log_.processes.size(), largest_.processes.begin()->first),
          "give a folder with the logs of all ranks"));
    RepeatedGroups groups(draft);
    CallAdder adder(draft, log_.timed);
    for (std::uint32_t rank = 0; rank < ranks_; rank++) {
      std::vector<Call> calls = process.calls;
      adder.add(rank, calls, [&](const Call& call) { return peer_of(groups, process, rank, call); });
    }
    return draft;
  }

 private:
  /// Members are neighbours within a server; over several, each has as many as the next, evenly spread over its GPUs, of which
  /// there are as many as the largest communicator has in one.
  [[nodiscard]] GroupShape shape_of(const Communicator& one) const {
    const auto in_server = [](const Communicator& c) { return std::max(1U, c.ranks / std::max(1U, c.nodes)); };
    const std::uint32_t stride = one.nodes > 1 ? std::max(1U, in_server(largest_) / in_server(one)) : 1;
    return {one.ranks, stride};
  }

  [[nodiscard]] std::uint32_t peer_of(RepeatedGroups& groups, const Process& process, std::uint32_t rank,
                                      const Call& call) const {
    const GroupShape shape = shape_of(log_.communicators[call.communicator]);
    if (call.op == TraceOp::collective) return groups.group_of(shape, rank);
    const std::uint32_t own = process.ranks.at(call.communicator);
    return RepeatedGroups::member_behind(shape, rank, (call.peer + shape.size - own) % shape.size);
  }

  [[nodiscard]] std::optional<Diagnostic> misfit(const Process& process) const {
    const auto refuse = [&](std::uint32_t line, std::string what, std::string hint) {
      return Diagnostic{Severity::error, "RY-TRC-007", std::move(what), std::move(hint), {log_.files[process.file], line, 0}};
    };
    if (ranks_ > kMostTraceRanks || std::uint64_t{ranks_} * process.calls.size() * 2 > kMostTraceNodes)
      return refuse(0, "these are more calls than can be played for so many ranks", "use fewer ranks");
    for (const Call& call : process.calls) {
      const GroupShape shape = shape_of(log_.communicators[call.communicator]);
      if (!shape.divides(ranks_))
        return refuse(call.line,
                      fmt::format("groups of {} ranks, {} apart, do not divide {} ranks", shape.size, shape.stride, ranks_),
                      fmt::format("set ranks to a multiple of {}", shape.block()));
    }
    return std::nullopt;
  }

  Log log_;
  Communicator largest_;
  std::uint32_t ranks_ = 1, process_ = 0;
};

bool is_whole(const Log& log) {
  return std::all_of(log.communicators.begin(), log.communicators.end(),
                     [](const Communicator& one) { return one.processes.size() == one.ranks; });
}

}  // namespace

}  // namespace railyard::inspector

namespace railyard {

Result<TraceDraft> read_inspector(std::span<const TraceInput> inputs, std::optional<std::uint32_t> asked,
                                  std::uint32_t otherwise) {
  Result<inspector::Log> log = inspector::read_log(inputs);
  if (!log) return log.error();
  if (inspector::is_whole(*log)) return inspector::WholeJob(std::move(*log)).run();
  return inspector::OneRank(std::move(*log), asked, otherwise).run();
}

}  // namespace railyard
