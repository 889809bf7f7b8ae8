#include "motet/multilabel/search/sphere_decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "motet/base/rng.h"

namespace motet::multilabel::sphere_decoder_test {
namespace {

// A closest-point problem: columns of M in `dimensions`, a target t, terms for each number of columns.
struct Problem {
  std::size_t size = 0;
  std::vector<double> gram;
  std::vector<double> b;
  double tt = 0.0;
  std::vector<double> weight;
  DegreeTerms terms;
  std::vector<std::uint8_t> allowed;

  SphereItem item() const { return {b, tt, allowed}; }

  double cost(const std::vector<std::uint8_t>& z) const {
    std::size_t ones = 0;
    double square = tt;
    double sum = 0.0;
    for (std::size_t i = 0; i < size; ++i) {
      if (z[i] == 0) continue;
      ++ones;
      sum += weight[i];
      square -= 2.0 * b[i];
      for (std::size_t j = 0; j < size; ++j) square += z[j] != 0 ? gram[i * size + j] : 0.0;
    }
    return terms.constant[ones] == no_cost_limit ? no_cost_limit
                                                 : terms.scale[ones] * square + terms.constant[ones] + sum;
  }

  std::vector<double> all_costs() const {  // least first, of what may be
    std::vector<double> costs;
    for (std::size_t bits = 0; bits < std::size_t{1} << size; ++bits) {
      std::vector<std::uint8_t> z(size);
      bool may_be = true;
      for (std::size_t i = 0; i < size; ++i) {
        z[i] = static_cast<std::uint8_t>(bits >> i & 1U);
        may_be = may_be && (z[i] == 0 || allowed.empty() || allowed[i] != 0);
      }
      if (const double value = cost(z); may_be && value < no_cost_limit) costs.push_back(value);
    }
    std::sort(costs.begin(), costs.end());
    return costs;
  }
};

// With fewer dimensions than columns the Gram matrix is singular.
Problem random_problem(std::size_t size, std::size_t dimensions, Rng& rng) {
  Problem problem;
  problem.size = size;
  std::vector<double> columns(size * dimensions);
  for (double& value : columns) value = rng.uniform(-2.0, 2.0);
  std::vector<double> target(dimensions);
  for (double& value : target) value = 3.0 * rng.normal();
  const auto product = [&](const double* left, const double* right) {
    double sum = 0.0;
    for (std::size_t d = 0; d < dimensions; ++d) sum += left[d] * right[d];
    return sum;
  };
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      problem.gram.push_back(product(&columns[i * dimensions], &columns[j * dimensions]));
    }
    problem.b.push_back(product(&columns[i * dimensions], target.data()));
    problem.weight.push_back(rng.normal());
  }
  problem.tt = product(target.data(), target.data());
  for (std::size_t j = 0; j <= size; ++j) {
    problem.terms.scale.push_back(rng.uniform(0.2, 2.0));
    problem.terms.constant.push_back(rng.below(4) == 0 && j != 1 ? no_cost_limit : rng.normal());
  }
  for (std::size_t i = 0; i < size && rng.below(2) == 0; ++i) problem.allowed.push_back(1);
  if (problem.allowed.size() < size) problem.allowed.clear();
  if (!problem.allowed.empty()) problem.allowed[rng.below(size)] = 0;
  return problem;
}

TEST(SphereDecoder, FindsTheLeastCostsOfAll) {
  Rng rng(Seed{91});
  for (std::size_t number = 0; number < 200; ++number) {
    const std::size_t size = 1 + rng.below(8);
    const Problem problem = random_problem(size, 1 + rng.below(2 * size), rng);
    std::vector<double> expected = problem.all_costs();
    const std::size_t most = 1 + rng.below(4);
    expected.resize(std::min(most, expected.size()));
    const Lattice lattice = make_lattice(size, problem.gram, problem.weight);
    BestSets best(most, 1'000'000);
    if (number % 2 == 0) search_nearby(lattice, problem.terms, problem.item(), best);  // a start, not a need
    search_sphere(lattice, problem.terms, problem.item(), best);
    EXPECT_EQ(best.gap(), 0.0);
    ASSERT_EQ(best.entries().size(), expected.size()) << number;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(best.entries()[i].cost, expected[i], 1e-8 * (1.0 + std::abs(expected[i]))) << number;
    }
  }
}

TEST(SphereDecoder, WhatIsNearbyCostsWhatItSays) {
  Rng rng(Seed{92});
  std::size_t best_of_all = 0;
  for (std::size_t number = 0; number < 100; ++number) {
    const Problem problem = random_problem(6, 8, rng);
    const Lattice lattice = make_lattice(6, problem.gram, problem.weight);
    BestSets best(5, 0);  // no node is entered
    search_nearby(lattice, problem.terms, problem.item(), best);
    ASSERT_FALSE(best.entries().empty());
    for (const BestSets::Entry& entry : best.entries()) {
      EXPECT_NEAR(entry.cost, problem.cost(entry.has), 1e-9 * (1.0 + std::abs(entry.cost))) << number;
      for (std::size_t i = 0; i < problem.allowed.size(); ++i) EXPECT_LE(entry.has[i], problem.allowed[i]);
    }
    best_of_all += std::abs(best.entries()[0].cost - problem.all_costs()[0]) < 1e-9 ? 1 : 0;
  }
  EXPECT_GT(best_of_all, 50U);  // more often than not it is the answer, and only the proof is missing
}

TEST(Lattice, IsTheGramMatrixInAnotherOrder) {
  Rng rng(Seed{93});
  const Problem problem = random_problem(5, 9, rng);
  const Lattice lattice = make_lattice(5, problem.gram, problem.weight);
  EXPECT_EQ(lattice.rho, 0.0);
  std::vector<std::uint32_t> order = lattice.order;
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(lattice.weight[i], problem.weight[lattice.order[i]]);
    for (std::size_t j = 0; j < 5; ++j) {
      EXPECT_EQ(lattice.gram[i * 5 + j], problem.gram[lattice.order[i] * 5 + lattice.order[j]]);
      double product = 0.0;
      for (std::size_t l = 0; l < 5; ++l) product += lattice.gram[i * 5 + l] * lattice.inverse[l * 5 + j];
      EXPECT_NEAR(product, i == j ? 1.0 : 0.0, 1e-9);
    }
  }
  // Sums of the least weights of the first p positions.
  for (std::size_t p = 0; p <= 5; ++p) {
    std::vector<double> first(lattice.weight.begin(), lattice.weight.begin() + static_cast<std::ptrdiff_t>(p));
    std::sort(first.begin(), first.end());
    double sum = 0.0;
    for (std::size_t r = 0; r <= p; ++r) {
      EXPECT_NEAR(lattice.cheapest[p * 6 + r], sum, 1e-12);
      if (r < p) sum += first[r];
    }
  }
}

TEST(Lattice, OfDependentColumnsIsMadeRegular) {
  Rng rng(Seed{94});
  const Problem problem = random_problem(5, 2, rng);
  const Lattice lattice = make_lattice(5, problem.gram, problem.weight);
  EXPECT_GT(lattice.rho, 0.0);
  for (std::size_t p = 0; p < 5; ++p) {
    EXPECT_NEAR(lattice.gram[p * 6], problem.gram[lattice.order[p] * 6] + lattice.rho, 1e-12);
    EXPECT_GT(lattice.pivot[p], 0.0);
    EXPECT_GT(lattice.least[p + 1], 0.0);
  }
}

}  // namespace
}  // namespace motet::multilabel::sphere_decoder_test
