#include "engine/packet/device/emulation.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "engine/packet/device/backend.h"

namespace railyard::packet::device {

namespace {

class Emulation final : public Backend {
 public:
  explicit Emulation(bool is_reversed) : is_reversed_(is_reversed) {}

  [[nodiscard]] void* allocate(std::size_t bytes) override {
    constexpr std::size_t kLine = 128;
    const std::size_t whole = (bytes + kLine - 1) / kLine * kLine;
    void* const memory = std::aligned_alloc(kLine, whole == 0 ? kLine : whole);
    if (memory == nullptr) throw std::bad_alloc();
    std::memset(memory, 0, whole);
    return memory;
  }
  void release(void* memory) override { std::free(memory); }
  void to_device(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void to_host(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }

  void load(const State& state) override { state_ = state; }
  void start(Program program) override {
    EmulatedGrid grid{state_.scratch, is_reversed_};
    Windows windows(state_, grid);
    switch (program) {
      case Program::offer:
        return windows.offer();
      case Program::windows:
        return windows.run();
      case Program::look:
        return windows.look();
      case Program::sample:
        return windows.sample();
    }
  }
  void finish() override {}
  [[nodiscard]] std::uint32_t choose_blocks(std::uint32_t) override { return 1; }

 private:
  State state_;
  const bool is_reversed_;
};

}  // namespace

std::unique_ptr<Backend> make_emulation(bool is_reversed) { return std::make_unique<Emulation>(is_reversed); }

}  // namespace railyard::packet::device
