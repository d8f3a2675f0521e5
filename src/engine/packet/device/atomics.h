// What threads of a GPU need to share memory. On a processor, where one thread plays all of them, it is plain reading and
// writing.
#pragma once

#include <cstdint>

namespace railyard::packet::device {

#ifdef __CUDA__

inline std::uint32_t add(std::uint32_t* to, std::uint32_t more) { return __atomic_fetch_add(to, more, __ATOMIC_RELAXED); }
inline std::uint64_t add(std::uint64_t* to, std::uint64_t more) { return __atomic_fetch_add(to, more, __ATOMIC_RELAXED); }
inline void lower(std::int64_t* value, std::int64_t to) {
  if (to < __atomic_load_n(value, __ATOMIC_RELAXED)) __atomic_fetch_min(value, to, __ATOMIC_RELAXED);
}
inline void lower(std::uint32_t* value, std::uint32_t to) {
  if (to < __atomic_load_n(value, __ATOMIC_RELAXED)) __atomic_fetch_min(value, to, __ATOMIC_RELAXED);
}
inline void raise(std::int64_t* value, std::int64_t to) {
  if (to > __atomic_load_n(value, __ATOMIC_RELAXED)) __atomic_fetch_max(value, to, __ATOMIC_RELAXED);
}
/// As others see it: never from a cache that may be out of date.
template<class T>
T load(const T* from) {
  return __atomic_load_n(from, __ATOMIC_RELAXED);
}
template<class T>
void store(T* to, T value) {
  __atomic_store_n(to, value, __ATOMIC_RELAXED);
}
/// What was written before is seen by who sees what is written afterwards; what is read afterwards is not older than what was
/// read before.
inline void fence() {
#ifdef __CUDA_ARCH__
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
#endif
}

/// It will be read soon.
inline void fetch(const void* from) {
#ifdef __CUDA_ARCH__
  asm volatile("prefetch.L1 [%0];" ::"l"(from));
#else
  static_cast<void>(from);
#endif
}

#else

inline void fetch(const void* from) { __builtin_prefetch(from); }

inline std::uint32_t add(std::uint32_t* to, std::uint32_t more) {
  const std::uint32_t before = *to;
  *to += more;
  return before;
}
inline std::uint64_t add(std::uint64_t* to, std::uint64_t more) {
  const std::uint64_t before = *to;
  *to += more;
  return before;
}
inline void lower(std::int64_t* value, std::int64_t to) {
  if (to < *value) *value = to;
}
inline void lower(std::uint32_t* value, std::uint32_t to) {
  if (to < *value) *value = to;
}
inline void raise(std::int64_t* value, std::int64_t to) {
  if (to > *value) *value = to;
}
template<class T>
T load(const T* from) {
  return *from;
}
template<class T>
void store(T* to, T value) {
  *to = value;
}
inline void fence() {}

#endif

}  // namespace railyard::packet::device
