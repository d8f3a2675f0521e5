#include "analysis/limit.h"

#include <map>

namespace railyard {

namespace {

constexpr double kMostlyBandwidth = 0.5;  // of the time; below that latency is what a faster link would not cure

constexpr double kLibraryLimit = 0.75;  // a library never fills links: below that something else holds it up

/// What links have to give while a collective runs.
class MeanRates {
 public:
  MeanRates(const Fabric& fabric, std::span<const PortChange> changes, Picoseconds time) : fabric_(fabric) {
    std::map<PortId, std::pair<BitsPerSecond, Picoseconds>> since;  // rate, from when on
    std::map<PortId, double> bits;
    const auto until = [&](PortId port, Picoseconds at) {
      auto& [rate, from] =
          since.try_emplace(port, fabric_.trunk_port_rate[fabric_.port_trunk[port]], Picoseconds::zero()).first->second;
      bits[port] += static_cast<double>(rate.count()) * seconds(at - from);
      from = at;
    };
    for (const PortChange& change : changes) {
      if (change.at >= time) continue;
      until(change.port, change.at);
      since[change.port].first = change.rate;
    }
    for (const auto& [port, last] : since) until(port, time);
    for (const auto& [port, sum] : bits) changed_[port] = BitsPerSecond(static_cast<std::int64_t>(sum / seconds(time)));
  }

  [[nodiscard]] bool is_slowed(PortId port) const { return changed_.contains(port); }
  [[nodiscard]] BitsPerSecond of(PortId port) const {
    const auto found = changed_.find(port);
    return found == changed_.end() ? fabric_.trunk_port_rate[fabric_.port_trunk[port]] : found->second;
  }
  [[nodiscard]] BitsPerSecond of(TrunkId trunk) const {
    if (changed_.empty()) return fabric_.trunk_rate(trunk);
    BitsPerSecond sum;
    for (const PortId port : fabric_.trunk_ports[trunk]) sum += of(port);
    return sum;
  }

 private:
  const Fabric& fabric_;
  std::map<PortId, BitsPerSecond> changed_;
};

/// The trunk that was busy longest, or the single link or path that was.
class Busiest {
 public:
  Busiest(const Fabric& fabric, const MeanRates& rates) : fabric_(fabric), rates_(rates) {}

  void look_at(const Telemetry& telemetry) {
    for (const TrunkId trunk : ids(fabric_.trunk_tier)) {
      const auto& ports = fabric_.trunk_ports[trunk];
      const bool slowed = ports.size() == 1 && rates_.is_slowed(ports.front());
      consider(telemetry.trunk_carried[trunk], rates_.of(trunk), trunk, slowed ? ", slowed link" : "");
      consider(telemetry.trunk_path_time[trunk], trunk, ", one path");
    }
    for (const PortId port : ids(telemetry.port_carried)) {
      const TrunkId trunk = fabric_.port_trunk[port];
      consider(telemetry.port_carried[port], rates_.of(port), trunk,
               rates_.is_slowed(port)                  ? ", slowed link"
               : fabric_.trunk_ports[trunk].size() > 1 ? ", one link"
                                                       : "");
    }
  }

  [[nodiscard]] Picoseconds longest() const { return longest_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  void consider(Bytes carried, BitsPerSecond rate, TrunkId trunk, const char* how) {
    if (rate > BitsPerSecond::zero()) consider(transmit_time(carried, rate), trunk, how);
  }
  void consider(Picoseconds busy, TrunkId trunk, const char* how) {
    if (busy <= longest_) return;
    longest_ = busy;
    name_ = std::string(name_of(fabric_.trunk_tier[trunk], fabric_.topology)) + how;
  }

  const Fabric& fabric_;
  const MeanRates& rates_;
  Picoseconds longest_ = {};
  std::string name_;
};

}  // namespace

std::string limit_of(const Fabric& fabric, std::span<const PortChange> failures, const CollectiveRun& collective) {
  const MeanRates rates(fabric, failures, collective.time);
  Busiest busiest(fabric, rates);
  busiest.look_at(collective.telemetry);
  const double needed = collective.protocol ? kLibraryLimit : kMostlyBandwidth;
  if (seconds(busiest.longest()) >= needed * seconds(collective.time)) return busiest.name();
  const bool short_buffer = !collective.latency || seconds(*collective.latency) >= kMostlyBandwidth * seconds(collective.time);
  if (short_buffer) return "latency";
  return collective.protocol == Protocol::simple ? "scale-up links" : "protocol";  // a library's time that no network explains
}

}  // namespace railyard
