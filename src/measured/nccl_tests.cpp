// Reads what nccl-tests and rccl-tests print: one or more tables among whatever else a job prints.
//
// Lines are told apart by who printed them, as far as mpirun, srun or kubectl tag them. A table without tags may be printed by
// several processes at once: as many tables are open as headers came before the first row, and a row goes to the first of
// them that it can follow.
#include "measured/nccl_tests.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "measured/nccl_log_lines.h"
#include "measured/readers.h"
#include "measured/text.h"

namespace railyard::nccl_tests {

namespace {

using namespace measured_text;

constexpr std::size_t kMostBeside = 512;  // processes that print at once
constexpr std::string_view kCutRow = "a row of nccl-tests that is cut off";

/// What lines before a table say about it.
struct Preface {
  std::string tool = "nccl-tests", version, library, collective;
  std::vector<RankPlace> places;
  std::string groups;  // the line above the header: "out-of-place in-place"
};

struct OpenTable {
  CollectiveTest test;
  RankEvidence evidence;
};

/// Those who print with one tag.
struct Stream {
  Preface preface;
  std::vector<OpenTable> open;
};

/// Who printed a line, and the line without the tag.
struct Tagged {
  std::string_view who, text;
};

/// Takes "[1,0]<stdout>:", "12: ", "[pod/x/y] " from the beginning of a line.
Tagged untagged(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {{}, line};
  const std::string_view text = line.substr(first);
  if (text.front() == '[') {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return {{}, line};
    std::string_view rest = text.substr(close + 1);
    if (text.starts_with("[pod/")) return {text.substr(0, close + 1), rest};
    if (!rest.starts_with("<std")) return {{}, line};
    rest.remove_prefix(std::min(rest.find('>') + 1, rest.size()));
    if (rest.starts_with(':')) rest.remove_prefix(1);
    return {text.substr(0, close + 1), rest};
  }
  const std::size_t end = text.find_first_not_of("0123456789");
  if (end != 0 && end != std::string_view::npos && text.substr(end).starts_with(": "))
    return {text.substr(0, end), text.substr(end + 1)};
  return {{}, line};
}

class Tables {
 public:
  Tables(const MeasuredText& text, Measurements& all) : text_(text), all_(all) {}

  void read_line(std::string_view whole, std::uint32_t number) {
    if (contains(whole, "NCCL INFO") || contains(whole, "CCL version")) read_log_line(whole);
    if (contains(whole, "NCCL INFO") || contains(whole, "NCCL WARN")) return;
    const Tagged line = untagged(whole);
    const auto [found, is_new] = streams_.try_emplace(std::string(line.who));
    if (is_new) order_.push_back(found);
    Stream& stream = found->second;
    if (const std::size_t hash = line.text.find('#'); hash != std::string_view::npos)
      if (read_comment(stream, line.text.substr(hash), number)) return;
    if (auto row = row_of(line.text, columns_of_stream(stream)))
      add_row(stream, std::move(*row), number);
    else
      read_other(stream, line.text);
  }

  void finish() {
    for (const auto& one : order_) close(one->second);
    std::stable_sort(done_.begin(), done_.end(),
                     [](const CollectiveTest& a, const CollectiveTest& b) { return a.where.line < b.where.line; });
    for (CollectiveTest& test : done_) all_.tests.push_back(std::move(test));
  }

 private:
  static Columns columns_of_stream(const Stream& stream) {
    return stream.open.empty() ? Columns() : stream.open.back().evidence.columns;
  }

  /// Lines of the library's log that tell of the job.
  void read_log_line(std::string_view line) {
    if (std::string version = nccl_log::library_version(line); !version.empty()) {
      library_ = std::move(version);
      if (contains(line, "RCCL version")) tool_ = "rccl-tests";
    }
    for (const std::string_view key : {" nranks ", " nRanks "})
      if (const auto ranks = small_number(word_behind(line, key))) ranks_ = ranks;
    if (const auto nodes = small_number(word_behind(line, " nNodes "))) nodes_ = nodes;
  }

