// Which program this is, for files that another one may go on with.
#pragma once

#include <string>

namespace railyard {

/// "0.1.0 3f2a9c1d2e4b": the version, and the first digits of the build id, which a linker computes from everything that is
/// linked. The version alone where a linker writes none. One word or two, never empty.
std::string program_name();

}  // namespace railyard
