// Gamma sources: sums, with one rate per dimension that all sources share; the shapes add.
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>

#include "motet/base/log_gamma.h"
#include "motet/sources/families.h"
#include "motet/sources/families/parts.h"
#include "motet/sources/sample.h"

namespace motet {
namespace {

using boost::math::digamma;

double gamma_log_density(double shape, double rate, double x) {
  if (!(x > 0.0)) return -infinity;
  return shape * std::log(rate) - log_gamma(shape) + (shape - 1.0) * std::log(x) - rate * x;
}

MeanVariance gamma_moments_above(double shape, double rate, double x, double log_tail) {
  const double first = shape / rate * std::exp(log_upper_gamma(shape + 1.0, rate * x) - log_tail);
  const double second =
      shape * (shape + 1.0) / (rate * rate) * std::exp(log_upper_gamma(shape + 2.0, rate * x) - log_tail);
  return from_powers(first, second);
}

LogForm gamma_in_logarithm(double shape, double rate) {
  LogForm form;
  form.shape = LogShape::exp;
  form.constant = shape * std::log(rate) - boost::math::lgamma(shape);
  form.slope = shape;
  form.rate = rate;
  form.mode = {std::log(shape / rate), 0.0};
  form.width = std::min(widest_rate, 1.0 / std::sqrt(shape));
  return form;
}

// Given the sum, an emission is a beta share of it.
std::vector<MeanVariance> gamma_sum_emissions(std::span<const Marginal> members, double y) {
  const double total = total_location(members);
  return shares_of_sum(members, y, total, y * y / (total + 1.0));
}

// p log x, + p log b - log Gamma(p)
double gamma_total(const Sources& sources, double shape, std::size_t d, double& weight) {
  weight = shape;
  return shape * std::log(sources.spread[d]) - lgamma_alone(shape);
}

void gamma_feature(const DensityPlan& plan, double x, std::size_t d, double* feature, double& term, bool& is_possible) {
  is_possible = is_possible && x > 0.0;
  *feature = is_possible ? std::log(x) : 0.0;
  term -= *feature + plan.shared[d] * x;
}

// One gamma distribution for all: log p - psi(p) = log mean - mean log, Minka's start and Newton steps.
SharedValue gamma_centre(const PooledFeature& feature) {
  require_some(feature);
  const double y = std::max(std::log(feature.mean) - feature.mean_log, 1e-12);
  double p = (3.0 - y + std::sqrt((y - 3.0) * (y - 3.0) + 24.0 * y)) / (12.0 * y);
  for (int i = 0; i < 5; ++i) {
    const double slope = 1.0 / p - boost::math::trigamma(p);
    p = std::max(p - (std::log(p) - digamma(p) - y) / slope, 0.1 * p);
  }
  const double shape = p / feature.degree;
  return {shape, feature.degree * shape / feature.mean};
}

// psi(p_k) <- psi(p_k) + sum_L n_L (log b + mean log_L - psi(p_L)) / N_k, for a given rate b
void gamma_accumulate(const SetCells& cells) {
  for (std::size_t d = 0; d < cells.dimensions; ++d) {
    const double shape = cells.total[d];
    const double rate = cells.shared[d];
    const double mean_log = cells.mean_log[d];
    *cells.objective +=
        cells.count * (shape * std::log(rate) - lgamma_alone(shape) + (shape - 1.0) * mean_log - rate * cells.mean[d]);
    cells.taught[d] = cells.count * (std::log(rate) + mean_log - digamma(shape));
  }
}

double gamma_location(const SourceLesson& l) {
  const double about = digamma(l.centre.location) + std::log(l.shared / l.centre.shared);
  return inverse_digamma((l.emitted + l.nu * about) / (l.items + l.nu));
}

double gamma_log_prior(double nu, double shape, double rate, const SharedValue& centre) {
  return nu * (shape * std::log(rate) - lgamma_alone(shape) +
               shape * (digamma(centre.location) - std::log(centre.shared)) - rate * centre.location / centre.shared);
}

double gamma_row(const double* shape, const double* rate, const double* x, std::size_t size) {
  double sum = 0.0;
  for (std::size_t d = 0; d < size; ++d) {
    sum += shape[d] * std::log(rate[d]) - lgamma_alone(shape[d]) + (shape[d] - 1.0) * std::log(x[d]) - rate[d] * x[d];
  }
  return sum;
}

double gamma_emitted_mixed(double, double rate, double weight, double, double logs) {
  return logs + weight * std::log(rate);
}

constexpr FamilyFit gamma_fit = {
    .centre = gamma_centre,
    .accumulate = gamma_accumulate,
    .emitted = [](double shape, double items, double taught) { return items * digamma(shape) + taught; },
    .emitted_mixed = gamma_emitted_mixed,
    .location = gamma_location,
    .log_prior = gamma_log_prior,
    .best_shared = [](double shapes, double amounts) { return shapes / amounts; },
    .prior_amount = [](double nu, const SharedValue& centre) { return nu * centre.location / centre.shared; },
    .row_log_density = gamma_row,
    .extra = [](double, double x) { return std::log(x); },
    .start = [](double mean, double rate) { return std::max(mean, 1e-3) * rate; },
    .start_shared = [](double mean, double variance) { return mean / variance; },
};

void gamma_cost(ItemCost& item) {
  for (std::size_t d = 0; d < item.x.size(); ++d) {
    const double rate = item.sources->spread[d];
    item.is_possible = item.is_possible && item.x[d] > 0.0;
    item.log_x.push_back(std::log(item.x[d]));
    item.mode.push_back(item.is_possible ? inverse_digamma(std::log(rate) + item.log_x[d]) : 0.0);
    item.constant += item.log_x[d] + rate * item.x[d];
  }
}

double gamma_cost_at(const ItemCost& item, std::size_t d, double shape) {
  return lgamma_alone(shape) - shape * (std::log(item.sources->spread[d]) + item.log_x[d]);
}

SetResponse gamma_response(double shape, double rate) {
  return {shape / rate, shape / (rate * rate), 6.0 / shape, 1.0 / rate, -shape / (rate * rate)};
}

SharedInformation gamma_information(double count, double mean, double rate) {
  const double shape = mean * rate;
  if (!(shape > 0.0)) return {};
  return {count * boost::math::trigamma(shape), -(count / rate), count * shape / (rate * rate)};
}

constexpr FamilyDensity gamma_density = {
    .log_density = gamma_log_density,
    .log_survival = [](double shape, double rate, double x) { return log_upper_gamma(shape, rate * x); },
    .quantile = gamma_quantile_of,
    .moments = [](double shape, double rate) -> MeanVariance {
      return {shape / rate, shape / (rate * rate)};
    },
    .moments_above = gamma_moments_above,
    .in_logarithm = gamma_in_logarithm,
    .draw = [](double shape, double rate, Rng& rng) { return sample_gamma(shape, rng) / rate; },
    .log_sum = density_of_sum<gamma_log_density>,
    .sum_emissions = gamma_sum_emissions,
};

}  // namespace

SourceFamily gamma_family() {
  using enum Combination;
  constexpr double least = std::numeric_limits<double>::denorm_min();
  constexpr double most = std::numeric_limits<double>::max();
  return {
      .word = "gamma",
      .values = positive_values,
      .location = {.word = "shape", .bounds = {least, most, "a shape above 0"}},
      .shared = {.word = "rate", .words = "rates", .bounds = {least, most, "a rate above 0"}},
      .combinations = {sum, one_of, mean, minimum, product},
      .closed = 2,
      .needs_log = true,
      .density = gamma_density,
      .plan = {.plan_set = plan_totals<gamma_total>, .make_features = fill_features<gamma_feature>},
      .fit = gamma_fit,
      .search = {gamma_cost, least_cost<gamma_cost_at>},
      .theory = {.response = gamma_response, .information = gamma_information},
      .random_location = random_amount,
      .random_shared = [](Rng& rng) { return rng.uniform(0.5, 2.0); },
      .ways = {{sum, false}},
      .suits = suits_positive,
  };
}

}  // namespace motet
