// Mistakes that a reader of files has found so far.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"

namespace railyard {

/// The stable codes under which a schema's mistakes are reported; each family of files has its own.
struct SchemaCodes {
  std::string_view unknown_key, wrong_type, bad_quantity, out_of_range, unknown_choice, missing_key;
};

/// What reading has found wrong so far.
class Complaints {
 public:
  /// Full paths of keys that are called `name`, wherever they are; for hints about one that is in the wrong place.
  using Elsewhere = std::vector<std::string> (*)(std::string_view name);

  explicit Complaints(SchemaCodes codes, Elsewhere find_elsewhere = nullptr) : codes_(codes), elsewhere_(find_elsewhere) {}

  void error(std::string_view code, const SourceSpan& where, std::string message, std::string hint) {
    found_.push_back({Severity::error, std::string(code), std::move(message), std::move(hint), where});
  }
  [[nodiscard]] const SchemaCodes& codes() const { return codes_; }
  [[nodiscard]] std::vector<std::string> elsewhere(std::string_view name) const {
    return elsewhere_ ? elsewhere_(name) : std::vector<std::string>();
  }
  [[nodiscard]] const Diagnostics& found() const { return found_; }
  [[nodiscard]] Diagnostics take() { return std::move(found_); }

 private:
  SchemaCodes codes_;
  Elsewhere elsewhere_;
  Diagnostics found_;
};

}  // namespace railyard
