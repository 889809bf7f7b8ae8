#include "motet/temporal/mixture/static_fit.h"

#include <algorithm>
#include <memory>

#include "motet/temporal/mixture/mixture_step.h"
#include "motet/temporal/mixture/soft_classes.h"

namespace motet::temporal {
namespace {}  // namespace

std::vector<double> to_parameters(const Mixture& mixture) {
  std::vector<double> parameters;
  for (const Component& component : mixture.components) {
    parameters.push_back(component.share);
    parameters.insert(parameters.end(), component.mean.begin(), component.mean.end());
    for (std::size_t i = 0; i < mixture.dimensions(); ++i) {
      const auto line = component.covariance.begin() + static_cast<std::ptrdiff_t>(i * mixture.dimensions());
      parameters.insert(parameters.end(), line, line + static_cast<std::ptrdiff_t>(i + 1));
    }
    if (mixture.emission == ComponentLaw::student_t) parameters.push_back(component.degrees);
    parameters.insert(parameters.end(), component.class_shares.begin(), component.class_shares.end());
  }
  return parameters;
}

void from_parameters(std::span<const double> parameters, Mixture& mixture) {
  const std::size_t dimensions = mixture.dimensions();
  const double* at = parameters.data();
  for (Component& component : mixture.components) {
    component.share = *at++;
    component.mean.assign(at, at + dimensions);
    at += dimensions;
    component.covariance.resize(dimensions * dimensions);
    for (std::size_t i = 0; i < dimensions; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        component.covariance[i * dimensions + j] = *at;
        component.covariance[j * dimensions + i] = *at++;
      }
    }
    if (mixture.emission == ComponentLaw::student_t) component.degrees = *at++;
    for (double& share : component.class_shares) share = *at++;
  }
}

EmProblem static_problem(const Features& features, const RowLabels& labels, const GlobalShape& global,
                         double label_weight, const Mixture& mixture) {
  const bool labelled = has_labels(labels);
  const RowTasks tasks(features.rows());
  const std::size_t dimensions = features.dimensions();

  struct Prepared {
    Mixture mixture;
    std::unique_ptr<DensityFactors> factors;
    std::vector<double> log_shares;
    std::vector<std::int32_t> of_class;
  };
  const auto prepared = std::make_shared<Prepared>();
  prepared->mixture = mixture;
  prepared->of_class = classes_of(mixture.components);

  EmProblem problem;
  problem.leaf_count = tasks.count;
  problem.statistic_count = 1 + (labelled ? 2 : 1) * mixture.components.size() * moment_count(dimensions);
  // The factors stay here: leaves read them, and nobody else.
  problem.prepare = [prepared, dimensions](std::span<const double> parameters) {
    from_parameters(parameters, prepared->mixture);
    prepared->factors = std::make_unique<DensityFactors>(prepared->mixture.components, dimensions);
    prepared->log_shares = log_shares_of(prepared->mixture.components);
    return std::vector<double>(parameters.begin(), parameters.end());
  };
  problem.accumulate = [prepared, tasks, labelled, &features, &labels](std::span<const double>, std::size_t leaf,
                                                                       double, std::span<double> statistics) {
    const std::span<const std::int32_t> known =
        labelled ? std::span<const std::int32_t>(labels) : std::span<const std::int32_t>();
    const MixturePass pass{*prepared->factors, features, prepared->log_shares, known, prepared->of_class};
    add_mixture_statistics(pass, tasks.begin(leaf), tasks.end(leaf), statistics);
  };
  problem.maximise = [prepared, labelled, label_weight, &global](std::span<const double> statistics,
                                                                 std::span<const double> parameters) {
    Mixture next = prepared->mixture;
    from_parameters(parameters, next);
    maximise_mixture(statistics, labelled, label_weight, global, next);
    return to_parameters(next);
  };
  problem.log_prior = [prepared, dimensions, &global](std::span<const double> parameters) {
    Mixture at = prepared->mixture;
    from_parameters(parameters, at);
    return log_floor_prior(DensityFactors(at.components, dimensions), global, at.covariance);
  };
  return problem;
}

EmRule em_rule(const StaticRule& rule, std::size_t rows, const RowLabels& labels) {
  return {.max_iterations = rule.max_iterations,
          .tolerance = 0.0,
          .least_rise = rule.tolerance * static_cast<double>(rows),
          .must_rise = rule.label_weight == 0.0 || !has_labels(labels)};
}

FitSummary fit_static(const Features& features, const RowLabels& labels, const GlobalShape& global,
                      const StaticRule& rule, const RunContext& run, std::string_view stage, Mixture& mixture) {
  const EmProblem problem = static_problem(features, labels, global, rule.label_weight, mixture);
  EmResult result = run_em(problem, to_parameters(mixture), em_rule(rule, features.rows(), labels), run, stage);
  from_parameters(result.parameters, mixture);
  for (double& objective : result.summary.objective) objective /= static_cast<double>(features.rows());
  return std::move(result.summary);
}

double assign_static(const Features& features, const Mixture& mixture, const RowLabels& labels, Threads threads,
                     std::span<std::uint8_t> states, std::span<double> probability,
                     std::span<double> responsibilities) {
  const DensityFactors factors(mixture.components, features.dimensions());
  const std::vector<double> log_shares = log_shares_of(mixture.components);
  const std::vector<std::int32_t> of_class = classes_of(mixture.components);
  MixturePass pass{factors, features, log_shares, labels, of_class, {}, responsibilities, states, probability};
  std::vector<double> densities;
  if (mixture.has_soft_classes() && !labels.empty()) {
    densities.resize(mixture.components.size() * features.rows());
    log_densities(factors, features, threads, densities);
    add_class_evidence(labels, mixture, densities);
    pass.known_densities = densities;
    pass.labels = {};
  }
  return mixture_statistics(pass, threads)[0];
}

}  // namespace motet::temporal
