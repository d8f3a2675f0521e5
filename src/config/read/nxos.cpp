#include "config/read/readers.h"

namespace railyard {

std::vector<FileReader> nxos_readers() { return {}; }

}  // namespace railyard
