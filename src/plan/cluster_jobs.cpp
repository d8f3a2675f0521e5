#include "plan/cluster_jobs.h"

#include <string>
#include <string_view>

namespace railyard {

namespace {

// Tables that a front end has of its own. How many GPUs there are is said in [cluster] for both networks.
constexpr std::string_view kOwnTables[] = {"[fabric", "[transport", "[routing"};

std::string renamed(std::string text) {
  for (const std::string_view table : kOwnTables)
    for (std::size_t at = text.find(table); at != std::string::npos; at = text.find(table, at + table.size()))
      text.insert(at + 1, "frontend.");
  if (text.find("nic") == std::string::npos) return text;
  constexpr std::string_view kCluster = "[cluster]";
  if (const std::size_t at = text.find(kCluster); at != std::string::npos) text.insert(at + 1, "frontend.");
  return text;
}

}  // namespace

Diagnostic told_of_front_end(Diagnostic mistake) {
  mistake.message = renamed(std::move(mistake.message));
  mistake.hint = renamed(std::move(mistake.hint));
  return mistake;
}

}  // namespace railyard
