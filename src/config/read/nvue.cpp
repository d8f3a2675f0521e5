#include "config/read/readers.h"

namespace railyard {

std::vector<FileReader> nvue_readers() { return {}; }

}  // namespace railyard
