#include "experiments/discover/tables.h"

#include <fmt/format.h>

#include <cmath>

#include "motet/base/lot.h"

namespace motet::discover {

std::vector<MadeTable> made_tables() {
  return {{"300 rows of 4 columns, 3 rare classes", 300, 4, 3},
          {"600 rows of 8 columns, 6 rare classes", 600, 8, 6},
          {"1000 rows of 12 columns, 12 rare classes", 1000, 12, 12}};
}

LabelledFeatures made_table(const MadeTable& shape, Rng rng) {
  const std::size_t d = shape.columns;
  std::vector<std::vector<double>> rows;
  std::vector<std::uint32_t> of_class;
  const std::size_t kinds = 1 + rng.below(3);
  std::vector<std::vector<double>> centres(kinds, std::vector<double>(d));
  for (std::vector<double>& centre : centres) {
    for (double& x : centre) x = 2.0 * rng.normal();
  }
  std::vector<std::vector<double>> scales(kinds, std::vector<double>(d));
  for (std::vector<double>& scale : scales) {
    for (double& x : scale) x = std::exp(0.4 * rng.normal());
  }
  for (std::size_t n = 0; n < shape.rows; ++n) {
    const std::size_t k = rng.below(kinds);
    std::vector<double> row = centres[k];
    const double shared = rng.normal();
    for (std::size_t i = 0; i < d; ++i) row[i] += scales[k][i] * (0.8 * rng.normal() + 0.6 * shared);
    rows.push_back(std::move(row));
    of_class.push_back(0);
  }
  for (std::uint32_t c = 1; c <= shape.rare; ++c) {
    std::vector<double> centre = centres[rng.below(kinds)];
    std::vector<double> direction(d);
    double norm = 0.0;
    for (double& x : direction) {
      x = rng.normal();
      norm += x * x;
    }
    const double away = std::exp(rng.uniform(std::log(1.5), std::log(6.0))) * std::sqrt(0.5 * static_cast<double>(d));
    for (std::size_t i = 0; i < d; ++i) centre[i] += away * direction[i] / std::sqrt(norm);
    const double spread = std::exp(rng.uniform(std::log(0.15), std::log(0.8)));
    for (std::size_t count = 3 + rng.below(28); count > 0; --count) {
      std::vector<double> row = centre;
      for (double& x : row) x += spread * rng.normal();
      rows.push_back(std::move(row));
      of_class.push_back(c);
    }
  }
  LabelledFeatures data;
  for (std::size_t i = 0; i < d; ++i) data.features.columns.push_back(fmt::format("x{}", i + 1));
  for (std::uint32_t c = 0; c <= shape.rare; ++c) data.truth.classes.push_back(fmt::format("class{}", c + 1));
  for (const std::uint32_t n : drawn_by_lot(rows.size(), rows.size(), rng.child(1))) {
    data.features.values.insert(data.features.values.end(), rows[n].begin(), rows[n].end());
    data.truth.of_row.push_back(of_class[n]);
  }
  data.features.starts.push_back(rows.size());
  data.features.sequences.emplace_back("table");
  return data;
}

}  // namespace motet::discover
