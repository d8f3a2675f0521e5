// What a release of training software does, laid below what a scenario says.
#pragma once

#include "base/document.h"
#include "catalog/catalog.h"
#include "scenario/read/spec.h"

namespace railyard {

/// `document` over the keys of the software it names in [training]; itself if it names none that the catalog has.
Document with_software(const Document& document, const Catalog& catalog);

/// Keys that came from the software were not given: they move from spec.keys to spec.software_keys.
void take_software_keys(ScenarioSpec& spec);

}  // namespace railyard
