#include "motet/multilabel/sources/one_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/data/eigen.h"
#include "motet/data/rows.h"
#include "motet/engine/em.h"
#include "motet/multilabel/sources/em_rule.h"
#include "motet/multilabel/sources/fit_sources.h"
#include "motet/multilabel/sources/gaussian_problem.h"
#include "motet/sources/families.h"
#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

// Parameters: locations (K x D), then covariances as matrices (K or one, D x D; diagonal and
// spherical ones too) or what all sources share (D). Statistics of a source: its weight, sum r x,
// then sum r x x' or what else its family wants.
class OneOfFit {
 public:
  OneOfFit(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions, const SetDesign& design,
           const TrainOptions& options, const Sources& start)
      : index_(index),
        design_(design),
        options_(options),
        start_(start),
        dimensions_(dimensions),
        cells_(dimensions * dimensions),
        sources_(design.sources),
        family_(family_of(options.source)),
        gaussian_(family_.has_scatter),
        one_matrix_(options.covariance == Covariance::shared || options.covariance == Covariance::point),
        x_(x.begin(), x.end()),
        cuts_(cut_sets(index.of_row.size(), default_leaf_count)) {
    const double items = static_cast<double>(index.of_row.size());
    constant_ = 0.0;
    if (family_.is_logarithm) {
      for (double& v : x_) {
        v = std::log(v);
        constant_ -= v;
      }
    }
    if (gaussian_) constant_ -= 0.5 * items * static_cast<double>(dimensions) * std::log(2.0 * std::numbers::pi);
    if (family_.log_constant != nullptr) {
      constant_ += family_.log_constant(x_, dimensions, Rows::all(index.of_row.size()));
    }
    for (const std::uint32_t set : index.of_row) constant_ -= std::log(design.degree(set));
    find_prior();
  }

  std::vector<double> start() const {
    std::vector<double> parameters = start_.location;
    if (gaussian_) {
      for (std::size_t k = 0; k < (one_matrix_ ? 1 : sources_); ++k) {
        const std::vector<double> covariance =
            options_.covariance == Covariance::point ? start_.noise : covariance_of(start_, k);
        parameters.insert(parameters.end(), covariance.begin(), covariance.end());
      }
    } else {
      parameters.insert(parameters.end(), start_.spread.begin(), start_.spread.end());
    }
    return parameters;
  }

  // Gaussian: the locations, then for each matrix the inverse of its factor and the log determinant.
  std::vector<double> prepare(std::span<const double> parameters) const {
    if (!gaussian_) return {parameters.begin(), parameters.end()};
    const std::size_t locations = sources_ * dimensions_;
    std::vector<double> prepared(parameters.begin(), parameters.begin() + static_cast<std::ptrdiff_t>(locations));
    for (std::size_t i = locations; i < parameters.size(); i += cells_) {
      const Eigen::LLT<RowMatrix> factor{RowMatrixView(parameters.data() + i, at(dimensions_), at(dimensions_))};
      const Eigen::VectorXd pivots = RowMatrix(factor.matrixL()).diagonal();
      if (factor.info() != Eigen::Success || !(pivots.minCoeff() > 0.0)) {
        fail_singular(fmt::format("a source has too few items for {} features", dimensions_));
      }
      const RowMatrix inverse = factor.matrixL().solve(RowMatrix::Identity(at(dimensions_), at(dimensions_)));
      prepared.insert(prepared.end(), inverse.data(), inverse.data() + inverse.size());
      prepared.push_back(2.0 * pivots.array().log().sum());
    }
    return prepared;
  }

