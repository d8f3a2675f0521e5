#include "base/document.h"

#include <fmt/format.h>

#include <charconv>
#include <unordered_map>

#include "base/check.h"

namespace railyard {

const double* Document::number(double& storage) const {
  if (const auto* whole = integer()) {
    storage = static_cast<double>(*whole);
    return &storage;
  }
  return real();
}

const Document* Document::find(std::string_view key) const {
  if (const Object* object = members())
    for (const Member& member : *object)
      if (member.key == key) return &member.value;
  return nullptr;
}

const Document* Document::at_path(std::string_view path) const {
  const Document* here = this;
  while (here && !path.empty()) {
    if (path.front() == '[') {
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(path.data() + 1, path.data() + path.size(), index);
      if (error != std::errc() || end == path.data() + path.size() || *end != ']') return nullptr;
      path.remove_prefix(static_cast<std::size_t>(end - path.data()) + 1);
      const Array* array = here->items();
      here = array && index < array->size() ? &(*array)[index] : nullptr;
    } else {
      const std::size_t length = std::min(path.find_first_of(".["), path.size());
      here = here->find(path.substr(0, length));
      path.remove_prefix(length);
    }
    if (!path.empty() && path.front() == '.') path.remove_prefix(1);
  }
  return here;
}

Document& Document::set(std::string_view key, Document value, SourceSpan key_where) {
  auto* object = std::get_if<Object>(&value_);
  RY_CHECK(object, "only an object takes members");
  for (Member& member : *object) {
    if (member.key != key) continue;
    member.where = std::move(key_where);
    return member.value = std::move(value);
  }
  object->push_back({std::string(key), std::move(key_where), std::move(value)});
  return object->back().value;
}

Document& Document::append(std::string key, Document value, SourceSpan key_where) {
  auto* object = std::get_if<Object>(&value_);
  RY_CHECK(object, "only an object takes members");
  return object->emplace_back(Member{std::move(key), std::move(key_where), std::move(value)}).value;
}

Document& Document::push(Document item) {
  auto* array = std::get_if<Array>(&value_);
  RY_CHECK(array, "only an array takes items");
  return array->emplace_back(std::move(item));
}

std::string_view Document::kind_name() const {
  constexpr std::string_view kNames[] = {"nothing", "true or false", "an integer", "a number", "text", "an array", "a table"};
  return kNames[value_.index()];
}

std::string Document::summary() const {
  constexpr std::size_t kLongest = 60;
  if (const auto* flag = boolean()) return *flag ? "true" : "false";
  if (const auto* whole = integer()) return fmt::format("{}", *whole);
  if (const auto* fraction = real()) return fmt::format("{}", *fraction);
  if (const auto* words = text()) {
    if (words->size() <= kLongest) return fmt::format("\"{}\"", *words);
    return fmt::format("\"{}…\"", words->substr(0, kLongest));
  }
  if (const auto* array = items()) return fmt::format("[{} items]", array->size());
  if (const auto* object = members()) return fmt::format("{{{} keys}}", object->size());
  return "nothing";
}

Document overlay(Document base, const Document& over) {
  const auto* members = over.members();
  if (!members || !base.members()) return over;
  std::unordered_map<std::string_view, const Document::Member*> overs;
  for (const Document::Member& member : *members) overs.emplace(member.key, &member);
  Document out(Document::Object{}, base.where());
  for (const Document::Member& member : *base.members()) {
    const auto found = overs.find(member.key);
    if (found == overs.end()) {
      out.append(member.key, member.value, member.where);
      continue;
    }
    out.append(member.key, overlay(member.value, found->second->value), found->second->where);
    overs.erase(found);
  }
  for (const Document::Member& member : *members)
    if (overs.contains(member.key)) out.append(member.key, member.value, member.where);
  return out;
}

}  // namespace railyard
