#include "motet/multilabel/sources/gaussian_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "motet/base/error.h"
#include "motet/data/eigen.h"
#include "motet/multilabel/sources/deconvolution_diagonal.h"
#include "motet/multilabel/sources/deconvolution_matrices.h"
#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

// A variance inside label sets below this share of the variance of all items is rounding.
constexpr double least_class_share = 1e-12;
// A variance of all items below this share of the squared mean is rounding too: the feature is constant.
constexpr double least_total_share = 1e-26;
constexpr double floor_share = 1e-6;   // what it becomes when covariances are shrunk
constexpr double least_pivot = 1e-12;  // of a correlation matrix that still can be inverted

double variance_at(std::span<const double> covariance, std::size_t dimensions, std::size_t d) {
  return covariance.size() == dimensions ? covariance[d] : covariance[d * dimensions + d];
}

// Means that minimise sum_L n_L / q_L |mean_L - a_L sum mu|^2 + kappa sum |mu_k - centre|^2.
RowMatrix least_squares_means(const SetStatistics& statistics, const SetDesign& design, double mean_strength,
                              std::span<const double> centre, bool q_is_one) {
  const Eigen::Index sources = at(design.sources);
  const Eigen::Index dimensions = at(statistics.dimensions);
  RowMatrix left = RowMatrix::Identity(sources, sources) * mean_strength;
  RowMatrix right = RowMatrix::Zero(sources, dimensions);
  if (mean_strength > 0.0) {
    right.rowwise() = mean_strength * Eigen::Map<const Eigen::RowVectorXd>(centre.data(), dimensions);
  }
  const RowMatrixView mean(statistics.mean.data(), at(design.sets()), dimensions);
  for (std::size_t l = 0; l < design.sets(); ++l) {
    const double a = design.factor[l];
    const double weight = statistics.count[l] / (q_is_one ? 1.0 : design.unit(l));
    for (const std::uint32_t j : design.members[l]) {
      for (const std::uint32_t k : design.members[l]) left(j, k) += weight * a * a;
      right.row(j) += weight * a * mean.row(at(l));
    }
  }
  return left.ldlt().solve(right);
}

struct Residual {
  Eigen::RowVectorXd operator()(std::size_t l) const {
    Eigen::RowVectorXd r = RowMatrixView(statistics.mean.data(), at(design.sets()), means.cols()).row(at(l));
    for (const std::uint32_t k : design.members[l]) r -= design.factor[l] * means.row(k);
    return r;
  }
  const SetStatistics& statistics;
  const SetDesign& design;
  const RowMatrix& means;
};

// `rounding` becomes what of a variance is nothing but that, one per dimension.
std::vector<double> total_variance(const SetStatistics& statistics, std::vector<double>& rounding) {
  rounding.resize(statistics.dimensions);
  const std::size_t dimensions = statistics.dimensions;
  std::vector<double> mean(dimensions, 0.0);
  std::vector<double> total(dimensions, 0.0);
  const double items = statistics.total();
  for (std::size_t l = 0; l < statistics.size(); ++l) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      mean[d] += statistics.count[l] / items * statistics.mean[l * dimensions + d];
    }
  }
  for (std::size_t l = 0; l < statistics.size(); ++l) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      const std::size_t place = l * dimensions + d;
      const double away = statistics.mean[place] - mean[d];
      const double scatter = statistics.full ? statistics.scatter[place * dimensions + d] : statistics.scatter[place];
      total[d] += (scatter + statistics.count[l] * away * away) / items;
    }
  }
  for (std::size_t d = 0; d < dimensions; ++d) {
    rounding[d] = least_total_share * mean[d] * mean[d];
    if (total[d] <= rounding[d]) total[d] = 0.0;
  }
  return total;
}

