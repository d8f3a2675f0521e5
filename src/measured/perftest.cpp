// Reads what perftest prints (ib_write_bw, ib_read_lat, …), and tables of its results as comma-separated values.
//
// Server and client may print into one file at once: every title opens a run, each line of settings goes to the first run that
// has none of it, and a row to the first run that it can follow.
#include <algorithm>
#include <array>

#include "measured/readers.h"
#include "measured/text.h"

namespace railyard::perftest {

namespace {

using namespace measured_text;

constexpr std::size_t kMostBeside = 64;  // who print at once
constexpr double kMebibyte = 1048576, kMicrosecond = 1e-6;

/// What the header of a table says of its columns.
struct Header {
  std::vector<std::string> columns;  // "bytes", "iterations", "peak", "average", "rate", "min", …
  double unit = 0;                   // bytes per second of one bandwidth printed
  bool is_latency = false;
};

struct OpenRun {
  PerftestRun run;
  Header header;
  std::vector<std::string> said;  // keys of settings that it has
};

std::optional<Header> header_of(std::string_view line) {
  if (!contains(line, "#bytes")) return std::nullopt;
  Header out;
  out.is_latency = contains(line, "t_min") || contains(line, "t_avg");
  for (const std::string_view word : words_of(line)) {
    if (word.starts_with("BW") || word.starts_with("percentile") || word == "#") continue;
    const std::string_view name = word.substr(0, word.find('['));
    out.columns.emplace_back(name);
  }
  out.unit = contains(line, "[Gb/sec]") ? 1e9 / 8 : contains(line, "[GB/sec]") ? 1e9 : kMebibyte;
  return out;
}

std::optional<double> cell(const std::vector<std::string_view>& words, const Header& header, std::string_view name) {
  const auto found = std::find(header.columns.begin(), header.columns.end(), name);
  const auto at = static_cast<std::size_t>(found - header.columns.begin());
  if (found == header.columns.end() || at >= words.size()) return std::nullopt;
  const auto value = decimal(words[at]);
  return value && *value >= 0 ? value : std::nullopt;
}

/// A row, none where the line is none; `cut` tells of one that breaks off.
std::optional<PerftestRow> row_of_table(std::string_view line, const Header& header, bool& cut) {
  const std::vector<std::string_view> words = words_of(line);
  if (words.size() < 2) return std::nullopt;
  const auto size = digits(words[0]), iterations = digits(words[1]);
  if (!size || !iterations || !size_of(static_cast<double>(*size))) return std::nullopt;
  PerftestRow row;
  row.size = *size_of(static_cast<double>(*size));
  row.iterations = *iterations;
  const auto seconds = [&](std::string_view name) {
    const auto value = cell(words, header, name);
    return value ? std::optional(*value * kMicrosecond) : std::nullopt;
  };
  const auto rate = [&](std::string_view name) {
    const auto value = cell(words, header, name);
    return value ? std::optional(*value * header.unit) : std::nullopt;
  };
  cut = words.size() < header.columns.size();
  if (cut) return std::nullopt;
  row.peak = rate("peak");
  row.average = rate("average");
  if (row.peak == 0.0 && row.average.value_or(0) > 0) row.peak = std::nullopt;  // tests of a duration have none
  row.min_s = seconds("t_min");
  row.max_s = seconds("t_max");
  row.typical_s = seconds("t_typical");
  row.average_s = seconds("t_avg");
  row.p99_s = seconds("99%");
  const bool has_value = row.average || row.average_s || row.typical_s;
  return has_value ? std::optional(row) : std::nullopt;
}

/// "ib_write_bw" of "RDMA_Write Bidirectional BW Test".
std::string tool_of_title(std::string_view title) {
  std::string name = contains(title, "Write")  ? "write"
                     : contains(title, "Read") ? "read"
                     : contains(title, "Send") ? "send"
                                               : "atomic";
  if (contains(title, "Raw Ethernet") || contains(title, "raw_ethernet")) return "raw_ethernet_" + name;
  return "ib_" + name + (contains(title, "Latency") ? "_lat" : "_bw");
}

bool is_title(std::string_view line) {
  return (line.ends_with("BW Test") || line.ends_with("Latency Test") || line.ends_with("Post List BW Test")) &&
         line.size() < 80;
}

/// "TX depth : 128" of lines that may have two settings each.
struct Setting {
  std::string_view key, value;
};
std::vector<Setting> settings_of(std::string_view line) {
  std::vector<Setting> out;
  std::string_view rest = line;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    if (colon == std::string_view::npos) return out;
    const std::string_view key = without_blanks(rest.substr(0, colon));
    std::string_view behind_colon = rest.substr(colon + 1);
    const std::size_t first = std::min(behind_colon.find_first_not_of(" \t"), behind_colon.size());
    const std::size_t end = std::min({behind_colon.find("  ", first), behind_colon.find('\t', first), behind_colon.size()});
    out.push_back({key, without_blanks(behind_colon.substr(0, end))});
    rest = without_blanks(behind_colon.substr(end));
  }
  return out;
}

bool apply(const Setting& setting, PerftestRun& run) {
  const auto [key, value] = setting;
  if (key == "Device")
    run.device = short_text(value);
  else if (key == "Number of qps")
    run.queue_pairs = small_number(value);
  else if (key == "Transport type")
    run.transport = short_text(value);
  else if (key == "TX depth")
    run.depth = small_number(value);
  else if (key == "Mtu")
    run.mtu = leading_number(value) ? std::optional(Bytes(*leading_number(value))) : std::nullopt;
  else if (key == "Link type")
    run.link = value == "IB" ? "InfiniBand" : short_text(value);
  else if (key == "GID index")
    run.gid_index = small_number(value);
  else
    return false;
  return true;
}

/// Whether the next word of a command belongs to this one.
bool takes_a_value(std::string_view word) {
  constexpr std::array<std::string_view, 12> kAlone = {
      "-a", "-b", "-F", "-R", "-N", "-H", "-U", "-z", "--all", "--bidirectional", "--report_gbits", "--CPU-freq"};
  return word.starts_with('-') && !contains(word, "=") && std::find(kAlone.begin(), kAlone.end(), word) == kAlone.end();
}

class Runs {
 public:
  Runs(const MeasuredText& text, Measurements& all) : text_(text), all_(all) {}

