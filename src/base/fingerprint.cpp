#include "base/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace railyard {

static_assert(std::endian::native == std::endian::little, "fingerprints are defined over little-endian words");

/// Words are hashed many at a time, which is quicker than one by one.
struct Fingerprint::State {
  XXH3_state_t hash;  // of the words before those that wait
  std::array<std::uint64_t, 32> words;
  std::size_t waiting = 0;

  void add(std::uint64_t word) {
    if (waiting == words.size()) {
      XXH3_64bits_update(&hash, words.data(), sizeof words);
      waiting = 0;
    }
    words[waiting++] = word;
  }
};

Fingerprint::Fingerprint() : state_(std::make_unique<State>()) { XXH3_64bits_reset(&state_->hash); }
Fingerprint::~Fingerprint() = default;
Fingerprint::Fingerprint(Fingerprint&&) noexcept = default;
Fingerprint& Fingerprint::operator=(Fingerprint&&) noexcept = default;

void Fingerprint::add(std::uint64_t word) { state_->add(word); }
void Fingerprint::add(std::span<const std::uint64_t> words) {
  if (words.size() > state_->words.size() - state_->waiting) {
    for (const std::uint64_t word : words) state_->add(word);
    return;
  }
  std::copy(words.begin(), words.end(), state_->words.begin() + static_cast<std::ptrdiff_t>(state_->waiting));
  state_->waiting += words.size();
}

std::uint64_t Fingerprint::value() const {
  XXH3_state_t all;
  XXH3_copyState(&all, &state_->hash);
  XXH3_64bits_update(&all, state_->words.data(), state_->waiting * sizeof(std::uint64_t));
  return XXH3_64bits_digest(&all);
}
std::string Fingerprint::text() const { return fmt::format("{:016x}", value()); }

}  // namespace railyard
