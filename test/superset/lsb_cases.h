// Small problems for the tests of the mixture.
#pragma once

#include <numeric>

#include "motet/superset/lsb_cmm/lsb_fit.h"
#include "motet/superset/simulate.h"

namespace motet::superset {

inline std::vector<std::uint32_t> usual_order(std::size_t classes) {
  std::vector<std::uint32_t> order(classes);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

inline CandidateItems blobs_with_candidates(std::size_t rows, std::size_t extra, std::uint64_t seed = 7) {
  BlobOptions options;
  options.items = rows;
  const CandidateItems items = simulate_blobs(options, Rng(Seed{seed}));
  CandidateItems made = simulate_candidates(items, {1.0, extra, 0.0}, Rng(Seed{seed + 1}));
  for (double& value : made.features.values) value /= 4.0;
  return made;
}

inline LsbRows rows_of_items(const CandidateItems& items) {
  return {items, items.features.values, items.features.dimensions()};
}

inline double accuracy(const LsbCmm& model, const CandidateItems& items) {
  const std::vector<double> p = class_probabilities(model, items.features.values, {1});
  double right = 0.0;
  for (std::size_t n = 0; n < items.rows(); ++n) {
    const auto of = p.begin() + static_cast<std::ptrdiff_t>(n * model.classes);
    right += std::max_element(of, of + static_cast<std::ptrdiff_t>(model.classes)) - of == items.truth[n] ? 1.0 : 0.0;
  }
  return right / static_cast<double>(items.rows());
}

}  // namespace motet::superset
