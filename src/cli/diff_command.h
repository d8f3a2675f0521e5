// `railyard diff`: what differs between two results that --json wrote.
#pragma once

#include <string>

#include "base/document.h"
#include "cli/options.h"

namespace railyard {

/// Tells 0 where nothing differs, 1 where something does and 2 where that cannot be found out, as diff and cmp do.
int diff_command(const Options& options);

/// Results under the name that people know them by.
struct NamedResults {
  std::string name;  // a file, or "run 3"
  const Document& results;
};
/// The same for results that were read already.
int show_differences(const NamedResults& a, const NamedResults& b, const Options& options);

}  // namespace railyard
