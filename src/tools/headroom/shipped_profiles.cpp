#include "tools/headroom/shipped_profiles.h"

#include <charconv>
#include <sstream>

#include "base/check.h"
#include "catalog/embedded.h"

namespace railyard {

namespace {

constexpr std::string_view kFile = "catalog/headroom/sonic.csv";

std::int64_t number(const std::string& cell) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  RY_CHECK(error == std::errc() && end == cell.data() + cell.size(), "the file of profiles has whole numbers");
  return value;
}

ShippedProfile profile_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line + ",");
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  RY_CHECK(cells.size() == 8, "a profile has eight cells");
  return {.device = cells[0],
          .chip = cells[1],
          .speed = BitsPerSecond(number(cells[2]) * 1'000'000'000),
          .cable = Millimetres(number(cells[3]) * 1'000),
          .size = Bytes(number(cells[4])),
          .xon = Bytes(number(cells[5])),
          .xoff = Bytes(number(cells[6])),
          .xon_offset = cells[7].empty() ? std::nullopt : std::optional(Bytes(number(cells[7])))};
}

std::vector<ShippedProfile> read() {
  std::vector<ShippedProfile> all;
  for (const EmbeddedFile& file : embedded_catalog()) {
    if (file.name != kFile) continue;
    std::istringstream in{std::string(file.text)};
    bool headed = false;
    for (std::string line; std::getline(in, line);) {
      if (line.empty() || line.starts_with('#')) continue;
      if (headed) all.push_back(profile_of(line));
      headed = true;
    }
  }
  RY_CHECK(!all.empty(), "profiles are part of the program");
  return all;
}

}  // namespace

const std::vector<ShippedProfile>& shipped_profiles() {
  static const std::vector<ShippedProfile> all = read();
  return all;
}

}  // namespace railyard
