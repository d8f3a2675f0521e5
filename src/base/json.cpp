#include "base/json.h"

#include <nlohmann/json.hpp>

namespace railyard {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Document& document) {
  if (const auto* array = document.items()) {
    Json out = Json::array();
    for (const Document& item : *array) out.push_back(to_json(item));
    return out;
  }
  if (const auto* object = document.members()) {
    Json out = Json::object();
    for (const Document::Member& member : *object) out[member.key] = to_json(member.value);
    return out;
  }
  if (const auto* text = document.text()) return *text;
  if (const auto* whole = document.integer()) return *whole;
  if (const auto* fraction = document.real()) return *fraction;
  if (const auto* flag = document.boolean()) return *flag;
  return nullptr;
}

}  // namespace

std::string write_json(const Document& document) {
  return to_json(document).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string write_compact_json(const Document& document) {
  return to_json(document).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace railyard