  /// A line from its '#' on. False where it may be a row all the same.
  bool read_comment(Stream& stream, std::string_view line, std::uint32_t number) {
    if (auto columns = columns_of(line)) {
      columns->starts_in_place =
          contains(stream.preface.groups, "in-place") && !contains(stream.preface.groups, "out-of-place");
      open(stream, *columns, number);
    } else if (contains(line, "in-place")) {
      stream.preface.groups = line;
    } else if (auto place = place_of(line)) {
      stream.preface.places.push_back(std::move(*place));
    } else if (contains(line, "nccl-tests version")) {
      stream.preface.version = short_text(word_behind(line, "nccl-tests version"));
      if (const auto code = digits(word_behind(line, "nccl-library="))) stream.preface.library = version_of_code(*code);
    } else if (contains(line, "Collective test starting:")) {
      start(stream);
      stream.preface.collective = collective_of(word_behind(line, "Collective test starting:"));
    } else if (contains(line, "nThread ") && !stream.open.empty() && !stream.open.back().test.rows.empty()) {
      start(stream);
    } else {
      return read_footer(stream, line, number);
    }
    return true;
  }

  bool read_footer(Stream& stream, std::string_view line, std::uint32_t number) {
    const bool bounds = contains(line, "Out of bounds values"), average = contains(line, "Avg bus bandwidth");
    const bool concluded = contains(line, "Collective test concluded:");
    if (!bounds && !average && !concluded) return false;
    if (stream.open.empty()) open(stream, {}, number);
    for (OpenTable& table : stream.open) {
      CollectiveTest& test = table.test;
      const bool had = bounds ? test.out_of_bounds.has_value() : average && test.average_bus_bandwidth.has_value();
      if (had && &table != &stream.open.back()) continue;
      test.finished = true;
      if (bounds) test.out_of_bounds = digits(word_behind(line, ":"));
      if (const auto bandwidth = average ? decimal(word_behind(line, ":")) : std::nullopt)
        test.average_bus_bandwidth = *bandwidth * 1e9;
      if (concluded && test.collective.empty()) test.collective = collective_of(word_behind(line, "concluded:"));
      return true;
    }
    return true;
  }

  /// The command that runs a test, and versions that rccl-tests print.
  void read_other(Stream& stream, std::string_view line) {
    if (contains(line, "rccl-tests: Version")) {
      stream.preface.tool = "rccl-tests";
      stream.preface.version = short_text(word_behind(line, "rccl-tests: Version"));
    }
    if (contains(line, "rccl-tests")) stream.preface.tool = "rccl-tests";
    for (const std::string_view key : {"Ranks:", "SLURM_NTASKS="})
      if (const auto ranks = small_number(word_behind(line, key))) ranks_ = ranks;
    if (!contains(line, "_perf")) return;
    for (const std::string_view word : words_of(line))
      if (std::string collective = collective_of(word); !collective.empty()) stream.preface.collective = std::move(collective);
  }

  void add_row(Stream& stream, Row row, std::uint32_t number) {
    if (stream.open.empty() || (stream.open.size() == 1 && stream.open[0].test.finished)) open(stream, {}, number);
    const auto can_follow = [&](const OpenTable& table) {
      return table.test.rows.empty() || table.test.rows.back().size.count() < static_cast<std::int64_t>(row.size);
    };
    auto table = std::find_if(stream.open.begin(), stream.open.end(), can_follow);
    if (table == stream.open.end()) table = stream.open.end() - 1;
    if (row.cut_off) add_skipped(all_, kCutRow, {text_.file, number, 0});
    for (CollectiveRow& one : row.results) {
      one.where = {text_.file, number, 0};
      table->test.rows.push_back(std::move(one));
    }
    row.results.clear();
    table->evidence.rows.push_back(std::move(row));
  }

