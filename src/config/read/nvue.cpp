// What switches with Cumulus Linux have: `nv set` lines, what `nv config show` and `nv show qos roce` print. Counters (nv show
// interface … qos roce counters) are no configuration and are not recognised here.
#include <algorithm>

#include "base/printed_text.h"
#include "config/read/nvue_device.h"
#include "config/read/nvue_show.h"
#include "config/read/nvue_statements.h"
#include "config/read/readers.h"

namespace railyard::nvue {

namespace {

bool has_set_line(const ConfigText& text) {
  return text.text.find("nv set ") != std::string::npos && !statements_of_lines(text.text, text.file).empty();
}

Diagnostics read_set_lines(const ConfigText& text, Estate& estate) {
  add_statements(statements_of_lines(text.text, text.file), text, estate);
  return {};
}

constexpr std::string_view kTopWords[] = {"interface", "qos", "system", "router", "nvue-api-version"};

bool is_json_tree(const std::string& text) {
  if (text.find("\"set\"") == std::string::npos) return false;
  return std::any_of(std::begin(kTopWords), std::end(kTopWords),
                     [&](std::string_view word) { return text.find("\"" + std::string(word) + "\"") != std::string::npos; });
}

/// A list or an object with a member "set", and in it something that NVUE has.
bool is_tree(const ConfigText& text) {
  const std::size_t first = text.text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && (text.text[first] == '{' || text.text[first] == '[')) return is_json_tree(text.text);
  bool has_set = false, has_known = false;
  for (const printed::NumberedLine& line : printed::numbered_lines(text.text)) {
    std::string_view key = printed::without_blanks(line.text);
    if (key.substr(0, 2) == "- ") key = printed::without_blanks(key.substr(2));
    has_set = has_set || key == "set:";
    for (const std::string_view known : kTopWords)
      has_known = has_known || (key.substr(0, known.size()) == known && key.substr(known.size(), 1) == ":");
  }
  return has_set && has_known;
}

Diagnostics read_tree(const ConfigText& text, Estate& estate) {
  const auto statements = statements_of_tree(text.text, text.file);
  if (!statements) return statements.error();
  add_statements(*statements, text, estate);
  return {};
}

}  // namespace

}  // namespace railyard::nvue

namespace railyard {

std::vector<FileReader> nvue_readers() {
  return {{"NVUE: nv set lines", nvue::has_set_line, nvue::read_set_lines},
          {"NVUE: nv config show", nvue::is_tree, nvue::read_tree},
          {"NVUE: nv show qos roce -o json", nvue::is_roce_json, nvue::read_roce_json},
          {"NVUE: nv show qos roce", nvue::is_roce_text, nvue::read_roce_text}};
}

}  // namespace railyard
