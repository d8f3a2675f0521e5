#include "base/large_array.h"

#include <sys/mman.h>

namespace railyard {

namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;
constexpr std::align_val_t kCacheLine{64};

bool is_large(std::size_t bytes) { return bytes >= kLargePage; }

}  // namespace

void* allocate_large(std::size_t bytes) {
  if (!is_large(bytes)) return ::operator new(bytes, kCacheLine);
  void* const memory = ::operator new(bytes, std::align_val_t(kLargePage));
#ifdef MADV_HUGEPAGE
  madvise(memory, bytes / kLargePage * kLargePage, MADV_HUGEPAGE);
#endif
  return memory;
}

void free_large(void* memory, std::size_t bytes) {
  if (is_large(bytes))
    ::operator delete(memory, std::align_val_t(kLargePage));
  else
    ::operator delete(memory, kCacheLine);
}

}  // namespace railyard
