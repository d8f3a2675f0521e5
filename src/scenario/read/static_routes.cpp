#include "scenario/read/static_routes.h"

#include "base/schema.h"

namespace railyard {

void read_static_routes(const Document& table, std::vector<StaticRoute>& routes, Complaints& complaints) {
  constexpr std::string_view kBetween = " to ";
  for (const Document::Member& member : *table.members()) {
    const std::size_t middle = member.key.find(kBetween);
    const std::string* via = member.value.text();
    if (middle == std::string::npos || middle == 0 || middle + kBetween.size() == member.key.size())
      complaints.error("RY-SCN-110", member.where,
                       fmt::format("'{}' is not of the form \"SWITCH to DESTINATION\"", printable(member.key)),
                       "write for instance \"leaf 3 to gpu 5\" = \"spine 1\"; in a drawing \"s0 to h2\" = \"s1\"");
    else if (!via || via->empty())
      schema::wrong_type(member.key, member.value, "the name of a neighbour, such as \"spine 1\"", complaints);
    else
      routes.push_back({member.key.substr(0, middle), member.key.substr(middle + kBetween.size()), *via, member.where});
  }
}

}  // namespace railyard
