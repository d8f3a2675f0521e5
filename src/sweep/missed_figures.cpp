#include "sweep/missed_figures.h"

#include <fmt/format.h>

#include <vector>

#include "base/nearest.h"

namespace railyard {

namespace {

/// Everything that is a number, of lists the first.
void list_numbers(const Document& from, const std::string& path, std::vector<std::string>& out) {
  double storage = 0;
  if (from.number(storage)) out.push_back(path);
  if (from.items() && !from.items()->empty()) list_numbers(from.items()->front(), path + "[0]", out);
  if (!from.members()) return;
  for (const Document::Member& member : *from.members())
    list_numbers(member.value, path.empty() ? member.key : path + "." + member.key, out);
}

}  // namespace

void MissedFigures::see(const std::string& path, const Document& results, bool is_there) {
  const std::lock_guard lock(mutex_);
  Path& known = paths_[path];
  known.is_there = known.is_there || is_there;
  if (is_there || known.missed++ > 0) return;
  std::vector<std::string> numbers;
  list_numbers(results, "", numbers);
  known.guess = nearest(path, numbers);
}

Diagnostic MissedFigures::told(const std::string& name, Path& path) {
  path.is_told = true;
  return {Severity::warning,
          "RY-SWP-018",
          fmt::format("sweep.figures: no point has '{}'", name),
          path.guess.empty() ? "name a path into the results: railyard run --json writes them"
                             : fmt::format("did you mean '{}'?", path.guess),
          {}};
}

Diagnostics MissedFigures::found(std::size_t least) {
  const std::lock_guard lock(mutex_);
  Diagnostics out;
  for (auto& [name, path] : paths_)
    if (path.missed >= least && !path.is_there && !path.is_told) out.push_back(told(name, path));
  return out;
}

Diagnostics MissedFigures::found(std::span<const std::string> paths) {
  const std::lock_guard lock(mutex_);
  Diagnostics out;
  for (const std::string& name : paths)
    if (Path& path = paths_[name]; !path.is_told) out.push_back(told(name, path));
  return out;
}

}  // namespace railyard
