#include "sim/slice/slice_run.h"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/supported.h"
#include "sim/traffic/lone_message.h"

namespace railyard {

namespace {

/// Lets collectives send their pieces, each as soon as its rank has received what it passes on.
class SlicePlayer {
 public:
  SlicePlayer(SliceRun& run, Engine& engine, Progress& progress)
      : run_(run), plan_(run.plan), engine_(engine), progress_(progress) {
    for (const QueuePair& line : plan_.lines) open_.push_back(engine.open(line));
    for (const SlicedCollective& one : plan_.collectives) {
      run_.edges.emplace_back(one.edges.size(), SlicedEdgeRun{one.first, {}, {}});
      sent_.emplace_back(one.edges.size(), one.first);
    }
  }

  void play() {
    std::vector<Completion> done;
    std::uint64_t ticks = 0;
    progress_.expect(kTicks);
    while (engine_.now() < length_) {
      begin_due();
      post();
      done.clear();
      engine_.advance(next_ < plan_.collectives.size() ? std::min(length_, start_of(next_)) : length_, done);
      for (const Completion& completion : done) arrive(completion);
      const auto passed = static_cast<std::uint64_t>(seconds(engine_.now()) / seconds(length_) * kTicks);
      progress_.add(passed - ticks);
      ticks = passed;
    }
  }

 private:
  static constexpr std::uint64_t kTicks = 1000;  // of progress

  struct Sent {
    std::uint32_t collective, edge;
  };

  [[nodiscard]] Picoseconds start_of(std::size_t collective) const {
    return std::max(Picoseconds::zero(), plan_.collectives[collective].start - plan_.from);
  }

  void begin_due() {
    for (; next_ < plan_.collectives.size() && start_of(next_) <= engine_.now(); next_++)
      for (std::uint32_t edge = 0; edge < plan_.collectives[next_].edges.size(); edge++)
        send(static_cast<std::uint32_t>(next_), edge);
  }

  /// All that an edge may send now: the room of its connection, and what the edge before it has brought.
  void send(std::uint32_t collective, std::uint32_t edge) {
    if (engine_.now() >= length_) return;
    const SlicedCollective& one = plan_.collectives[collective];
    const SlicedEdge& sliced_edge = one.edges[edge];
    const std::uint32_t limit = std::min(one.pieces.count, run_.edges[collective][edge].arrived + kMostPiecesInFlight);
    for (std::uint32_t& next = sent_[collective][edge]; next < limit; next++) {
      if (sliced_edge.place.before != RingPlace::kNobody && one.pieces.is_passed_on(next) &&
          next >= run_.edges[collective][sliced_edge.place.before].arrived + one.pieces.per_step)
        break;
      const Bytes size = one.piece(sliced_edge, next);
      ready_.push_back({MessageId(static_cast<std::uint32_t>(messages_.size())), open_[sliced_edge.line], size});
      messages_.push_back({collective, edge});
      const QueuePair& line = plan_.lines[sliced_edge.line];
      run_.traffic.messages.push_back({line.from, line.to, size, engine_.now()});
      run_.traffic.delivered.push_back(Picoseconds::max());
    }
  }

  void arrive(const Completion& completion) {
    run_.traffic.delivered[completion.id.index()] = completion.at;
    const Sent message = messages_[completion.id.index()];  // more are added below
    SlicedEdgeRun& edge = run_.edges[message.collective][message.edge];
    edge.arrived++;
    edge.last = completion.at;
    send(message.collective, message.edge);
    const std::uint32_t after = plan_.collectives[message.collective].edges[message.edge].place.after;
    if (after != RingPlace::kNobody) send(message.collective, after);
  }

  void post() {
    if (!ready_.empty()) engine_.post(ready_, engine_.now());
    ready_.clear();
  }

