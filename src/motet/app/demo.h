// `motet demo`: every task on the sample data that the program carries, on one page.
#pragma once

#include <vector>

#include "motet/app/verb.h"

namespace motet {

std::vector<Verb> demo_verbs();

}  // namespace motet
