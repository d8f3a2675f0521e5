# cmake -DOUTPUT=x.cpp -DPAGE=index.html -DHEADER=report/page.h -DFUNCTION=embedded_page -P embed_page.cmake: writes a page of web/
# into a C++ string that FUNCTION of HEADER returns. It is longer than the 64 KiB that every compiler must take in one literal; both
# that build this take megabytes.
file(READ "${PAGE}" content)
string(FIND "${content}" ")==page==" inside)
if(NOT inside EQUAL -1)
  message(FATAL_ERROR "${PAGE} has the end of a raw string in it")
endif()
file(WRITE "${OUTPUT}" "// Made from web/ by cmake/embed_page.cmake. Do not edit.\n#include \"${HEADER}\"\n
#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n\nnamespace railyard {\n
std::string_view ${FUNCTION}() { return R\"==page==(${content})==page==\"; }\n\n}  // namespace railyard\n")
