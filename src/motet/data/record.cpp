#include "motet/data/record.h"

#include <fmt/format.h>

#include "motet/base/error.h"

namespace motet {

void require_kind(const Record& record, std::string_view kind, int newest) {
  if (record.kind != kind) {
    fail(ErrorKind::bad_data, fmt::format("holds a '{}' model; a '{}' model is needed", record.kind, kind));
  }
  if (record.version < 1) {
    fail(ErrorKind::bad_data,
         fmt::format("'{}' model of version {}; versions start at 1, the file is damaged", kind, record.version));
  }
  if (record.version > newest) {
    fail(ErrorKind::bad_data, fmt::format("'{}' model of version {} is newer than this program, which reads 1 to {}; "
                                          "use a newer motet",
                                          kind, record.version, newest));
  }
}

}  // namespace motet
