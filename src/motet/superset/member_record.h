// A member inside the record of its model: what a model file keeps of it, and what of a file is refused.
#pragma once

#include "motet/data/record.h"
#include "motet/superset/member.h"

namespace motet::superset {

Value to_value(const SupersetMember& member);
// Throws Error{bad_data} with the name of a field that no member can have.
SupersetMember member_from(const Value& value, std::size_t dimensions, std::size_t classes);

}  // namespace motet::superset