// How far the variances of sets differ beyond sampling, as pseudo-items: a variance whose
// relative spread is tau^2 is worth 2 / tau^2 items. The variance of a set of m sources is a
// mean over them, so its spread is tau^2 / m.
double strength_of_variances(const SetStatistics& statistics, const SetDesign& design,
                             std::span<const double> covariance, bool q_is_one) {
  const std::size_t dimensions = statistics.dimensions;
  double excess = 0.0;
  double weight = 0.0;
  for (std::size_t l = 0; l < statistics.size(); ++l) {
    const double degrees = statistics.count[l] - 1.0;
    if (degrees < 1.0) continue;
    for (std::size_t d = 0; d < dimensions; ++d) {
      const double pooled = variance_at(covariance, dimensions, d) * (q_is_one ? 1.0 : design.unit(l));
      if (!(pooled > 0.0)) continue;
      const std::size_t place = l * dimensions + d;
      const double scatter = statistics.full ? statistics.scatter[place * dimensions + d] : statistics.scatter[place];
      const double away = scatter / degrees / pooled - 1.0;
      excess += degrees * away * away - 2.0;
      weight += degrees / design.degree(l);
    }
  }
  const double items = statistics.total();
  return excess > 0.0 ? std::clamp(2.0 * weight / excess, 1.0, std::max(items, 1.0)) : items;
}

bool is_positive_definite(std::span<const double> covariance, std::size_t dimensions) {
  const RowMatrixView matrix(covariance.data(), at(dimensions), at(dimensions));
  const Eigen::VectorXd scale = matrix.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::LLT<RowMatrix> factor(RowMatrix(scale.asDiagonal() * matrix * scale.asDiagonal()));
  return factor.info() == Eigen::Success && RowMatrix(factor.matrixL()).diagonal().cwiseAbs2().minCoeff() > least_pivot;
}

// Variances that are rounding: an error without shrinkage, else a floor.
void mend_variances(PooledFit& pooled, std::size_t dimensions, bool strict) {
  double sum = 0.0;
  double varying = 0.0;
  std::vector<std::size_t> bad;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const double variance = variance_at(pooled.covariance, dimensions, d);
    if (variance > std::max(least_class_share * pooled.total[d], pooled.rounding[d]) && variance > 0.0) {
      sum += variance;
      varying += 1.0;
    } else {
      bad.push_back(d);
    }
  }
  if (bad.empty()) return;
  if (strict) fail_singular(fmt::format("feature {} does not vary inside the label sets", bad.front() + 1));
  for (const std::size_t d : bad) {
    const double least = floor_share * pooled.total[d];
    const double value = least > 0.0 ? least : (varying > 0.0 ? sum / varying : 1.0);
    if (pooled.covariance.size() == dimensions) {
      pooled.covariance[d] = value;
      continue;
    }
    for (std::size_t i = 0; i < dimensions; ++i) {
      pooled.covariance[d * dimensions + i] = 0.0;
      pooled.covariance[i * dimensions + d] = 0.0;
    }
    pooled.covariance[d * dimensions + d] = value;
  }
}

std::vector<double> centre_of(const SetStatistics& statistics, const SetDesign& design) {
  std::vector<double> centre(statistics.dimensions, 0.0);
  double weight = 0.0;
  for (std::size_t l = 0; l < statistics.size(); ++l) {
    weight += statistics.count[l] * design.factor[l] * design.degree(l);
    for (std::size_t d = 0; d < centre.size(); ++d) {
      centre[d] += statistics.count[l] * statistics.mean[l * centre.size() + d];
    }
  }
  for (double& c : centre) c /= weight;
  return centre;
}

// One covariance for all, S = (N P + nu T) / (N + nu) with T = diag(P): nothing to iterate.
GaussianResult fit_one_covariance(const SetStatistics& statistics, const SetDesign& design, const TrainOptions& options,
                                  const PooledFit& pooled, double weight, bool q_is_one) {
  const std::size_t dimensions = statistics.dimensions;
  const double size = static_cast<double>(dimensions);
  const double items = statistics.total();
  const double kappa = options.prior_strength;
  const double taught = items + kappa * static_cast<double>(design.sources);
  const double strength = weight < 1.0 ? taught * weight / (1.0 - weight) + kappa : 0.0;
  std::vector<double> covariance = pooled.covariance;
  shrink_to_diagonal(covariance, dimensions, weight < 1.0 ? strength / (taught + strength) : 1.0);
  const RowMatrixView p(pooled.covariance.data(), at(dimensions), at(dimensions));
  const RowMatrixView s(covariance.data(), at(dimensions), at(dimensions));
  const Eigen::LLT<RowMatrix> factor(s);
  const RowMatrix inverse = factor.solve(RowMatrix::Identity(at(dimensions), at(dimensions)));
  const double log_determinant = 2.0 * RowMatrix(factor.matrixL()).diagonal().array().log().sum();
  double objective = statistics.log_jacobian - 0.5 * items * size * std::log(2.0 * std::numbers::pi);
  objective -= 0.5 * (taught * log_determinant + taught * p.cwiseProduct(inverse).sum());
  for (std::size_t l = 0; l < design.sets() && !q_is_one; ++l) {
    objective -= 0.5 * size * statistics.count[l] * std::log(design.unit(l));
  }
  objective -= 0.5 * strength * (log_determinant + p.diagonal().cwiseProduct(inverse.diagonal()).sum());
  GaussianResult result{pooled.means, {}, {}, {Stop::converged, {objective}, {}}};
  (q_is_one ? result.noise : result.spread) = std::move(covariance);
  return result;
}

