// Any bytes as a document that a page carries: whatever its texts are, none ends the script, and the document reads back.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/json.h"
#include "report/page.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railyard;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Document document = Document::object();
  const Result<Document> read = parse_json(text, "fuzz.json", "RY-DIF-001");
  // What is no JSON may still be a text of the document, as names of scenarios are.
  document.set("data", read ? *read : Document(std::string(text)));
  const std::string shown = page_data(document);
  RY_CHECK(shown.find('<') == std::string::npos, "no text ends the script");
  RY_CHECK(shown.find('\n') == std::string::npos, "the document is on one line");
  const Result<Document> again = parse_json(shown, "page.json", "RY-DIF-001");
  RY_CHECK(again.has_value(), "what a page carries reads back");
  RY_CHECK(page_data(*again) == shown, "and is the same");
  return 0;
}
