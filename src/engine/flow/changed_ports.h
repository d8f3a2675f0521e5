// Ports that do not run as they were built, and which of them were down when paths were found.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "fabric/fabric.h"

namespace railyard {

class ChangedPorts {
 public:
  /// The rate that a port had instead of its own, if any.
  [[nodiscard]] std::optional<BitsPerSecond> rate_of(PortId port) const {
    const auto known = rates_.find(port);
    return known == rates_.end() ? std::nullopt : std::optional(known->second);
  }
  [[nodiscard]] const std::map<PortId, BitsPerSecond>& all() const { return rates_; }
  void clear() { rates_.clear(); }

  /// From now on it has this rate; none: its own again.
  void set(PortId port, std::optional<BitsPerSecond> rate) {
    rates_.erase(port);
    if (rate) rates_.emplace(port, *rate);
  }

  /// Some port went down or came back.
  void moved() { moved_ = true; }
  [[nodiscard]] bool have_moved() const { return moved_; }

  /// Somebody's path was found with those that are down now: everybody's, or one more beside older ones.
  void found_path(bool is_only) {
    if (!moved_) return;
    down_for_paths_ = is_only ? std::optional(down()) : std::nullopt;
    moved_ = !is_only;
  }

  /// The ports that were down when all paths were found; none: not the same for all.
  [[nodiscard]] const std::optional<std::vector<PortId>>& down_for_paths() const { return down_for_paths_; }

  /// Whether all paths have to be found again: not where they were found with the same ports down. They are, after this.
  bool take_move() {
    moved_ = false;
    std::vector<PortId> now = down();
    if (down_for_paths_ == now) return false;
    down_for_paths_ = std::move(now);
    return true;
  }

 private:
  [[nodiscard]] std::vector<PortId> down() const {
    std::vector<PortId> ports;
    for (const auto& [port, rate] : rates_)
      if (rate == BitsPerSecond::zero()) ports.push_back(port);
    return ports;
  }

  std::map<PortId, BitsPerSecond> rates_;
  bool moved_ = false;
  std::optional<std::vector<PortId>> down_for_paths_ = std::vector<PortId>{};  // none: not the same for all
};

}  // namespace railyard
