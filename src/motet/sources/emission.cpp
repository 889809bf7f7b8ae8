#include "motet/sources/emission.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "motet/base/error.h"
#include "motet/data/eigen.h"
#include "motet/sources/density/marginal.h"
#include "motet/sources/density/pair_density.h"
#include "motet/sources/density/set_density.h"
#include "motet/sources/family.h"

namespace motet {
namespace {

// mu_k + gain (x - mu_L) with a variance that does not depend on x.
struct GaussianMember {
  Eigen::MatrixXd gain;
  Eigen::VectorXd variance;
};

RowMatrixView as_matrix(const std::vector<double>& values, Eigen::Index size) { return {values.data(), size, size}; }

// In a mean the emission takes part with 1/m: cov(xi_k, x) = S_k / m.
std::vector<GaussianMember> gaussian_members(const Sources& sources, const std::vector<std::size_t>& all,
                                             const SetMoments& moments) {
  const auto size = static_cast<Eigen::Index>(sources.dimensions);
  const Eigen::LLT<Eigen::MatrixXd> factor(as_matrix(moments.covariance, size));
  if (factor.info() != Eigen::Success) {
    fail(ErrorKind::unanswerable,
         "the covariance of a label set is not positive definite; a larger shrinkage or noise makes it so");
  }
  const double part = sources.combination == Combination::mean ? 1.0 / static_cast<double>(all.size()) : 1.0;
  std::vector<GaussianMember> result;
  for (const std::size_t k : all) {
    const std::vector<double> covariance = covariance_of(sources, k);
    const auto s = as_matrix(covariance, size);
    const Eigen::MatrixXd half = part * factor.matrixL().solve(Eigen::MatrixXd(s));  // L^-1 S_k
    GaussianMember member;
    member.gain = factor.matrixU().solve(half).transpose();
    member.variance.resize(size);
    for (Eigen::Index d = 0; d < size; ++d) member.variance[d] = std::max(0.0, s(d, d) - half.col(d).squaredNorm());
    result.push_back(std::move(member));
  }
  return result;
}

}  // namespace

struct SetEmissions::Plan {
  Sources sources;
  std::vector<std::size_t> all;
  // By kind, all but one of these are empty.
  SetMoments moments;
  std::vector<GaussianMember> gaussian;
  std::vector<PairDensity> dimensions;
  BitMatrix singles;  // one-of: a row for each member, of `sources` without their background
  std::vector<SetEmissions> alone;

  std::vector<Emission> gaussian_at(std::span<const double> x) const;
  std::vector<Emission> one_of_at(std::span<const double> x) const;
};

std::vector<Emission> SetEmissions::Plan::gaussian_at(std::span<const double> x) const {
  const bool is_log = family_of(sources.family).is_logarithm;
  Eigen::VectorXd residual(static_cast<Eigen::Index>(x.size()));
  for (std::size_t d = 0; d < x.size(); ++d) {
    residual[static_cast<Eigen::Index>(d)] = (is_log ? std::log(x[d]) : x[d]) - moments.mean[d];
  }
  std::vector<Emission> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Eigen::VectorXd shift = gaussian[i].gain * residual;
    Emission emission{all[i], std::vector<double>(x.size()), std::vector<double>(x.size())};
    for (std::size_t d = 0; d < x.size(); ++d) {
      const auto at = static_cast<Eigen::Index>(d);
      const double mean = sources.location_of(all[i])[d] + shift[at];
      const double variance = gaussian[i].variance[at];
      emission.mean[d] = is_log ? std::exp(mean + 0.5 * variance) : mean;
      emission.sd[d] = is_log ? emission.mean[d] * std::sqrt(std::expm1(variance)) : std::sqrt(variance);
    }
    result.push_back(std::move(emission));
  }
  return result;
}

// With its responsibility the item is the emission; else the emission is any of the source's.
std::vector<Emission> SetEmissions::Plan::one_of_at(std::span<const double> x) const {
  std::vector<double> responsibility = log_densities(sources, singles, x, {1});
  const double most = *std::max_element(responsibility.begin(), responsibility.end());
  double total = 0.0;
  for (double& value : responsibility) total += value = std::isfinite(most) ? std::exp(value - most) : 1.0;
  std::vector<Emission> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double chosen = responsibility[i] / total;
    result.push_back(alone[i].at(x)[0]);
    const std::vector<MeanVariance> before = source_moments(sources, all[i]);
    for (std::size_t d = 0; d < x.size(); ++d) {
      double& mean = result[i].mean[d];
      double& sd = result[i].sd[d];
      const double step = before[d].mean - mean;
      sd = std::sqrt(chosen * sd * sd + (1.0 - chosen) * before[d].variance + chosen * (1.0 - chosen) * step * step);
      mean += (1.0 - chosen) * step;
    }
  }
  return result;
}

SetEmissions::SetEmissions(const Sources& sources, std::span<const std::uint64_t> set) {
  require_density(sources);
  const SourceFamily& family = family_of(sources.family);
  auto plan = std::make_unique<Plan>();
  plan->sources = sources;
  plan->all = members(sources, set);
  if (plan->all.empty()) {
    plan_ = std::move(plan);
    return;
  }
  if (sources.combination == Combination::one_of) {
    plan->sources.combination = family.alone();
    plan->sources.background = false;
    plan->singles = BitMatrix(plan->all.size(), sources.count);
    for (std::size_t i = 0; i < plan->all.size(); ++i) {
      plan->singles.set(i, plan->all[i]);
      plan->alone.emplace_back(plan->sources, plan->singles.row(i));
    }
  } else if (has_closed_form(sources) && family.has_scatter) {
    plan->moments = set_moments(sources, set);
    plan->gaussian = gaussian_members(sources, plan->all, plan->moments);
  } else if (!has_closed_form(sources) || family.density.closed_emissions == nullptr) {
    for (std::size_t d = 0; d < sources.dimensions; ++d) {
      std::vector<Marginal> marginals;
      for (const std::size_t k : plan->all) marginals.push_back(marginal_of(sources, k, d));
      plan->dimensions.emplace_back(std::move(marginals), sources.combination, Asked::emissions);
    }
  }
  plan_ = std::move(plan);
}

SetEmissions::~SetEmissions() = default;
SetEmissions::SetEmissions(SetEmissions&&) noexcept = default;

std::vector<Emission> SetEmissions::at(std::span<const double> x) const {
  const Plan& plan = *plan_;
  if (x.size() != plan.sources.dimensions) {
    fail(ErrorKind::internal, "emissions: an item of " + std::to_string(x.size()) + " numbers, sources of " +
                                  std::to_string(plan.sources.dimensions));
  }
  if (!plan.alone.empty()) return plan.one_of_at(x);
  if (!plan.gaussian.empty()) return plan.gaussian_at(x);
  const auto closed = family_of(plan.sources.family).density.closed_emissions;
  std::vector<Emission> result;
  for (const std::size_t k : plan.all) result.push_back({k, {}, {}});
  for (std::size_t d = 0; d < x.size() && !result.empty(); ++d) {
    const std::vector<MeanVariance> moments =
        plan.dimensions.empty() ? closed(plan.sources, plan.all, d, x[d]) : plan.dimensions[d].emissions(x[d]);
    for (std::size_t i = 0; i < plan.all.size(); ++i) {
      result[i].mean.push_back(moments[i].mean);
      result[i].sd.push_back(std::sqrt(moments[i].variance));
    }
  }
  return result;
}

std::vector<Emission> emissions(const Sources& sources, std::span<const std::uint64_t> set, std::span<const double> x) {
  return SetEmissions(sources, set).at(x);
}

}  // namespace motet
