// The table of what compared clusters cost: the bill of the fabric that is built, at the prices that railyard cost takes.
#include <fmt/format.h>

#include "tools/compare/figures.h"

namespace railyard {

namespace {

/// "≥ $45.4 million" where some of it has no price; nothing where none has.
Figure money(const ComparedRun& run, const Sum& sum, double of) {
  if (!run.cost || sum.value <= 0) return {};
  std::string source = "catalog, prices, with their dates; railyard cost shows the bill";
  for (const std::string& sentence : run.cost->missing) source += ". " + sentence.substr(0, sentence.size() - 1);
  return {(sum.complete ? "" : "≥ ") + dollars_text(of), {}, "estimated", std::move(source)};
}

bool has_server_price(const ComparedRun& run) {
  return run.cost && run.cost->lines.front().kind == CostKind::server && run.cost->lines.front().price;
}

Figure network_price(const ComparedRun& run) {
  return run.cost ? money(run, run.cost->network_usd, run.cost->network_usd.value) : Figure{};
}

Figure network_price_per_gpu(const ComparedRun& run) {
  return run.cost ? money(run, run.cost->network_usd, run.cost->per_gpu(run.cost->network_usd)) : Figure{};
}

Figure cluster_price(const ComparedRun& run) {
  return has_server_price(run) ? money(run, run.cost->all_usd, run.cost->all_usd.value) : Figure{};
}

Figure cluster_price_per_gpu(const ComparedRun& run) {
  return has_server_price(run) ? money(run, run.cost->all_usd, run.cost->per_gpu(run.cost->all_usd)) : Figure{};
}

Figure million_tokens_of(const ComparedRun& run) {
  if (!has_server_price(run)) return {};
  const RunningCost running = running_cost(*run.cost, run.scenario.cost);
  const double tokens_per_s = step_of(run).tokens_per_s_per_gpu * run.analysed.ranks;
  if (tokens_per_s <= 0) return {};
  const Sum tokens = cost_of_million_tokens(running, run.scenario.cost, tokens_per_s);
  return money(run, tokens, tokens.value);
}

}  // namespace

FigureTable cost_table() {
  return {
      "cost",
      "Cost",
      "Parts of the fabric that is built at the catalog's prices, or at those of [prices]; ≥: some have none, and no part "
      "takes the price of another (railyard cost says which). Network: switches, transceivers, cables. A million tokens: "
      "what is bought over cost.years, and electricity. Prices age quickly.",
      {claimed_column("cost", "cost claimed"),
       {"network", "network", Align::right, "parts of the network × their prices", network_price},
       {"network-per-gpu", "a GPU", Align::right, "parts of the network × their prices / GPUs", network_price_per_gpu},
       {"cluster", "with servers", Align::right, "parts of the network and servers × their prices", cluster_price},
       {"cluster-per-gpu", "a GPU", Align::right, "parts of the network and servers × their prices / GPUs",
        cluster_price_per_gpu},
       {"tokens", "10⁶ tokens", Align::right,
        "(price / cost.years + power × cost.pue × price of electricity) / (tokens × cost.utilisation)", million_tokens_of}}};
}

}  // namespace railyard
