// Random votes and parameters for the tests of the confusion model.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "motet/base/rng.h"
#include "motet/data/votes.h"
#include "motet/judges/confusion/confusion_em.h"

namespace motet::judges {

// Rows drawn around a judge who is mostly right; with `symmetric`, one accuracy per judge.
inline std::vector<double> random_parameters(std::size_t judges, std::size_t k, Rng rng, bool symmetric = false) {
  std::vector<double> parameters(k + judges * k * k);
  double total = 0.0;
  for (std::size_t y = 0; y < k; ++y) total += parameters[y] = rng.uniform(0.5, 1.5);
  for (std::size_t y = 0; y < k; ++y) parameters[y] /= total;
  for (std::size_t j = 0; j < judges; ++j) {
    const double accuracy = rng.uniform(0.55, 0.9);
    for (std::size_t y = 0; y < k; ++y) {
      std::vector<double> row(k);
      double wrong = 0.0;
      for (std::size_t c = 0; c < k; ++c) wrong += c == y ? 0.0 : row[c] = symmetric ? 1.0 : rng.uniform(0.2, 1.0);
      const double right = symmetric ? accuracy : rng.uniform(0.5, 0.9);
      for (std::size_t c = 0; c < k; ++c) {
        parameters[k + (j * k + c) * k + y] = c == y ? right : (1.0 - right) * row[c] / wrong;
      }
    }
  }
  return parameters;
}

struct VoteCase {
  std::size_t items = 50;
  std::size_t judges = 5;
  std::size_t classes = 3;
  double answered = 0.8;
  double gold = 0.0;      // share of items with a known class
  double accuracy = 0.7;  // of every judge
};

inline Votes random_votes(const VoteCase& wanted, Seed seed) {
  Rng rng(seed);
  NameList items;
  NameList judges;
  NameList classes;
  for (std::size_t i = 0; i < wanted.items; ++i) items.push_back("i" + std::to_string(i));
  for (std::size_t j = 0; j < wanted.judges; ++j) judges.push_back("j" + std::to_string(j));
  for (std::size_t c = 0; c < wanted.classes; ++c) classes.push_back("c" + std::to_string(c));
  std::vector<Vote> list;
  std::vector<std::int32_t> known;
  for (std::uint32_t i = 0; i < wanted.items; ++i) {
    const auto truth = static_cast<std::uint32_t>(rng.below(wanted.classes));
    known.push_back(rng.uniform() < wanted.gold ? static_cast<std::int32_t>(truth) : Votes::unknown);
    for (std::uint32_t j = 0; j < wanted.judges; ++j) {
      const bool right = rng.uniform() < wanted.accuracy;
      const auto other = static_cast<std::uint32_t>(rng.below(wanted.classes));
      if (rng.uniform() < wanted.answered) list.push_back({i, j, right ? truth : other});
    }
  }
  Votes votes = make_votes(items, judges, classes, list);
  if (wanted.gold > 0.0) votes.known = known;
  return votes;
}

// The statistics of an E-step with one logarithm per vote, in long double.
inline std::vector<double> careful_statistics(const Votes& votes, std::span<const double> parameters,
                                              double vote_weight) {
  const std::size_t k = votes.class_count();
  std::vector<long double> sums(1 + parameters.size(), 0.0L);
  std::vector<long double> q(k);
  for (std::size_t i = 0; i < votes.item_count(); ++i) {
    for (std::size_t y = 0; y < k; ++y) {
      q[y] = std::log(static_cast<long double>(parameters[y]));
      for (const std::uint32_t code : votes.of_item(i)) {
        q[y] += vote_weight * std::log(static_cast<long double>(parameters[k + code * k + y]));
      }
    }
    const std::int32_t known = votes.known_class(i);
    long double peak = known == Votes::unknown ? q[0] : q[static_cast<std::size_t>(known)];
    for (std::size_t y = 0; y < k && known == Votes::unknown; ++y) peak = std::max(peak, q[y]);
    long double total = 0.0L;
    for (std::size_t y = 0; y < k; ++y) {
      q[y] = known == Votes::unknown || y == static_cast<std::size_t>(known) ? std::exp(q[y] - peak) : 0.0L;
      total += q[y];
    }
    sums[0] += peak + std::log(total);
    for (std::size_t y = 0; y < k; ++y) {
      sums[1 + y] += q[y] / total;
      for (const std::uint32_t code : votes.of_item(i)) sums[1 + k + code * k + y] += q[y] / total;
    }
  }
  return {sums.begin(), sums.end()};
}

}  // namespace motet::judges
