// Reads `rdma statistic show`: a line per link, or JSON.
#include "measured/counter_names.h"
#include "measured/host_counters.h"
#include "measured/readers.h"
#include "measured/terminal.h"
#include "measured/text.h"

namespace railyard::host_counters {

namespace {

using namespace measured_text;

bool is_link_line(std::string_view line) {
  if (!without_blanks(line.substr(0, 32)).starts_with("link ")) return false;
  const std::vector<std::string_view> words = words_of(line);
  return words.size() >= 4 && words[0] == "link" && contains(words[1], "/") && !digits(words[2]) && digits(words[3]);
}

}  // namespace

bool is_rdma_statistic(const MeasuredText& text) {
  if (!contains(text.text, "link ")) return false;
  for (const NumberedLine& line : printed::numbered_lines(text.text))
    if (is_link_line(line.text)) return true;
  return false;
}

void read_rdma_statistic(const MeasuredText& text, Measurements& all) {
  std::string device = text.device;
  for (const NumberedLine& line : printed::numbered_lines(text.text)) {
    if (const PromptLine prompt = prompt_line(line.text); !prompt.host.empty()) device = prompt.host;
    if (!is_link_line(line.text)) continue;
    const std::vector<std::string_view> words = words_of(line.text);
    const std::string port = short_text(words[1].ends_with("/1") ? words[1].substr(0, words[1].size() - 2) : words[1]);
    for (std::size_t i = 2; i < words.size(); i += 2) {
      const auto value = i + 1 < words.size() ? digits(words[i + 1]) : std::nullopt;
      if (!value) {
        add_skipped(all, "a counter of rdma statistic without a value", {text.file, line.number, 0});
        break;
      }
      add_counter(all, device, port, words[i], static_cast<double>(*value), {text.file, line.number, 0});
    }
  }
}

bool is_rdma_json(const MeasuredText& text) {
  return without_blanks(std::string_view(text.text).substr(0, 64)).starts_with('[') && contains(text.text, "\"ifname\"") &&
         contains(text.text, "\"port\"") &&
         (contains(text.text, "_err\"") || contains(text.text, "cnp") || contains(text.text, "rdma"));
}

void read_rdma_json(const MeasuredText& text, Measurements& all) {
  const auto document = json_of(text, "rdma statistic", all);
  if (!document || !document->items()) return;
  for (const Document& link : *document->items()) {
    if (!link.members()) continue;
    std::string port = short_text(text_in(link, "ifname"));
    if (const auto number = small_number_in(link, "port"); number.value_or(1) > 1) port += "/" + std::to_string(*number);
    for (const Document::Member& member : *link.members()) {
      if (member.key == "ifname" || member.key == "port" || member.key == "ifindex") continue;
      if (const auto value = number_in(link, member.key)) add_counter(all, text.device, port, member.key, *value, member.where);
    }
  }
}

}  // namespace railyard::host_counters

namespace railyard {

std::vector<MeasuredReader> host_counter_readers() {
  using namespace host_counters;
  return {{"ethtool -S", is_ethtool, read_ethtool},
          {"counters of sysfs", is_sysfs, read_sysfs},
          {"rdma statistic", is_rdma_statistic, read_rdma_statistic},
          {"rdma statistic -j", is_rdma_json, read_rdma_json}};
}

}  // namespace railyard
