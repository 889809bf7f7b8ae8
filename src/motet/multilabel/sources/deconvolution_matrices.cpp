#include "motet/multilabel/sources/deconvolution_matrices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/data/eigen.h"
#include "motet/engine/em.h"
#include "motet/multilabel/sources/em_rule.h"

namespace motet::multilabel {
namespace {

constexpr double least_set_pivot = 1e-13;  // of a set's covariance in units of the pooled variances
constexpr double feasible_pivot = 1e-12;   // of an extrapolated one
constexpr int most_halvings = 6;           // of a step that leaves the positive definite matrices

void require_going_on(const RunContext& run) {
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while fitting covariances");
}

// Parameters: covariances of the sources (K or one, each D x D), then of the noise (one or none).
// Prepared: means (K x D), log determinants of the sets, inverses of their covariances (sets x D x D).
class MatricesFit {
 public:
  explicit MatricesFit(const GaussianProblem& problem)
      : p_(problem),
        dimensions_(problem.dimensions()),
        cells_(dimensions_ * dimensions_),
        sources_(problem.design->sources),
        sets_(problem.design->sets()),
        matrices_(problem.covariance == Covariance::shared ? 1 : sources_),
        cuts_(cut_sets(sets_, 16)),
        groups_(connected_sources(*problem.design)),
        centre_inverse_(inverse_of(problem.source_centre)) {}

  std::vector<double> start() const {
    std::vector<double> parameters;
    for (std::size_t k = 0; k < matrices_; ++k) {
      parameters.insert(parameters.end(), p_.source_centre.begin(), p_.source_centre.end());
    }
    if (p_.noise) parameters.insert(parameters.end(), p_.noise_centre.begin(), p_.noise_centre.end());
    return parameters;
  }

  // With many features a step takes minutes, so it looks at the cancel flag itself.
  std::vector<double> prepare(std::span<const double> parameters, const RunContext& run) const {
    std::vector<double> prepared(sources_ * dimensions_ + sets_ + sets_ * cells_);
    double* const log_determinants = prepared.data() + sources_ * dimensions_;
    double* const inverses = log_determinants + sets_;
    const double work = static_cast<double>(sets_ * cells_ * dimensions_);
    for_each_task(leaves(), threads_for(run.threads, work), [&](std::size_t leaf) {
      for (std::size_t l = cuts_[leaf]; l < cuts_[leaf + 1]; ++l) {
        require_going_on(run);
        invert(set_covariance(parameters, l), log_determinants[l], inverses + l * cells_);
      }
    });
    solve_means(inverses, run, prepared.data());
    return prepared;
  }

  void accumulate(std::span<const double> prepared, std::size_t leaf, std::span<double> statistics) const {
    const RowMatrixView means(prepared.data(), at(sources_), at(dimensions_));
    const double* const log_determinants = prepared.data() + sources_ * dimensions_;
    const double* const inverses = log_determinants + sets_;
    if (leaf == 0) statistics[0] += p_.constant - 0.5 * p_.mean_strength * distance_of_means(means);
    RowMatrix square(at(dimensions_), at(dimensions_));
    RowMatrix half(at(dimensions_), at(dimensions_));
    for (std::size_t l = cuts_[leaf]; l < cuts_[leaf + 1]; ++l) {
      const double a = p_.design->factor[l];
      const double n = p_.statistics->count[l];
      const RowMatrixView inverse(inverses + l * cells_, at(dimensions_), at(dimensions_));
      Eigen::RowVectorXd r =
          Eigen::Map<const Eigen::RowVectorXd>(p_.statistics->mean.data() + l * dimensions_, at(dimensions_));
      for (const std::uint32_t k : p_.design->members[l]) r -= a * means.row(k);
      square = RowMatrixView(p_.statistics->scatter.data() + l * cells_, at(dimensions_), at(dimensions_));
      square.noalias() += n * r.transpose() * r;
      statistics[0] -= 0.5 * (n * log_determinants[l] + square.cwiseProduct(inverse).sum());
      half.noalias() = square * inverse;
      half.diagonal().array() -= n;
      square.noalias() = inverse * half;  // G_L
      const auto add = [&](std::size_t matrix, double weight) {
        Eigen::Map<RowMatrix>(statistics.data() + 1 + matrix * cells_, at(dimensions_), at(dimensions_)) +=
            weight * square;
      };
      if (matrices_ == 1) {
        add(0, a * a * p_.design->degree(l));
      } else {
        for (const std::uint32_t k : p_.design->members[l]) add(k, a * a);
      }
      if (p_.noise) add(matrices_, 1.0);
    }
  }

