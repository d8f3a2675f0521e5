#include "config/read/readers.h"

namespace railyard {

std::vector<FileReader> mlnx_readers() { return {}; }

}  // namespace railyard
