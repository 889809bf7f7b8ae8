// Random instances of the search for label sets, answered by looking at every set.
#pragma once

#include <algorithm>
#include <string>

#include "motet/multilabel/search/candidate_sets.h"
#include "motet/multilabel/search/search.h"
#include "multilabel/model_cases.h"

namespace motet::multilabel {

struct SearchCase {
  std::string name;
  MultilabelModel model;
  SearchOptions options;
  std::vector<double> x;
};

inline std::vector<ModelKind> searchable_kinds() {
  std::vector<ModelKind> kinds;
  for (const bool background : {false, true}) {
    for (const Combination combination : {Combination::sum, Combination::mean}) {
      for (const bool noise : {false, true}) {
        for (const Covariance covariance :
             {Covariance::shared, Covariance::spherical, Covariance::diagonal, Covariance::full}) {
          kinds.push_back({Family::gaussian, combination, covariance, background, noise});
        }
      }
      kinds.push_back({Family::gaussian, combination, Covariance::point, background, true});
    }
    kinds.push_back({Family::lognormal, Combination::product, Covariance::shared, background, false});
    kinds.push_back({Family::lognormal, Combination::product, Covariance::diagonal, background, false});
    for (const bool noise : {false, true}) {
      kinds.push_back({Family::bernoulli, Combination::logical_or, Covariance::shared, background, noise});
      kinds.push_back({Family::bernoulli, Combination::logical_and, Covariance::shared, background, noise});
    }
    kinds.push_back({Family::poisson, Combination::sum, Covariance::shared, background, false});
    kinds.push_back({Family::exponential, Combination::minimum, Covariance::shared, background, false});
    kinds.push_back({Family::gamma, Combination::sum, Covariance::shared, background, false});
  }
  return kinds;
}

// Roughly where items of a random set lie; the search must be right wherever it is asked.
inline std::vector<double> random_item(const MultilabelModel& model, double scale, Rng& rng) {
  const Sources& s = model.sources;
  std::vector<std::size_t> in;
  for (std::size_t k = 0; k < s.count; ++k) {
    if (rng.uniform() < 0.3) in.push_back(k);
  }
  if (in.empty()) in.push_back(rng.below(s.count));
  const auto m = static_cast<double>(in.size());
  std::vector<double> x(s.dimensions);
  for (std::size_t d = 0; d < x.size(); ++d) {
    double sum = 0.0;
    double off = 1.0;
    double on = 1.0;
    for (const std::size_t k : in) {
      sum += s.location[k * s.dimensions + d];
      off *= 1.0 - s.location[k * s.dimensions + d];
      on *= s.location[k * s.dimensions + d];
    }
    const double u = rng.uniform();
    switch (s.family) {
      case Family::gaussian:
      case Family::lognormal:
        x[d] = s.combination == Combination::mean ? sum / m + std::sqrt(scale / m) * rng.normal()
                                                  : sum + std::sqrt(scale * m) * rng.normal();
        if (s.family == Family::lognormal) x[d] = std::exp(x[d]);
        break;
      case Family::bernoulli: x[d] = u < (s.combination == Combination::logical_or ? 1.0 - off : on) ? 1.0 : 0.0; break;
      case Family::poisson: x[d] = std::floor(sum * (0.5 + u) + 0.5); break;
      case Family::exponential: x[d] = -std::log(1.0 - u) / sum; break;
      case Family::gamma: x[d] = sum * (0.5 + u) / s.spread[d]; break;
    }
  }
  return x;
}

// Case `number` of a seeded row of them; goes through all kinds in turn.
inline SearchCase random_search_case(std::size_t number, std::size_t most_labels, Rng rng,
                                     std::size_t least_labels = 2) {
  const std::vector<ModelKind> kinds = searchable_kinds();
  const ModelKind& kind = kinds[number % kinds.size()];
  SearchCase result;
  const std::size_t labels = least_labels + rng.below(most_labels - least_labels + 1);
  const std::size_t dimensions = 1 + rng.below(std::max<std::size_t>(labels + labels / 2, 2));
  const double scale = std::exp(rng.uniform(-3.0, 1.0));
  result.model = random_model(kind, labels, dimensions, 4, scale, rng);
  result.options.use_prior = rng.below(3) != 0;
  result.options.best = rng.below(2) == 0 ? 1 : 5;
  result.options.max_degree = rng.below(2) == 0 ? 0 : 1 + rng.below(labels);
  result.x = random_item(result.model, scale, rng);
  result.name = "case " + std::to_string(number) + ": " + family_word(kind.family) + " " +
                combination_words[static_cast<int>(kind.combination)] + " " +
                covariance_words[static_cast<int>(kind.covariance)] + (kind.background ? " background" : "") +
                (kind.noise ? " noise" : "") + " K=" + std::to_string(labels) + " D=" + std::to_string(dimensions) +
                " best=" + std::to_string(result.options.best) + " degree=" + std::to_string(result.options.max_degree);
  return result;
}

// How the densities of all sets are computed: in the plainest way, or by the library, which other tests hold
// against the plain one, and which has time for 2^16 sets.
enum class Enumeration { plain, library };

inline std::vector<double> all_scores(const SearchCase& problem, const BitMatrix& sets,
                                      Enumeration how = Enumeration::plain) {
  std::vector<double> scores = log_smooths(problem.model.prior, sets);
  std::vector<double> density;
  if (how == Enumeration::library) density = log_densities(problem.model, sets, problem.x, {1});
  for (std::size_t j = 0; j < sets.rows(); ++j) {
    const double one =
        how == Enumeration::library ? density[j] : plain_log_density(problem.model.sources, sets.row(j), problem.x);
    scores[j] = problem.options.use_prior ? scores[j] + one : one;
  }
  return scores;
}

// What is wrong with the answer; empty when it is that of enumeration.
inline std::string compare_with_enumeration(const SearchCase& problem, const FoundSets& found,
                                            Enumeration how = Enumeration::plain) {
  const std::size_t labels = problem.model.labels.size();
  const std::size_t degree = problem.options.max_degree == 0 ? labels : problem.options.max_degree;
  const BitMatrix sets = enumerate_sets(labels, degree, problem.model.sources.background);
  std::vector<double> scores = all_scores(problem, sets, how);
  const std::size_t possible = static_cast<std::size_t>(
      std::count_if(scores.begin(), scores.end(), [](double score) { return std::isfinite(score); }));
  if (found.gap != 0.0) return problem.name + ": not proved";
  if (found.sets.rows() != std::min(problem.options.best, possible)) return problem.name + ": too few sets";
  for (std::size_t i = 0; i < found.sets.rows(); ++i) {
    const std::size_t row = find_set(sets, found.sets.row(i));
    if (row == no_set) return problem.name + ": a set that may not be";
    if (std::abs(scores[row] - found.score[i]) > 1e-7 * (1.0 + std::abs(found.score[i]))) {
      return problem.name + ": score " + std::to_string(found.score[i]) + " instead of " + std::to_string(scores[row]);
    }
  }
  std::partial_sort(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(found.sets.rows()), scores.end(),
                    std::greater<>());
  for (std::size_t i = 0; i < found.sets.rows(); ++i) {
    if (std::abs(scores[i] - found.score[i]) > 1e-7 * (1.0 + std::abs(scores[i]))) {
      return problem.name + ": number " + std::to_string(i) + " scores " + std::to_string(found.score[i]) +
             ", enumeration finds " + std::to_string(scores[i]);
    }
  }
  return "";
}

}  // namespace motet::multilabel
