// The front page of a server, as it was built from web/.
#pragma once

#include <string_view>

namespace railyard {

/// One HTML file that loads nothing but what it asks the server for: made by cmake/embed_page.cmake.
std::string_view embedded_front_page();

}  // namespace railyard
