# SPDX-License-Identifier: Apache-2.0
# embed_files(SOURCE BASE FILE ...): a C++ source whose ringwave::server::embedded_files() gives the bytes of the files;
# each has the name "FOLDER/…/NAME" below BASE, those of server/ only NAME. The assembler reads them.
function(embed_files source base)
  set(bytes "")
  set(table "")
  set(number 0)
  foreach(file ${ARGN})
    file(RELATIVE_PATH name ${base} ${file})
    string(REGEX REPLACE "^server/" "" name ${name})
    string(APPEND bytes
      "asm(\".section .rodata\\n.balign 16\\nembedded_${number}:\\n.incbin \\\"${file}\\\"\\nembedded_${number}_end:\\n"
      ".byte 0\\n.previous\");\n"
      "extern \"C\" const char embedded_${number}[], embedded_${number}_end[];\n")
    string(APPEND table "    ringwave::server::EmbeddedFile{\"${name}\", bytes(embedded_${number}, embedded_${number}_end)},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${source}.new @ONLY CONTENT
"// Made by cmake/embed_files.cmake.
#include <array>
#include \"apps/server/page_files.hpp\"
@bytes@
namespace {
std::string_view bytes(const char* begin, const char* end) { return {begin, static_cast<std::size_t>(end - begin)}; }
}
std::span<const ringwave::server::EmbeddedFile> ringwave::server::embedded_files() noexcept {
  static const std::array files{
@table@  };
  return files;
}
")
  file(COPY_FILE ${source}.new ${source} ONLY_IF_DIFFERENT)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${ARGN}")
endfunction()
