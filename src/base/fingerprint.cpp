#include "base/fingerprint.h"

#include <fmt/format.h>

#include <bit>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace railyard {

static_assert(std::endian::native == std::endian::little, "fingerprints are defined over little-endian words");

struct Fingerprint::State {
  XXH3_state_t hash;
};

Fingerprint::Fingerprint() : state_(std::make_unique<State>()) { XXH3_64bits_reset(&state_->hash); }
Fingerprint::~Fingerprint() = default;
Fingerprint::Fingerprint(Fingerprint&&) noexcept = default;
Fingerprint& Fingerprint::operator=(Fingerprint&&) noexcept = default;

void Fingerprint::add(std::uint64_t word) { XXH3_64bits_update(&state_->hash, &word, sizeof word); }
void Fingerprint::add(std::span<const std::uint64_t> words) {
  XXH3_64bits_update(&state_->hash, words.data(), words.size_bytes());
}
std::uint64_t Fingerprint::value() const { return XXH3_64bits_digest(&state_->hash); }
std::string Fingerprint::text() const { return fmt::format("{:016x}", value()); }

}  // namespace railyard
