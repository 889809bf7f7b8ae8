// The deterministic fixtures of test/golden/multilabel: see README.md there.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "motet/data/bit_matrix.h"
#include "motet/io/file.h"
#include "motet/io/json.h"
#include "motet/sources/sources.h"

namespace motet {

struct GoldenItems {
  std::size_t dimensions = 2;
  std::vector<double> x;
  BitMatrix sets;
};

// `name` of a model of golden.json.
inline GoldenItems golden_items(const std::string& name) {
  const std::string file = name.starts_with("gauss_sum") ? "gauss_sum" : name;
  std::ifstream in(std::string(MOTET_TEST_DIR) + "/golden/multilabel/" + file + ".csv");
  std::string line;
  std::getline(in, line);
  std::vector<std::vector<double>> rows;
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    rows.emplace_back();
    for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(std::stod(field));
  }
  GoldenItems items;
  items.sets = BitMatrix(rows.size(), 3);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    items.x.insert(items.x.end(), rows[n].begin(), rows[n].begin() + 2);
    for (std::size_t k = 0; k < 3; ++k) items.sets.set(n, k, rows[n][2 + k] == 1.0);
  }
  return items;
}

inline Value golden_model(const std::string& name) {
  const std::string path = std::string(MOTET_TEST_DIR) + "/golden/multilabel/golden.json";
  return parse_json(read_whole(path), path).at(name);
}

// All numbers of nested lists, in order.
inline std::vector<double> flat_numbers(const Value& value) {
  if (value.is_number()) return {value.as_number()};
  std::vector<double> all;
  for (const Value& part : value.as_list()) {
    const std::vector<double> numbers = flat_numbers(part);
    all.insert(all.end(), numbers.begin(), numbers.end());
  }
  return all;
}

// The converged parameters of a model whose key tells family, combination and covariance.
inline Sources golden_sources(const std::string& name) {
  using enum Combination;
  const Value model = golden_model(name);
  Sources sources;
  sources.dimensions = 2;
  sources.count = 3;
  const auto set = [&](Family family, Combination combination, const char* location, const char* spread) {
    sources.family = family;
    sources.combination = combination;
    sources.location = flat_numbers(model.at(location));
    if (spread != nullptr) sources.spread = flat_numbers(model.at(spread));
  };
  if (name.starts_with("gauss_sum")) set(Family::gaussian, sum, "mu", "cov");
  if (name == "gauss_mean_diag") set(Family::gaussian, mean, "mu", "cov");
  if (name == "lognorm_prod_diag") set(Family::lognormal, product, "mu", "var");
  if (name == "exp_min") set(Family::exponential, minimum, "rate", nullptr);
  if (name == "poisson_sum") set(Family::poisson, sum, "lam", nullptr);
  if (name == "gamma_sum") set(Family::gamma, sum, "shape", "rate");
  if (name == "bern_or") set(Family::bernoulli, logical_or, "beta", nullptr);
  if (name == "bern_and") set(Family::bernoulli, logical_and, "beta", nullptr);
  if (name == "gauss_sum_full") sources.covariance = Covariance::full;
  if (name == "gauss_sum_spher") {
    sources.covariance = Covariance::spherical;
    sources.spread = {sources.spread[0], sources.spread[2], sources.spread[4]};
  }
  return sources;
}

}  // namespace motet
