#include "config/read/readers.h"

namespace railyard {

std::vector<FileReader> platform_readers() { return {}; }

}  // namespace railyard
