// Reads counters of EOS, NX-OS and NVUE as their commands print them.
#include "measured/switch_counters.h"

#include <algorithm>

#include "measured/readers.h"
#include "measured/snapshots.h"
#include "measured/terminal.h"
#include "measured/text.h"

namespace railyard::switch_counters {

namespace {

using namespace measured_text;

/// "Et1/1", "Ethernet1/5", "Po10".
bool is_switch_port(std::string_view word) {
  return (word.starts_with("Et") || word.starts_with("Po") || word.starts_with("Eth")) &&
         word.find_first_of("0123456789") != std::string_view::npos;
}

/// Lines with the device that the last prompt named.
template<class Read>
void each_line(const MeasuredText& text, const Read& read) {
  std::string device = text.device;
  for (const NumberedLine& line : printed::numbered_lines(text.text)) {
    const PromptLine prompt = prompt_line(line.text);
    if (!prompt.host.empty()) device = prompt.host;
    read(line, device, prompt);
  }
}

enum class EosTable : std::uint8_t { none, pfc, pfc_classes, watchdog, discards };

EosTable eos_table(std::string_view line, EosTable open) {
  const std::vector<std::string_view> words = words_of(line);
  if (words.empty() || words[0] != "Port")
    return contains(line, "stuck") && contains(line, "recover") ? EosTable::watchdog : open;
  if (words.size() == 3 && words[1] == "RxPfc") return EosTable::pfc;
  if (words.size() == 4 && words[2] == "RxPfc") return EosTable::pfc_classes;
  if (contains(line, "InDiscards") && contains(line, "OutDiscards")) return EosTable::discards;
  return EosTable::none;
}

bool read_eos_row(EosTable table, const std::vector<std::string_view>& words, PortSamples& samples) {
  std::vector<double> numbers;
  for (std::size_t i = 1; i < words.size(); i++)
    if (const auto value = grouped_number(words[i])) numbers.push_back(*value);
  if (table == EosTable::pfc && numbers.size() == 2) {
    samples.add("RxPfc", CounterKind::rx_pause, {}, numbers[0]);
    samples.add("TxPfc", CounterKind::tx_pause, {}, numbers[1]);
  } else if (table == EosTable::pfc_classes && words.size() == 4 && numbers.size() >= 2) {
    const auto priority = leading_number(words[1]);
    samples.add("RxPfc", CounterKind::rx_pause, priority, numbers[numbers.size() - 2]);
    samples.add("TxPfc", CounterKind::tx_pause, priority, numbers.back());
  } else if (table == EosTable::watchdog && numbers.size() >= 2 && words.size() >= 4) {
    const std::size_t digit = words[1].find_first_of("0123456789");
    const auto queue = digit == std::string_view::npos ? std::nullopt : leading_number(words[1].substr(digit));
    samples.add("times stuck", CounterKind::pause_storm, queue, numbers[numbers.size() - 2]);
  } else if (table == EosTable::discards && numbers.size() == 2) {
    samples.add("InDiscards", CounterKind::rx_drops, {}, numbers[0]);
    samples.add("OutDiscards", CounterKind::tx_drops, {}, numbers[1]);
  } else {
    return false;
  }
  return true;
}

/// What `show queuing interface` and `show interface priority-flow-control` of NX-OS print, as far as it was read.
class Nexus {
 public:
  Nexus(const MeasuredText& text, Measurements& all) : text_(text), all_(all) {}