  void read(const NumberedLine& line) {
    const std::string_view text = without_blanks(line.text);
    if (text.empty() || text.starts_with("---")) return;
    if (is_title(text)) return open(text, line.number);
    if (const auto header = header_of(text)) return give_header(*header, line.number);
    if (contains(text, "ib_") || contains(text, "use_cuda") || contains(text, "use_rocm")) read_command(text);
    if (open_.empty()) return;
    bool cut = false;
    if (auto row = row_of_table(text, first_header(), cut)) return add_row(std::move(*row), line.number);
    if (cut) return add_skipped(all_, "a row of perftest that is cut off", {text_.file, line.number, 0});
    for (const Setting& setting : settings_of(text)) give_setting(setting);
  }

  void finish() {
    for (OpenRun& one : open_)
      if (!one.run.rows.empty()) all_.perftests.push_back(std::move(one.run));
    open_.clear();
  }

 private:
  [[nodiscard]] const Header& first_header() const { return open_.front().header; }

  void open(std::string_view title, std::uint32_t number) {
    const bool had_rows = std::any_of(open_.begin(), open_.end(), [](const OpenRun& one) { return !one.run.rows.empty(); });
    if (had_rows || open_.size() >= kMostBeside) finish();
    OpenRun next;
    next.run.tool = tool_of_title(title);
    next.run.is_latency = contains(title, "Latency");
    next.run.bidirectional = contains(title, "Bidirectional");
    next.run.gpu_memory = gpu_memory_;
    next.run.host = text_.device;
    next.run.peer = peer_;
    next.run.where = {text_.file, number, 0};
    open_.push_back(std::move(next));
  }

  void give_header(const Header& header, std::uint32_t number) {
    const auto is_bare = [](const OpenRun& one) { return one.header.columns.empty(); };
    if (std::none_of(open_.begin(), open_.end(), is_bare)) open_untitled(number);
    OpenRun& one = *std::find_if(open_.begin(), open_.end(), is_bare);
    one.header = header;
    one.run.is_latency = header.is_latency;
  }

  /// A header without a title before it.
  void open_untitled(std::uint32_t number) {
    const bool goes_on = !open_.empty() && open_.back().run.rows.empty() && open_.size() < kMostBeside;
    if (!goes_on) finish();
    OpenRun next;
    next.run.host = text_.device;
    next.run.gpu_memory = gpu_memory_;
    next.run.peer = peer_;
    next.run.where = {text_.file, number, 0};
    open_.push_back(std::move(next));
  }

  /// `ib_write_bw -d mlx5_0 -q 4 --use_cuda=0 gpu02`: what the settings do not say.
  void read_command(std::string_view line) {
    if (contains(line, "--use_cuda") || contains(line, "--use_rocm") || contains(line, "--use-cuda")) gpu_memory_ = true;
    const std::vector<std::string_view> words = words_of(line);
    const auto program = std::find_if(words.begin(), words.end(), [](std::string_view word) {
      const std::string_view name = last_part(word);
      return name.starts_with("ib_") && (name.ends_with("_bw") || name.ends_with("_lat"));
    });
    if (program == words.end()) return;
    if (!contains(line, "--use_")) gpu_memory_ = false;
    const std::string_view last = words.back();
    const bool is_peer =
        program + 1 != words.end() && !last.starts_with('-') && !digits(last) && !takes_a_value(*(words.end() - 2));
    peer_ = is_peer ? short_text(last) : std::string();
  }

  void give_setting(const Setting& setting) {
    const auto lacks = [&](const OpenRun& one) {
      return std::find(one.said.begin(), one.said.end(), setting.key) == one.said.end();
    };
    const auto one = std::find_if(open_.begin(), open_.end(), lacks);
    if (one != open_.end() && apply(setting, one->run)) one->said.emplace_back(setting.key);
  }

  void add_row(PerftestRow row, std::uint32_t number) {
    row.where = {text_.file, number, 0};
    const auto can_follow = [&](const OpenRun& one) { return one.run.rows.empty() || one.run.rows.back().size < row.size; };
    auto one = std::find_if(open_.begin(), open_.end(), can_follow);
    if (one == open_.end()) one = open_.end() - 1;
    one->run.rows.push_back(std::move(row));
  }

  const MeasuredText& text_;
  Measurements& all_;
  std::vector<OpenRun> open_;
  std::optional<bool> gpu_memory_;
  std::string peer_;
};

bool is_perftest(const MeasuredText& text) { return contains(text.text, "#bytes") && contains(text.text, "#iterations"); }

void read_perftest(const MeasuredText& text, Measurements& all) {
  Runs runs(text, all);
  for (const NumberedLine& line : printed::numbered_lines(text.text)) runs.read(line);
  runs.finish();
}

}  // namespace

}  // namespace railyard::perftest

namespace railyard {

namespace perftest {
bool is_table_of_values(const MeasuredText& text);
void read_table_of_values(const MeasuredText& text, Measurements& all);
}  // namespace perftest

std::vector<MeasuredReader> perftest_readers() {
  return {{"perftest", perftest::is_perftest, perftest::read_perftest},
          {"perftest as comma-separated values", perftest::is_table_of_values, perftest::read_table_of_values}};
}

}  // namespace railyard
