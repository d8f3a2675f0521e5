// A GPU as the packet engine needs it: memory of its own, and programs that run there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "engine/packet/device/state.h"

namespace railyard::packet::device {

/// What is run on all threads (windows.h).
enum class Program : std::uint8_t { offer, windows, look, sample };

/// Memory is named by addresses that only programs can use.
class Backend {
 public:
  Backend() = default;
  virtual ~Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;

  /// Zeroed. Throws GpuFailed where there is no more.
  [[nodiscard]] virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory) = 0;
  virtual void to_device(void* to, const void* from, std::size_t bytes) = 0;
  virtual void to_host(void* to, const void* from, std::size_t bytes) = 0;

  /// Programs work on this from now on.
  virtual void load(const State& state) = 0;
  /// Lets one begin; finish() waits for its end. Nothing else is asked for in between.
  virtual void start(Program program) = 0;
  virtual void finish() = 0;
  void run(Program program) {
    start(program);
    finish();
  }
  /// Blocks of threads that run at once, where one is to play each of so many switches; each has a Scratch of its own. It holds
  /// from now on.
  [[nodiscard]] virtual std::uint32_t choose_blocks(std::uint32_t switches) = 0;
};

/// A GPU that one thread of the processor plays; `is_reversed`: it does what GPUs do side by side in the other order.
std::unique_ptr<Backend> make_emulation(bool is_reversed);

/// An array in the memory of a GPU.
template<class T>
class Array {
 public:
  explicit Array(Backend& backend) : backend_(backend) {}
  ~Array() { drop(); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::size_t room() const { return room_; }

  /// Room for so many; what was there stays. Returns whether the address is another.
  bool reserve(std::size_t count) {
    if (count <= room_) return false;
    const std::size_t room = room_ == 0 ? count : count + count / 2;
    T* const larger = static_cast<T*>(backend_.allocate(room * sizeof(T)));
    if (room_ > 0) {  // by way of the processor: it happens seldom
      const auto bytes = std::make_unique<std::byte[]>(room_ * sizeof(T));
      backend_.to_host(bytes.get(), data_, room_ * sizeof(T));
      backend_.to_device(larger, bytes.get(), room_ * sizeof(T));
    }
    drop();
    data_ = larger;
    room_ = room;
    return true;
  }
  /// REQUIRES: there is room.
  void write(std::size_t first, std::span<const T> values) {
    if (!values.empty()) backend_.to_device(data_ + first, values.data(), values.size_bytes());
  }
  void read(std::span<T> values) const {
    if (!values.empty()) backend_.to_host(values.data(), data_, values.size_bytes());
  }
  /// Room for these, and these in it.
  void assign(std::span<const T> values) {
    reserve(values.size());
    write(0, values);
  }

 private:
  void drop() {
    if (data_ != nullptr) backend_.release(data_);
    data_ = nullptr;
  }

  Backend& backend_;
  T* data_ = nullptr;
  std::size_t room_ = 0;
};

}  // namespace railyard::packet::device
