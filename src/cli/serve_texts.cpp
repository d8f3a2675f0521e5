#include "cli/serve_texts.h"

#include <fmt/format.h>
#include <algorithm>

#include "base/version.h"
#include "cli/completion_words.h"
#include "scenario/presets.h"
#include "scenario/read/keys.h"
#include "scenario/shipped_files.h"
#include "serve/front_page.h"

namespace railyard {

namespace {

Document words_document(const Words& words) {
  Document out = Document::array();
  for (const std::string& word : words) out.push(Document(word));
  return out;
}

Words values_of(const std::vector<std::pair<std::string, Words>>& known, const std::string& path) {
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.first == path; });
  return found == known.end() ? Words() : found->second;
}

Document key_document(const ScenarioKey& key, const Words& values) {
  Document out = Document::object();
  out.set("name", Document(key.name));
  out.set("type", Document(key.type));
  out.set("default", Document(key.fallback));
  out.set("required", Document(key.required));
  out.set("help", Document(key.help));
  out.set("values", words_document(values));
  return out;
}

Document keys_document() {
  const auto known = known_key_values();
  Document out = Document::object();
  Document& list = out.set("sections", Document::array());
  for (const Section& section : scenario_sections()) {
    Document& item = list.push(Document::object());
    item.set("path", Document(section.path));
    item.set("is_list", Document(section.is_list));
    item.set("help", Document(section.help));
    Document& keys = item.set("keys", Document::array());
    for (const ScenarioKey& key : section.keys)
      keys.push(key_document(key, values_of(known, (section.path.empty() ? "" : section.path + ".") + key.name)));
  }
  return out;
}

/// Its text where that means the same anywhere; elsewhere a scenario that extends it, since it names files beside itself.
std::string text_to_start_from(const std::string& name) {
  const std::string text = preset_text(name);
  const bool names_files = text.find("\nextends = ") != std::string::npos || text.find("file = ") != std::string::npos;
  if (name.find('/') == std::string::npos || !names_files) return text;
  return fmt::format("name = \"{}\"\nextends = \"{}\"  # what is written below goes before what the preset says\n",
                     preset_title(name), name);
}

}  // namespace

ServedTexts served_texts() {
  ServedTexts out{.version = kVersion, .front_page = std::string(embedded_front_page()), .keys = keys_document()};
  for (const std::string& name : preset_names())
    if (!name.starts_with("mistakes/") && name != "llama3-job")  // to be refused, and half a scenario
      out.presets.push_back({name, preset_title(name), text_to_start_from(name)});
  return out;
}

}  // namespace railyard
