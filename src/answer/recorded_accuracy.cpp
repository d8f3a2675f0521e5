#include "answer/recorded_accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/check.h"
#include "base/toml.h"
#include "catalog/embedded.h"

namespace railyard {

namespace {

constexpr std::string_view kFile = "catalog/accuracy/recorded.toml";

const Document& recorded() {
  static const Document document = [] {
    for (const EmbeddedFile& file : embedded_catalog())
      if (file.name == kFile) {
        Result<Document> read = parse_toml(file.text, std::string(kFile), "RY-CAT-001");
        RY_CHECK(read.has_value(), "what was recorded can be read");
        return std::move(*read);
      }
    check_failed("found", "accuracy is recorded", __FILE__, __LINE__);
  }();
  return document;
}

double number(const std::string& path) {
  const Document* found = recorded().at_path(path);
  double storage = 0;
  RY_CHECK(found && found->number(storage), "what was recorded is complete");
  return *found->number(storage);
}

}  // namespace

RecordedAccuracy recorded_accuracy(bool with_experts, Fidelity fidelity) {
  const std::string at =
      fmt::format("{}.{}.", with_experts ? "experts" : "dense", fidelity == Fidelity::analytic ? "analytic" : "flow");
  return {static_cast<std::int64_t>(number(at + "rows")), number(at + "median"), number(at + "p90")};
}

}  // namespace railyard
