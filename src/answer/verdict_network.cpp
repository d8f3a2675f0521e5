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

/// Receivers whose links carry as much payload are full; so is one whose link is busy for that share of the time.
constexpr double kFull = 0.85, kBusy = 0.9;

/// Time for which a full link stands idle, below which nobody asks why.
constexpr double kIdle = 0.01;

/// A slowdown below this is what many flows on one fabric cost anyway.
constexpr double kSlow = 1.1;

/// Of the port that was paused longest, its share of the time.
double paused_share(const TrafficResults& t, const PacketResults& p) {
  if (p.paused_ports.empty() || t.makespan_us <= 0 || p.by_credits) return 0;
  return std::min(1.0, p.paused_ports.front().paused_us / t.makespan_us);
}

/// Whether the time is about what the links to the receivers need: nothing but faster ones would shorten it.
bool is_full(const TrafficResults& t) {
  return t.receiver_busy >= kBusy || (t.receivers_line_gbps > 0 && t.goodput_gbps / t.receivers_line_gbps >= kFull);
}

/// Pauses hold up whoever meets them; the whole of it only where it ends later than full links to receivers would let it.
Limit limit_of_packets(const TrafficResults& t, const PacketResults& p) {
  const double paused = paused_share(t, p);
  for (const StandstillRow& row : p.standstills)
    if (row.is_cycle) return {"standstill", 1, row.ports.front(), {}};
  if (!p.standstills.empty()) return {"pauses", 1, p.first_port, {}};
  if (p.failures && !p.failures->losses.empty() && (t.flows.undelivered > 0 || p.timeouts > 0))
    return {"failure", t.flows.undelivered > 0 ? 1 : lost_share(t), p.failures->losses.front().port, {}};
  if (t.flows.undelivered > 0 && p.storms == 0) return {"losses", 1, {}, {}};
  if (p.storms > 0) return {"pauses", paused, p.first_port, {}};
  if (is_full(t)) return {};
  if (paused >= kPaused) return {"pauses", paused, p.first_port, {}};
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
  const auto add = [&](std::uint64_t count, std::string_view one, std::string_view more) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", format_count(count), count == 1 ? one : more);
  };
  add(p.marked, "marked packet", "marked packets");
  if (p.by_credits)
    add(p.pauses, "wait for credits", "waits for credits");
  else
    add(p.pauses, "pause", "pauses");
  add(p.drops, "drop", "drops");
  add(p.trimmed, "trimmed packet", "trimmed packets");
  add(p.retransmissions, "retransmission", "retransmissions");
  add(p.timeouts, "timeout", "timeouts");
  if (text.empty()) return "No packet was marked, paused or dropped.";
  return fmt::format("There {} {}.", text.starts_with("1 ") ? "was" : "were", text);
}

/// For how long a full link stands idle; with several seeds, for how long over all of them.
std::string idle_text(const TrafficResults& t, const Tried& tried) {
  const double needed = t.receiver_busy * t.makespan_us * 1e-6;  // seconds
  const std::string here = percent_of(1 - t.receiver_busy) + " of the time";
  if (tried.draws == 0 || tried.spread.most < tried.spread.least * 1.005) return here;
  const auto idle = [&](double time) { return percent_of(std::max(0.0, 1 - needed / time)); };
  return fmt::format("{} here and {} to {} over {} seeds of the hash", here, idle(tried.spread.least), idle(tried.spread.most),
                     tried.draws);
}

/// A full link to a receiver: how full, what the rest of the time goes to, and who else is paused for it.
std::string receivers_text(const Scenario& scenario, const TrafficResults& t, const Tried& tried) {
  const bool alone = t.receivers == 1;
  std::string text = fmt::format("{} full, {}busy for {} of the time",
                                 alone ? "The link to the receiver is" : "The links to the receivers are",
                                 alone ? "" : "the busiest ", percent_of(t.receiver_busy));
  const bool reacts = t.packets && t.packets->marked > 0 && scenario.transport.control != CongestionControl::none;
  text += 1 - t.receiver_busy < kIdle
              ? ": other paths cannot help."
              : fmt::format(". Other paths and settings change only for how long it stands idle, {}{}.", idle_text(t, tried),
                            reacts ? ", while senders that slowed down for marks become faster again" : "");
  if (const double paused = t.packets ? paused_share(t, *t.packets) : 0; paused >= kPaused)
    text += fmt::format(
        " Pauses begin at {}, and the port that suffers most stands still for {} of the time. That does not delay the last "
        "message, but whoever else sends through that port.",
        t.packets->first_port, percent_of(paused));
  return text;
}

std::string limit_text(const Scenario& scenario, const TrafficResults& t, const Tried& tried, const Limit& limit) {
  const std::string packets = t.packets ? " " + packets_text(*t.packets) : "";
  if (limit.kind == "none") return "Nothing holds it up." + packets;
  if (limit.kind == "standstill")
    return fmt::format("Ports wait for each other and stand still, {} among them.{}", limit.where, packets);
  if (limit.kind == "failure") return fmt::format("Packets are lost on a link that failed: {}.{}", limit.where, packets);
  if (limit.kind == "losses") return "Packets are lost, and senders wait for timeouts." + packets;
  if (limit.kind == "pauses")
    return fmt::format("Pauses hold it up: they begin at {}, and the port that suffers most stands still for {} of the time.{}",
                       limit.where, percent_of(limit.share), packets);
  if (limit.kind == "receivers") return receivers_text(scenario, t, tried) + packets;
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

void judge_traffic(const Scenario& scenario, const Results& results, const Tried& tried, RunVerdict& verdict) {
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
  if (limit.kind == "none" && is_full(t))
    limit = {"receivers", lost_share(t), "leaf to host", {}};
  else if (limit.kind == "none" && t.flows.slowdown.max >= kSlow)
    limit = {"network", lost_share(t), busiest_tier(t), cause_of(tried, std::max(0.01, lost_share(t)))};
  verdict.sentences.push_back({"limit", limit_text(scenario, t, tried, limit)});
}

}  // namespace railyard
