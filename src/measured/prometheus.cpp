// Reads metrics: answers of Prometheus to a range or instant query, and the text that exporters print.
#include <array>
#include <cmath>

#include "measured/counter_names.h"
#include "measured/readers.h"
#include "measured/text.h"

namespace railyard::prometheus {

namespace {

using namespace measured_text;

using Labels = std::vector<std::pair<std::string, std::string>>;

constexpr std::array<std::string_view, 9> kDeviceLabels = {"Hostname", "hostname", "nodename",    "node",           "host",
                                                           "switch",   "instance", "device_name", "kubernetes_node"};
constexpr std::array<std::string_view, 7> kPortLabels = {"device",    "interface", "ifname", "ifName",
                                                         "port_name", "netdev",    "gpu"};
constexpr std::array<std::string_view, 6> kPriorityLabels = {"priority", "prio",          "queue",
                                                             "pg",       "traffic_class", "switch_priority"};

std::string_view label_in(const Labels& labels, std::string_view name) {
  for (const auto& [key, value] : labels)
    if (key == name) return value;
  return {};
}

template<std::size_t N>
std::string_view first_label(const Labels& labels, const std::array<std::string_view, N>& names) {
  for (const std::string_view name : names)
    if (const std::string_view value = label_in(labels, name); !value.empty()) return value;
  return {};
}

/// "gpu01" of "gpu01:9100", and of nothing the device of the file.
std::string device_in(const Labels& labels, const std::string& otherwise) {
  const std::string_view said = first_label(labels, kDeviceLabels);
  return said.empty() ? otherwise : short_text(said.substr(0, said.find(':')));
}

/// Metrics of several directions have the direction in a label.
std::string full_name(std::string_view name, const Labels& labels) {
  std::string_view direction = label_in(labels, "direction");
  if (direction == "receive" || direction == "in") direction = "rx";
  if (direction == "transmit" || direction == "out") direction = "tx";
  if (direction.empty()) return std::string(name);
  if (name.ends_with("_total")) name.remove_suffix(6);
  return std::string(name) + "_" + std::string(direction);
}

/// One series: who it belongs to and what it counts.
struct Series {
  CounterSample sample;
  double unit = 1;
};

Series series_of(std::string_view name, const Labels& labels, const std::string& device) {
  const CounterMeaning meaning = counter_meaning(full_name(name, labels));
  Series out;
  out.unit = meaning.unit;
  out.sample.device = device_in(labels, device);
  out.sample.port = short_text(first_label(labels, kPortLabels));
  if (const auto number = small_number(label_in(labels, "port")); number && *number > 1)
    out.sample.port += "/" + std::to_string(*number);
  out.sample.name = short_text(name);
  out.sample.kind = meaning.kind;
  out.sample.priority = meaning.priority;
  if (const auto said = small_number(first_label(labels, kPriorityLabels))) out.sample.priority = said;
  return out;
}

void add_value(Measurements& all, const Series& series, double value, double time, const SourceSpan& where) {
  CounterSample sample = series.sample;
  sample.value = value * series.unit;
  sample.time_s = time;
  sample.where = where;
  all.counters.push_back(std::move(sample));
}

/// `[1700000000, "12"]`.
void add_pair(Measurements& all, const Series& series, const Document& pair) {
  const auto* items = pair.items();
  if (!items || items->size() != 2) return;
  double storage = 0;
  const double* time = (*items)[0].number(storage);
  const std::string* text = (*items)[1].text();
  const auto value = text ? decimal(*text) : std::nullopt;
  if (time && value && std::isfinite(*time)) add_value(all, series, *value, *time, {pair.where().file, pair.where().line, 0});
}

bool is_answer(const MeasuredText& text) { return contains(text.text, "\"resultType\"") && contains(text.text, "\"metric\""); }

void read_answer(const MeasuredText& text, Measurements& all) {
  const auto answer = json_of(text, "an answer of Prometheus", all);
  const Document* results = answer ? answer->at_path("data.result") : nullptr;
  if (!results || !results->items()) return;
  for (const Document& result : *results->items()) {
    const Document* metric = result.find("metric");
    if (!metric || !metric->members()) continue;
    Labels labels;
    for (const Document::Member& label : *metric->members())
      if (label.value.text()) labels.emplace_back(label.key, *label.value.text());
    const Series series = series_of(label_in(labels, "__name__"), labels, text.device);
    if (const Document* values = result.find("values"); values && values->items())
      for (const Document& pair : *values->items()) add_pair(all, series, pair);
    if (const Document* value = result.find("value")) add_pair(all, series, *value);
  }
}

bool is_metric_name(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:";
  return !text.empty() && text.find_first_not_of(kLetters) == std::string_view::npos && !digits(text.substr(0, 1));
}

/// `name{label="value",…} value [time]`; none where the line is no sample.
struct TextSample {
  std::string_view name;
  Labels labels;
  double value = 0;
  std::optional<double> time;  // as written
};

/// Takes labels up to the closing brace; false where there is none.
bool take_labels(std::string_view& rest, Labels& labels) {
  while (!rest.empty() && rest.front() != '}') {
    const std::size_t equals = rest.find("=\"");
    if (equals == std::string_view::npos) return false;
    const std::string_view key = without_blanks(rest.substr(0, equals));
    std::string value;
    std::size_t at = equals + 2;
    for (; at < rest.size() && rest[at] != '"'; at++) {
      if (rest[at] == '\\' && at + 1 < rest.size()) at++;
      value += rest[at];
    }
    if (at >= rest.size()) return false;
    labels.emplace_back(key, std::move(value));
    rest = rest.substr(at + 1);
    while (rest.starts_with(',') || rest.starts_with(' ')) rest.remove_prefix(1);
  }
  if (rest.empty()) return false;
  rest.remove_prefix(1);
  return true;
}

std::optional<TextSample> sample_of_line(std::string_view line) {
  TextSample out;
  const std::size_t end = line.find_first_of("{ \t");
  if (end == std::string_view::npos) return std::nullopt;
  out.name = line.substr(0, end);
  std::string_view rest = line.substr(end);
  if (!is_metric_name(out.name)) return std::nullopt;
  if (rest.front() == '{') {
    rest.remove_prefix(1);
    if (!take_labels(rest, out.labels)) return std::nullopt;
  }
  const std::vector<std::string_view> words = words_of(rest.substr(0, rest.find('#')));
  const auto value = !words.empty() && words.size() <= 2 ? decimal(words[0]) : std::nullopt;
  if (!value) return std::nullopt;
  out.value = *value;
  if (words.size() == 2) out.time = decimal(words[1]);
  return out;
}

bool is_exposition(const MeasuredText& text) {
  return contains(text.text, "# TYPE ") || contains(text.text, "# HELP ") ||
         (contains(text.text, "{device=\"") && contains(text.text, "_total{"));
}

void read_exposition(const MeasuredText& text, Measurements& all) {
  constexpr double kMilliseconds = 1e11;  // times of the older text are in milliseconds, of OpenMetrics in seconds
  for (const NumberedLine& line : printed::numbered_lines(text.text)) {
    const std::string_view content = without_blanks(line.text);
    if (content.empty() || content.front() == '#') continue;
    const auto sample = sample_of_line(content);
    if (!sample) {
      if (contains(content, "{") && is_metric_name(content.substr(0, content.find('{'))))
        add_skipped(all, "a line of metrics that is cut off", {text.file, line.number, 0});
      continue;
    }
    if (sample->name.ends_with("_info") || sample->name.ends_with("_bucket") || sample->name.ends_with("_created")) continue;
    const double time = sample->time.value_or(0) / (sample->time.value_or(0) > kMilliseconds ? 1e3 : 1);
    add_value(all, series_of(sample->name, sample->labels, text.device), sample->value, time, {text.file, line.number, 0});
  }
}

}  // namespace

}  // namespace railyard::prometheus

namespace railyard {

std::vector<MeasuredReader> prometheus_readers() {
  return {{"an answer of Prometheus", prometheus::is_answer, prometheus::read_answer},
          {"metrics as text", prometheus::is_exposition, prometheus::read_exposition}};
}

}  // namespace railyard
