// One thread's part of a lookahead interval: visits nodes, and takes what the models of switches and NICs send.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <type_traits>
#include <vector>

#include "engine/packet/arrivals.h"
#include "engine/packet/host_lookout.h"
#include "engine/packet/lookahead_scheduler.h"
#include "engine/packet/nic_runs.h"
#include "engine/packet/shared_state.h"
#include "engine/packet/switch_lookout.h"
#include "engine/packet/tap_feed.h"
#include "engine/packet/upcoming.h"
#include "engine/packet/worker_models.h"

namespace railyard::packet {

namespace {  // for lookahead_scheduler.cpp alone: what nobody else can call is inlined

/// One thread's part of an interval, and where the models put what leaves a node.
class Worker : public OnProcessor {
  using Nodes = std::vector<std::uint64_t>;  // bits by node

 public:
  /// One of `workers` of this process: all of its threads, or one that plays alone.
  Worker(SharedState& shared, std::uint32_t id, std::uint32_t workers)
      : shared_(shared),
        net_(shared.network.net),
        usual_(SwitchModel<Worker>::is_usual(net_.p)),
        switches_(net_, *this),
        nics_(net_, shared.network.beside, *this),
        runs_(net_, *this),
        id_(id) {
    const std::uint32_t words = shared.marks[0].words();
    own_switches_.assign(words, 0);
    own_hosts_.assign(words, 0);
    for (std::uint32_t node = 0; node < shared.network.nodes(); node++)
      if (workers == 1 ? !shared.is_elsewhere(node) : shared.workers[node] == shared.process * shared.threads + id)
        (shared.network.is_host(node) ? own_hosts_ : own_switches_)[node / 64] |= std::uint64_t{1} << node % 64;
  }

  // What the models call ------------------------------------------------------------------------------------------

  [[gnu::always_inline]] void send(std::uint32_t index, const Packet& packet, Time at, std::uint16_t bits) {
    Port& port = net_.ports[index];
    if (port.ring_tail == port.ring_published) begin_sending(index, at);
    Packet& sent = shared_.links.push(port, packet, old_rings_);
    sent.at = at;
    sent.bits = bits;
  }
  void tell(std::uint32_t port, std::uint8_t traffic_class, bool xoff, Time at) {
    note_frame(port, traffic_class, xoff, at);
    write({at, port, 0, traffic_class, xoff});
  }
  void grant(std::uint32_t port, std::uint8_t traffic_class, std::uint32_t bytes, Time at) {
    write({at, port, bytes, traffic_class, false});
  }
  void word_of_credit(std::uint32_t port, std::uint32_t other, std::uint32_t nth, std::uint32_t bytes, bool asks, Time at) {
    write({at, port, bytes, static_cast<std::uint8_t>(nth), asks, other});
  }
  [[gnu::always_inline]] void port_timer(const Port& port, Time at) {
    net_.timer_queues[port.node].ports.add(key_of(at, port.slot));
    if (!usual_) shared_.sampler.look_at(static_cast<std::uint32_t>(&port - net_.ports));  // it may wait without sending
  }
  void timer(std::uint32_t node, std::uint32_t slot, Time at) {
    net_.timer_queues[node].others.set(slot, at >= kNever ? kIdle : key_of(at, slot));
  }
  void log(const PauseRecord& record) { pauses.push_back(record); }
  void delivered(std::uint32_t flow, Time at) { deliveries.push_back({at, flow}); }
  void acknowledged(std::uint32_t flow, Time at) { acknowledgements.push_back({at, flow}); }
  void gave_up(std::uint32_t flow, bool broken, Time at) { timeouts.push_back({at, flow, broken}); }

  // An interval ------------------------------------------------------------------------------------------------------

  /// The interval from here on: a span long, unless something changes before its end.
  void open(Time from, Time change) {
    begin_ = from;
    end = std::min(from + shared_.span, change);
    odd_ = !odd_;
    next = kNever;
  }

  /// Goes on where another's windows ended. Nothing runs.
  void take_over_from(const Worker& other) {
    end = other.end, odd_ = other.odd_;
    next = kNever, phase_ = 1;
    for (std::vector<ControlFrame>& frames : out_) frames.clear();
  }

  /// Pause frames that were sent in the phase that has just ended: by switches, which hosts may get now and others in the next
  /// interval, or by hosts, which switches get then.
  void collect(const std::vector<std::unique_ptr<Worker>>& workers, unsigned phase) {
    for (const auto& other : workers)
      for (const ControlFrame& one : other->out_[phase]) {
        const std::uint32_t node = net_.ports[one.port].node;
        const Nodes& own = shared_.network.is_host(node) ? own_hosts_ : own_switches_;
        if ((own[node / 64] >> node % 64 & 1) != 0) take_in(one);
      }
  }

