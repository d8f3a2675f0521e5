#include "engine/packet/links.h"

#include <bit>
#include <cstdlib>
#include <new>
#include <utility>

namespace railyard::packet {

namespace {

constexpr std::size_t kLine = 64;  // of a cache

OwnedRing make_ring(std::uint32_t size) {
  void* const memory = std::aligned_alloc(kLine, size * sizeof(Packet));
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
  memory_.make_room(links);
  for (std::uint32_t link = 0; link < links; link++) {
    set_ring(link, first_ring(link), kFirstSizeLog);
    heads_[link].store(0, std::memory_order_relaxed);
    tails_[link].store(0, std::memory_order_relaxed);
  }
}

void Links::attach(Port& port) {
  port.ring = first_ring(port.link);
  port.ring_mask = (1U << kFirstSizeLog) - 1;
  port.ring_tail = port.ring_head_seen = port.ring_published = 0;
}

Packet* Links::first_ring(std::uint32_t link) { return memory_[link].slots; }

void Links::set_ring(std::uint32_t link, const Packet* slots, std::uint32_t size_log) {
  rings_[link].store(reinterpret_cast<std::uintptr_t>(slots) | size_log, std::memory_order_release);
}

void Links::make_room(Port& port, std::vector<OwnedRing>& old) {
  port.ring_head_seen = heads_[port.link].load(std::memory_order_acquire);
  const std::uint32_t size = port.ring_mask + 1;
  if (port.ring_tail - port.ring_head_seen < size) return;
  OwnedRing larger = make_ring(2 * size);
  for (std::uint32_t i = port.ring_tail - size; i != port.ring_tail; i++)
    larger.get()[i & (2 * size - 1)] = port.ring[i & port.ring_mask];
  std::swap(owned_[port.link], larger);
  if (larger) old.push_back(std::move(larger));
  port.ring = owned_[port.link].get();
  port.ring_mask = 2 * size - 1;
  set_ring(port.link, port.ring, static_cast<std::uint32_t>(std::countr_zero(2 * size)));
}

}  // namespace railyard::packet
