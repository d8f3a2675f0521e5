// Reads `ethtool -S`: names and values below "NIC statistics:", once or several times.
#include <algorithm>

#include "measured/counter_names.h"
#include "measured/host_counters.h"
#include "measured/snapshots.h"
#include "measured/terminal.h"
#include "measured/text.h"

namespace railyard::host_counters {

namespace {

using namespace measured_text;

/// Where the wire is counted, counters of the kernel's own traffic are left without a meaning: they lack RDMA.
void leave_to_the_wire(Measurements& all, std::size_t first) {
  const auto counts_wire = [](const CounterSample& one) {
    return one.name.ends_with("_phy") || one.name.starts_with("octets_");
  };
  const auto begin = all.counters.begin() + static_cast<std::ptrdiff_t>(first);
  if (std::none_of(begin, all.counters.end(), counts_wire)) return;
  for (auto one = begin; one != all.counters.end(); ++one)
    if (one->name == "rx_bytes" || one->name == "tx_bytes" || one->name == "rx_packets" || one->name == "tx_packets")
      one->kind = CounterKind::other;
}

/// "eth4" of `ethtool -S eth4`.
std::string asked_interface(const std::vector<std::string_view>& command) {
  const auto program =
      std::find_if(command.begin(), command.end(), [](std::string_view word) { return last_part(word) == "ethtool"; });
  for (auto word = program; word != command.end(); ++word)
    if ((*word == "-S" || *word == "--statistics") && word + 1 != command.end()) return short_text(*(word + 1));
  return {};
}

}  // namespace

bool is_ethtool(const MeasuredText& text) { return contains(text.text, "NIC statistics:"); }

void read_ethtool(const MeasuredText& text, Measurements& all) {
  const std::size_t first = all.counters.size();
  std::string device = text.device, port = interface_in_name(text.file);
  bool inside = false;
  for (const NumberedLine& line : printed::numbered_lines(text.text)) {
    if (const PromptLine prompt = prompt_line(line.text); !prompt.command.empty()) {
      inside = false;
      if (!prompt.host.empty()) device = prompt.host;
      if (std::string asked = asked_interface(prompt.command); !asked.empty()) port = std::move(asked);
      continue;
    }
    const std::string_view content = without_blanks(line.text);
    if (content.starts_with("NIC statistics:")) {
      inside = true;
      continue;
    }
    const std::size_t colon = content.rfind(':');
    if (!inside || colon == std::string_view::npos || is_date_line(content)) continue;
    const std::string_view name = without_blanks(content.substr(0, colon));
    if (name.empty() || contains(name, " ")) continue;
    if (const auto value = decimal(without_blanks(content.substr(colon + 1))))
      add_counter(all, device, port, name, *value, {text.file, line.number, 0});
    else
      add_skipped(all, "a counter of ethtool without a value", {text.file, line.number, 0});
  }
  leave_to_the_wire(all, first);
}

}  // namespace railyard::host_counters
