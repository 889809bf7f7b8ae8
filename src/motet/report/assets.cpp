#include "motet/report/assets.h"

#include <fmt/format.h>

#include "motet/base/error.h"

namespace motet {

std::string_view embedded_file(std::string_view name) {
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.name == name) return {file.begin, static_cast<std::size_t>(file.end - file.begin)};
  }
  fail(ErrorKind::internal, fmt::format("no file '{}' is embedded in this program", name));
}

}  // namespace motet
