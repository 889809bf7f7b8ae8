#include "motet/judges/tied/dependence.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/error.h"
#include "motet/judges/tied/dependence_notes.h"
#include "motet/judges/tied/dependence_search.h"
#include "motet/judges/tied/tied_information.h"

namespace motet::judges {
namespace {

// Precision as votes, see information.h.
std::vector<double> as_votes(std::span<const double> estimates, std::span<const double> variances) {
  std::vector<double> votes;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    const double spread = estimates[i] * (1.0 - estimates[i]);
    votes.push_back(variances[i] > 0.0 ? spread / variances[i] : std::numeric_limits<double>::infinity());
  }
  return votes;
}

// Accuracies, correlations and the effective number of judges, from the blocks' laws.
void add_moments(const TiedLayout& layout, std::span<const double> parameters, const std::vector<double>& votes,
                 ErrorDependence& dependence) {
  dependence.accuracy = layout.accuracies(parameters);
  double judges = 0.0;
  double correlations = 0.0;
  for (std::size_t b = 0; b < layout.blocks.size(); ++b) {
    const ErrorBlock& block = layout.blocks[b];
    const ErrorMoments moments = error_moments(block, pattern_law(block, layout.theta_of(b, parameters)));
    const auto correlation = [&](std::size_t s, std::size_t t) {
      const auto covariance = [&](std::size_t x, std::size_t y) { return moments.covariance[x * block.size() + y]; };
      const double scale = std::sqrt(covariance(s, s) * covariance(t, t));
      return scale > 0.0 ? covariance(s, t) / scale : s == t ? 1.0 : 0.0;
    };
    for (std::size_t s = 0; s < block.size(); ++s) {
      if (votes[block.judges[s]] == 0.0) continue;
      judges += 1.0;
      for (std::size_t t = 0; t < block.size(); ++t) {
        if (votes[block.judges[t]] > 0.0) correlations += correlation(s, t);
      }
    }
    for (const std::size_t p : block.pairs) {
      const auto place = [&](std::size_t judge) {
        return static_cast<std::size_t>(std::lower_bound(block.judges.begin(), block.judges.end(), judge) -
                                        block.judges.begin());
      };
      ErrorDependence::Pair& pair = dependence.pairs[p];
      pair.correlation = correlation(place(pair.first), place(pair.second));
    }
  }
  dependence.effective_judges = judges * judges / std::max(correlations, 1.0);
}

ErrorDependence describe(const DependenceSearch& found) {
  ErrorDependence dependence;
  dependence.beta = found.best.parameters.beta;
  dependence.shared_errors = found.best.parameters.rho;
  for (std::size_t p = 0; p < found.best.pairs.size(); ++p) {
    const double gain = p < found.bic_gains.size() ? found.bic_gains[p] : 0.0;
    const ErrorPair& pair = found.best.pairs[p];
    dependence.pairs.push_back({pair.first, pair.second, found.best.parameters.gamma[p], 0.0, gain});
  }
  return dependence;
}

std::vector<double> votes_by_judge(const VoteTable& table) {
  const std::vector<double> counts = vote_counts(table);
  std::vector<double> votes(table.judge_count, 0.0);
  for (std::size_t i = 0; i < counts.size(); ++i) votes[i / table.class_count] += counts[i];
  return votes;
}

}  // namespace

std::vector<ErrorPair> pairs_of(const ErrorDependence& dependence) {
  std::vector<ErrorPair> pairs;
  for (const ErrorDependence::Pair& pair : dependence.pairs) {
    pairs.push_back({std::min(pair.first, pair.second), std::max(pair.first, pair.second)});
  }
  return pairs;
}

DependenceFit fit_dependence(const VoteTable& table, std::span<const double> known_prior, const EmRule& rule,
                             const RunContext& run, const NameList& judges, const DependenceOptions& options) {
  if (const std::string refusal = refuse_dependence(table, known_prior); !refusal.empty()) {
    fail(ErrorKind::unanswerable, refusal);
  }
  DependenceSearch found = search_dependence(table, known_prior, rule, run, options);
  DependenceFit result;
  result.dependence = describe(found);
  result.prior = found.best.parameters.prior;
  result.log_likelihood = found.best.log_likelihood;
  result.independent_log_likelihood = found.independent.log_likelihood;
  result.checkable = found.checkable && !(found.best.pairs.empty() && too_symmetric(table, result.prior));
  result.unmeasured = std::move(found.unmeasured);
  result.rival = std::move(found.rival);

  const TiedErrors model(table, known_prior, found.best.pairs, options.penalty);
  const std::vector<double> parameters = model.layout().pack(found.best.parameters);
  add_moments(model.layout(), parameters, votes_by_judge(table), result.dependence);
  const TiedUncertainty sure = tied_uncertainty(model, parameters, run);
  result.accuracy_votes = as_votes(result.dependence.accuracy, sure.accuracy_variance);
  result.prior_votes = as_votes(result.prior, sure.prior_variance);

  if (table.judge_count >= 3) result.by_class_gain = gain_by_class(table, known_prior, result, run);
  result.warnings = dependence_warnings(result, table.class_count, found.agreement, found.shares_enough, judges);
  result.summary = std::move(found.best.summary);
  return result;
}

}  // namespace motet::judges
