#include "export/port_history.h"

#include <algorithm>

namespace railyard {

PortHistory::PortHistory(const PacketRecord& packets, const MetricClock& clock, Picoseconds until, Room room)
    : series_(packets.series), begin_(clock.at(Picoseconds::zero())) {
  for (const Picoseconds end : series_.at) at_.push_back(clock.at(std::min(end, until)));
  const auto kept = static_cast<std::size_t>(
      std::count_if(series_.at.begin(), series_.at.end(), [&](Picoseconds end) { return end < until; }));
  const std::size_t points = std::max<std::size_t>(1, room.series) * std::max<std::size_t>(1, kept);
  stride_ = std::max<std::size_t>(1, (points + room.points - 1) / room.points);
  first_.assign(series_.ports + 1, 0);
  for (const PortEvents& one : series_.events) first_[one.port.index() + 1]++;
  for (std::size_t port = 0; port < series_.ports; port++) first_[port + 1] += first_[port];
  of_port_.resize(series_.events.size());
  sample_of_.resize(series_.events.size());
  std::vector<std::size_t> next = first_;
  for (std::size_t sample = 0; sample < at_.size(); sample++)
    for (std::size_t i = series_.first_event[sample]; i < series_.first_event[sample + 1]; i++) {
      sample_of_[i] = static_cast<std::uint32_t>(sample);
      of_port_[next[series_.events[i].port.index()]++] = static_cast<std::uint32_t>(i);
    }
}

std::vector<MetricPoint> PortHistory::total(double last) const {
  std::vector<MetricPoint> points{{begin_, 0}};
  if (!at_.empty()) add_point(points, at_.back(), last);
  return points;
}

std::vector<MetricPoint> PortHistory::constant(double value) const {
  return held_points(begin_, at_.empty() ? begin_ : at_.back(), value);
}

std::vector<MetricPoint> PortHistory::counter(PortId port, Amount amount, double last) const {
  std::vector<MetricPoint> points{{begin_, 0}};
  double sum = 0;
  for (std::size_t sample = 0; sample < at_.size(); sample++) {
    sum += amount(series_.sample(sample, port));
    if (is_point(sample)) add_point(points, at_[sample], std::min(sum, last));
  }
  if (!at_.empty()) points.back().value = last;
  thin_points(points);
  return points;
}

std::vector<MetricPoint> PortHistory::counter(PortId port, std::uint32_t PortEvents::*member, double last) const {
  std::vector<MetricPoint> points{{begin_, 0}};
  double sum = 0;
  std::size_t next = first_[port.index()];
  for (std::size_t sample = 0; sample < at_.size(); sample++) {
    for (; next < first_[port.index() + 1] && sample_of_[of_port_[next]] == sample; next++)
      sum += series_.events[of_port_[next]].*member;
    if (is_point(sample)) add_point(points, at_[sample], std::min(sum, last));
  }
  if (!at_.empty()) points.back().value = last;
  thin_points(points);
  return points;
}

std::vector<MetricPoint> PortHistory::backlog(PortId port) const {
  std::vector<MetricPoint> points{{begin_, 0}};
  double most = 0;
  for (std::size_t sample = 0; sample < at_.size(); sample++) {
    most = std::max(most, static_cast<double>(series_.sample(sample, port).backlog));
    if (!is_point(sample)) continue;
    const bool is_later = at_[sample] > points.back().milliseconds;
    add_point(points, at_[sample], is_later ? most : std::max(most, points.back().value));
    most = 0;
  }
  thin_points(points);
  return points;
}

}  // namespace railyard
