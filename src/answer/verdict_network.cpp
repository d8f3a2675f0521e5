// What a collective's and synthetic traffic's numbers mean.
#include <fmt/format.h>

#include <algorithm>

#include "answer/verdict_parts.h"
#include "base/quantity_text.h"

namespace railyard {

namespace {

/// Of the time that messages take, what an idle network would not have.
double lost_share(const TrafficResults& t) { return t.flows.slowdown.p50 > 1 ? 1 - 1 / t.flows.slowdown.p50 : 0; }

/// A port that stands still for less of the time holds nobody up.
constexpr double kPaused = 0.2;

/// Receivers whose links carry as much payload are full.
constexpr double kFull = 0.85;

/// A slowdown below this is what many flows on one fabric cost anyway.
constexpr double kSlow = 1.1;

Limit limit_of_packets(const TrafficResults& t, const PacketResults& p) {
  const double paused = p.paused_ports.empty() || t.makespan_us <= 0 ? 0 : p.paused_ports.front().paused_us / t.makespan_us;
  for (const StandstillRow& row : p.standstills)
    if (row.is_cycle) return {"standstill", 1, row.ports.front(), {}};
  if (!p.standstills.empty()) return {"pauses", 1, p.first_port, {}};
  if (p.failures && !p.failures->losses.empty() && (t.flows.undelivered > 0 || p.timeouts > 0))
    return {"failure", t.flows.undelivered > 0 ? 1 : lost_share(t), p.failures->losses.front().port, {}};
  if (t.flows.undelivered > 0 && p.storms == 0) return {"losses", 1, {}, {}};
  if (p.storms > 0 || (paused >= kPaused && !p.by_credits)) return {"pauses", std::min(1.0, paused), p.first_port, {}};
  if (p.timeouts > 0 && p.drops > 0) return {"losses", lost_share(t), {}, {}};
  return {};
}

/// The tier that worked hardest.
std::string busiest_tier(const TrafficResults& t) {
  std::string name;
  double most = 0;
  const auto look = [&](const std::string& tier, double peak) {
    if (peak > most) most = peak, name = tier;
  };
  for (const TierLoad& tier : t.tiers) look(tier.name, tier.peak_utilisation);
  if (t.packets)
    for (const PacketTier& tier : t.packets->tiers) look(tier.name, tier.peak_utilisation);
  return name;
}

std::string packets_text(const PacketResults& p) {
  std::string text;
  const auto add = [&](std::uint64_t count, std::string_view what) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", format_count(count), what);
  };
  add(p.marked, "marked packets");
  add(p.pauses, p.by_credits ? "waits for credits" : "pauses");
  add(p.drops, "drops");
  add(p.trimmed, "trimmed packets");
  add(p.retransmissions, "retransmissions");
  add(p.timeouts, "timeouts");
  return text.empty() ? "No packet was marked, paused or dropped." : "There were " + text + ".";
}

std::string limit_text(const TrafficResults& t, const Limit& limit) {
  const std::string packets = t.packets ? " " + packets_text(*t.packets) : "";
  if (limit.kind == "none") return "Nothing holds it up." + packets;
  if (limit.kind == "standstill")
    return fmt::format("Ports wait for each other and stand still, {} among them.{}", limit.where, packets);
  if (limit.kind == "failure") return fmt::format("Packets are lost on a link that failed: {}.{}", limit.where, packets);
  if (limit.kind == "losses") return "Packets are lost, and senders wait for timeouts." + packets;
  if (limit.kind == "pauses")
    return fmt::format("Pauses hold it up: they begin at {}, and the port that suffers most stands still for {} of the time.{}",
                       limit.where, percent_of(limit.share), packets);
  if (limit.kind == "receivers") return "The links to the receivers are full: other paths cannot help." + packets;
  return fmt::format("Messages share links{}{}.{}", limit.where.empty() ? "" : ", most of all " + limit.where,
                     limit.cause.empty() ? "" : "; reruns show why: " + cause_in_words(limit.cause), packets);
}

}  // namespace

void judge_collective(const Scenario&, const Results& results, const Tried& tried, RunVerdict& verdict) {
  const CollectivePoint& p = results.points.back();
  verdict.total_s = seconds(p.time);
  const std::string what =
      fmt::format("{} of {} among {} GPUs", results.collective, format(p.size), format_count(results.ranks));
  verdict.sentences.push_back({"cost", fmt::format("{} takes {}: {} of the best that this fabric allows ({}).", what,
                                                   format(p.time), percent_of(p.of_bound), format(p.bound))});
  Limit& limit = verdict.limit;
  limit = {.kind = "network", .share = 1 - p.of_bound, .where = p.limit, .cause = cause_of(tried, 1 - p.of_bound)};
  if (p.limit == "latency") limit = {.kind = "latency", .share = 1 - p.of_bound, .where = {}, .cause = {}};
  if (p.limit.starts_with("scale-up")) limit.kind = "scale-up";
  if (p.of_bound >= 0.9 && limit.cause.empty() && limit.kind == "network") limit.kind = "none";
  const std::string why = limit.cause.empty() ? "" : fmt::format(" Reruns show why: {}.", cause_in_words(limit.cause));
  verdict.sentences.push_back(
      {"limit",
       limit.kind == "latency"
           ? std::string("Latency takes most of the time: larger messages, fewer hops or fewer steps help, bandwidth does not.")
           : fmt::format("It is limited by {}.{}", p.limit, why)});
}

void judge_traffic(const Scenario&, const Results& results, const Tried& tried, RunVerdict& verdict) {
  const TrafficResults& t = *results.traffic;
  verdict.total_s = t.makespan_us * 1e-6;
  const std::string late =
      fmt::format("{} of {} messages never arrive", format_count(t.flows.undelivered), format_count(t.flows.messages));
  verdict.sentences.push_back(
      {"cost", t.flows.undelivered == t.flows.messages
                   ? late + "."
                   : fmt::format("The network makes the median message take {:.2f} × its time alone on the fabric, the slowest "
                                 "{:.2f} ×; the last arrives after {}.{}",
                                 t.flows.slowdown.p50, t.flows.slowdown.max, time_of(verdict.total_s),
                                 t.flows.undelivered > 0 ? " " + late + "." : "")});
  Limit& limit = verdict.limit;
  limit.kind = "none";
  if (t.packets)
    if (Limit found = limit_of_packets(t, *t.packets); !found.kind.empty()) limit = std::move(found);
  const bool is_full = t.receivers_line_gbps > 0 && t.goodput_gbps / t.receivers_line_gbps >= kFull;
  if (limit.kind == "none" && is_full)
    limit = {"receivers", lost_share(t), "leaf to host", {}};
  else if (limit.kind == "none" && t.flows.slowdown.max >= kSlow)
    limit = {"network", lost_share(t), busiest_tier(t), cause_of(tried, std::max(0.01, lost_share(t)))};
  verdict.sentences.push_back({"limit", limit_text(t, limit)});
}

}  // namespace railyard
