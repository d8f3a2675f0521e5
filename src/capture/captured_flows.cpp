#include "capture/captured_flows.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

namespace railyard {

namespace {

constexpr std::uint32_t kSequenceMask = 0xFFFFFF;
constexpr std::uint32_t kWireOverhead = 24;  // FCS, preamble and gap

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = (a ^ b) * 0x9E3779B97F4A7C15ULL;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ULL;
  return x ^ x >> 31;
}

std::uint64_t eight_bytes(const std::uint8_t* at) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}

}  // namespace

std::size_t CapturedFlows::HashKey::operator()(const CapturedFlowKey& key) const {
  std::uint64_t h = mixed(eight_bytes(key.source.data()), eight_bytes(key.source.data() + 8));
  h = mixed(h, eight_bytes(key.destination.data()));
  h = mixed(h, eight_bytes(key.destination.data() + 8));
  return mixed(h, std::uint64_t{key.destination_qp} << 40 ^ std::uint64_t{key.interface} << 16 ^ key.source_port);
}

void CapturedFlows::add(const CapturedFrame& frame, const DissectedFrame& seen) {
  constexpr auto kReadRequest = static_cast<std::uint8_t>(RoceOpcode::read_request);
  if (seen.opcode == static_cast<std::uint8_t>(RoceOpcode::cnp))
    answers_.cnps++;
  else if (carries_data(seen.opcode))
    add_data(frame, seen);
  else if (operation_of(seen.opcode) == static_cast<std::uint8_t>(RoceOpcode::acknowledge))
    add_answer(frame, seen);
  else if (operation_of(seen.opcode) == kReadRequest)
    courses_[flow_of(frame, seen)].after_read = true;
}

std::uint32_t CapturedFlows::flow_of(const CapturedFrame& frame, const DissectedFrame& seen) {
  const CapturedFlowKey key{seen.source, seen.destination, seen.source_port, seen.destination_qp, frame.interface};
  if (!flows_.empty() && key == last_key_) return last_;
  const auto [found, is_new] = index_.try_emplace(key, static_cast<std::uint32_t>(flows_.size()));
  if (is_new) {
    flows_.push_back(
        {.key = key, .first_ns = frame.at_ns, .last_ns = frame.at_ns, .hop_limit = seen.hop_limit, .messages = {}});
    courses_.emplace_back();
    between_[{key.source, key.destination, 0, 0, 0}].push_back(found->second);
  }
  last_key_ = key;
  return last_ = found->second;
}

void CapturedFlows::add_data(const CapturedFrame& frame, const DissectedFrame& seen) {
  const std::uint32_t index = flow_of(frame, seen);
  CapturedFlow& flow = flows_[index];
  Course& course = courses_[index];
  flow.packets++;
  flow.bytes += frame.size + kWireOverhead;
  flow.marked += seen.ecn == EcnBits::ce;
  flow.last_ns = std::max(flow.last_ns, frame.at_ns);
  if (follow(flow, course, seen)) add_to_message(flow, course, frame, seen);
  if (course.sent.empty()) course.sent.resize(kRemembered);
  course.sent[seen.sequence % kRemembered] = {frame.at_ns, seen.sequence, true};
}

/// Numbers go up one by one. Returns whether this one is new.
bool CapturedFlows::follow(CapturedFlow& flow, Course& course, const DissectedFrame& seen) {
  constexpr std::uint32_t kHalf = 1U << 23;
  const std::uint32_t ahead = course.has_begun ? (seen.sequence - course.beyond) & kSequenceMask : 0;
  if (ahead >= kHalf) {
    flow.repeated++;
    return false;
  }
  if (ahead > 0 && !course.after_read) {
    flow.gaps++;
    flow.missing += ahead;
  }
  course.has_begun = true;
  course.after_read = false;
  course.beyond = (seen.sequence + 1) & kSequenceMask;
  return true;
}

/// A write says at its beginning how long it is; of others the packets are added up.
void CapturedFlows::add_to_message(CapturedFlow& flow, Course& course, const CapturedFrame& frame, const DissectedFrame& seen) {
  flow.payload += seen.payload;
  const bool tells_length = has_reth(seen.opcode) && seen.has_extension;
  if (begins_message(seen.opcode) || flow.messages.empty()) {
    flow.messages.push_back({frame.at_ns, tells_length ? seen.reth.length : seen.payload});
    course.knows_length = tells_length;
  } else if (!course.knows_length) {
    flow.messages.back().bytes += seen.payload;
  }
}

void CapturedFlows::add_answer(const CapturedFrame& frame, const DissectedFrame& seen) {
  answers_.flagged_acks += seen.backward_congestion;
  constexpr std::uint8_t kKind = 0x60, kNotReady = 0x20;
  if (!seen.has_extension) return;
  if (seen.aeth.is_ack()) {
    answers_.acks++;
    return time_ack(frame, seen);
  }
  ((seen.aeth.syndrome & kKind) == kNotReady ? answers_.receiver_not_ready : answers_.naks)++;
}

void CapturedFlows::time_ack(const CapturedFrame& frame, const DissectedFrame& seen) {
  const std::optional<std::int64_t> sent = take_sent(seen);
  if (sent && frame.at_ns >= *sent)
    answers_.wait_ns.add(frame.at_ns - *sent);
  else
    answers_.unpaired++;
}

/// When the packet left that an ACK is for: of a flow between the same two, the other way round, that waits for the ACK of this
/// number. Most drivers use one UDP port for both ways, which tells queue pairs apart; where a packet was seen several times,
/// the place nearest to its sender counts. From here on none of its sightings waits.
std::optional<std::int64_t> CapturedFlows::take_sent(const DissectedFrame& ack) {
  const auto found = between_.find({ack.destination, ack.source, 0, 0, 0});
  if (found == between_.end()) return {};
  const auto waits = [&](std::uint32_t index) -> Sent* {
    if (courses_[index].sent.empty()) return nullptr;
    Sent& sent = courses_[index].sent[ack.sequence % kRemembered];
    return sent.waits && sent.sequence == ack.sequence ? &sent : nullptr;
  };
  const CapturedFlow* best = nullptr;
  std::int64_t at_ns = 0;
  for (const std::uint32_t index : found->second) {
    const Sent* const sent = waits(index);
    if (sent == nullptr) continue;
    const auto rank = [&](const CapturedFlow& flow) {
      return std::tuple(flow.key.source_port == ack.source_port, flow.hop_limit);
    };
    if (best != nullptr && rank(flows_[index]) <= rank(*best)) continue;
    best = &flows_[index];
    at_ns = sent->at_ns;
  }
  if (best == nullptr) return {};
  for (const std::uint32_t index : found->second)
    if (flows_[index].key.destination_qp == best->key.destination_qp)
      if (Sent* const sent = waits(index); sent != nullptr) sent->waits = false;
  return at_ns;
}

std::vector<const CapturedFlow*> CapturedFlows::once() const {
  std::map<CapturedFlowKey, const CapturedFlow*> best;
  for (const CapturedFlow& flow : flows_) {
    CapturedFlowKey key = flow.key;
    key.interface = 0;
    const CapturedFlow*& place = best[key];
    if (place == nullptr || flow.packets > place->packets) place = &flow;
  }
  std::vector<const CapturedFlow*> all;
  for (const auto& [key, flow] : best)
    if (flow->packets > 0) all.push_back(flow);
  return all;
}

}  // namespace railyard
