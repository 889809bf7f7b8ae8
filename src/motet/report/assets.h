// Files carried inside the program, so that it needs none beside it.
//
// CMake's motet_embed(target name path) puts a file here; see cmake/embed.cmake.
#pragma once

#include <span>
#include <string_view>

namespace motet {

struct EmbeddedFile {
  std::string_view name;
  const char* begin = nullptr;
  const char* end = nullptr;
};

std::span<const EmbeddedFile> embedded_files();

// The bytes of an embedded file, for the life of the program. Throws
// Error{internal} when there is none of this name.
std::string_view embedded_file(std::string_view name);

}  // namespace motet
