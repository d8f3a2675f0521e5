#include "engine/analytic/sole_spans.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace railyard {

void SoleSpans::find_span() {
  if (paths_of_span_ == lines_.paths_.size()) return;
  paths_of_span_ = lines_.paths_.size();
  span_ = DeliveryRun::kLongest;
  for (std::uint32_t path = 0; path < lines_.paths_.size(); path++) span_ = std::min(span_, lines_.paths_.least_latency(path));
}

bool SoleSpans::open(Picoseconds from) {
  until_ = kNotOpen;
  if (!ends_.take_before(from + span_)) {
    for (const GroupEnd& end : ends_.taken()) ends_.set(end.group, end.at);
    return false;
  }
  until_ = from + span_;
  far_from_ = until_ + span_ * kNear;
  deliveries_.begin(from, until_);
  return true;
}

std::int64_t SoleSpans::play(StartQueue& starts, std::size_t known, Picoseconds until) {
  more_ = 0;
  deal(starts, known, until);
  rows_ = {lines_.flights_.data(), lines_.lines_.data(), &*lines_.connections_.begin()};
  for (const GroupEnd& end : ends_.taken()) play_group(end.group, end.at, until);
  for (const std::uint32_t group : started_)
    if (starting_[group].first != kNoMessage) play_group(group, ends_.at(group), until);
  started_.clear();
  return more_;
}

/// Messages that start go to their groups.
void SoleSpans::deal(StartQueue& starts, std::size_t known, Picoseconds until) {
  for (; known > 0 && starts.front().at < until; known--, starts.pop_front()) {
    const MessageStart& start = starts.front();
    const std::uint32_t flight = lines_.take(start);
    const std::uint32_t group = shares_.group_of(start.message.qp.index());
    Starting& starting = starting_[group];
    if (starting.first == kNoMessage) {
      starting.first = flight;
      started_.push_back(group);
    } else {
      lines_.flights_[starting.last].next = flight;
    }
    starting.last = flight;
  }
}

/// REQUIRES: the flight is the first of its line.
inline void SoleSpans::enter(std::uint32_t flight, EqualShares::Alone& group) {
  const Message& message = rows_.flights[flight].message;
  if (message.size != payload_) {
    payload_ = message.size;
    on_wire_ = lines_.wire_size(payload_, 1);
    volume_ = volume_of(on_wire_);
  }
  counters_.count(message.qp.index(), on_wire_);
  group.put(flight, volume_);
}

/// False if its line is busy.
inline bool SoleSpans::begin(std::uint32_t flight, EqualShares::Alone& group, Picoseconds now) {
  AnalyticMessage& message = rows_.flights[flight];
  message.next = kNoMessage;
  SendLine& line = rows_.lines[message.message.qp.index()];
  const bool idle = line.head == kNoMessage;
  (idle ? line.head : rows_.flights[line.tail].next) = flight;
  line.tail = flight;
  if (!idle) return false;
  more_++;
  group.advance(now);
  enter(flight, group);
  return true;
}

/// The last byte has left; the line's next message sets out.
inline void SoleSpans::end(std::uint32_t flight, EqualShares::Alone& group, Picoseconds now) {
  const AnalyticMessage& message = rows_.flights[flight];
  const std::uint32_t path = message.message.qp.index();
  Picoseconds& delivery = rows_.connections[path].last_delivery;
  delivery = std::max(delivery, now + lines_.paths_.latency(path, message.message.size));
  RY_CHECK(delivery >= until_, "a message takes as long as the span is");
  if (delivery < far_from_)
    deliveries_.add(delivery, flight);
  else
    far_.add(delivery, flight);
  rows_.lines[path].head = message.next;
  if (message.next == kNoMessage)
    more_--;
  else
    enter(message.next, group);
}

void SoleSpans::play_group(std::uint32_t number, Picoseconds end_at, Picoseconds until) {
  EqualShares::Alone group(shares_, number);
  std::uint32_t start = std::exchange(starting_[number].first, kNoMessage);
  for (;;) {
    const Picoseconds start_at = start == kNoMessage ? kNever : rows_.flights[start].posted;
    const Picoseconds now = std::min(end_at, start_at);
    if (now >= until) break;
    if (end_at == now) {
      group.advance(now);
      through_.clear();
      while (group.is_through()) through_.push_back(group.take());
      for (const std::uint32_t flight : through_) end(flight, group, now);
    } else {
      const std::uint32_t flight = std::exchange(start, rows_.flights[start].next);
      if (!begin(flight, group, now)) continue;
    }
    end_at = group.end(now);
  }
  ends_.set(number, end_at);
}

}  // namespace railyard
