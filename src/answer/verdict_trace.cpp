// What a replayed trace's numbers mean.
#include <fmt/format.h>

#include <algorithm>

#include "answer/verdict_parts.h"
#include "base/quantity_text.h"

namespace railyard {

namespace {

/// The tier of links that worked hardest, and how hard.
std::pair<std::string, double> busiest_of(const TrafficResults& t) {
  std::pair<std::string, double> most;
  const auto look = [&](const std::string& name, double peak) {
    if (peak > most.second) most = {name, peak};
  };
  for (const TierLoad& tier : t.tiers) look(tier.name, tier.peak_utilisation);
  if (t.packets)
    for (const PacketTier& tier : t.packets->tiers) look(tier.name, tier.peak_utilisation);
  return most;
}

/// "14.6 % is compute and 85.4 % communication that no compute hides": parts that there are.
std::string parts_of(const TraceResults& t) {
  constexpr double kLeast = 0.00005;
  const std::pair<double, const char*> all[] = {{t.compute, "compute"},
                                                {t.exposed, "communication that no compute hides"},
                                                {t.waiting, "waiting for other ranks"},
                                                {t.idle, "idleness after the last node"}};
  std::vector<std::string> parts;
  for (const auto& [share, what] : all)
    if (share >= kLeast) parts.push_back(fmt::format("{} {}{}", percent_of(share), parts.empty() ? "is " : "", what));
  if (parts.size() < 2) return parts.empty() ? "there is none" : parts.front();
  const std::string last = std::move(parts.back());
  parts.pop_back();
  return fmt::format("{} and {}", fmt::join(parts, ", "), last);
}

}  // namespace

void judge_trace(const Results& results, const Tried& tried, RunVerdict& verdict) {
  const TraceResults& t = *results.trace;
  verdict.total_s = t.makespan_us * 1e-6;
  verdict.sentences.push_back(
      {"cost", fmt::format("The trace takes {}. Of the time of its ranks {}. Rank {} is last{}.", time_of(verdict.total_s),
                           parts_of(t), t.slowest.rank, t.ranks > 1 ? "" : " and the only one")});
  Limit& limit = verdict.limit;
  const double others = std::max({t.exposed, t.waiting, t.idle});
  const auto [tier, busy] = busiest_of(*results.traffic);
  if (t.compute >= others)
    limit = {"compute", t.compute, {}, {}};
  else if (t.exposed >= std::max(t.waiting, t.idle))
    limit = {"network", t.exposed, tier, cause_of(tried, t.exposed)};
  else
    limit = {"host", t.waiting + t.idle, {}, {}};
  std::string text = limit.kind == "compute" ? "Compute takes most of it: a faster network shortens the rest alone."
                     : limit.kind == "network"
                         ? "Communication that nothing hides takes most of it"
                         : "Ranks wait for each other most of the time: what they wait for is in the order "
                           "of the trace, and not in the network.";
  if (limit.kind == "network")
    text += (limit.cause.empty() ? std::string() : "; reruns show why: " + cause_in_words(limit.cause)) + ".";
  if (busy > 0)
    text += fmt::format(" The busiest links, {}, are in use for {} of the time from the first message to the last.", tier,
                        percent_of(busy));
  verdict.sentences.push_back({"limit", std::move(text)});
}

}  // namespace railyard
