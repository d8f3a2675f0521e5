// Reads a trace that PyTorch's profiler (Kineto) writes of one rank, and sums it up. Events are cut out one by one, and only
// those on the GPU are parsed: traces have hundreds of megabytes.
#include <algorithm>

#include "measured/readers.h"
#include "measured/text.h"
#include "trace/collective_name.h"
#include "trace/json_list.h"
#include "trace/kineto_event.h"

namespace railyard::kineto {

namespace {

using namespace measured_text;

/// A span of time in microseconds.
struct Span {
  double start = 0, end = 0;
};

/// Behind `"key" :`, where an object has it as text; "" otherwise.
std::string_view text_of_key(std::string_view object, std::string_view key) {
  const auto rest = behind(object, key);
  if (!rest) return {};
  const std::size_t first = rest->find_first_not_of(" \t\r\n:");
  if (first == std::string_view::npos || (*rest)[first] != '"') return {};
  const std::string_view value = rest->substr(first + 1);
  return value.substr(0, value.find('"'));
}

bool is_on_gpu(std::string_view category) {
  return category == "kernel" || category == "gpu_memcpy" || category == "gpu_memset";
}

/// "all_reduce" of "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(…)" and of "allreduce_coalesced"; "" if it says nothing.
std::string collective_in(std::string_view name) {
  if (const auto kind = collective_in_name(name))
    return *kind == TraceCollective::all_to_all ? std::string("alltoall") : std::string(name_of(*kind));
  const std::string plain = printed::lower_case(name.substr(0, 80));
  return contains(plain, "send") || contains(plain, "recv") ? "sendrecv" : "";
}

TracedCollective traced_collective(const KinetoEvent& event) {
  TracedCollective out;
  out.start_s = event.start_us * 1e-6;
  out.seconds = event.length_us * 1e-6;
  out.collective = collective_in(event.collective);
  if (out.collective.empty()) out.collective = collective_in(event.name);
  out.group = short_text(event.group);
  if (event.group_size > 0) out.ranks = event.group_size;
  if (event.bytes > 0) out.size = size_of(event.bytes);
  return out;
}

/// Spans in order, joined where they meet.
std::vector<Span> united(std::vector<Span> spans) {
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.start < b.start; });
  std::vector<Span> out;
  for (const Span& span : spans)
    if (!out.empty() && span.start <= out.back().end)
      out.back().end = std::max(out.back().end, span.end);
    else
      out.push_back(span);
  return out;
}

double length_of(const std::vector<Span>& spans) {
  double out = 0;
  for (const Span& span : spans) out += span.end - span.start;
  return out;
}

/// What two sets of spans have in common. REQUIRES: both are united.
double common_length(const std::vector<Span>& a, const std::vector<Span>& b) {
  double out = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    out += std::max(0.0, std::min(a[i].end, b[j].end) - std::max(a[i].start, b[j].start));
    (a[i].end < b[j].end ? i : j)++;
  }
  return out;
}

class Trace {
 public:
  Trace(const MeasuredText& text, Measurements& all) : text_(text), all_(all) {}

  /// Objects of the array that `events` begins with, up to its end or to one that is cut off.
  void read_events(std::string_view events) {
    while (!events.empty()) {
      const std::size_t first = events.find_first_of("{]");
      if (first == std::string_view::npos || events[first] == ']') return;
      const std::size_t length = length_of_object(events.substr(first));
      if (length == 0) return add_skipped(all_, "the end of a trace that is cut off", {text_.file, 0, 0});
      read_event(events.substr(first, length));
      events.remove_prefix(first + length);
    }
  }

  void finish(std::string_view text) {
    RankTrace out;
    out.where = {text_.file, 1, 0};
    out.host = text_.device;
    if (const auto info = behind(text, "\"distributedInfo\"")) {
      const std::size_t open = std::min(info->find('{'), info->size());
      if (const auto document = json_value(info->substr(open, length_of_object(info->substr(open))))) {
        out.rank = small_number_in(*document, "rank");
        out.ranks = small_number_in(*document, "world_size");
      }
    }
    sum_up(out);
    all_.traces.push_back(std::move(out));
  }

  [[nodiscard]] bool has_events() const { return !on_gpu_.empty() || !on_cpu_.empty(); }

 private:
  void read_event(std::string_view event) {
    const std::string_view category = text_of_key(event, "\"cat\"");
    const bool is_cpu = !is_on_gpu(category) && contains(event, "\"Collective name\"");
    if (!is_on_gpu(category) && !is_cpu) return;
    const KinetoEvent found = kineto_event(json_value(event).value_or(Document::object()));
    if (found.start_us < 0 || found.length_us < 0)
      return add_skipped(all_, "an event of a trace without its time", {text_.file, 0, 0});
    if (is_cpu) {
      on_cpu_.push_back(traced_collective(found));
      return;
    }
    const Span span{found.start_us, found.start_us + found.length_us};
    on_gpu_.push_back(span);
    if (!found.kernel) return;
    (found.communicates ? communication_ : compute_).push_back(span);
    if (found.communicates) collectives_.push_back(traced_collective(found));
  }

  void sum_up(RankTrace& out) {
    const std::vector<Span> compute = united(std::move(compute_)), communication = united(std::move(communication_));
    out.compute_s = length_of(compute) * 1e-6;
    out.exposed_s = std::max(0.0, length_of(communication) - common_length(compute, communication)) * 1e-6;
    out.collectives = collectives_.empty() ? std::move(on_cpu_) : std::move(collectives_);
    std::stable_sort(out.collectives.begin(), out.collectives.end(),
                     [](const TracedCollective& a, const TracedCollective& b) { return a.start_s < b.start_s; });
    double first = out.collectives.empty() ? 0 : out.collectives.front().start_s;
    if (!on_gpu_.empty()) {
      const std::vector<Span> all = united(std::move(on_gpu_));
      first = all.front().start * 1e-6;
      out.seconds = (all.back().end - all.front().start) * 1e-6;
    }
    for (TracedCollective& one : out.collectives) one.start_s -= first;
  }

  const MeasuredText& text_;
  Measurements& all_;
  std::vector<Span> on_gpu_, compute_, communication_;
  std::vector<TracedCollective> collectives_, on_cpu_;
};

bool is_trace(const MeasuredText& text) {
  const std::string_view begin = without_blanks(std::string_view(text.text).substr(0, 64));
  if (!begin.starts_with('{') && !begin.starts_with('[')) return false;
  return contains(text.text, "\"ph\"") && contains(text.text, "\"cat\"") && contains(text.text, "\"ts\"");
}

void read_trace(const MeasuredText& text, Measurements& all) {
  const std::string_view whole = text.text;
  const auto list = behind(whole, "\"traceEvents\"");
  const std::string_view events = list ? *list : whole;
  const std::size_t open = events.find('[');
  if (open == std::string_view::npos) return;
  Trace trace(text, all);
  trace.read_events(events.substr(open + 1));
  if (trace.has_events()) trace.finish(whole);
}

}  // namespace

}  // namespace railyard::kineto

namespace railyard {

std::vector<MeasuredReader> kineto_readers() {
  return {{"a trace of PyTorch's profiler", kineto::is_trace, kineto::read_trace}};
}

}  // namespace railyard