  void read(const NumberedLine& line, const std::string& device) {
    where_ = {text_.file, line.number, 0};
    device_ = device;
    const std::string_view content = without_blanks(line.text);
    if (const auto port = behind(content, "Queuing for ")) {
      port_ = short_text(port->substr(0, port->find_first_of(" [")));
    } else if (contains(content, "QOS GROUP ")) {
      group_ = leading_number(word_behind(content, "QOS GROUP "));
    } else if (contains(content, "RxPPP") && content.starts_with("Port")) {
      in_summary_ = true;
    } else if (contains(content, "PFC_COS")) {
      in_pause_ = true;
    } else if (content.ends_with(':') && is_switch_port(content)) {
      port_ = short_text(content.substr(0, content.size() - 1));
    } else if (content.starts_with('|') || content.starts_with("Rx |") || content.starts_with("Tx |")) {
      read_cells(content);
    } else {
      read_words(words_of(content));
    }
  }

 private:
  PortSamples samples(std::string port) { return {all_, device_, std::move(port), where_}; }

  /// `|  Tx Pkts |  154875|  0|` of a queue, `Rx |0 |0 |…` of priorities.
  void read_cells(std::string_view line) {
    std::vector<std::string_view> cells;
    for (const std::string_view cell : printed::split_at(line, '|')) cells.push_back(without_blanks(cell));
    if (cells.size() >= 9 && (cells[0] == "Rx" || cells[0] == "Tx")) return read_priorities(cells);
    if (cells.size() < 3 || !group_ || port_.empty()) return;
    const auto value = grouped_number(cells[2]);
    if (!value) return;
    const std::string label = short_text(cells[1]);
    CounterKind kind = CounterKind::other;
    if (label == "Tx Pkts") kind = CounterKind::tx_packets;
    if (label == "Tx Byts") kind = CounterKind::tx_bytes;
    if (contains(label, "Drop Pkts")) kind = CounterKind::tx_drops;
    if (contains(label, "ECN") && contains(label, "Pkts")) kind = CounterKind::ecn_marked;
    samples(port_).add(label, kind, group_, *value);
  }

  void read_priorities(const std::vector<std::string_view>& cells) {
    const bool sends = cells[0] == "Tx";
    for (std::uint32_t priority = 0; priority < 8; priority++)
      if (const auto value = grouped_number(cells[priority + 1]))
        samples(port_).add(sends ? "Tx PFC" : "Rx PFC", sends ? CounterKind::tx_pause : CounterKind::rx_pause, priority,
                           *value);
  }

  void read_words(const std::vector<std::string_view>& words) {
    if (in_summary_ && words.size() >= 5 && is_switch_port(words[0])) return read_summary(words);
    if (!in_pause_ || words.size() < 7 || port_.empty()) return;
    const auto priority = small_number(words[0]);
    const auto sent = grouped_number(words[4]), received = grouped_number(words[6]);
    if (!priority || !sent || !received) return;
    samples(port_).add("TxPause", CounterKind::tx_pause, priority, *sent);
    samples(port_).add("RxPause", CounterKind::rx_pause, priority, *received);
  }

  /// `Ethernet1/5  On  On (8)  120  400`
  void read_summary(const std::vector<std::string_view>& words) {
    const auto received = grouped_number(words[words.size() - 2]), sent = grouped_number(words.back());
    if (!received || !sent) return add_skipped(all_, "a row of NX-OS's pause counters that is cut off", where_);
    PortSamples port = samples(short_text(words[0]));
    port.add("RxPPP", CounterKind::rx_pause, {}, *received);
    port.add("TxPPP", CounterKind::tx_pause, {}, *sent);
  }

