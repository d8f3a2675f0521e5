#include "report/failure_report.h"

#include <fmt/format.h>

#include "base/quantity_text.h"
#include "plan/packet_plan.h"
#include "report/figure_text.h"
#include "report/json_fields.h"

namespace railyard {

namespace {

TextTable losses_table(const FailureEffects& effects) {
  TextTable table{{"lost on", "packets", "with payload", "from", "until"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const LossRow& row : effects.losses)
    table.rows.push_back({row.port, format_count(row.packets), format_count(row.data), microseconds_or_dash(row.first_us),
                          microseconds_or_dash(row.last_us)});
  return table;
}

TextTable timeouts_table(const FailureEffects& effects) {
  TextTable table{
      {"queue pair", "first timeout", "timeouts", "broken at"}, {Align::left, Align::right, Align::right, Align::right}, {}};
  for (const TimeoutRow& row : effects.timed_out)
    table.rows.push_back({fmt::format("{} to {}", row.from, row.to), microseconds_or_dash(row.first_us),
                          format_count(row.timeouts), row.broken_us ? microseconds_or_dash(*row.broken_us) : "–"});
  return table;
}

TextTable host_faults_table(const FailureEffects& effects) {
  TextTable table{
      {"host", "what", "from", "until", "ports paused", "of hosts", "links away", "watchdog"},
      {Align::left, Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right},
      {}};
  for (const HostFaultRow& row : effects.host_faults)
    table.rows.push_back({row.host, row.storms ? "storms" : "takes packets in slowly", microseconds_or_dash(row.from_us),
                          row.until_us ? microseconds_or_dash(*row.until_us) : "–", format_count(row.ports),
                          format_count(row.hosts), format_count(row.links_away),
                          row.watchdog_us ? microseconds_or_dash(*row.watchdog_us) : "–"});
  return table;
}

std::string counted_ports(std::uint64_t count) { return count == 1 ? "1 port" : fmt::format("{} ports", format_count(count)); }

/// Whom the first of the hosts that failed stopped, and whether a watchdog let them go.
std::string host_fault_sentence(const FailureEffects& effects) {
  const HostFaultRow& first = effects.host_faults.front();
  std::string text =
      fmt::format("{} {} from {} on{}: ", first.host, first.storms ? "pauses its switch" : "takes packets in slowly",
                  microseconds_or_dash(first.from_us),
                  first.until_us ? fmt::format(" until {}", microseconds_or_dash(*first.until_us)) : "");
  if (first.ports == 0) return text + "nobody was paused because of it.";
  text += fmt::format("{} paused because of it, {} of them of hosts, up to {} {} away.",
                      counted_ports(first.ports) + (first.ports == 1 ? " was" : " were"), format_count(first.hosts),
                      format_count(first.links_away), first.links_away == 1 ? "link" : "links");
  if (!first.watchdog_us) return text + " No watchdog stepped in.";
  return text + fmt::format(" The watchdog of its switch stepped in at {}; watchdogs dropped {} packets.",
                            microseconds_or_dash(*first.watchdog_us), format_count(effects.watchdog_drops));
}

std::string counted_pairs(std::uint64_t count) {
  return count == 1 ? "1 queue pair" : fmt::format("{} queue pairs", format_count(count));
}

/// What was lost, who went another way, who noticed.
std::string failure_sentence(const FailureEffects& effects) {
  std::string text = effects.lost > 0 ? fmt::format("{} packets were lost on failed links.", format_count(effects.lost))
                                      : "No packet was lost on failed links.";
  std::vector<std::string> moves;
  for (const RerouteRow& row : effects.rerouted)
    moves.push_back(fmt::format("{} at {}", format_count(row.queue_pairs), microseconds_or_dash(row.at_us)));
  if (!moves.empty()) text += fmt::format(" Queue pairs that took other paths: {}.", fmt::join(moves, ", "));
  if (effects.timed_out_in_all == 0) return text + " No queue pair had to wait for its timer, and NCCL would report nothing.";
  text += fmt::format(" {} heard nothing until {} ran out.", counted_pairs(effects.timed_out_in_all),
                      effects.timed_out_in_all == 1 ? "its timer" : "their timers");
  if (effects.broken == 0) return text + " None gave up, so that NCCL would report nothing.";
  return text + fmt::format(
                    " {} gave up: NCCL would report IBV_WC_RETRY_EXC_ERR (status 12, on NVIDIA's NICs vendor error 129; over "
                    "TCP that the connection timed out), and the job would stop.",
                    format_count(effects.broken));
}

constexpr JsonField<LossRow> kLossRowFields[] = {
    json_field<&LossRow::port>("port"),         json_field<&LossRow::packets>("packets"),
    json_field<&LossRow::data>("data_packets"), json_field<&LossRow::bytes>("bytes"),
    json_field<&LossRow::first_us>("first_us"), json_field<&LossRow::last_us>("last_us"),
};
constexpr JsonField<HostFaultRow> kHostFaultFields[] = {
    json_field<&HostFaultRow::host>("host"),       json_field<&HostFaultRow::storms>("storms"),
    json_field<&HostFaultRow::from_us>("from_us"), json_field<&HostFaultRow::ports>("ports_paused"),
    json_field<&HostFaultRow::hosts>("of_hosts"),  json_field<&HostFaultRow::links_away>("links_away"),
};
constexpr JsonField<RerouteRow> kRerouteFields[] = {
    json_field<&RerouteRow::at_us>("at_us"),
    json_field<&RerouteRow::queue_pairs>("queue_pairs"),
};

TextTable lost_links_table(const std::vector<LostLinks>& lost) {
  TextTable table{{"what", "links", "failed", "rate", "from", "lasts", "left", "seen first by"},
                  {Align::left, Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::left},
                  {}};
  for (const LostLinks& row : lost)
    table.rows.push_back({row.what, row.tier, fmt::format("{} of {}", format_count(row.failed), format_count(row.links)),
                          row.left == BitsPerSecond::zero() ? "–" : format(row.left),
                          row.from_s > 0 ? time_text(row.from_s) : "–", seconds_or_dash(row.lasts_s),
                          percent(row.left_at_worst), row.ends});
  return table;
}

/// What flows leave out: what a failure costs before it is routed around, and what NCCL says of that.
std::string unseen_by_flows() {
  const NicPlan nic;
  const FailoverPlan failover;
  return fmt::format(
      "Rate: of each that is left. Lasts: within this run. Left: of the rate of the trunk that loses most. Flows take what is "
      "left at once, so that "
      "nothing is lost here and nobody waits. Of packets, what is sent until the ends of a link know (some {}) and all "
      "switches do (BGP: some {}) is lost, and engine.fidelity = \"packet\" shows it. NCCL would report nothing of that: on "
      "RoCE and InfiniBand a queue pair gives up (IBV_WC_RETRY_EXC_ERR, status 12) when it has heard nothing for {}.",
      format(failover.local_repair), format(failover.convergence), time_text(seconds(nic.timeout) * (nic.retries + 1)));
}

constexpr JsonField<LostLinks> kLostLinksFields[] = {
    json_field<&LostLinks::what>("what"),
    json_field<&LostLinks::tier>("tier"),
    json_field<&LostLinks::failed>("failed"),
    json_field<&LostLinks::links>("links"),
    json_field<&LostLinks::left, in_gbps>("left_gbps"),
    json_field<&LostLinks::left_at_worst>("left_at_worst"),
    json_field<&LostLinks::from_s>("from_s"),
    json_field<&LostLinks::times>("times"),
    json_field<&LostLinks::lasts_s>("lasts_s"),
    json_field<&LostLinks::ends>("ends"),
};

}  // namespace

Report::Section lost_links_section(const std::vector<LostLinks>& lost) {
  return {"Failures", {lost_links_table(lost), unseen_by_flows()}};
}

Document lost_links_document(const std::vector<LostLinks>& lost) {
  Document out = Document::array();
  for (const LostLinks& row : lost) {
    Document& item = out.push(object_of(row, kLostLinksFields));
    if (row.until_s) item.set("until_s", Document(*row.until_s));
  }
  return out;
}

Report::Section failure_section(const FailureEffects& effects) {
  Report::Section section{"Failures", {failure_sentence(effects)}};
  if (!effects.host_faults.empty()) {
    section.blocks.emplace_back(host_fault_sentence(effects));
    section.blocks.push_back(host_faults_table(effects));
  }
  if (!effects.losses.empty()) section.blocks.push_back(losses_table(effects));
  if (!effects.timed_out.empty()) section.blocks.push_back(timeouts_table(effects));
  return section;
}

Document failure_document(const FailureEffects& effects) {
  Document out = Document::object();
  out.set("lost_packets", Document(static_cast<std::int64_t>(effects.lost)));
  out.set("losses", list_of(effects.losses, kLossRowFields));
  out.set("rerouted", list_of(effects.rerouted, kRerouteFields));
  out.set("timed_out_queue_pairs", Document(static_cast<std::int64_t>(effects.timed_out_in_all)));
  out.set("broken_queue_pairs", Document(static_cast<std::int64_t>(effects.broken)));
  Document& rows = out.set("queue_pairs", Document::array());
  for (const TimeoutRow& row : effects.timed_out) {
    Document& item = rows.push(Document::object());
    item.set("from", Document(row.from));
    item.set("to", Document(row.to));
    item.set("timeouts", Document(static_cast<std::int64_t>(row.timeouts)));
    item.set("first_us", Document(row.first_us));
    if (row.broken_us) item.set("broken_us", Document(*row.broken_us));
  }
  if (effects.host_faults.empty()) return out;
  Document& faults = out.set("host_faults", Document::array());
  for (const HostFaultRow& row : effects.host_faults) {
    Document& item = faults.push(Document::object());
    add_fields(row, kHostFaultFields, item);
    if (row.until_us) item.set("until_us", Document(*row.until_us));
    if (row.watchdog_us) item.set("watchdog_us", Document(*row.watchdog_us));
  }
  out.set("watchdog_drops", Document(static_cast<std::int64_t>(effects.watchdog_drops)));
  return out;
}

}  // namespace railyard
