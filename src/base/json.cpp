#include "base/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "base/printable.h"

namespace railyard {

namespace {

using Json = nlohmann::ordered_json;

std::string plain(const Json& value) { return escaped_in_json(value.dump(-1, ' ', false, Json::error_handler_t::replace)); }

/// Whether a text stands in quotes as it is: nearly every one does.
bool is_plain_text(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

void append_text(std::string& out, const std::string& text) {
  if (is_plain_text(text))
    out.append(1, '"').append(text).append(1, '"');
  else
    out += plain(Json(text));
}

void append_whole(std::string& out, std::int64_t value) {
  std::array<char, std::numeric_limits<std::int64_t>::digits10 + 2> digits;
  out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

void append_plain(std::string& out, const Document& document) {
  if (const auto* text = document.text())
    append_text(out, *text);
  else if (const auto* whole = document.integer())
    append_whole(out, *whole);
  else if (const auto* fraction = document.real())
    out += plain(Json(*fraction));
  else if (const auto* flag = document.boolean())
    out += *flag ? "true" : "false";
  else
    out += "null";
}

bool is_plain(const Document& document) { return !document.items() && !document.members(); }

/// A plain value, or a few of them.
bool is_short(const Document& document) {
  constexpr std::size_t kFew = 4;
  const auto* array = document.items();
  return is_plain(document) || (array && array->size() <= kFew && std::all_of(array->begin(), array->end(), is_plain));
}

/// A row of a table.
bool is_row(const Document& document) {
  const auto* object = document.members();
  return object && std::all_of(object->begin(), object->end(), [](const auto& member) { return is_plain(member.value); });
}

/// For people, one line per member and item, but one for an array of plain values or of a few of them each, and for a row of a
/// table; for programs, all in one line without blanks.
class Writer {
 public:
  explicit Writer(bool for_people) : for_people_(for_people) {}

  void write(const Document& document, std::size_t indent) {
    if (const auto* array = document.items()) return write_array(*array, indent);
    if (const auto* object = document.members()) return write_object(*object, indent, true);
    append_plain(out_, document);
  }

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void write_array(const Document::Array& array, std::size_t indent) {
    const bool in_lines = for_people_ && !std::all_of(array.begin(), array.end(), is_short);
    out_ += '[';
    for (const Document& item : array) {
      if (&item != &array.front()) out_ += ',';
      if (in_lines) line(indent + 2);
      if (is_row(item))
        write_object(*item.members(), indent + 2, false);
      else
        write(item, indent + 2);
    }
    if (in_lines) line(indent);
    out_ += ']';
  }

  void write_object(const Document::Object& object, std::size_t indent, bool may_break) {
    const bool in_lines = for_people_ && may_break && !object.empty();
    out_ += '{';
    for (const Document::Member& member : object) {
      if (&member != &object.front()) out_ += ',';
      if (in_lines) line(indent + 2);
      append_text(out_, member.key);
      out_ += for_people_ ? ": " : ":";
      write(member.value, indent + 2);
    }
    if (in_lines) line(indent);
    out_ += '}';
  }

  void line(std::size_t indent) { out_.append(1, '\n').append(indent, ' '); }

  bool for_people_;
  std::string out_;
};

/// Where the parser is in a text.
struct Place {
  std::uint32_t line = 1;
  char last = 0;  // that was read
};

/// Hands a text to the parser and takes note of its lines.
class CountedText {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountedText(const char* at, Place* place) : at_(at), place_(place) {}
  reference operator*() const { return *at_; }
  CountedText& operator++() {
    place_->line += *at_ == '\n';
    place_->last = *at_++;
    return *this;
  }
  CountedText operator++(int) {
    CountedText before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountedText& a, const CountedText& b) { return a.at_ == b.at_; }
  friend bool operator!=(const CountedText& a, const CountedText& b) { return a.at_ != b.at_; }

 private:
  const char* at_;
  Place* place_;
};

/// Events of the parser, as a Document. Whole numbers that a Document cannot hold become reals.
class Reader : public nlohmann::json_sax<Json> {
 public:
  Reader(std::string file, const Place& place) : file_(std::move(file)), place_(place) {}

  bool null() override { return add(Document(Document::Value(), here())); }
  bool boolean(bool value) override { return add(Document(value, here())); }
  bool number_integer(std::int64_t value) override { return add(Document(value, here_of_number())); }
  bool number_unsigned(std::uint64_t value) override {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return add(Document(static_cast<double>(value), here_of_number()));
    return add(Document(static_cast<std::int64_t>(value), here_of_number()));
  }
  bool number_float(double value, const std::string&) override { return add(Document(value, here_of_number())); }
  bool string(std::string& value) override { return add(Document(value, here())); }
  bool binary(Json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool key(std::string& name) override {
    open_.back().key = name;
    open_.back().key_line = place_.line;
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    position_ = position;
    return false;
  }

  Document root;
  [[nodiscard]] std::size_t position() const { return position_; }
  [[nodiscard]] bool is_too_deep() const { return too_deep_; }
  [[nodiscard]] bool is_too_large() const { return values_ > kMostValues; }

 private:
  static constexpr std::size_t kDeepest = 64;
  static constexpr std::size_t kMostValues = 8'000'000;  // about a gigabyte of memory

  bool add(Document value) {
    if (++values_ > kMostValues) return false;
    if (open_.empty()) {
      root = std::move(value);
      return true;
    }
    if (open_.back().is_array)
      open_.back().items.push_back(std::move(value));
    else
      open_.back().members.push_back({open_.back().key, {file_, open_.back().key_line, 0}, std::move(value)});
    return true;
  }
  bool open(bool is_array) {
    too_deep_ = open_.size() >= kDeepest;
    open_.push_back({is_array, place_.line, {}, {}, {}, 0});
    return !too_deep_;
  }
  bool close() {
    Part done = std::move(open_.back());
    open_.pop_back();
    const SourceSpan where{file_, done.line, 0};
    if (done.is_array) return add(Document(std::move(done.items), where));
    return add(Document(without_repeated(std::move(done.members)), where));
  }

  /// Of several members of one name the last stays, as with other readers.
  static Document::Object without_repeated(Document::Object members) {
    std::set<std::string_view> seen;
    std::vector<bool> kept(members.size());
    for (std::size_t i = members.size(); i-- > 0;) kept[i] = seen.insert(members[i].key).second;
    if (seen.size() == members.size()) return members;
    Document::Object out;
    for (std::size_t i = 0; i < members.size(); i++)
      if (kept[i]) out.push_back(std::move(members[i]));
    return out;
  }

  [[nodiscard]] SourceSpan here() const { return {file_, place_.line, 0}; }
  /// A number has ended when something else was read.
  [[nodiscard]] SourceSpan here_of_number() const { return {file_, place_.line - (place_.last == '\n'), 0}; }

  std::string file_;
  const Place& place_;
  /// An array or an object that has not ended.
  struct Part {
    bool is_array = false;
    std::uint32_t line = 0;  // where it begins
    Document::Array items;
    Document::Object members;
    std::string key;             // that was named last
    std::uint32_t key_line = 0;  // and where
  };
  std::vector<Part> open_;
  std::size_t position_ = 0;
  std::size_t values_ = 0;
  bool too_deep_ = false;
};

}  // namespace

std::string write_json(const Document& document) {
  Writer writer(true);
  writer.write(document, 0);
  return writer.take() + "\n";
}

std::string write_compact_json(const Document& document) {
  Writer writer(false);
  writer.write(document, 0);
  return writer.take();
}

Result<Document> parse_json(std::string_view text, const std::string& file, std::string_view code) {
  Place place;
  Reader reader(file, place);
  const CountedText first(text.data(), &place), last(text.data() + text.size(), &place);
  if (Json::sax_parse(first, last, &reader)) return std::move(reader.root);
  const char* const what = reader.is_too_deep()    ? "this JSON is nested too deep"
                           : reader.is_too_large() ? "this JSON holds more than 8 million values"
                                                   : "this is not JSON";
  const std::string_view before = text.substr(0, std::min(reader.position(), text.size()));
  const auto line = static_cast<std::uint32_t>(1 + std::count(before.begin(), before.end(), '\n'));
  return Diagnostics{{Severity::error, std::string(code), what, "name a file that --json wrote", SourceSpan{file, line, 0}}};
}

}  // namespace railyard
