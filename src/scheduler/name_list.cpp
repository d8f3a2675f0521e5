// Plain lists of names.
#include "base/printed_text.h"
#include "scheduler/readers.h"

namespace railyard {

Result<ListedNodes> read_name_list(std::string_view text, const std::string& file) {
  NodeCollector found(file);
  for (const printed::NumberedLine& line : printed::numbered_lines(text)) {
    const std::string_view said = line.text.substr(0, line.text.find('#'));
    for (std::string_view word : printed::words_of(said)) {
      while (word.ends_with(',')) word.remove_suffix(1);
      if (!word.empty()) found.add(word, {.name = "", .where = {file, line.number, 0}}, false);
    }
  }
  return found.finish({.format = "a list of names"});
}

}  // namespace railyard
