#include "sim/trace/trace_player.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <queue>
#include <unordered_map>
#include <utility>

#include "collective/library.h"
#include "sim/collective/play.h"
#include "sim/trace/trace_accounts.h"
#include "sim/trace/trace_port.h"

namespace railyard {

namespace {

constexpr std::uint64_t kNodesToTell = 256;
constexpr std::int64_t kLatestOfTrace = 1'000'000'000'000'000'000;  // ps: eleven days

class TracePlayer {
 public:
  TracePlayer(const TraceGraph& graph, const TraceSchedules& schedules, const Placement& placement, double compute_scale,
              Engine& engine, TraceMessages& messages, Progress& progress)
      : graph_(graph),
        schedules_(schedules),
        placement_(placement),
        scale_(compute_scale),
        engine_(engine),
        wire_(engine, messages),
        accounts_(graph),
        progress_(progress),
        waits_(graph.after_end, graph.after_begin, graph.nodes.size()),
        absent_(graph.calls.size()),
        first_(graph.groups.size()),
        began_(graph.groups.size()),
        playing_(schedules.all.size()) {
    for (const TraceCallId call : ids(graph.calls)) absent_[call] = graph.calls.members(call);
    for (const TraceGroupId group : ids(graph.groups)) first_[group] = graph.calls.first_of(group);
    open_connections();
  }

  TraceEnd play(TraceRun& run) {
    for (const TraceNodeId id : ids(graph_.nodes))
      if (!waits_.waits(id)) ready_.push_back(id);
    std::vector<Completion> done;
    while (left_ > 0 && !too_long_) {
      begin_ready();
      wire_.post();
      if (left_ == 0) break;
      if (!timers_.empty() && timers_.top().first <= now()) {
        end_computes();
        continue;
      }
      done.clear();
      const Picoseconds next = timers_.empty() ? Picoseconds::max() : timers_.top().first;
      if (timers_.empty() && wire_.under_way() == 0) return TraceEnd::stuck;
      engine_.advance(next, done);
      if (done.empty() && timers_.empty()) return TraceEnd::stuck;
      for (const Completion& completion : done) arrive(completion);
      end_computes();
    }
    progress_.add(untold_);
    run.ranks = accounts_.times();
    for (const TraceRankTimes& rank : run.ranks) run.makespan = std::max(run.makespan, rank.end);
    for (auto& [key, times] : ops_) run.ops.push_back(std::move(times));
    return too_long_ ? TraceEnd::too_long : TraceEnd::done;
  }

 private:
  using Timer = std::pair<Picoseconds, TraceNodeId>;

  /// A stream of a rank, and who waits for it.
  struct Stream {
    bool busy = false;
    std::deque<TraceNodeId> queue = {};
  };

  /// Of a receive: what is known of its message.
  struct MessageState {
    bool posted = false, delivered = false, awaited = false;
    Picoseconds start = {};
  };

  struct HashOfNode {
    std::size_t operator()(TraceNodeId id) const { return id.index(); }
  };

  [[nodiscard]] Picoseconds now() const { return engine_.now(); }
  [[nodiscard]] TraceNode node_of(TraceNodeId id) const { return graph_.nodes[id]; }

  void open_connections() {
    for (const TraceNodeId id : ids(graph_.nodes)) {
      if (graph_.nodes.op(id) != TraceOp::send) continue;
      const TraceNode node = node_of(id);
      if (node.peer != node.rank) wire_.connect(placement_[RankId(node.rank)], placement_[RankId(node.peer)]);
    }
    for (std::size_t i = 0; i < schedules_.all.size(); i++) {
      const TraceSchedule& one = schedules_.all[i];
      ports_.push_back(std::make_unique<TracePort>(wire_, static_cast<std::uint32_t>(i)));
      players_.push_back(std::make_unique<SchedulePlayer>(one.schedule, Seats{one.seats}, *ports_.back()));
    }
  }