  SliceRun& run_;
  const SlicePlan& plan_;
  const Picoseconds length_ = plan_.to - plan_.from;
  Engine& engine_;
  Progress& progress_;
  std::vector<QpId> open_;
  std::vector<std::vector<std::uint32_t>> sent_;  // pieces, by collective and edge
  std::vector<Sent> messages_;
  std::vector<Message> ready_;
  std::size_t next_ = 0;  // collective to start
};

/// What single packets tell of messages beyond their delivery.
void adopt_records(const Network& network, TrafficRun& run) {
  run.acknowledged = run.delivered;
  run.ideal.assign(run.messages.size(), Picoseconds::zero());
  for (const MessageRecord& record : run.telemetry.packets->messages) {
    const std::size_t message = record.id.index();
    if (record.acknowledged > record.delivered) run.acknowledged[message] = record.acknowledged;
  }
  std::map<std::pair<EndpointId, EndpointId>, LoneMessage> alone;
  for (std::size_t i = 0; i < run.messages.size(); i++) {
    if (run.delivered[i] == Picoseconds::max()) continue;
    const PlannedMessage& message = run.messages[i];
    const auto known = alone.try_emplace({message.from, message.to}, network, message.from, message.to).first;
    run.ideal[i] = known->second.time_of(message.size, run.delivered[i] - message.start);
  }
}

void add_idle_times(const Network& network, SliceRun& run) {
  std::map<std::pair<std::uint32_t, Bytes>, Picoseconds> known;  // by line and size
  for (std::size_t i = 0; i < run.edges.size(); i++) {
    const SlicedCollective& one = run.plan.collectives[i];
    for (std::size_t edge = 0; edge < one.edges.size(); edge++) {
      const Bytes size = one.piece(one.edges[edge], 0);
      const auto [entry, is_new] = known.try_emplace({one.edges[edge].line, size});
      const QueuePair& line = run.plan.lines[one.edges[edge].line];
      if (is_new) entry->second = ideal_time(network, line.from, line.to, size);
      run.edges[i][edge].idle = entry->second;
    }
  }
}

}  // namespace

namespace {

/// What the window may see: flows may have been slower than packets, and a connection has only so much under way at a time.
TrafficAmount amount_of(const SlicePlan& plan, const Network& network) {
  constexpr double kFaster = 1.5;
  double pieces = 0, under_way = 0;
  for (const SlicedCollective& one : plan.collectives) {
    const double expected = kFaster * one.fraction_within(plan.from, plan.to) * one.pieces.count + kMostPiecesInFlight;
    pieces += std::min(static_cast<double>(one.pieces.count - one.first), expected) * static_cast<double>(one.edges.size());
    for (const SlicedEdge& edge : one.edges)
      under_way = std::max(under_way, static_cast<double>(one.piece(edge, 0).count() / network.wire.mtu.count() + 1));
  }
  under_way *= kMostPiecesInFlight * static_cast<double>(plan.lines.size());
  return {.messages = static_cast<std::uint64_t>(pieces),
          .packets = static_cast<std::uint64_t>(std::min(kFaster * static_cast<double>(plan.packets), under_way)),
          .queue_pairs = plan.lines.size() * network.routing.queue_pairs,
          .switches_choose = !keeps_path(network.routing.policy)};
}

/// Everything that is refused is refused here.
Result<SliceRun> planned(const Scenario& scenario, const Network& network, const Placement& placement, const CarriedStep& step,
                         Bytes memory) {
  RY_CHECK(network.packet, "a slice is played packet by packet");
  Result<SlicePlan> plan = plan_slice(scenario, network, placement, step);
  if (!plan) return plan.error();
  SliceRun run{.plan = std::move(*plan),
               .edges = {},
               .traffic = {.messages = {},
                           .delivered = {},
                           .acknowledged = {},
                           .ideal = {},
                           .connections = 0,
                           .telemetry = Telemetry(network.fabric.trunk_tier.size())}};
  run.traffic.connections = run.plan.lines.size();
  run.traffic.memory = packet_memory(network.fabric, network.wire, *network.packet, amount_of(run.plan, network));
  if (Diagnostics refused = too_much_memory(scenario, run.traffic.memory, memory); !refused.empty()) return refused;
  return run;
}

}  // namespace

Diagnostics refused_slice(const Scenario& scenario, const Network& network, const Placement& placement, const CarriedStep& step,
                          Bytes memory) {
  const Result<SliceRun> plan = planned(scenario, network, placement, step, memory);
  return plan ? Diagnostics{} : plan.error();
}

Result<SliceRun> run_slice(const Scenario& scenario, const Network& network, const Placement& placement,
                           const CarriedStep& step, Bytes memory, Progress& progress) {
  Result<SliceRun> plan = planned(scenario, network, placement, step, memory);
  if (!plan) return plan;
  SliceRun& run = *plan;
  PacketOptions options = network.packet_options;
  options.all_posted = false;
  options.taken = run.plan.taken;
  options.failures = run.plan.failures;
  PacketPlan packet = *network.packet;
  packet.host_faults = run.plan.host_faults;
  const auto engine = make_packet_engine(network.fabric, network.wire, network.routing, packet, options, run.traffic.telemetry);
  SlicePlayer(run, *engine, progress).play();
  engine->finish();
  adopt_records(network, run.traffic);
  add_idle_times(network, run);
  return plan;
}

}  // namespace railyard
