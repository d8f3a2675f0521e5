// Mistakes in files of every language: made in the model and said, or made in the text itself; and those that have no words.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "lint/languages.h"
#include "tools/lint/seeds.h"

namespace railyard {

/// Mistakes that those who speak a language can make, one for each rule.
[[nodiscard]] std::vector<LintSeed> seeds_of(const Language& language);

/// A mistake as an edit of text, where a writer would refuse to say it or does not know the words.
struct TextEdit {
  std::string_view language, code;
  std::string_view file;  // how the names of files end that it is made in
  std::string_view from;  // every one is replaced; empty: appended at the end
  std::string_view to;
};
[[nodiscard]] std::span<const TextEdit> text_edits();

/// Rules that find nothing in a language, because it cannot say their mistake.
struct SilentRules {
  std::string_view language, reason;
  std::vector<std::string_view> codes;  // without "RY-LNT-"
};
[[nodiscard]] const std::vector<SilentRules>& silent_rules();

}  // namespace railyard
