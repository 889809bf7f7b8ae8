// The page of a project, for the verbs that have one.
#pragma once

#include "motet/discover/project.h"
#include "motet/report/discover_text.h"
#include "motet/report/page.h"

namespace motet {

Page page_of(Project& project, const DiscoverStatus& status, const RunContext& run);

}  // namespace motet
