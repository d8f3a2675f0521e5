// Any bytes as a scenario file with a [sweep]: the reader must answer with points or with findings, and every point that is
// looked at is a scenario or a refusal with a reason. The bytes also serve as the file that `extends` or sweep.scenario leads
// to, and as lines of journals and messages of processes.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "catalog/catalog.h"
#include "sweep/disk_copies.h"
#include "sweep/row.h"
#include "sweep/sweep.h"

namespace railyard {
namespace {

constexpr std::size_t kLookedAt = 4;  // points at each end

void look_at_points(const Sweep& sweep) {
  const SweepPoints& points = sweep.points();
  RY_CHECK(points.size() > 0 && !points.axes().empty(), "a sweep has points and axes");
  for (std::size_t p = 0; p < points.size(); p++) {
    if (p >= kLookedAt && p + kLookedAt < points.size()) continue;
    for (std::size_t a = 0; a < points.axes().size(); a++) (void)sweep_value_text(points.value(p, a));
    const Result<Scenario> scenario = sweep.scenario(p);
    if (scenario) continue;
    RY_CHECK(!scenario.error().empty(), "a refusal has a reason");
    for (const Diagnostic& found : scenario.error()) (void)to_text(found);
  }
}

/// A line that is read is written the same, and read the same again.
void look_at_row(std::string_view line) {
  for (const std::size_t figures : {0U, 1U, 22U}) {
    const std::optional<NumberedRow> row = read_row_line(line, figures);
    if (!row) continue;
    const std::string written = row_line(row->point, row->row);
    const std::optional<NumberedRow> again = read_row_line(written, figures);
    RY_CHECK(again && row_line(again->point, again->row) == written, "rows survive a journal");
  }
}

/// What is sent between processes is either understood whole or not at all.
void look_at_message(std::string_view text) {
  if (const std::optional<CopyList> list = unpacked_copies(text)) {
    const std::optional<CopyList> again = unpacked_copies(packed(*list));
    RY_CHECK(again && packed(*again) == packed(*list), "lists of copies survive a message");
  }
  RY_CHECK(part_of({}, text).empty(), "no part of a file that is not listed is sent");
}

}  // namespace
}  // namespace railyard

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railyard;
  const std::string text(reinterpret_cast<const char*>(data), size);
  int depth = 0;
  const ReadFile read = [&](const std::filesystem::path&) -> Result<std::string> {
    if (depth++ > 2) return std::string("name = \"x\"\n[cluster]\ngpus = 2\n");
    return text;
  };
  const Result<Sweep> sweep = Sweep::open({"fuzz.toml", {}, "1"}, builtin_catalog(), {}, read);
  if (sweep) {
    look_at_points(*sweep);
  } else {
    RY_CHECK(!sweep.error().empty(), "a refusal has a reason");
    for (const Diagnostic& found : sweep.error()) (void)to_text(found);
  }
  look_at_row(text.substr(0, text.find('\n')));
  look_at_message(text);
  return 0;
}
