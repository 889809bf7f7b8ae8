// Small problems for the tests of the mixture.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "motet/superset/lsb_cmm/e_step.h"
#include "motet/superset/lsb_cmm/lsb_fit.h"
#include "motet/superset/simulate.h"

namespace motet::superset {

inline std::vector<std::uint32_t> usual_order(std::size_t classes) {
  std::vector<std::uint32_t> order(classes);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

inline CandidateItems blobs_with_candidates(std::size_t rows, std::size_t extra, std::uint64_t seed = 7) {
  BlobOptions options{.items = rows};
  const CandidateItems items = simulate_blobs(options, Rng(Seed{seed}));
  CandidateItems made = simulate_candidates(items, {1.0, extra, 0.0}, Rng(Seed{seed + 1}));
  for (double& value : made.features.values) value /= 4.0;
  return made;
}

inline CandidateItems rows_between(const CandidateItems& items, std::uint32_t begin, std::uint32_t end) {
  std::vector<std::uint32_t> rows(end - begin);
  std::iota(rows.begin(), rows.end(), begin);
  return rows_of(items, rows);
}

inline LsbRows rows_of_items(const CandidateItems& items) {
  return {items, items.features.values, items.features.dimensions()};
}

// Any point inside: half of the concentrations are `least`.
inline LsbParameters some_parameters(std::size_t components, std::size_t classes, std::size_t dimensions,
                                     double least) {
  LsbParameters parameters{components, classes, dimensions, {}, {}};
  parameters.w.assign((dimensions + 1) * parameters.width(), 0.0);
  Rng rng(Seed{5});
  for (std::size_t i = 0; i < parameters.w.size(); ++i) {
    if (i % parameters.width() < parameters.sticks()) parameters.w[i] = rng.normal();
  }
  for (std::size_t i = 0; i < components * classes; ++i) {
    parameters.a.push_back(rng.uniform() < 0.5 ? least : 3.0 * rng.uniform());
  }
  return parameters;
}

// What the E-step says and keeps at given parameters.
struct Expected {
  EStepSums sums;
  std::vector<double> rho;
  std::vector<float> slope;
  ScaledTable table;
};

inline Expected e_step_at(const LsbRows& rows, const LsbParameters& parameters, double alpha) {
  Expected outcome;
  outcome.table = scaled_table(parameters.a, parameters.classes, alpha, parameters.width());
  outcome.rho.resize(rows.count() * parameters.width());
  outcome.slope.resize(outcome.rho.size());
  outcome.sums = e_step(rows, parameters, outcome.table, {outcome.rho, outcome.slope}, {}, {1});
  return outcome;
}

inline SupersetOptions few_iterations(std::size_t count) {
  SupersetOptions options;
  options.max_iterations = count;
  return options;
}

inline LsbFit fit_as_usual(const CandidateItems& items, const SupersetOptions& options, const RunContext& run = {}) {
  return fit_lsb_cmm(items, items.features.values, options, usual_order(items.classes.size()), run);
}

inline void expect_no_fall(const FitSummary& summary) {
  EXPECT_NE(summary.stop, Stop::objective_fell);
  for (std::size_t i = 1; i < summary.objective.size(); ++i) {
    EXPECT_GE(summary.objective[i], summary.objective[i - 1] - lsb_rounding * std::abs(summary.objective[i])) << i;
  }
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
