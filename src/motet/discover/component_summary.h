// The components of a search's mixture in figures for people.
#pragma once

#include <string>
#include <vector>

#include "motet/discover/discovery.h"

namespace motet::discover {

struct ComponentSummary {
  std::string of_class;  // empty: of none yet
  std::size_t rows = 0;  // in this state
  double share = 0.0;
  std::vector<double> mean;  // by column, in standard deviations of all rows, from their mean
};
std::vector<ComponentSummary> component_summaries(const Discovery& discovery);

}  // namespace motet::discover
