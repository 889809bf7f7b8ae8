// Boolean sources: or, 1 - prod (1 - b_k), and and, prod b_k; each cell may be flipped with a small probability.
// What adds up is -log (1 - b_k) for or, -log b_k for and.
#include <cmath>

#include "motet/sources/families.h"
#include "motet/sources/families/parts.h"

namespace motet {
namespace {

double flip_of(const Sources& sources, std::size_t d) { return sources.noise.empty() ? 0.0 : sources.noise[d]; }

double bernoulli_added(double b, Combination combination) {
  return combination == Combination::logical_and ? -std::log(b) : -std::log1p(-b);
}

double bernoulli_log_density(double b, double, double x) {
  return x == 1.0 ? log_or(b, -infinity) : x == 0.0 ? log_or(1.0 - b, -infinity) : -infinity;
}

// P(c ones) of coins, all but `without`.
std::vector<double> count_distribution(std::span<const Marginal> coins, std::size_t without) {
  std::vector<double> p{1.0};
  for (std::size_t k = 0; k < coins.size(); ++k) {
    if (k == without) continue;
    p.push_back(0.0);
    for (std::size_t c = p.size() - 1; c > 0; --c)
      p[c] = p[c] * (1.0 - coins[k].location) + p[c - 1] * coins[k].location;
    p[0] *= 1.0 - coins[k].location;
  }
  return p;
}

double at_count(std::span<const double> p, double count) {
  return count >= 0.0 && count < static_cast<double>(p.size()) ? p[static_cast<std::size_t>(count)] : 0.0;
}

double bernoulli_log_sum(std::span<const Marginal> members, double y) {
  const double p = at_count(count_distribution(members, members.size()), as_count(y));
  return p > 0.0 ? std::log(p) : -infinity;
}

std::vector<MeanVariance> bernoulli_sum_emissions(std::span<const Marginal> members, double y) {
  std::vector<MeanVariance> result;
  for (std::size_t k = 0; k < members.size(); ++k) {
    const double without = members[k].location * at_count(count_distribution(members, k), as_count(y) - 1.0);
    const double all = at_count(count_distribution(members, members.size()), as_count(y));
    const double p = all > 0.0 ? std::min(1.0, without / all) : 0.0;
    result.push_back({p, p * (1.0 - p)});
  }
  return result;
}

// P(xi_k = 1 | x): x tells whether the combination was a one, up to the flips.
std::vector<MeanVariance> boolean_emissions(const Sources& sources, std::span<const std::size_t> all, std::size_t d,
                                            double x) {
  const bool is_or = sources.combination == Combination::logical_or;
  double log_all = 0.0;  // that every source says 0 (or), or 1 (and)
  for (const std::size_t k : all) {
    const double b = sources.location_of(k)[d];
    log_all += is_or ? std::log1p(-b) : std::log(b);
  }
  const double one = is_or ? -std::expm1(log_all) : std::exp(log_all);
  const double zero = is_or ? std::exp(log_all) : -std::expm1(log_all);
  const double flip = flip_of(sources, d);
  const double from_one = one * (x == 1.0 ? 1.0 - flip : flip);
  const double from_zero = zero * (x == 1.0 ? flip : 1.0 - flip);
  const double was_one = from_one > 0.0 ? from_one / (from_one + from_zero) : 0.0;
  std::vector<MeanVariance> result;
  for (const std::size_t k : all) {
    const double b = sources.location_of(k)[d];
    const double given_one = is_or ? (one > 0.0 ? std::min(1.0, b / one) : 0.0) : 1.0;
    const double given_zero = is_or || !(zero > 0.0) ? 0.0 : std::max(0.0, (b - one) / zero);
    const double p = was_one * given_one + (1.0 - was_one) * given_zero;
    result.push_back({p, p * (1.0 - p)});
  }
  return result;
}

// log p and log (1 - p) of a one, after the flips; line d of the features is x_d, line D + d is 1 - x_d.
void bernoulli_plan(const Sources& sources, const std::vector<std::size_t>& all, std::size_t at, DensityPlan& plan) {
  const std::size_t dimensions = sources.dimensions;
  const bool is_or = sources.combination == Combination::logical_or;
  double* const weights = plan.weights.data() + at * plan.weights_a_set;
  for (std::size_t d = 0; d < dimensions; ++d) {
    double log_all = 0.0;  // that every source says 0 (or), or 1 (and)
    for (const std::size_t k : all) {
      const double b = sources.location_of(k)[d];
      log_all += is_or ? std::log1p(-b) : std::log(b);
    }
    const double agreed = std::exp(log_all);
    const double other = -std::expm1(log_all);
    double log_agreed = std::max(log_all, log_of_nothing);
    double log_other = log_or_nothing(other);
    if (!sources.noise.empty()) {
      const double flip = sources.noise[d];
      log_agreed = log_or_nothing(agreed * (1.0 - flip) + other * flip);
      log_other = log_or_nothing(other * (1.0 - flip) + agreed * flip);
    }
    weights[d] = is_or ? log_other : log_agreed;
    weights[dimensions + d] = is_or ? log_agreed : log_other;
  }
  plan.constant[at] = 0.0;
}

void bernoulli_feature(const DensityPlan& plan, double x, std::size_t, double* feature, double&, bool& is_possible) {
  is_possible = is_possible && (x == 0.0 || x == 1.0);
  feature[plan.dimensions * density_rows] = 1.0 - x;
}

SharedValue bernoulli_centre(const PooledFeature& feature) {
  const double mean = feature.has_prior ? std::clamp(feature.mean, feature.least, 1.0 - feature.least) : feature.mean;
  return {-std::expm1(std::log1p(-mean) / feature.degree)};
}

// b_k <- sum_L n1_L b_k / b_L / N_k; with flips the value before the flip is one more thing to expect.
void bernoulli_accumulate(const SetCells& cells) {
  for (std::size_t d = 0; d < cells.dimensions; ++d) {
    const double ones = cells.count * cells.mean[d];
    const double zeros = std::max(cells.count - ones, 0.0);
    const double log_none = -cells.total[d];
    const double b = -std::expm1(log_none);
    double emitted = ones;  // expected items in which a source emitted a one
    if (cells.flips != nullptr) {
      const double e = cells.flips[d];
      const double one = b * (1.0 - e) + (1.0 - b) * e;
      const double zero = 1.0 - one;
      *cells.objective += times_log(ones, one) + times_log(zeros, zero);
      const double kept = ones > 0.0 ? ones * b * (1.0 - e) / one : 0.0;
      const double lost = zeros > 0.0 ? zeros * b * e / zero : 0.0;
      cells.flipped[d] += lost + (ones - kept);
      emitted = kept + lost;
    } else {
      *cells.objective += times_log(ones, b) + (zeros > 0.0 ? zeros * log_none : 0.0);
    }
    cells.taught[d] = b > 0.0 ? emitted / b : 0.0;
  }
}

double bernoulli_row(const double* b, const double*, const double* x, std::size_t size) {
  double sum = 0.0;
  for (std::size_t d = 0; d < size; ++d) sum += times_log(x[d], b[d]) + times_log(1.0 - x[d], 1.0 - b[d]);
  return sum;
}

double bernoulli_location(const SourceLesson& l) {
  return std::min((l.emitted + l.nu * l.centre.location) / (l.items + l.nu), 1.0);
}

double bernoulli_log_prior(double nu, double b, double, const SharedValue& centre) {
  return times_log(nu * centre.location, b) + times_log(nu * (1.0 - centre.location), 1.0 - b);
}

// The probability of a one rises (or) or falls (and) with what adds up.
void bernoulli_cost(ItemCost& item) {
  for (std::size_t d = 0; d < item.x.size(); ++d) {
    const double x = item.x[d];
    item.is_possible = item.is_possible && (x == 0.0 || x == 1.0);
    const bool rises = (item.sources->combination == Combination::logical_or) == (flip_of(*item.sources, d) <= 0.5);
    item.mode.push_back(rises == (x == 1.0) ? infinity : 0.0);
  }
}

double bernoulli_cost_at(const ItemCost& item, std::size_t d, double sum) {
  const bool is_or = item.sources->combination == Combination::logical_or;
  const double few = std::exp(-sum);
  const double many = -std::expm1(-sum);
  const double flip = flip_of(*item.sources, d);
  const double wanted = is_or == (item.x[d] == 1.0) ? many : few;
  if (flip == 0.0) return wanted == few ? sum : -std::log(many);
  return -std::log(wanted * (1.0 - flip) + (1.0 - wanted) * flip);
}

double bernoulli_log_survival(double b, double, double x) {
  return x < 0.0 ? 0.0 : x < 1.0 ? log_or(b, -infinity) : -infinity;
}

}  // namespace

SourceFamily bernoulli_family() {
  using enum Combination;
  return {
      .word = "bernoulli",
      .values = {"0 or 1", "0 and 1", all_are<[](double value) { return value == 0.0 || value == 1.0; }>},
      .location = {.word = "probability",
                   .bounds = {0.0, 1.0, "a probability from 0 to 1"},
                   .scale = ParameterScale::logit},
      .combinations = {logical_or, logical_and, one_of, sum, mean},
      .closed = 3,
      .is_whole = true,
      .has_flips = true,
      .added = bernoulli_added,
      .density = {.log_density = bernoulli_log_density,
                  .log_survival = bernoulli_log_survival,
                  .moments = [](double b, double) -> MeanVariance {
                    return {b, b * (1.0 - b)};
                  },
                  .moments_above = [](double b, double, double x, double) -> MeanVariance {
                    return x < 0.0 ? MeanVariance{b, b * (1.0 - b)} : MeanVariance{1.0, 0.0};
                  },
                  .draw = [](double b, double, Rng& rng) { return rng.uniform() < b ? 1.0 : 0.0; },
                  .log_sum = bernoulli_log_sum,
                  .sum_emissions = bernoulli_sum_emissions,
                  .closed_emissions = boolean_emissions},
      .plan = {2, bernoulli_plan, fill_features<bernoulli_feature>, nullptr},
      .fit = {.centre = bernoulli_centre,
              .accumulate = bernoulli_accumulate,
              .emitted = [](double b, double, double taught) { return taught * b; },
              .location = bernoulli_location,
              .log_prior = bernoulli_log_prior,
              .row_log_density = bernoulli_row,
              .start = [](double mean, double) { return std::clamp(mean, 0.02, 0.98); }},
      .search = {bernoulli_cost, least_cost<bernoulli_cost_at>},
      .random_location = [](double, Rng& rng) { return rng.uniform(0.05, 0.6); },
      .ways = {{logical_or, true}, {logical_and, false}},
      .suits = [](const ValueShape& values, bool) { return values.is_boolean; },
  };
}

}  // namespace motet
