# cmake -DOUTPUT=x.cpp -DROOT=dir -DFUNCTION=name -P embed.cmake: writes every text file under ROOT into one C++ table, sorted by
# name, which the function of that name returns. Names begin with the folder's own. Literals carry their length: no compiler has
# to count it.
file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/*.toml" "${ROOT}/*.txt" "${ROOT}/*.csv")
list(SORT files)
get_filename_component(folder "${ROOT}" NAME)
set(text "// Made from ${folder}/ by cmake/embed.cmake. Do not edit.\n#include \"catalog/embedded.h\"\n\nnamespace railyard {\n\n")
string(APPEND text "namespace {\nusing namespace std::string_view_literals;\nconstexpr EmbeddedFile kFiles[] = {\n")
foreach(file IN LISTS files)
  file(READ "${ROOT}/${file}" content)
  string(APPEND text "    {\"${folder}/${file}\"sv, R\"==text==(${content})==text==\"sv},\n")
endforeach()
string(APPEND text "};\n}  // namespace\n\nstd::span<const EmbeddedFile> ${FUNCTION}() { return kFiles; }\n\n}  // namespace railyard\n")
file(WRITE "${OUTPUT}" "${text}")
