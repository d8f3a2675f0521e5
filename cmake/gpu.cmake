# The programs for GPUs: clang compiles them to PTX, which becomes a text in the program. Without clang there are none, and
# engine.device = "cuda" is refused. The outcome is the same for every processor that this is built on.
set(embedded_ptx "${PROJECT_BINARY_DIR}/generated/engine/embedded_ptx.cpp")
find_program(RAILYARD_CLANG NAMES clang++-14 clang++ DOC "Compiles programs for GPUs; none: they are left out")
set(ptx "${PROJECT_BINARY_DIR}/generated/engine/kernel.ptx")
set(kernel "${PROJECT_SOURCE_DIR}/src/engine/packet/device/kernel.cu")
if(RAILYARD_CLANG)
  file(GLOB device_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/engine/packet/*.h" "${PROJECT_SOURCE_DIR}/src/engine/packet/*/*.h")
  add_custom_command(
    OUTPUT "${ptx}"
    COMMAND "${RAILYARD_CLANG}" -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -Xclang -target-feature -Xclang +ptx63 -nocudainc -nocudalib -Wno-unknown-cuda-version
            -std=c++20 -O3 -fno-exceptions -ffp-contract=off -S -I "${PROJECT_SOURCE_DIR}/src" "${kernel}" -o "${ptx}"
    # clang 14 turns 64-bit rotations into code that is wrong where the amount is not below 64: there may be none.
    COMMAND sh -c "! grep -q amt2 '${ptx}' || { echo 'a rotation of 64 bits in the programs for GPUs: write it otherwise' >&2; rm '${ptx}'; false; }"
    DEPENDS "${kernel}" ${device_headers}
    COMMENT "Compiling programs for GPUs" VERBATIM)
else()
  add_custom_command(OUTPUT "${ptx}" COMMAND ${CMAKE_COMMAND} -E touch "${ptx}")
endif()
add_custom_command(
  OUTPUT "${embedded_ptx}"
  COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${embedded_ptx}" "-DPAGE=${ptx}" -DHEADER=engine/packet/device/cuda.h -DFUNCTION=packet::device::embedded_ptx -P "${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake"
  DEPENDS "${ptx}" "${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake"
  COMMENT "Embedding programs for GPUs")
