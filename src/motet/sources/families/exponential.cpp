// Exponential sources: minima, in which the rates add.
#include <cmath>

#include "motet/sources/density/divided_exp.h"
#include "motet/sources/families.h"
#include "motet/sources/families/parts.h"

namespace motet {
namespace {

LogForm exponential_in_logarithm(double rate, double) {
  LogForm form;
  form.shape = LogShape::exp;
  form.constant = std::log(rate);
  form.slope = 1.0;
  form.rate = rate;
  form.mode = {-form.constant, -form.constant};
  form.width = widest_rate;
  return form;
}

std::vector<double> exponents(std::span<const Marginal> members, double y) {
  std::vector<double> points;
  for (const Marginal& member : members) points.push_back(-member.location * y);
  return points;
}

double exponential_log_sum(std::span<const Marginal> members, double y) {
  if (!(y > 0.0)) return -infinity;
  double sum = static_cast<double>(members.size() - 1) * std::log(y);
  for (const Marginal& member : members) sum += std::log(member.location);
  return sum + log_divided_exp(exponents(members, y));
}

std::vector<MeanVariance> exponential_sum_emissions(std::span<const Marginal> members, double y) {
  std::vector<double> points = exponents(members, y);
  const double whole = log_divided_exp(points);
  std::vector<MeanVariance> result;
  for (std::size_t k = 0; k < members.size(); ++k) {
    points.push_back(points[k]);
    const double mean = y * std::exp(log_divided_exp(points) - whole);
    points.push_back(points[k]);
    const double square = 2.0 * y * y * std::exp(log_divided_exp(points) - whole);
    points.resize(members.size());
    result.push_back({mean, std::max(0.0, square - mean * mean)});
  }
  return result;
}

// log r - r x
double exponential_total(const Sources&, double rate, std::size_t, double& weight) {
  weight = -rate;
  return std::log(rate);
}

void exponential_feature(const DensityPlan&, double x, std::size_t, double*, double&, bool& is_possible) {
  is_possible = is_possible && x >= 0.0;
}

SharedValue exponential_centre(const PooledFeature& feature) {
  require_some(feature);
  return {1.0 / (feature.mean * feature.degree)};
}

// 1/r_k <- 1/r_k + sum_L n_L (mean_L - 1/r_L) / N_k
void exponential_accumulate(const SetCells& cells) {
  for (std::size_t d = 0; d < cells.dimensions; ++d) {
    const double rate = cells.total[d];
    *cells.objective += cells.count * (std::log(rate) - rate * cells.mean[d]);
    cells.taught[d] = cells.count * (cells.mean[d] - 1.0 / rate);
  }
}

double exponential_row(const double* rate, const double*, const double* x, std::size_t size) {
  double sum = 0.0;
  for (std::size_t d = 0; d < size; ++d) sum += std::log(rate[d]) - rate[d] * x[d];
  return sum;
}

double exponential_log_prior(double nu, double rate, double, const SharedValue& centre) {
  return nu * (std::log(rate) - rate / centre.location);
}

constexpr FamilyFit exponential_fit = {
    .centre = exponential_centre,
    .accumulate = exponential_accumulate,
    .emitted = [](double rate, double items, double taught) { return items / rate + taught; },
    .location = [](const SourceLesson& l) { return (l.items + l.nu) / (l.emitted + l.nu / l.centre.location); },
    .log_prior = exponential_log_prior,
    .row_log_density = exponential_row,
    .start = [](double mean, double) { return 1.0 / std::max(mean, 1e-9); },
};

void exponential_cost(ItemCost& item) {
  for (const double x : item.x) {
    item.is_possible = item.is_possible && x >= 0.0;
    item.mode.push_back(1.0 / x);
  }
}

double exponential_cost_at(const ItemCost& item, std::size_t d, double rate) {
  return rate * item.x[d] - std::log(rate);
}

SetResponse exponential_response(double rate, double) {
  return {1.0 / rate, 1.0 / (rate * rate), 6.0, -(1.0 / (rate * rate)), 0.0};
}

MeanVariance exponential_moments_above(double rate, double, double x, double) {
  return {std::max(x, 0.0) + 1.0 / rate, 1.0 / (rate * rate)};
}

constexpr FamilyDensity exponential_density = {
    .log_density = [](double rate, double, double x) { return x >= 0.0 ? std::log(rate) - rate * x : -infinity; },
    .log_survival = [](double rate, double, double x) { return x > 0.0 ? -rate * x : 0.0; },
    .quantile = [](double rate, double, double level) { return -std::log1p(-level) / rate; },
    .moments = [](double rate, double) -> MeanVariance {
      return {1.0 / rate, 1.0 / (rate * rate)};
    },
    .moments_above = exponential_moments_above,
    .in_logarithm = exponential_in_logarithm,
    .draw = [](double rate, double, Rng& rng) { return -std::log1p(-rng.uniform()) / rate; },
    .log_sum = exponential_log_sum,
    .sum_emissions = exponential_sum_emissions,
};

}  // namespace

SourceFamily exponential_family() {
  using enum Combination;
  constexpr double least = std::numeric_limits<double>::denorm_min();
  return {
      .word = "exponential",
      .values = {"a number from 0 on", "numbers from 0 on",
                 all_are<[](double value) { return value >= 0.0 && std::isfinite(value); }>},
      .location = {.word = "rate", .bounds = {.low = least, .allowed = "a rate above 0"}},
      .combinations = {minimum, one_of, sum, mean, product},
      .closed = 2,
      .density = exponential_density,
      .plan = {.plan_set = plan_totals<exponential_total>, .make_features = fill_features<exponential_feature>},
      .fit = exponential_fit,
      .search = {exponential_cost, least_cost<exponential_cost_at>},
      .theory = {.response = exponential_response, .is_inverse_mean = true},
      .random_location = random_amount,
      .ways = {{minimum, false}},
      .suits = suits_positive,
  };
}

}  // namespace motet
