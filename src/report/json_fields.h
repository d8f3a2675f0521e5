// How plain structs become JSON: one table of names and members per struct, in the order in which they are written.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "base/document.h"
#include "base/units.h"

namespace railyard {

/// One member of `Struct` under the name that the JSON has for it.
template<class Struct>
struct JsonField {
  const char* name;
  Document (*value)(const Struct&);
};

inline Document json_value(const std::string& text) { return Document(text); }
inline Document json_value(double number) { return Document(number); }
inline Document json_value(bool flag) { return Document(flag); }
inline Document json_value(std::int64_t number) { return Document(number); }
inline Document json_value(std::uint64_t number) { return Document(static_cast<std::int64_t>(number)); }
inline Document json_value(std::uint32_t number) { return Document(std::int64_t{number}); }
inline Document json_value(Bytes size) { return Document(size.count()); }
inline Document json_value(Document document) { return document; }

inline Document json_value(const std::vector<std::string>& texts) {
  Document out = Document::array();
  for (const std::string& text : texts) out.push(Document(text));
  return out;
}

/// As rates are written: 10^9 bits per second.
inline double in_gbps(BitsPerSecond rate) { return static_cast<double>(rate.count()) / 1e9; }

template<class Member>
struct StructOf;
template<class Struct, class Value>
struct StructOf<Value Struct::*> {
  using Type = Struct;
};

/// The member as it is, or what `Convert` makes of it: another unit, which the name tells, or a document.
template<auto Member, auto Convert = nullptr>
constexpr auto json_field(const char* name) {
  using Struct = typename StructOf<decltype(Member)>::Type;
  return JsonField<Struct>{name, [](const Struct& from) {
                             if constexpr (std::is_null_pointer_v<decltype(Convert)>)
                               return json_value(from.*Member);
                             else
                               return json_value(Convert(from.*Member));
                           }};
}

template<class Struct, std::size_t Count>
void add_fields(const Struct& from, const JsonField<Struct> (&fields)[Count], Document& out) {
  for (const JsonField<Struct>& field : fields) out.set(field.name, field.value(from));
}

template<class Struct, std::size_t Count>
Document object_of(const Struct& from, const JsonField<Struct> (&fields)[Count]) {
  Document out = Document::object();
  add_fields(from, fields, out);
  return out;
}

template<class Struct, std::size_t Count>
Document list_of(const std::vector<Struct>& rows, const JsonField<Struct> (&fields)[Count]) {
  Document out = Document::array();
  for (const Struct& row : rows) out.push(object_of(row, fields));
  return out;
}

}  // namespace railyard
