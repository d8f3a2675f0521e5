// Names of keys and values that have changed: files with an old one still work, with a warning, for one version.
#pragma once

#include "base/document.h"

namespace railyard {

/// The document with every old name replaced by the one it has now, at the place where it was written. Adds a warning
/// (RY-SCN-130) for each, and an error (RY-SCN-131) where the new name is there as well. A key whose values have changed with
/// its name is left out with an error (RY-SCN-137). One file or one override at a time:
/// a new name in a file then goes before an old one in the file it extends.
Document with_current_names(const Document& document, Diagnostics& found);

/// A path ("jitter.least") as it is written now; the same if it has not changed.
std::string current_name(const std::string& path);

}  // namespace railyard
