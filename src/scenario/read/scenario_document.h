// A scenario file as a document: laid over what it extends, with overrides laid over it.
#pragma once

#include <filesystem>
#include <string>

#include "base/document.h"
#include "base/result.h"
#include "scenario/read/read_file.h"

namespace railyard {

/// The file at `path` laid over what it extends. Here and below, `renamed` gets what there is to say of old names
/// (scenario/read/renamed_keys.h).
Result<Document> load_document(const std::filesystem::path& path, const ReadFile& read, Diagnostics& renamed);

/// `document` with one override laid over it: "transport.mtu=1024" sets a key, "transport.dcqcn=" takes one away.
Result<Document> overridden(Document document, const std::string& text, Diagnostics& renamed);

/// The machines and the network of a scenario with another workload: what belongs to its own one is left out.
/// `section` is what the other one is: "collective", "traffic".
Document with_workload(const Document& document, const std::string& section, const Document& workload);

}  // namespace railyard
