// Log densities and moments of components over many rows: the two passes of an EM
// iteration that cost time, O(N K D^2). Components are Gaussian or, where they have
// degrees of freedom, Student's t (student.h).
//
// Rows are worked through in blocks laid out dimension by dimension, so that a vector
// instruction handles several rows; each block stays in the cache from density to
// moment. The lanes of every sum are fixed, so the bits do not depend on the processor
// or the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "motet/base/lanes.h"
#include "motet/base/parallel.h"
#include "motet/data/features.h"
#include "motet/temporal/mixture/mixture.h"

namespace motet::temporal {

// Means and inverse Cholesky factors of all components, ready for use.
class DensityFactors {
 public:
  // Throws Error{internal} when a covariance is not positive definite: see shrinkage.h, whose
  // results always are.
  DensityFactors(std::span<const Component> components, std::size_t dimensions);

  std::size_t components() const { return log_norm_.size(); }
  std::size_t dimensions() const { return dimensions_; }
  bool is_diagonal() const { return is_diagonal_; }  // all of them
  std::span<const double> mean(std::size_t k) const { return {mean_.data() + k * dimensions_, dimensions_}; }
  std::span<const double> inverse_factor(std::size_t k) const;   // lower triangle of L^-1, row by row
  const double* tiles(std::size_t k) const;                      // the same in tiles, see gauss_block.h
  std::span<const double> scales(std::size_t k) const;           // its diagonal
  double log_norm(std::size_t k) const { return log_norm_[k]; }  // log density at the mean
  double degrees(std::size_t k) const { return degrees_[k]; }    // 0: Gaussian

 private:
  std::size_t dimensions_ = 0;
  bool is_diagonal_ = true;
  std::vector<double> mean_;
  std::vector<double> inverse_;
  LaneRoom tiles_;
  std::vector<double> scales_;
  std::vector<double> log_norm_;
  std::vector<double> degrees_;
};

// log p(x_n | z_nk = 1), components x rows.
void log_densities(const DensityFactors& factors, const Features& features, Threads threads,
                   std::span<double> densities);

// (x_n - mu_k)^T Sigma_k^-1 (x_n - mu_k), components x rows.
void squared_distances(const DensityFactors& factors, const Features& features, Threads threads,
                       std::span<double> distances);

// Of one component about its present mean: sum w, sum w d, sum w d d^T (lower triangle, row by row)
// with d = x - mu. The new mean is mu + sum w d / sum w.
struct Moments {
  double weight = 0.0;
  std::vector<double> first;
  std::vector<double> second;
  double rows = -1.0;  // what a covariance is divided by where that is not the weight; -1: the weight

  double mass() const { return rows < 0.0 ? weight : rows; }
};

// Flat moments of one component, as passes add them up: weight, first, second.
constexpr std::size_t moment_count(std::size_t dimensions) {
  return 1 + dimensions + dimensions * (dimensions + 1) / 2;
}
Moments moments_of(std::span<const double> flat, std::size_t dimensions);

// weights: components x rows, such as responsibilities times label weights.
std::vector<Moments> weighted_moments(const DensityFactors& factors, const Features& features,
                                      std::span<const double> weights, Threads threads);

// The same where row n belongs to component states[n] with weight row_weights[n] (empty: 1).
std::vector<Moments> state_moments(const DensityFactors& factors, const Features& features,
                                   std::span<const std::uint8_t> states, std::span<const double> row_weights,
                                   Threads threads);

// One E-step of the static mixture: densities, responsibilities (4.20), (4.30) and moments in a single pass. Spans
// that are empty are not wanted.
struct MixturePass {
  const DensityFactors& factors;
  const Features& features;
  std::span<const double> log_shares;            // log pi_k
  std::span<const std::int32_t> labels;          // class per row, -1: unknown; or empty
  std::span<const std::int32_t> of_class;        // class per component, when there are labels
  std::span<const double> known_densities = {};  // components x rows, when they are there already
  std::span<double> responsibilities = {};       // components x rows
  std::span<std::uint8_t> states = {};           // most probable component per row
  std::span<double> probability = {};            // of it

  std::size_t statistic_count() const;
};
// Adds to statistics[0] the log-likelihood of the rows, then for each component the flat moments of the rows without
// a label, then, when there are labels, for each component those of the rows with one.
void add_mixture_statistics(const MixturePass& pass, std::size_t begin, std::size_t end, std::span<double> statistics);
std::vector<double> mixture_statistics(const MixturePass& pass, Threads threads);

// Rows of a task: by the data alone, and whole blocks.
struct RowTasks {
  explicit RowTasks(std::size_t rows);
  std::size_t count = 1;
  std::size_t rows_a_task = 0;
  std::size_t rows = 0;
  std::size_t begin(std::size_t task) const { return task * rows_a_task; }
  std::size_t end(std::size_t task) const { return rows < (task + 1) * rows_a_task ? rows : (task + 1) * rows_a_task; }
};

}  // namespace motet::temporal