  std::vector<double> maximise(std::span<const double> statistics, std::span<const double> parameters) const {
    std::vector<double> next(parameters.begin(), parameters.end());
    if (p_.fixed_covariance) return next;
    for (std::size_t i = 0; i < next.size() / cells_; ++i) {
      const bool is_noise = i == matrices_;
      const double items = is_noise ? p_.statistics->total() : taught(i);
      const double strength = is_noise ? p_.noise_strength : strength_of(i);
      const RowMatrixView s(parameters.data() + i * cells_, at(dimensions_), at(dimensions_));
      const RowMatrixView g(statistics.data() + 1 + i * cells_, at(dimensions_), at(dimensions_));
      const RowMatrixView about((is_noise ? p_.noise_centre : p_.source_centre).data(), at(dimensions_),
                                at(dimensions_));
      RowMatrix em = s * g * s;
      em = 0.5 * (em + em.transpose()).eval() + items * s;
      Eigen::Map<RowMatrix>(next.data() + i * cells_, at(dimensions_), at(dimensions_)) =
          (em + strength * about) / (items + strength);
    }
    return next;
  }

  double log_prior(std::span<const double> parameters) const {
    if (p_.fixed_covariance) return 0.0;
    double sum = 0.0;
    for (std::size_t i = 0; i < parameters.size() / cells_; ++i) {
      const bool is_noise = i == matrices_;
      const double nu = is_noise ? p_.noise_strength : strength_of(i);
      if (!(nu > 0.0)) continue;
      const RowMatrixView about((is_noise ? p_.noise_centre : p_.source_centre).data(), at(dimensions_),
                                at(dimensions_));
      const Eigen::LLT<RowMatrix> factor{
          RowMatrixView(parameters.data() + i * cells_, at(dimensions_), at(dimensions_))};
      const double log_determinant = 2.0 * RowMatrix(factor.matrixL()).diagonal().array().log().sum();
      sum -= 0.5 * nu * (log_determinant + factor.solve(about).trace());
    }
    return sum;
  }

  // Halves the way from the EM point until every matrix is positive definite.
  void project(std::span<const double> em_point, std::span<double> candidate) const {
    for (int halvings = 0; halvings < most_halvings; ++halvings) {
      bool holds = true;
      for (std::size_t i = 0; i < candidate.size() / cells_ && holds; ++i) {
        const Eigen::LLT<RowMatrix> factor{
            RowMatrixView(candidate.data() + i * cells_, at(dimensions_), at(dimensions_))};
        holds = factor.info() == Eigen::Success &&
                RowMatrix(factor.matrixL()).diagonal().cwiseAbs2().minCoeff() > feasible_pivot;
      }
      if (holds) return;
      for (std::size_t i = 0; i < candidate.size(); ++i) candidate[i] = 0.5 * (candidate[i] + em_point[i]);
    }
    std::copy(em_point.begin(), em_point.end(), candidate.begin());
  }

  std::size_t leaves() const { return cuts_.size() - 1; }

  GaussianResult result(std::span<const double> parameters, const RunContext& run) const {
    const std::vector<double> prepared = prepare(parameters, run);
    const auto end = parameters.begin() + static_cast<std::ptrdiff_t>(matrices_ * cells_);
    GaussianResult found;
    found.location.assign(prepared.begin(), prepared.begin() + static_cast<std::ptrdiff_t>(sources_ * dimensions_));
    found.spread.assign(parameters.begin(), end);
    found.noise.assign(end, parameters.end());
    return found;
  }

 private:
  RowMatrix inverse_of(std::span<const double> covariance) const {
    return RowMatrixView(covariance.data(), at(dimensions_), at(dimensions_))
        .llt()
        .solve(RowMatrix::Identity(at(dimensions_), at(dimensions_)));
  }

  // Emissions that a matrix describes.
  double taught(std::size_t matrix) const {
    if (matrices_ > 1 || sources_ == 1) return p_.design->items[matrix];
    double sum = 0.0;
    for (const double items : p_.design->items) sum += items;
    return sum;
  }
  double strength_of(std::size_t matrix) const {
    if (matrices_ > 1 || sources_ == 1) return p_.strength[matrix];
    double sum = 0.0;
    for (const double strength : p_.strength) sum += strength;
    return sum;
  }

  double distance_of_means(const RowMatrixView& means) const {
    if (p_.mean_strength == 0.0) return 0.0;
    const RowMatrix away = means.rowwise() - Eigen::Map<const Eigen::RowVectorXd>(p_.centre.data(), at(dimensions_));
    return (away * centre_inverse_).cwiseProduct(away).sum();
  }

  RowMatrix set_covariance(std::span<const double> parameters, std::size_t l) const {
    RowMatrix sum = RowMatrix::Zero(at(dimensions_), at(dimensions_));
    const auto matrix = [&](std::size_t i) {
      return RowMatrixView(parameters.data() + i * cells_, at(dimensions_), at(dimensions_));
    };
    const double a = p_.design->factor[l];
    if (matrices_ == 1) {
      sum = p_.design->degree(l) * matrix(0);
    } else {
      for (const std::uint32_t k : p_.design->members[l]) sum += matrix(k);
    }
    sum *= a * a;
    if (p_.noise) sum += matrix(matrices_);
    return sum;
  }

