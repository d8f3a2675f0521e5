// Indented CLI text (EOS, NX-OS, OS10, AOS-CX) as a tree of statements with their lines.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

/// One line. Words are parts of the text that was read, which must outlive it.
struct CliStatement {
  std::vector<std::string_view> words;  // without a leading "no"
  bool no = false;
  std::uint32_t line = 0, column = 0;  // from 1
  std::uint32_t end = 0;               // index after its last descendant

  [[nodiscard]] std::string_view word(std::size_t i) const { return i < words.size() ? words[i] : std::string_view(); }
  [[nodiscard]] bool starts(std::initializer_list<std::string_view> first) const;
  [[nodiscard]] bool has(std::string_view word) const;
  /// The word after this one; empty if there is none.
  [[nodiscard]] std::string_view after(std::string_view key) const;
  /// Words from this one on, with one blank between them.
  [[nodiscard]] std::string text(std::size_t from = 0) const;
};

/// Statements in the order of the text; those below one follow it.
struct CliTree {
  std::vector<CliStatement> statements;

  template<class F>
  void each_top(F&& f) const {
    each(0, static_cast<std::uint32_t>(statements.size()), f);
  }
  template<class F>
  void each_below(const CliStatement& parent, F&& f) const {
    each(static_cast<std::uint32_t>(&parent - statements.data()) + 1, parent.end, f);
  }
  /// The statement and all below it, as one text: equal where the same is said.
  [[nodiscard]] std::string block_text(const CliStatement& statement) const;

 private:
  template<class F>
  void each(std::uint32_t first, std::uint32_t end, F& f) const {
    for (std::uint32_t i = first; i < end; i = statements[i].end) f(statements[i]);
  }
};

/// Comments ("!", "#"), banners and empty lines are left out. What is indented deeper is below. Takes any text.
[[nodiscard]] CliTree cli_tree(std::string_view text);

/// Lines without their ends ("\n" or "\r\n").
[[nodiscard]] std::vector<std::string_view> cli_lines(std::string_view text);

/// Words between blanks; what is in double quotes is one word.
[[nodiscard]] std::vector<std::string_view> cli_words(std::string_view line);

}  // namespace railyard
