// A report as one HTML file that loads nothing, runs nothing and prints well.
#pragma once

#include <string>
#include <string_view>

#include "report/report.h"

namespace railyard {

/// For the text of HTML and XML: no markup, and no character that either refuses.
std::string escaped_markup(std::string_view text);

/// The title, sections and tables in order. Cells that say no more than "pass", "fail" or "not measured" are coloured.
std::string write_html(const Report& report);

}  // namespace railyard