  /// A control frame that was sent in the phase that has just ended, at a node of this process.
  void take_in(const ControlFrame& frame) {
    const std::uint32_t node = net_.ports[frame.port].node;
    shared_.keep(frame, node);
    mark(node, shared_.network.is_host(node));
  }

  /// Packets that another process has sent on a link in that phase.
  void take_in(std::uint32_t link, const Packet* packets, std::uint32_t count) {
    Port& port = net_.ports[net_.links[link].port];
    for (std::uint32_t i = 0; i < count; i++) shared_.links.push(port, packets[i], old_rings_);
    shared_.links.publish(port);
    mark(port.to, port.to_host);
  }
  [[nodiscard]] const std::vector<ControlFrame>& told(unsigned phase) const { return out_[phase]; }
  void run_switches(const std::vector<std::unique_ptr<Worker>>& workers) {
    phase_ = 0;
    out_[0].clear();
    switches_.use([&](auto& switches) { run(workers, &Worker::own_switches_, kSwitchesAtOnce, switches); });
    note_sent();
  }

  void run_hosts(const std::vector<std::unique_ptr<Worker>>& workers) {
    phase_ = 1;
    out_[1].clear();
    nics_.use([&](auto& nics) { run(workers, &Worker::own_hosts_, kHostsAtOnce, nics); });
    note_sent();
    old_rings_.clear();
  }

  void offer(std::uint32_t flow, Time now) {
    if (shared_.is_elsewhere(net_.ends[flow].from)) return;
    nics_.use([&](auto& nics) { nics.offer(flow, now); });
    const Port& port = net_.ports[net_.senders[flow].port];
    next = std::min(next, time_of(net_.timer_queues[port.node].first()));
    mark(port.node, true);
  }

  /// A flow goes on by another port of its host. Nothing runs.
  void move(std::uint32_t flow, std::uint32_t port, Time now) {
    nics_.use([&](auto& nics) { nics.move(flow, port, now); });
    visit_soon(net_.ports[port].node, time_of(net_.timer_queues[net_.ports[port].node].first()));
  }

  /// A host takes packets in otherwise, and with that what its NIC has kept. Nothing runs, and what was told is collected.
  void change_host(std::uint32_t node, std::int64_t rate, bool stuck, Time now) {
    phase_ = 1;
    out_[1].clear();
    const std::size_t kept = net_.kept == nullptr ? 0 : net_.kept[node].size();
    shared_.network.reserve(node, static_cast<std::uint32_t>(kept + 1) * kMostAnswers + grants_);
    nics_.use([&](auto& nics) { nics.change_host(node, rate, stuck, now); });
    for (const ControlFrame& frame : out_[1]) hand(frame);
    out_[1].clear();
    note_sent();
    go_on(node, kNever);
  }

  /// A control frame reaches a port without having been sent. Nothing runs.
  void hand(const ControlFrame& frame) {
    take_in(frame);
    next = std::min(next, frame.at);
  }

  /// A pause frame, or the end of a pause, for whoever looks at wires.
  void note_frame(std::uint32_t port, std::uint8_t name, bool xoff, Time at) {
    if (shared_.tap != nullptr) shared_.tap->note_frame(port, name, xoff, at, sightings);
  }

  Time end = 0, next = kNever;  // of the interval; of everything this worker knows of
  std::uint64_t visits = 0;     // of nodes
  std::vector<FlowEvent> deliveries, acknowledgements;
  std::vector<Timeout> timeouts;
  std::vector<PauseRecord> pauses;
  TapFeed::Notes sightings;             // where somebody looks at wires
  std::vector<std::uint32_t> crossing;  // ports that have sent to nodes of other processes in this phase

 private:
  void visit_soon(std::uint32_t node, Time at) {
    if (at == kNever) return;
    next = std::min(next, at);
    mark(node, shared_.network.is_host(node));
  }

  void write(const ControlFrame& frame) {
    out_[phase_].push_back(frame);
    shared_.sampler.look_at(net_.links[net_.ports[frame.port].link].back);  // where the frame leaves
    next = std::min(next, frame.at);
  }

  /// A node is to be visited: hosts after switches have run, else in the next interval.
  void mark(std::uint32_t node, bool host) { shared_.marks[host && phase_ == 0 ? odd_ : !odd_].set(node); }

  /// A port sends for the first time in this interval, and what is first to arrive.
  [[gnu::noinline]] void begin_sending(std::uint32_t index, Time at) {
    const Port& port = net_.ports[index];
    touched_.push_back(index);
    if (shared_.tap != nullptr && shared_.tap->wants(index)) tapped_.push_back({index, port.ring_tail});
    shared_.sampler.look_at(index);
    next = std::min(next, at);
    if (shared_.is_elsewhere(port.to)) return crossing.push_back(index);
    mark(port.to, port.to_host);
  }

