// Independent jobs on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace railyard {

/// Calls job(0) … job(count - 1), at most `threads` at a time (0: as many as the machine has), and returns when all are done.
/// Jobs must not touch each other's data; put results into slots by index, so that the outcome does not depend on `threads`.
/// If a job throws, no new ones are started and the exception is thrown here.
void for_each_index(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& job);

}  // namespace railyard
