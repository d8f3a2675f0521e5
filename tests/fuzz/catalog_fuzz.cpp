// Any bytes as a file of the catalog, by itself and beside those that ship: entries that can be shown, or findings that can.
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "catalog/catalog.h"

namespace {

void read(std::span<const railyard::EmbeddedFile> files) {
  using namespace railyard;
  const Result<Catalog> catalog = load_catalog(files);
  if (!catalog) {
    RY_CHECK(!catalog.error().empty(), "a refusal has a reason");
    for (const Diagnostic& d : catalog.error()) (void)to_text(d);
    return;
  }
  for_each_shelf(*catalog, [](const CatalogKind&, const auto& shelf) {
    for (const auto& entry : shelf.entries()) {
      RY_CHECK(shelf.find(entry.name) != nullptr, "an entry is found by its name");
      for (const auto& [key, value] : entry.written) (void)entry.origin_of(key);
    }
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railyard;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<EmbeddedFile> files = {{"fuzz.toml", text}};
  read(files);
  files.insert(files.end(), embedded_catalog().begin(), embedded_catalog().end());
  read(files);
  return 0;
}
