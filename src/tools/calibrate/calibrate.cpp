#include "tools/calibrate/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/packets/traffic_results.h"
#include "base/check.h"
#include "base/fingerprint.h"
#include "base/parallel.h"
#include "base/quantity_text.h"
#include "scenario/load.h"
#include "sim/simulate.h"

namespace railyard {

namespace {

// Long enough that beginnings do not count, small enough that all of it takes seconds.
constexpr std::string_view kReference = R"(name = "Reference traffic"
[traffic]
pattern = "permutation"
size = "64 MB"
[cluster]
gpus = 64
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 8
link_rate = "400 Gb/s"
switch_latency = "900 ns"
cable = "20 m"
)";

struct Setting {
  TransportKind kind;
  RoutingPolicy policy;
};

/// Each transport with what it is usually routed by; others take the entry that is most like them (resolve_efficiency.h).
constexpr Setting kSettings[] = {
    {TransportKind::roce, RoutingPolicy::ecmp},  {TransportKind::roce, RoutingPolicy::adaptive},
    {TransportKind::roce, RoutingPolicy::spray}, {TransportKind::infiniband, RoutingPolicy::adaptive},
    {TransportKind::tcp, RoutingPolicy::ecmp},   {TransportKind::uec, RoutingPolicy::spray}};

struct Reference {
  TrafficPattern pattern;
  std::uint32_t seed;
};

/// Who sends to whom, and whose flows meet on a link, is chance: three permutations.
constexpr Reference kTraffic[] = {{TrafficPattern::permutation, 1},
                                  {TrafficPattern::permutation, 2},
                                  {TrafficPattern::permutation, 3},
                                  {TrafficPattern::incast, 1},
                                  {TrafficPattern::ring, 1}};
constexpr std::size_t kReferences = std::size(kTraffic);

/// One reference of one setting, with packets against with flows.
struct Played {
  Diagnostics errors;
  CongestionControl control = CongestionControl::none;
  double share = 0;
  PacketResults packets;
  std::string fingerprints;
};

struct Outcome {
  CongestionControl control;
  TrafficResults results;
  std::string fingerprint;
};

Result<Outcome> play(const Setting& setting, const Reference& reference, Fidelity fidelity, const Catalog& catalog,
                     Progress& progress) {
  std::vector<std::string> overrides = {
      fmt::format("traffic.pattern={}", name_of(reference.pattern)), fmt::format("engine.seed={}", reference.seed),
      fmt::format("engine.fidelity={}", name_of(fidelity)), fmt::format("transport.kind={}", name_of(setting.kind)),
      fmt::format("routing.policy={}", name_of(setting.policy))};
  if (reference.pattern == TrafficPattern::incast) overrides.emplace_back("traffic.fan_in=8");
  if (fidelity == Fidelity::flow) overrides.emplace_back("engine.efficiency=1");
  const auto text = [](const std::filesystem::path&) -> Result<std::string> { return std::string(kReference); };
  const Result<Scenario> scenario = load_scenario("reference.toml", catalog, overrides, text);
  if (!scenario) return scenario.error();
  const Result<Run> run = simulate(*scenario, {.threads = 1}, progress);
  if (!run) return run.error();
  Outcome outcome{scenario->transport.control, analyse_traffic(*scenario, *run), run->fingerprint};
  RY_CHECK(outcome.results.flows.undelivered == 0, "reference traffic arrives");
  return outcome;
}

Played compare(const Setting& setting, const Reference& reference, const Catalog& catalog, Progress& progress) {
  constexpr std::uint64_t kPackets = 50;  // take so much longer than flows
  progress.expect((kPackets + 1) * kPartWork);
  Progress by_packet(progress, kPackets * kPartWork);
  const Result<Outcome> packets = play(setting, reference, Fidelity::packet, catalog, by_packet);
  if (!packets) return {.errors = packets.error(), .packets = {}, .fingerprints = {}};
  Progress by_flow(progress, kPartWork);
  const Result<Outcome> flows = play(setting, reference, Fidelity::flow, catalog, by_flow);
  if (!flows) return {.errors = flows.error(), .packets = {}, .fingerprints = {}};
  return {.errors = {},
          .control = packets->control,
          .share = packets->results.goodput_gbps / flows->results.goodput_gbps,
          .packets = *packets->results.packets,
          .fingerprints = packets->fingerprint + flows->fingerprint};
}

double geometric_mean(std::initializer_list<double> values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

/// "permutation: 12,345 marks, 3 pauses".
std::string what_differs(const Played& worst, TrafficPattern pattern) {
  const PacketResults& p = worst.packets;
  std::string met;
  const auto add = [&](std::uint64_t count, const char* what) {
    if (count > 0) met += fmt::format("{}{} {}", met.empty() ? "" : ", ", format_count(count), what);
  };
  add(p.marked, "marks");
  if (p.by_credits)
    add(p.credit_stalls, "waits for credits");
  else
    add(p.pauses, "pauses");
  add(p.trimmed, "packets trimmed");
  add(p.drops, "drops");
  add(p.retransmissions, "sent again");
  return fmt::format("{}: {}", name_of(pattern), met.empty() ? "queues alone" : met);
}

Calibrated summed_up(const Setting& setting, std::span<const Played> played) {
  Calibrated row{
      .kind = setting.kind, .policy = setting.policy, .control = played[0].control, .differs = {}, .fingerprint = {}};
  row.permutation = geometric_mean({played[0].share, played[1].share, played[2].share});
  row.incast = played[3].share;
  row.ring = played[4].share;
  row.efficiency = std::min(1.0, geometric_mean({row.permutation, row.incast, row.ring}));
  const auto worst = std::min_element(played.begin(), played.end(), [](auto& a, auto& b) { return a.share < b.share; });
  row.differs = what_differs(*worst, kTraffic[static_cast<std::size_t>(worst - played.begin())].pattern);
  Fingerprint all;
  for (const Played& one : played)
    for (const char letter : one.fingerprints) all.add(static_cast<std::uint64_t>(letter));
  row.fingerprint = all.text();
  return row;
}

}  // namespace

Result<std::vector<Calibrated>> calibrate(const CalibrateRequest& request, const Catalog& catalog, Progress& progress) {
  std::vector<Setting> settings;
  for (const Setting& setting : kSettings)
    if (!request.kind || *request.kind == setting.kind) settings.push_back(setting);
  std::vector<Played> played(settings.size() * kReferences);
  progress.expect(played.size() * kPartWork);
  for_each_index(played.size(), request.threads, [&](std::size_t i) {
    const Setting& setting = settings[i / kReferences];
    Progress part(progress, kPartWork,
                  fmt::format("{} with {}: {}", name_of(setting.kind), name_of(setting.policy),
                              name_of(kTraffic[i % kReferences].pattern)));
    played[i] = compare(setting, kTraffic[i % kReferences], catalog, part);
  });
  std::vector<Calibrated> rows;
  for (const Played& one : played)
    if (!one.errors.empty()) return one.errors;
  for (std::size_t i = 0; i < settings.size(); i++)
    rows.push_back(summed_up(settings[i], std::span(played).subspan(i * kReferences, kReferences)));
  return rows;
}

}  // namespace railyard
