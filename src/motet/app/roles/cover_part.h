// What is told of a cover: whether it is the least, and how many roles cover how much.
#pragma once

#include "motet/report/document.h"
#include "motet/roles/cover/cover_fit.h"

namespace motet::roles {

Document cover_part(const CoverFit& cover);

}  // namespace motet::roles
