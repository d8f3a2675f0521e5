// Tables of keys: one line says what a key is called, what it takes, its default, its limits, and where its value goes.
// The same line reads the file, checks it, suggests the nearest key for a wrong one, and documents itself.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/choice.h"
#include "base/complaints.h"
#include "base/document.h"
#include "base/nearest.h"
#include "base/quantity_text.h"
#include "base/ratio.h"

namespace railyard {

/// What a person needs to know of a key.
struct KeyInfo {
  std::string name;
  std::string type;      // "integer", "rate", "text", "ecmp | flowlet | adaptive"
  std::string fallback;  // as one would write it; empty if there is none
  std::string help;
  bool required = false;
};

/// A key and how its value gets into a member that lies `offset` bytes into its owner. What depends on the type of the value
/// alone is compiled once for that type, not once for every struct that has such a member.
struct KeyField {
  KeyInfo info;
  std::function<void(const KeyInfo& key, const Document& value, void* member, Complaints& complaints)> read_member;
  void (*copy_member)(const void* from, void* to) = nullptr;
  std::size_t offset = 0;
};

/// A key of an Owner.
template<class Owner>
struct Key : KeyField {
  void copy(const Owner& from, Owner& to) const {
    copy_member(reinterpret_cast<const std::byte*>(&from) + offset, reinterpret_cast<std::byte*>(&to) + offset);
  }
  /// The same key of a struct that inherits the member.
  template<std::derived_from<Owner> Derived>
  [[nodiscard]] Key<Derived> inherited() const {
    const Derived probe{};
    const Owner& base = probe;
    Key<Derived> key{static_cast<const KeyField&>(*this)};
    key.offset +=
        static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&base) - reinterpret_cast<const std::byte*>(&probe));
    return key;
  }
};

template<class T>
struct Limits {
  std::optional<T> min = {}, max = {};
  bool required = false;
  bool may_be_bytes = false;  // a rate that people state in bytes as well: "900G" is refused
};

template<Choice E>
std::vector<std::string> choices() {
  return {std::begin(ChoiceNames<E>::names), std::end(ChoiceNames<E>::names)};
}

