#include "search/space.h"

#include <limits>
#include <utility>

#include "base/check.h"

namespace railyard {

namespace {

constexpr std::uint64_t kUncountable = std::numeric_limits<std::uint64_t>::max();

std::uint64_t times(std::uint64_t a, std::uint64_t b) { return a > kUncountable / b ? kUncountable : a * b; }

}  // namespace

Space::Space(std::vector<Axis> axes) : axes_(std::move(axes)) {
  for (const Axis& axis : axes_) {
    RY_CHECK(!axis.values.empty(), "an axis has values");
    size_ = times(size_, axis.values.size());
    if (!axis.is_late) early_size_ = times(early_size_, axis.values.size());
  }
}

std::vector<std::uint32_t> Space::choices(PointId point) const {
  std::vector<std::uint32_t> out(axes_.size());
  for (std::size_t i = axes_.size(); i-- > 0;) {
    out[i] = static_cast<std::uint32_t>(point % axes_[i].values.size());
    point /= axes_[i].values.size();
  }
  RY_CHECK(point == 0, "a point is in its space");
  return out;
}

PointId Space::point(std::span<const std::uint32_t> choices) const {
  RY_CHECK(choices.size() == axes_.size(), "a point has a value on every axis");
  PointId point = 0;
  for (std::size_t i = 0; i < axes_.size(); i++) {
    RY_CHECK(choices[i] < axes_[i].values.size(), "an axis has the value");
    point = point * axes_[i].values.size() + choices[i];
  }
  return point;
}

PointId Space::early(std::uint64_t n) const {
  std::vector<std::uint32_t> chosen(axes_.size(), 0);
  for (std::size_t i = axes_.size(); i-- > 0;) {
    if (axes_[i].is_late) continue;
    chosen[i] = static_cast<std::uint32_t>(n % axes_[i].values.size());
    n /= axes_[i].values.size();
  }
  return point(chosen);
}

std::vector<std::string> Space::overrides(PointId point) const {
  std::vector<std::string> out;
  const std::vector<std::uint32_t> chosen = choices(point);
  for (std::size_t i = 0; i < axes_.size(); i++) {
    const std::vector<std::string>& set = axes_[i].values[chosen[i]].set;
    out.insert(out.end(), set.begin(), set.end());
  }
  return out;
}

const std::string& Space::text(PointId point, std::size_t axis) const { return axes_[axis].values[choices(point)[axis]].text; }

std::vector<PointId> Space::neighbours(PointId point, std::size_t axis) const {
  std::vector<PointId> out;
  std::vector<std::uint32_t> chosen = choices(point);
  const std::uint32_t own = chosen[axis];
  for (std::uint32_t value = 0; value < axes_[axis].values.size(); value++) {
    chosen[axis] = value;
    if (value != own) out.push_back(this->point(chosen));
  }
  return out;
}

std::vector<PointId> Space::neighbours(PointId point) const {
  std::vector<PointId> out;
  for (std::size_t axis = 0; axis < axes_.size(); axis++)
    for (const PointId other : neighbours(point, axis)) out.push_back(other);
  return out;
}

}  // namespace railyard
