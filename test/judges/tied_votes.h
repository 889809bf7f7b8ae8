// Data and brute force for the tests of judges that err together.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "motet/base/rng.h"
#include "motet/data/votes.h"
#include "motet/judges/tied/dependence.h"
#include "motet/judges/tied/tied_em.h"

namespace motet::judges {

constexpr int no_vote = -1;

// labels[item][judge]; `no_vote` is no vote.
inline Votes votes_from(const std::vector<std::vector<int>>& labels, std::size_t class_count) {
  NameList items;
  NameList judges;
  NameList classes;
  std::vector<Vote> list;
  for (std::size_t j = 0; j < labels[0].size(); ++j) judges.push_back("judge" + std::to_string(j + 1));
  for (std::size_t c = 0; c < class_count; ++c) classes.push_back(std::to_string(c));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    items.push_back("i" + std::to_string(i));
    for (std::size_t j = 0; j < labels[i].size(); ++j) {
      if (labels[i][j] == no_vote) continue;
      list.push_back(
          {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(labels[i][j])});
    }
  }
  return make_votes(items, judges, classes, list);
}

struct Planted {
  std::size_t items = 1000;
  std::vector<double> accuracy;
  std::vector<double> prior;
  std::size_t copier = 0;  // repeats `copied` with this chance; 0 and 0: nobody copies
  std::size_t copied = 0;
  double copying = 0.0;
  double left_out = 0.0;  // share of missing votes
  double gap = 0.0;       // accuracy on class 0 less that on the others
};

inline std::vector<std::vector<int>> planted_labels(const Planted& plan, Seed seed) {
  Rng rng(seed);
  const std::uint64_t k = plan.prior.size();
  std::vector<std::vector<int>> labels;
  for (std::size_t i = 0; i < plan.items; ++i) {
    const std::size_t truth = rng.categorical(plan.prior);
    std::vector<int> row;
    for (const double accuracy : plan.accuracy) {
      const double p = accuracy + (truth == 0 ? 0.5 : -0.5) * plan.gap;
      const bool right = rng.uniform() < p;
      row.push_back(static_cast<int>(right ? truth : (truth + 1 + rng.below(k - 1)) % k));
    }
    if (rng.uniform() < plan.copying) row[plan.copier] = row[plan.copied];
    for (int& label : row) {
      if (rng.uniform() < plan.left_out) label = no_vote;
    }
    labels.push_back(row);
  }
  return labels;
}

// Four judges of whom three are linked, the third with the first and the fourth: one model as its parts tell it.
inline const std::vector<ErrorPair> two_pairs = {{0, 2}, {2, 3}};
inline const std::vector<double> three_classes = {0.5, 0.3, 0.2};

inline std::vector<std::vector<int>> linked_labels(const std::vector<double>& prior, Seed seed) {
  return planted_labels({.items = 60,
                         .accuracy = {0.7, 0.6, 0.8, 0.75},
                         .prior = prior,
                         .copier = 2,
                         .copied = 0,
                         .copying = 0.5,
                         .left_out = 0.3},
                        seed);
}

inline Votes linked_votes(std::size_t classes, Seed seed) {
  return votes_from(linked_labels(std::vector<double>(classes, 1.0), seed), classes);
}

inline ErrorDependence linked_dependence() {
  ErrorDependence dependence;
  dependence.beta = {0.4, 0.3, 0.6, 0.5};
  dependence.pairs = {{0, 2, 0.7, 0.0, 0.0}, {2, 3, -0.2, 0.0, 0.0}};
  dependence.shared_errors = {0.35, 0.0, 0.35, 0.35};
  return dependence;
}

inline std::vector<double> linked_parameters(const TiedLayout& layout, std::span<const double> prior) {
  TiedParameters parameters;
  parameters.prior.assign(prior.begin(), prior.end());
  parameters.beta = linked_dependence().beta;
  parameters.gamma = {0.7, -0.2};
  parameters.rho = {0.35, 0.35, 0.35, 0.35};
  return layout.pack(parameters);
}

// log p(votes of one item, class y), by going through every pattern of errors of all
// judges at once and every way the wrong labels may have come about. Only for pairs that
// link all judges that are linked at all into one block, whose rho is given.
inline double brute_force_log_joint(const ErrorDependence& model, std::span<const double> prior,
                                    std::span<const int> labels, std::size_t y) {
  const std::size_t k = model.beta.size();
  const std::size_t classes = prior.size();
  std::vector<bool> linked(k, false);
  double rho = 0.0;
  for (const ErrorDependence::Pair& pair : model.pairs) linked[pair.first] = linked[pair.second] = true;
  for (std::size_t j = 0; j < k; ++j) rho = linked[j] ? model.shared_errors[j] : rho;
  double normaliser = 0.0;
  double sum = 0.0;
  for (std::size_t s = 0; s < (std::size_t{1} << k); ++s) {
    const auto sign = [&](std::size_t j) { return (s >> j & 1U) != 0 ? 1.0 : -1.0; };
    double exponent = 0.0;
    for (std::size_t j = 0; j < k; ++j) exponent += model.beta[j] * sign(j);
    for (const ErrorDependence::Pair& pair : model.pairs) exponent += pair.gamma * sign(pair.first) * sign(pair.second);
    normaliser += std::exp(exponent);
    bool allowed = true;
    double alone = 1.0;                          // labels of wrong judges outside the block
    double separate = 1.0;                       // of those inside, each for itself
    std::vector<double> together(classes, 1.0);  // all on this label
    for (std::size_t j = 0; j < k; ++j) {
      if (labels[j] == no_vote) continue;
      const bool right = static_cast<std::size_t>(labels[j]) == y;
      if (right != (sign(j) > 0.0)) allowed = false;
      if (right) continue;
      const double each = 1.0 / static_cast<double>(classes - 1);
      if (!linked[j]) {
        alone *= each;
        continue;
      }
      separate *= each;
      for (std::size_t c = 0; c < classes; ++c) together[c] *= static_cast<std::size_t>(labels[j]) == c ? 1.0 : 0.0;
    }
    if (!allowed) continue;
    double shared = 0.0;
    for (std::size_t c = 0; c < classes; ++c) {
      if (c != y) shared += together[c] / static_cast<double>(classes - 1);
    }
    sum += std::exp(exponent) * alone * (rho * shared + (1.0 - rho) * separate);
  }
  return std::log(prior[y]) + std::log(sum / normaliser);
}

}  // namespace motet::judges
