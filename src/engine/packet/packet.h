// A packet by value, and the queues and rings it lives in.
#pragma once

#include <cstdint>

namespace railyard::packet {

using Time = std::int64_t;                                                 // picoseconds
inline constexpr std::uint32_t kSlotBits = 15;                             // of a key: which port of a node
inline constexpr Time kNever = (std::int64_t{1} << (64 - kSlotBits)) - 1;  // nine minutes
inline constexpr std::uint32_t kNone = 0xFFFFFFFFU;
inline constexpr std::uint32_t kMostHops = 64;  // links that a packet crosses before a switch throws it away: the usual TTL

/// A CNP tells of congestion or, where receivers give credit for packets, of credit. A bare packet is headers alone: data that
/// a switch has trimmed, or, where receivers admit messages, the question whether one may be sent.
enum class Kind : std::uint8_t { data, ack, cnp, bare };

/// Thirty-two bytes, so that two share a cache line. What a field means depends on where the packet is.
struct Packet {
  Time at = 0;               // on a link: when it is at the far node; in a queue: when it may leave
  std::uint32_t flow = 0;    // queue pair
  std::uint32_t number = 0;  // of data: its place in the flow; of an ACK: the next one expected
  std::uint32_t next = 0;    // in a queue: the slot of the packet behind
  std::uint32_t in = 0;      // in a switch: the link it came by
  std::uint32_t seen = 0;    // of an ACK under selective repeat: the packet that caused it
  std::uint16_t size = 0;    // on the wire
  std::uint16_t bits = 0;    // links crossed in the upper half; kind, class and marks in the lower. (Bytes would alias all.)

  static constexpr std::uint16_t kKind = 3, kClassShift = 2, kClass = 3 << kClassShift, kMarked = 16, kLast = 32, kNak = 64,
                                 kAnswer = 128;      // data that asks for an ACK; a NAK of data: nothing was heard for long
  static constexpr std::uint16_t kBegins = 1 << 15;  // data: the first of those that its sender sends unasked
  static constexpr std::uint16_t kHopShift = 8, kOneHop = 1 << kHopShift, kHops = 127;

  [[nodiscard]] Kind kind() const { return Kind(bits & kKind); }
  [[nodiscard]] bool is_data() const { return (bits & kKind) == 0; }
  [[nodiscard]] bool goes_back() const { return ((bits ^ bits >> 1) & 1) != 0; }  // to the sender of a flow
  [[nodiscard]] std::uint32_t traffic_class() const { return (bits & kClass) >> kClassShift; }
  [[nodiscard]] std::uint32_t hop() const { return bits >> kHopShift & kHops; }
  [[nodiscard]] bool has(std::uint16_t bit) const { return (bits & bit) != 0; }
  static constexpr std::uint16_t bits_of(Kind kind, std::uint32_t traffic_class) {
    return static_cast<std::uint16_t>(static_cast<std::uint32_t>(kind) | traffic_class << kClassShift);
  }
};
static_assert(sizeof(Packet) == 32);

/// Packets that wait at one node: slots of one array, linked into queues. The slot freed last is taken first, so that shallow
/// queues stay in the cache. REQUIRES: room is made before slots are taken.
struct Pool {
  Packet* slots = nullptr;
  std::uint32_t free = kNone, room = 0;  // first free slot; how many are free

  std::uint32_t take(const Packet& packet) {
    const std::uint32_t slot = free;
    free = slots[slot].next;
    __builtin_prefetch(slots + free, 1);
    room--;
    slots[slot] = packet;
    return slot;
  }
  void give_back(std::uint32_t slot) {
    slots[slot].next = free;
    free = slot;
    room++;
  }
};

struct Queue {
  std::uint32_t head = kNone, tail = kNone;
  std::uint32_t bytes = 0;
  std::int32_t credit = 0;  // of its share, where classes share by weight

