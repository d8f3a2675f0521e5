// Everything that happens at a host in one window, played by one thread of a GPU. The order is that of Worker::play.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/packet/device/out.h"
#include "engine/packet/nic_model.h"
#include "engine/packet/nic_runs.h"

namespace railyard::packet::device {

class HostVisit {
 public:
  HostVisit(const State& state, Out& out, Time end)
      : state_(state), net_(const_cast<Net&>(state.net)), out_(out), nics_(net_, out), runs_(net_, out), end_(end) {}

  void visit(std::uint32_t node) {
    const std::uint32_t first = net_.first_link[node], count = net_.first_link[node + 1] - first;
    if (count == 1 && state_.has_runs != 0 && NicRuns<Out>::is_prompt(net_.hosts[node]))
      play_runs(node, first);
    else
      play(node, first, count);
  }

  /// Messages were added to flows of this host.
  void offer(const Offer& offer, Time now) {
    Sender& s = net_.senders[offer.flow];
    net_.messages[offer.row] = offer.message;
    if (s.newest != kNone) net_.messages[s.newest].next = offer.row;
    s.newest = offer.row;
    if (s.oldest == kNone) s.oldest = offer.row;
    if (s.message == kNone) s.message = offer.row;
    nics_.offer(offer.flow, now);
    const std::uint32_t node = net_.ports[s.port].node;
    out_.note_next(time_of(net_.timer_queues[node].first<false, true>()));
    out_.go_on(node, out_.next);
  }

 private:
  /// A host with one link, whose packets come in order: whole runs of packets at once, where nothing else happens.
  void play_runs(std::uint32_t node, std::uint32_t link) {
    LinkView view = link_view(link);
    TimerQueue& timer_queue = net_.timer_queues[node];
    Host& host = net_.hosts[node];
    const std::uint32_t port = net_.first_port[node];
    FrameView frames = frame_view(port);
    const std::uint32_t head_before = view.head, frames_before = frames.head;
    for (;;) {
      Time arrival = end_;
      for (; view.head != view.tail && view.first().at < end_; view.head++) {
        if (!runs_.take_in(view.first())) {
          arrival = view.first().at;
          break;
        }
        host.hops++;
        host.data_hops++;
      }
      const std::uint64_t timer_key = timer_queue.first<false, true>();
      const Time timer = time_of(timer_key), frame_at = std::min(frames.at(), end_);
      if (frame_at <= std::min(timer, arrival)) {
        if (frame_at == end_) break;
        take_frame(node, port, frames);
      } else if (timer <= arrival) {
        const Time until = std::min(std::min(frame_at - 1, arrival), net_.nics[port].alarms.first());
        if (slot_of(timer_key) != 0 || !runs_.send(port, timer, until)) nics_.timer(node, slot_of(timer_key), timer);
      } else {
        const Packet& packet = view.first();
        view.head++;
        nics_.arrive(node, link, packet, arrival);
      }
    }
    if (view.head != head_before) let_go(state_.rings[link], view.head);
    if (frames.head != frames_before) let_go(state_.frames[port], frames.head);
    out_.publish(port);
    out_.go_on(node, std::min(std::min(view.at(), frames.at()), time_of(timer_queue.first<false, true>())));
  }

  /// Any host: pauses before timers before arrivals, by time.
  void play(std::uint32_t node, std::uint32_t first_link, std::uint32_t links) {
    TimerQueue& timer_queue = net_.timer_queues[node];
    const std::uint32_t first_port = net_.first_port[node], past_port = net_.first_port[node + 1];
    for (;;) {
      std::uint64_t arrival_key = key_of(end_, 0);
      for (std::uint32_t slot = 0; slot < links; slot++) {
        const Time at = link_view(first_link + slot).at();
        if (at < end_) arrival_key = std::min(arrival_key, key_of(at, slot));
      }
      Time frame_at = end_;
      std::uint32_t frame_port = kNone;
      for (std::uint32_t port = first_port; port < past_port; port++)
        if (const Time at = frame_view(port).at(); at < frame_at) frame_at = at, frame_port = port;
      const std::uint64_t timer_key = timer_queue.first<false, true>();
      const Time timer = time_of(timer_key), arrival = time_of(arrival_key);
      if (frame_at < end_ && frame_at <= std::min(timer, arrival)) {
        FrameView frames = frame_view(frame_port);
        take_frame(node, frame_port, frames);
        let_go(state_.frames[frame_port], frames.head);
      } else if (timer <= arrival) {
        if (timer >= end_) break;
        nics_.timer(node, slot_of(timer_key), timer);
      } else {
        if (arrival >= end_) break;
        const std::uint32_t link = first_link + slot_of(arrival_key);
        const LinkView view = link_view(link);
        nics_.arrive(node, link, view.first(), arrival);
        let_go(state_.rings[link], view.head + 1);
      }
    }
    Time later = time_of(timer_queue.first<false, true>());
    for (std::uint32_t slot = 0; slot < links; slot++) later = std::min(later, link_view(first_link + slot).at());
    for (std::uint32_t port = first_port; port < past_port; port++) {
      later = std::min(later, frame_view(port).at());
      out_.publish(port);
    }
    out_.go_on(node, later);
  }

  void take_frame(std::uint32_t node, std::uint32_t port, FrameView& frames) {
    const Frame one = frames.first();
    frames.head++;
    nics_.pause(node, port, one.traffic_class, one.xoff != 0, one.at);
  }

  /// The other end is a switch, which does not run now; or a host, which may.
  template<class Ring>
  void let_go(Ring& ring, std::uint32_t head) {
    ring.read = head;
    if (state_.hosts_meet != 0) fence();
    store(&ring.head, head);
  }
  [[nodiscard]] LinkView link_view(std::uint32_t link) const { return LinkView(state_.rings[link], state_.hosts_meet != 0); }
  [[nodiscard]] FrameView frame_view(std::uint32_t port) const {
    return FrameView(state_.frames[port], state_.hosts_meet != 0);
  }

  const State& state_;
  Net& net_;
  Out& out_;
  NicModel<Out> nics_;
  NicRuns<Out> runs_;
  const Time end_;
};

}  // namespace railyard::packet::device
