// Numbers out of a tree of results, by a path that may choose among the items of lists.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "base/document.h"
#include "tools/claims/claim.h"

namespace railyard {

/// Follows `path` and folds what it leads to into one number, or says why it cannot. "mfu.causal" names a member, "points[0]"
/// an item, "rails[*]" all of them, "traffic[group=data, phase=forward]" those whose members are so written. A path that leads
/// nowhere is a mistake, but for `count`, where it is 0; so is one that leads to anything but numbers.
tl::expected<double, std::string> select_number(const Document& results, std::string_view path, Fold fold);

}  // namespace railyard
