// What the command line takes, as the parser has it: main.cpp reads it off CLI11, completion.cpp writes it for shells.
#pragma once

#include <string>
#include <vector>

namespace railyard {

/// An option, or an argument that goes by its place.
struct GrammarOption {
  std::vector<std::string> names;    // "-o", "--output"; of a place what the help calls it: "SCENARIO"
  bool is_place = false;             // it has no name on the command line
  bool takes_value = false;          // false for flags
  bool takes_text = false;           // any text: neither a number nor one of `choices`
  std::vector<std::string> choices;  // the only values, where the parser knows them
};

struct GrammarCommand {
  std::string name;  // empty for the program itself
  std::vector<GrammarOption> options;
};

struct Grammar {
  GrammarCommand program;  // what goes before a command
  std::vector<GrammarCommand> commands;
};

}  // namespace railyard
