// Physical limits that no reported number may pass, in every build.
#pragma once

#include "analysis/results.h"

namespace railyard {

/// Stops the program if a rate is above its line, a share above one, or a message faster than it can be alone. The last look
/// at results before anybody sees them; sim/bounds.h guards times and bytes before that.
void check_results(const Results& results);

}  // namespace railyard
