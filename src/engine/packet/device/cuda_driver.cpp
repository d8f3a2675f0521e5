#include "engine/packet/device/cuda_driver.h"

#include <dlfcn.h>

#include <fmt/format.h>

namespace railyard::packet::device {

namespace {

/// Finds one call. Returns whether it is there.
template<class Call>
bool find(void* library, const char* name, Call& call) {
  call = reinterpret_cast<Call>(dlsym(library, name));
  return call != nullptr;
}

bool find_all(void* library, CudaDriver& d) {
  return find(library, "cuInit", d.init) && find(library, "cuGetErrorString", d.get_error_string) &&
         find(library, "cuDeviceGetCount", d.device_get_count) && find(library, "cuDeviceGet", d.device_get) &&
         find(library, "cuDeviceGetName", d.device_get_name) && find(library, "cuDeviceGetAttribute", d.device_get_attribute) &&
         find(library, "cuDevicePrimaryCtxRetain", d.primary_context_retain) &&
         find(library, "cuDevicePrimaryCtxRelease_v2", d.primary_context_release) &&
         find(library, "cuCtxSetCurrent", d.context_set_current) && find(library, "cuCtxSynchronize", d.context_synchronize) &&
         find(library, "cuCtxSetLimit", d.context_set_limit) && find(library, "cuModuleLoadDataEx", d.module_load_data) &&
         find(library, "cuModuleUnload", d.module_unload) && find(library, "cuModuleGetFunction", d.module_get_function) &&
         find(library, "cuModuleGetGlobal_v2", d.module_get_global) &&
         find(library, "cuOccupancyMaxActiveBlocksPerMultiprocessor", d.occupancy) &&
         find(library, "cuMemGetInfo_v2", d.memory_info) && find(library, "cuMemAlloc_v2", d.allocate) &&
         find(library, "cuMemFree_v2", d.free) && find(library, "cuMemsetD8_v2", d.set_bytes) &&
         find(library, "cuMemcpyHtoD_v2", d.copy_to_device) && find(library, "cuMemcpyDtoH_v2", d.copy_to_host) &&
         find(library, "cuLaunchCooperativeKernel", d.launch_cooperative);
}

FoundDriver look_for_driver() {
  static CudaDriver driver;
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {nullptr, "this machine has no NVIDIA driver (libcuda.so.1 is not there)"};
  if (!find_all(library, driver)) return {nullptr, "the NVIDIA driver is too old: it lacks calls of CUDA 11"};
  if (const int error = driver.init(0); error != 0)
    return {nullptr, fmt::format("the NVIDIA driver does not start: {}", driver.text_of(error))};
  int count = 0;
  if (driver.device_get_count(&count) != 0 || count == 0) return {nullptr, "the NVIDIA driver finds no GPU"};
  return {&driver, {}};
}

}  // namespace

std::string CudaDriver::text_of(int error) const {
  const char* text = nullptr;
  if (get_error_string(error, &text) != 0 || text == nullptr) return fmt::format("error {}", error);
  return text;
}

const FoundDriver& cuda_driver() {
  static const FoundDriver found = look_for_driver();
  return found;
}

}  // namespace railyard::packet::device
