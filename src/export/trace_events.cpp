#include "export/trace_events.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "base/document.h"
#include "base/json.h"

namespace railyard {

namespace {

/// Whether it stands in JSON as it is: nearly every name does.
bool is_plain_json(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

std::string quoted(std::string_view text) {
  if (!is_plain_json(text)) return write_compact_json(Document(std::string(text)));
  std::string out;
  out.reserve(text.size() + 2);
  return out.append(1, '"').append(text).append(1, '"');
}

/// "12.345678": microseconds.
std::string trace_time(Picoseconds time) {
  constexpr std::int64_t kMicrosecond = 1'000'000;
  return fmt::format("{}.{:06}", time.count() / kMicrosecond, time.count() % kMicrosecond);
}

}  // namespace

void TraceDetails::key(std::string_view key) {
  if (!json_.empty()) json_ += ',';
  json_ += quoted(key) + ':';
}

TraceDetails& TraceDetails::number(std::string_view name, double value) {
  key(name);
  json_ += fmt::format("{:.9g}", value);
  return *this;
}

TraceDetails& TraceDetails::whole(std::string_view name, std::uint64_t value) {
  key(name);
  json_ += std::to_string(value);
  return *this;
}

TraceDetails& TraceDetails::text(std::string_view name, std::string_view value) {
  key(name);
  json_ += quoted(value);
  return *this;
}

TraceEvents::TraceEvents(TextSink sink, const TraceDetails& about) : sink_(std::move(sink)) {
  sink_(fmt::format("{{\"displayTimeUnit\":\"ns\",\"otherData\":{{{}}},\"traceEvents\":[", about.json()));
}

void TraceEvents::event(std::string_view json) {
  sink_(events_++ == 0 ? "\n" : ",\n");
  sink_(json);
}

std::uint32_t TraceEvents::add_process(std::string_view name) {
  const std::uint32_t process = ++processes_;
  event(fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})", process, quoted(name)));
  event(fmt::format(R"({{"ph":"M","name":"process_sort_index","pid":{0},"args":{{"sort_index":{0}}}}})", process));
  return process;
}

TraceEvents::Track TraceEvents::add_track(std::uint32_t process, std::string_view name) {
  const Track track{process, ++threads_};
  event(fmt::format(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})", track.process, track.thread,
                    quoted(name)));
  event(fmt::format(R"({{"ph":"M","name":"thread_sort_index","pid":{0},"tid":{1},"args":{{"sort_index":{1}}}}})", track.process,
                    track.thread));
  return track;
}

void TraceEvents::slice(Track track, std::string_view name, std::string_view category, Picoseconds start, Picoseconds end,
                        const TraceDetails& details) {
  RY_CHECK(start <= end, "a slice ends after it begins");
  const std::string what = fmt::format(R"("name":{},"cat":{},"pid":{},"tid":{},"args":{{{}}})", quoted(name), quoted(category),
                                       track.process, track.thread, details.json());
  event(fmt::format(R"({{"ph":"B","ts":{},{}}})", trace_time(start), what));
  event(fmt::format(R"({{"ph":"E","ts":{},{}}})", trace_time(end), what));  // some readers match ends by all of it
}

void TraceEvents::arrow(std::string_view name, Track from, Picoseconds left, Track to, Picoseconds arrived) {
  const std::string what = quoted(name);
  const std::uint64_t id = ++arrows_;
  event(fmt::format(R"({{"ph":"s","name":{},"cat":"arrow","id":{},"pid":{},"tid":{},"ts":{}}})", what, id, from.process,
                    from.thread, trace_time(left)));
  event(fmt::format(R"({{"ph":"f","bp":"e","name":{},"cat":"arrow","id":{},"pid":{},"tid":{},"ts":{}}})", what, id, to.process,
                    to.thread, trace_time(arrived)));
}

void TraceEvents::counter(std::uint32_t process, std::string_view name, Picoseconds at, const TraceDetails& values) {
  event(fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":{},"args":{{{}}}}})", quoted(name), process, trace_time(at),
                    values.json()));
}

void TraceEvents::finish() { sink_("\n]}\n"); }

}  // namespace railyard
