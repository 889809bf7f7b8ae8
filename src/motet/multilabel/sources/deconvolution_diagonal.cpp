#include "motet/multilabel/sources/deconvolution_diagonal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/data/eigen.h"
#include "motet/engine/em.h"
#include "motet/multilabel/sources/em_rule.h"

namespace motet::multilabel {
namespace {

constexpr double least_variance = 1e-13;  // of a set, in units of the pooled variance: the likelihood has no bound

// Parameters: variances of the sources (K or K x D), then of the noise (D or none).
// Prepared: means (K x D), then variances of the sets (sets x D).
class DiagonalFit {
 public:
  explicit DiagonalFit(const GaussianProblem& problem)
      : p_(problem),
        dimensions_(problem.dimensions()),
        sources_(problem.design->sources),
        sets_(problem.design->sets()),
        width_(problem.covariance == Covariance::spherical ? 1 : dimensions_),
        cuts_(cut_sets(sets_)) {}

  std::vector<double> start() const {
    std::vector<double> parameters;
    for (std::size_t k = 0; k < sources_; ++k) {
      for (std::size_t d = 0; d < width_; ++d) parameters.push_back(centre(d));
    }
    if (p_.noise) parameters.insert(parameters.end(), p_.noise_centre.begin(), p_.noise_centre.end());
    return parameters;
  }

  std::vector<double> prepare(std::span<const double> parameters, Threads threads) const {
    std::vector<double> prepared((sources_ + sets_) * dimensions_, 0.0);
    const std::span<double> means(prepared.data(), sources_ * dimensions_);
    const std::span<double> variances(prepared.data() + means.size(), sets_ * dimensions_);
    for (std::size_t l = 0; l < sets_; ++l)
      set_variances(parameters, l, variances.subspan(l * dimensions_, dimensions_));
    if (width_ == 1 && !p_.noise && p_.mean_strength == 0.0) {
      solve_dimensions(variances, 0, dimensions_, means);
      return prepared;
    }
    const double work = static_cast<double>(dimensions_ * sources_ * sources_ * (sets_ + sources_));
    for_each_task(dimensions_, threads_for(threads, work),
                  [&](std::size_t d) { solve_dimensions(variances, d, d + 1, means); });
    return prepared;
  }

  void accumulate(std::span<const double> prepared, std::size_t leaf, std::span<double> statistics) const {
    const double* const means = prepared.data();
    if (leaf == 0) statistics[0] += p_.constant - 0.5 * p_.mean_strength * distance_of_means(means);
    for (std::size_t l = cuts_[leaf]; l < cuts_[leaf + 1]; ++l) {
      const double a = p_.design->factor[l];
      const double n = p_.statistics->count[l];
      for (std::size_t d = 0; d < dimensions_; ++d) {
        const std::size_t place = l * dimensions_ + d;
        double r = p_.statistics->mean[place];
        for (const std::uint32_t k : p_.design->members[l]) r -= a * means[k * dimensions_ + d];
        const double v = prepared[sources_ * dimensions_ + place];
        const double square = p_.statistics->scatter[place] + n * r * r;
        statistics[0] -= 0.5 * (n * std::log(v) + square / v);
        const double g = (square / v - n) / v;
        for (const std::uint32_t k : p_.design->members[l]) {
          statistics[1 + k * width_ + (width_ == 1 ? 0 : d)] += a * a * g;
        }
        if (p_.noise) statistics[1 + sources_ * width_ + d] += g;
      }
    }
  }

  std::vector<double> maximise(std::span<const double> statistics, std::span<const double> parameters) const {
    std::vector<double> next(parameters.begin(), parameters.end());
    if (p_.fixed_covariance) return next;
    const double per = width_ == 1 ? static_cast<double>(dimensions_) : 1.0;
    for (std::size_t i = 0; i < sources_ * width_; ++i) {
      const std::size_t k = i / width_;
      next[i] = update(parameters[i], statistics[1 + i] / per, p_.design->items[k], p_.strength[k], centre(i % width_));
    }
    for (std::size_t i = sources_ * width_; i < next.size(); ++i) {
      next[i] = update(parameters[i], statistics[1 + i], p_.statistics->total(), p_.noise_strength,
                       p_.noise_centre[i - sources_ * width_]);
    }
    return next;
  }

  double log_prior(std::span<const double> parameters) const {
    if (p_.fixed_covariance) return 0.0;
    double sum = 0.0;
    const double per = width_ == 1 ? static_cast<double>(dimensions_) : 1.0;
    for (std::size_t i = 0; i < sources_ * width_; ++i) {
      const double nu = p_.strength[i / width_] * per;
      if (nu > 0.0) sum -= 0.5 * nu * (std::log(parameters[i]) + centre(i % width_) / parameters[i]);
    }
    for (std::size_t i = sources_ * width_; i < parameters.size() && p_.noise_strength > 0.0; ++i) {
      const double about = p_.noise_centre[i - sources_ * width_];
      sum -= 0.5 * p_.noise_strength * (std::log(parameters[i]) + about / parameters[i]);
    }
    return sum;
  }

