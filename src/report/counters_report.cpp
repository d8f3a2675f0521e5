#include "report/counters_report.h"

#include "report/json_fields.h"

namespace railyard {

namespace {

constexpr JsonField<PriorityRow> kPriorityFields[] = {
    json_field<&PriorityRow::port>("port"),
    json_field<&PriorityRow::priority>("priority"),
    json_field<&PriorityRow::sent>("pauses_sent"),
    json_field<&PriorityRow::received>("pauses_received"),
    json_field<&PriorityRow::transitions>("transitions"),
    json_field<&PriorityRow::paused_us>("paused_us"),
};

constexpr JsonField<NicRow> kNicFields[] = {
    json_field<&NicRow::nic>("nic"),
    json_field<&NicRow::cnp_sent>("cnp_sent"),
    json_field<&NicRow::cnp_handled>("cnp_handled"),
    json_field<&NicRow::marked>("ecn_marked"),
    json_field<&NicRow::out_of_sequence>("out_of_sequence"),
    json_field<&NicRow::naks_sent>("naks_sent"),
    json_field<&NicRow::timeouts>("timeouts"),
    json_field<&NicRow::retransmissions>("retransmissions"),
};

constexpr JsonField<WaitBucket> kWaitFields[] = {
    json_field<&WaitBucket::from_ns>("from"),
    json_field<&WaitBucket::to_ns>("to"),
    json_field<&WaitBucket::packets>("packets"),
};

constexpr JsonField<WaitSpread> kWaitSpreadFields[] = {
    json_field<&WaitSpread::packets>("packets"), json_field<&WaitSpread::p50_ns>("p50"),
    json_field<&WaitSpread::p90_ns>("p90"),      json_field<&WaitSpread::p99_ns>("p99"),
    json_field<&WaitSpread::p999_ns>("p999"),
};

Document collective_document(const CollectiveOnPort& row) {
  Document out = Document::object();
  out.set("what", Document(row.what));
  out.set("bytes", Document(row.bytes));
  if (row.bins.empty()) return out;  // nobody knows when
  out.set("first_s", Document(row.first_s));
  out.set("last_s", Document(row.last_s));
  Document& bins = out.set("bytes_by_bin", Document::array());
  for (const double bytes : row.bins) bins.push(Document(bytes));
  return out;
}

}  // namespace

void add_counters(const CounterResults& counters, Document& out) {
  out.set("port_priorities", list_of(counters.priorities, kPriorityFields));
  out.set("nics", list_of(counters.nics, kNicFields));
  const auto left_out = static_cast<std::int64_t>(counters.priorities_left_out + counters.nics_left_out);
  if (left_out > 0) out.set("counters_left_out", Document(left_out));
  Document& waits = out.set("queue_time_ns", object_of(counters.waits, kWaitSpreadFields));
  waits.set("buckets", list_of(counters.waits.buckets, kWaitFields));
}

Document cdf_document(const std::vector<CdfPoint>& points, const char* unit) {
  Document out = Document::array();
  for (const CdfPoint& point : points) {
    Document& item = out.push(Document::object());
    item.set("share", Document(point.share));
    item.set(unit, Document(point.value));
  }
  return out;
}

Document by_port_document(const CollectivesByPort& by_port) {
  Document out = Document::object();
  out.set("bin_s", Document(by_port.bin_s));
  Document& ports = out.set("ports", Document::array());
  for (const PortCollectives& port : by_port.ports) {
    Document& item = ports.push(Document::object());
    item.set("port", Document(port.name));
    item.set("bytes", Document(port.bytes));
    Document& rows = item.set("collectives", Document::array());
    for (const CollectiveOnPort& row : port.collectives) rows.push(collective_document(row));
  }
  out.set("left_out", Document(static_cast<std::int64_t>(by_port.left_out)));
  if (!by_port.unknown.empty()) out.set("unknown", Document(by_port.unknown));
  return out;
}

}  // namespace railyard
