#include "engine/packet/links.h"

#include <bit>
#include <cstdlib>
#include <new>
#include <utility>

namespace railyard::packet {

namespace {

constexpr std::uint32_t kFirstSizeLog = 4;

OwnedRing make_ring(std::uint32_t size) {
  void* const memory = std::aligned_alloc(64, size * sizeof(Packet));
  if (memory == nullptr) throw std::bad_alloc();
  return OwnedRing(static_cast<Packet*>(memory));
}

}  // namespace

void FreeSlots::operator()(Packet* slots) const { std::free(slots); }

Links::Links(std::uint32_t links)
    : heads_(new std::atomic<std::uint32_t>[links]),
      tails_(new std::atomic<std::uint32_t>[links]),
      rings_(new std::atomic<std::uintptr_t>[links]),
      owned_(links) {
  for (std::uint32_t link = 0; link < links; link++) {
    owned_[link] = make_ring(1U << kFirstSizeLog);
    set_ring(link, kFirstSizeLog);
    heads_[link].store(0, std::memory_order_relaxed);
    tails_[link].store(0, std::memory_order_relaxed);
  }
}

void Links::attach(Port* ports, std::uint32_t count) {
  for (Port* port = ports; port != ports + count; port++) {
    port->ring = owned_[port->link].get();
    port->ring_mask = (1U << kFirstSizeLog) - 1;
    port->ring_tail = port->ring_head_seen = port->ring_published = 0;
  }
}

void Links::set_ring(std::uint32_t link, std::uint32_t size_log) {
  rings_[link].store(reinterpret_cast<std::uintptr_t>(owned_[link].get()) | size_log, std::memory_order_release);
}

void Links::make_room(Port& port, std::vector<OwnedRing>& old) {
  port.ring_head_seen = heads_[port.link].load(std::memory_order_acquire);
  const std::uint32_t size = port.ring_mask + 1;
  if (port.ring_tail - port.ring_head_seen < size) return;
  OwnedRing larger = make_ring(2 * size);
  for (std::uint32_t i = port.ring_tail - size; i != port.ring_tail; i++)
    larger.get()[i & (2 * size - 1)] = port.ring[i & port.ring_mask];
  std::swap(owned_[port.link], larger);
  old.push_back(std::move(larger));
  port.ring = owned_[port.link].get();
  port.ring_mask = 2 * size - 1;
  set_ring(port.link, static_cast<std::uint32_t>(std::countr_zero(2 * size)));
}

}  // namespace railyard::packet