  void invert(const RowMatrix& covariance, double& log_determinant, double* inverse) const {
    Eigen::LLT<RowMatrix> factor(covariance);
    const Eigen::VectorXd pivots = RowMatrix(factor.matrixL()).diagonal();
    if (factor.info() != Eigen::Success || !(pivots.cwiseAbs2().minCoeff() > least_set_pivot)) {
      fail_singular(fmt::format("a label set has too few items for {} features", dimensions_));
    }
    log_determinant = 2.0 * pivots.array().log().sum();
    Eigen::Map<RowMatrix> target(inverse, at(dimensions_), at(dimensions_));
    target.setIdentity();
    factor.matrixL().solveInPlace(target);
    const RowMatrix lower = target;
    target.noalias() = lower.transpose() * lower;
  }

  // Sources that no chain of sets connects have nothing to do with each other.
  void solve_means(const double* inverses, const RunContext& run, double* means) const {
    if (groups_.size() == 1) return solve_group(groups_[0], inverses, run, run.threads, means);
    const double work = static_cast<double>(sources_ * cells_ * dimensions_);
    for_each_task(groups_.size(), threads_for(run.threads, work),
                  [&](std::size_t group) { solve_group(groups_[group], inverses, run, {1}, means); });
  }

  // The blocks (j, k), k >= j, of sum_L n_L a_L^2 S_L^-1 over sets with both, and the right hand side.
  void solve_group(std::span<const std::uint32_t> group, const double* inverses, const RunContext& run, Threads threads,
                   double* means) const {
    const Eigen::Index size = at(group.size() * dimensions_);
    Eigen::MatrixXd left = Eigen::MatrixXd::Zero(size, size);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(size);
    const Eigen::Index width = at(dimensions_);
    const auto place_of = [&](std::uint32_t source) {
      return at(static_cast<std::size_t>(std::ranges::lower_bound(group, source) - group.begin()) * dimensions_);
    };
    const double work = static_cast<double>(sets_ * cells_ * 8);
    for_each_task(group.size(), threads_for(threads, work), [&](std::size_t j) {
      require_going_on(run);
      const Eigen::Index first = at(j * dimensions_);
      if (p_.mean_strength > 0.0) {
        left.block(first, first, width, width) = p_.mean_strength * centre_inverse_;
        right.segment(first, width) =
            p_.mean_strength * (centre_inverse_ * Eigen::Map<const Eigen::VectorXd>(p_.centre.data(), width));
      }
      for (std::size_t l = 0; l < sets_; ++l) {
        const std::vector<std::uint32_t>& members = p_.design->members[l];
        const auto found = std::ranges::lower_bound(members, group[j]);
        if (found == members.end() || *found != group[j]) continue;
        const double a = p_.design->factor[l];
        const double weight = p_.statistics->count[l] * a;
        const RowMatrixView inverse(inverses + l * cells_, width, width);
        right.segment(first, width).noalias() +=
            weight * (inverse * Eigen::Map<const Eigen::VectorXd>(p_.statistics->mean.data() + l * dimensions_, width));
        for (auto k = found; k != members.end(); ++k) {
          left.block(place_of(*k), first, width, width) += (weight * a) * inverse;
        }
      }
    });
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>, Eigen::Lower> factor(left);
    if (factor.info() != Eigen::Success) fail_singular("the means of the sources cannot be told apart");
    const Eigen::VectorXd found = factor.solve(right);
    for (std::size_t j = 0; j < group.size(); ++j) {
      Eigen::Map<Eigen::VectorXd>(means + group[j] * dimensions_, width) = found.segment(at(j * dimensions_), width);
    }
  }

  const GaussianProblem& p_;
  std::size_t dimensions_;
  std::size_t cells_;
  std::size_t sources_;
  std::size_t sets_;
  std::size_t matrices_;  // one per source, or one for all
  std::vector<std::size_t> cuts_;
  std::vector<std::vector<std::uint32_t>> groups_;  // of sources that sets connect, rising
  RowMatrix centre_inverse_;
};

}  // namespace

GaussianResult fit_matrices(const GaussianProblem& problem, const TrainOptions& options, const RunContext& run) {
  const MatricesFit fit(problem);
  std::vector<double> start = fit.start();
  EmProblem em = em_problem_of(fit, start.size(), run);
  EmResult found = fit_on_sets(em, std::move(start), options, run);
  if (found.summary.stop == Stop::interrupted) {
    fail(ErrorKind::interrupted, fmt::format("interrupted at iteration {}", found.summary.iterations()));
  }
  GaussianResult result = fit.result(found.parameters, run);
  result.summary = std::move(found.summary);
  return result;
}

}  // namespace motet::multilabel
