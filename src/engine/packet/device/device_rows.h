// The rows of a network in the memory of a GPU, and the way back.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/packet/device/backend.h"
#include "engine/packet/network.h"

namespace railyard::packet::device {

/// A copy of all rows, as they were when it was made, and of what a GPU needs beside them. Flows that were added since are
/// brought there by update().
class DeviceRows {
 public:
  DeviceRows(Network& network, Time span, Backend& backend);

  /// Flows and messages that the GPU does not know of have room. Returns whether addresses have changed.
  bool update(std::size_t messages);
  /// Enough memory for the next window, whatever happens in it. Returns whether addresses have changed.
  bool refill();
  /// Messages that hosts are given, in the order of `offers`, which are sorted by host. `first` of every host's, and the end.
  bool set_offers(std::span<const Offer> offers, std::span<const std::uint32_t> first);

  /// Everything that anybody looks at when a run is over.
  void bring_all();

  State state;
  Array<Control> control;
  Array<FlowEvent> delivered, acknowledged;
  Array<PauseRecord> pauses;
  Array<PortLook> looks;
  Array<std::int64_t> rates;

 private:
  void lay_out_nodes();
  void lay_out_ports();
  void lay_out_choices();
  void lay_out_scratch();
  void add_events();
  void bring_queues();

  Network& network_;
  Backend& backend_;
  std::uint32_t flows_ = 0;

  // Rows of a Net.
  Array<DcqcnParameters> dcqcn_sets_{backend_};
  Array<Profile> profiles_{backend_};
  Array<std::uint32_t> profile_of_{backend_}, port_profiles_{backend_};
  Array<std::uint8_t> stopped_{backend_};
  Array<Port> ports_{backend_};
  Array<Link> links_{backend_};
  Array<PauseCounter> pause_counters_{backend_};
  Array<Ingress> ingress_{backend_};
  Array<Switch> switches_{backend_};
  Array<Host> hosts_{backend_};
  Array<NicPort> nics_{backend_};
  Array<Pool> pools_{backend_};
  Array<TimerQueue> timer_queues_{backend_};
  Array<std::uint64_t> timer_keys_{backend_};
  Array<std::uint32_t> first_port_{backend_}, first_link_{backend_};
  Array<Net::Ends> ends_{backend_};
  Array<Sender> senders_{backend_};
  Array<Receiver> receivers_{backend_};
  Array<Outgoing> messages_{backend_};
  Array<std::uint32_t> paths_{backend_};
  Array<std::uint32_t> group_of_{backend_}, next_hop_first_{backend_}, next_hops_{backend_}, last_first_{backend_};
  Array<Net::LastHop> lasts_{backend_};
  Array<Net::Flowlet> flowlets_{backend_};
  Array<std::uint64_t> arrived_{backend_}, told_{backend_};

  // What is a GPU's own.
  Array<std::uint8_t> is_host_{backend_};
  Array<std::uint32_t> switch_nodes_{backend_}, host_nodes_{backend_};
  Array<RingOf<Packet>> rings_{backend_};
  Array<RingOf<Frame>> frames_{backend_};
  Array<FrameWriter> frame_writers_{backend_};
  Array<Time> port_timers_{backend_};
  Array<std::uint32_t> visited_{backend_};
  Array<std::uint32_t> marks_even_{backend_}, marks_odd_{backend_};
  Array<Offer> offers_{backend_};
  Array<std::uint32_t> offer_first_{backend_};
  Array<Scratch> scratch_{backend_};
  Array<std::byte> scratch_memory_{backend_};
  Array<Arena> arena_{backend_};
  std::vector<std::unique_ptr<Array<std::byte>>> memory_;  // of the arena; the last is in use
};

}  // namespace railyard::packet::device
