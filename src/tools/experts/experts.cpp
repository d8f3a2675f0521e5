#include "tools/experts/experts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "fabric/build.h"
#include "scenario/effects.h"
#include "sim/collective/group.h"
#include "sim/collective/network_rates.h"
#include "sim/prepare.h"
#include "sim/simulate.h"
#include "sim/supported.h"

namespace railyard {

namespace {

using Nodes = std::vector<std::vector<EndpointId>>;

// The settings of DeepEP's tests, which are those of DeepSeek-V3.
constexpr std::uint32_t kHidden = 7168, kExperts = 256, kTopK = 8, kNodeLimit = 4;
constexpr std::uint32_t kTokens = 4096, kTokensDecoding = 128;
constexpr std::uint32_t kUsualRanks[] = {8, 16, 32, 64, 128, 256};
constexpr std::size_t kUsualNormal = 4;  // of them; the others are published for decoding alone

/// Machines and network of a scenario under the traffic that measures them, so that what holds for collectives holds here.
Scenario probed(const Scenario& scenario, std::uint32_t ranks) {
  Scenario machines = scenario;
  machines.workload.model.reset();
  machines.workload.traffic.reset();
  machines.workload.trace.reset();
  machines.workload.collective = CollectiveSpec{};
  machines.workload.collective->kind = CollectiveKind::all_to_all;
  machines.workload.collective->sizes = {256_MiB};
  machines.workload.collective->group = ranks;
  std::erase_if(machines.keys.by_path, [](const auto& key) {  // what is said of another workload
    const std::string_view section = std::string_view(key.first).substr(0, key.first.find('.'));
    return section != "cluster" && section != "fabric" && section != "transport" && section != "routing" && section != "engine";
  });
  machines.warnings = keys_without_effect(machines);
  return machines;
}

Diagnostic refused(const char* code, std::string what, std::string hint, SourceSpan where = {}) {
  return {Severity::error, code, std::move(what), std::move(hint), std::move(where)};
}

/// What would do instead, in whole nodes.
std::string dealt_hint(std::uint32_t experts, std::uint32_t ranks, std::uint32_t per_node) {
  std::string hint = fmt::format("use {} experts", std::max(1U, experts / ranks) * ranks);
  for (std::uint32_t fewer = ranks - per_node; fewer >= per_node && fewer < ranks; fewer -= per_node)
    if (fewer > 1 && experts % fewer == 0) return fmt::format("{} or {} ranks", hint, fewer);
  return hint;
}

std::uint32_t nodes_within_reach(const ExpertsSetting& setting, std::uint32_t nodes) {
  return setting.node_limit == 0 ? nodes : std::min(nodes, setting.node_limit);
}

std::optional<Diagnostic> undealt(const ExpertsSetting& setting, std::uint32_t ranks, std::uint32_t nodes) {
  if (setting.experts % ranks != 0)
    return refused("RY-RUN-017", fmt::format("{} experts do not divide evenly over {} ranks", setting.experts, ranks),
                   dealt_hint(setting.experts, ranks, ranks / nodes));
  const std::uint32_t near = nodes_within_reach(setting, nodes), within = setting.experts / nodes * near;
  if (setting.top_k <= within) return std::nullopt;
  const std::string where = near < nodes ? fmt::format(" on the {} of {} nodes that it may go to", near, nodes) : "";
  return refused("RY-RUN-017", fmt::format("a token cannot choose {} of {} experts{}", setting.top_k, within, where),
                 fmt::format("use --top-k {} or less, or more experts", within));
}

struct Seated {
  Placement placement;
  Nodes nodes;  // all of one size
};

Result<Seated> seated(const Scenario& scenario, const Fabric& fabric, std::uint32_t ranks) {
  if (ranks < 2)
    return refused("RY-RUN-016", fmt::format("an exchange needs at least two ranks, not {}", ranks), "use more ranks");
  if (ranks > fabric.endpoints())
    return refused("RY-RUN-016", fmt::format("{} ranks are more than the {} GPUs of the cluster", ranks, fabric.endpoints()),
                   "use fewer ranks, or more GPUs with --set cluster.gpus=…", scenario.keys.where("cluster.gpus"));
  Result<Placement> placement = place(scenario.placement, ranks, fabric, scenario.keys);
  if (!placement) return placement.error();
  Nodes nodes = nodes_of(fabric, *placement);
  const auto [least, most] =
      std::minmax_element(nodes.begin(), nodes.end(), [](auto& a, auto& b) { return a.size() < b.size(); });
  if (least->size() == most->size()) return Seated{std::move(*placement), std::move(nodes)};
  return refused("RY-RUN-016",
                 fmt::format("{} ranks do not fill whole nodes of {} GPUs: one would hold {}, another {}", ranks,
                             fabric.scale_up.domain, most->size(), least->size()),
                 fmt::format("use a multiple of {}, or at most as many", fabric.scale_up.domain),
                 scenario.keys.where("cluster.gpus"));
}

ExpertExchange exchange_of(const ExpertsSetting& setting, const Nodes& nodes, double link, double nic) {
  ExpertExchange exchange;
  const auto count = static_cast<std::uint32_t>(nodes.size());
  exchange.per_node = static_cast<std::uint32_t>(nodes.front().size());
  exchange.ranks = exchange.per_node * count;
  exchange.tokens = setting.tokens;
  exchange.hidden = setting.hidden;
  exchange.top_k = setting.top_k;
  exchange.fp8_dispatch = setting.fp8_dispatch;
  const std::uint32_t near = nodes_within_reach(setting, count);
  exchange.nodes_visited = distinct(setting.experts / count * near, near, setting.top_k);
  exchange.ranks_visited = distinct(setting.experts / count * near, near * exchange.per_node, setting.top_k);
  exchange.link = link * setting.kernels.usable_link_share;
  exchange.kernels = setting.kernels;
  exchange.nic = count > 1 ? nic : 1;  // on one node nothing goes there
  return exchange;
}

class Exchange {
 public:
  Exchange(const Scenario& scenario, const ExpertsSetting& setting, const Fabric& fabric)
      : scenario_(scenario),
        setting_(setting),
        fabric_(fabric),
        link_(static_cast<double>(scenario.fabric.scale_up.rate.count()) / 8),
        wire_(wire_format(scenario.transport)),
        routing_(path_policy_of(scenario.routing)) {}

