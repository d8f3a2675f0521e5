// Enums whose values have names in files and on screen.
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

namespace railyard {

/// Specialise for an enum to give its values names: `static constexpr std::string_view names[]`, in the order of 0, 1, …
template<class E>
struct ChoiceNames;

template<class E>
concept Choice = std::is_enum_v<E> && requires {
  ChoiceNames<E>::names[0];
};

template<Choice E>
std::string_view name_of(E value) {
  return ChoiceNames<E>::names[static_cast<std::size_t>(value)];
}

}  // namespace railyard
