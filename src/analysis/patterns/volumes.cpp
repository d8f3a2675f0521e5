#include "analysis/patterns/volumes.h"

#include <algorithm>
#include <functional>
#include <map>

namespace railyard {

namespace {

Volumes sorted(std::string by, const std::map<std::string, VolumeRow>& rows) {
  Volumes volumes{std::move(by), {}};
  for (const auto& [name, row] : rows)
    if (row.bytes > 0) volumes.rows.push_back(row);
  std::stable_sort(volumes.rows.begin(), volumes.rows.end(),
                   [](const VolumeRow& a, const VolumeRow& b) { return a.bytes > b.bytes; });
  return volumes;
}

void add(std::map<std::string, VolumeRow>& rows, const std::string& name, double bytes, double scale_out) {
  VolumeRow& row = rows[name];
  row.name = name;
  row.bytes += bytes;
  row.scale_out += scale_out;
}

Volumes volumes_by(const std::string& by, const std::vector<TrafficRow>& traffic,
                   const std::function<std::string(const TrafficRow&)>& name_of_row) {
  std::map<std::string, VolumeRow> rows;
  for (const TrafficRow& row : traffic) add(rows, name_of_row(row), row.sent, row.scale_out);
  return sorted(by, rows);
}

std::string phase_of(const TrafficRow& row) {
  if (row.phase == "gradients" || row.phase == "parameters") return "optimizer: " + row.phase;
  if (row.group == name_of(GroupKind::expert)) return "expert routing";
  return row.phase;
}

Volumes by_tier(const std::vector<TrafficRow>& traffic, const std::vector<ReachRow>& reach) {
  std::map<std::string, VolumeRow> rows;
  for (const ReachRow& row : reach) {
    add(rows, "inside a scale-up domain", row.domain, 0);
    add(rows, "under one leaf", row.leaf, row.leaf);
    add(rows, "inside a pod", row.pod, row.pod);
    add(rows, "between pods", row.across, row.across);
  }
  if (reach.empty())
    for (const TrafficRow& row : traffic) {
      add(rows, "inside a scale-up domain", row.sent - row.scale_out, 0);
      add(rows, "between scale-up domains", row.scale_out, row.scale_out);
    }
  return sorted("tier", rows);
}

}  // namespace

double Volumes::bytes() const {
  double sum = 0;
  for (const VolumeRow& row : rows) sum += row.bytes;
  return sum;
}

double Volumes::scale_out() const {
  double sum = 0;
  for (const VolumeRow& row : rows) sum += row.scale_out;
  return sum;
}

std::vector<Volumes> volumes_of(const std::vector<TrafficRow>& traffic, const std::vector<ReachRow>& reach) {
  return {volumes_by("primitive", traffic, [](const TrafficRow& row) { return row.primitive; }),
          volumes_by("phase", traffic, phase_of), volumes_by("group", traffic, [](const TrafficRow& row) { return row.group; }),
          by_tier(traffic, reach)};
}

std::vector<Volumes> volumes_of(const std::string& primitive, double bytes, double scale_out) {
  return {{"primitive", {{primitive, bytes, scale_out}}}};
}

}  // namespace railyard
