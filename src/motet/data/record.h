// A fitted model as named plain values with a version.
//
// The meeting point of the tasks and io/: a model knows how to become a record and
// back, io/ knows how to write records as JSON. Neither includes the other.
#pragma once

#include <string>
#include <string_view>

#include "motet/data/value.h"

namespace motet {

struct Record {
  std::string kind;  // which model, for example "judges"
  int version = 1;   // of this kind's fields, not of the library
  Value fields;      // an object

  bool operator==(const Record&) const = default;
};

// Throws Error{bad_data} unless kind matches and 1 <= version <= newest.
void require_kind(const Record& record, std::string_view kind, int newest);

// The same for a model, whose numbers must also be of a size that a fit can give: features of up to 1e150 have
// variances of up to 1e300. A slip of the hand may be larger.
constexpr double largest_in_model = 1e300;
void require_model(const Record& record, std::string_view kind, int newest);

}  // namespace motet
