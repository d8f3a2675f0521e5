#include "trace/json_members.h"

#include <charconv>
#include <cmath>

namespace railyard {

std::string_view text_member(const Document& object, std::string_view key) {
  const Document* const value = object.find(key);
  return value && value->text() ? std::string_view(*value->text()) : std::string_view();
}

double number_member(const Document& object, std::string_view key, double otherwise) {
  double storage = 0;
  const Document* const value = object.find(key);
  const double* const found = value ? value->number(storage) : nullptr;
  if (found) return std::isfinite(*found) ? *found : otherwise;
  const std::string_view text = text_member(object, key);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), storage);
  return !text.empty() && error == std::errc() && end == text.data() + text.size() && std::isfinite(storage) ? storage
                                                                                                             : otherwise;
}

}  // namespace railyard
