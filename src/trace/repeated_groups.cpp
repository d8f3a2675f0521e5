#include "trace/repeated_groups.h"

#include <vector>

namespace railyard {

namespace {

std::uint32_t first_of_group(GroupShape shape, std::uint32_t rank) {
  const auto block = static_cast<std::uint32_t>(shape.block());
  return rank / block * block + rank % shape.stride;
}

}  // namespace

std::uint32_t RepeatedGroups::group_of(GroupShape shape, std::uint32_t rank) {
  const std::uint32_t first = first_of_group(shape, rank);
  const auto [entry, is_new] =
      groups_.try_emplace({shape.size, shape.stride, first}, static_cast<std::uint32_t>(draft_.groups.size()));
  if (!is_new) return entry->second;
  std::vector<std::uint32_t> members;
  for (std::uint32_t i = 0; i < shape.size; i++) members.push_back(first + i * shape.stride);
  draft_.groups.push(std::move(members));
  return entry->second;
}

std::uint32_t RepeatedGroups::member_behind(GroupShape shape, std::uint32_t rank, std::uint32_t offset) {
  const std::uint32_t first = first_of_group(shape, rank);
  const std::uint32_t place = (rank - first) / shape.stride;
  const auto there = static_cast<std::uint32_t>((std::uint64_t{place} + offset) % shape.size);
  return first + there * shape.stride;
}

}  // namespace railyard
