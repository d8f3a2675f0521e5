// A value, or every reason there is none.
#pragma once

#include <tl/expected.hpp>
#include <utility>

#include "base/diagnostic.h"

namespace railyard {

/// Returned by readers and builders only; inside, broken invariants stop the program (base/check.h).
template<class T>
class [[nodiscard]] Result : public tl::expected<T, Diagnostics> {
 public:
  using tl::expected<T, Diagnostics>::expected;

  Result(Diagnostics errors) : tl::expected<T, Diagnostics>(tl::unexpect, std::move(errors)) {}
  Result(Diagnostic error) : Result(Diagnostics{std::move(error)}) {}
};

}  // namespace railyard