  [[nodiscard]] bool empty() const { return head == kNone; }
  void push(Pool& pool, std::uint32_t slot) {
    pool.slots[slot].next = kNone;
    std::uint32_t* const before = empty() ? &head : &pool.slots[tail].next;  // no branch: nobody could foretell it
    *before = slot;
    tail = slot;
    bytes += pool.slots[slot].size;
  }
  std::uint32_t pop(const Pool& pool) {
    const std::uint32_t slot = head;
    head = pool.slots[slot].next;
    bytes -= pool.slots[slot].size;
    return slot;
  }
};

/// A time and the slot it belongs to in one word, so that times compare first and ties go to the lower slot.
inline constexpr std::uint64_t kIdle = ~std::uint64_t{0};  // never, for nobody
inline std::uint64_t key_of(Time at, std::uint32_t slot) { return static_cast<std::uint64_t>(at) << kSlotBits | slot; }
inline Time time_of(std::uint64_t key) { return static_cast<Time>(key >> kSlotBits); }
inline std::uint32_t slot_of(std::uint64_t key) { return key & ((1U << kSlotBits) - 1); }

/// Keys in order. Made for times that mostly come in order already: what is added last mostly belongs at the end.
/// REQUIRES: memory for twice as many keys as are ever in it, and two; nothing is added below what was taken out.
class SortedRun {
 public:
  SortedRun() = default;
  SortedRun(std::uint64_t* memory, std::uint32_t size) : keys_(memory), head_(1), tail_(1), size_(size) {
    keys_[0] = 0;  // before the first there is always one that is lower, behind the last one that is idle
    keys_[1] = kIdle;
  }

  void add(std::uint64_t key) {
    if (tail_ + 1 == size_) move_to_front();
    std::uint64_t* at = keys_ + tail_++;
    at[1] = kIdle;
    for (; at[-1] > key; at--) *at = at[-1];
    *at = key;
  }
  void pop() { head_++; }
  [[nodiscard]] std::uint64_t first() const { return keys_[head_]; }

  template<class Look>
  void for_each(const Look& look) const {
    for (std::uint32_t i = head_; i != tail_; i++) look(keys_[i]);
  }

 private:
  [[gnu::noinline]] void move_to_front() {
    for (std::uint32_t i = head_; i != tail_; i++) keys_[1 + i - head_] = keys_[i];
    tail_ = 1 + tail_ - head_;
    head_ = 1;
    keys_[0] = 0;
    keys_[tail_] = kIdle;
  }

  std::uint64_t* keys_ = nullptr;
  std::uint32_t head_ = 0, tail_ = 0, size_ = 0;
};

/// The earliest of a fixed number of times, any of which may change: a tree of minima.
class EarliestTree {
 public:
  EarliestTree() = default;
  /// Over `memory` of 2 × leaves keys, all idle at first. REQUIRES: leaves is a power of two.
  EarliestTree(std::uint64_t* memory, std::uint32_t leaves) : keys_(memory), leaves_(leaves) {
    for (std::uint32_t i = 0; i < 2 * leaves; i++) keys_[i] = kIdle;
  }

  /// Over memory that is about to be filled with begin() and find_minima().
  static EarliestTree over(std::uint64_t* memory, std::uint32_t leaves) {
    EarliestTree tree;
    tree.keys_ = memory;
    tree.leaves_ = leaves;
    return tree;
  }
  void begin(std::uint32_t slot, std::uint64_t key) { keys_[leaves_ + slot] = key; }
  void find_minima() {
    for (std::uint32_t i = leaves_ - 1; i > 0; i--)
      keys_[i] = keys_[2 * i] < keys_[2 * i + 1] ? keys_[2 * i] : keys_[2 * i + 1];
  }

  void set(std::uint32_t slot, std::uint64_t key) {
    std::uint64_t* const keys = keys_;
    std::uint32_t i = leaves_ + slot;
    keys[i] = key;
    while (i > 1) {
      const std::uint64_t other = keys[i ^ 1];
      key = key < other ? key : other;
      i >>= 1;
      keys[i] = key;
    }
  }
  [[nodiscard]] std::uint64_t first() const { return keys_[1]; }
  void prefetch() const { __builtin_prefetch(keys_, 1); }

 private:
  std::uint64_t* keys_ = nullptr;
  std::uint32_t leaves_ = 1;
};

/// What a node does next. A port of a switch has one thing to do at a time: it is added when nothing is planned for it. What
/// else there is (watchdogs, and everything at a host) may be planned anew at any time.
struct TimerQueue {
  SortedRun ports;  // of a switch
  EarliestTree others;

  /// Of a node that has only the one or the other, or both.
  template<bool kPorts = true, bool kOthers = true>
  [[nodiscard]] std::uint64_t first() const {
    const std::uint64_t port = kPorts ? ports.first() : kIdle, other = kOthers ? others.first() : kIdle;
    return port < other ? port : other;
  }
  /// What was first is being done now.
  template<bool kPorts = true, bool kOthers = true>
  void take(std::uint64_t key) {
    if (kPorts && (!kOthers || ports.first() == key)) ports.pop();
  }
};

}  // namespace railyard::packet
