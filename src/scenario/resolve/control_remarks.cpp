#include "scenario/resolve/control_remarks.h"

#include <fmt/format.h>

#include "base/quantity_text.h"
#include "scenario/resolve/dcqcn_presets.h"

namespace railyard {

namespace {

constexpr Bytes kMostInField = 32767_B;  // of 15 bits, as adapters have them for rpg_byte_reset

class Remarks {
 public:
  Remarks(const ScenarioSpec& spec, const Scenario& out) : s_(spec), out_(out), plan_(out.packet) {}

  Diagnostics run() {
    if (plan_.dcqcn.enabled) byte_counter(), increases();
    if (plan_.control.kind == CongestionControl::ibcc) constants();
    mtu();
    return std::move(found_);
  }

 private:
  void add(Severity severity, const char* code, std::string message, std::string hint, const std::string& key) {
    found_.push_back({severity, code, std::move(message), std::move(hint), s_.where(key)});
  }

  void byte_counter() {
    const std::optional<Bytes>& given = s_.transport.dcqcn.rpg_byte_reset;
    if (!given || *given == Bytes::zero() || *given > kMostInField) return;
    add(Severity::warning, "RY-SCN-132",
        fmt::format("rpg_byte_reset = {} raises rates every {} packets: adapters have this number, most likely in kB",
                    format(*given), (given->count() + s_.transport.mtu.count() - 1) / s_.transport.mtu.count()),
        fmt::format("write \"{} kB\", or 0 for no byte counter", given->count()), "transport.dcqcn.rpg_byte_reset");
  }

  void increases() {
    const DcqcnSpec& spec = s_.transport.dcqcn;
    const BitsPerSecond rate = out_.fabric.link_rate;
    if (spec.preset != DcqcnPreset::paper || spec.rpg_ai_rate || rate <= kPaperRate) return;
    add(Severity::warning, "RY-SCN-133",
        fmt::format("preset \"paper\" raises rates by {} at a time, chosen for links of {}; these have {}",
                    format(plan_.dcqcn.rpg_ai_rate), format(kPaperRate), format(rate)),
        "use preset = \"paper-scaled\", or give rpg_ai_rate and rpg_hai_rate", "transport.dcqcn.preset");
  }

  void constants() {
    std::string names;
    for (const char* key : {"transport.ibcc.ccti_increase", "transport.ibcc.ccti_limit", "transport.ibcc.ccti_timer",
                            "transport.ecn.kmin", "transport.ecn.kmax"})
      if (!s_.given(key)) names += (names.empty() ? "" : ", ") + std::string(key).substr(std::string("transport.").size());
    if (names.empty()) return;
    add(Severity::note, "RY-SCN-134",
        fmt::format("InfiniBand's congestion control rests on estimates that no measurement here supports: {}, and delays "
                    "that grow in a straight line",
                    names),
        "give what the subnet manager has, or compare controls and not times", "transport.control");
  }

  void mtu() {
    const TransportSpec& t = s_.transport;
    const bool rdma = t.kind == TransportKind::roce || t.kind == TransportKind::infiniband;
    if (!rdma || (t.mtu.count() & (t.mtu.count() - 1)) == 0) return;
    add(Severity::warning, "RY-SCN-135", fmt::format("mtu = {}: simulators have it, RDMA adapters do not", t.mtu.count()),
        "use 256, 512, 1024, 2048 or 4096 for an adapter", "transport.mtu");
  }

  const ScenarioSpec& s_;
  const Scenario& out_;
  const PacketPlan& plan_;
  Diagnostics found_;
};

}  // namespace

Diagnostics control_remarks(const ScenarioSpec& spec, const Scenario& out) { return Remarks(spec, out).run(); }

}  // namespace railyard