  void accumulate(std::span<const double> prepared, std::size_t leaf, std::span<double> statistics) const {
    if (leaf == 0) statistics[0] += constant_;
    std::vector<double> joint;
    for (std::size_t n = cuts_[leaf]; n < cuts_[leaf + 1]; ++n) {
      const std::vector<std::uint32_t>& members = design_.members[index_.of_row[n]];
      const double* const x = x_.data() + n * dimensions_;
      joint.clear();
      for (const std::uint32_t k : members) joint.push_back(log_density(prepared, k, x));
      const double evidence = log_sum_exp(joint);
      statistics[0] += evidence;
      for (std::size_t i = 0; i < members.size(); ++i) {
        add(prepared.data() + members[i] * dimensions_, x, std::exp(joint[i] - evidence),
            statistics.subspan(1 + members[i] * per_source(), per_source()));
      }
    }
  }

  std::vector<double> maximise(std::span<const double> statistics, std::span<const double> parameters) const {
    return gaussian_ ? maximise_gaussian(statistics, parameters) : maximise_rates(statistics, parameters);
  }

  double log_prior(std::span<const double> parameters) const {
    return gaussian_ ? log_gaussian_prior(parameters) : log_rate_prior(parameters);
  }

  std::size_t leaves() const { return cuts_.size() - 1; }
  std::size_t statistic_count() const { return 1 + sources_ * per_source(); }

  Sources result(std::span<const double> parameters) const {
    const std::size_t locations = sources_ * dimensions_;
    Sources found;
    found.location.assign(parameters.begin(), parameters.begin() + static_cast<std::ptrdiff_t>(locations));
    const std::span<const double> rest = parameters.subspan(locations);
    if (!gaussian_ || options_.covariance == Covariance::full || options_.covariance == Covariance::shared) {
      found.spread.assign(rest.begin(), rest.end());
    } else if (options_.covariance == Covariance::point) {
      found.noise.assign(rest.begin(), rest.end());
    } else {
      const std::size_t width = options_.covariance == Covariance::spherical ? 1 : dimensions_;
      for (std::size_t k = 0; k < sources_; ++k) {
        for (std::size_t d = 0; d < width; ++d) found.spread.push_back(rest[k * cells_ + d * dimensions_ + d]);
      }
    }
    return found;
  }

 private:
  std::size_t per_source() const { return 1 + dimensions_ + second(); }
  std::size_t second() const {
    if (gaussian_) return cells_;
    return family_.fit.extra != nullptr ? dimensions_ : 0;
  }

  void find_prior() {
    fixed_ = options_.shrinkage && *options_.shrinkage >= 1.0;
    const double least = gaussian_ && needs_matrices(options_) ? static_cast<double>(dimensions_) + 2.0 : 1.0;
    for (const double items : design_.items) {
      const double given =
          options_.shrinkage && !fixed_ ? items * *options_.shrinkage / (1.0 - *options_.shrinkage) : 0;
      strength_.push_back((options_.shrinkage ? given : least) + options_.prior_strength);
    }
    const std::size_t size = gaussian_ ? cells_ : dimensions_;
    centre_.assign(size, 0.0);
    double total = 0.0;
    for (const double items : design_.items) total += items;
    for (std::size_t k = 0; k < sources_; ++k) {
      std::vector<double> own(start_.location_of(k).begin(), start_.location_of(k).end());
      if (gaussian_) own = options_.covariance == Covariance::point ? start_.noise : covariance_of(start_, k);
      for (std::size_t i = 0; i < size; ++i) centre_[i] += design_.items[k] / total * own[i];
    }
    if (gaussian_ && one_matrix_) shrink_to_diagonal(centre_, dimensions_, 1.0);
  }

  double log_density(std::span<const double> prepared, std::size_t k, const double* x) const {
    const double* const location = prepared.data() + k * dimensions_;
    const double* const rest = prepared.data() + sources_ * dimensions_;
    if (!gaussian_) return family_.fit.row_log_density(location, rest, x, dimensions_);
    const double* const matrix = rest + (one_matrix_ ? 0 : k) * (cells_ + 1);
    double sum = matrix[cells_];
    for (std::size_t i = 0; i < dimensions_; ++i) {
      double z = 0.0;
      for (std::size_t j = 0; j <= i; ++j) z += matrix[i * dimensions_ + j] * (x[j] - location[j]);
      sum += z * z;
    }
    return -0.5 * sum;
  }

