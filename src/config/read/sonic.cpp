#include "config/read/readers.h"

namespace railyard {

std::vector<FileReader> sonic_readers() { return {}; }

}  // namespace railyard
