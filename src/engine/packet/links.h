// Packets on their way between nodes: one ring per link, written by the node that sends and read by the one that receives.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/packet/net.h"
#include "engine/packet/row_store.h"

namespace railyard::packet {

struct FreeSlots {
  void operator()(Packet* slots) const;
};
using OwnedRing = std::unique_ptr<Packet, FreeSlots>;

/// All rings. A sender appends and later publishes; a receiver sees what was published and frees what it has read. A full
/// ring is replaced by one twice the size; the old one is handed to the caller, to be kept until nobody can be reading it.
class Links {
 public:
  explicit Links(std::uint32_t links);

  /// Puts a port at the beginning of its ring.
  void attach(Port& port);

  /// Puts a packet at the end; returns where it is. REQUIRES: only the thread that runs the sender.
  [[gnu::always_inline]] Packet& push(Port& port, const Packet& packet, std::vector<OwnedRing>& old) {
    if (port.ring_tail - port.ring_head_seen > port.ring_mask) make_room(port, old);
    Packet& slot = port.ring[port.ring_tail++ & port.ring_mask];
    slot = packet;
    __builtin_prefetch(&port.ring[port.ring_tail & port.ring_mask], 1);
    return slot;
  }
  void publish(Port& port) {
    port.ring_published = port.ring_tail;
    tails_[port.link].store(port.ring_tail, std::memory_order_release);
  }

  /// What a receiver may read: slots head … tail - 1. REQUIRES: only the thread that runs the receiver.
  struct View {
    const Packet* slots;
    std::uint32_t mask, head, tail;

    [[nodiscard]] const Packet& first() const { return slots[head & mask]; }
    void prefetch() const {
      const Packet* const packet = &first();
      __builtin_prefetch(packet);
      __builtin_prefetch(packet + 2);
      __builtin_prefetch(packet + 4);
    }
  };
  [[nodiscard]] View view(std::uint32_t link) const {
    const std::uint32_t tail = tails_[link].load(std::memory_order_acquire);  // before the ring: a newer one has it too
    const std::uint32_t head = heads_[link].load(std::memory_order_relaxed);
    const std::uintptr_t ring = rings_[link].load(std::memory_order_acquire);
    return {reinterpret_cast<const Packet*>(ring & ~kSizeBits), (1U << (ring & kSizeBits)) - 1, head, tail};
  }
  void read_until(std::uint32_t link, std::uint32_t head) { heads_[link].store(head, std::memory_order_release); }

 private:
  static constexpr std::uint32_t kFirstSizeLog = 4;
  struct alignas(64) Slots {
    Packet slots[1 << kFirstSizeLog];
  };
  static constexpr std::uintptr_t kSizeBits = 63;  // below an address that begins a cache line: the logarithm of the size

  Packet* first_ring(std::uint32_t link);
  void make_room(Port& port, std::vector<OwnedRing>& old);
  void set_ring(std::uint32_t link, const Packet* slots, std::uint32_t size_log);

  std::unique_ptr<std::atomic<std::uint32_t>[]> heads_, tails_;
  std::unique_ptr<std::atomic<std::uintptr_t>[]> rings_;
  RowStore<Slots> memory_;        // of the rings that links begin with: small, side by side
  std::vector<OwnedRing> owned_;  // those that took their place
};

}  // namespace railyard::packet
