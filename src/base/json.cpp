#include "base/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace railyard {

namespace {

using Json = nlohmann::ordered_json;

std::string plain(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string plain(const Document& document) {
  if (const auto* text = document.text()) return plain(Json(*text));
  if (const auto* whole = document.integer()) return plain(Json(*whole));
  if (const auto* fraction = document.real()) return plain(Json(*fraction));
  if (const auto* flag = document.boolean()) return *flag ? "true" : "false";
  return "null";
}

bool is_plain(const Document& document) { return !document.items() && !document.members(); }

/// A plain value, or a few of them.
bool is_short(const Document& document) {
  constexpr std::size_t kFew = 4;
  const auto* array = document.items();
  return is_plain(document) || (array && array->size() <= kFew && std::all_of(array->begin(), array->end(), is_plain));
}

/// One line per member and item; an array of plain values, or of short arrays of them, is one line as a whole.
void write(const Document& document, std::size_t indent, std::string& out) {
  const auto line = [&](std::size_t deep) { out.append(1, '\n').append(deep, ' '); };
  const auto* array = document.items();
  const auto* object = document.members();
  if (is_plain(document)) {
    out += plain(document);
  } else if (array ? array->empty() : object->empty()) {
    out += array ? "[]" : "{}";
  } else if (array) {
    const bool in_lines = !std::all_of(array->begin(), array->end(), is_short);
    const char* before = "[";
    for (const Document& item : *array) {
      out += before;
      if (in_lines) line(indent + 2);
      write(item, indent + 2, out);
      before = ",";
    }
    if (in_lines) line(indent);
    out += "]";
  } else {
    const char* before = "{";
    for (const Document::Member& member : *object) {
      out += before;
      line(indent + 2);
      out += plain(Json(member.key)) + ": ";
      write(member.value, indent + 2, out);
      before = ",";
    }
    line(indent);
    out += "}";
  }
}

}  // namespace

std::string write_json(const Document& document) {
  std::string out;
  write(document, 0, out);
  return out + "\n";
}

std::string write_compact_json(const Document& document) {
  return to_json(document).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace railyard
