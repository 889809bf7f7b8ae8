#include "motet/superset/neighbours/ipal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "motet/data/eigen.h"
#include "motet/engine/iterate.h"
#include "motet/superset/neighbours/neighbours.h"

namespace motet::superset {
namespace {

constexpr double carried = 0.95;  // a: share of a label that comes from the neighbours
constexpr std::size_t ipal_rounds = 100;
constexpr double at_rest = 1e-6;  // largest change of a probability
constexpr std::size_t ipal_rows = 64;

// min h'G h / 2 - b'h, h >= 0, by the active sets of Lawson and Hanson.
Eigen::VectorXd non_negative(const RowMatrix& gram, const Eigen::VectorXd& b) {
  const Eigen::Index k = b.size();
  Eigen::VectorXd h = Eigen::VectorXd::Zero(k);
  if (k == 0) return h;  // an item that has no neighbours: Eigen has no largest of nothing
  std::vector<Eigen::Index> free;
  const double tolerance = 1e-10 * (1.0 + gram.diagonal().maxCoeff());
  for (Eigen::Index round = 0; round < 3 * k; ++round) {
    const Eigen::VectorXd slope = b - gram * h;
    Eigen::Index best = -1;
    for (Eigen::Index j = 0; j < k; ++j) {
      const bool is_free = std::find(free.begin(), free.end(), j) != free.end();
      if (!is_free && slope[j] > tolerance && (best < 0 || slope[j] > slope[best])) best = j;
    }
    if (best < 0) break;
    free.push_back(best);
    while (!free.empty()) {
      const auto size = static_cast<Eigen::Index>(free.size());
      RowMatrix part(size, size);
      Eigen::VectorXd right(size);
      for (Eigen::Index i = 0; i < size; ++i) {
        right[i] = b[free[static_cast<std::size_t>(i)]];
        for (Eigen::Index j = 0; j < size; ++j) {
          part(i, j) = gram(free[static_cast<std::size_t>(i)], free[static_cast<std::size_t>(j)]);
        }
        part(i, i) += 1e-12 * (1.0 + part(i, i));  // rows may be equal
      }
      const Eigen::VectorXd solved = part.ldlt().solve(right);
      double step = 1.0;
      for (Eigen::Index i = 0; i < size; ++i) {
        const double now = h[free[static_cast<std::size_t>(i)]];
        if (solved[i] <= 0.0) step = std::min(step, now / (now - solved[i] + 1e-300));
      }
      for (Eigen::Index i = 0; i < size; ++i) {
        double& now = h[free[static_cast<std::size_t>(i)]];
        now += step * (solved[i] - now);
      }
      if (step >= 1.0) break;
      std::erase_if(free, [&](Eigen::Index j) {
        if (h[j] > 1e-14) return false;
        h[j] = 0.0;
        return true;
      });
    }
  }
  return h;
}

// rows x near.each
std::vector<double> all_weights(std::span<const double> memory, std::span<const double> x, std::size_t dimensions,
                                const NearestRows& near, Threads threads) {
  const std::size_t rows = x.size() / dimensions;
  std::vector<double> weights(rows * near.each);
  for_each_task((rows + ipal_rows - 1) / ipal_rows, threads, [&](std::size_t task) {
    std::vector<double> z(near.each * dimensions);
    const std::size_t end = std::min(rows, (task + 1) * ipal_rows);
    for (std::size_t n = task * ipal_rows; n < end; ++n) {
      for (std::size_t j = 0; j < near.each; ++j) {
        const double* from = memory.data() + near.row[n * near.each + j] * dimensions;
        std::copy(from, from + dimensions, z.begin() + at(j * dimensions));
      }
      const std::vector<double> h = rebuilding_weights(z, x.subspan(n * dimensions, dimensions));
      std::copy(h.begin(), h.end(), weights.begin() + at(n * near.each));
    }
  });
  return weights;
}

void scale_to_one(double* row, std::size_t size, const double* otherwise) {
  const double sum = std::accumulate(row, row + size, 0.0);
  for (std::size_t l = 0; l < size; ++l) row[l] = sum > 0.0 ? row[l] / sum : otherwise[l];
}

// Each class gets the mass that the averaged candidates give it.
void restore_masses(const EvidenceMatrix& start, std::vector<double>& f) {
  const std::size_t classes = start.classes;
  std::vector<double> wanted(classes, 0.0), mass(classes, 0.0);
  for (std::size_t i = 0; i < f.size(); ++i) {
    wanted[i % classes] += start.values[i];
    mass[i % classes] += f[i];
  }
  for (std::size_t i = 0; i < f.size(); ++i) {
    if (mass[i % classes] > 0.0) f[i] *= wanted[i % classes] / mass[i % classes];
  }
  for (std::size_t n = 0; n < start.rows; ++n) {
    scale_to_one(f.data() + n * classes, classes, start.values.data() + n * classes);
  }
}

}  // namespace

std::vector<double> rebuilding_weights(std::span<const double> z, std::span<const double> x) {
  const std::size_t k = z.size() / x.size();
  const RowMatrixView rows(z.data(), at(k), at(x.size()));
  const Eigen::Map<const Eigen::VectorXd> target(x.data(), at(x.size()));
  const Eigen::VectorXd h = non_negative(rows * rows.transpose(), rows * target);
  return {h.data(), h.data() + k};
}

SpreadLabels propagate_labels(const EvidenceMatrix& evidence, std::span<const double> x, std::size_t dimensions,
                              std::size_t neighbours, const RunContext& run) {
  const std::size_t classes = evidence.classes;
  const NearestRows near = nearest(x, x, dimensions, neighbours, true, run.threads);
  std::vector<double> weights = all_weights(x, x, dimensions, near, run.threads);
  const std::vector<double> equal(near.each, near.each == 0 ? 0.0 : 1.0 / static_cast<double>(near.each));
  for (std::size_t n = 0; n < evidence.rows; ++n) scale_to_one(weights.data() + n * near.each, near.each, equal.data());
  const EvidenceMatrix start = averaged(evidence);
  SpreadLabels result{start.values, {}};
  std::vector<double>& f = result.probability;
  std::vector<double> next(f.size());
  Iterated rounds;
  rounds.objective = [] { return 0.0; };  // there is none: the labels come to rest
  rounds.step = [&] {
    for_each_task((evidence.rows + ipal_rows - 1) / ipal_rows,
                  threads_for(run.threads, static_cast<double>(f.size() * near.each)), [&](std::size_t task) {
                    const std::size_t end = std::min(evidence.rows, (task + 1) * ipal_rows);
                    for (std::size_t n = task * ipal_rows; n < end; ++n) {
                      double* to = next.data() + n * classes;
                      const std::span<const double> p = start.row(n);
                      for (std::size_t l = 0; l < classes; ++l) to[l] = (1.0 - carried) * p[l];
                      for (std::size_t j = 0; j < near.each; ++j) {
                        const double h = carried * weights[n * near.each + j];
                        const double* from = f.data() + near.row[n * near.each + j] * classes;
                        for (std::size_t l = 0; l < classes; ++l) to[l] += h * from[l];
                      }
                      for (std::size_t l = 0; l < classes; ++l) to[l] *= evidence.row(n)[l];
                      scale_to_one(to, classes, p.data());
                    }
                  });
    double change = 0.0;
    for (std::size_t i = 0; i < f.size(); ++i) change = std::max(change, std::abs(f[i] - next[i]));
    f.swap(next);
    return Step{change, {}};
  };
  IterationRule rule;
  rule.max_iterations = ipal_rounds + 1;
  rule.tolerance = at_rest;
  rule.least_rise = -std::numeric_limits<double>::infinity();
  result.summary.stop = iterate(rounds, rule, run, {}).stop;
  restore_masses(start, f);
  return result;
}

std::vector<double> rebuilding_scores(const ItemMemory& memory, std::span<const double> x, std::size_t neighbours,
                                      Threads threads) {
  const std::size_t dimensions = memory.dimensions;
  const std::size_t classes = memory.classes;
  const NearestRows near = nearest(memory.x, x, dimensions, neighbours, false, threads);
  const std::vector<double> weights = all_weights(memory.x, x, dimensions, near, threads);
  const std::size_t rows = x.size() / dimensions;
  std::vector<double> result(rows * classes);
  std::vector<double> rest(classes * dimensions);
  for (std::size_t n = 0; n < rows; ++n) {
    double length = 0.0;
    for (const double value : x.subspan(n * dimensions, dimensions)) length += value * value;
    for (std::size_t l = 0; l < classes; ++l) {
      std::copy_n(x.data() + n * dimensions, dimensions, rest.begin() + at(l * dimensions));
    }
    for (std::size_t j = 0; j < near.each; ++j) {
      const std::size_t item = near.row[n * near.each + j];
      const double* target = memory.target.data() + item * classes;
      const auto label = static_cast<std::size_t>(std::max_element(target, target + classes) - target);
      const double h = weights[n * near.each + j];
      for (std::size_t d = 0; d < dimensions; ++d) rest[label * dimensions + d] -= h * memory.x[item * dimensions + d];
    }
    for (std::size_t l = 0; l < classes; ++l) {
      double square = 0.0;
      for (std::size_t d = 0; d < dimensions; ++d) square += rest[l * dimensions + d] * rest[l * dimensions + d];
      result[n * classes + l] = length > 0.0 ? -square / length : 0.0;
    }
  }
  return result;
}

}  // namespace motet::superset
