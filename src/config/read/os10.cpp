#include "config/read/readers.h"

namespace railyard {

std::vector<FileReader> os10_readers() { return {}; }

}  // namespace railyard
