#include "engine/packet/device/cuda.h"

#include <fmt/format.h>

#include <array>

#include "engine/gpu.h"
#include "engine/packet/device/cuda_driver.h"

namespace railyard::packet::device {

namespace {

constexpr unsigned kThreads = 128, kManyThreads = 512;  // of a block: a switch has about as many ports
constexpr std::size_t kStack = 4096;  // bytes of a thread: models call each other, and compilers cannot tell how deep
constexpr int kMostBlocks = 8;        // of a multiprocessor: each has scratch memory of its own

class Cuda final : public Backend {
 public:
  explicit Cuda(const CudaDriver& driver) : driver_(driver) {
    expect(driver_.device_get(&device_, 0), "find its first GPU");
    expect(driver_.primary_context_retain(&context_, device_), "open its first GPU");
    expect(driver_.context_set_current(context_), "use its first GPU");
    expect(driver_.context_set_limit(CudaDriver::kStackSize, kStack), "give threads a stack");
    const std::string ptx(embedded_ptx());  // ends with a zero
    expect(driver_.module_load_data(&module_, ptx.c_str(), 0, nullptr, nullptr), "take Railyard's programs");
    constexpr std::array kNames = {"railyard_offer", "railyard_windows", "railyard_look", "railyard_sample"};
    for (std::size_t i = 0; i < kNames.size(); i++)
      expect(driver_.module_get_function(&programs_[i], module_, kNames[i]), "find a program");
    std::size_t bytes = 0;
    expect(driver_.module_get_global(&state_, &bytes, module_, "railyard_state"), "find the programs' state");
    if (bytes != sizeof(State)) throw GpuFailed("the programs for GPUs were built for another Railyard");
    expect(driver_.device_get_attribute(&multiprocessors_, CudaDriver::kMultiprocessors, device_), "describe its GPU");
    static_cast<void>(choose_blocks(0));
  }
  ~Cuda() override {
    driver_.context_set_current(context_);
    if (module_ != nullptr) driver_.module_unload(module_);
    driver_.primary_context_release(device_);
  }

  [[nodiscard]] void* allocate(std::size_t bytes) override {
    CudaDriver::Address address = 0;
    const std::size_t whole = bytes == 0 ? 1 : bytes;
    if (driver_.allocate(&address, whole) != 0) throw GpuFailed(no_room(whole));
    expect(driver_.set_bytes(address, 0, whole), "clear memory");
    return reinterpret_cast<void*>(address);
  }
  void release(void* memory) override { driver_.free(address_of(memory)); }
  void to_device(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) expect(driver_.copy_to_device(address_of(to), from, bytes), "copy to the GPU");
  }
  void to_host(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) expect(driver_.copy_to_host(to, address_of(from), bytes), "copy from the GPU");
  }

  void load(const State& state) override { expect(driver_.copy_to_device(state_, &state, sizeof(State)), "take a state"); }
  void start(Program program) override {
    expect(driver_.launch_cooperative(programs_[static_cast<std::size_t>(program)], blocks_, 1, 1, threads_, 1, 1, 0, nullptr,
                                      nullptr),
           "start a program");
  }
  void finish() override { expect(driver_.context_synchronize(), "finish a program"); }
  /// Where there are few switches, more threads work on each: fewer of a warp's, which have less to wait for each other.
  [[nodiscard]] std::uint32_t choose_blocks(std::uint32_t switches) override {
    threads_ = switches <= 2 * static_cast<unsigned>(multiprocessors_) ? kManyThreads : kThreads;
    int blocks = 0;
    const auto program = programs_[static_cast<std::size_t>(Program::windows)];
    expect(driver_.occupancy(&blocks, program, static_cast<int>(threads_), 0), "place a program");
    blocks_ = static_cast<unsigned>(std::min(blocks, kMostBlocks)) * static_cast<unsigned>(multiprocessors_);
    if (blocks_ == 0) throw GpuFailed("the GPU has no room for Railyard's programs");
    return blocks_;
  }

 private:
  [[nodiscard]] std::string no_room(std::size_t bytes) const {
    std::size_t left = 0, all = 0;
    if (driver_.memory_info(&left, &all) != 0) return "the GPU gives no more memory";
    return fmt::format("the GPU has {} MiB of memory, {} of them are left, and {} more are needed", all >> 20, left >> 20,
                       (bytes >> 20) + 1);
  }
  static CudaDriver::Address address_of(const void* memory) { return reinterpret_cast<CudaDriver::Address>(memory); }
  void expect(int error, std::string_view what) const {
    if (error != 0) throw GpuFailed(fmt::format("the NVIDIA driver could not {}: {}", what, driver_.text_of(error)));
  }

  const CudaDriver& driver_;
  CudaDriver::Device device_ = 0;
  CudaDriver::Context context_ = nullptr;
  CudaDriver::Module module_ = nullptr;
  std::array<CudaDriver::Function, 4> programs_ = {};
  CudaDriver::Address state_ = 0;
  int multiprocessors_ = 0;
  unsigned blocks_ = 0, threads_ = kThreads;
};

}  // namespace

std::string why_no_cuda() {
  if (embedded_ptx().empty()) return "this Railyard was built without programs for GPUs (clang was not there)";
  return cuda_driver().reason;
}

std::unique_ptr<Backend> make_cuda() { return std::make_unique<Cuda>(*cuda_driver().driver); }

}  // namespace railyard::packet::device
