#include "report/page.h"

#include "base/check.h"
#include "base/json.h"

namespace railyard {

namespace {

/// Where the data goes: between these two, which stand next to each other in the page as it was built.
constexpr std::string_view kBegin = R"(<script type="application/json" id="data">)", kEnd = "</script>";

}  // namespace

std::string page_data(const Document& data) {
  const std::string json = write_compact_json(data);
  std::string out;
  out.reserve(json.size() + json.size() / 64);
  for (const char c : json)
    if (c == '<')
      out += "\\u003c";  // in JSON it stands in texts only
    else
      out += c;
  return out;
}

std::string page(const Document& data) {
  const std::string_view empty = embedded_page();
  const std::size_t begin = empty.find(std::string(kBegin) + std::string(kEnd));
  RY_CHECK(begin != std::string_view::npos, "the page as built has a place for its data");
  const std::size_t split_at = begin + kBegin.size();
  std::string out(empty.substr(0, split_at));
  out += page_data(data);
  out += empty.substr(split_at);
  return out;
}

}  // namespace railyard
