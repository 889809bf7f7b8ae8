#include "motet/sources/density/density_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/data/eigen.h"
#include "motet/sources/density/density_block.h"
#include "motet/sources/family.h"

namespace motet {
namespace {

struct Factor {
  RowMatrix inverse;  // T = L^-1 of S = L L'
  double log_determinant = 0.0;
};

[[noreturn]] void fail_singular() {
  fail(ErrorKind::unanswerable,
       "the covariance of a label set is not positive definite; a larger shrinkage or noise makes it so");
}

Factor factor_of(std::span<const double> covariance, std::size_t dimensions) {
  const auto size = static_cast<Eigen::Index>(dimensions);
  const Eigen::LLT<RowMatrix> cholesky(RowMatrixView(covariance.data(), size, size));
  if (cholesky.info() != Eigen::Success) fail_singular();
  Factor factor;
  factor.inverse = RowMatrix::Identity(size, size);
  cholesky.matrixL().solveInPlace(factor.inverse);
  for (Eigen::Index i = 0; i < size; ++i) factor.log_determinant -= 2.0 * std::log(factor.inverse(i, i));
  if (!std::isfinite(factor.log_determinant)) fail_singular();
  return factor;
}

void store_triangle(const RowMatrix& lower, double* tiles) {
  const auto size = static_cast<std::size_t>(lower.rows());
  for (std::size_t first = 0; first < size; first += density_tile) {
    for (std::size_t j = 0; j < std::min(first + density_tile, size); ++j) {
      for (std::size_t i = first; i < first + density_tile; ++i, ++tiles) {
        *tiles = i < size && j <= i ? lower(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) : 0.0;
      }
    }
  }
}

double gaussian_norm(std::size_t dimensions, double log_determinant) {
  return -0.5 * (static_cast<double>(dimensions) * std::log(2.0 * std::numbers::pi) + log_determinant);
}

bool is_diagonal(std::span<const double> matrix, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      if (i != j && matrix[i * size + j] != 0.0) return false;
    }
  }
  return true;
}

DensityForm form_of(const Sources& sources) {
  const SourceFamily& family = family_of(sources.family);
  if (!family.has_scatter) return family.plan.sum_block != nullptr ? DensityForm::by_value : DensityForm::linear;
  if (sources.covariance == Covariance::shared || sources.covariance == Covariance::point) return DensityForm::whitened;
  const bool is_matrix = sources.covariance == Covariance::full ||
                         (!sources.noise.empty() && !is_diagonal(sources.noise, sources.dimensions));
  return is_matrix ? DensityForm::full : DensityForm::diagonal;
}

// One set, written into the plan at its place.
using SetJob = void (*)(const Sources&, const std::vector<std::size_t>&, std::size_t, DensityPlan&);

void plan_diagonal(const Sources& sources, const std::vector<std::size_t>& all, std::size_t at, DensityPlan& plan) {
  const std::size_t dimensions = sources.dimensions;
  const double m = static_cast<double>(all.size());
  const double share = sources.combination == Combination::mean ? 1.0 / m : 1.0;
  double* const mean = plan.weights.data() + at * plan.weights_a_set;
  double log_determinant = 0.0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    double variance = 0.0;
    for (const std::size_t k : all) {
      mean[d] += sources.location_of(k)[d] * share;
      const std::size_t place = sources.covariance == Covariance::spherical ? k : k * dimensions + d;
      variance += sources.spread[place] * share * share;
    }
    if (!sources.noise.empty()) variance += sources.noise[d * dimensions + d];
    if (!(variance > 0.0) || !std::isfinite(1.0 / variance)) fail_singular();
    mean[dimensions + d] = 1.0 / variance;
    log_determinant += std::log(variance);
  }
  plan.constant[at] = gaussian_norm(dimensions, log_determinant);
}

void plan_full(const Sources& sources, const std::vector<std::size_t>& all, std::size_t at, DensityPlan& plan) {
  const std::size_t dimensions = sources.dimensions;
  BitMatrix set(1, std::max<std::size_t>(sources.label_count(), 1));
  for (const std::size_t k : all) {
    if (k < sources.label_count()) set.set(0, k);
  }
  const SetMoments moments = set_moments(sources, set.row(0));
  const Factor factor = factor_of(moments.covariance, dimensions);
  std::copy(moments.mean.begin(), moments.mean.end(),
            plan.weights.begin() + static_cast<std::ptrdiff_t>(at * plan.weights_a_set));
  store_triangle(factor.inverse, plan.triangles.data() + at * triangle_size(dimensions));
  plan.triangle_of[at] = static_cast<std::uint32_t>(at);
  plan.constant[at] = gaussian_norm(dimensions, factor.log_determinant);
}

// One covariance for all sets without noise, up to a factor; with noise one for every degree.
class WhitenedClasses {
 public:
  WhitenedClasses(const Sources& sources, DensityPlan& plan) : sources_(sources), plan_(plan) {}