  const MeasuredText& text_;
  Measurements& all_;
  std::string device_, port_;
  SourceSpan where_;
  std::optional<std::uint32_t> group_;
  bool in_summary_ = false, in_pause_ = false;
};

/// What a line of NVUE means, by the section that it is in.
CounterKind nvue_kind(std::string_view section, std::string_view name) {
  const bool sends = section.starts_with("tx");
  if (name == "pause-packets") return sends ? CounterKind::tx_pause : CounterKind::rx_pause;
  if (name == "ecn-marked-packets") return CounterKind::ecn_marked;
  if (name == "cnp-packets") return CounterKind::other;
  if (name == "no-buffer-discard" || name == "unicast-no-buffer-discard")
    return sends ? CounterKind::tx_drops : CounterKind::rx_drops;
  if (name.ends_with("-bytes")) return sends ? CounterKind::tx_bytes : CounterKind::rx_bytes;
  if (name.ends_with("-packets")) return sends ? CounterKind::tx_packets : CounterKind::rx_packets;
  if (name.ends_with("max-usage")) return CounterKind::queue_watermark;
  return CounterKind::other;
}

/// "92824.38 GB" and "663060754115": decimal units.
std::optional<double> nvue_value(std::string_view number, std::string_view unit) {
  const auto value = grouped_number(number);
  if (!value) return std::nullopt;
  const double scale = unit == "KB"   ? 1e3
                       : unit == "MB" ? 1e6
                       : unit == "GB" ? 1e9
                       : unit == "TB" ? 1e12
                       : unit == "PB" ? 1e15
                                      : 1;
  return *value * scale;
}

}  // namespace

bool is_eos(const MeasuredText& text) {
  return contains(text.text, "RxPfc") || (contains(text.text, "InDiscards") && contains(text.text, "OutDiscards"));
}

void read_eos(const MeasuredText& text, Measurements& all) {
  EosTable open = EosTable::none;
  each_line(text, [&](const NumberedLine& line, const std::string& device, const PromptLine& prompt) {
    if (!prompt.command.empty()) open = EosTable::none;
    open = eos_table(line.text, open);
    const std::vector<std::string_view> words = words_of(line.text);
    if (open == EosTable::none || words.size() < 2 || !is_switch_port(words[0])) return;
    PortSamples samples(all, device, short_text(words[0]), {text.file, line.number, 0});
    if (!read_eos_row(open, words, samples))
      add_skipped(all, "a row of EOS's counters that is cut off", {text.file, line.number, 0});
  });
}

bool is_nxos(const MeasuredText& text) {
  return contains(text.text, "RxPPP") || contains(text.text, "Egress Queuing for ") ||
         contains(text.text, "Total Rx PFC Frames");
}

void read_nxos(const MeasuredText& text, Measurements& all) {
  Nexus nexus(text, all);
  each_line(text, [&](const NumberedLine& line, const std::string& device, const PromptLine&) { nexus.read(line, device); });
}

bool is_nvue(const MeasuredText& text) { return contains(text.text, "rx-pfc-stats") || contains(text.text, "tx-ecn-stats"); }

void read_nvue(const MeasuredText& text, Measurements& all) {
  std::string port = interface_in_name(text.file), section;
  each_line(text, [&](const NumberedLine& line, const std::string& device, const PromptLine& prompt) {
    const auto word = std::find(prompt.command.begin(), prompt.command.end(), "interface");
    if (word != prompt.command.end() && word + 1 != prompt.command.end()) port = short_text(*(word + 1));
    const std::vector<std::string_view> words = words_of(line.text);
    if (!prompt.command.empty() || words.empty()) return;
    if (words[0].ends_with("-stats")) section = words[0];
    const auto value =
        words.size() > 1 && !section.empty() ? nvue_value(words[1], words.size() > 2 ? words[2] : "") : std::nullopt;
    if (!value) return;
    PortSamples samples(all, device, port, {text.file, line.number, 0});
    samples.add(section + "." + short_text(words[0]), nvue_kind(section, words[0]), {}, *value);
  });
}

}  // namespace railyard::switch_counters

namespace railyard {

std::vector<MeasuredReader> switch_counter_readers() {
  using namespace switch_counters;
  return {{"SONiC's counters", is_sonic, read_sonic},
          {"SONiC's COUNTERS_DB", is_sonic_database, read_sonic_database},
          {"EOS's counters", is_eos, read_eos},
          {"NX-OS's counters", is_nxos, read_nxos},
          {"NVUE's counters", is_nvue, read_nvue}};
}

}  // namespace railyard
