#include "motet/multilabel/theory/precision_parts.h"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

#include "motet/data/eigen.h"

namespace motet::multilabel {

SetRows set_rows(const Sources& sources, const BitMatrix& sets) {
  SetRows rows;
  rows.sets = sets.rows();
  rows.sources = sources.count;
  rows.mean = sources.combination == Combination::mean;
  rows.member.assign(rows.sets * rows.sources, 0.0);
  for (std::size_t j = 0; j < rows.sets; ++j) {
    for_each_bit(sets.row(j), [&](std::size_t k) { rows.member[j * rows.sources + k] = 1.0; });
    rows.labels.push_back(static_cast<double>(sets.count(j)));
    if (sources.background) rows.member[(j + 1) * rows.sources - 1] = 1.0;
    rows.degree.push_back(rows.labels[j] + (sources.background ? 1.0 : 0.0));
  }
  return rows;
}

double lesson(const SetRows& rows, std::size_t set, std::size_t source, Training method, bool background) {
  const double member = rows.member[set * rows.sources + source];
  if (method == Training::cross) return member;
  if (method == Training::probabilistic) return member / std::max(rows.degree[set], 1.0);
  const bool is_background = background && source + 1 == rows.sources;
  return rows.labels[set] == (is_background ? 0.0 : 1.0) ? member : 0.0;
}

std::vector<double> lessons(const SetRows& rows, std::size_t source, Training method, bool background) {
  std::vector<double> weight(rows.sets);
  for (std::size_t j = 0; j < rows.sets; ++j) weight[j] = lesson(rows, j, source, method, background);
  return weight;
}

SharedMean shared_mean(std::span<const double> weight, std::span<const double> count, std::span<const double> mean,
                       std::span<const double> variance) {
  double total = 0.0;
  double sum = 0.0;
  for (std::size_t j = 0; j < weight.size(); ++j) {
    total += count[j] * weight[j];
    if (weight[j] > 0.0) sum += count[j] * weight[j] * mean[j];
  }
  if (!(total > 0.0)) return {no_number, no_number};
  SharedMean result{sum / total, 0.0};
  for (std::size_t j = 0; j < weight.size(); ++j) {
    if (weight[j] == 0.0) continue;
    const double away = mean[j] - result.limit;
    result.variance += count[j] * weight[j] * weight[j] * (variance[j] + away * away) / (total * total);
  }
  return result;
}

Inverse inverse_information(std::span<const double> information, std::size_t size) {
  const RowMatrixView given(information.data(), at(size), at(size));
  // In units in which every diagonal entry is 1, a small eigenvalue means a direction without information.
  Eigen::VectorXd scale(at(size));
  for (Eigen::Index i = 0; i < scale.size(); ++i) scale(i) = given(i, i) > 0.0 ? 1.0 / std::sqrt(given(i, i)) : 1.0;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(
      Eigen::MatrixXd(scale.asDiagonal() * given * scale.asDiagonal()));
  constexpr double least = 1e-11;
  constexpr double touched = 1e-8;  // squared share of a parameter in directions without information
  const Eigen::VectorXd& values = solver.eigenvalues();
  Eigen::VectorXd open = Eigen::VectorXd::Zero(at(size));
  Eigen::VectorXd inverted = Eigen::VectorXd::Zero(at(size));
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    if (values(i) > least * static_cast<double>(size)) {
      inverted(i) = 1.0 / values(i);
    } else {
      open += solver.eigenvectors().col(i).cwiseAbs2();
    }
  }
  const RowMatrix inverse = scale.asDiagonal() * solver.eigenvectors() * inverted.asDiagonal() *
                            solver.eigenvectors().transpose() * scale.asDiagonal();
  Inverse result;
  result.size = size;
  for (std::size_t i = 0; i < size; ++i) result.determined.push_back(open(at(i)) <= touched ? 1 : 0);
  result.matrix.assign(inverse.data(), inverse.data() + inverse.size());
  return result;
}

double Inverse::variance(std::size_t i) const { return determined[i] != 0 ? matrix[i * size + i] : no_number; }

double scaled_chi_squared_p(double statistic, double mean, double variance) {
  if (!(statistic > 0.0)) return 1.0;
  const double scale = 0.5 * variance / mean;
  return boost::math::gamma_q(mean / scale * 0.5, statistic / scale * 0.5);
}

double fisher_p(double statistic, double numerator, double denominator) {
  if (!(statistic > 0.0)) return 1.0;
  const double product = numerator * statistic;
  return boost::math::ibeta(0.5 * denominator, 0.5 * numerator, denominator / (denominator + product));
}

}  // namespace motet::multilabel
