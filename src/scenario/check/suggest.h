// Numbers that would do instead of one that does not: remedies that work.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace railyard {

/// The numbers from 1 to `most` just below and just above `wanted` that fit: "4 or 8". Empty if none does.
std::string numbers_near(std::uint32_t wanted, std::uint32_t most, const std::function<bool(std::uint32_t)>& fits);

/// The divisors of `whole` just below and just above `wanted`. REQUIRES: whole > 0.
std::string divisors_near(std::uint32_t whole, std::uint32_t wanted);

/// GPUs that fill whole servers and whole replicas of a job, `at_least` or more of them.
std::uint64_t gpus_from(std::uint64_t at_least, std::uint64_t per_node, std::uint64_t per_replica);

}  // namespace railyard
