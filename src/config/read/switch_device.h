// Which device of an estate a file of a switch describes, and notes about it that several readers make.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "config/read/read.h"

namespace railyard {

/// The switch that `text` describes, with the file added to its files. It goes by its own name where one of its files has said
/// it; files that do not say it are known by the name that their path suggests.
Device& switch_of(Estate& estate, const ConfigText& text, std::string_view own_name, Dialect dialect);

/// Adds to what a device left unread, each kind once.
class UnreadNotes {
 public:
  explicit UnreadNotes(Device& device);
  void add(const std::string& statement, const SourceSpan& where, std::uint32_t times = 1);

 private:
  Device& device_;
  std::unordered_map<std::string, std::size_t> at_;
};

/// Ports by name, added where they are missing.
class SwitchPorts {
 public:
  explicit SwitchPorts(Device& device);
  [[nodiscard]] bool has(std::string_view name) const { return at_.count(std::string(name)) != 0; }
  std::size_t add(std::string_view name, const SourceSpan& where);

 private:
  Device& device_;
  std::unordered_map<std::string, std::size_t> at_;
};

}  // namespace railyard