  [[nodiscard]] Result<ExpertsPoint> over(std::uint32_t ranks) const {
    const Result<Seated> group = seated(scenario_, fabric_, ranks);
    if (!group) return group.error();
    const auto count = static_cast<std::uint32_t>(group->nodes.size());
    if (const auto mistake = undealt(setting_, ranks, count)) return *mistake;
    const Scenario probe = probed(scenario_, ranks);
    if (Diagnostics slow = too_long(probe, fabric_); !slow.empty()) return slow;
    ExpertsPoint point{.ranks = ranks, .nodes = count, .nic = nic_rate(probe, *group), .dispatch = {}, .combine = {}};
    const ExpertExchange exchange = exchange_of(setting_, group->nodes, link_, point.nic);
    const auto estimate = setting_.low_latency ? low_latency_exchange : normal_exchange;
    point.dispatch = estimate(ExchangePhase::dispatch, exchange);
    point.combine = estimate(ExchangePhase::combine, exchange);
    return point;
  }

  /// The usual sizes, as far as this cluster and these experts have them; why not the first, if none.
  [[nodiscard]] Result<std::vector<ExpertsPoint>> over_usual() const {
    std::vector<ExpertsPoint> points;
    Diagnostics first;
    for (const std::uint32_t ranks :
         std::span(kUsualRanks).first(setting_.low_latency ? std::size(kUsualRanks) : kUsualNormal)) {
      Result<ExpertsPoint> point = over(ranks);
      if (point)
        points.push_back(std::move(*point));
      else if (first.empty())
        first = point.error();
    }
    if (points.empty()) return first;
    return points;
  }

  [[nodiscard]] Result<std::vector<ExpertsPoint>> over_all(const std::vector<std::uint32_t>& sizes) const {
    std::vector<ExpertsPoint> points;
    Diagnostics mistakes;
    for (const std::uint32_t ranks : sizes) {
      Result<ExpertsPoint> point = over(ranks);
      if (point)
        points.push_back(std::move(*point));
      else
        mistakes.insert(mistakes.end(), point.error().begin(), point.error().end());
    }
    if (!mistakes.empty()) return mistakes;
    return points;
  }

