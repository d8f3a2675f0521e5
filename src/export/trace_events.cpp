#include "export/trace_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "base/document.h"
#include "base/json.h"
#include "base/nine_digits.h"

namespace railyard {

namespace {

/// Whether it stands in JSON as it is: nearly every name does.
bool is_plain_json(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

void add_quoted(std::string& out, std::string_view text) {
  if (is_plain_json(text))
    out.append(1, '"').append(text).append(1, '"');
  else
    out += write_compact_json(Document(std::string(text)));
}

void add_whole(std::string& out, std::uint64_t value) {
  std::array<char, std::numeric_limits<std::uint64_t>::digits10 + 1> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

/// "12.345678": microseconds. REQUIRES: it is not negative.
void add_time(std::string& out, Picoseconds time) {
  constexpr std::uint64_t kMicrosecond = 1'000'000;
  const auto ps = static_cast<std::uint64_t>(time.count());
  add_whole(out, ps / kMicrosecond);
  std::array<char, 7> part = {'.'};
  std::uint64_t rest = ps % kMicrosecond;
  for (std::size_t i = part.size() - 1; i > 0; i--, rest /= 10) part[i] = static_cast<char>('0' + rest % 10);
  out.append(part.data(), part.size());
}

/// Nine digits; whole numbers that have no more are written as such, as they would be.
void add_number(std::string& out, double value) {
  constexpr double kNineDigits = 1e9;
  if (value >= 0 && value < kNineDigits && value == std::floor(value) && !std::signbit(value))
    return add_whole(out, static_cast<std::uint64_t>(value));
  append_nine_digits(out, value);
}

}  // namespace

void TraceDetails::key(std::string_view key) {
  if (!json_.empty()) json_ += ',';
  add_quoted(json_, key);
  json_ += ':';
}

TraceDetails& TraceDetails::number(std::string_view name, double value) {
  key(name);
  add_number(json_, value);
  return *this;
}

TraceDetails& TraceDetails::whole(std::string_view name, std::uint64_t value) {
  key(name);
  add_whole(json_, value);
  return *this;
}

TraceDetails& TraceDetails::text(std::string_view name, std::string_view value) {
  key(name);
  add_quoted(json_, value);
  return *this;
}

TraceEvents::TraceEvents(TextSink sink, const TraceDetails& about) : sink_(std::move(sink)) {
  sink_(fmt::format("{{\"displayTimeUnit\":\"ns\",\"otherData\":{{{}}},\"traceEvents\":[", about.json()));
}

TraceEvents& TraceEvents::begin(std::string_view start) {
  event_ = events_++ == 0 ? "\n" : ",\n";
  event_ += start;
  return *this;
}

TraceEvents& TraceEvents::text(std::string_view before, std::string_view value) {
  event_ += before;
  add_quoted(event_, value);
  return *this;
}

TraceEvents& TraceEvents::whole(std::string_view before, std::uint64_t value) {
  event_ += before;
  add_whole(event_, value);
  return *this;
}

TraceEvents& TraceEvents::time(std::string_view before, Picoseconds value) {
  event_ += before;
  add_time(event_, value);
  return *this;
}

TraceEvents& TraceEvents::at(Track track) { return whole(R"(,"pid":)", track.process).whole(R"(,"tid":)", track.thread); }

void TraceEvents::end(std::string_view rest) {
  event_ += rest;
  sink_(event_);
}

std::uint32_t TraceEvents::add_process(std::string_view name) {
  const std::uint32_t process = ++processes_;
  begin(R"({"ph":"M","name":"process_name","pid":)").whole({}, process).text(R"(,"args":{"name":)", name).end("}}");
  begin(R"({"ph":"M","name":"process_sort_index","pid":)").whole({}, process).whole(R"(,"args":{"sort_index":)", process);
  end("}}");
  return process;
}

TraceEvents::Track TraceEvents::add_track(std::uint32_t process, std::string_view name) {
  const Track track{process, ++threads_};
  begin(R"({"ph":"M","name":"thread_name")").at(track).text(R"(,"args":{"name":)", name).end("}}");
  begin(R"({"ph":"M","name":"thread_sort_index")").at(track).whole(R"(,"args":{"sort_index":)", track.thread).end("}}");
  return track;
}

void TraceEvents::slice(Track track, std::string_view name, std::string_view category, Picoseconds start, Picoseconds end,
                        const TraceDetails& details) {
  RY_CHECK(start <= end, "a slice ends after it begins");
  const auto what = [&] {  // some readers match ends by all of it
    text(R"(,"name":)", name).text(R"(,"cat":)", category).at(track);
    event_.append(R"(,"args":{)").append(details.json());
    this->end("}}");
  };
  begin(R"({"ph":"B")").time(R"(,"ts":)", start);
  what();
  begin(R"({"ph":"E")").time(R"(,"ts":)", end);
  what();
}

void TraceEvents::arrow(std::string_view name, Track from, Picoseconds left, Track to, Picoseconds arrived) {
  const std::uint64_t id = ++arrows_;
  begin(R"({"ph":"s")").text(R"(,"name":)", name).whole(R"(,"cat":"arrow","id":)", id).at(from).time(R"(,"ts":)", left);
  end("}");
  begin(R"({"ph":"f","bp":"e")").text(R"(,"name":)", name).whole(R"(,"cat":"arrow","id":)", id).at(to);
  time(R"(,"ts":)", arrived).end("}");
}

TraceEvents::Counter TraceEvents::make_counter(std::uint32_t process, std::string_view name, std::string_view unit) {
  Counter counter;
  counter.before_ = R"({"ph":"C","name":)";
  add_quoted(counter.before_, name);
  counter.before_ += R"(,"pid":)";
  add_whole(counter.before_, process);
  counter.before_ += R"(,"ts":)";
  counter.between_ = R"(,"args":{)";
  add_quoted(counter.between_, unit);
  counter.between_ += ':';
  return counter;
}

void TraceEvents::show(const Counter& counter, Picoseconds at, double value) {
  begin(counter.before_).time({}, at);
  event_ += counter.between_;
  add_number(event_, value);
  end("}}");
}

void TraceEvents::finish() { sink_("\n]}\n"); }

}  // namespace railyard
