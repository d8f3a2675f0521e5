// Two results, number by number: what `railyard diff` and comparisons show.
#pragma once

#include <string>
#include <vector>

#include "base/document.h"
#include "report/report.h"

namespace railyard {

/// A number that both results have.
struct NumberPair {
  std::string name;  // of a key figure; the path of any other number
  std::string path;
  double a = 0, b = 0;
};

/// A text that differs: an input's value, a name.
struct TextPair {
  std::string path, a, b;
};

struct Differences {
  std::vector<NumberPair> figures;          // step time, MFU and the like, equal or not, in a fixed order
  std::vector<NumberPair> numbers;          // all others that differ, by path as they come
  std::vector<TextPair> texts;              // inputs first, each by its key; fingerprints and wall times do not count
  std::size_t inputs = 0;                   // how many of the texts are inputs
  std::vector<std::string> series;          // paths of long arrays of numbers that differ
  std::vector<std::string> only_a, only_b;  // paths that one of them lacks

  [[nodiscard]] bool empty() const;  // nothing differs
};

/// REQUIRES: both are results as results_document makes them, or parts of such.
Differences differences(const Document& a, const Document& b);

/// "step time", "MFU (causal)", …: those of `figures` that both have.
std::vector<NumberPair> key_figures(const Document& a, const Document& b);

/// What was changed, and what became of the figure that counts most: "With routing.policy adaptive instead of ecmp, the step
/// time falls by 29.8 %, from 16.9 s to 11.8 s."
std::string differences_sentence(const Differences& found);

/// The sentence and the key figures; with `all` also what was described otherwise, every other number, what differs most
/// first, and what only one has. Without it a last sentence says how much more there is. `a` and `b` head the columns.
std::vector<Report::Section> differences_sections(const Differences& found, const std::string& a, const std::string& b,
                                                  bool all);
Document differences_document(const Differences& found);
Document number_pairs_document(const std::vector<NumberPair>& pairs);

}  // namespace railyard
