# The pages of web/, built once for every preset, as texts in the program.
set(embedded_page "${PROJECT_BINARY_DIR}/generated/report/embedded_page.cpp")
set(embedded_front_page "${PROJECT_BINARY_DIR}/generated/serve/embedded_front_page.cpp")
set(embed_page "${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake")
file(GLOB_RECURSE web_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/web/src/*")
file(GLOB web_inputs "${PROJECT_SOURCE_DIR}/web/*.html" "${PROJECT_SOURCE_DIR}/web/*.json" "${PROJECT_SOURCE_DIR}/web/*.ts")
add_custom_command(
  OUTPUT "${embedded_page}" "${embedded_front_page}"
  COMMAND "${PROJECT_SOURCE_DIR}/scripts/build_web.sh"
  COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${embedded_page}" "-DPAGE=${PROJECT_SOURCE_DIR}/build/web/index.html" -DHEADER=report/page.h -DFUNCTION=embedded_page -P "${embed_page}"
  COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${embedded_front_page}" "-DPAGE=${PROJECT_SOURCE_DIR}/build/web/serve.html" -DHEADER=serve/front_page.h -DFUNCTION=embedded_front_page -P "${embed_page}"
  DEPENDS ${web_files} ${web_inputs} "${PROJECT_SOURCE_DIR}/scripts/build_web.sh" "${embed_page}"
  COMMENT "Building and embedding web/")
add_custom_target(railyard_pages DEPENDS "${embedded_page}" "${embedded_front_page}")  # once, for both modules
