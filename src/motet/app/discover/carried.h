// What a project takes along from another, for `motet discover start --from` and `status`.
#pragma once

#include <string>
#include <vector>

#include "motet/app/discover/data.h"
#include "motet/app/discover/search_document.h"
#include "motet/app/verb.h"
#include "motet/discover/project/project.h"

namespace motet::discover {

// The answers of the project at `path` as examples for rows like `data`. Throws Error{usage} "OLD.motet: ..." when
// its columns, its clock or the way its features were made differ.
Carried carried_from(const std::string& path, const DiscoverData& data, const VerbContext& context);

std::vector<CarriedClass> carried_classes(const Features& features, const Discovery& discovery, const RunContext& run);

}  // namespace motet::discover