  std::size_t leaves() const { return cuts_.size() - 1; }

  GaussianResult result(std::span<const double> parameters) const {
    const std::vector<double> prepared = prepare(parameters, Threads{1});
    GaussianResult found;
    found.location.assign(prepared.begin(), prepared.begin() + static_cast<std::ptrdiff_t>(sources_ * dimensions_));
    found.spread.assign(parameters.begin(), parameters.begin() + static_cast<std::ptrdiff_t>(sources_ * width_));
    if (p_.noise) {
      found.noise.assign(dimensions_ * dimensions_, 0.0);
      for (std::size_t d = 0; d < dimensions_; ++d) {
        found.noise[d * dimensions_ + d] = parameters[sources_ * width_ + d];
      }
    }
    return found;
  }

 private:
  static double update(double s, double g, double items, double strength, double about) {
    const double em = std::max(s + s * s * g / items, 0.0);
    return (items * em + strength * about) / (items + strength);
  }

  // Of the prior, for dimension d; the mean over dimensions when there is one variance.
  double centre(std::size_t d) const {
    if (width_ > 1 || dimensions_ == 1) return p_.source_centre[d];
    double sum = 0.0;
    for (const double v : p_.source_centre) sum += v;
    return sum / static_cast<double>(dimensions_);
  }

  double distance_of_means(const double* means) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < sources_ * dimensions_ && p_.mean_strength > 0.0; ++i) {
      const double away = means[i] - p_.centre[i % dimensions_];
      sum += away * away / p_.source_centre[i % dimensions_];
    }
    return sum;
  }

  void set_variances(std::span<const double> parameters, std::size_t l, std::span<double> variances) const {
    const double a = p_.design->factor[l];
    for (std::size_t d = 0; d < dimensions_; ++d) {
      double v = 0.0;
      for (const std::uint32_t k : p_.design->members[l]) v += parameters[k * width_ + (width_ == 1 ? 0 : d)];
      v = a * a * v + (p_.noise ? parameters[sources_ * width_ + d] : 0.0);
      if (!(v > least_variance)) {
        fail_singular(fmt::format("feature {} does not vary in items of a label set", d + 1));
      }
      variances[d] = v;
    }
  }

  // Means of dimensions [first, last) from one system with the variances of dimension `first`.
  void solve_dimensions(std::span<const double> variances, std::size_t first, std::size_t last,
                        std::span<double> means) const {
    const auto size = static_cast<Eigen::Index>(sources_);
    const auto width = static_cast<Eigen::Index>(last - first);
    RowMatrix left = RowMatrix::Zero(size, size);
    RowMatrix right = RowMatrix::Zero(size, width);
    if (p_.mean_strength > 0.0) {
      const double kappa = p_.mean_strength / p_.source_centre[first];
      left.diagonal().setConstant(kappa);
      right.setConstant(kappa * p_.centre[first]);
    }
    for (std::size_t l = 0; l < sets_; ++l) {
      const double a = p_.design->factor[l];
      const double weight = p_.statistics->count[l] * a / variances[l * dimensions_ + first];
      const Eigen::Map<const Eigen::RowVectorXd> mean(p_.statistics->mean.data() + l * dimensions_ + first, width);
      for (const std::uint32_t j : p_.design->members[l]) {
        for (const std::uint32_t k : p_.design->members[l]) left(j, k) += weight * a;
        right.row(j) += weight * mean;
      }
    }
    const RowMatrix solution = left.llt().solve(right);
    for (std::size_t k = 0; k < sources_; ++k) {
      for (std::size_t d = first; d < last; ++d) {
        means[k * dimensions_ + d] = solution(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(d - first));
      }
    }
  }

  const GaussianProblem& p_;
  std::size_t dimensions_;
  std::size_t sources_;
  std::size_t sets_;
  std::size_t width_;  // variances of a source
  std::vector<std::size_t> cuts_;
};

}  // namespace

GaussianResult fit_diagonal(const GaussianProblem& problem, const TrainOptions& options, const RunContext& run) {
  const DiagonalFit fit(problem);
  std::vector<double> start = fit.start();
  EmProblem em = em_problem_of(fit, start.size(), run);
  em.project = keep_positive;
  EmResult found = fit_on_sets(em, std::move(start), options, run);
  GaussianResult result = fit.result(found.parameters);
  result.summary = std::move(found.summary);
  return result;
}

}  // namespace motet::multilabel
