// What an organisation allows, in TOML (inventory.h has the format).
#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/toml.h"
#include "config/read/host_text.h"
#include "config/read/inventory.h"

namespace railyard::host_text {

namespace {

class FabricPolicyReader {
 public:
  explicit FabricPolicyReader(FabricPolicy& allowed) : allowed_(allowed) {}

  Diagnostics read(const Document& root) {
    for (const auto& member : *root.members()) {
      if (member.key == "lossless_priorities")
        priorities(member.value);
      else if (member.key == "versions")
        versions(member.value);
      else if (member.key == "owners")
        owners(member.value);
      else if (member.key == "suppress")
        suppressions(member.value);
      else
        complain(fmt::format("\"{}\" is no key of a policy file", printable(member.key)), suggestion(member.key), member.where);
    }
    return std::move(found_);
  }

 private:
  void complain(std::string message, std::string hint, const SourceSpan& where) {
    found_.push_back({Severity::error, "RY-CFG-004", std::move(message), std::move(hint), where});
  }

  static std::string suggestion(std::string_view key) {
    const std::string known[] = {"lossless_priorities", "versions", "owners", "suppress"};
    const std::string near = nearest(key, known);
    return near.empty() ? "known are lossless_priorities, versions, owners and suppress" : "did you mean " + near + "?";
  }

  void priorities(const Document& list) {
    if (list.items() == nullptr)
      return complain("lossless_priorities is no list", "write lossless_priorities = [3]", list.where());
    std::uint8_t bits = 0;
    for (const Document& one : *list.items()) {
      if (one.integer() == nullptr || *one.integer() < 0 || *one.integer() >= static_cast<std::int64_t>(kPriorities))
        complain(fmt::format("{} is no priority", one.summary()), "priorities are 0 to 7", one.where());
      else
        bits = static_cast<std::uint8_t>(bits | 1U << *one.integer());
    }
    allowed_.lossless_priorities = bits;
  }

  void versions(const Document& table) {
    if (table.members() == nullptr) return complain("versions is no table", "write [versions]", table.where());
    for (const auto& member : *table.members()) {
      auto& list = allowed_.versions[member.key];
      const Document::Array one{member.value};
      for (const Document& version : member.value.items() != nullptr ? *member.value.items() : one) {
        if (version.text() == nullptr)
          complain(fmt::format("{} is no version", version.summary()), "write versions in quotes", version.where());
        else
          list.push_back(*version.text());
      }
    }
  }

  void owners(const Document& table) {
    if (table.members() == nullptr) return complain("owners is no table", "write [owners]", table.where());
    for (const auto& member : *table.members()) {
      if (member.value.text() == nullptr)
        complain(fmt::format("the owner of {} is no text", printable(member.key)), "write it in quotes", member.value.where());
      else
        allowed_.owners[member.key] = *member.value.text();
    }
  }

  void suppressions(const Document& list) {
    if (list.items() == nullptr) return complain("suppress is no list of tables", "write [[suppress]]", list.where());
    for (const Document& one : *list.items()) {
      const auto text = [&](std::string_view key) {
        const Document* value = one.find(key);
        return value != nullptr && value->text() != nullptr ? *value->text() : std::string();
      };
      FabricPolicy::Suppression suppression{text("code"), text("device"), text("reason"), one.where()};
      if (suppression.code.empty() || suppression.reason.empty())
        complain("a suppression needs a code and a reason", "write code = \"RY-…\" and reason = \"why it is accepted\"",
                 one.where());
      else
        allowed_.suppressions.push_back(std::move(suppression));
    }
  }

  FabricPolicy& allowed_;
  Diagnostics found_;
};

}  // namespace

bool is_fabric_policy(const ConfigText& text) {
  const auto lines = lines_of(text.text);
  return std::any_of(lines.begin(), lines.end(), [](std::string_view raw) {
    const std::string_view line = trimmed(raw);
    return line == "[[suppress]]" || line == "[versions]" || line == "[owners]" ||
           (line.starts_with("lossless_priorities") && contains(line, "="));
  });
}

Diagnostics read_fabric_policy(const ConfigText& text, Estate& estate) {
  const auto root = parse_toml(text.text, text.file, "RY-CFG-003");
  if (!root) return broken_file(root.error());
  if (root->members() == nullptr) return {};
  return FabricPolicyReader(estate.allowed).read(*root);
}

}  // namespace railyard::host_text
