// Negative-binomial sources: counts with more spread than Poisson. Sums, with one probability p per dimension that all
// sources share; the shapes r add.
//
//   P(x) = Gamma(x + r) / (Gamma(r) x!) (1 - p)^r p^x,   mean r p / (1 - p),   variance mean / (1 - p)
//
// A source may be seen as a Poisson number N of clusters of rate -r log(1 - p), whose sizes are logarithmic with p. The
// clusters of a set are those of its sources, so for a given p EM has the closed form
//   E[N_k | x] = r_k (psi(x + r_L) - psi(r_L)),   r_k <- sum_n E[N_k | x_n] / (-N_k log(1 - p))
// and for given shapes the best p is sum x / (sum x + sum r_L): neither step lets the likelihood fall. With counts that
// spread no more than Poisson ones the likelihood has no maximum but rises towards p = 0; p stops at least_p.
#include <boost/math/special_functions/digamma.hpp>
#include <cmath>

#include "motet/base/log_gamma.h"
#include "motet/sources/families.h"
#include "motet/sources/families/parts.h"
#include "motet/sources/sample.h"

namespace motet {
namespace {

constexpr double least_p = 1e-3;  // a variance of 1.001 means: as good as Poisson
constexpr double most_p = 1.0 - 1e-9;
constexpr double few_counts = 32.0;  // up to which sums over 0 ... x - 1 are as fast as two special functions

// log Gamma(x + r) - log Gamma(r) = sum over j < x of log(r + j)
double log_rising(double r, double x) {
  if (!(x > 0.0)) return 0.0;
  int sign = 0;
  if (x > few_counts) return ::lgamma_r(x + r, &sign) - ::lgamma_r(r, &sign);
  double product = 1.0;
  double sum = 0.0;
  for (double j = 0.0; j < x; j += 1.0) {
    product *= r + j;
    if (product > 1e-200 && product < 1e200) continue;
    sum += std::log(product);
    product = 1.0;
  }
  return sum + std::log(product);
}

// Its derivative by r, psi(x + r) - psi(r).
double rising_slope(double r, double x) {
  if (x > few_counts) return boost::math::digamma(x + r) - boost::math::digamma(r);
  double sum = 0.0;
  for (double j = 0.0; j < x; j += 1.0) sum += 1.0 / (r + j);
  return sum;
}

double negative_binomial_log_density(double r, double p, double x) {
  if (!(x >= 0.0) || x != std::floor(x)) return -infinity;
  if (r == 0.0) return x == 0.0 ? 0.0 : -infinity;
  return log_rising(r, x) - log_gamma(x + 1.0) + r * std::log1p(-p) + x * std::log(p);
}

MeanVariance negative_binomial_moments(double r, double p) {
  const double mean = r * p / (1.0 - p);
  return {mean, mean / (1.0 - p)};
}

// Given the sum, an emission is beta-binomial.
std::vector<MeanVariance> negative_binomial_sum_emissions(std::span<const Marginal> members, double y) {
  const double total = total_location(members);
  return shares_of_sum(members, y, total, y * (total + y) / (total + 1.0));
}

// log Gamma(x + r) - log Gamma(r) of row and set, r log(1 - p) of the set, x log p - log x! of the row
double negative_binomial_total(const Sources& sources, double r, std::size_t d, double& weight) {
  weight = r;
  return r * std::log1p(-sources.spread[d]);
}

void negative_binomial_feature(const DensityPlan& plan, double x, std::size_t d, double* feature, double& term,
                               bool& is_possible) {
  is_possible = is_possible && x >= 0.0 && x == std::floor(x);
  *feature = is_possible ? x : 0.0;
  term += *feature * std::log(plan.shared[d]) - lgamma_alone(*feature + 1.0);
}

void negative_binomial_block(const DensityPlan& plan, const double* weights, const double* features, double* sums) {
  std::fill_n(sums, density_rows, 0.0);
  for (std::size_t d = 0; d < plan.dimensions; ++d) {
    const double* const x = features + d * density_rows;
    for (std::size_t n = 0; n < density_rows; ++n) {
      sums[n] += weights[d] > 0.0 ? log_rising(weights[d], x[n]) : x[n] > 0.0 ? log_of_nothing : 0.0;
    }
  }
}

// By moments of all items.
SharedValue negative_binomial_centre(const PooledFeature& feature) {
  const double mean = feature.has_prior ? std::max(feature.mean, feature.least) : feature.mean;
  const double p = feature.variance > 0.0 ? std::clamp(1.0 - mean / feature.variance, least_p, 0.999) : least_p;
  return {mean * (1.0 - p) / p / feature.degree, p};
}

void negative_binomial_accumulate(const SetCells& cells) {
  for (std::size_t d = 0; d < cells.dimensions; ++d) {
    const double r = cells.total[d];
    const double p = cells.shared[d];
    double objective = cells.count * r * std::log1p(-p) + times_log(cells.count * cells.mean[d], p);
    double slope = 0.0;
    for (const WeightedValue& one : cells.values[d]) {
      if (one.value == 0.0) continue;
      objective += one.weight * (r > 0.0 ? log_rising(r, one.value) : -infinity);
      slope += r > 0.0 ? one.weight * rising_slope(r, one.value) : 0.0;
    }
    *cells.objective += objective;
    cells.taught[d] = slope;
  }
}

// Clusters that nu emissions of the centre have.
double negative_binomial_prior_clusters(double nu, const SharedValue& centre) {
  return -nu * centre.location * std::log1p(-centre.shared);
}

double negative_binomial_prior_amount(double nu, const SharedValue& centre) {
  return nu * centre.location * centre.shared / (1.0 - centre.shared);
}

double negative_binomial_location(const SourceLesson& l) {
  return (l.emitted + negative_binomial_prior_clusters(l.nu, l.centre)) / (-(l.items + l.nu) * std::log1p(-l.shared));
}

double negative_binomial_log_prior(double nu, double r, double p, const SharedValue& centre) {
  return times_log(negative_binomial_prior_clusters(nu, centre), r) + nu * r * std::log1p(-p) +
         times_log(negative_binomial_prior_amount(nu, centre), p);
}

double negative_binomial_row(const double* r, const double* p, const double* x, std::size_t size) {
  double sum = 0.0;
  for (std::size_t d = 0; d < size; ++d) {
    sum += (r[d] > 0.0   ? log_rising(r[d], x[d])
            : x[d] > 0.0 ? log_of_nothing
                         : 0.0) +
           r[d] * std::log1p(-p[d]) + times_log(x[d], p[d]);
  }
  return sum;
}

double negative_binomial_best_shared(double shapes, double amounts) {
  return amounts > 0.0 ? std::clamp(amounts / (amounts + shapes), least_p, most_p) : least_p;
}

constexpr FamilyFit negative_binomial_fit = {
    .centre = negative_binomial_centre,
    .accumulate = negative_binomial_accumulate,
    .emitted = [](double r, double, double taught) { return r * taught; },
    .emitted_mixed = [](double r, double, double, double, double slopes) { return r * slopes; },
    .location = negative_binomial_location,
    .log_prior = negative_binomial_log_prior,
    .best_shared = negative_binomial_best_shared,
    .prior_amount = negative_binomial_prior_amount,
    .row_log_density = negative_binomial_row,
    .extra = [](double r, double x) { return r > 0.0 ? rising_slope(r, x) : 0.0; },
    .start = [](double mean, double p) { return std::max(mean, 1e-3) * (1.0 - p) / p; },
    .start_shared = [](double mean, double variance) { return std::clamp(1.0 - mean / variance, 0.1, 0.9); },
};

// The r at which the density of x is highest: psi(x + r) - psi(r) = -log(1 - p), which falls with r.
double best_shape(double x, double p) {
  if (x == 0.0) return 0.0;
  const double wanted = -std::log1p(-p);
  double low = -60.0;
  double high = 60.0;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (low + high);
    (rising_slope(std::exp(middle), x) > wanted ? low : high) = middle;
  }
  return std::exp(0.5 * (low + high));
}

void negative_binomial_cost(ItemCost& item) {
  for (std::size_t d = 0; d < item.x.size(); ++d) {
    const double p = item.sources->spread[d];
    const double x = item.x[d];
    item.is_possible = item.is_possible && x >= 0.0 && x == std::floor(x);
    item.mode.push_back(item.is_possible ? best_shape(x, p) : 0.0);
    item.constant += item.is_possible ? lgamma_alone(x + 1.0) - x * std::log(p) : 0.0;
  }
}

double negative_binomial_cost_at(const ItemCost& item, std::size_t d, double r) {
  if (!(r > 0.0)) return item.x[d] > 0.0 ? infinity : 0.0;
  return -log_rising(r, item.x[d]) - r * std::log1p(-item.sources->spread[d]);
}

SetResponse negative_binomial_response(double r, double p) {
  const auto [mean, variance] = negative_binomial_moments(r, p);
  return {mean, variance, 6.0 / r + (1.0 - p) * (1.0 - p) / (p * r), p / (1.0 - p), r / ((1.0 - p) * (1.0 - p))};
}

// Of r: sum over j of P(x > j) / (r + j)^2.
SharedInformation negative_binomial_information(double count, double mean, double p) {
  const double q = 1.0 - p;
  const double r = mean * q / p;
  if (!(r > 0.0)) return {};
  double log_probability = r * std::log1p(-p);  // of x = j
  double above = -std::expm1(log_probability);
  double sum = 0.0;
  const double last = mean + 40.0 * std::sqrt(mean) / q + 40.0 / q;  // what is left out is below rounding
  for (double j = 0.0; j < last && above > 0.0; j += 1.0) {
    sum += above / ((r + j) * (r + j));
    log_probability += std::log(p * (r + j) / (j + 1.0));
    above -= std::exp(log_probability);
  }
  return {count * sum, count / q, count * r / (p * q * q)};
}

double negative_binomial_draw(double r, double p, Rng& rng) {
  return r > 0.0 ? sample_poisson(sample_gamma(r, rng) * p / (1.0 - p), rng) : 0.0;
}

double negative_binomial_log_sum(std::span<const Marginal> members, double y) {
  return density_of_sum<negative_binomial_log_density>(members, as_count(y));
}

}  // namespace