  void add(const double* location, const double* x, double r, std::span<double> sums) const {
    sums[0] += r;
    for (std::size_t d = 0; d < dimensions_; ++d) sums[1 + d] += r * x[d];
    double* const seconds = sums.data() + 1 + dimensions_;
    if (gaussian_) {
      // About the start's first location, which is near enough to keep the digits of the differences.
      for (std::size_t i = 0; i < dimensions_; ++i) {
        const double away = r * (x[i] - start_.location[i]);
        for (std::size_t j = 0; j <= i; ++j) seconds[i * dimensions_ + j] += away * (x[j] - start_.location[j]);
      }
    } else if (family_.fit.extra != nullptr) {
      for (std::size_t d = 0; d < dimensions_; ++d) seconds[d] += r * family_.fit.extra(location[d], x[d]);
    }
  }

  // weight, mean and scatter about it.
  RowMatrix scatter_of(std::span<const double> sums, Eigen::VectorXd& mean) const {
    const Eigen::Map<const Eigen::VectorXd> origin(start_.location.data(), at(dimensions_));
    mean = Eigen::Map<const Eigen::VectorXd>(sums.data() + 1, at(dimensions_)) / sums[0];
    const Eigen::VectorXd away = mean - origin;
    RowMatrix scatter = RowMatrixView(sums.data() + 1 + dimensions_, at(dimensions_), at(dimensions_));
    scatter = RowMatrix(scatter.selfadjointView<Eigen::Lower>());
    scatter -= sums[0] * away * away.transpose();
    if (options_.covariance == Covariance::diagonal) scatter = RowMatrix(scatter.diagonal().asDiagonal());
    if (options_.covariance == Covariance::spherical) {
      scatter = RowMatrix::Identity(at(dimensions_), at(dimensions_)) * scatter.diagonal().mean();
    }
    return scatter;
  }

  std::vector<double> maximise_gaussian(std::span<const double> statistics, std::span<const double> parameters) const {
    std::vector<double> next(parameters.begin(), parameters.end());
    const RowMatrixView centre(centre_.data(), at(dimensions_), at(dimensions_));
    RowMatrix pooled = RowMatrix::Zero(at(dimensions_), at(dimensions_));
    double total = 0.0;
    double strength = 0.0;
    for (std::size_t k = 0; k < sources_; ++k) {
      const std::span<const double> sums = statistics.subspan(1 + k * per_source(), per_source());
      if (!(sums[0] > 1e-9)) continue;  // no item is its own any more: it stays
      Eigen::VectorXd mean;
      const RowMatrix scatter = scatter_of(sums, mean);
      std::copy(mean.data(), mean.data() + mean.size(), next.begin() + static_cast<std::ptrdiff_t>(k * dimensions_));
      if (one_matrix_) {
        pooled += scatter;
        total += sums[0];
        strength += strength_[k];
      } else if (!fixed_) {
        Eigen::Map<RowMatrix>(next.data() + sources_ * dimensions_ + k * cells_, at(dimensions_), at(dimensions_)) =
            (scatter + strength_[k] * centre) / (sums[0] + strength_[k]);
      }
    }
    if (one_matrix_ && !fixed_) {
      Eigen::Map<RowMatrix>(next.data() + sources_ * dimensions_, at(dimensions_), at(dimensions_)) =
          (pooled + strength * centre) / (total + strength);
    }
    return next;
  }

  double log_gaussian_prior(std::span<const double> parameters) const {
    double sum = 0.0;
    const RowMatrixView centre(centre_.data(), at(dimensions_), at(dimensions_));
    for (std::size_t k = 0; k < sources_ && !fixed_; ++k) {
      if (!(strength_[k] > 0.0)) continue;
      const double* const matrix = parameters.data() + sources_ * dimensions_ + (one_matrix_ ? 0 : k) * cells_;
      const Eigen::LLT<RowMatrix> factor{RowMatrixView(matrix, at(dimensions_), at(dimensions_))};
      const double log_determinant = 2.0 * RowMatrix(factor.matrixL()).diagonal().array().log().sum();
      sum -= 0.5 * strength_[k] * (log_determinant + factor.solve(centre).trace());
    }
    return sum;
  }