  /// A new table: beside those that have no rows yet, else in place of those that are open.
  void open(Stream& stream, Columns columns, std::uint32_t number) {
    const bool beside =
        !stream.open.empty() && columns.known && stream.open.back().test.rows.empty() && stream.open.size() < kMostBeside;
    if (!beside) close(stream);
    OpenTable table;
    table.test.where = {text_.file, number, 0};
    table.evidence.columns = std::move(columns);
    stream.open.push_back(std::move(table));
  }

  /// Another test begins: what was said of devices no longer holds.
  void start(Stream& stream) {
    close(stream);
    stream.preface.places.clear();
    stream.preface.collective.clear();
  }

  void close(Stream& stream) {
    for (OpenTable& table : stream.open) {
      const CollectiveTest& test = table.test;
      const bool says_nothing = test.rows.empty() && test.out_of_bounds.value_or(0) == 0 && !test.average_bus_bandwidth;
      if (!says_nothing) done_.push_back(complete(std::move(table), stream.preface));
    }
    stream.open.clear();
  }

  CollectiveTest complete(OpenTable table, const Preface& preface) {
    CollectiveTest test = std::move(table.test);
    test.tool = tool_.empty() ? preface.tool : tool_;
    test.version = preface.version;
    test.library = preface.library.empty() ? library_ : preface.library;
    if (test.collective.empty()) test.collective = preface.collective;
    if (test.collective.empty()) test.collective = guessed_collective(table.evidence);
    if (test.collective.empty()) test.collective = collective_of_file();
    test.places = preface.places;
    std::uint32_t listed = 0;
    for (const RankPlace& place : test.places)
      if (place.rank < 1U << 20U) listed = std::max(listed, place.rank + 1);
    if (listed > 0) table.evidence.told.push_back(listed);
    if (ranks_) table.evidence.told.push_back(*ranks_);
    test.ranks = ranks_of(test, table.evidence);
    test.nodes = nodes_of(test);
    if (!test.nodes) test.nodes = nodes_;
    return test;
  }

  /// The file's name, where nothing else says which test it was.
  [[nodiscard]] std::string collective_of_file() const {
    const std::string name = printed::lower_case(last_part(text_.file));
    for (const std::string_view one : {"all_gather", "reduce_scatter", "alltoall", "sendrecv", "all_reduce", "broadcast"}) {
      std::string joined(one);
      joined.erase(std::remove(joined.begin(), joined.end(), '_'), joined.end());
      if (contains(name, one) || contains(name, joined)) return std::string(one);
    }
    return {};
  }

  const MeasuredText& text_;
  Measurements& all_;
  std::map<std::string, Stream> streams_;
  std::vector<std::map<std::string, Stream>::iterator> order_;
  std::vector<CollectiveTest> done_;
  std::string tool_, library_;
  std::optional<std::uint32_t> ranks_, nodes_;
};

bool has_a_row(std::string_view text) {
  for (const NumberedLine& line : printed::numbered_lines(text))
    if (contains(line.text, " float ") && row_of(line.text, {})) return true;
  return false;
}

bool is_table(const MeasuredText& text) {
  const std::string_view all = text.text;
  return contains(all, "algbw") || contains(all, "# Out of bounds values") || contains(all, "# Avg bus bandwidth") ||
         (contains(all, " float ") && has_a_row(all));
}

void read_tables(const MeasuredText& text, Measurements& all) {
  Tables tables(text, all);
  for (const NumberedLine& line : printed::numbered_lines(text.text)) tables.read_line(line.text, line.number);
  tables.finish();
}

}  // namespace

}  // namespace railyard::nccl_tests

namespace railyard {

std::vector<MeasuredReader> nccl_tests_readers() {
  return {{"nccl-tests", nccl_tests::is_table, nccl_tests::read_tables},
          {"nccl-tests' JSON", nccl_tests::is_json_report, nccl_tests::read_json_report}};
}

}  // namespace railyard
