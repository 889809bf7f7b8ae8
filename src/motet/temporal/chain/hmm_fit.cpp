#include "motet/temporal/chain/hmm_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "motet/temporal/chain/hidden_chain.h"
#include "motet/temporal/mixture/mixture_step.h"

namespace motet::temporal {
namespace {

constexpr double sticky = 0.95;  // chance to stay, in one of the two starts
constexpr std::size_t trial_iterations = 10;
constexpr double nanoseconds_a_transition = 3.0;

FieldProblem field_problem(const Features& features, std::span<const double> densities, const RowLabels& labels,
                           std::span<const std::int32_t> of_class) {
  FieldProblem problem{features.starts, densities, densities.size() / features.rows(), {}, {}};
  if (has_labels(labels)) {
    problem.labels = labels;
    problem.of_class = of_class;
  }
  return problem;
}

// What leaves read, and where they write: each its own rows.
struct HmmTables {
  Mixture mixture;
  std::unique_ptr<DensityFactors> factors;
  std::vector<std::int32_t> of_class;
  std::vector<double> densities;  // components x rows
  std::vector<double> posterior;  // components x rows; logarithms
  std::vector<double> zeros;      // log shares of the moments' pass
  std::vector<std::size_t> leaves;
};

std::vector<std::size_t> leaves_of(const Features& features) {
  std::vector<std::uint32_t> work;
  for (const std::size_t start : features.starts) work.push_back(static_cast<std::uint32_t>(start));
  return cut_leaves(work);
}

// Objective, moments as in a static pass, then the chain's counts.
void accumulate_leaf(HmmTables& tables, const Features& features, const RowLabels& labels, std::size_t leaf,
                     std::span<double> statistics) {
  const FieldProblem problem = field_problem(features, tables.densities, labels, tables.of_class);
  const AllowedComponents allowed(problem);
  const std::span<double> counts = statistics.last(chain_count(problem.components));
  const std::size_t first = tables.leaves[leaf];
  const std::size_t last = tables.leaves[leaf + 1];
  double log_likelihood = statistics[0];
  for (std::size_t s = first; s < last; ++s) {
    log_likelihood += chain_posterior(problem, allowed, tables.mixture.chain, features.starts[s],
                                      features.starts[s + 1], tables.posterior, counts);
  }
  const std::size_t begin = features.starts[first];
  const std::size_t end = features.starts[last];
  for (std::size_t k = 0; k < problem.components; ++k) {
    for (std::size_t n = begin; n < end; ++n) {
      double& share = tables.posterior[k * features.rows() + n];
      share = std::log(share);
    }
  }
  const MixturePass pass{*tables.factors, features, tables.zeros, problem.labels, tables.of_class, tables.posterior};
  add_mixture_statistics(pass, begin, end, statistics);
  statistics[0] = log_likelihood;
}

HiddenChain sticky_chain(std::size_t components) {
  std::vector<double> counts(chain_count(components), 0.0);
  HiddenChain chain = chain_from_counts(counts, components);
  for (std::size_t j = 0; j < components && components > 1; ++j) {
    for (std::size_t k = 0; k < components; ++k) {
      chain.transition[j * components + k] = j == k ? sticky : (1.0 - sticky) / static_cast<double>(components - 1);
    }
  }
  return chain;
}

HiddenChain counted_chain(const Features& features, std::span<const std::uint8_t> states, std::size_t components) {
  std::vector<double> counts(chain_count(components), 0.0);
  for (std::size_t s = 0; s + 1 < features.starts.size(); ++s) {
    for (std::size_t n = features.starts[s]; n < features.starts[s + 1]; ++n) {
      const bool is_first = n == features.starts[s];
      counts[is_first ? states[n] : components + states[n - 1] * components + states[n]] += 1.0;
    }
  }
  return chain_from_counts(counts, components);
}

}  // namespace

std::vector<double> hmm_parameters(const Mixture& mixture) {
  std::vector<double> parameters = to_parameters(mixture);
  parameters.insert(parameters.end(), mixture.chain.start.begin(), mixture.chain.start.end());
  parameters.insert(parameters.end(), mixture.chain.transition.begin(), mixture.chain.transition.end());
  return parameters;
}

void set_hmm_parameters(std::span<const double> parameters, Mixture& mixture) {
  const std::size_t components = mixture.components.size();
  const std::span<const double> chain = parameters.last(chain_count(components));
  from_parameters(parameters.first(parameters.size() - chain.size()), mixture);
  mixture.chain.start.assign(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(components));
  mixture.chain.transition.assign(chain.begin() + static_cast<std::ptrdiff_t>(components), chain.end());
}

EmProblem hmm_problem(const Features& features, const RowLabels& labels, const GlobalShape& global, double label_weight,
                      Threads threads, const Mixture& mixture) {
  const auto tables = std::make_shared<HmmTables>();
  const std::size_t components = mixture.components.size();
  const std::size_t dimensions = features.dimensions();
  tables->mixture = mixture;
  tables->of_class = classes_of(mixture.components);
  tables->leaves = leaves_of(features);
  tables->zeros.assign(components, 0.0);
  const bool labelled = has_labels(labels);
  const std::size_t chain_size = chain_count(components);

  EmProblem problem;
  problem.leaf_count = tables->leaves.size() - 1;
  problem.statistic_count = 1 + (labelled ? 2 : 1) * components * moment_count(dimensions) + chain_size;
  problem.prepare = [tables, threads, dimensions, &features](std::span<const double> parameters) {
    set_hmm_parameters(parameters, tables->mixture);
    tables->factors = std::make_unique<DensityFactors>(tables->mixture.components, dimensions);
    tables->densities.resize(tables->mixture.components.size() * features.rows());
    tables->posterior.resize(tables->densities.size());
    log_densities(*tables->factors, features, threads, tables->densities);
    return std::vector<double>(parameters.begin(), parameters.end());
  };
  problem.accumulate = [tables, &features, &labels](std::span<const double>, std::size_t leaf, double,
                                                    std::span<double> statistics) {
    accumulate_leaf(*tables, features, labels, leaf, statistics);
  };
  problem.maximise = [tables, labelled, label_weight, chain_size, &global](std::span<const double> statistics,
                                                                           std::span<const double> parameters) {
    Mixture next = tables->mixture;
    set_hmm_parameters(parameters, next);
    maximise_mixture(statistics, labelled, label_weight, global, next);
    next.chain = chain_from_counts(statistics.last(chain_size), next.components.size());
    return hmm_parameters(next);
  };
  problem.log_prior = [tables, dimensions, &global](std::span<const double> parameters) {
    Mixture at = tables->mixture;
    set_hmm_parameters(parameters, at);
    return log_floor_prior(DensityFactors(at.components, dimensions), global, at.covariance) +
           log_chain_prior(at.chain);
  };
  return problem;
}

FitSummary fit_hmm(const Features& features, const RowLabels& labels, const GlobalShape& global, const StaticRule& rule,
                   std::span<const std::uint8_t> states, const RunContext& run, Mixture& mixture) {
  const std::size_t components = mixture.components.size();
  std::array<std::vector<double>, 2> starts;
  mixture.chain = sticky_chain(components);
  starts[0] = hmm_parameters(mixture);
  mixture.chain = counted_chain(features, states, components);
  starts[1] = hmm_parameters(mixture);
  const EmProblem problem = hmm_problem(features, labels, global, rule.label_weight, run.threads, mixture);
  const EmRule em = em_rule(rule, features.rows(), labels);
  StartChoice choice = best_of_starts(problem, starts, trial_iterations, em, run, "hmm");
  set_hmm_parameters(choice.result.parameters, mixture);
  for (double& objective : choice.result.summary.objective) objective /= static_cast<double>(features.rows());
  return std::move(choice.result.summary);
}

HmmStates assign_hmm(const Features& features, const Mixture& mixture, const RowLabels& labels, Threads threads) {
  HmmStates found;
  const std::size_t rows = features.rows();
  const std::size_t components = mixture.components.size();
  if (rows == 0) return found;
  std::vector<double> densities(components * rows);
  log_densities(DensityFactors(mixture.components, features.dimensions()), features, threads, densities);
  const std::vector<std::int32_t> of_class = classes_of(mixture.components);
  const FieldProblem problem = field_problem(features, densities, labels, of_class);
  const AllowedComponents allowed(problem);
  std::vector<double> posterior(densities.size());
  found.path.resize(rows);
  const double work = static_cast<double>(rows * components * components) * nanoseconds_a_transition;
  found.log_likelihood = sum_over_tasks(
      features.starts.size() - 1, 1, threads_for(threads, work), [&](std::size_t s, std::span<double> own) {
        const std::size_t begin = features.starts[s];
        const std::size_t end = features.starts[s + 1];
        own[0] += chain_posterior(problem, allowed, mixture.chain, begin, end, posterior, {});
        chain_path(problem, allowed, mixture.chain, begin, end, found.path);
      })[0];
  found.states.resize(rows);
  found.probability.resize(rows);
  for (std::size_t n = 0; n < rows; ++n) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < components; ++k) {
      if (posterior[k * rows + n] > posterior[best * rows + n]) best = k;
    }
    found.states[n] = static_cast<std::uint8_t>(best);
    found.probability[n] = posterior[best * rows + n];
  }
  return found;
}

}  // namespace motet::temporal