  void place(const std::vector<std::size_t>& all, std::size_t at) {
    const std::size_t dimensions = sources_.dimensions;
    const bool is_point = sources_.covariance == Covariance::point;
    const double m = static_cast<double>(all.size());
    const bool is_mean = sources_.combination == Combination::mean;
    const double scale = is_point ? 1.0 : is_mean ? 1.0 / m : m;
    const bool by_degree = !is_point && !sources_.noise.empty();
    const auto [found, is_new] = classes_.try_emplace(by_degree ? all.size() : 0, factors_.size());
    if (is_new) add_class(by_degree ? scale : 1.0);
    const RowMatrix& means = means_[found->second];
    double* const whitened = plan_.weights.data() + at * plan_.weights_a_set;
    for (const std::size_t k : all) {
      const double* const mean = means.data() + k * plan_.weights_a_set;
      for (std::size_t i = 0; i < plan_.weights_a_set; ++i) whitened[i] += mean[i] * (is_mean ? 1.0 / m : 1.0);
    }
    const double rest = by_degree ? 1.0 : scale;
    plan_.inverse_scale[at] = 1.0 / rest;
    plan_.triangle_of[at] = static_cast<std::uint32_t>(found->second);
    plan_.constant[at] = gaussian_norm(
        dimensions, factors_[found->second].log_determinant + static_cast<double>(dimensions) * std::log(rest));
  }

 private:
  void add_class(double scale) {
    std::vector<double> covariance(sources_.dimensions * sources_.dimensions, 0.0);
    for (std::size_t i = 0; i < covariance.size(); ++i) {
      if (sources_.covariance == Covariance::shared) covariance[i] += scale * sources_.spread[i];
      if (!sources_.noise.empty()) covariance[i] += sources_.noise[i];
    }
    factors_.push_back(factor_of(covariance, sources_.dimensions));
    const RowMatrix& inverse = factors_.back().inverse;
    plan_.triangles.resize(factors_.size() * triangle_size(sources_.dimensions));
    store_triangle(inverse, plan_.triangles.data() + (factors_.size() - 1) * triangle_size(sources_.dimensions));
    const auto count = static_cast<Eigen::Index>(sources_.count);
    const auto dimensions = static_cast<Eigen::Index>(sources_.dimensions);
    RowMatrix means = RowMatrixView(sources_.location.data(), count, dimensions) * inverse.transpose();
    if (plan_.weights_a_set < sources_.dimensions) {
      const RowMatrix basis =
          (Eigen::HouseholderQR<RowMatrix>(means.transpose()).householderQ() * RowMatrix::Identity(dimensions, count))
              .transpose();
      plan_.bases.insert(plan_.bases.end(), basis.data(), basis.data() + basis.size());
      means = (means * basis.transpose()).eval();
    }
    means_.push_back(std::move(means));
  }

  const Sources& sources_;
  DensityPlan& plan_;
  std::map<std::size_t, std::size_t> classes_;  // degree to number
  std::vector<Factor> factors_;
  std::vector<RowMatrix> means_;  // of a class: whitened means of the sources, in its basis where there is one
};

}  // namespace

std::size_t sets_a_plan(const Sources& sources) {
  constexpr std::size_t numbers = 1'000'000;  // 8 MB of matrices
  if (form_of(sources) != DensityForm::full) return std::numeric_limits<std::size_t>::max();
  return std::max<std::size_t>(16, numbers / triangle_size(sources.dimensions));
}

DensityPlan plan_densities(const Sources& sources, const BitMatrix& sets, std::size_t begin, std::size_t end,
                           Threads threads) {
  const std::size_t dimensions = sources.dimensions;
  const std::size_t count = end - begin;
  const SourceFamily& family = family_of(sources.family);
  DensityPlan plan;
  plan.form = form_of(sources);
  plan.family = sources.family;
  plan.dimensions = dimensions;
  plan.lines = family.plan.lines * dimensions;
  plan.sum_block = family.plan.sum_block;
  plan.weights_a_set = plan.form == DensityForm::diagonal ? 2 * dimensions : plan.lines;
  if (plan.form == DensityForm::whitened && sources.count * 3 <= dimensions) plan.weights_a_set = sources.count;
  if (family.has_shared()) plan.shared = sources.spread;
  plan.weights.assign(count * plan.weights_a_set, 0.0);
  plan.constant.assign(count, -infinity);
  if (plan.form == DensityForm::whitened) {
    plan.inverse_scale.assign(count, 1.0);
    plan.triangle_of.assign(count, 0);
    WhitenedClasses classes(sources, plan);
    for (std::size_t j = 0; j < count; ++j) {
      const std::vector<std::size_t> all = members(sources, sets.row(begin + j));
      if (!all.empty()) classes.place(all, j);
    }
    return plan;
  }
  if (plan.form == DensityForm::full) {
    plan.triangles.assign(count * triangle_size(dimensions), 0.0);
    plan.triangle_of.assign(count, 0);
  }
  const SetJob job = plan.form == DensityForm::diagonal ? plan_diagonal
                     : plan.form == DensityForm::full   ? plan_full
                                                        : family.plan.plan_set;
  const double d = static_cast<double>(dimensions);
  const double work = static_cast<double>(count) * (plan.form == DensityForm::full ? d * d * d : 50.0 * d);
  constexpr std::size_t sets_a_task = 16;
  for_each_task((count + sets_a_task - 1) / sets_a_task, threads_for(threads, work), [&](std::size_t task) {
    for (std::size_t j = task * sets_a_task; j < std::min(count, (task + 1) * sets_a_task); ++j) {
      const std::vector<std::size_t> all = members(sources, sets.row(begin + j));
      if (!all.empty()) job(sources, all, j, plan);
    }
  });
  return plan;
}

void make_features(const DensityPlan& plan, std::span<const double* const> rows, double* features, double* row_terms) {
  family_of(plan.family).plan.make_features(plan, rows, features, row_terms);
}

}  // namespace motet
