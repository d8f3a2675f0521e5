// What crosses between processes that play one network together, interval by interval.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "base/team_post.h"
#include "engine/packet/worker.h"

namespace railyard::packet {

namespace {  // for lookahead_scheduler.cpp alone: what nobody else can call is inlined

/// Nodes of every process meet nodes of others at links alone: packets go from the ring of the sender's process to the ring of
/// the receiver's, control frames to the boxes of nodes. All processes go through the same intervals, so each calls the same
/// functions in the same order. Called by one thread while the workers rest.
class Border {
 public:
  using Workers = std::vector<std::unique_ptr<Worker>>;

  /// REQUIRES: several processes.
  Border(SharedState& shared, TeamPost& post) : shared_(shared), post_(post), told_(shared.threads), frames_(post.size()) {
    const Net& net = shared.network.net;
    for (std::uint32_t node = 0; node < shared.network.nodes(); node++)
      for (std::uint32_t port = net.first_port[node]; port < net.first_port[node + 1]; port++)
        hosts_cross_ |= shared.network.is_host(node) && process_of(shared.network.port_as_built(port).to) != process_of(node);
  }

  /// Hosts hear of what switches did in the same interval: whether some of them are played elsewhere than their switches. Else
  /// processes meet once an interval.
  [[nodiscard]] bool hosts_cross() const { return hosts_cross_; }

  /// Switches have run. REQUIRES: hosts_cross().
  void pass_switches(const Workers& workers) {
    pack_sent(workers, 0, 1);
    post_.swap();
    for (std::uint32_t from = 0; from < post_.size(); from++) {
      std::string_view rest = post_.inbox(from);
      if (!rest.empty()) take_sent(*workers[0], rest);
    }
  }

  /// Hosts have run. `next` is when this process has something to do.
  void pass_hosts(const Workers& workers, Time next) {
    pack_sent(workers, hosts_cross_ ? 1 : 0, 2);
    pack_end(workers, next);
    post_.swap();
    next_ = next;
    for (std::uint32_t from = 0; from < post_.size(); from++) {
      std::string_view rest = post_.inbox(from);
      if (rest.empty()) continue;
      take_sent(*workers[0], rest);
      take_end(rest);
    }
  }

  /// Outside intervals: when all together have something to do.
  void agree(Time next) {
    next_ = next;
    swap_rows(next, [&](Time other) { next_ = std::min(next_, other); });
  }
  [[nodiscard]] Time next() const { return next_; }

  /// Adds what others count.
  void sum(std::uint64_t& hops, std::uint64_t& arrived) {
    using Sums = std::array<std::uint64_t, 2>;
    swap_rows(Sums{hops, arrived}, [&](const Sums& other) { hops += other[0], arrived += other[1]; });
  }

  /// Lists of workers are empty again.
  void forget_told() { told_.assign(told_.size(), {}); }

  /// What others saw since the caller took it over.
  std::vector<FlowEvent> delivered, acknowledged;

 private:
  [[nodiscard]] std::uint32_t process_of(std::uint32_t node) const { return shared_.network.process_of(node); }

  template<class Row, class Take>
  void swap_rows(const Row& own, const Take& take) {
    for (std::uint32_t to = 0; to < post_.size(); to++) pack_row(own, post_.outbox(to));
    post_.swap();
    for (std::uint32_t from = 0; from < post_.size(); from++)
      if (std::string_view rest = post_.inbox(from); !rest.empty()) take(unpack_row<Row>(rest));
  }

  /// Links with their packets up to a link that is none; then control frames of phases `first` … `past` - 1.
  void pack_sent(const Workers& workers, unsigned first, unsigned past) {
    const Net& net = shared_.network.net;
    for (const auto& worker : workers) {
      for (const std::uint32_t port : worker->crossing) pack_packets(net.ports[port]);
      worker->crossing.clear();
      for (unsigned phase = first; phase < past; phase++)
        for (const ControlFrame& frame : worker->told(phase)) frames_[process_of(net.ports[frame.port].node)].push_back(frame);
    }
    for (std::uint32_t to = 0; to < post_.size(); to++) {
      pack_row(kNone, post_.outbox(to));
      pack_all(frames_[to], post_.outbox(to));
      frames_[to].clear();
    }
  }

  /// The room in the ring is free again at once.
  void pack_packets(const Port& port) {
    const Links::View view = shared_.links.view(port.link);
    std::string& out = post_.outbox(process_of(port.to));
    pack_row(port.link, out);
    pack_row(view.tail - view.head, out);
    for (std::uint32_t at = view.head; at != view.tail;) {
      const std::uint32_t count = std::min(view.tail - at, view.mask + 1 - (at & view.mask));  // up to the end of the ring
      pack_rows(view.slots + (at & view.mask), count, out);
      at += count;
    }
    shared_.links.read_until(port.link, view.tail);
  }

  void take_sent(Worker& worker, std::string_view& rest) {
    for (auto link = unpack_row<std::uint32_t>(rest); link != kNone; link = unpack_row<std::uint32_t>(rest)) {
      packets_.resize(unpack_row<std::uint32_t>(rest));
      unpack_rows(rest, packets_.data(), packets_.size());
      worker.take_in(link, packets_.data(), static_cast<std::uint32_t>(packets_.size()));
    }
    taken_.clear();
    unpack_all(rest, taken_);
    for (const ControlFrame& frame : taken_) worker.take_in(frame);
  }

  void pack_end(const Workers& workers, Time next) {
    for (std::uint32_t to = 0; to < post_.size(); to++) {
      std::string& out = post_.outbox(to);
      pack_row(next, out);
      pack_row(static_cast<std::uint32_t>(workers.size()), out);
      for (std::size_t k = 0; k < workers.size(); k++) {
        pack_all(std::span(workers[k]->deliveries).subspan(told_[k].deliveries), out);
        pack_all(std::span(workers[k]->acknowledgements).subspan(told_[k].acknowledgements), out);
      }
    }
    for (std::size_t k = 0; k < workers.size(); k++)
      told_[k] = {workers[k]->deliveries.size(), workers[k]->acknowledgements.size()};
  }

  void take_end(std::string_view& rest) {
    next_ = std::min(next_, unpack_row<Time>(rest));
    for (auto workers = unpack_row<std::uint32_t>(rest); workers > 0; workers--) {
      unpack_all(rest, delivered);
      unpack_all(rest, acknowledged);
    }
  }

  template<class Rows>
  static void pack_all(const Rows& rows, std::string& out) {
    pack_row(static_cast<std::uint32_t>(rows.size()), out);
    pack_rows(rows.data(), rows.size(), out);
  }
  template<class Row>
  static void unpack_all(std::string_view& rest, std::vector<Row>& rows) {
    const std::size_t before = rows.size();
    rows.resize(before + unpack_row<std::uint32_t>(rest));
    unpack_rows(rest, rows.data() + before, rows.size() - before);
  }

  SharedState& shared_;
  TeamPost& post_;
  bool hosts_cross_ = false;
  Time next_ = kNever;
  struct Told {
    std::size_t deliveries = 0, acknowledgements = 0;
  };
  std::vector<Told> told_;                         // by worker: what others have been told of its lists
  std::vector<std::vector<ControlFrame>> frames_;  // by process
  std::vector<Packet> packets_;
  std::vector<ControlFrame> taken_;
};

}  // namespace

}  // namespace railyard::packet
