#include "motet/superset/lsb_cmm/neighbour_evidence.h"

#include <algorithm>
#include <cmath>

#include "motet/superset/neighbours/ipal.h"
#include "motet/superset/neighbours/neighbours.h"

namespace motet::superset {
namespace {

constexpr double sharpness = 1.0;      // g
constexpr double least_weight = 1e-6;  // of a candidate against the likeliest
constexpr double doubt = 0.01;         // share of a forecast that is spread over all classes

}  // namespace

double foreseen_by_neighbours(const EvidenceMatrix& evidence, std::span<const double> labels, std::span<const double> x,
                              std::size_t dimensions, std::size_t neighbours, Threads threads) {
  const std::size_t classes = evidence.classes;
  const NearestRows near = nearest(x, x, dimensions, neighbours, true, threads);
  double sum = 0.0;
  std::vector<double> forecast(classes);
  for (std::size_t n = 0; n < evidence.rows; ++n) {
    std::fill(forecast.begin(), forecast.end(), doubt / static_cast<double>(classes));
    for (std::size_t j = 0; j < near.each; ++j) {
      const double* const of = labels.data() + near.row[n * near.each + j] * classes;
      for (std::size_t l = 0; l < classes; ++l) forecast[l] += (1.0 - doubt) / static_cast<double>(near.each) * of[l];
    }
    double share = 0.0;
    for (std::size_t l = 0; l < classes; ++l) share += evidence.row(n)[l] * forecast[l];
    sum += std::log(share);
  }
  return sum;
}

EvidenceMatrix evidence_of_neighbours(const EvidenceMatrix& evidence, std::span<const double> x, std::size_t dimensions,
                                      std::size_t neighbours, const RunContext& run) {
  if (evidence.rows < 2) return evidence;
  const std::vector<double> directions = unit_rows(x, dimensions);
  const std::vector<double> by_direction =
      propagate_labels(evidence, directions, dimensions, neighbours, run).probability;
  const std::vector<double> by_place = propagate_labels(evidence, x, dimensions, neighbours, run).probability;
  const bool is_direction =
      foreseen_by_neighbours(evidence, by_direction, directions, dimensions, neighbours, run.threads) >
      foreseen_by_neighbours(evidence, by_place, x, dimensions, neighbours, run.threads);
  const std::vector<double>& labels = is_direction ? by_direction : by_place;
  EvidenceMatrix result = evidence;
  for (std::size_t n = 0; n < evidence.rows; ++n) {
    const double* const f = labels.data() + n * evidence.classes;
    const double largest = *std::max_element(f, f + evidence.classes);
    if (!(largest > 0.0)) continue;
    for (std::size_t l = 0; l < evidence.classes; ++l) {
      result.row(n)[l] *= std::max(least_weight, std::pow(f[l] / largest, sharpness));
    }
    const double most = *std::max_element(result.row(n), result.row(n) + evidence.classes);
    for (std::size_t l = 0; l < evidence.classes; ++l) result.row(n)[l] /= most;
  }
  return result;
}

}  // namespace motet::superset
