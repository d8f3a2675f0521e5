#include "trace/inspector_record.h"

#include <algorithm>
#include <limits>

#include "base/json.h"
#include "trace/collective_name.h"
#include "trace/json_members.h"

namespace railyard {

namespace {

constexpr double kLargestWhole = 9e15;  // that a double holds exactly

/// A whole number from 0 to `largest`; none if it is another.
std::optional<std::uint64_t> whole_member(const Document& object, std::string_view key, double largest = kLargestWhole) {
  const double value = number_member(object, key, -1);
  if (!(value >= 0 && value <= largest)) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

std::uint32_t small_member(const Document& object, std::string_view key) {
  return static_cast<std::uint32_t>(whole_member(object, key, std::numeric_limits<std::uint32_t>::max()).value_or(0));
}

/// When its first kernel began, by the clock of the host; of those that tell no kernels, when it was called.
std::optional<double> start_of(const Document& call, const std::string& prefix) {
  const Document* const times = call.find("event_trace_ts");
  if (!times || !times->members()) return std::nullopt;
  double first = number_member(*times, prefix + "start_ts", 0);
  double kernel = std::numeric_limits<double>::infinity();
  if (const Document* const kernels = times->find("kernel_events"); kernels && kernels->items())
    for (const Document& one : *kernels->items())
      if (const double start = number_member(one, "kernel_start_ts", 0); start > 0) kernel = std::min(kernel, start);
  if (kernel < kLargestWhole) first = kernel;
  return first > 0 && first < kLargestWhole ? std::optional(first) : std::nullopt;
}

bool read_call(const Document& call, const std::string& prefix, InspectorRecord& out) {
  const auto bytes = whole_member(call, prefix + "msg_size_bytes");
  const double time = number_member(call, prefix + "exec_time_us", -1);
  if (!bytes || !(time >= 0 && time <= 86'400e6)) return false;
  out.bytes = *bytes;
  out.time_us = time;
  out.number = whole_member(call, prefix + "sn").value_or(0);
  out.peer = small_member(call, prefix + "peer");
  out.algorithm_gbs = number_member(call, prefix + "algobw_gbs", -1);
  out.bus_gbs = number_member(call, prefix + "busbw_gbs", -1);
  out.start_us = start_of(call, prefix);
  return true;
}

}  // namespace

std::optional<std::int64_t> InspectorRecord::buffer_bytes() const {
  const auto kind = collective_in_name(call);
  const bool parts = !message && (kind == TraceCollective::all_gather || kind == TraceCollective::reduce_scatter ||
                                  kind == TraceCollective::all_to_all);
  const std::uint64_t times = parts ? std::max<std::uint32_t>(1, ranks) : 1;
  if (bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) / times) return std::nullopt;
  return static_cast<std::int64_t>(bytes * times);
}

InspectorLine read_inspector_line(std::string_view line, InspectorRecord& record) {
  const auto document = parse_json(line, "", "RY-TRC-002");
  if (!document || !document->members()) return InspectorLine::broken;
  const Document *const collective = document->find("coll_perf"), *const message = document->find("p2p_perf");
  if (!collective && !message) return InspectorLine::other;
  const Document *const header = document->find("header"), *const origin = document->find("metadata");
  const Document& call = collective ? *collective : *message;
  if (!header || !header->members() || !call.members()) return InspectorLine::broken;
  record = {};
  record.message = !collective;
  record.call = text_member(call, collective ? "coll" : "p2p");
  if (!read_call(call, collective ? "coll_" : "p2p_", record)) return InspectorLine::broken;
  record.communicator = text_member(*header, "id");
  record.rank = small_member(*header, "rank");
  record.ranks = small_member(*header, "n_ranks");
  record.nodes = small_member(*header, "nnodes");
  if (!origin || !origin->members()) return InspectorLine::call;
  record.host = text_member(*origin, "hostname");
  record.process = whole_member(*origin, "pid").value_or(0);
  record.version = text_member(*origin, "inspector_output_format_version");
  return InspectorLine::call;
}

}  // namespace railyard
