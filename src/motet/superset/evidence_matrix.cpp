#include "motet/superset/evidence_matrix.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace motet::superset {

EvidenceMatrix evidence_of(const CandidateItems& items, double outside_probability) {
  const std::size_t classes = items.classes.size();
  EvidenceMatrix evidence{items.rows(), classes, {}};
  evidence.values.resize(evidence.rows * classes);
  for (std::size_t n = 0; n < evidence.rows; ++n) {
    double* row = evidence.row(n);
    const std::span<const std::uint32_t> candidates = items.candidates(n);
    const std::size_t size = candidates.size();
    // Only ratios matter; the largest weight becomes 1 first, so that the sum cannot overflow.
    double most = items.outside;
    for (std::size_t i = 0; i < size; ++i) most = std::max(most, items.weight_at(items.starts[n] + i));
    const double scale = most > 0.0 ? most : 1.0;
    double sum = 0.0;
    for (std::size_t i = 0; i < size; ++i) sum += items.weight_at(items.starts[n] + i) / scale;
    double outside = items.outside / scale;
    if (outside_probability > 0.0 && size < classes) {
      const double odds = outside_probability / (1.0 - outside_probability);
      outside = std::max(outside, odds * sum / static_cast<double>(classes - size));
    }
    std::fill(row, row + classes, outside);
    for (std::size_t i = 0; i < size; ++i) row[candidates[i]] = items.weight_at(items.starts[n] + i) / scale;
    const double largest = *std::max_element(row, row + classes);
    if (largest > 0.0) std::for_each(row, row + classes, [largest](double& value) { value /= largest; });
  }
  return evidence;
}

CandidateItems candidates_of(const EvidenceMatrix& evidence) {
  CandidateItems weighted;
  weighted.features.rows_without_columns = evidence.rows;
  weighted.classes.resize(evidence.classes);
  for (std::size_t n = 0; n < evidence.rows; ++n) {
    for (std::uint32_t l = 0; l < evidence.classes; ++l) {
      const double value = evidence.row(n)[l];
      if (!(value > 0.0)) continue;
      weighted.label.push_back(l);
      weighted.weight.push_back(value);
    }
    weighted.starts.push_back(weighted.label.size());
  }
  return weighted;
}

EvidenceMatrix rows_of(const EvidenceMatrix& evidence, std::span<const std::uint32_t> rows) {
  return {rows.size(), evidence.classes, pick_rows(evidence.values, evidence.classes, rows)};
}

EvidenceMatrix averaged(const EvidenceMatrix& evidence) {
  EvidenceMatrix result = evidence;
  for (std::size_t n = 0; n < result.rows; ++n) {
    double* row = result.row(n);
    const double sum = std::accumulate(row, row + result.classes, 0.0);
    for (std::size_t l = 0; l < result.classes; ++l) row[l] /= sum;
  }
  return result;
}

bool is_silent(std::span<const double> row) {
  return std::all_of(row.begin(), row.end(), [&](double value) { return value == row.front(); });
}

std::vector<double> posterior(const EvidenceMatrix& evidence, std::span<const double> probability) {
  std::vector<double> q(evidence.values.size());
  for (std::size_t n = 0; n < evidence.rows; ++n) {
    const double* m = evidence.values.data() + n * evidence.classes;
    const double* p = probability.data() + n * evidence.classes;
    double* to = q.data() + n * evidence.classes;
    double sum = 0.0;
    for (std::size_t l = 0; l < evidence.classes; ++l) sum += to[l] = m[l] * p[l];
    if (!(sum > 0.0)) {
      sum = 0.0;
      for (std::size_t l = 0; l < evidence.classes; ++l) sum += to[l] = m[l];
    }
    for (std::size_t l = 0; l < evidence.classes; ++l) to[l] /= sum;
  }
  return q;
}

std::vector<double> log_likelihoods(const EvidenceMatrix& evidence, std::span<const double> probability) {
  std::vector<double> result(evidence.rows);
  for (std::size_t n = 0; n < evidence.rows; ++n) {
    double sum = 0.0;
    for (std::size_t l = 0; l < evidence.classes; ++l) {
      sum += evidence.values[n * evidence.classes + l] * probability[n * evidence.classes + l];
    }
    result[n] = std::log(std::max(sum, 1e-300));
  }
  return result;
}

namespace {

constexpr double least_square = 1e-280;

double sum_of_squares(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return sum;
}

}  // namespace

std::vector<double> unit_rows(std::span<const double> x, std::size_t dimensions) {
  std::vector<double> result(x.begin(), x.end());
  for (std::size_t begin = 0; begin < result.size(); begin += dimensions) {
    const std::span<double> row(result.data() + begin, dimensions);
    double square = sum_of_squares(row);
    if (!(square > least_square && square < 1.0 / least_square)) {  // squares of such numbers are lost
      double largest = 0.0;
      for (const double value : row) largest = std::max(largest, std::abs(value));
      if (!(largest > 0.0)) continue;
      for (double& value : row) value /= largest;
      square = sum_of_squares(row);
    }
    const double factor = std::sqrt(static_cast<double>(dimensions) / square);
    for (std::size_t d = 0; d < dimensions; ++d) result[begin + d] *= factor;
  }
  return result;
}

std::vector<double> pick_rows(std::span<const double> x, std::size_t dimensions, std::span<const std::uint32_t> rows) {
  std::vector<double> result;
  result.reserve(rows.size() * dimensions);
  for (const std::uint32_t row : rows) {
    const auto from = x.begin() + static_cast<std::ptrdiff_t>(row * dimensions);
    result.insert(result.end(), from, from + static_cast<std::ptrdiff_t>(dimensions));
  }
  return result;
}

}  // namespace motet::superset
