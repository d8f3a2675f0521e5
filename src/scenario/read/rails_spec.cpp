#include "scenario/read/rails_spec.h"

namespace railyard {

std::string type_name(std::type_identity<RailsSpec>) { return "true | false | integer"; }

std::string written(const RailsSpec& rails) {
  return rails.count ? std::to_string(*rails.count) : std::string(rails.on ? "true" : "false");
}

void convert(std::string_view key, const Document& value, RailsSpec& out, const Limits<RailsSpec>&, Complaints& complaints) {
  constexpr std::int64_t kMost = 1U << 16;
  if (const bool* flag = value.boolean()) {
    out = {*flag, std::nullopt};
  } else if (const std::int64_t* count = value.integer()) {
    if (*count < 1) return schema::out_of_range(key, value, "at least 1", complaints);
    if (*count > kMost) return schema::out_of_range(key, value, fmt::format("at most {}", kMost), complaints);
    out = {true, static_cast<std::uint32_t>(*count)};
  } else {
    schema::wrong_type(key, value, "true, false or a number of rails", complaints);
  }
}

}  // namespace railyard
