#include "scenario/read/traffic_file.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

#include "base/quantity_text.h"

namespace railyard {

namespace {

constexpr std::size_t kEnough = 20;  // mistakes
constexpr Bytes kLargest = Bytes(1'000'000'000'000'000);
constexpr Picoseconds kLatest = Picoseconds(3600 * kPicosecondsPerSecond);
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // as spreadsheets begin a file
constexpr const char* kHeaderHint = "begin with the line start_us,source,destination,bytes";

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

void split(std::string_view line, std::vector<std::string_view>& cells) {
  cells.clear();
  for (;;) {
    const std::size_t comma = line.find(',');
    cells.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    line.remove_prefix(comma + 1);
  }
}

/// A plain decimal in a unit of 10^`power` picoseconds that is exact and within the limit; what is not goes the long way.
std::optional<Picoseconds> plain_time(std::string_view text, int power) {
  constexpr std::size_t kLongest = 17;  // characters: no overflow
  std::int64_t value = 0;
  int places = -1;  // after the point, once there is one
  if (text.empty() || text.size() > kLongest || !is_digit(text.front()) || !is_digit(text.back())) return std::nullopt;
  for (const char c : text) {
    if (c == '.' && places < 0) {
      places = 0;
    } else if (is_digit(c)) {
      value = value * 10 + (c - '0');
      if (places >= 0) places++;
    } else {
      return std::nullopt;
    }
  }
  int zeros = power - std::max(places, 0);
  if (zeros < 0) return std::nullopt;
  for (; zeros > 0; zeros--) {
    if (value > kLatest.count()) return std::nullopt;
    value *= 10;
  }
  return value <= kLatest.count() ? std::optional(Picoseconds(value)) : std::nullopt;
}

template<class T>
std::optional<T> whole(std::string_view text) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class TrafficReader {
 public:
  explicit TrafficReader(const std::string& file) : file_(file) {}

  Result<std::vector<TrafficLine>> run(std::string_view text) {
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    for (std::uint32_t number = 1; !text.empty(); number++) {
      const std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      line = trimmed(line.substr(0, line.find('#')));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      if (!line.empty()) read(line, number);
      if (found_.size() >= kEnough || (!found_.empty() && columns_ == 0)) return found_;
    }
    if (found_.empty() && lines_.empty())
      mistake(0, "this file lists no flows", std::string(kHeaderHint) + ", and write one line per flow");
    if (!found_.empty()) return found_;
    return std::move(lines_);
  }

 private:
  enum Column : std::size_t { start, source, destination, bytes };
  static constexpr std::size_t kNone = ~std::size_t{0};

  void mistake(std::uint32_t line, std::string message, std::string hint) {
    found_.push_back({Severity::error, "RY-SCN-100", std::move(message), std::move(hint), {file_, line, line == 0 ? 0U : 1U}});
  }

  void read(std::string_view line, std::uint32_t number) {
    split(line, cells_);
    if (columns_ == 0) return read_header(cells_, number);
    if (cells_.size() != columns_)
      return mistake(number, fmt::format("this line has {} values, and the header has {} columns", cells_.size(), columns_),
                     "give every column a value");
    read_flow(cells_, number);
  }

  void read_header(const std::vector<std::string_view>& cells, std::uint32_t number) {
    for (std::size_t i = 0; i < cells.size(); i++) {
      const auto column = named(cells[i]);
      if (!column) return mistake(number, fmt::format("unknown column \"{}\"", printable(cells[i])), kHeaderHint);
      if (at_[*column] != kNone)
        return mistake(number, fmt::format("column \"{}\" occurs twice", printable(cells[i])), kHeaderHint);
      at_[*column] = i;
      if (*column == start) unit_ = cells[i] == "start_us" ? "us" : "s";
    }
    for (const std::size_t column_index : at_)
      if (column_index == kNone) return mistake(number, "a column is missing", kHeaderHint);
    columns_ = cells.size();
  }

  static std::optional<Column> named(std::string_view word) {
    if (word == "start_us" || word == "start_s") return start;
    if (word == "source" || word == "src") return source;
    if (word == "destination" || word == "dst") return destination;
    if (word == "bytes") return bytes;
    return std::nullopt;
  }

  void read_flow(const std::vector<std::string_view>& cells, std::uint32_t number) {
    const std::string_view when = cells[at_[start]], size = cells[at_[bytes]];
    const auto time = time_of(when);
    if (!time)
      return mistake(number, fmt::format("\"{}\" is not a start time", printable(when)),
                     "write a number that is not negative, of at most an hour");
    const auto from = whole<std::uint32_t>(cells[at_[source]]), to = whole<std::uint32_t>(cells[at_[destination]]);
    for (const auto& [host, column] : {std::pair(from, source), std::pair(to, destination)})
      if (!host)
        return mistake(number, fmt::format("\"{}\" is not the number of a host", printable(cells[at_[column]])),
                       "write a whole number, 0 for the first host");
    if (*from == *to) return mistake(number, fmt::format("host {} sends to itself", *from), "name two hosts");
    const auto count = whole<std::int64_t>(size);
    if (!count || *count < 1 || *count > kLargest.count())
      return mistake(number, fmt::format("\"{}\" is not a number of bytes", printable(size)),
                     "write a whole number from 1 to 10^15, without a unit");
    lines_.push_back({*time, *from, *to, Bytes(*count), number});
  }

  [[nodiscard]] std::optional<Picoseconds> time_of(std::string_view when) const {
    if (const auto plain = plain_time(when, unit_ == "us" ? 6 : 12)) return plain;
    if (when.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return std::nullopt;
    const auto time = parse_quantity<Picoseconds>(std::string(when) + unit_);
    return time && *time <= kLatest ? std::optional(*time) : std::nullopt;
  }

  const std::string& file_;
  std::array<std::size_t, 4> at_ = {kNone, kNone, kNone, kNone};  // where each column stands
  std::size_t columns_ = 0;                                       // none before the first line
  std::string unit_;
  std::vector<std::string_view> cells_;  // of the line at hand
  std::vector<TrafficLine> lines_;
  Diagnostics found_;
};

}  // namespace

Result<std::vector<TrafficLine>> read_traffic(std::string_view text, const std::string& file) {
  return TrafficReader(file).run(text);
}

Diagnostics missing_hosts(const std::vector<TrafficLine>& lines, std::uint32_t hosts, const std::string& file) {
  Diagnostics found;
  for (const TrafficLine& line : lines) {
    const std::uint32_t highest = std::max(line.source, line.destination);
    if (highest < hosts) continue;
    found.push_back({Severity::error,
                     "RY-SCN-101",
                     fmt::format("host {} does not exist: the traffic has {} hosts", highest, hosts),
                     hosts == 0 ? "set traffic.hosts or cluster.gpus" : fmt::format("use numbers from 0 to {}", hosts - 1),
                     {file, line.line, 1}});
    if (found.size() == kEnough) break;
  }
  return found;
}

}  // namespace railyard
