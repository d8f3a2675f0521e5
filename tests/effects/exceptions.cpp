#include "effects/cases.h"

namespace railyard::effects {

std::vector<std::string> shown_in(std::string_view) { return {}; }
std::string excused(const std::string&, const Case&, std::string_view) { return {}; }

}  // namespace railyard::effects
