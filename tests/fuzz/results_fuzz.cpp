// Any bytes as results that `railyard diff` is given: a document that is written as it was read, or a finding that can be
// shown; and nothing differs from itself.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/json.h"
#include "report/differences.h"
#include "report/results_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railyard;
  const Result<Document> read =
      parse_json(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.json", "RY-DIF-001");
  if (!read) {
    RY_CHECK(!read.error().empty(), "a refusal has a reason");
    for (const Diagnostic& d : read.error()) (void)to_text(d);
    return 0;
  }
  const std::string once = write_json(*read);
  const Result<Document> again = parse_json(once, "again.json", "RY-DIF-001");
  RY_CHECK(again.has_value() && write_json(*again) == once, "what is written reads back the same");
  RY_CHECK(parse_json(write_compact_json(*read), "again.json", "RY-DIF-001").has_value(), "in one line as well");
  RY_CHECK(differences(*again, *again).empty(), "nothing differs from itself");
  const Result<Document> results = parse_results(once, "again.json");
  if (!results) return 0;
  const auto pairs = pair_results(*results, *results, "again.json");
  if (!pairs) return 0;  // a comparison of nothing
  for (const ResultsPair& pair : *pairs) (void)differences_document(differences(*pair.a, *pair.b));
  return 0;
}
