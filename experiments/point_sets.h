// The public point sets of folder temporal: numbers per line in NAME.data.gz, classes in
// NAME.labels0.gz.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/experiment.h"
#include "motet/data/features.h"

namespace motet {

struct PointSet {
  Features features;                    // one sequence, in the order of the file
  std::vector<std::uint32_t> of_class;  // from 0
  std::size_t classes = 0;
};

PointSet read_point_set(const ExperimentContext& context, const std::string& name);

// The rows in another order.
PointSet in_order(const PointSet& set, const std::vector<std::size_t>& order);

// Class after class, each in the order of the file.
PointSet sorted_by_class(const PointSet& set);

}  // namespace motet