  SharedValue centre_of(std::size_t d) const { return {centre_[d], start_.spread.empty() ? 0.0 : start_.spread[d]}; }

  std::vector<double> maximise_rates(std::span<const double> statistics, std::span<const double> parameters) const {
    std::vector<double> next(parameters.begin(), parameters.end());
    const std::size_t rates = sources_ * dimensions_;
    const bool has_shared = family_.has_shared();
    std::vector<double> locations(dimensions_, 0.0);
    std::vector<double> amount(dimensions_, 0.0);
    for (std::size_t i = 0; i < rates; ++i) {
      const std::size_t d = i % dimensions_;
      const double nu = fixed_ ? 0.0 : strength_[i / dimensions_];
      const double* const sums = statistics.data() + 1 + i / dimensions_ * per_source();
      if (!(sums[0] > 1e-9)) continue;
      const double shared = has_shared ? parameters[rates + d] : 0.0;
      const double extra = family_.fit.extra != nullptr ? sums[1 + dimensions_ + d] : 0.0;
      const auto mixed = family_.fit.emitted_mixed;
      const double sum = sums[1 + d];
      const double emitted = mixed != nullptr ? mixed(parameters[i], shared, sums[0], sum, extra) : sum;
      next[i] = family_.fit.location({emitted, sums[0], nu, shared, centre_of(d)});
      if (!has_shared) continue;
      locations[d] += (sums[0] + nu) * next[i];
      amount[d] += sum + family_.fit.prior_amount(nu, centre_of(d));
    }
    for (std::size_t d = 0; d < dimensions_ && has_shared; ++d) {
      next[rates + d] = family_.fit.best_shared(locations[d], amount[d]);
    }
    return next;
  }

  double log_rate_prior(std::span<const double> parameters) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < sources_ * dimensions_ && !fixed_; ++i) {
      const double nu = strength_[i / dimensions_];
      const std::size_t d = i % dimensions_;
      if (!(nu > 0.0)) continue;
      const double shared = family_.has_shared() ? parameters[sources_ * dimensions_ + d] : 0.0;
      sum += family_.fit.log_prior(nu, parameters[i], shared, centre_of(d));
    }
    return sum;
  }

  const LabelSetIndex& index_;
  const SetDesign& design_;
  const TrainOptions& options_;
  const Sources& start_;
  std::size_t dimensions_;
  std::size_t cells_;
  std::size_t sources_;
  const SourceFamily& family_;
  bool gaussian_;
  bool one_matrix_;
  std::vector<double> x_;
  std::vector<std::size_t> cuts_;
  double constant_ = 0.0;
  bool fixed_ = false;
  std::vector<double> strength_;
  std::vector<double> centre_;  // D x D, or D values
};

}  // namespace

SourceFit fit_one_of(const LabelSetIndex& index, std::span<const double> x, std::size_t dimensions,
                     const SetDesign& design, const TrainOptions& options, const RunContext& run) {
  if (options.noise && options.covariance != Covariance::point) {
    fail(ErrorKind::usage, "--noise: with --combine one-of it cannot be told from the sources");
  }
  TrainOptions first = options;
  first.method = Training::probabilistic;
  SourceFit start = fit_named_sources(index, x, dimensions, first, run, {});
  const OneOfFit fit(index, x, dimensions, design, options, start.sources);
  const EmProblem em = em_problem_of(fit, fit.statistic_count() - 1, run);
  EmResult found = run_em(em, fit.start(), em_rule(options), run, "one-of");
  SourceFit result;
  result.sources = fit.result(found.parameters);
  result.summary = std::move(found.summary);
  return result;
}

}  // namespace motet::multilabel
