// What people copy from a host's terminal, cut into commands and what each printed. For the readers of hosts and jobs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/printed_text.h"
#include "config/read/read.h"

namespace railyard::host_text {

using printed::lower_case;
using printed::split_at;
using printed::whole_number;
using printed::without_escapes;

[[nodiscard]] std::string_view trimmed(std::string_view text);
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view text);
[[nodiscard]] bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> beginnings);
[[nodiscard]] bool contains(std::string_view text, std::string_view part);

/// "0-2, 5" as 0, 1, 2, 5; none where a part is no number up to `largest`.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> number_list(std::string_view text, std::uint8_t largest);

/// "PATH: value" or "PATH = value" cut in two at the first of `separators`, both trimmed.
struct KeyValue {
  std::string_view key, value;
};
[[nodiscard]] std::optional<KeyValue> key_value(std::string_view line, std::string_view separators = ":=");

/// "0000:17:00.0" of "17:00.0", in lower case; empty where it is no PCI address.
[[nodiscard]] std::string pci_address(std::string_view text);

/// Variables of a shell, as far as assignments in the text set them.
using Variables = std::map<std::string, std::string, std::less<>>;

/// Words of one command line as a shell has them: quotes go, $NAME, ${NAME} and ${NAME:-default} are replaced where known and
/// stay as written where not, a comment ends the line. Operators (; | & > <) are words of their own.
[[nodiscard]] std::vector<std::string> shell_words(std::string_view line, const Variables& variables);

/// "NCCL_DEBUG" of "NCCL_DEBUG=INFO"; empty where the word is no assignment.
[[nodiscard]] std::string_view assigned_name(std::string_view word);

/// Lines of a script with those that end in a backslash joined to the next, each with the number of its first line.
struct ScriptLine {
  std::uint32_t number = 0;
  std::string text;
};
[[nodiscard]] std::vector<ScriptLine> script_lines(std::string_view text);

/// Sets a variable of NCCL, RCCL or what they depend on (UCX, HSA, visible devices); leaves others alone.
void set_environment(Device& device, std::string_view name, std::string_view value, const SourceSpan& where);
[[nodiscard]] bool is_library_variable(std::string_view name);

struct Line {
  std::string_view text;  // trimmed
  std::uint32_t number = 0;
  std::uint32_t indent = 0;
  bool taken = false;  // by a reader that knew what it says
};

/// One command and what it printed. Text without any prompt is one block without a command.
struct Block {
  std::string host;                  // of the prompt; empty: no prompt or none that has one
  std::vector<std::string> command;  // as words; empty: not known
  std::uint32_t number = 0;          // of the command's line
  std::vector<Line> lines;

  /// Whether the command runs that program, with a path or sudo before it or not.
  [[nodiscard]] bool runs(std::string_view program) const;

  /// The word after an option ("-i") or after "--option=", or "".
  [[nodiscard]] std::string option(std::initializer_list<std::string_view> names) const;
};

/// REQUIRES: `text` outlives the blocks.
[[nodiscard]] std::vector<Block> blocks_of(std::string_view text);

/// Errors of a parser, with what to do about a file that others wrote.
[[nodiscard]] Diagnostics broken_file(Diagnostics errors);

/// Lists a statement as unread, each kind once.
void add_unread(Device& device, std::string_view statement, const SourceSpan& where);

}  // namespace railyard::host_text
