// A NIC with two transports: queue pairs that are paced by DCQCN, and beside them those of a transport with a window, such as
// TCP. Both take turns on its ports, class by class.
#pragma once

#include "engine/packet/nic_model.h"
#include "engine/packet/window_nic.h"

namespace railyard::packet {

/// A flow is of the one or the other for good (Sender::beside), and each model does for its own what it does where it is
/// alone. Lists of flows, and the turns they take, are those of NicQueues: the same rows, whoever looks.
template<class Out>
class MixedNic : public NicModel<Out, MixedNic<Out>> {
  using Paced = NicModel<Out, MixedNic<Out>>;
  using Paced::net_;
  using State = Sender::State;

  /// The second transport: whatever may be about a flow of the first goes by the whole NIC.
  class Windowed : public WindowNic<Out, Windowed> {
    using Model = WindowNic<Out, Windowed>;

   public:
    Windowed(Net& net, Out& out, MixedNic& whole) : Model(net, out), whole_(whole) {}

    State wish_of(Sender& s) { return whole_.wish_of(s); }
    Time may_send_at(Sender& s, Time now) { return whole_.may_send_at(s, now); }
    void send(std::uint32_t index, NicPort& nic, std::uint32_t c, Time now) { whole_.send(index, nic, c, now); }
    void give_up(Sender& s, std::uint32_t flow, std::uint32_t node, Time now) { whole_.give_up(s, flow, node, now); }
    void take_in(std::uint32_t node, const Packet& packet, Time now) { whole_.take_in(node, packet, now); }

    State own_wish(Sender& s) { return Model::wish_of(s); }
    Time own_time(Sender& s, Time now) { return Model::may_send_at(s, now); }
    void send_own(std::uint32_t index, NicPort& nic, std::uint32_t c, Time now) { Model::send(index, nic, c, now); }
    void give_up_own(Sender& s, std::uint32_t flow, std::uint32_t node, Time now) { Model::give_up(s, flow, node, now); }
    void take_in_own(std::uint32_t node, const Packet& packet, Time now) { Model::take_in(node, packet, now); }

   private:
    MixedNic& whole_;
  };

 public:
  /// `beside`: the rows of `net`, with the parameters of the second transport.
  MixedNic(Net& net, Net& beside, Out& out) : Paced(net, out), windowed_(beside, out, *this) {}
  MixedNic(const MixedNic&) = delete;
  MixedNic& operator=(const MixedNic&) = delete;

  void arrive(std::uint32_t node, std::uint32_t link, const Packet& packet, Time now) {
    is_beside(packet.flow) ? windowed_.arrive(node, link, packet, now) : Paced::arrive(node, link, packet, now);
  }

  // What NicQueues asks for -----------------------------------------------------------------------------------------

  State wish_of(Sender& s) { return s.beside ? windowed_.own_wish(s) : Paced::wish_of(s); }
  Time may_send_at(Sender& s, Time now) { return s.beside ? windowed_.own_time(s, now) : Paced::may_send_at(s, now); }
  void send(std::uint32_t index, NicPort& nic, std::uint32_t c, Time now) {
    is_beside(nic.ready_head[c]) ? windowed_.send_own(index, nic, c, now) : Paced::send(index, nic, c, now);
  }
  void give_up(Sender& s, std::uint32_t flow, std::uint32_t node, Time now) {
    s.beside ? windowed_.give_up_own(s, flow, node, now) : Paced::give_up(s, flow, node, now);
  }
  void take_in(std::uint32_t node, const Packet& packet, Time now) {
    is_beside(packet.flow) ? windowed_.take_in_own(node, packet, now) : Paced::take_in(node, packet, now);
  }

 private:
  [[nodiscard]] bool is_beside(std::uint32_t flow) const { return net_.senders[flow].beside; }

  Windowed windowed_;
};

}  // namespace railyard::packet