  [[nodiscard]] double link() const { return link_; }

 private:
  /// Of one GPU when all nodes of the group send to all others; 0 for one node.
  [[nodiscard]] double nic_rate(const Scenario& probe, const Seated& group) const {
    if (group.nodes.size() < 2) return 0;
    std::optional<Fabric> matched;
    if (follow_demand(probe.fabric.circuits)) match_to_demand(probe, group.placement, matched.emplace(fabric_));
    // Normal kernels change GPU inside the node, those for decoding send straight to the GPU that has the expert.
    const NetPattern pattern = setting_.low_latency ? NetPattern::all_pairs : NetPattern::all_to_all;
    const double of_node = rate_of({matched ? *matched : fabric_, wire_, routing_}, pattern, group.nodes);
    return of_node / static_cast<double>(group.nodes.front().size());
  }

  const Scenario& scenario_;
  const ExpertsSetting& setting_;
  const Fabric& fabric_;
  double link_;
  WireFormat wire_;
  PathPolicy routing_;
};

}  // namespace

ExpertsSetting resolve(const ExpertsRequest& request, const Scenario& scenario) {
  ExpertsSetting usual{
      .hidden = kHidden, .experts = kExperts, .top_k = kTopK, .node_limit = kNodeLimit, .model = "DeepSeek-V3"};
  const bool has_experts = scenario.workload.model && scenario.workload.model->experts > 0;
  if (has_experts) {
    const ModelPlan& model = *scenario.workload.model;
    usual = {.hidden = model.hidden,
             .experts = model.experts,
             .top_k = model.experts_per_token,
             .node_limit = model.expert_group_limit < model.expert_groups ? model.expert_group_limit : 0,
             .model = model.preset.empty() ? "the scenario's model" : model.preset};
  }
  return {.tokens = request.tokens.value_or(request.low_latency ? kTokensDecoding : kTokens),
          .hidden = request.hidden.value_or(usual.hidden),
          .experts = request.experts.value_or(usual.experts),
          .top_k = request.top_k.value_or(usual.top_k),
          .node_limit = request.low_latency ? 0 : request.node_limit.value_or(usual.node_limit),
          .low_latency = request.low_latency,
          .fp8_dispatch = !request.bf16_dispatch,
          .model = usual.model};
}

Result<ExpertsTable> exchange_experts(const ExpertsRequest& request, const Scenario& scenario, const Catalog& catalog) {
  ExpertsTable table{.name = scenario.name, .setting = resolve(request, scenario), .points = {}, .diagnostics = {}};
  const Entry<ExchangeFact>* const kernels = catalog.exchanges.find("DeepEP");
  RY_CHECK(kernels, "the catalog knows the kernels of DeepEP");
  table.setting.kernels = kernels->fact;
  if (scenario.engine.fidelity == Fidelity::packet)
    return Diagnostics{{Severity::error, "RY-RUN-010", "an expert exchange at fidelity \"packet\" is not supported",
                        "use fidelity = \"flow\" or \"analytic\"", scenario.keys.where("engine.fidelity")}};
  if (Diagnostics refusals = unsupported(probed(scenario, 2)); !refusals.empty()) return refusals;
  if (scenario.fabric.scale_up.domain < 2 || scenario.fabric.scale_up.rate == BitsPerSecond::zero())
    return refused("RY-RUN-018", "expert exchange forwards tokens inside a node, and this scenario has no scale-up links",
                   "name a gpu and gpus_per_node, or give scale_up_domain and scale_up_rate; a drawn network has none of them",
                   scenario.keys.where("cluster"));
  const Result<Fabric> fabric = build_fabric(scenario.fabric, scenario.keys);
  if (!fabric) return fabric.error();
  const Exchange exchange(scenario, table.setting, *fabric);
  Result<std::vector<ExpertsPoint>> points = request.ranks.empty() ? exchange.over_usual() : exchange.over_all(request.ranks);
  if (!points) return points.error();
  table.link = exchange.link();
  table.points = std::move(*points);
  table.diagnostics = without_effect(probed(scenario, 2), *fabric);
  return table;
}

}  // namespace railyard