  void begin_ready() {
    for (std::size_t i = 0; i < ready_.size(); i++) begin(ready_[i]);  // which may add more
    ready_.clear();
  }

  void let_go(TraceNodeId id) {
    if (waits_.take(id)) ready_.push_back(id);
  }

  void has_begun(TraceNodeId id) {
    for (const TraceNodeId after : graph_.after_begin.row(id)) let_go(after);
  }

  void end(TraceNodeId id) {
    accounts_.end_node(graph_.nodes.rank(id), now());
    for (const TraceNodeId after : graph_.after_end.row(id)) let_go(after);
    left_--;
    if (++untold_ >= kNodesToTell) progress_.add(std::exchange(untold_, 0));
  }

  void begin(TraceNodeId id) {
    switch (graph_.nodes.op(id)) {
      case TraceOp::compute:
        return queue_compute(id);
      case TraceOp::send:
        has_begun(id);
        return send(id);
      case TraceOp::receive:
        has_begun(id);
        return receive(id);
      case TraceOp::collective:
        has_begun(id);
        return join(graph_.call_of(id));
    }
  }

  [[nodiscard]] Stream& stream_of(const TraceNode& node) { return streams_[{node.rank, node.stream}]; }

  void queue_compute(TraceNodeId id) {
    Stream& stream = stream_of(node_of(id));
    if (stream.busy)
      stream.queue.push_back(id);
    else
      compute(id, stream);
  }

  void compute(TraceNodeId id, Stream& stream) {
    const TraceNode node = node_of(id);
    const double span = static_cast<double>(node.amount) * scale_;
    if (static_cast<double>(now().count()) + span > static_cast<double>(kLatestOfTrace)) {
      too_long_ = true;
      return;
    }
    stream.busy = true;
    accounts_.computes(node.rank, 1, now());
    timers_.emplace(now() + Picoseconds(scale_ == 1 ? node.amount : std::llround(span)), id);
    has_begun(id);
  }

  void end_computes() {
    while (!timers_.empty() && timers_.top().first <= now()) {
      const TraceNodeId id = timers_.top().second;
      timers_.pop();
      const TraceNode node = node_of(id);
      accounts_.computes(node.rank, -1, now());
      end(id);
      Stream& stream = stream_of(node);
      stream.busy = false;
      if (stream.queue.empty()) continue;
      const TraceNodeId next = stream.queue.front();
      stream.queue.pop_front();
      compute(next, stream);
    }
  }

  void send(TraceNodeId id) {
    const TraceNode node = node_of(id);
    MessageState& message = messages_[graph_.message_end(id)];
    message.posted = true;
    message.start = now();
    accounts_.communicates(node.rank, 1, now());
    if (message.awaited) accounts_.communicates(node.peer, 1, now());
    if (node.peer == node.rank) return deliver(id);  // nothing goes to the network
    const QpId connection = wire_.connect(placement_[RankId(node.rank)], placement_[RankId(node.peer)]);
    wire_.send(connection, Bytes(std::max<std::int64_t>(1, node.amount)), {TraceMessageOwner::kNode, id.index()});
  }

  void receive(TraceNodeId id) {
    MessageState& message = messages_[id];
    message.awaited = true;
    if (message.delivered)
      end_receive(id);
    else if (message.posted)
      accounts_.communicates(graph_.nodes.rank(id), 1, now());
  }

  void end_receive(TraceNodeId id) {
    messages_.erase(id);
    end(id);
  }

  void deliver(TraceNodeId id) {
    const TraceNode node = node_of(id);
    const TraceNodeId receiver = graph_.message_end(id);
    MessageState& message = messages_[receiver];
    message.delivered = true;
    const bool awaited = message.awaited;
    accounts_.communicates(node.rank, -1, now());
    count("send", 2, Bytes(node.amount), now() - message.start, static_cast<double>(node.amount));
    end(id);
    if (!awaited) return;
    accounts_.communicates(node.peer, -1, now());
    end_receive(receiver);
  }

