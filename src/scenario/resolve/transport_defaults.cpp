#include "scenario/resolve/transport_defaults.h"

namespace railyard {

namespace {

const TransportDefaults kRoce{.control = CongestionControl::dcqcn,
                              .ack_every = 16,
                              .ack = 86_B,
                              .ack_class = AckClass::data,
                              .retries = 7,
                              .timeout = Picoseconds(67'108'864'000),
                              .pfc = true,
                              .credits = false,
                              .trims = false,
                              .any_order = false,
                              .acks = {Status::assumed, "ACKs are coalesced by NICs, how far is not published"},
                              .loss = {Status::assumed, "4.096 us x 2^14, usual for verbs"},
                              .bytes = {Status::published, "RoCEv2 headers and AETH 4 (InfiniBand annex A17)"}};

const TransportDefaults kInfiniband{
    .control = CongestionControl::none,
    .ack_every = 16,
    .ack = 30_B,
    .ack_class = AckClass::data,
    .retries = 7,
    .timeout = Picoseconds(67'108'864'000),
    .pfc = false,
    .credits = true,
    .trims = false,
    .any_order = false,
    .acks = {Status::assumed, "ACKs are coalesced by NICs, how far is not published"},
    .loss = {Status::assumed, "4.096 us x 2^14, usual for verbs"},
    .bytes = {Status::published, "LRH, BTH, ICRC, VCRC and AETH 4 (InfiniBand architecture specification, volume 1)"}};

const TransportDefaults kTcp{.control = CongestionControl::dctcp,
                             .ack_every = 2,
                             .ack = kTcpHeader,
                             .ack_class = AckClass::data,
                             .retries = 15,
                             .timeout = Picoseconds(200'000'000'000),
                             .pfc = false,
                             .credits = false,
                             .trims = false,
                             .any_order = false,
                             .acks = {Status::published, "delayed ACKs: every other packet (RFC 9293)"},
                             .loss = {Status::published, "Linux: TCP_RTO_MIN 200 ms, tcp_retries2 15"},
                             .bytes = {Status::published, "TCP with time stamps over IPv4 (RFC 9293, RFC 7323)"}};

const TransportDefaults kUec{.control = CongestionControl::nscc,
                             .ack_every = 4,
                             .ack = 98_B,
                             .ack_class = AckClass::control,
                             .retries = 7,
                             .timeout = 1000_us,
                             .pfc = false,
                             .credits = false,
                             .trims = true,
                             .any_order = true,
                             .acks = {Status::published, "16 KiB per ACK, as in htsim's model of UEC"},
                             .loss = {Status::assumed, "far above any queue where switches trim"},
                             .bytes = {Status::estimated, "Ethernet, IP, UDP and 32 bytes of PDS and SACK"}};

/// Of flows alone: how SRD paces and acknowledges is not published.
const TransportDefaults kSrd{.control = CongestionControl::none,
                             .ack_every = 1,
                             .ack = 86_B,
                             .ack_class = AckClass::data,
                             .retries = 7,
                             .timeout = 1000_us,
                             .pfc = false,
                             .credits = false,
                             .trims = false,
                             .any_order = true,
                             .acks = {Status::assumed, "not published"},
                             .loss = {Status::assumed, "not published"},
                             .bytes = {Status::assumed, "not published"}};

}  // namespace

const TransportDefaults& transport_defaults(TransportKind kind) {
  switch (kind) {
    case TransportKind::roce:
      return kRoce;
    case TransportKind::infiniband:
      return kInfiniband;
    case TransportKind::tcp:
      return kTcp;
    case TransportKind::uec:
      return kUec;
    case TransportKind::srd:
      return kSrd;
  }
  return kRoce;
}

CongestionControl control_of(const TransportSpec& transport) {
  if (transport.control) return *transport.control;
  const CongestionControl own = transport_defaults(transport.kind).control;
  return own == CongestionControl::dcqcn && !transport.dcqcn.enabled ? CongestionControl::none : own;
}

}  // namespace railyard
