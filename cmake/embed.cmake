# Files carried inside a library.
#
#   motet_embed(target name path)
#
# makes the bytes of `path` readable as motet::embedded_file("name"). The file may
# be made by the build; it is taken in by the assembler (.incbin), so that large
# files cost no compile time, and the library is rebuilt when it changes.
function(motet_embed target name path)
  get_property(started TARGET ${target} PROPERTY MOTET_EMBEDDED_NAMES SET)
  set_property(TARGET ${target} APPEND PROPERTY MOTET_EMBEDDED_NAMES ${name})
  set_property(TARGET ${target} APPEND PROPERTY MOTET_EMBEDDED_PATHS ${path})
  if(NOT started)
    cmake_language(EVAL CODE "cmake_language(DEFER CALL motet_write_embedded ${target})")
  endif()
endfunction()

# Called once per target, when all its files are known.
function(motet_write_embedded target)
  get_property(names TARGET ${target} PROPERTY MOTET_EMBEDDED_NAMES)
  get_property(paths TARGET ${target} PROPERTY MOTET_EMBEDDED_PATHS)
  set(number 0)
  set(blocks "")
  set(symbols "")
  set(entries "")
  foreach(name path IN ZIP_LISTS names paths)
    set(symbol "motet_embedded_${number}")
    string(APPEND blocks ".global ${symbol}_begin, ${symbol}_end\n.balign 16\n"
      "${symbol}_begin:\n.incbin \"${path}\"\n${symbol}_end:\n.byte 0\n")
    string(APPEND symbols "extern \"C\" const char ${symbol}_begin[];\nextern \"C\" const char ${symbol}_end[];\n")
    string(APPEND entries "    {\"${name}\", ${symbol}_begin, ${symbol}_end},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded/${target}.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
// Written by motet_embed in cmake/embed.cmake.
#include "motet/report/assets.h"

asm(R"(
.pushsection .rodata
@blocks@
.popsection
)");

@symbols@
namespace motet {
namespace {
const EmbeddedFile files[] = {
@entries@};
}  // namespace

std::span<const EmbeddedFile> embedded_files() { return files; }

}  // namespace motet
]])
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${paths}")
  target_sources(${target} PRIVATE ${source})
endfunction()
