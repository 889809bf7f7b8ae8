// Tables with rare classes whose rows are in no order, made by the program.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "motet/base/rng.h"
#include "motet/discover/study/generate.h"

namespace motet::discover {

struct MadeTable {
  std::string name;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t rare = 0;  // classes
};

std::vector<MadeTable> made_tables();  // the shapes that are tried

// A background of one to three kinds, each a turned Gaussian cloud, and rare classes of 3 to 30 rows: small clouds 1.5
// to 6 away from one of the kinds, in units of the root of half the number of columns. In random order.
LabelledFeatures made_table(const MadeTable& shape, Rng rng);

}  // namespace motet::discover
