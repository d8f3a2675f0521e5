// What the end of a child means for its run.
#pragma once

#include <filesystem>

#include "base/diagnostic.h"
#include "serve/child.h"
#include "serve/run_record.h"
#include "serve/serve_limits.h"

namespace railyard {

struct RunEnd {
  ServedState state = ServedState::failed;
  Diagnostics problems = {};
};

/// `folder` is where it worked. Findings that it left there (results.json) are why it failed; otherwise RY-WEB-020 (memory),
/// 021 (time), 022 (anything else). REQUIRES: nobody cancelled it.
RunEnd end_of_run(const ChildEnd& end, const std::filesystem::path& folder, const ServeLimits& limits);

/// RY-WEB-023: the server ended while it ran.
Diagnostic lost_run();

}  // namespace railyard
