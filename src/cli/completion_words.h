// What a shell can offer: words that the program knows, from where it knows them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/grammar.h"

namespace railyard {

using Words = std::vector<std::string>;

/// What a shell can say about a value.
struct Offer {
  Words words = {};
  bool files = false;       // of any name
  bool scenarios = false;   // files that end in .toml
  bool only_first = false;  // of places: other values follow this one
  bool operator==(const Offer&) const = default;

  /// Whether the words are keys that a value follows: "transport.mtu=".
  [[nodiscard]] bool is_keys() const { return !words.empty() && words.front().ends_with('='); }
};

Offer offer_of(const GrammarCommand& command, const GrammarOption& option);

/// Keys of a scenario whose values are known ("routing.policy"), each with them: choices, or names of the catalog.
std::vector<std::pair<std::string, Words>> known_key_values();

}  // namespace railyard
