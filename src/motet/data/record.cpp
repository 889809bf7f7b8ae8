#include "motet/data/record.h"

#include <fmt/format.h>

#include <cmath>

#include "motet/base/error.h"

namespace motet {
namespace {

void require_moderate(const Value& value, const std::string& place) {
  if (value.is_list()) {
    for (const Value& item : value.as_list()) require_moderate(item, place);
  } else if (value.is_object()) {
    for (const auto& [name, field] : value.as_object()) {
      std::string inside = place;
      if (!place.empty()) inside += '.';
      require_moderate(field, inside += name);
    }
  } else if (value.is_number() && !(std::abs(value.as_number()) <= largest_in_model)) {
    const double number = value.as_number();
    fail(ErrorKind::bad_data,
         fmt::format("field '{}' = {} is {}; numbers of a model are at most {} in size", place, to_text(number),
                     std::isnan(number) ? "no number" : "too large", to_text(largest_in_model)));
  }
}

}  // namespace

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

void require_model(const Record& record, std::string_view kind, int newest) {
  require_kind(record, kind, newest);
  require_moderate(record.fields, "");
}

}  // namespace motet