// The conversions below report a mistake and leave `out` alone, or set it. `key` is the full path, for messages.
namespace schema {

void wrong_type(std::string_view key, const Document& value, std::string_view wanted, Complaints& complaints);
void out_of_range(std::string_view key, const Document& value, const std::string& limit, Complaints& complaints);
void unknown_choice(std::string_view key, const Document& value, std::span<const std::string> known, Complaints& complaints);
void bad_quantity(std::string_view key, const Document& value, const std::string& reason, std::string_view what,
                  Complaints& complaints);
std::string join(std::span<const std::string> words, std::string_view separator);

std::string type_name(std::type_identity<bool>);
std::string type_name(std::type_identity<std::uint32_t>);
std::string type_name(std::type_identity<std::uint64_t>);
std::string type_name(std::type_identity<double>);
std::string type_name(std::type_identity<Ratio>);
std::string type_name(std::type_identity<std::string>);
template<class Tag>
std::string type_name(std::type_identity<Quantity<Tag>>) {
  return std::string(quantity_name<Quantity<Tag>>());
}
template<Choice E>
std::string type_name(std::type_identity<E>) {
  return join(choices<E>(), " | ");
}
template<class T>
std::string type_name(std::type_identity<std::optional<T>>) {
  return type_name(std::type_identity<T>{});
}
template<class T>
std::string type_name(std::type_identity<std::vector<T>>) {
  return "list of " + type_name(std::type_identity<T>{});
}

std::string written(bool value);
std::string written(double value);
std::string written(Ratio value);
std::string written(const std::string& value);
template<std::integral T>
std::string written(T value) {
  return fmt::format("{}", value);
}
template<class Tag>
std::string written(Quantity<Tag> value) {
  return fmt::format("\"{}\"", format_exact(value));
}
template<Choice E>
std::string written(E value) {
  return fmt::format("\"{}\"", name_of(value));
}
template<class T>
std::string written(const std::optional<T>& value) {
  return value ? written(*value) : std::string();
}
template<class T>
std::string written(const std::vector<T>& values) {
  std::vector<std::string> words;
  for (const T& value : values) words.push_back(written(value));
  return words.empty() ? std::string() : "[" + join(words, ", ") + "]";
}

template<class T>
bool within(std::string_view key, const Document& value, const T& got, const Limits<T>& limits, Complaints& complaints) {
  if (limits.min && got < *limits.min)
    out_of_range(key, value, "at least " + written(*limits.min), complaints);
  else if (limits.max && got > *limits.max)
    out_of_range(key, value, "at most " + written(*limits.max), complaints);
  else
    return true;
  return false;
}

void convert(std::string_view key, const Document& value, bool& out, const Limits<bool>&, Complaints& complaints);
void convert(std::string_view key, const Document& value, std::string& out, const Limits<std::string>&, Complaints& complaints);
void convert(std::string_view key, const Document& value, double& out, const Limits<double>&, Complaints& complaints);
void convert(std::string_view key, const Document& value, Ratio& out, const Limits<Ratio>&, Complaints& complaints);

template<std::unsigned_integral T>
void convert(std::string_view key, const Document& value, T& out, const Limits<T>& limits, Complaints& complaints) {
  const std::int64_t* whole = value.integer();
  if (!whole) return wrong_type(key, value, "an integer", complaints);
  if (*whole < 0) return out_of_range(key, value, "at least " + written(limits.min.value_or(T{0})), complaints);
  if (static_cast<std::uint64_t>(*whole) > std::numeric_limits<T>::max())
    return out_of_range(key, value, fmt::format("at most {}", std::numeric_limits<T>::max()), complaints);
  if (within(key, value, static_cast<T>(*whole), limits, complaints)) out = static_cast<T>(*whole);
}

/// Quantities are text with a unit; a size may also be a plain number of bytes, as in `mtu = 4096`.
template<class Tag>
void convert(std::string_view key, const Document& value, Quantity<Tag>& out, const Limits<Quantity<Tag>>& limits,
             Complaints& complaints) {
  using Q = Quantity<Tag>;
  Q got;
  if (const auto* whole = value.integer(); whole && (std::same_as<Q, Bytes> || *whole == 0)) {
    if (*whole < 0) return out_of_range(key, value, "not negative", complaints);
    got = Q(*whole);
  } else if (const std::string* text = value.text()) {
    const Parsed<Q> parsed = parse_quantity<Q>(*text);
    if (!parsed) return bad_quantity(key, value, parsed.error(), quantity_name<Q>(), complaints);
    if (limits.may_be_bytes && leaves_bits_or_bytes_open(*text))
      return bad_quantity(key, value, "could be bits or bytes; write Gb/s or GB/s", quantity_name<Q>(), complaints);
    got = *parsed;
  } else {
    return wrong_type(key, value, fmt::format("a {} as text with its unit", quantity_name<Q>()), complaints);
  }
  if (within(key, value, got, limits, complaints)) out = got;
}

template<Choice E>
void convert(std::string_view key, const Document& value, E& out, const Limits<E>&, Complaints& complaints) {
  const std::string* text = value.text();
  const std::vector<std::string> known = choices<E>();
  if (!text) return wrong_type(key, value, "one of " + join(known, ", "), complaints);
  for (std::size_t i = 0; i < known.size(); i++)
    if (known[i] == *text) return void(out = static_cast<E>(i));
  unknown_choice(key, value, known, complaints);
}

template<class T>
void convert(std::string_view key, const Document& value, std::optional<T>& out, const Limits<T>& limits,
             Complaints& complaints) {
  const std::size_t before = complaints.found().size();
  T got{};
  convert(key, value, got, limits, complaints);
  if (complaints.found().size() == before) out = std::move(got);
}

/// A list; one value that is not a list counts as a list of one.
template<class T>
void convert(std::string_view key, const Document& value, std::vector<T>& out, const Limits<T>& limits,
             Complaints& complaints) {
  std::vector<T> all;
  const std::span<const Document> items = value.items() ? std::span<const Document>(*value.items()) : std::span(&value, 1);
  if (items.empty()) return out_of_range(key, value, "at least one value", complaints);
  for (const Document& item : items) {
    T got{};
    convert(key, item, got, limits, complaints);
    all.push_back(std::move(got));
  }
  out = std::move(all);
}

template<class T>
struct Element {
  using type = T;
};
template<class T>
struct Element<std::optional<T>> {
  using type = T;
};
template<class T>
struct Element<std::vector<T>> {
  using type = T;
};

}  // namespace schema

namespace schema {

template<class T>
KeyField field(std::string_view name, std::string_view help, const T& fallback,
               const Limits<typename Element<T>::type>& limits) {
  KeyInfo info{std::string(name), type_name(std::type_identity<T>{}), limits.required ? std::string() : written(fallback),
               std::string(help), limits.required};
  return {std::move(info),
          [limits](const KeyInfo& key, const Document& value, void* member, Complaints& complaints) {
            convert(key.name, value, *static_cast<T*>(member), limits, complaints);
          },
          [](const void* from, void* to) { *static_cast<T*>(to) = *static_cast<const T*>(from); }};
}

using KeyHeard = std::function<void(const std::string& key, const Document& value)>;
void read_fields(const Document& table, std::span<const KeyField* const> fields, std::span<const std::string> others,
                 void* owner, Complaints& complaints, const KeyHeard& set);

}  // namespace schema

/// A key that sets `member`. Its type and default are read off the member itself.
template<class Owner, class T>
Key<Owner> key(std::string_view name, T Owner::*member, std::string_view help,
               const Limits<typename schema::Element<T>::type>& limits = {}) {
  const Owner probe{};
  const T& fallback = probe.*member;
  Key<Owner> key{schema::field<T>(name, help, fallback, limits)};
  key.offset =
      static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&fallback) - reinterpret_cast<const std::byte*>(&probe));
  return key;
}

void report_unknown_key(const Document::Member& member, std::vector<std::string> known, Complaints& complaints);

/// Reads the members of `table` through `keys`. Members named in `others` belong to somebody else and are left alone.
/// `set` (if given) hears of every known key that was written.
template<class Owner>
void read_table(const Document& table, std::span<const Key<Owner>> keys, std::span<const std::string> others, Owner& owner,
                Complaints& complaints, const schema::KeyHeard& set = {}) {
  std::vector<const KeyField*> fields;
  for (const Key<Owner>& key : keys) fields.push_back(&key);
  schema::read_fields(table, fields, others, &owner, complaints, set);
}

}  // namespace railyard
