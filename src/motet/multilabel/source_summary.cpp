#include "motet/multilabel/source_summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/measure/label_sets.h"

namespace motet::multilabel {

double items_of_source(const MultilabelModel& model, std::size_t source) {
  double items = 0.0;
  for (std::size_t s = 0; s < model.prior.sets.rows(); ++s) {
    const bool has = model.per_set() ? s == source : source >= model.labels.size() || model.prior.sets(s, source);
    if (has) items += model.prior.counts[s];
  }
  return items;
}

std::vector<double> variances_of(const Sources& sources, std::size_t source) {
  const std::vector<double> covariance = covariance_of(sources, source);
  std::vector<double> variances;
  for (std::size_t d = 0; d < sources.dimensions; ++d) variances.push_back(covariance[d * (sources.dimensions + 1)]);
  return variances;
}

double typical_spread(const Sources& sources, std::size_t source) {
  if (!is_gaussian(sources.family)) return std::nan("");
  const std::vector<double> variances = variances_of(sources, source);
  const double sum = std::accumulate(variances.begin(), variances.end(), 0.0);
  return std::sqrt(sum / static_cast<double>(sources.dimensions));
}

std::vector<std::size_t> sets_by_items(const LabelSetPrior& prior) {
  std::vector<std::size_t> order(prior.sets.rows());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return prior.counts[a] > prior.counts[b]; });
  return order;
}

std::vector<SourceErrors> errors_by_source(const std::vector<ParameterError>& parameters, std::size_t sources) {
  std::vector<SourceErrors> errors(sources);
  std::vector<double> dimensions(sources, 0.0);
  for (const ParameterError& parameter : parameters) {
    SourceErrors& source = errors[parameter.source];
    ++dimensions[parameter.source];
    for (std::size_t m = 0; m < source.bias.size(); ++m) {
      source.standard_error[m] += parameter.standard_error[m] * parameter.standard_error[m];
      source.bias[m] += parameter.bias[m] * parameter.bias[m];
    }
  }
  for (std::size_t k = 0; k < sources; ++k) {
    for (double& sum : errors[k].standard_error) sum = std::sqrt(sum / dimensions[k]);
    for (double& sum : errors[k].bias) sum = std::sqrt(sum / dimensions[k]);
  }
  return errors;
}

TruthDistance truth_distance(std::span<const double> truth, const MultilabelModel& model,
                             const std::vector<ParameterError>& parameters) {
  std::vector<double> estimate = model.sources.location;
  double variance = parameters.empty() ? std::nan("") : 0.0;
  if (!parameters.empty()) estimate.clear();
  for (const ParameterError& parameter : parameters) {
    estimate.push_back(parameter.value);
    variance += parameter.standard_error[0] * parameter.standard_error[0];
  }
  const std::size_t dimensions = model.sources.dimensions;
  const auto d = static_cast<double>(dimensions);  // (2.12) is a mean over sources of the squares over features
  return {.a_1 = parameter_distance(truth, estimate, dimensions, 1.0),
          .a_2 = parameter_distance(truth, estimate, dimensions, 2.0),
          .mean_squared_error = d * mean_squared_error(truth, estimate),
          .root_mean_square = std::sqrt(d) * root_mean_square(truth, estimate),
          .predicted_root_mean_square = std::sqrt(variance * d / static_cast<double>(estimate.size()))};
}

}  // namespace motet::multilabel
