// NVIDIA's driver, found when the program runs: who has none can do everything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace railyard::packet::device {

/// The calls of libcuda.so.1 that are used, with the names and types of its header (CUDA Driver API).
struct CudaDriver {
  using Device = int;
  using Context = struct CudaContext*;
  using Module = struct CudaModule*;
  using Function = struct CudaFunction*;
  using Stream = struct CudaStream*;
  using Address = std::uint64_t;

  int (*init)(unsigned flags) = nullptr;
  int (*get_error_string)(int error, const char** text) = nullptr;
  int (*device_get_count)(int* count) = nullptr;
  int (*device_get)(Device* device, int ordinal) = nullptr;
  int (*device_get_name)(char* name, int length, Device device) = nullptr;
  int (*device_get_attribute)(int* value, int attribute, Device device) = nullptr;
  int (*primary_context_retain)(Context* context, Device device) = nullptr;
  int (*primary_context_release)(Device device) = nullptr;
  int (*context_set_current)(Context context) = nullptr;
  int (*context_synchronize)() = nullptr;
  int (*context_set_limit)(int limit, std::size_t value) = nullptr;
  int (*module_load_data)(Module* module, const void* image, unsigned options, int* names, void** values) = nullptr;
  int (*module_unload)(Module module) = nullptr;
  int (*module_get_function)(Function* function, Module module, const char* name) = nullptr;
  int (*module_get_global)(Address* address, std::size_t* bytes, Module module, const char* name) = nullptr;
  int (*occupancy)(int* blocks, Function function, int threads, std::size_t shared) = nullptr;
  int (*memory_info)(std::size_t* free, std::size_t* total) = nullptr;
  int (*allocate)(Address* address, std::size_t bytes) = nullptr;
  int (*free)(Address address) = nullptr;
  int (*set_bytes)(Address address, unsigned char value, std::size_t bytes) = nullptr;
  int (*copy_to_device)(Address to, const void* from, std::size_t bytes) = nullptr;
  int (*copy_to_host)(void* to, Address from, std::size_t bytes) = nullptr;
  int (*launch_cooperative)(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                            unsigned block_y, unsigned block_z, unsigned shared, Stream stream, void** parameters) = nullptr;

  static constexpr int kMultiprocessors = 16;  // an attribute
  static constexpr int kStackSize = 0;         // a limit

  /// What the driver says of an error.
  [[nodiscard]] std::string text_of(int error) const;
};

/// The driver, or why there is none.
struct FoundDriver {
  const CudaDriver* driver = nullptr;
  std::string reason;
};
[[nodiscard]] const FoundDriver& cuda_driver();

}  // namespace railyard::packet::device