  /// Visits nodes of one kind: this worker's own, then what others have not come to yet.
  template<class Model>
  void run(const std::vector<std::unique_ptr<Worker>>& workers, Nodes Worker::*nodes, std::uint32_t at_once, Model& model) {
    Marks& marks = shared_.marks[odd_];
    const auto count = static_cast<std::uint32_t>(workers.size());
    for (std::uint32_t k = 0; k < count; k++) {
      const Nodes& owned = (*workers[(id_ + k) % count]).*nodes;
      for (std::uint32_t i = 0; i < marks.words(); i++)
        for (std::uint64_t bits = marks.word(i) & owned[i]; bits != 0;) {
          const std::uint64_t some = count == 1 ? bits : bits & Marks::group_of(bits, at_once);
          bits &= ~some;
          visit_each(i * 64, marks.claim(i, some), model);
        }
    }
  }

  /// Visits some nodes, as bits that count from `first` on.
  template<class Model>
  void visit_each(std::uint32_t first, std::uint64_t nodes, Model& model) {
    if constexpr (!Model::kHasPorts) return lookout_.each(first, nodes, [&](std::uint32_t node) { visit(node, model); });
    for (std::uint64_t rest; nodes != 0; nodes = rest) {
      rest = nodes & (nodes - 1);
      next_switch_.begin(first, rest);
      visit(first + static_cast<std::uint32_t>(std::countr_zero(nodes)), model);
    }
  }

  /// Everything that happens at a node in this interval.
  template<class Model>
  void visit(std::uint32_t node, Model& model) {
    visits++;
    const std::uint32_t first = net_.first_link[node], count = net_.first_link[node + 1] - first;
    if constexpr (!Model::kHasPorts)
      if (count == 1 && has_runs_ && Runs::is_prompt(net_.hosts[node])) return visit_host(node, first);
    model.expect_timers(node);
    arrivals_.collect(shared_.links, first, count, begin_, end);
    shared_.network.reserve(
        node,
        (arrivals_.waiting + 1) * (net_.p.has_windows() || net_.p.mixed || net_.p.admission != 0 ? kMostAnswers : 2) + grants_);
    if constexpr (Model::kHasPorts) {
      const std::vector<ControlFrame>& box = shared_.control_frames[node];
      const bool is_calm = model.begin(model.at(node), arrivals_) && (box.empty() || box.front().at >= end);
      is_calm ? play<true>(node, model, first) : play<false>(node, model, first);
    } else {
      play<false>(node, model, first);
    }
    arrivals_.let_go(shared_.links, first);
    go_on(node, arrivals_.later);
  }

  /// The same for a host with one link, whose packets come in order.
  void visit_host(std::uint32_t node, std::uint32_t link) {
    Links::View view = shared_.links.view(link);
    view.prefetch();
    shared_.network.reserve(node, 2 * (view.tail - view.head) + 2);
    play_host(node, link, view);
    shared_.links.read_until(link, view.head);
    go_on(node, view.head != view.tail ? view.first().at : kNever);
  }

  /// A node is done with this interval; `later` is when something it can see arrives.
  void go_on(std::uint32_t node, Time later) {
    for (const std::uint32_t port : touched_) shared_.links.publish(net_.ports[port]);
    touched_.clear();
    later = std::min(later, time_of(net_.timer_queues[node].first()));
    if (!shared_.control_frames[node].empty()) later = std::min(later, shared_.control_frames[node].front().at);
    if (later == kNever) return;
    next = std::min(next, later);
    mark(node, shared_.network.is_host(node));
  }

  /// What nodes have sent in a phase stays in the rings of their ports, packet by packet, until others run.
  void note_sent() {
    for (const TappedRing& one : tapped_) shared_.tap->note_sent(net_.ports[one.port], one.port, one.first, sightings);
    tapped_.clear();
  }

