# railyard_module(NAME [ONCE] [BATCH n] [SANITIZE <kinds…>] [THREADS <filter>] DEPENDS <modules…> LIBRARIES <targets…> SOURCES … TESTS … BENCHES …)
#
# Declares src/NAME as the static library railyard::NAME. Headers are found from src/ and need no listing.
# DEPENDS is checked against layers.txt, so a forbidden edge stops the configuration.
# LIBRARIES are private: a third-party header never leaves the module that uses it, unless listed under PUBLIC_LIBRARIES.
# TESTS become one GoogleTest program, BENCHES one Google Benchmark program (target `benches`).
# SANITIZE, THREADS: which of TESTS are run under which sanitizer (railyard_test.cmake).
# ONCE: the code runs once per run and not once per message or packet; it is compiled quickly instead of for speed.
#
# Sources of a module are compiled BATCH at a time (option RAILYARD_UNITY; 16 if not given), since most of what a compiler
# reads are headers. Rooms that change often have smaller batches: a change of one source compiles its batch again.
# So names in the anonymous namespaces of one module must differ; a helper that two sources need has a header.

file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/layers.txt" RAILYARD_LAYERS REGEX "^[a-z]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/layers.txt")

# Stops with an error unless layers.txt lets `module` use `dependency`.
function(railyard_check_layer module dependency)
  string(REGEX REPLACE "^tools/.*" "tools/*" from "${module}")
  string(REGEX REPLACE "^tools/.*" "tools/*" to "${dependency}")
  foreach(line IN LISTS RAILYARD_LAYERS)
    if(line MATCHES "^([^:]+):(.*)$" AND CMAKE_MATCH_1 STREQUAL from)
      separate_arguments(allowed UNIX_COMMAND "${CMAKE_MATCH_2}")
      if(NOT to IN_LIST allowed)
        message(FATAL_ERROR "src/${module} may not depend on src/${dependency} (cmake/layers.txt)")
      endif()
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "src/${module} has no line in cmake/layers.txt")
endfunction()

set(RAILYARD_ONCE_OPTIONS "$<$<CONFIG:RelWithDebInfo>:-O1>")

# Sources of `target` are compiled `size` at a time.
function(railyard_batch target size)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${RAILYARD_UNITY} UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

# A program of Google Benchmark among those that the target `benches` makes.
add_custom_target(benches)
function(railyard_bench target)
  set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL ON)
  add_dependencies(benches ${target})
endfunction()

function(railyard_module NAME)
  cmake_parse_arguments(PARSE_ARGV 1 M "ONCE" "BATCH;THREADS" "SANITIZE;DEPENDS;LIBRARIES;PUBLIC_LIBRARIES;SOURCES;TESTS;BENCHES")
  if(M_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "railyard_module(${NAME}): unknown arguments ${M_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT M_BATCH)
    set(M_BATCH 16)
  endif()
  string(REPLACE "/" "_" id "${NAME}")
  set(folder "${PROJECT_SOURCE_DIR}/src/${NAME}")
  list(TRANSFORM M_SOURCES PREPEND "${folder}/" REGEX "^[^/]")
  list(TRANSFORM M_TESTS PREPEND "${folder}/")
  list(TRANSFORM M_BENCHES PREPEND "${folder}/")

  if(M_SOURCES)
    add_library(railyard_${id} STATIC ${M_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(railyard_${id} PRIVATE railyard_warnings ${M_LIBRARIES})
    railyard_batch(railyard_${id} ${M_BATCH})
    if(M_ONCE)
      target_compile_options(railyard_${id} PRIVATE ${RAILYARD_ONCE_OPTIONS})
    endif()
  else()
    add_library(railyard_${id} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(railyard::${id} ALIAS railyard_${id})
  target_include_directories(railyard_${id} ${scope} "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(railyard_${id} ${scope} railyard_options ${M_PUBLIC_LIBRARIES})
  foreach(dependency IN LISTS M_DEPENDS)
    railyard_check_layer("${NAME}" "${dependency}")
    string(REPLACE "/" "_" dependency_id "${dependency}")
    target_link_libraries(railyard_${id} ${scope} railyard::${dependency_id})
  endforeach()

  if(M_TESTS AND BUILD_TESTING)
    add_executable(${id}_test ${M_TESTS})
    target_link_libraries(${id}_test PRIVATE railyard::${id} railyard_warnings GTest::gtest_main)
    if(TARGET railyard_scenario)  # tests may be written as scenarios
      target_link_libraries(${id}_test PRIVATE railyard_scenario)
    endif()
    target_compile_options(${id}_test PRIVATE ${RAILYARD_ONCE_OPTIONS})
    railyard_batch(${id}_test 16)
    railyard_unit_tests(${id}_test "unit/${NAME}" SANITIZE ${M_SANITIZE} THREADS "${M_THREADS}" SOURCES ${M_TESTS})
  endif()
  if(M_BENCHES AND benchmark_FOUND AND NOT RAILYARD_SANITIZE)
    add_executable(${id}_bench ${M_BENCHES})
    target_link_libraries(${id}_bench PRIVATE railyard::${id} railyard_warnings benchmark::benchmark_main)
    railyard_bench(${id}_bench)
  endif()
endfunction()
