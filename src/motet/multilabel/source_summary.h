// A source in a few figures: how much it is made from, how wide it is, how precisely it is known.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "motet/multilabel/model.h"
#include "motet/multilabel/theory/analyze.h"

namespace motet::multilabel {

// Training items that have the source.
double items_of_source(const MultilabelModel& model, std::size_t source);

// By dimension, of Gaussian sources.
std::vector<double> variances_of(const Sources& sources, std::size_t source);

// Square root of the mean variance over dimensions; NaN where the family has no spread of its own.
double typical_spread(const Sources& sources, std::size_t source);

// Numbers of the label sets of the training items, most items first.
std::vector<std::size_t> sets_by_items(const LabelSetPrior& prior);

// Root mean square over the locations of a source, by way of training as in ParameterError; NaN when there is none.
struct SourceErrors {
  std::array<double, 5> standard_error{};
  std::array<double, 5> bias{};
};
std::vector<SourceErrors> errors_by_source(const std::vector<ParameterError>& parameters, std::size_t sources);

// How far the locations of sources are from the true ones; measure/label_sets.h has the formulas.
struct TruthDistance {
  double a_1 = 0.0;
  double a_2 = 0.0;
  double mean_squared_error = 0.0;          // (2.12): 1/K sum_k |theta_k - estimate|^2
  double root_mean_square = 0.0;            // (2.14), its root
  double predicted_root_mean_square = 0.0;  // the same of the standard errors by deconvolution; NaN: not known
};

// `truth` is sources x features; the estimates are the analysed locations or, without any, the model's.
TruthDistance truth_distance(std::span<const double> truth, const MultilabelModel& model,
                             const std::vector<ParameterError>& parameters);

}  // namespace motet::multilabel
