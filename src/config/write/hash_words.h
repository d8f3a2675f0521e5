// What fields of a hash are called in each language.
#pragma once

#include <span>
#include <string_view>

#include "qos/device.h"

namespace railyard {

struct HashWord {
  std::string_view field;  // of HashConfig
  std::string_view word;
};

/// Every field that the language has a word for; none where it does not name fields one by one.
[[nodiscard]] std::span<const HashWord> hash_words(Dialect dialect);

/// The words for the fields that `hash` has, each after a blank.
[[nodiscard]] std::string hash_field_list(const HashConfig& hash, Dialect dialect);

}  // namespace railyard
