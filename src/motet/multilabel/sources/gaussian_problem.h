// Gaussian sources from statistics of label sets: what the fits of all covariances share.
//
//   x | L ~ N(a_L sum_k mu_k, S_L),  S_L = a_L^2 sum_k S_k + S_noise
// Maximum likelihood by ECME: the means that are best for given covariances are the solution
// of one linear system (generalised least squares; 5.15 solved exactly instead of by sweeps),
// then one EM step for the covariances from the posterior moments of the emissions,
//   S_k <- S_k + S_k (sum_{L with k} a_L^2 G_L) S_k / N_k,
//   G_L = S_L^-1 R_L S_L^-1 - n_L S_L^-1,  R_L = scatter_L + n_L r r',  r = mean_L - a_L sum mu,
// (5.16 with the order of the factors corrected). Noise is one more emission, always on.
//
// Small samples: an inverse-Wishart prior worth nu_k items whose centre is the pooled
// covariance P, so that S_k <- (N_k S_k + nu_k P) / (N_k + nu_k) and the objective, with
// -1/2 sum nu_k (log|S_k| + tr S_k^-1 P), still never falls. A weight w of shrinkage is
// nu_k = N_k w / (1 - w). Means may have a prior N(centre, P / kappa).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "motet/multilabel/sources/design.h"
#include "motet/multilabel/sources/source_fit.h"
#include "motet/sources/statistics/set_statistics.h"

namespace motet::multilabel {

struct GaussianProblem {
  const SetStatistics* statistics = nullptr;  // in units of `scale`
  const SetDesign* design = nullptr;
  Covariance covariance = Covariance::diagonal;
  bool noise = false;
  // P, D x D (full statistics) or D, positive definite: where sources and noise start, and the centre of the prior.
  std::vector<double> source_centre;
  std::vector<double> noise_centre;
  std::vector<double> strength;  // nu_k
  double noise_strength = 0.0;
  double mean_strength = 0.0;     // kappa
  std::vector<double> centre;     // D
  bool fixed_covariance = false;  // shrinkage 1: every source has P
  double constant = 0.0;          // what the log-likelihood has beside the fit

  std::size_t dimensions() const { return statistics->dimensions; }
};

// Means for one covariance shared by all sources, their residual covariance, and how far the
// sources' covariances differ.
struct PooledFit {
  std::vector<double> means;       // sources x D
  std::vector<double> covariance;  // sum_L R_L / (q_L N), D x D or D
  std::vector<double> total;       // D: variance of the items; 0 where it is rounding
  std::vector<double> rounding;    // D: a variance that is nothing else
  double strength = 0.0;           // pseudo-items that the spread between sources' variances suggests
};
// `q_is_one`: all spread is noise, the same in every set. `within` is sum_L scatter_L / q_L (D x D), for
// statistics that hold only diagonals; else empty.
PooledFit pooled_fit(const SetStatistics& statistics, const SetDesign& design, double mean_strength,
                     std::span<const double> centre, bool q_is_one, std::span<const double> within);

// Weight of the diagonal for a covariance from `degrees` items, from the sampling variance of correlations
// under normality: sum_{i<j} (1 + r_ij^2) / degrees / sum_{i<j} r_ij^2, at most 1.
double diagonal_weight(std::span<const double> covariance, std::size_t dimensions, double degrees);

// (1 - weight) S + weight diag(S).
void shrink_to_diagonal(std::span<double> covariance, std::size_t dimensions, double weight);

[[noreturn]] void fail_singular(const std::string& what);

// What the fits of the two kinds of covariance give back (deconvolution_diagonal.h, deconvolution_matrices.h).
struct GaussianResult {
  std::vector<double> location;
  std::vector<double> spread;
  std::vector<double> noise;  // D x D
  FitSummary summary;
};

// Spherical and diagonal sources, and the noise beside them, need only the diagonals of scatter matrices.
bool needs_matrices(const TrainOptions& options);

// One covariance for all: nothing to iterate, and one matrix is all that is needed beside diagonals.
bool has_one_covariance(const TrainOptions& options);
std::vector<double> pooled_scatter(const LabelSetIndex& index, std::span<const double> x,
                                   const SetStatistics& statistics, const SetDesign& design,
                                   const TrainOptions& options, Threads threads);

// `within` as for pooled_fit, or empty.
SourceFit fit_gaussian(const SetStatistics& statistics, const SetDesign& design, const TrainOptions& options,
                       const RunContext& run, std::span<const double> within = {});

}  // namespace motet::multilabel
