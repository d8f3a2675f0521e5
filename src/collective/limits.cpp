#include "collective/limits.h"

#include <algorithm>

namespace railyard {

namespace {

/// Of n parts of at most ceil(size / n) bytes, what `count` of them hold at least.
Bytes smallest_parts(Bytes size, std::uint32_t positions, std::uint32_t count) {
  const Bytes part((size.count() + positions - 1) / positions);
  return std::max(Bytes::zero(), size - part * (std::int64_t{positions} - count));
}

}  // namespace

Bytes least_bytes_sent(CollectiveKind kind, std::uint32_t positions, Bytes size, SwitchHelp help) {
  const std::int64_t n = positions;
  const bool helped = help == SwitchHelp::reduce_and_multicast;
  switch (kind) {
    case CollectiveKind::all_reduce:
      return size * (helped ? n : 2 * (n - 1));
    case CollectiveKind::all_gather:
    case CollectiveKind::broadcast:
      return size * (helped ? 1 : n - 1);
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::reduce:
    case CollectiveKind::all_to_all:
      return size * (n - 1);
    case CollectiveKind::send:
      return size * n;
  }
  check_failed("kind", "a collective is of a known kind", __FILE__, __LINE__);
}

CutBytes least_bytes_across(CollectiveKind kind, std::uint32_t positions, std::uint32_t inside, bool root_inside, Bytes size) {
  RY_CHECK(inside > 0 && inside < positions, "a cut has positions on both sides");
  const std::uint32_t outside = positions - inside;
  const Bytes parts_inside = smallest_parts(size, positions, inside), parts_outside = smallest_parts(size, positions, outside);
  switch (kind) {
    case CollectiveKind::all_reduce:
    case CollectiveKind::send:
      return {size, size};
    case CollectiveKind::all_gather:
      return {parts_inside, parts_outside};
    case CollectiveKind::reduce_scatter:
      return {parts_outside, parts_inside};
    case CollectiveKind::all_to_all:
      return {parts_outside * inside, parts_inside * outside};
    case CollectiveKind::broadcast:
      return root_inside ? CutBytes{size, {}} : CutBytes{{}, size};
    case CollectiveKind::reduce:
      return root_inside ? CutBytes{{}, size} : CutBytes{size, {}};
  }
  check_failed("kind", "a collective is of a known kind", __FILE__, __LINE__);
}

}  // namespace railyard
