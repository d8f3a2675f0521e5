// A short name for everything that happened in a run: equal runs have equal fingerprints.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace railyard {

/// A streaming 64-bit hash (XXH3) over integers. The order of what is added matters; how it is split over calls does not.
class Fingerprint {
 public:
  Fingerprint();
  ~Fingerprint();
  Fingerprint(Fingerprint&&) noexcept;
  Fingerprint& operator=(Fingerprint&&) noexcept;

  void add(std::uint64_t word);
  void add(std::span<const std::uint64_t> words);
  [[nodiscard]] std::uint64_t value() const;
  [[nodiscard]] std::string text() const;  // 16 hexadecimal digits

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace railyard
