#include "scenario/resolve/resolve_control.h"

#include <fmt/format.h>

#include "base/schema.h"
#include "scenario/resolve/dcqcn_presets.h"
#include "scenario/resolve/dcqcn_settings.h"
#include "scenario/resolve/transport_defaults.h"

namespace railyard {

namespace {

constexpr Picoseconds kRootQueue = 2_us;      // that makes a port the root of congestion, on InfiniBand
constexpr Picoseconds kTimelyLow = 50_us;     // t_low of TIMELY's authors
constexpr Picoseconds kEthernetTrip = 10_us;  // round trip beside what hosts need, for thresholds

class ControlResolver {
 public:
  ControlResolver(const ScenarioSpec& spec, Scenario& out)
      : out_(out), t_(spec.transport), fabric_(out.fabric), plan_(out.packet) {}

  /// What holds senders back.
  void control() {
    plan_.control.kind = out_.transport.control;
    plan_.control.first = t_.first_window;
    plan_.control.target = t_.delay_target;
    const bool timely = plan_.control.kind == CongestionControl::timely;
    if (timely && !t_.delay_target) plan_.control.target = kTimelyLow;
    if (t_.kind != TransportKind::roce || t_.control)
      note("transport.control", std::string(name_of(plan_.control.kind)),
           {Status::assumed,
            t_.kind == TransportKind::infiniband ? "credits alone hold senders back, as is usual" : "the transport's own"});
    if (t_.first_window) note("transport.first_window", format_exact(*t_.first_window), {});
    if (plan_.control.target)
      note("transport.delay_target", format_exact(*plan_.control.target),
           {Status::published, "t_low of TIMELY's authors, for 10 Gb/s; t_high is ten times that"});
    if (plan_.control.kind == CongestionControl::ibcc) ibcc();
  }

  /// DCQCN's parameters, and what switches mark.
  void dcqcn() {
    const DcqcnSpec& spec = t_.dcqcn;
    const DcqcnSet set = dcqcn_set(spec.preset, fabric_.link_rate);
    plan_.dcqcn = set.dcqcn;
    DcqcnPlan& plan = plan_.dcqcn;
    plan.enabled = plan_.control.kind == CongestionControl::dcqcn;
    if (plan.enabled) {
      // The word may be the user's, the values are not.
      out_.inputs.push_back({"transport.dcqcn.preset", std::string(name_of(spec.preset)), set.origin});
      each_dcqcn_setting(spec, plan, [this](auto& out, const auto& given, const char* key) { take(out, given, key); });
    } else if (t_.kind == TransportKind::roce && !t_.dcqcn.enabled) {
      note("transport.dcqcn.enabled", "false", {});
    }
    ecn(set);
  }

 private:
  void note(const std::string& key, std::string value, Origin otherwise) {
    note_input(out_, key, std::move(value), std::move(otherwise));
  }

  template<class Value>
  void take(Value& out, const std::optional<Value>& given, const char* key) {
    if (!given) return;
    out = *given;
    note(std::string("transport.dcqcn.") + key, schema::written(out), {});
  }

  void ibcc() {
    plan_.control.ccti_increase = t_.ibcc.ccti_increase;
    plan_.control.ccti_limit = t_.ibcc.ccti_limit;
    plan_.control.ccti_timer = t_.ibcc.ccti_timer;
    const Origin origin{Status::estimated,
                        "in the range that studies of it use (Gran et al., IPDPS 2010), not checked against one"};
    note("transport.ibcc.ccti_increase", std::to_string(t_.ibcc.ccti_increase), origin);
    note("transport.ibcc.ccti_limit", std::to_string(t_.ibcc.ccti_limit), origin);
    note("transport.ibcc.ccti_timer", format_exact(t_.ibcc.ccti_timer), origin);
  }

