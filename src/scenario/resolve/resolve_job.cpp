#include "scenario/resolve/resolve_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace railyard {

namespace {

constexpr std::uint32_t kServerNumbers = 1U << 20;

std::optional<std::uint32_t> number(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  std::uint32_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value >= kServerNumbers) return std::nullopt;
  return value;
}

/// One part of "0-3,8"; false where it is none.
bool add_range(std::string_view part, std::vector<std::uint32_t>& numbers) {
  const std::size_t dash = part.find('-');
  const auto first = number(part.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : number(part.substr(dash + 1));
  if (!first || !last || *last < *first) return false;
  for (std::uint32_t i = *first; i <= *last; i++) numbers.push_back(i);
  return true;
}

}  // namespace

std::optional<JobPlan> resolve_job(const ScenarioSpec& spec, Complaints& complaints) {
  if (!spec.job) return std::nullopt;
  JobPlan job = *spec.job;
  std::string_view rest = job.servers;
  const auto refuse = [&](std::string what, std::string hint) {
    complaints.error("RY-JOB-002", spec.where("job.servers"), std::move(what), std::move(hint));
  };
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    if (!add_range(rest.substr(0, comma), job.numbers)) {
      refuse(fmt::format("servers = \"{}\" is no list of servers", job.servers), "write numbers from 0, such as \"0-3,8\"");
      return job;
    }
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  std::sort(job.numbers.begin(), job.numbers.end());
  const auto twice = std::adjacent_find(job.numbers.begin(), job.numbers.end());
  if (twice != job.numbers.end()) refuse(fmt::format("servers names server {} twice", *twice), "name every server once");
  return job;
}

}  // namespace railyard
