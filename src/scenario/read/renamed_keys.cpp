#include "scenario/read/renamed_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace railyard {

namespace {

/// A key stays in its section: both paths differ in the last word alone.
struct RenamedKey {
  std::string_view old_path, path;
  bool is_deprecated = true;  // else a second name, for good
};
constexpr RenamedKey kRenamedKeys[] = {
    {"transport.way_choice", "transport.entropy_choice"},
    {"transport.served_first", "transport.strict_priority"},
    {"jitter.least", "jitter.min"},
    {"jitter.most", "jitter.max"},
    {"training.micro_batch_size", "training.micro_batch", false},
};

struct RenamedValue {
  std::string_view path, old_value, value;
};
constexpr RenamedValue kRenamedValues[] = {{"transport.strict_priority", "nobody", "none"}};

/// A key whose place another one has taken, with other values: what it says cannot be taken over.
struct ReplacedKey {
  std::string_view old_path, path, help;
};
constexpr ReplacedKey kReplacedKeys[] = {
    {"training.fused_loss", "training.loss", "write loss = \"fused\" for true, loss = \"separate\" for false"},
};

const ReplacedKey* replaced_key(std::string_view path) {
  const auto* const found = std::find_if(std::begin(kReplacedKeys), std::end(kReplacedKeys),
                                         [&](const ReplacedKey& k) { return k.old_path == path; });
  return found == std::end(kReplacedKeys) ? nullptr : found;
}

const RenamedKey* renamed_key(std::string_view path) {
  const auto* const found =
      std::find_if(std::begin(kRenamedKeys), std::end(kRenamedKeys), [&](const RenamedKey& k) { return k.old_path == path; });
  return found == std::end(kRenamedKeys) ? nullptr : found;
}

std::string last_word(std::string_view path) { return std::string(path.substr(path.rfind('.') + 1)); }

void warn(const SourceSpan& where, std::string message, Diagnostics& found) {
  found.push_back({Severity::warning, "RY-SCN-130", std::move(message), "use the new name", where});
}

Document with_current_value(const std::string& path, const Document& value, Diagnostics& found) {
  for (const RenamedValue& renamed : kRenamedValues) {
    if (renamed.path != path || !value.text() || *value.text() != renamed.old_value) continue;
    warn(value.where(), fmt::format("{} = \"{}\" is now \"{}\"", path, renamed.old_value, renamed.value), found);
    return Document(std::string(renamed.value), value.where());
  }
  return value;
}

/// [origins] speaks of keys by their paths. Those that changed are warned of where they are given.
Document with_current_paths(const Document& origins) {
  Document out(Document::Object{}, origins.where());
  for (const Document::Member& member : *origins.members()) out.set(current_name(member.key), member.value, member.where);
  return out;
}

Document with_current_names(const Document& table, const std::string& prefix, Diagnostics& found) {
  Document out(Document::Object{}, table.where());
  for (const Document::Member& member : *table.members()) {
    if (const ReplacedKey* const replaced = replaced_key(prefix + member.key)) {
      found.push_back({Severity::error, "RY-SCN-137", fmt::format("{} has become {}", replaced->old_path, replaced->path),
                       std::string(replaced->help), member.where});
      continue;
    }
    const RenamedKey* const renamed = renamed_key(prefix + member.key);
    const std::string key = renamed ? last_word(renamed->path) : member.key;
    if (renamed && table.find(key)) {
      found.push_back({Severity::error, "RY-SCN-131",
                       fmt::format("{} and {} are the same key, and both are given", renamed->old_path, renamed->path),
                       fmt::format("keep {}", last_word(renamed->path)), member.where});
      continue;
    }
    if (renamed && renamed->is_deprecated)
      warn(member.where, fmt::format("{} is now {}", renamed->old_path, renamed->path), found);
    const std::string path = prefix + key;
    if (path == "origins" && member.value.members())
      out.append(key, with_current_paths(member.value), member.where);
    else if (member.value.members())
      out.append(key, with_current_names(member.value, path + ".", found), member.where);
    else
      out.append(key, with_current_value(path, member.value, found), member.where);
  }
  return out;
}

}  // namespace

std::string current_name(const std::string& path) {
  const RenamedKey* const renamed = renamed_key(path);
  return renamed ? std::string(renamed->path) : path;
}

Document with_current_names(const Document& document, Diagnostics& found) {
  return document.members() ? with_current_names(document, "", found) : document;
}

}  // namespace railyard
