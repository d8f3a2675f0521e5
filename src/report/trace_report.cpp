#include "report/trace_report.h"

#include <fmt/format.h>

#include "base/quantity_text.h"
#include "report/counters_report.h"
#include "report/failure_report.h"
#include "report/figure_text.h"
#include "report/json_fields.h"
#include "report/network_report.h"
#include "report/packet_report.h"
#include "report/results_report.h"
#include "report/traffic_report.h"

namespace railyard {

namespace {

std::string plural_of(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", format_count(count), what, count == 1 ? "" : "s");
}

std::string trace_sentence(const Results& results) {
  const TraceResults& t = *results.trace;
  std::string text =
      fmt::format("{}, a {} trace: {}, {} and {} of {}", t.file, t.tool, plural_of(t.computes, "compute"),
                  plural_of(t.messages, "message"), plural_of(t.collectives, "collective"), plural_of(t.ranks, "rank"));
  if (t.ranks != t.file_ranks) text += fmt::format(", repeated from {} of the file", plural_of(t.file_ranks, "rank"));
  return fmt::format("{}, {} engine. {}.{}", text, results.engine, describe(results.fabric),
                     failures_sentence(results.failures));
}

TextTable ranks_table(const TraceResults& t) {
  TextTable table{{"rank", "ends after", "compute", "exposed communication", "waiting"},
                  {Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const TracedRank& rank : t.last)
    table.rows.push_back({std::to_string(rank.rank), microseconds_or_dash(rank.end_us), microseconds_or_dash(rank.compute_us),
                          microseconds_or_dash(rank.exposed_us), microseconds_or_dash(rank.waiting_us)});
  return table;
}

TextTable ops_table(const TraceResults& t) {
  TextTable table{{"what", "ranks", "calls", "bytes", "mean", "longest", "busbw"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const TraceOpRow& op : t.ops)
    table.rows.push_back({op.what, format_count(op.ranks), format_count(op.calls), format(op.size),
                          microseconds_or_dash(op.mean_us), microseconds_or_dash(op.longest_us),
                          fmt::format("{:.2f}", op.busbw_gbs)});
  return table;
}

constexpr JsonField<TracedRank> kRankFields[] = {
    json_field<&TracedRank::rank>("rank"),
    json_field<&TracedRank::end_us>("end_us"),
    json_field<&TracedRank::compute_us>("compute_us"),
    json_field<&TracedRank::exposed_us>("exposed_us"),
    json_field<&TracedRank::waiting_us>("waiting_us"),
};
constexpr JsonField<TraceOpRow> kOpFields[] = {
    json_field<&TraceOpRow::what>("what"),           json_field<&TraceOpRow::ranks>("ranks"),
    json_field<&TraceOpRow::calls>("calls"),         json_field<&TraceOpRow::size>("bytes"),
    json_field<&TraceOpRow::mean_us>("mean_us"),     json_field<&TraceOpRow::longest_us>("longest_us"),
    json_field<&TraceOpRow::busbw_gbs>("busbw_gbs"),
};

constexpr JsonField<TraceResults> kTraceFields[] = {
    json_field<&TraceResults::file>("file"),
    json_field<&TraceResults::format>("format"),
    json_field<&TraceResults::sizes>("sizes"),
    json_field<&TraceResults::ranks>("ranks"),
    json_field<&TraceResults::file_ranks>("file_ranks"),
    json_field<&TraceResults::nodes>("nodes"),
    json_field<&TraceResults::computes>("computes"),
    json_field<&TraceResults::messages>("messages"),
    json_field<&TraceResults::collectives>("collectives"),
    json_field<&TraceResults::makespan_us>("makespan_us"),
    json_field<&TraceResults::compute>("compute_share"),
    json_field<&TraceResults::exposed>("exposed_share"),
    json_field<&TraceResults::waiting>("waiting_share"),
    json_field<&TraceResults::idle>("idle_share"),
};

constexpr const char* kHowPlayed =
    "A node begins when all that it waits for is over; computes of one stream of a rank take turns, and all else runs beside "
    "them. A send is over when its last byte has arrived. A collective begins when the last rank of its group is there; it is "
    "played message by message, and no library adds to it.";

}  // namespace

Report trace_report(const Results& results) {
  const TraceResults& t = *results.trace;
  const TrafficResults& traffic = *results.traffic;
  Report report{results.name, {}};
  report.sections.push_back({"", {trace_sentence(results), std::string(kHowPlayed), t.sizes}});
  report.sections.push_back(
      {"Ranks",
       {ranks_table(t), std::string("Those that end last. Exposed: something of the rank is on the network and it computes "
                                    "nothing; waiting: neither, others are not ready.")}});
  if (!t.ops.empty())
    report.sections.push_back(
        {"Communication",
         {ops_table(t), std::string("Collectives from the arrival of their last rank on. Bytes and bandwidths (GB/s) as "
                                    "nccl-tests define them.")}});
  if (traffic.flows.messages > 0) report.sections.push_back({"Messages", {times_table(traffic)}});
  if (traffic.packets)
    for (Report::Section& section : packet_sections(*traffic.packets)) report.sections.push_back(std::move(section));
  else if (traffic.flows.messages > 0)
    report.sections.push_back({"Load from the first message to the last", {tiers_table(traffic.tiers)}});
  if (!results.lost_links.empty()) report.sections.push_back(lost_links_section(results.lost_links));
  if (!traffic.members.empty()) report.sections.push_back(members_section(traffic.members));
  report.sections.push_back(
      {"What this rests on", {inputs_table(results.inputs, false), std::string("railyard explain shows sources in full.")}});
  if (!results.diagnostics.empty()) report.sections.push_back({"Findings", {results.diagnostics}});
  report.sections.push_back({"", {"fingerprint " + results.fingerprint}});
  return report;
}

std::vector<PageBars> trace_bars(const TraceResults& t) {
  PageBars time{"Where the time of ranks went, on average", "share", {}}, ops{"How long operations took, on average", "µs", {}};
  const auto add = [&](const char* what, double share) {
    time.bars.push_back({what, share, fmt::format("{:.1f} %", 100 * share)});
  };
  add("compute", t.compute);
  add("exposed communication", t.exposed);
  add("waiting for others", t.waiting);
  add("done", t.idle);
  for (const TraceOpRow& op : t.ops)
    ops.bars.push_back(
        {fmt::format("{}, {}", op.what, plural_of(op.ranks, "rank")), op.mean_us, microseconds_or_dash(op.mean_us)});
  return {time, ops};
}

void add_trace(const TraceResults& t, Document& out) {
  Document& trace = out.set("trace", object_of(t, kTraceFields));
  trace.set("slowest", object_of(t.slowest, kRankFields));
  trace.set("last_ranks", list_of(t.last, kRankFields));
  trace.set("operations", list_of(t.ops, kOpFields));
  trace.set("by_port", by_port_document(t.by_port));
}

}  // namespace railyard
