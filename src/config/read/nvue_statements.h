// A configuration of NVUE as statements, whether it was written as `nv set` lines, as YAML or as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/result.h"

namespace railyard::nvue {

/// `nv set qos roce mode lossless` has the words qos, roce, mode, lossless. In YAML they are the keys down to a value, and it.
struct Statement {
  std::vector<std::string> words;
  SourceSpan where;

  [[nodiscard]] std::string_view word(std::size_t i) const { return i < words.size() ? std::string_view(words[i]) : ""; }
};

/// Statements of `nv set` lines, with prompts before them or not; what `nv unset` takes back is left out.
std::vector<Statement> statements_of_lines(std::string_view text, const std::string& file);

/// Statements of what `nv config show` prints, in YAML or JSON. The header becomes "header model …", "header version …".
Result<std::vector<Statement>> statements_of_tree(std::string_view text, const std::string& file);

/// "swp1-4,swp6s0-1" one by one. A range of more than 4096 is taken as a name.
std::vector<std::string> ports_of(std::string_view list);

/// Numbers below `limit` of "3", "0-3" and "10,21".
std::vector<std::size_t> indices_of(std::string_view list, std::size_t limit);

/// A whole number; none if the word is not one.
std::optional<std::int64_t> whole_of(std::string_view word);

/// Bytes of "150000", "150000 B", "146.48 KB" and "1.43 MB", where KB is 1024. What was rounded to print it is put back to
/// the roundest number that prints so: 146.48 KB is 150000.
std::optional<double> size_of(std::string_view text);

/// "on", "enable", "enabled", "yes", "true", "up".
bool is_on(std::string_view word);

}  // namespace railyard::nvue
