// Arrays that are read here and there.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace railyard {

/// Room for large arrays, aligned to pages of 2 MiB and with the wish for such pages: the processor finds one of a few pages
/// faster than one of thousands. The system may not grant it, which changes nothing but speed. What is smaller is aligned to a
/// cache line. Throws std::bad_alloc.
void* allocate_large(std::size_t bytes);
void free_large(void* memory, std::size_t bytes);

template<class T>
struct LargeAllocator {
  using value_type = T;
  static_assert(alignof(T) <= 64);

  LargeAllocator() = default;
  template<class U>
  LargeAllocator(const LargeAllocator<U>&) {}  // NOLINT: allocators convert

  [[nodiscard]] T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(allocate_large(count * sizeof(T)));
  }
  void deallocate(T* memory, std::size_t count) { free_large(memory, count * sizeof(T)); }

  friend bool operator==(LargeAllocator, LargeAllocator) { return true; }
};

template<class T>
using LargeArray = std::vector<T, LargeAllocator<T>>;

/// Empties an array and hands its memory back. Assigning {} would keep it: that is an assignment of no elements.
template<class Array>
void give_back(Array& array) {
  Array().swap(array);
}

}  // namespace railyard