// Statistics in units in which every pooled variance is 1, so that a change of parameters is relative.
SetStatistics scaled(const SetStatistics& statistics, std::span<const double> scale) {
  SetStatistics result = statistics;
  const std::size_t dimensions = scale.size();
  for (std::size_t i = 0; i < result.mean.size(); ++i) result.mean[i] /= scale[i % dimensions];
  for (std::size_t i = 0; i < result.scatter.size(); ++i) {
    const std::size_t row = statistics.full ? i / dimensions % dimensions : i % dimensions;
    result.scatter[i] /= scale[row] * scale[i % dimensions];
  }
  return result;
}

void unscale(GaussianResult& result, std::span<const double> scale, Covariance covariance) {
  const std::size_t dimensions = scale.size();
  const bool matrices = covariance == Covariance::full || covariance == Covariance::shared;
  for (std::size_t i = 0; i < result.location.size(); ++i) result.location[i] *= scale[i % dimensions];
  for (std::size_t i = 0; i < result.noise.size(); ++i)
    result.noise[i] *= scale[i / dimensions] * scale[i % dimensions];
  for (std::size_t i = 0; i < result.spread.size(); ++i) {
    const std::size_t d = covariance == Covariance::spherical ? 0 : i % dimensions;
    result.spread[i] *= scale[matrices ? i / dimensions % dimensions : d] * scale[d];
  }
}

GaussianResult fit_unequal(const SetStatistics& statistics, const SetDesign& design, const TrainOptions& options,
                           const PooledFit& pooled, double weight, const RunContext& run) {
  const std::size_t dimensions = statistics.dimensions;
  const double items = statistics.total();
  std::vector<double> scale(dimensions);
  double mean_variance = 0.0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const double variance = variance_at(pooled.covariance, dimensions, d);
    scale[d] = std::sqrt(variance);
    mean_variance += variance / static_cast<double>(dimensions);
  }
  // One variance for all dimensions stays one only in one unit.
  if (options.covariance == Covariance::spherical) scale.assign(dimensions, std::sqrt(mean_variance));
  const SetStatistics units = scaled(statistics, scale);

  GaussianProblem problem;
  problem.statistics = &units;
  problem.design = &design;
  problem.covariance = options.covariance;
  problem.noise = options.noise;
  problem.source_centre = pooled.covariance;
  const bool matrices = pooled.covariance.size() != dimensions;
  if (matrices) shrink_to_diagonal(problem.source_centre, dimensions, weight);
  for (std::size_t i = 0; i < problem.source_centre.size(); ++i) {
    problem.source_centre[i] /= scale[matrices ? i / dimensions : i] * scale[i % dimensions];
  }
  if (problem.noise) {
    double unit = 0.0;
    for (std::size_t l = 0; l < design.sets(); ++l) unit += statistics.count[l] * design.unit(l) / items;
    problem.noise_centre = problem.source_centre;
    for (double& v : problem.noise_centre) v *= 0.5 * unit;
    for (double& v : problem.source_centre) v *= 0.5;
  }
  const double kappa = options.prior_strength;
  const double least = needs_matrices(options) ? static_cast<double>(dimensions) + 2.0 : 1.0;
  problem.fixed_covariance = options.shrinkage && *options.shrinkage >= 1.0;
  const auto strength = [&](double taught) {
    if (problem.fixed_covariance) return 0.0;
    if (!options.shrinkage) return std::max(pooled.strength, least) + kappa;
    return taught * *options.shrinkage / (1.0 - *options.shrinkage) + kappa;
  };
  for (const double taught : design.items) problem.strength.push_back(strength(taught));
  problem.noise_strength = strength(items);
  problem.mean_strength = kappa;
  if (kappa > 0.0) problem.centre = centre_of(units, design);
  problem.constant =
      statistics.log_jacobian - 0.5 * items * static_cast<double>(dimensions) * std::log(2.0 * std::numbers::pi);
  for (const double s : scale) problem.constant -= items * std::log(s);
  GaussianResult result =
      needs_matrices(options) ? fit_matrices(problem, options, run) : fit_diagonal(problem, options, run);
  unscale(result, scale, options.covariance);
  return result;
}

}  // namespace

