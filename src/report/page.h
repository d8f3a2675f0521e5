// The page: one HTML file that shows a run or a comparison. It loads nothing, and all it shows is the document in it.
#pragma once

#include <string>
#include <string_view>

#include "base/document.h"

namespace railyard {

/// The page of web/ with `data` in it (docs/results.md, the page). Whatever texts `data` has, none of them ends its script.
std::string page(const Document& data);

/// What page() puts into its script: JSON on one line in which no "<" is left.
std::string page_data(const Document& data);

/// The page without data, as it was built: embedded_page.cpp, made by cmake/embed_page.cmake.
std::string_view embedded_page();

}  // namespace railyard
