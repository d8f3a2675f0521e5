// A tree of plain values that remembers where each was written: what TOML is read into and JSON is written from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/diagnostic.h"

namespace railyard {

class Document {
 public:
  struct Member;
  using Array = std::vector<Document>;
  using Object = std::vector<Member>;  // in the order written
  using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object>;

  // Defined below, where Member is complete.
  Document();
  Document(Value value, SourceSpan where = {});
  Document(const Document&);
  Document(Document&&) noexcept;
  Document& operator=(const Document&);
  Document& operator=(Document&&) noexcept;
  ~Document();

  static Document object();
  static Document array();

  [[nodiscard]] const SourceSpan& where() const { return where_; }
  [[nodiscard]] const Value& value() const { return value_; }

  [[nodiscard]] bool empty() const { return std::holds_alternative<std::monostate>(value_); }
  [[nodiscard]] const bool* boolean() const { return std::get_if<bool>(&value_); }
  [[nodiscard]] const std::int64_t* integer() const { return std::get_if<std::int64_t>(&value_); }
  [[nodiscard]] const double* real() const { return std::get_if<double>(&value_); }
  [[nodiscard]] const std::string* text() const { return std::get_if<std::string>(&value_); }
  [[nodiscard]] const Array* items() const { return std::get_if<Array>(&value_); }
  [[nodiscard]] const Object* members() const { return std::get_if<Object>(&value_); }

  /// An integer or a real, as double.
  [[nodiscard]] const double* number(double& storage) const;

  /// The member called `key`, or nullptr.
  [[nodiscard]] const Document* find(std::string_view key) const;

  /// Follows "points[0].time_us", or nullptr where the path leaves the tree.
  [[nodiscard]] const Document* at_path(std::string_view path) const;

  /// Sets or replaces a member. REQUIRES: this is an object.
  Document& set(std::string_view key, Document value, SourceSpan key_where = {});

  /// Adds a member, in no more time than it takes to copy it. REQUIRES: this is an object, and has none of that name.
  Document& append(std::string key, Document value, SourceSpan key_where = {});

  /// Appends an item. REQUIRES: this is an array.
  Document& push(Document item);

  /// What kind of value this is, for messages: "an integer", "a table".
  [[nodiscard]] std::string_view kind_name() const;

  /// The value as it might be written in a message: 12, "400 Gb/s", [3 items]. Shortened when long.
  [[nodiscard]] std::string summary() const;

 private:
  Value value_;
  SourceSpan where_;
};

struct Document::Member {
  std::string key;
  SourceSpan where;  // of the key
  Document value;
};

inline Document::Document() = default;
inline Document::Document(Value value, SourceSpan where) : value_(std::move(value)), where_(std::move(where)) {}
inline Document::Document(const Document&) = default;
inline Document::Document(Document&&) noexcept = default;
inline Document& Document::operator=(const Document&) = default;
inline Document& Document::operator=(Document&&) noexcept = default;
inline Document::~Document() = default;
inline Document Document::object() { return Document(Object{}); }
inline Document Document::array() { return Document(Array{}); }

/// `base` with every member of `over` laid over it: tables merge, everything else replaces.
Document overlay(Document base, const Document& over);

}  // namespace railyard