bool needs_matrices(const TrainOptions& options) {
  return options.covariance != Covariance::spherical && options.covariance != Covariance::diagonal;
}

bool has_one_covariance(const TrainOptions& options) {
  return options.covariance == Covariance::point || (options.covariance == Covariance::shared && !options.noise);
}

std::vector<double> pooled_scatter(const LabelSetIndex& index, std::span<const double> x,
                                   const SetStatistics& statistics, const SetDesign& design,
                                   const TrainOptions& options, Threads threads) {
  const std::size_t dimensions = statistics.dimensions;
  const std::size_t rows = index.of_row.size();
  const bool is_logarithm = family_of(options.source).is_logarithm;
  std::vector<double> residuals(x.size());
  for (std::size_t n = 0; n < rows; ++n) {
    const std::size_t l = index.of_row[n];
    const double weight = options.covariance == Covariance::point ? 1.0 : 1.0 / std::sqrt(design.unit(l));
    for (std::size_t d = 0; d < dimensions; ++d) {
      const double value = x[n * dimensions + d];
      const double v = is_logarithm ? std::log(value) : value;
      residuals[n * dimensions + d] = weight * (v - statistics.mean[l * dimensions + d]);
    }
  }
  LabelSetIndex all;
  all.sets = BitMatrix(1, 1);
  all.of_row.assign(rows, 0);
  all.rows.resize(rows);
  for (std::size_t n = 0; n < rows; ++n) all.rows[n] = static_cast<std::uint32_t>(n);
  all.starts = {0, rows};
  return gather(all, residuals, dimensions, Family::gaussian, true, threads).scatter;
}

void fail_singular(const std::string& what) {
  fail(ErrorKind::unanswerable, "--shrinkage 0 leaves a covariance that cannot be inverted: " + what +
                                    "; leave shrinkage to be estimated, or use fewer features");
}

double diagonal_weight(std::span<const double> covariance, std::size_t dimensions, double degrees) {
  double variance = 0.0;
  double square = 0.0;
  for (std::size_t i = 0; i < dimensions; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double s = covariance[i * dimensions + j];
      const double r_squared = s * s / (covariance[i * dimensions + i] * covariance[j * dimensions + j]);
      variance += (1.0 + r_squared) / degrees;
      square += r_squared;
    }
  }
  return square > variance ? variance / square : (dimensions > 1 ? 1.0 : 0.0);
}

void shrink_to_diagonal(std::span<double> covariance, std::size_t dimensions, double weight) {
  for (std::size_t i = 0; i < dimensions; ++i) {
    for (std::size_t j = 0; j < dimensions; ++j) {
      if (i != j) covariance[i * dimensions + j] *= 1.0 - weight;
    }
  }
}

