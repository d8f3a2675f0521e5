// What arrives at one node in one interval, in the order of time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "engine/packet/links.h"

namespace railyard::packet {

/// Packets that are due at a node, by time and, at one instant, by link. They stay in their rings until they are let go of.
class Arrivals {
 public:
  struct Due {
    std::uint64_t key;  // time, and which of the node's links
    const Packet* packet;
  };

  /// Finds what links first … first + count - 1 bring from `begin` up to `end`. REQUIRES: nothing is due before `begin`.
  void collect(const Links& links, std::uint32_t first, std::uint32_t count, Time begin, Time end) {
    if (read_.size() < count) read_.resize(count), of_link_.resize(count);
    waiting = 0;
    std::uint32_t filled = 0;
    for (std::uint32_t slot = 0; slot < count; slot++) {
      const Links::View view = links.view(first + slot);
      if (view.head == view.tail) continue;
      view.prefetch();
      waiting += view.tail - view.head;
      read_[filled++] = {view, slot};
    }
    if (due_.size() < waiting + 1) {
      due_.resize(2 * waiting + 1);
      sorted_.resize(2 * waiting + 1);
      notes_.resize(2 * waiting + 1);
    }
    used_ = filled;
    if (filled == 1) {  // in order already
      in_order_ = due_.data();
      size_ = read<false>(end);
    } else {
      choose_buckets(begin, end);
      size_ = read<true>(end);
      sort();
    }
    in_order_[size_] = {kIdle, nullptr};
  }

  /// In order; after the last one comes one that is idle.
  [[nodiscard]] const Due* in_order() const { return in_order_; }

  [[nodiscard]] std::uint32_t size() const { return size_; }

  /// One for each, for who reads them.
  [[nodiscard]] std::uint32_t* notes() { return notes_.data(); }

  /// The senders may use the room of what was due.
  void let_go(Links& links, std::uint32_t first) {
    for (std::uint32_t i = 0; i < used_; i++) links.read_until(first + read_[i].slot, read_[i].view.head);
  }

  /// Of what is due by one link.
  struct OfLink {
    std::uint32_t slot;   // which of the node's links
    std::uint32_t bytes;  // that it brings
  };
  [[nodiscard]] std::span<const OfLink> by_link() const { return {of_link_.data(), used_}; }

  Time later = kNever;        // the first that is due after the interval
  std::uint32_t waiting = 0;  // packets on the links, due or not
  std::uint32_t data = 0;     // packets with payload, of those that are due

 private:
  struct Reading {
    Links::View view;
    std::uint32_t slot;
  };

  /// Takes what is due of all links, and counts it by bucket. Returns how many there are.
  template<bool kCount>
  std::uint32_t read(Time end) {
    Due* to = due_.data();
    std::uint32_t* const offsets = offsets_.data();
    const std::uint64_t origin = origin_;
    const std::uint32_t shift = shift_;
    Time first_later = kNever;
    std::uint32_t all_data = 0;
    for (std::uint32_t i = 0; i < used_; i++) {
      const Links::View view = read_[i].view;
      const std::uint32_t slot = read_[i].slot;
      std::uint32_t head = view.head, bytes = 0;
      for (; head != view.tail; head++, to++) {
        const Packet& packet = view.slots[head & view.mask];
        if (packet.at >= end) {
          first_later = std::min(first_later, packet.at);
          break;
        }
        bytes += packet.size;
        all_data += packet.is_data();
        const std::uint64_t key = key_of(packet.at, slot);
        *to = {key, &packet};
        if constexpr (kCount) offsets[(key - origin) >> shift]++;
      }
      read_[i].view.head = head;
      of_link_[i] = {slot, bytes};
    }
    later = first_later;
    data = all_data;
    return static_cast<std::uint32_t>(to - due_.data());
  }

  /// Spans of time: for every one or two packets.
  void choose_buckets(Time begin, Time end) {
    const auto spread = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(end - begin)));
    const auto log = static_cast<std::uint32_t>(std::bit_width(waiting | 1)) - 1;
    buckets_ = 1U << log;
    shift_ = kSlotBits + (spread > log ? spread - log : 0);
    origin_ = key_of(begin, 0);
    if (offsets_.size() < buckets_) offsets_.resize(buckets_);
    std::memset(offsets_.data(), 0, buckets_ * sizeof(std::uint32_t));
  }

  /// First by bucket; then every one to its place, which is near.
  void sort() {
    const std::uint64_t origin = origin_;
    const std::uint32_t shift = shift_;
    std::uint32_t* const offsets = offsets_.data();
    std::uint32_t before = 0;
    for (std::uint32_t b = 0; b < buckets_; b++) {
      const std::uint32_t here = offsets[b];
      offsets[b] = before;
      before += here;
    }
    const Due* const due = due_.data();
    Due* const sorted = in_order_ = sorted_.data();
    const std::uint32_t size = size_;
    for (std::uint32_t i = 0; i < size; i++) sorted[offsets[(due[i].key - origin) >> shift]++] = due[i];
    for (std::uint32_t i = 1; i < size; i++) {
      const Due one = sorted[i];
      if (sorted[i - 1].key <= one.key) continue;
      std::uint32_t at = i;
      for (; at > 0 && sorted[at - 1].key > one.key; at--) sorted[at] = sorted[at - 1];
      sorted[at] = one;
    }
  }

  std::vector<Reading> read_;  // links that have packets
  std::vector<OfLink> of_link_;
  std::uint32_t used_ = 0;  // of them
  std::vector<Due> due_, sorted_;
  std::vector<std::uint32_t> offsets_, notes_;
  std::uint32_t buckets_ = 1, shift_ = 0;
  std::uint64_t origin_ = 0;
  Due* in_order_ = nullptr;
  std::uint32_t size_ = 0;
};

}  // namespace railyard::packet
