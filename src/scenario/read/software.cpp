#include "scenario/read/software.h"

namespace railyard {

Document with_software(const Document& document, const Catalog& catalog) {
  const Document* training = document.find("training");
  const Document* name = training && training->members() ? training->find("software") : nullptr;
  const auto* software = name && name->text() ? catalog.software.find(*name->text()) : nullptr;
  return software ? overlay(software->fact.sections, document) : document;
}

void take_software_keys(ScenarioSpec& spec) {
  std::erase_if(spec.keys.by_path, [&](const auto& entry) {
    const auto& [path, key] = entry;
    if (key.where.file != kSoftwareFile) return false;
    if (!key.value.empty()) spec.software_keys[path] = key;
    return true;
  });
}

}  // namespace railyard
