#include "config/read/readers.h"

namespace railyard {

std::vector<FileReader> inventory_readers() { return {}; }

}  // namespace railyard
