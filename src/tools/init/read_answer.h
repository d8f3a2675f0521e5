// Words of an answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "base/choice.h"
#include "tools/init/answers.h"

namespace railyard {

/// Split at blanks and commas.
std::vector<std::string> words_of(std::string_view text);

/// A whole number of decimal digits that fits.
std::optional<std::uint32_t> count_in(std::string_view word);

/// The name in a list that `word` is, whatever its case, or the only one that begins with it.
std::optional<std::string> name_in(std::string_view word, const std::vector<std::string>& names);

/// What "2:1", "1.5:1" or "2" comes to; nothing if it is no ratio.
std::optional<double> ratio_in(std::string_view word);

std::string lower_case(std::string_view text);

/// "tensor=8 pipeline=4", "tp8 pp4", "tensor 8"; what is wrong and what to do, if anything.
tl::expected<SplitAnswer, std::string> split_in(std::string_view text);

template<Choice E>
std::optional<E> choice_in(std::string_view name) {
  for (std::size_t i = 0; i < std::size(ChoiceNames<E>::names); i++)
    if (ChoiceNames<E>::names[i] == name) return static_cast<E>(i);
  return std::nullopt;
}

}  // namespace railyard