  /// Pauses before timers before arrivals, by time. `kCalm`: there are no pauses.
  template<bool kCalm, class Model>
  void play(std::uint32_t node, Model& model, std::uint32_t first_link) {
    std::vector<ControlFrame>& box = shared_.control_frames[node];
    TimerQueue& timer_queue = net_.timer_queues[node];
    typename Model::Tally tally = model.tally_of(node);
    const auto here = model.at(node, &tally);
    std::size_t read = 0;
    const auto next_frame_at = [&] { return !kCalm && read < box.size() && box[read].at < end ? box[read].at : end; };
    Time frame_at = next_frame_at();
    Upcoming<Model> upcoming(node, model, arrivals_);
    for (;;) {
      const std::uint64_t timer_key = timer_queue.first<Model::kHasPorts, Model::kHasOthers>(), arrival_key = upcoming.key();
      const Time timer = time_of(timer_key), arrival = time_of(arrival_key);
      if (!kCalm && frame_at < end && frame_at <= std::min(timer, arrival)) {
        const ControlFrame one = box[read++];
        shared_.sampler.look_at(one.port);
        frame_at = next_frame_at();
        if constexpr (std::is_same_v<Model, ScheduledSwitch<Worker>>)
          if (one.other != kNone) {
            model.hear_of_credit(here, one.port, one.other, one.traffic_class, one.credit, one.xoff, one.at);
            continue;
          }
        if (one.credit != 0)
          model.credit(here, one.port, one.traffic_class, one.credit, one.at);
        else
          model.pause(here, one.port, one.traffic_class, one.xoff, one.at);
      } else if (timer <= arrival) {
        if (timer >= end) break;
        timer_queue.take<Model::kHasPorts, Model::kHasOthers>(timer_key);
        if constexpr (Model::kHasPorts)
          model.template timer<kCalm>(here, slot_of(timer_key), timer);
        else
          model.timer(here, slot_of(timer_key), timer);
      } else {
        const auto [packet, port] = upcoming.take();
        const std::uint32_t link = first_link + slot_of(arrival_key);
        if constexpr (Model::kHasPorts) {
          next_switch_.step();
          model.template arrive<kCalm>(here, link, *packet, port, arrival);
        } else {
          model.arrive(here, link, *packet, arrival);
        }
      }
    }
    if constexpr (kCalm) model.end_calm(here);
    if (read > 0) box.erase(box.begin(), box.begin() + static_cast<std::ptrdiff_t>(read));
  }

  /// The same for a host with one link: whole runs of packets at once, where nothing else happens.
  void play_host(std::uint32_t node, std::uint32_t link, Links::View& view) {
    std::vector<ControlFrame>& box = shared_.control_frames[node];
    TimerQueue& timer_queue = net_.timer_queues[node];
    Host& host = net_.hosts[node];
    const std::uint32_t port = net_.first_port[node];
    std::size_t read = 0;
    for (;;) {
      Time arrival = end;
      for (; view.head != view.tail && view.first().at < end; view.head++) {
        if (!runs_.take_in(view.first())) {
          arrival = view.first().at;
          break;
        }
        host.hops++;
        host.data_hops++;
      }
      const std::uint64_t timer_key = timer_queue.first<false, true>();
      const Time timer = time_of(timer_key), frame_at = read < box.size() && box[read].at < end ? box[read].at : end;
      if (frame_at <= std::min(timer, arrival)) {
        if (frame_at == end) break;
        const ControlFrame one = box[read++];
        shared_.sampler.look_at(one.port);
        nics_.of_rates.pause(node, one.port, one.traffic_class, one.xoff, one.at);
      } else if (timer <= arrival) {
        const Time until = std::min({frame_at - 1, arrival, net_.nics[port].alarms.first()});
        if (slot_of(timer_key) != 0 || !runs_.send(port, timer, until)) nics_.of_rates.timer(node, slot_of(timer_key), timer);
      } else {
        const Packet& packet = view.first();
        view.head++;
        nics_.of_rates.arrive(node, link, packet, arrival);
      }
    }
    if (read > 0) box.erase(box.begin(), box.begin() + static_cast<std::ptrdiff_t>(read));
  }

  static constexpr std::uint32_t kSwitchesAtOnce = 1, kHostsAtOnce = 16;  // that a worker takes to visit

  SharedState& shared_;
  Net& net_;
  const bool usual_;
  SwitchModels<Worker> switches_;
  NicModels<Worker> nics_;
  using Runs = NicRuns<Worker>;
  Runs runs_;
  const bool has_runs_ = Runs::is_usual(net_.p);
  const HostLookout lookout_{net_, shared_.links};
  SwitchLookout next_switch_{net_, shared_.links};
  const std::uint32_t grants_ = shared_.network.most_grants(shared_.span);  // that a host gives in an interval
  const std::uint32_t id_;
  Nodes own_switches_, own_hosts_;
  Arrivals arrivals_;  // at the node that is visited
  std::vector<std::uint32_t> touched_;
  struct TappedRing {
    std::uint32_t port, first;  // what was sent since
  };
  std::vector<TappedRing> tapped_;    // where somebody looks at wires
  std::vector<ControlFrame> out_[2];  // by phase
  std::vector<OwnedRing> old_rings_;
  unsigned phase_ = 1;
  Time begin_ = 0;
  bool odd_ = false;
};

}  // namespace

}  // namespace railyard::packet
