// The Trace Event format (JSON) that Perfetto and chrome://tracing open: tracks of slices, arrows between them, counters.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/units.h"

namespace railyard {

/// Takes text as it is made.
using TextSink = std::function<void(std::string_view)>;

/// Details of an event, shown when somebody clicks on it.
class TraceDetails {
 public:
  TraceDetails& number(std::string_view key, double value);
  TraceDetails& whole(std::string_view key, std::uint64_t value);
  TraceDetails& text(std::string_view key, std::string_view value);
  [[nodiscard]] const std::string& json() const { return json_; }  // members, without braces

 private:
  void key(std::string_view key);
  std::string json_;
};

/// Writes events as they come; tracks may be declared at any time before their first event. Times are microseconds with six
/// digits, so that no picosecond is lost.
class TraceEvents {
 public:
  struct Track {
    std::uint32_t process = 0, thread = 0;
  };

  /// Begins the file. `about`: shown with it.
  TraceEvents(TextSink sink, const TraceDetails& about);

  /// A group of tracks, in the order of their declaration.
  std::uint32_t add_process(std::string_view name);
  Track add_track(std::uint32_t process, std::string_view name);

  /// A beginning and an end, each with its time: readers add lengths to times as doubles, and slices that touch would overlap.
  /// REQUIRES: slices of one track come in order and lie apart, and start <= end.
  void slice(Track track, std::string_view name, std::string_view category, Picoseconds start, Picoseconds end,
             const TraceDetails& details = {});
  /// From the slice of `from` at that time to the slice of `to` at that time.
  void arrow(std::string_view name, Track from, Picoseconds left, Track to, Picoseconds arrived);
  /// A counter, and what it counts in.
  class Counter;
  [[nodiscard]] static Counter make_counter(std::uint32_t process, std::string_view name, std::string_view unit);
  /// What it shows from `at` on.
  void show(const Counter& counter, Picoseconds at, double value);

  void finish();

  [[nodiscard]] std::uint64_t count() const { return events_; }

 private:
  // An event is put together in one text that is used again and again: begin(), members each behind `before`, end().
  TraceEvents& begin(std::string_view start);
  TraceEvents& text(std::string_view before, std::string_view value);
  TraceEvents& whole(std::string_view before, std::uint64_t value);
  TraceEvents& time(std::string_view before, Picoseconds value);
  TraceEvents& at(Track track);
  void end(std::string_view rest);

  TextSink sink_;
  std::string event_;
  std::uint64_t events_ = 0, arrows_ = 0;
  std::uint32_t processes_ = 0, threads_ = 0;
};

/// What is the same in all of its events: before the time, and between time and value.
class TraceEvents::Counter {
  friend class TraceEvents;
  std::string before_, between_;
};

}  // namespace railyard