SourceFamily negative_binomial_family() {
  using enum Combination;
  constexpr double least = std::numeric_limits<double>::denorm_min();
  constexpr double most = 1.0 - std::numeric_limits<double>::epsilon() / 2.0;
  return {
      .word = "negative-binomial",
      .values = whole_values,
      .location = {.word = "shape", .bounds = {.allowed = "a shape from 0 on"}},
      .shared = {.word = "probability",
                 .words = "probabilities",
                 .bounds = {least, most, "a probability above 0 and below 1"},
                 .scale = ParameterScale::logit},
      .combinations = {sum, one_of, mean},
      .closed = 2,
      .is_whole = true,
      .needs_values = true,
      .log_constant = minus_log_factorials,
      .density = {.log_density = negative_binomial_log_density,
                  .moments = negative_binomial_moments,
                  .draw = negative_binomial_draw,
                  .log_sum = negative_binomial_log_sum,
                  .sum_emissions = negative_binomial_sum_emissions},
      .plan = {1, plan_totals<negative_binomial_total>, fill_features<negative_binomial_feature>,
               negative_binomial_block},
      .fit = negative_binomial_fit,
      .search = {negative_binomial_cost, least_cost<negative_binomial_cost_at>},
      .theory = {.response = negative_binomial_response, .information = negative_binomial_information},
      .random_location = random_amount,
      .random_shared = [](Rng& rng) { return rng.uniform(0.3, 0.8); },
      .ways = {{sum, false}},
      .suits = [](const ValueShape& values, bool is_named) { return values.is_count && is_named; },
  };
}

}  // namespace motet
