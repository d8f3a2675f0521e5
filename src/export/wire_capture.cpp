#include "export/wire_capture.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/tier_loads.h"

namespace railyard {

namespace {

// What people configure where a scenario says nothing: DSCP 26 for data and 48 for CNPs, as NVIDIA's tools do.
constexpr std::array<std::uint8_t, kClasses> kUsualDscp = {48, 26, 0, 8};

std::vector<CaptureInterface> interfaces_of(const Fabric& fabric, std::span<const PortId> ports) {
  const Table<PortId, std::string> names = port_names(fabric);
  std::vector<CaptureInterface> interfaces;
  for (const PortId port : ports) interfaces.push_back({names[port], fabric.trunk_port_rate[fabric.port_trunk[port]]});
  return interfaces;
}

/// Locally administered, and numbered as nodes are.
MacAddress mac_of(NodeId node) {
  const std::uint32_t n = node.index();
  return {0x02,
          0x52,
          static_cast<std::uint8_t>(n >> 24),
          static_cast<std::uint8_t>(n >> 16),
          static_cast<std::uint8_t>(n >> 8),
          static_cast<std::uint8_t>(n)};
}

/// First, middle, last or only: sends and writes have them in the same order, six apart, with two more for immediate data.
RoceOpcode data_opcode(bool writes, bool is_first, bool is_last) {
  if (writes) {
    if (is_first) return is_last ? RoceOpcode::write_only : RoceOpcode::write_first;
    return is_last ? RoceOpcode::write_last : RoceOpcode::write_middle;
  }
  if (is_first) return is_last ? RoceOpcode::send_only : RoceOpcode::send_first;
  return is_last ? RoceOpcode::send_last : RoceOpcode::send_middle;
}

}  // namespace

Diagnostics not_captured(const Scenario& scenario) {
  const auto refuse = [](std::string what, std::string hint) {
    return Diagnostics{{Severity::error, "RY-CAP-021", "--pcap " + std::move(what), std::move(hint)}};
  };
  const WorkloadPlan& work = scenario.workload;
  if (!work.traffic && !work.collective)
    return refuse(fmt::format("captures traffic and collectives; this is {}", work.trace ? "a trace" : "a training step"),
                  "take a scenario with [traffic] or [collective]");
  if (scenario.engine.fidelity != Fidelity::packet) return refuse("needs packets", "--set engine.fidelity=packet");
  if (scenario.packet.device != EngineDevice::cpu && scenario.packet.device != EngineDevice::automatic)
    return refuse("sees no frames on a GPU", "--set engine.device=cpu");
  if (scenario.transport.kind != TransportKind::roce)
    return refuse("writes frames of RoCEv2 and no other transport's yet", "--set transport.kind=roce");
  if (scenario.packet.control.has_window() || scenario.packet.nic.admission != 0 ||
      scenario.packet.credits.room > Bytes::zero())
    return refuse("has no frames for windows, admission or credits: RoCEv2 has no headers for them",
                  "--set transport.control=dcqcn");
  if (work.library) return refuse("needs a run without a library", "--set collective.library=none");
  if (work.collective && work.collective->sizes.size() > 1)
    return refuse("captures one size", "give collective.sizes one value");
  if (work.collective && work.collective->algorithm == CollectiveAlgorithm::in_network)
    return refuse("has no frames for switches that compute", "--set collective.algorithm=ring");
  if (scenario.fabric.switching == Switching::scheduled)
    return refuse("has no frames for cells of a scheduled fabric", "--set fabric.switching=store-and-forward");
  if (scenario.fabric.circuits == Circuits::demand)
    return refuse("cannot name ports of circuits that follow demand", "--set fabric.circuits=uniform");
  return {};
}

WireCapture::WireCapture(const Fabric& fabric, const Scenario& scenario, std::span<const PortId> ports, std::uint32_t most,
                         PcapngWriter::Write write, bool packed)
    : fabric_(fabric),
      interface_of_(fabric.port_from.size(), kNoInterface),
      has_tag_(scenario.transport.header == kRoceHeader + Bytes(kVlanBytes)),
      writes_(scenario.transport.message_header > Bytes::zero()),
      most_(most),
      writer_(interfaces_of(fabric, ports), most, std::move(write), packed) {
  for (std::uint32_t i = 0; i < ports.size(); i++) interface_of_[ports[i]] = i;
  for (std::size_t c = 0; c < kClasses; c++) {
    dscp_[c] = scenario.packet.qos.marks[c].value_or(kUsualDscp[c]);
    priority_[c] = scenario.packet.classes[c].priority;
  }
}

void WireCapture::saw(std::span<const Sighting> frames) {
  for (const Sighting& seen : frames)
    if (seen.kind == SightingKind::pause || seen.kind == SightingKind::resume)
      add_pause(seen);
    else
      add(seen);
}

void WireCapture::add_pause(const Sighting& seen) {
  PauseFrame pause{.from = mac_of(fabric_.port_from[seen.port]),
                   .priorities = static_cast<std::uint8_t>(1U << seen.traffic_class)};
  pause.quanta[seen.traffic_class] = seen.kind == SightingKind::pause ? 0xFFFF : 0;
  encode(pause, bytes_);
  const auto size = static_cast<std::uint32_t>(bytes_.size());
  writer_.add(interface_of_[seen.port], seen.at, size, std::span(bytes_).first(std::min(size, most_)));
}

void WireCapture::add(const Sighting& seen) {
  Flow& flow = flows_[seen.flow];
  set_network(seen, flow);
  if (seen.kind == SightingKind::data)
    set_data(seen, flow);
  else
    set_answer(seen, flow);
  encode(frame_, most_, parts_);
  const std::span<const std::uint8_t> crc = parts_.crc;
  writer_.add(interface_of_[seen.port], seen.at, size_of(frame_), std::span(parts_.bytes).first(parts_.headers), parts_.zeros,
              crc.first(parts_.is_whole ? crc.size() : 0));
}

/// Addresses and marks. Switches route, so that MAC addresses are those of a link's ends and every switch takes one off.
void WireCapture::set_network(const Sighting& seen, const Flow& flow) {
  constexpr std::uint32_t kHopLimit = 64;
  const bool is_data = seen.kind == SightingKind::data;
  frame_.from = mac_of(fabric_.port_from[seen.port]);
  frame_.to = mac_of(fabric_.port_to[seen.port]);
  if (has_tag_) frame_.vlan = static_cast<std::uint16_t>(priority_[seen.traffic_class] << 13);
  frame_.source = is_data ? flow.header.source : flow.header.destination;
  frame_.destination = is_data ? flow.header.destination : flow.header.source;
  frame_.source_port = flow.header.source_port;  // the same both ways
  frame_.destination_qp = is_data ? flow.header.destination_qp : flow.header.source_qp;
  frame_.dscp = dscp_[seen.traffic_class];
  frame_.ecn = is_data && seen.marked ? EcnBits::ce : EcnBits::ect0;
  frame_.hop_limit = static_cast<std::uint8_t>(kHopLimit - std::min<std::uint32_t>(seen.hops, kHopLimit - 1));
}

void WireCapture::set_data(const Sighting& seen, Flow& flow) {
  const std::size_t index = message_with(flow, seen.number);
  const TappedMessage& message = flow.messages[index];
  const std::uint32_t place = seen.number - message.first;
  const bool is_last = place + 1 == message.packets;
  const std::uint64_t length = std::uint64_t{message.payload} * (message.packets - 1) + message.last_payload;
  frame_.opcode = data_opcode(writes_, place == 0, is_last);
  frame_.sequence = seen.number;
  frame_.asks_for_ack = seen.asks;
  frame_.backward_congestion = false;
  frame_.payload = is_last ? message.last_payload : message.payload;
  frame_.reth = {.address = std::uint64_t{message.first} * message.payload,
                 .key = flow.header.destination_qp,
                 .length = static_cast<std::uint32_t>(length)};
}

/// An ACK names the last packet that is in order, a NAK the one that is missing. A CNP is for a queue pair, not for a packet.
void WireCapture::set_answer(const Sighting& seen, Flow& flow) {
  const bool is_cnp = seen.kind == SightingKind::cnp, is_nak = seen.kind == SightingKind::nak;
  frame_.opcode = is_cnp ? RoceOpcode::cnp : RoceOpcode::acknowledge;
  frame_.sequence = is_cnp ? 0 : is_nak ? seen.number : seen.number - 1;
  frame_.asks_for_ack = false;
  frame_.backward_congestion = is_cnp || seen.marked;
  frame_.payload = is_cnp ? static_cast<std::uint32_t>(kCnpPayload) : 0;
  frame_.aeth = {.syndrome = is_nak ? kNakSequence : kAckSyndrome,
                 .messages = is_cnp ? 0 : static_cast<std::uint32_t>(message_with(flow, seen.number))};
}

/// The message that a packet belongs to; as many as there are for the one after the last.
std::size_t WireCapture::message_with(Flow& flow, std::uint32_t number) {
  const auto is_in = [&](std::size_t i) {
    return i < flow.messages.size() && number - flow.messages[i].first < flow.messages[i].packets;
  };
  if (is_in(flow.last)) return flow.last;
  if (is_in(flow.last + 1)) return ++flow.last;
  const auto after = std::upper_bound(flow.messages.begin(), flow.messages.end(), number,
                                      [](std::uint32_t n, const TappedMessage& m) { return n < m.first; });
  const auto index = static_cast<std::size_t>(after - flow.messages.begin());
  if (index == 0) return 0;
  if (!is_in(index - 1)) return index;
  return flow.last = index - 1;
}

}  // namespace railyard