  void ecn(const DcqcnSet& set) {
    const EcnSpec& spec = t_.ecn;
    const bool own = plan_.dcqcn.enabled && set.ecn;
    Origin origin =
        own ? Origin{set.origin.status, fmt::format("goes with {}: {}", name_of(t_.dcqcn.preset), set.origin.source)}
            : Origin{Status::published, "SONiC's profile AZURE_LOSSLESS, the default of most of its switches"};
    plan_.ecn = own ? *set.ecn : EcnPlan{.enabled = true, .kmin = 1_MiB, .kmax = 2_MiB, .pmax = 0.05};
    thresholds_of_windows(origin);
    plan_.ecn.read = reads_marks();
    plan_.ecn.enabled = spec.enabled && plan_.ecn.read;
    if (spec.kmin) plan_.ecn.kmin = *spec.kmin;
    if (spec.kmax) plan_.ecn.kmax = *spec.kmax;
    if (spec.pmax) plan_.ecn.pmax = *spec.pmax;
    if (!spec.enabled) return note("transport.ecn.enabled", "false", {});
    if (!plan_.ecn.enabled) return;
    note("transport.ecn.kmin", format_exact(plan_.ecn.kmin), origin);
    note("transport.ecn.kmax", format_exact(plan_.ecn.kmax), origin);
    note("transport.ecn.pmax", fmt::format("{}", plan_.ecn.pmax), origin);
  }

  /// Whether anybody reacts to marks, so that switches of this transport are set to make them.
  [[nodiscard]] bool reads_marks() const {
    switch (plan_.control.kind) {
      case CongestionControl::none:
        return t_.kind == TransportKind::roce;
      case CongestionControl::cubic:
      case CongestionControl::swift:
      case CongestionControl::hpcc:
      case CongestionControl::timely:
      case CongestionControl::rccc:
        return false;
      case CongestionControl::dcqcn:
      case CongestionControl::nscc:
      case CongestionControl::nscc_rccc:
      case CongestionControl::dctcp:
      case CongestionControl::ibcc:
        return true;
    }
    return true;
  }

  /// Where marking begins for controls that are no DCQCN.
  void thresholds_of_windows(Origin& origin) {
    const BitsPerSecond rate = fabric_.link_rate;
    if (rate == BitsPerSecond::zero()) return;
    if (plan_.control.kind == CongestionControl::dctcp) {
      const Bytes k = bytes_in(fabric_.host_latency * 4 + kEthernetTrip, rate) / 7;
      plan_.ecn = {.enabled = true, .kmin = k, .kmax = k, .pmax = 1};
      origin = {Status::published, "RFC 8257: more than a seventh of what is in flight; hosts' latencies and 10 us"};
    } else if (plan_.control.kind == CongestionControl::nscc || plan_.control.kind == CongestionControl::nscc_rccc) {
      const Bytes queue = t_.queue_limit.value_or(bytes_in(kReferenceTrip, rate));
      plan_.ecn = {.enabled = true, .kmin = queue / 5, .kmax = queue * 4 / 5, .pmax = 1};
      origin = {Status::published, "a fifth and four fifths of what a link carries in 12 us, as in htsim's model of UEC"};
    } else if (plan_.control.kind == CongestionControl::ibcc) {
      const Bytes k = bytes_in(kRootQueue, rate);
      plan_.ecn = {.enabled = true, .kmin = k, .kmax = k, .pmax = 1};
      origin = {Status::estimated, "what a link carries in 2 us, a small share of a port's credits: threshold 15 of 15"};
    }
  }

  Scenario& out_;
  const TransportSpec& t_;
  const FabricPlan& fabric_;
  PacketPlan& plan_;
};

}  // namespace

void note_input(Scenario& out, const std::string& key, std::string value, Origin otherwise) {
  Origin origin = out.keys.given(key) ? Origin{Status::given, "scenario"} : std::move(otherwise);
  out.inputs.push_back({key, std::move(value), std::move(origin)});
}

bool has_cnps_on_acks(const ScenarioSpec& spec, const Scenario& out) {
  if (out.transport.control != CongestionControl::dcqcn) return false;
  const DcqcnSpec& dcqcn = spec.transport.dcqcn;
  if (dcqcn.cnp_mode) return *dcqcn.cnp_mode == CnpMode::ack_flag;
  return dcqcn_set(dcqcn.preset, out.fabric.link_rate).dcqcn.cnp_on_ack;
}

void resolve_control(const ScenarioSpec& spec, Scenario& out) { ControlResolver(spec, out).control(); }
void resolve_marks(const ScenarioSpec& spec, Scenario& out) { ControlResolver(spec, out).dcqcn(); }

}  // namespace railyard
