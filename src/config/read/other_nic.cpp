#include "config/read/readers.h"

namespace railyard {

std::vector<FileReader> other_nic_readers() { return {}; }

}  // namespace railyard
