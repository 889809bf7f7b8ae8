// Which candidates are right, told once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "motet/report/document.h"

namespace motet::superset {

struct DisambiguateReport {
  std::size_t items = 0;
  double mean_probability = 0.0;  // of the likeliest candidate
  std::vector<std::string> warnings = {};
};
Document disambiguate_document(const DisambiguateReport& report);

}  // namespace motet::superset
