// Hosts on one switch, all of the plain model: what the packet engine is held against. Shares no code with it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "plain_case.h"
#include "plain_receiver.h"
#include "plain_sender.h"
#include "plain_switch.h"

namespace railyard {

/// `Sender` and `Receiver` are the two ends of a queue pair.
template<class Sender, class Receiver>
class PlainNetworkOf {
 public:
  explicit PlainNetworkOf(const PlainCase& c) : case_(c), switch_(clock_, c.plan, static_cast<std::uint32_t>(c.hosts.size())) {
    for (std::uint32_t i = 0; i < c.hosts.size(); i++) add_host(i);
    share_buffer();
    for (std::uint32_t i = 0; i < c.flows.size(); i++) add_flow(i);
  }
  PlainNetworkOf(const PlainNetworkOf&) = delete;
  PlainNetworkOf& operator=(const PlainNetworkOf&) = delete;

  void run() { clock_.run(); }

  [[nodiscard]] const PlainPort& up(std::uint32_t host) const { return *nics_[host]->port; }
  [[nodiscard]] const PlainPort& down(std::uint32_t host) const { return *down_[host]; }
  [[nodiscard]] const Sender& sender(std::uint32_t flow) const { return *pairs_[flow]->sender; }
  [[nodiscard]] const Receiver& receiver(std::uint32_t flow) const { return *pairs_[flow]->receiver; }
  [[nodiscard]] const PlainSwitch& at_switch() const { return switch_; }
  [[nodiscard]] const std::vector<PlainEnd>& ends(std::uint32_t flow) const { return pairs_[flow]->ends; }

 private:
  struct Nic {
    std::unique_ptr<PlainPort> port;
    std::deque<PlainPacket> control, answers;  // before all data of its own
    std::deque<std::uint32_t> line;            // queue pairs that are ready, which take turns
  };
  struct Pair {
    std::unique_ptr<Sender> sender;
    std::unique_ptr<Receiver> receiver;
    std::vector<PlainEnd> ends;
    std::size_t delivered = 0, acknowledged = 0;
  };

  void add_host(std::uint32_t i) {
    const PlainHost& host = case_.hosts[i];
    const PfcPlan& pfc = case_.plan.pfc;
    const Picoseconds response = pfc.response.value_or(Picoseconds::zero());
    auto nic = std::make_unique<Nic>();
    const PlainPort::Link up{host.rate, host.cable, case_.switch_latency, pfc.frame, response};
    const PlainPort::Link down{host.rate, host.cable, Picoseconds::zero(), pfc.frame, response};
    nic->port = std::make_unique<PlainPort>(clock_, i, up);
    down_.push_back(std::make_unique<PlainPort>(clock_, i, down));
    nic->port->back = down_[i].get();
    down_[i]->back = nic->port.get();
    nic->port->arrive = [this, i](const PlainPacket& packet) { switch_.arrive(i, packet); };
    down_[i]->arrive = [this](const PlainPacket& packet) { arrive(packet); };
    nic->port->serve = [this, i] { serve(*nics_[i]); };
    switch_.own(i, *down_[i]);
    nics_.push_back(std::move(nic));
  }

  /// docs/models.md, buffer: what is not set aside as reserve (of data, background and storage) or headroom is shared. What
  /// comes in while a switch looks at packets has room beyond that, in memory of its own: latency · R and a packet.
  void share_buffer() {
    const PacketPlan& plan = case_.plan;
    const auto ports = static_cast<std::int64_t>(case_.hosts.size());
    Bytes aside = plan.buffer.reserve * 3 * ports;
    std::vector<Bytes> headroom(case_.hosts.size());
    if (plan.pfc.enabled) {
      aside += *plan.buffer.headroom * ports;
      for (std::size_t i = 0; i < headroom.size(); i++)
        headroom[i] = *plan.buffer.headroom + bytes_in(case_.switch_latency, case_.hosts[i].rate) + case_.mtu + case_.header;
    }
    switch_.share(aside, headroom);
  }

  void add_flow(std::uint32_t i) {
    const PlainFlow& flow = case_.flows[i];
    Nic &from = *nics_[flow.from], &to = *nics_[flow.to];
    auto pair = std::make_unique<Pair>();
    pair->sender = std::make_unique<Sender>(clock_, case_, i);
    pair->receiver = std::make_unique<Receiver>(clock_, case_, i);
    pair->ends.resize(flow.messages.size());
    pair->sender->wake = [this, &from, i] {
      line_up(from, i, clock_.now());
      if (from.port->is_free()) serve(from);
    };
    pair->sender->acknowledged = [this, p = pair.get()] { p->ends[p->acknowledged++].acknowledged = clock_.now(); };
    pair->receiver->delivered = [this, p = pair.get()] {
      p->ends[p->delivered++].delivered = clock_.now() + case_.host_latency;
    };
    pair->receiver->answer = [this, &to](const PlainPacket& packet) {
      (packet.control ? to.control : to.answers).push_back(packet);
      if (to.port->is_free()) serve(to);
    };
    for (const PlainMessage& message : flow.messages)
      clock_.at(message.posted + case_.host_latency, PlainOrder::timer, i, [this, &message, &flow, s = pair->sender.get()] {
        s->post(message.size, case_.mtu, case_.header, case_.message_header, flow.to);
      });
    pairs_.push_back(std::move(pair));
  }

  void arrive(const PlainPacket& packet) {
    Pair& pair = *pairs_[packet.flow];
    if (packet.kind == PlainPacket::Kind::data || packet.kind == PlainPacket::Kind::bare)
      pair.receiver->arrive(packet);
    else
      pair.sender->arrive(packet);
  }

  void line_up(Nic& nic, std::uint32_t flow, Picoseconds when) {
    const bool waits = std::find(nic.line.begin(), nic.line.end(), flow) != nic.line.end();
    if (!waits && pairs_[flow]->sender->is_ready_by(when)) nic.line.push_back(flow);
  }

  /// Control first, then answers, then queue pairs in turn: who has sent goes to the end of the line. A pause stops all but
  /// control.
  void serve(Nic& nic) {
    if (take_first(nic, nic.control)) return;
    if (nic.port->is_paused() || take_first(nic, nic.answers)) return;
    while (!nic.line.empty()) {
      const std::uint32_t flow = nic.line.front();
      nic.line.pop_front();
      Sender& sender = *pairs_[flow]->sender;
      if (!sender.is_ready_by(clock_.now())) continue;
      const PlainPacket packet = sender.take();
      nic.port->send(packet);
      return line_up(nic, flow, clock_.now() + transmit_time(packet.size, nic.port->rate()));
    }
  }

  static bool take_first(Nic& nic, std::deque<PlainPacket>& queue) {
    if (queue.empty()) return false;
    const PlainPacket packet = queue.front();
    queue.pop_front();
    nic.port->send(packet);
    return true;
  }

  PlainCase case_;
  PlainClock clock_;
  PlainSwitch switch_;
  std::vector<std::unique_ptr<Nic>> nics_;
  std::vector<std::unique_ptr<PlainPort>> down_;
  std::vector<std::unique_ptr<Pair>> pairs_;
};

using PlainNetwork = PlainNetworkOf<PlainSender, PlainReceiver>;

}  // namespace railyard
