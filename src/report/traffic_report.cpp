#include "report/traffic_report.h"

#include <fmt/format.h>

#include "base/quantity_text.h"
#include "report/counters_report.h"
#include "report/failure_report.h"
#include "report/figure_text.h"
#include "report/json_fields.h"
#include "report/network_report.h"
#include "report/packet_report.h"
#include "report/results_report.h"

namespace railyard {

namespace {

std::string servers_text(const TrafficResults& t) {
  if (t.servers == 0) return "";
  return fmt::format(" and {} server{} of storage", format_count(t.servers), t.servers == 1 ? "" : "s");
}

std::string goodput_sentence(const TrafficResults& t) {
  std::string text = fmt::format("{} of payload in {}: {}", format(t.flows.delivered), microseconds_or_dash(t.makespan_us),
                                 gbps_text(t.goodput_gbps));
  if (t.receivers > 1)
    text += fmt::format(", {} for each of {} receivers on average and {} for the one that gets least",
                        gbps_text(t.receiver_gbps.mean), format_count(t.receivers), gbps_text(t.receiver_least_gbps));
  text += ".";
  if (t.flows.undelivered > 0)
    text += fmt::format(" {} of {} messages never arrived.", format_count(t.flows.undelivered), format_count(t.flows.messages));
  text += t.packets
              ? " Completion: from the start to the last ACK at the sender; over ideal: to the delivery, against the same "
                "message alone on the fabric."
              : " Completion: from the start to the last byte in the receiver's memory; over ideal: against the same "
                "message alone on the fabric.";
  return text;
}

/// How hosts that differ in DCQCN fare beside each other.
std::string senders_sentence(const TrafficResults& t) {
  if (t.senders.size() < 2) return "";
  std::string text = "NICs differ in DCQCN:";
  for (std::size_t i = 0; i < t.senders.size(); i++) {
    const SenderGroup& group = t.senders[i];
    text += fmt::format("{} {} {} {} sends at {} on average",
                        i == 0                      ? ""
                        : i + 1 == t.senders.size() ? " and"
                                                    : ",",
                        group.hosts == 1 ? "the host" : fmt::format("each of {} hosts", format_count(group.hosts)),
                        group.hosts == 1 ? "numbered" : "from number", group.first, gbps_text(group.gbps));
  }
  return text + fmt::format(" (Jain's index of fairness {:.3f}).", t.fairness);
}

std::string engine_sentence(const Results& results) {
  if (results.traffic->packets)
    return fmt::format(
        "Every packet is simulated, with its queues, marks, pauses and retransmissions; the run was expected to need at most "
        "{}.",
        format(Bytes(static_cast<std::int64_t>(results.traffic->memory_bytes))));
  return results.balanced
             ? "Equal paths are balanced perfectly; queues and congestion control are not part of this engine."
             : "Flows stay on the one path that switches give them; queues and congestion control are not part of this engine.";
}

constexpr JsonField<TimeSpread> kSpreadFields[] = {
    json_field<&TimeSpread::mean>("mean"),
    json_field<&TimeSpread::p50>("p50"),
    json_field<&TimeSpread::p99>("p99"),
    json_field<&TimeSpread::max>("max"),
};
Document spread_document(const TimeSpread& spread) { return object_of(spread, kSpreadFields); }

constexpr JsonField<FlowTimes> kFlowFields[] = {
    json_field<&FlowTimes::messages>("messages"),
    json_field<&FlowTimes::undelivered>("undelivered"),
    json_field<&FlowTimes::delivered>("delivered_bytes"),
    json_field<&FlowTimes::fct_us, spread_document>("fct_us"),
    json_field<&FlowTimes::delivery_us, spread_document>("delivery_us"),
    json_field<&FlowTimes::slowdown, spread_document>("slowdown"),
};
constexpr JsonField<SlowMessage> kSlowFields[] = {
    json_field<&SlowMessage::from>("from"),         json_field<&SlowMessage::to>("to"),
    json_field<&SlowMessage::size>("size_bytes"),   json_field<&SlowMessage::start_us>("start_us"),
    json_field<&SlowMessage::fct_us>("fct_us"),     json_field<&SlowMessage::ideal_us>("ideal_us"),
    json_field<&SlowMessage::slowdown>("slowdown"),
};
Document flows_document(const FlowTimes& flows) { return object_of(flows, kFlowFields); }

/// With all of its times.
Document whole_flows_document(const FlowTimes& flows) {
  Document out = flows_document(flows);
  out.set("fct_cdf", cdf_document(flows.fct_cdf, "us"));
  out.set("slowdown_cdf", cdf_document(flows.slowdown_cdf, "slowdown"));
  return out;
}

Document senders_document(const TrafficResults& t) {
  Document all = Document::array();
  for (const SenderGroup& group : t.senders) {
    Document& item = all.push(flows_document(group.flows));
    item.set("hosts", Document(std::int64_t{group.hosts}));
    item.set("first_host", Document(std::int64_t{group.first}));
    item.set("gbps", Document(group.gbps));
  }
  return all;
}

}  // namespace

TextTable times_table(const TrafficResults& t) {
  TextTable table{{"", "messages", "mean", "p50", "p99", "longest"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  const auto add = [&](const std::string& what, const std::string& messages, const TimeSpread& spread, const auto& text) {
    table.rows.push_back({what, messages, text(spread.mean), text(spread.p50), text(spread.p99), text(spread.max)});
  };
  const auto factor = [](double value) { return value > 0 ? fmt::format("{:.2f} ×", value) : std::string("–"); };
  const auto add_flows = [&](const char* what, const FlowTimes& flows) {
    add(what, format_count(flows.messages), flows.fct_us, microseconds_or_dash);
    if (t.packets) add("  to the delivery", "", flows.delivery_us, microseconds_or_dash);
    add("  over ideal", "", flows.slowdown, factor);
  };
  add_flows("completion", t.flows);
  if (t.distances.size() > 1)
    for (const Distance& distance : t.distances)
      add(fmt::format("  over {} switch{}", distance.switches, distance.switches == 1 ? "" : "es"),
          format_count(distance.flows.messages), distance.flows.fct_us, microseconds_or_dash);
  for (const SenderGroup& group : t.senders)
    if (t.senders.size() > 1)
      add(fmt::format("  of {} host{} from number {}", group.hosts, group.hosts == 1 ? "" : "s", group.first),
          format_count(group.flows.messages), group.flows.fct_us, microseconds_or_dash);
  if (t.background) add_flows("background", *t.background);
  if (t.storage) add_flows("storage", *t.storage);
  return table;
}

Report traffic_report(const Results& results) {
  const TrafficResults& t = *results.traffic;
  Report report{results.name, {}};
  const std::string what =
      fmt::format("{}: {} message{} between {} hosts{} over {} connection{}, {} engine. {}.", t.pattern,
                  format_count(t.flows.messages), t.flows.messages == 1 ? "" : "s", format_count(t.hosts), servers_text(t),
                  format_count(t.connections), t.connections == 1 ? "" : "s", results.engine, describe(results.fabric));
  report.sections.push_back({"", {what + failures_sentence(results.failures), engine_sentence(results)}});
  report.sections.push_back({"Time", {times_table(t), goodput_sentence(t)}});
  if (const std::string unfair = senders_sentence(t); !unfair.empty()) report.sections.back().blocks.push_back(unfair);
  if (t.packets)
    for (Report::Section& section : packet_sections(*t.packets)) report.sections.push_back(std::move(section));
  else
    report.sections.push_back({"Load", {tiers_table(t.tiers)}});
  if (!results.lost_links.empty()) report.sections.push_back(lost_links_section(results.lost_links));
  if (!t.members.empty() && !t.packets) report.sections.push_back(members_section(t.members));
  report.sections.push_back(
      {"What this rests on", {inputs_table(results.inputs, false), std::string("railyard explain shows sources in full.")}});
  if (!results.diagnostics.empty()) report.sections.push_back({"Findings", {results.diagnostics}});
  report.sections.push_back({"", {"fingerprint " + results.fingerprint}});
  return report;
}

void add_traffic(const TrafficResults& t, Document& out) {
  Document& traffic = out.set("traffic", Document::object());
  traffic.set("pattern", Document(t.pattern));
  traffic.set("hosts", Document(std::int64_t{t.hosts}));
  if (t.servers > 0) traffic.set("servers", Document(std::int64_t{t.servers}));
  traffic.set("receivers", Document(std::int64_t{t.receivers}));
  traffic.set("connections", Document(static_cast<std::int64_t>(t.connections)));
  traffic.set("makespan_us", Document(t.makespan_us));
  Document& flows = out.set("flows", whole_flows_document(t.flows));
  Document& distances = flows.set("by_distance", Document::array());
  for (const Distance& distance : t.distances) {
    Document& item = distances.push(flows_document(distance.flows));
    item.set("switches", Document(std::int64_t{distance.switches}));
  }
  Document& slowest = flows.set("slowest", Document::array());
  for (const SlowMessage& message : t.slowest) slowest.push(object_of(message, kSlowFields));
  if (t.senders.size() > 1) out.set("fairness", Document(t.fairness));
  if (t.senders.size() > 1) out.set("senders", senders_document(t));
  if (t.background) out.set("background", whole_flows_document(*t.background));
  if (t.storage) out.set("storage", whole_flows_document(*t.storage));
  out.set("goodput_gbps", Document(t.goodput_gbps));
  Document& receivers = out.set("receiver_gbps", spread_document(t.receiver_gbps));
  receivers.set("min", Document(t.receiver_least_gbps));
  out.set("memory_bytes", Document(t.memory_bytes));
  Document& members = out.set("members", Document::array());
  for (const MemberLoads& m : t.members) members.push(members_document(m));
  out.set("rails", rails_document(t.rails));
  if (t.packets) return add_packets(*t.packets, out);
  Document& tiers = out.set("tiers", Document::array());
  for (const TierLoad& load : t.tiers) tiers.push(tier_document(load));
}

}  // namespace railyard
