// Poisson sources: sums, in which the rates add.
#include <cmath>

#include "motet/base/log_gamma.h"
#include "motet/sources/families.h"
#include "motet/sources/families/parts.h"
#include "motet/sources/sample.h"

namespace motet {
namespace {

double poisson_log_density(double rate, double, double x) {
  if (!(x >= 0.0) || x != std::floor(x)) return -infinity;
  if (rate == 0.0) return x == 0.0 ? 0.0 : -infinity;
  return x * std::log(rate) - rate - log_gamma(x + 1.0);
}

// P(xi > count) is the lower tail P(count + 1, rate) of the gamma distribution.
double poisson_tail(double rate, double count) {
  if (count < 0.0) return 0.0;
  if (rate <= 0.0) return -infinity;
  return log_lower_gamma(count + 1.0, rate);
}

MeanVariance poisson_moments_above(double rate, double, double x, double log_tail) {
  const double first = rate * std::exp(poisson_tail(rate, x - 1.0) - log_tail);
  const double pairs = rate * rate * std::exp(poisson_tail(rate, x - 2.0) - log_tail);
  return from_powers(first, pairs + first);
}

// Given the sum, emissions are binomial.
std::vector<MeanVariance> poisson_sum_emissions(std::span<const Marginal> members, double y) {
  return shares_of_sum(members, y, total_location(members), y);
}

// x log r - r
double poisson_total(const Sources&, double rate, std::size_t, double& weight) {
  weight = log_or_nothing(rate);
  return -rate;
}

void poisson_feature(const DensityPlan&, double x, std::size_t, double*, double& term, bool& is_possible) {
  is_possible = is_possible && x >= 0.0 && x == std::floor(x);
  term -= x > 1.0 ? lgamma_alone(x + 1.0) : 0.0;
}

SharedValue poisson_centre(const PooledFeature& feature) {
  return {(feature.has_prior ? std::max(feature.mean, feature.least) : feature.mean) / feature.degree};
}

// l_k <- sum_L n_L mean_L l_k / l_L / N_k
void poisson_accumulate(const SetCells& cells) {
  for (std::size_t d = 0; d < cells.dimensions; ++d) {
    const double rate = cells.total[d];
    const double amount = cells.count * cells.mean[d];
    *cells.objective += times_log(amount, rate) - cells.count * rate;
    cells.taught[d] = rate > 0.0 ? amount / rate : 0.0;
  }
}

double poisson_row(const double* rate, const double*, const double* x, std::size_t size) {
  double sum = 0.0;
  for (std::size_t d = 0; d < size; ++d) sum += times_log(x[d], rate[d]) - rate[d];
  return sum;
}

double poisson_log_prior(double nu, double rate, double, const SharedValue& centre) {
  return nu * (centre.location * std::log(rate) - rate);
}

constexpr FamilyFit poisson_fit = {
    .centre = poisson_centre,
    .accumulate = poisson_accumulate,
    .emitted = [](double rate, double, double taught) { return taught * rate; },
    .location = [](const SourceLesson& l) { return (l.emitted + l.nu * l.centre.location) / (l.items + l.nu); },
    .log_prior = poisson_log_prior,
    .row_log_density = poisson_row,
    .start = [](double mean, double) { return std::max(mean, 1e-3); },
};

void poisson_cost(ItemCost& item) {
  for (const double x : item.x) {
    item.is_possible = item.is_possible && x >= 0.0 && x == std::floor(x);
    item.mode.push_back(x);
    item.constant += lgamma_alone(x + 1.0);
  }
}

double poisson_cost_at(const ItemCost& item, std::size_t d, double rate) {
  return item.x[d] == 0.0 ? rate : rate - item.x[d] * std::log(rate);
}

double poisson_log_sum(std::span<const Marginal> members, double y) {
  return density_of_sum<poisson_log_density>(members, as_count(y));
}

constexpr FamilyDensity poisson_density = {
    .log_density = poisson_log_density,
    .log_survival = [](double rate, double, double x) { return poisson_tail(rate, std::floor(x)); },
    .moments = [](double rate, double) -> MeanVariance {
      return {rate, rate};
    },
    .moments_above = poisson_moments_above,
    .draw = [](double rate, double, Rng& rng) { return sample_poisson(rate, rng); },
    .log_sum = poisson_log_sum,
    .sum_emissions = poisson_sum_emissions,
};

}  // namespace

SourceFamily poisson_family() {
  using enum Combination;
  return {
      .word = "poisson",
      .values = whole_values,
      .location = {.word = "rate", .bounds = {.allowed = "a rate from 0 on"}},
      .combinations = {sum, one_of, mean, minimum},
      .closed = 2,
      .is_whole = true,
      .log_constant = minus_log_factorials,
      .density = poisson_density,
      .plan = {.plan_set = plan_totals<poisson_total>, .make_features = fill_features<poisson_feature>},
      .fit = poisson_fit,
      .search = {poisson_cost, least_cost<poisson_cost_at>},
      .theory = {.response = [](double rate, double) -> SetResponse {
        return {rate, rate, 1.0 / rate, 1.0, 0.0};
      }},
      .random_location = random_amount,
      .ways = {{sum, false}},
      .suits = [](const ValueShape& x, bool is_named) { return x.is_count && (is_named || !x.is_boolean); },
  };
}

}  // namespace motet