  void join(TraceCallId call) {
    absent_[call]--;
    if (first_[graph_.calls.group_of(call)] == call && absent_[call] == 0) start(call);
  }

  /// Calls of the group that nothing holds up any more; those that send nothing are over at once.
  void start(TraceCallId call) {
    while (call.valid() && absent_[call] == 0) {
      const TraceGroupId group = graph_.calls.group_of(call);
      began_[group] = now();
      for (const std::uint32_t member : graph_.groups[group]) accounts_.communicates(member, 1, now());
      const std::uint32_t schedule = schedules_.of_call[call];
      if (schedule != TraceSchedules::kNothing) {
        playing_[schedule] = call;
        players_[schedule]->begin();
        if (players_[schedule]->left() > 0) return;
      }
      call = finish(call);
    }
  }

  /// The next call of its group, which is the first now.
  TraceCallId finish(TraceCallId id) {
    const TraceCall call = graph_.calls[id];
    const std::vector<std::uint32_t>& members = graph_.groups[call.group];
    for (const std::uint32_t member : members) accounts_.communicates(member, -1, now());
    const auto ranks = static_cast<std::uint32_t>(members.size());
    if (ranks > 1)
      count(name_of(call.kind), ranks, call.size, now() - began_[call.group],
            static_cast<double>(call.size.count()) * bus_factor(kind_of(call.kind), ranks));
    for (const TraceNodeId caller : graph_.calls.callers(id)) end(caller);
    first_[call.group] = call.next;
    return call.next;
  }

  void arrive(const Completion& completion) {
    const TraceMessageOwner owner = wire_.deliver(completion);
    if (owner.schedule == TraceMessageOwner::kNode) return deliver(TraceNodeId(owner.id));
    SchedulePlayer& player = *players_[owner.schedule];
    const Completion own{MessageId(owner.id), completion.at};
    player.arrive({&own, 1});
    if (player.left() == 0) start(finish(playing_[owner.schedule]));
  }

  void count(std::string_view what, std::uint32_t ranks, Bytes size, Picoseconds time, double bus_bytes) {
    TraceOpTimes& op = ops_[{std::string(what), ranks}];
    op.what = what;
    op.ranks = ranks;
    op.calls++;
    op.size += size;
    op.time += time;
    op.longest = std::max(op.longest, time);
    op.bus_bytes += bus_bytes;
  }

  const TraceGraph& graph_;
  const TraceSchedules& schedules_;
  const Placement& placement_;
  const double scale_;
  Engine& engine_;
  TraceWire wire_;
  TraceAccounts accounts_;
  Progress& progress_;
  TraceWaits waits_;
  std::unordered_map<TraceNodeId, MessageState, HashOfNode> messages_;  // of receives; never iterated
  Table<TraceCallId, std::uint32_t> absent_;
  Table<TraceGroupId, TraceCallId> first_;  // of those that are not over
  Table<TraceGroupId, Picoseconds> began_;  // that call
  std::vector<TraceCallId> playing_;        // by schedule
  std::vector<std::unique_ptr<TracePort>> ports_;
  std::vector<std::unique_ptr<SchedulePlayer>> players_;
  std::map<std::pair<std::uint32_t, std::uint16_t>, Stream> streams_;
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  std::vector<TraceNodeId> ready_;
  std::map<std::pair<std::string, std::uint32_t>, TraceOpTimes> ops_;
  std::uint64_t left_ = graph_.nodes.size(), untold_ = 0;
  bool too_long_ = false;
};

}  // namespace

TraceEnd play_trace(const TraceGraph& graph, const TraceSchedules& schedules, const Placement& placement, double compute_scale,
                    Engine& engine, TraceMessages& messages, TraceRun& run, Progress& progress) {
  return TracePlayer(graph, schedules, placement, compute_scale, engine, messages, progress).play(run);
}

}  // namespace railyard
