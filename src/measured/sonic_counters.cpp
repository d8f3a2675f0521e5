// Reads tables of counters that SONiC's commands print. A header tells the table; rows below it begin with a port.
#include <algorithm>

#include "measured/switch_counters.h"
#include "measured/terminal.h"
#include "measured/text.h"

namespace railyard::switch_counters {

namespace {

using namespace measured_text;

enum class Table : std::uint8_t { none, pfc, queues, watchdog, watermark, interfaces, history };

struct OpenTable {
  Table table = Table::none;
  bool sends = false;                // of pause frames
  std::vector<std::string> columns;  // behind the port
  std::string title = {};            // of watermarks
};

/// "KB/s" belongs to the number before it.
std::vector<std::string_view> cells_in(std::string_view line) {
  std::vector<std::string_view> out;
  for (const std::string_view word : words_of(line))
    if (!word.ends_with("/s") || out.empty())
      out.push_back(word);
    else
      out.back() = line.substr(static_cast<std::size_t>(out.back().data() - line.data()),
                               static_cast<std::size_t>(word.data() + word.size() - out.back().data()));
  return out;
}

/// The table that a header opens, with its columns; none where the line is no header.
std::optional<OpenTable> opened_by(std::string_view line, const std::string& title) {
  const std::vector<std::string_view> words = words_of(line);
  if (words.size() < 3) return std::nullopt;
  const auto rest = [&](std::size_t from) {
    return std::vector<std::string>(words.begin() + static_cast<std::ptrdiff_t>(from), words.end());
  };
  if (words[0] == "Port" && (words[1] == "Rx" || words[1] == "Tx") && words[2] == "PFC0")
    return OpenTable{Table::pfc, words[1] == "Tx", rest(2)};
  if (words[0] == "Port" && contains(line, "RX Pause Transitions")) return OpenTable{Table::history, false, {}};
  if (words[0] == "Port" && (words[1] == "TxQ" || words[1] == "Voq") && contains(line, "/pkts"))
    return OpenTable{Table::queues, true, rest(2)};
  if (words[0] == "QUEUE" && words[1] == "STATUS" && words[2] == "STORM") return OpenTable{Table::watchdog, false, {}};
  if (words[0] == "IFACE" && words[1] == "STATE") return OpenTable{Table::interfaces, false, rest(1)};
  const bool numbered = words[1].starts_with("PG0") || words[1].starts_with("UC0") || words[1].starts_with("MC");
  if ((words[0] == "Port" || words[0] == "Interface") && numbered) return OpenTable{Table::watermark, false, rest(1), title};
  return std::nullopt;
}

/// "3" of "PFC3", "UC3", "PG3", "VOQ3".
std::optional<std::uint32_t> number_at_end(std::string_view word) {
  const std::size_t first = word.find_last_not_of("0123456789") + 1;
  return small_number(word.substr(first));
}

CounterKind queue_kind(std::string_view column) {
  if (column == "Counter/pkts") return CounterKind::tx_packets;
  if (column == "Counter/bytes") return CounterKind::tx_bytes;
  if (column == "Drop/pkts" || column == "WredDrp/pkts") return CounterKind::tx_drops;
  if (column == "EcnMarked/pkts") return CounterKind::ecn_marked;
  return CounterKind::other;
}

CounterKind interface_kind(std::string_view column) {
  if (column == "RX_OK") return CounterKind::rx_packets;
  if (column == "TX_OK") return CounterKind::tx_packets;
  if (column == "RX_DRP") return CounterKind::rx_drops;
  if (column == "TX_DRP") return CounterKind::tx_drops;
  if (column == "RX_ERR") return CounterKind::corrupted;
  return CounterKind::other;
}

/// "3/1" as two numbers.
std::optional<std::pair<double, double>> pair_of(std::string_view cell) {
  const std::size_t slash = cell.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto first = grouped_number(cell.substr(0, slash)), second = grouped_number(cell.substr(slash + 1));
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

/// Ports of SONiC are called Ethernet4, or by an alias such as etp4a or Eth1/1.
bool is_port(std::string_view word) {
  return !word.empty() && std::isalpha(static_cast<unsigned char>(word[0])) &&
         word.find_first_of("0123456789") != std::string_view::npos;
}

class Rows {
 public:
  Rows(const MeasuredText& text, Measurements& all) : text_(text), all_(all), device_(text.device) {}

  void read(const NumberedLine& line) {
    if (const PromptLine prompt = prompt_line(line.text); !prompt.command.empty()) {
      open_ = {};
      if (!prompt.host.empty()) device_ = prompt.host;
      return;
    }
    const std::string_view content = without_blanks(line.text);
    if (content.ends_with(':')) title_ = content.substr(0, content.size() - 1);
    if (auto opened = opened_by(content, title_)) {
      open_ = std::move(*opened);
      return;
    }
    const std::vector<std::string_view> cells = cells_in(content);
    if (open_.table == Table::none || cells.size() < 2 || !is_port(cells[0])) return;
    if (!read_row(cells, {text_.file, line.number, 0}))
      add_skipped(all_, "a row of SONiC's counters that is cut off", {text_.file, line.number, 0});
  }

 private:
  bool read_row(const std::vector<std::string_view>& cells, const SourceSpan& where) {
    PortSamples samples(all_, device_, short_text(cells[0].substr(0, cells[0].find(':'))), where);
    switch (open_.table) {
      case Table::pfc:
        return each_number(cells, 1, [&](const std::string& column, double value) {
          samples.add((open_.sends ? "Tx " : "Rx ") + column, open_.sends ? CounterKind::tx_pause : CounterKind::rx_pause,
                      number_at_end(column), value);
        });
      case Table::queues:
        return each_number(cells, 2, [&](const std::string& column, double value) {
          const bool unicast = cells[1].starts_with("UC") || cells[1].starts_with("VOQ") || digits(cells[1]);
          samples.add(std::string(cells[1]) + " " + column, queue_kind(column),
                      unicast ? number_at_end(cells[1]) : std::nullopt, value);
        });
      case Table::watermark:
        return each_number(cells, 1, [&](const std::string& column, double value) {
          samples.add(open_.title.empty() ? column : open_.title + " " + column, CounterKind::queue_watermark,
                      number_at_end(column), value);
        });
      case Table::interfaces:
        return each_number(
            cells, 1, [&](const std::string& column, double value) { samples.add(column, interface_kind(column), {}, value); });
      case Table::watchdog:
        return read_watchdog(cells, samples);
      case Table::history:
        return read_history(cells, samples);
      case Table::none:
        break;
    }
    return false;
  }

  /// Cells from `from` on under their columns; those that are no numbers ("N/A", "U", rates) are passed over.
  template<class Add>
  bool each_number(const std::vector<std::string_view>& cells, std::size_t from, const Add& add) {
    if (cells.size() < from + open_.columns.size()) return false;
    for (std::size_t i = 0; i < open_.columns.size(); i++)
      if (const auto value = grouped_number(cells[from + i])) add(open_.columns[i], *value);
    return true;
  }

  /// `Ethernet4:3 stormed 1/0 0/41507426 …`
  static bool read_watchdog(const std::vector<std::string_view>& cells, PortSamples& samples) {
    const auto priority = number_at_end(cells[0].substr(cells[0].find(':') + 1));
    if (cells.size() < 5 || !contains(cells[0], ":")) return false;
    const auto storms = pair_of(cells[2]), sent = pair_of(cells[3]), received = pair_of(cells[4]);
    if (!storms || !sent || !received) return false;
    samples.add("STORM DETECTED", CounterKind::pause_storm, priority, storms->first);
    samples.add("STORM RESTORED", CounterKind::other, priority, storms->second);
    samples.add("TX DROP", CounterKind::tx_drops, priority, sent->second);
    samples.add("RX DROP", CounterKind::rx_drops, priority, received->second);
    return true;
  }

  /// `Ethernet4 PFC3 12 12,000 1,200 …`: transitions and microseconds.
  static bool read_history(const std::vector<std::string_view>& cells, PortSamples& samples) {
    const auto transitions = cells.size() > 3 ? grouped_number(cells[2]) : std::nullopt;
    const auto total = cells.size() > 3 ? grouped_number(cells[3]) : std::nullopt;
    if (!transitions || !total) return false;
    samples.add("RX Pause Transitions", CounterKind::other, number_at_end(cells[1]), *transitions);
    samples.add("Total RX Pause Time", CounterKind::rx_pause_time, number_at_end(cells[1]), *total * 1e-6);
    return true;
  }

  const MeasuredText& text_;
  Measurements& all_;
  std::string device_, title_;
  OpenTable open_;
};

}  // namespace

bool is_sonic(const MeasuredText& text) {
  const auto has = [&](std::string_view word) { return contains(text.text, word); };
  if (!has("PFC0") && !has("/pkts") && !has("STORM DETECTED") && !has("IFACE") && !has(" PG0") && !has("UC0") &&
      !has("RX Pause Tran"))
    return false;
  for (const NumberedLine& line : printed::numbered_lines(text.text))
    if (line.text.size() < 400 && opened_by(line.text, "")) return true;
  return false;
}

void read_sonic(const MeasuredText& text, Measurements& all) {
  Rows rows(text, all);
  for (const NumberedLine& line : printed::numbered_lines(text.text)) rows.read(line);
}

}  // namespace railyard::switch_counters
