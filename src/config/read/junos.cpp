#include "config/read/readers.h"

namespace railyard {

std::vector<FileReader> junos_readers() { return {}; }

}  // namespace railyard
