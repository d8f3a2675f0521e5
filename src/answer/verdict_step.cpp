// What a training step's numbers mean.
#include <fmt/format.h>

#include <algorithm>

#include "answer/verdict_parts.h"

namespace railyard {

namespace {

/// A loss below this share of the step limits nothing.
constexpr double kLimits = 0.1;

/// A network that costs less is not worth a word on where.
constexpr double kWorthPlacing = 0.005;

std::vector<StepPart> parts_of(const StepResults& step) {
  const StepCost& c = step.cost;
  return {{"compute", c.compute},
          {"host", c.host},
          {"optimizer", c.optimizer},
          {"bubble", c.bubble},
          {"scale-up", c.without_network - c.without_links},
          {"network", step.step_time_s - c.without_network}};
}

std::string in_words(const std::string& part) {
  if (part == "bubble") return "the pipeline's own bubble";
  if (part == "scale-up") return "communication inside scale-up domains";
  if (part == "network") return "the network";
  if (part == "host") return "the host";
  if (part == "optimizer") return "the optimizer";
  return part;
}

/// How much of it is luck.
std::string luck_text(const RunVerdict& v, const Tried& tried) {
  if (tried.draws == 0 || tried.spread.most < tried.spread.least * 1.005) return {};
  const auto share = [&](double time) { return std::max(0.0, 1 - v.cost->without_network / time); };
  return fmt::format(" Which flows collide is drawn: over {} seeds it costs {} to {}.", tried.draws,
                     percent_of(share(tried.spread.least)), percent_of(share(tried.spread.most)));
}

std::string cost_text(const Scenario& scenario, const RunVerdict& v) {
  const bool idle = scenario.engine.fidelity == Fidelity::analytic;
  const std::string which = idle ? "An idle network" : "The network";
  const std::string scale_up =
      v.scale_up_share() < 0.0001 ? "" : fmt::format(" Links inside scale-up domains cost {}.", percent_of(v.scale_up_share()));
  if (v.network_share() < 0.0001)
    return fmt::format("{} costs this job nothing: the step takes {}, as it would without one.{}", which, time_of(v.total_s),
                       scale_up);
  return fmt::format("{} costs this job {} of its step: it takes {}, and {} if what leaves a scale-up domain took no time.{}",
                     which, percent_of(v.network_share()), time_of(v.total_s), time_of(v.cost->without_network), scale_up);
}

/// The link that was fullest at any time.
struct Fullest {
  std::string tier, link;
  double share = 0;
};

Fullest fullest_link(const NetworkResults& network) {
  Fullest out;
  for (const TierSeries& tier : network.series)
    for (const double share : tier.peak)
      if (share > out.share) out = {tier.tier, tier.busiest, share};
  return out;
}

/// Collectives of the kind of group that waits most with nothing beside it.
struct Exposed {
  std::string names;
  double seconds = 0, slowdown = 1;  // per stage; of the slowest of them
};

Exposed most_exposed(const NetworkResults& network) {
  std::vector<Exposed> by_group;
  std::vector<std::string> groups;
  for (const OpRow& op : network.ops) {
    const auto at = static_cast<std::size_t>(std::find(groups.begin(), groups.end(), op.group) - groups.begin());
    if (at == groups.size()) groups.push_back(op.group), by_group.emplace_back();
    Exposed& one = by_group[at];
    one.names += (one.names.empty() ? "" : " and ") + op.name;
    one.seconds += op.exposed_s, one.slowdown = std::max(one.slowdown, op.slowdown);
  }
  const auto most = std::max_element(by_group.begin(), by_group.end(),
                                     [](const Exposed& a, const Exposed& b) { return a.seconds < b.seconds; });
  return most == by_group.end() ? Exposed{} : *most;
}

/// What the network's part is made of.
std::string made_of(const StepCost& cost, const NetworkResults* network) {
  std::vector<std::pair<double, std::string>> parts;
  const Exposed exposed = network ? most_exposed(*network) : Exposed{};
  parts.emplace_back(cost.network_exposed,
                     exposed.seconds > 0
                         ? fmt::format("of waits with nothing beside them (most for {}, up to {:.2f} × what an idle "
                                       "network takes)",
                                       exposed.names, exposed.slowdown)
                         : "of waits with nothing beside them");
  parts.emplace_back(cost.network_contention, "of compute that is slower beside communication");
  parts.emplace_back(cost.network_bubble, "in which stages wait longer for each other");
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  const double all = cost.network_exposed + cost.network_contention + cost.network_bubble;
  std::string text;
  for (const auto& [seconds, what] : parts)
    if (seconds >= all / 100) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", time_of(seconds), what);
  return fmt::format(" The network's part is {}: {}.", time_of(all), text);
}

/// Where the network's part shows, and why, in a sentence.
std::string place_text(const Results& results, const Limit& limit, double share) {
  if (share < kWorthPlacing) return {};
  std::string text = made_of(results.step->cost, results.network ? &*results.network : nullptr);
  if (!results.network) return text;
  if (const Fullest full = fullest_link(*results.network); full.share > 0)
    text += fmt::format(" The fullest link is {}, used to {} in its busiest {}.", full.link, percent_of(full.share),
                        time_of(results.network->bin_s));
  if (!limit.cause.empty()) text += fmt::format(" Reruns show why: {}.", cause_in_words(limit.cause));
  return text;
}

/// Losses, largest first.
std::vector<StepPart> losses_of(const RunVerdict& v) {
  std::vector<StepPart> losses;
  for (const StepPart& part : v.parts)
    if (part.name != "compute" && part.seconds / v.total_s >= 0.01) losses.push_back(part);
  std::stable_sort(losses.begin(), losses.end(), [](const StepPart& a, const StepPart& b) { return a.seconds > b.seconds; });
  return losses;
}

std::string limit_text(const RunVerdict& v, const std::string& place) {
  const std::vector<StepPart> losses = losses_of(v);
  std::string text = fmt::format("Compute is {} of the step", percent_of(v.parts.front().seconds / v.total_s));
  if (losses.empty()) return text + "; nothing else takes 1 % of it." + place;
  text += "; most of the rest is " + in_words(losses[0].name) + fmt::format(" ({})", percent_of(losses[0].seconds / v.total_s));
  if (losses.size() > 1)
    text += ", then " + in_words(losses[1].name) + fmt::format(" ({})", percent_of(losses[1].seconds / v.total_s));
  return text + "." + place;
}

Limit limit_of(const Results& results, const Tried& tried, const RunVerdict& v) {
  const std::vector<StepPart> losses = losses_of(v);
  Limit limit{.kind = "compute", .share = v.parts.front().seconds / v.total_s, .where = {}, .cause = {}};
  if (!losses.empty() && losses[0].seconds / v.total_s >= kLimits)
    limit = {.kind = losses[0].name, .share = losses[0].seconds / v.total_s, .where = {}, .cause = {}};
  if (v.network_share() >= kWorthPlacing) {
    limit.cause = cause_of(tried, v.network_share());
    if (limit.kind == "network" && results.network) limit.where = fullest_link(*results.network).tier;
  }
  return limit;
}

}  // namespace

void judge_step(const Scenario& scenario, const Results& results, const Tried& tried, RunVerdict& verdict) {
  const StepResults& step = *results.step;
  verdict.total_s = step.step_time_s;
  verdict.cost = step.cost;
  verdict.parts = parts_of(step);
  verdict.limit = limit_of(results, tried, verdict);
  verdict.sentences.push_back({"cost", cost_text(scenario, verdict) + luck_text(verdict, tried)});
  verdict.sentences.push_back({"limit", limit_text(verdict, place_text(results, verdict.limit, verdict.network_share()))});
}

}  // namespace railyard