PooledFit pooled_fit(const SetStatistics& statistics, const SetDesign& design, double mean_strength,
                     std::span<const double> centre, bool q_is_one, std::span<const double> within) {
  const Eigen::Index dimensions = at(statistics.dimensions);
  const RowMatrix means = least_squares_means(statistics, design, mean_strength, centre, q_is_one);
  const Residual residual{statistics, design, means};
  PooledFit fit;
  fit.means.assign(means.data(), means.data() + means.size());
  fit.total = total_variance(statistics, fit.rounding);
  const double taught = statistics.total() + mean_strength * static_cast<double>(design.sources);
  if (statistics.full || !within.empty()) {
    // Residuals as rows, so that their scatter is one product.
    RowMatrix rows(at(design.sets() + (mean_strength > 0.0 ? design.sources : 0)), dimensions);
    RowMatrix sum = RowMatrix::Zero(dimensions, dimensions);
    if (!within.empty()) sum = RowMatrixView(within.data(), dimensions, dimensions);
    for (std::size_t l = 0; l < design.sets(); ++l) {
      const double q = q_is_one ? 1.0 : design.unit(l);
      rows.row(at(l)) = std::sqrt(statistics.count[l] / q) * residual(l);
      if (!within.empty()) continue;
      sum += RowMatrixView(statistics.scatter.data() + l * statistics.dimensions * statistics.dimensions, dimensions,
                           dimensions) /
             q;
    }
    for (std::size_t k = 0; k < design.sources && mean_strength > 0.0; ++k) {
      rows.row(at(design.sets() + k)) =
          std::sqrt(mean_strength) *
          (means.row(at(k)) - Eigen::Map<const Eigen::RowVectorXd>(centre.data(), dimensions));
    }
    sum += rows.transpose() * rows;
    sum = (sum + sum.transpose()).eval() * (0.5 / taught);
    fit.covariance.assign(sum.data(), sum.data() + sum.size());
  } else {
    Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(dimensions);
    for (std::size_t l = 0; l < design.sets(); ++l) {
      const Eigen::Map<const Eigen::RowVectorXd> scatter(statistics.scatter.data() + l * statistics.dimensions,
                                                         dimensions);
      sum += (scatter + statistics.count[l] * residual(l).cwiseAbs2()) / (q_is_one ? 1.0 : design.unit(l));
    }
    sum /= taught;
    fit.covariance.assign(sum.data(), sum.data() + sum.size());
  }
  fit.strength = strength_of_variances(statistics, design, fit.covariance, q_is_one);
  return fit;
}

SourceFit fit_gaussian(const SetStatistics& statistics, const SetDesign& design, const TrainOptions& options,
                       const RunContext& run, std::span<const double> within) {
  const std::size_t dimensions = statistics.dimensions;
  if (needs_matrices(options) && !statistics.full && within.empty()) {
    fail(ErrorKind::internal, "full and shared covariances need statistics with matrices");
  }
  if (!needs_matrices(options) && statistics.full) {
    SetStatistics diagonals = statistics;
    diagonals.full = false;
    diagonals.scatter.resize(statistics.mean.size());
    for (std::size_t i = 0; i < statistics.mean.size(); ++i) {
      diagonals.scatter[i] = statistics.scatter[i * dimensions + i % dimensions];
    }
    return fit_gaussian(diagonals, design, options, run);
  }
  const bool is_point = options.covariance == Covariance::point;
  if (is_point && !options.noise) {
    fail(ErrorKind::usage, "--covariance point is without spread; it needs --noise");
  }
  const double kappa = options.prior_strength;
  const bool strict = options.shrinkage && *options.shrinkage == 0.0 && kappa == 0.0;
  const std::vector<double> centre = centre_of(statistics, design);
  PooledFit pooled = pooled_fit(statistics, design, kappa, centre, is_point, within);
  mend_variances(pooled, dimensions, strict);
  double weight = 0.0;
  double centre_weight = 0.0;  // of the prior's centre, which must have an inverse
  if (needs_matrices(options)) {
    const double degrees = std::max(1.0, statistics.total() - static_cast<double>(design.sources));
    const double estimated = diagonal_weight(pooled.covariance, dimensions, degrees);
    weight = options.shrinkage ? *options.shrinkage : estimated;
    centre_weight = weight == 0.0 && !strict ? estimated : weight;
    if (strict && !is_positive_definite(pooled.covariance, dimensions)) {
      fail_singular(fmt::format("{} features and {} items", dimensions, statistics.total()));
    }
  }
  GaussianResult result = has_one_covariance(options)
                              ? fit_one_covariance(statistics, design, options, pooled, weight, is_point)
                              : fit_unequal(statistics, design, options, pooled, centre_weight, run);
  SourceFit fit;
  fit.sources.location = std::move(result.location);
  fit.sources.spread = std::move(result.spread);
  fit.sources.noise = std::move(result.noise);
  fit.summary = std::move(result.summary);
  return fit;
}

}  // namespace motet::multilabel
