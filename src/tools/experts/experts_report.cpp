#include "tools/experts/experts_report.h"

#include <fmt/format.h>

#include "base/quantity_text.h"

namespace railyard {

namespace {

std::string constants_of(const ExchangeFact& kernels) {
  return fmt::format(
      "Four constants of the kernels ({} of a NIC, {} of usable links, {} of that when forwarding, {:g} µs at least when "
      "decoding) are estimated on what DeepEP V1 publishes for H800 and ConnectX-7 (docs/models.md, exchange of experts).",
      kernels.nic_share, kernels.link_share, kernels.forward_share, microseconds(kernels.decode_latency));
}

std::string_view name_of(ExchangeLimit limit) {
  switch (limit) {
    case ExchangeLimit::scale_up:
      return "scale-up";
    case ExchangeLimit::network:
      return "NIC";
    case ExchangeLimit::latency:
      return "latency";
  }
  return "";
}

std::string gigabytes(double rate) { return fmt::format("{:.1f}", rate / 1e9); }

std::string megabytes(double bytes) { return bytes == 0 ? "0" : fmt::format("{:.2f}", bytes / 1e6); }

std::string what_is_exchanged(const ExpertsSetting& s) {
  const std::string limit =
      s.node_limit == 0 ? "" : fmt::format(", on at most {} node{}", s.node_limit, s.node_limit == 1 ? "" : "s");
  return fmt::format(
      "{} kernels: {} tokens a GPU of {} values ({}), each to {} of {} experts{}. What was not asked for is as in {}.",
      s.low_latency ? "Low-latency" : "Normal", format_count(s.tokens), format_count(s.hidden),
      s.fp8_dispatch ? "fp8 to the experts, bf16 back" : "bf16 in both directions", s.top_k, format_count(s.experts),
      s.low_latency ? "" : limit, s.model);
}

std::string what_carries_it(const ExpertsTable& table) {
  return fmt::format(
      "A GPU's scale-up links have {} GB/s per direction; what its NIC carries was measured on this fabric, every node sending "
      "to "
      "every other at once, {}. Reported is what DeepEP's own tests would print: they count copies that stay in the node too.",
      gigabytes(table.link), table.setting.low_latency ? "from any GPU to any" : "along rails");
}

TextTable phases(const ExpertsTable& table) {
  TextTable out{{"EP", "nodes", "phase", "time µs", "reported GB/s", "limited by", "network MB", "scale-up MB", "NIC GB/s"},
                {Align::right, Align::right, Align::left, Align::right, Align::right, Align::left, Align::right, Align::right,
                 Align::right},
                {}};
  for (const ExpertsPoint& point : table.points)
    for (const ExchangePhase phase : {ExchangePhase::dispatch, ExchangePhase::combine}) {
      const bool first = phase == ExchangePhase::dispatch;
      const ExchangeEstimate& found = first ? point.dispatch : point.combine;
      out.rows.push_back({std::to_string(point.ranks), std::to_string(point.nodes), first ? "dispatch" : "combine",
                          fmt::format("{:.1f}", microseconds(found.time)), gigabytes(found.reported),
                          std::string(name_of(found.limit)), megabytes(found.network_bytes), megabytes(found.scale_up_bytes),
                          point.nodes > 1 ? gigabytes(point.nic) : "–"});
    }
  return out;
}

Document text(std::string_view words) { return Document(std::string(words)); }
Document integer(std::uint32_t count) { return Document(std::int64_t{count}); }
Document number(double value) { return Document(value); }

Document point_document(const ExpertsPoint& point, std::string_view phase, const ExchangeEstimate& found) {
  Document out = Document::object();
  out.set("ranks", integer(point.ranks));
  out.set("nodes", integer(point.nodes));
  out.set("phase", text(phase));
  out.set("time_us", number(microseconds(found.time)));
  out.set("reported_GBs", number(found.reported / 1e9));
  out.set("limited_by", text(name_of(found.limit)));
  out.set("network_bytes", number(found.network_bytes));
  out.set("scale_up_bytes", number(found.scale_up_bytes));
  if (point.nodes > 1) out.set("nic_GBs", number(point.nic / 1e9));
  return out;
}

}  // namespace

Report experts_report(const ExpertsTable& table) {
  return {"Exchange of experts: " + table.name,
          {{"",
            {what_is_exchanged(table.setting), what_carries_it(table), phases(table),
             "Megabytes are of one GPU. " + constants_of(table.setting.kernels)}}}};
}

Document experts_document(const ExpertsTable& table) {
  const ExpertsSetting& s = table.setting;
  Document out = Document::object();
  out.set("schema", text("railyard-experts/1"));
  out.set("name", text(table.name));
  out.set("kernels", text(s.low_latency ? "low-latency" : "normal"));
  out.set("tokens", integer(s.tokens));
  out.set("hidden", integer(s.hidden));
  out.set("experts", integer(s.experts));
  out.set("top_k", integer(s.top_k));
  if (s.node_limit > 0) out.set("node_limit", integer(s.node_limit));
  out.set("dispatch", text(s.fp8_dispatch ? "fp8" : "bf16"));
  out.set("model", text(s.model));
  out.set("scale_up_GBs", number(table.link / 1e9));
  Document points = Document::array();
  for (const ExpertsPoint& point : table.points) {
    points.push(point_document(point, "dispatch", point.dispatch));
    points.push(point_document(point, "combine", point.combine));
  }
  out.set("points", std::move(points));
  out.set("constants", text(constants_of(s.kernels)));
  return out;
}

}  // namespace railyard
