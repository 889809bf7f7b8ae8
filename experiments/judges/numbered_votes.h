// Votes of two classes in which items and judges have numbers for names.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "motet/data/votes.h"

namespace motet::judges {

inline NameList numbered_names(std::size_t count) {
  NameList names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

inline Votes numbered_votes(std::size_t items, std::size_t judges, const std::vector<Vote>& votes) {
  return make_votes(numbered_names(items), numbered_names(judges), numbered_names(2), votes);
}

}  // namespace motet::judges
