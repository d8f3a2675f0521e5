#include "scenario/resolve/resolve_transport.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity_text.h"
#include "scenario/resolve/dcqcn_presets.h"
#include "scenario/resolve/transport_defaults.h"

namespace railyard {

namespace {

class TransportResolver {
 public:
  TransportResolver(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out)
      : s_(spec), out_(out), plan_(out.fabric), nic_(catalog.nics.find(spec.cluster.nic)) {}

  void run() {
    transport();
    routing();
    choices();
  }

 private:
  void transport() {
    const TransportSpec& t = s_.transport;
    out_.transport = {.kind = t.kind,
                      .mtu = t.mtu,
                      .header = t.packet_overhead(),
                      .message_header = t.message_overhead(),
                      .control = control_of(t),
                      .qp_rate_limit = {},
                      .window = t.window,
                      .strict_priority = t.strict_priority,
                      .nic_split = t.nic_split,
                      .nic = nic_ ? s_.cluster.nic : std::string(),
                      .any_order = nic_ ? nic_->fact.any_order : std::nullopt};
    const BitsPerSecond limit =
        t.dcqcn.rpg_max_rate.value_or(dcqcn_set(t.dcqcn.preset, plan_.link_rate).dcqcn.rpg_max_rate);  // zero is none
    if (out_.transport.control == CongestionControl::dcqcn && limit > BitsPerSecond::zero())
      out_.transport.qp_rate_limit = limit;
  }

  void routing() {
    const RoutingSpec& r = s_.routing;
    out_.routing = {.policy = r.policy,
                    .hash = r.hash,
                    .hash_fields = r.hash_fields,
                    .seeds = r.seeds,
                    .own_hashes = {},
                    .paths = r.paths,
                    .wcmp = r.wcmp,
                    .fixed = r.fixed,
                    .qps_per_connection = s_.transport.qps_per_connection,
                    .qp_use = s_.transport.qp_use,
                    .qp_seed = s_.engine.seed};
    if (s_.fabric.switching == Switching::scheduled) out_.routing.policy = RoutingPolicy::spray;
    if (s_.given("routing.policy") || s_.fabric.switching == Switching::scheduled) return;
    if (s_.transport.kind == TransportKind::infiniband) out_.routing.policy = RoutingPolicy::adaptive;
    if (s_.transport.kind == TransportKind::uec || s_.transport.kind == TransportKind::srd)
      out_.routing.policy = RoutingPolicy::spray;
  }

  void note(const std::string& key, std::string value, Origin origin) {
    out_.inputs.push_back({key, std::move(value), std::move(origin)});
  }

  [[nodiscard]] Origin header_origin() const {
    switch (s_.transport.kind) {
      case TransportKind::roce:
        return {Status::published,
                "RoCEv2 over IPv4: Ethernet, IP, UDP, BTH, iCRC, preamble and gap (InfiniBand annex A17, IEEE 802.3)"};
      case TransportKind::infiniband:
        return {Status::published,
                "InfiniBand inside a subnet: LRH, BTH, ICRC, VCRC (InfiniBand architecture specification, volume 1)"};
      case TransportKind::tcp:
        return {Status::published, "Ethernet, IPv4 and TCP with time stamps (RFC 9293, RFC 7323, IEEE 802.3)"};
      case TransportKind::uec:
        return {Status::estimated, "Ethernet, IPv4, UDP, PDS 12 and SES 44 (Ultra Ethernet 1.0, not read again)"};
      case TransportKind::srd:
        return {Status::assumed, "taken to be as long as RoCE's: SRD's are not published"};
    }
    return {};
  }

  /// Whether more queue pairs of a connection would mean more paths of it.
  [[nodiscard]] bool pairs_choose_paths() const {
    const RoutingPolicy policy = out_.routing.policy;
    const bool hashed = policy == RoutingPolicy::ecmp || policy == RoutingPolicy::enhanced_ecmp;
    const Fidelity fidelity = s_.engine.fidelity;
    return s_.fabric.topology != Topology::star &&
           (fidelity == Fidelity::packet || (fidelity == Fidelity::flow && (hashed || policy == RoutingPolicy::pinned)));
  }

  /// Choices that shape every result and that people rarely write down.
  void choices() {
    const auto choice = [&](const std::string& key, std::string value, Origin otherwise) {
      note(key, std::move(value), s_.given(key) ? Origin{Status::given, "scenario"} : std::move(otherwise));
    };
    std::vector<double> ratios;
    for (const Ratio ratio : s_.fabric.oversubscription) ratios.push_back(ratio.value);
    if (s_.fabric.topology != Topology::star)
      choice("fabric.oversubscription",
             ratios.empty() ? fmt::format("{}", plan_.oversubscription) : fmt::format("{}", fmt::join(ratios, ", ")),
             {Status::assumed, "as much bandwidth up as down"});
    choice("fabric.switching", std::string(name_of(s_.fabric.switching)), {Status::assumed, "usual for switches of this kind"});
    if (s_.fabric.topology != Topology::star)
      choice("routing.policy", std::string(name_of(out_.routing.policy)),
             {Status::assumed, s_.fabric.switching == Switching::scheduled      ? "cells take all paths alike"
                               : s_.transport.kind == TransportKind::infiniband ? "usual on InfiniBand"
                               : s_.transport.kind == TransportKind::uec        ? "what Ultra Ethernet is made for"
                               : s_.transport.kind == TransportKind::srd
                                   ? "SRD sends over many paths at once (Shalev et al., IEEE Micro 2020)"
                                   : "the default of Ethernet switches"});
    if (pairs_choose_paths())
      choice("transport.qps_per_connection", std::to_string(s_.transport.qps_per_connection),
             {Status::assumed, "NCCL's default (NCCL_IB_QPS_PER_CONNECTION)"});
    choice("transport.mtu", format_exact(s_.transport.mtu), {Status::assumed, "the largest RDMA MTU"});
    choice("transport.header", format_exact(s_.transport.packet_overhead()), header_origin());
    if (s_.transport.kind == TransportKind::roce || s_.transport.kind == TransportKind::infiniband)
      choice("transport.message_header", format_exact(s_.transport.message_overhead()),
             s_.transport.header ? Origin{Status::given, "none beside a given header"}
                                 : Origin{Status::published, "RETH of an RDMA WRITE (InfiniBand annex A17)"});
    if (s_.fabric.topology == Topology::star && !plan_.radix)
      note("fabric.radix", std::to_string(plan_.endpoints),
           {Status::assumed, "no switch is named: one with a port for every host"});
  }

  const ScenarioSpec& s_;
  Scenario& out_;
  const FabricPlan& plan_;
  const Entry<NicFact>* nic_;
};

}  // namespace

void resolve_transport(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out) {
  TransportResolver(spec, catalog, out).run();
}

}  // namespace railyard
