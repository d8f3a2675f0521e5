#include "scenario/sweep_document.h"

#include <utility>

#include "scenario/presets.h"
#include "scenario/read/scenario_document.h"

namespace railyard {

namespace {

/// `document` over the scenario that its sweep.scenario names, or as it is where there is none.
Result<Document> over_named_scenario(Document document, const std::filesystem::path& path, const ReadFile& read) {
  const Document* const base = document.at_path("sweep.scenario");
  if (!base || !base->text()) return document;
  Diagnostics renamed;
  const std::filesystem::path beside = path.parent_path() / *base->text();
  const bool is_file = read(beside).has_value();
  Result<Document> below = load_document(is_file ? beside.string() : scenario_path(*base->text()), read, renamed);
  if (!below)
    return Diagnostic{Severity::error, "RY-SWP-002", "sweep.scenario = \"" + *base->text() + "\" is no file and no preset",
                      "name a file beside this one, or a preset; railyard catalog presets lists them", base->where()};
  return overlay(std::move(*below), document);
}

}  // namespace

ReadFile disk_or_preset_reader(const std::string& name_or_path) {
  return [own = reader_for(name_or_path), presets = reader_for(preset_names().front())](
             const std::filesystem::path& path, std::size_t largest) -> Result<std::string> {
    Result<std::string> text = own(path, largest);
    if (text) return text;
    Result<std::string> preset = presets(path, largest);
    return preset ? preset : text;
  };
}

Result<SweepDocument> load_sweep_document(const std::string& name_or_path, std::span<const std::string> overrides,
                                          const ReadFile& read) {
  const std::filesystem::path path = scenario_path(name_or_path);
  Diagnostics found;
  Result<Document> document = load_document(path, read, found);
  if (document) document = over_named_scenario(std::move(*document), path, read);
  if (!document) return document.error();
  for (const std::string& text : overrides) {
    document = overridden(std::move(*document), text, found);
    if (!document) return document.error();
  }
  SweepDocument out{Document(Document::Object{}, document->where()), {}, path};
  for (const Document::Member& member : *document->members())
    if (member.key == "sweep")
      out.sweep = member.value;
    else
      out.scenario.append(member.key, member.value, member.where);
  return out;
}

}  // namespace railyard
