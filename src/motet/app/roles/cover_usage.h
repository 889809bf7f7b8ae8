// Which options go with `motet roles mine --cover exact`.
#pragma once

#include "motet/app/verb.h"
#include "motet/roles/cover/cover_fit.h"

namespace motet::roles {

// Whether a cover is asked for; throws Error{usage} where another option makes no sense with it.
bool check_cover_usage(const CoverOptions& options, const VerbContext& context);

// Throws Error{interrupted} when the search was; its roles can be used all the same and have been written.
void require_finished(const CoverFit& cover);

}  // namespace motet::roles
