#include "motet/temporal/mixture/student.h"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <numbers>

namespace motet::temporal {
namespace {

constexpr double least_mass = 1e-9;         // rows; a component with less stays as it is
constexpr int accuracy_bits = 24;           // of the degrees, which no data tell better
constexpr std::uintmax_t root_steps = 60;   // of the root search
constexpr double nanoseconds_a_row = 10.0;  // for the choice of threads

// sum w log t as a function of the degrees, without what does not depend on them.
class DegreesLikelihood {
 public:
  struct Value {
    double value = 0.0;
    double slope = 0.0;
  };

  DegreesLikelihood(std::span<const double> weights, std::span<const double> squared, std::size_t dimensions,
                    Threads threads)
      : weights_(weights),
        squared_(squared),
        dimensions_(static_cast<double>(dimensions)),
        count_(dimensions),
        tasks_(weights.size()),
        threads_(threads_for(threads, nanoseconds_a_row * static_cast<double>(weights.size()))) {}

  // Slope per unit of mass.
  Value at(double degrees) const {
    const std::vector<double> sums =
        sum_over_tasks(tasks_.count, 3, threads_, [&](std::size_t task, std::span<double> own) {
          for (std::size_t n = tasks_.begin(task); n < tasks_.end(task); ++n) {
            if (weights_[n] == 0.0) continue;
            const double logarithm = log_of_positive(1.0 + squared_[n] / degrees);
            own[0] += weights_[n];
            own[1] += weights_[n] * logarithm;
            // (nu + D) delta / (nu (nu + delta)), which is (nu + D) / nu for a row without end.
            own[2] += weights_[n] * (squared_[n] / (degrees + squared_[n]));
          }
        });
    const double mass = sums[0];
    if (!(mass > least_mass)) return {};
    const double both = degrees + dimensions_;
    Value result;
    result.value = student_log_norm(degrees, count_) - 0.5 * both * sums[1] / mass;
    result.slope = 0.5 * (boost::math::digamma(0.5 * both) - boost::math::digamma(0.5 * degrees) -
                          dimensions_ / degrees - sums[1] / mass + both / degrees * sums[2] / mass);
    return result;
  }

 private:
  std::span<const double> weights_;
  std::span<const double> squared_;
  double dimensions_;
  std::size_t count_;
  RowTasks tasks_;
  Threads threads_;
};

}  // namespace

double student_log_norm(double degrees, std::size_t dimensions) {
  const double d = static_cast<double>(dimensions);
  return boost::math::lgamma(0.5 * (degrees + d)) - boost::math::lgamma(0.5 * degrees) -
         0.5 * d * std::log(degrees * std::numbers::pi);
}

double best_degrees(std::span<const double> weights, std::span<const double> squared, std::size_t dimensions,
                    double present, Threads threads) {
  const DegreesLikelihood likelihood(weights, squared, dimensions, threads);
  const auto slope = [&](double degrees) { return likelihood.at(degrees).slope; };
  const DegreesLikelihood::Value start = likelihood.at(present);
  if (start.slope == 0.0) return present;
  const bool rises = start.slope > 0.0;
  // Uphill in doubling steps until the slope turns, or to the end of the range.
  double near = present;
  double near_slope = start.slope;
  double found = present;
  for (;;) {
    const double far = std::clamp(rises ? near * 2.0 : near / 2.0, least_degrees, most_degrees);
    if (far == near) {
      found = far;
      break;
    }
    const double far_slope = slope(far);
    if (far_slope == 0.0 || (far_slope > 0.0) != rises) {
      std::uintmax_t steps = root_steps;
      const auto [low, high] = boost::math::tools::toms748_solve(
          slope, std::min(near, far), std::max(near, far), rises ? near_slope : far_slope,
          rises ? far_slope : near_slope, boost::math::tools::eps_tolerance<double>(accuracy_bits), steps);
      found = low + (high - low) / 2.0;
      break;
    }
    near = far;
    near_slope = far_slope;
  }
  return likelihood.at(found).value >= start.value ? found : present;
}

std::vector<Moments> student_moments(const DensityFactors& factors, const Features& features,
                                     std::span<const double> weights, Threads threads, Mixture& mixture) {
  const std::size_t rows = features.rows();
  const std::size_t components = mixture.components.size();
  const std::size_t dimensions = features.dimensions();
  std::vector<double> table(weights.size());
  squared_distances(factors, features, threads, table);
  for (std::size_t k = 0; k < components && !mixture.degrees_are_given; ++k) {
    const std::span<const double> squared(table.data() + k * rows, rows);
    mixture.components[k].degrees =
        best_degrees(weights.subspan(k * rows, rows), squared, dimensions, factors.degrees(k), threads);
  }
  const RowTasks tasks(rows);
  const std::vector<double> mass =
      sum_over_tasks(tasks.count, components, threads_for(threads, static_cast<double>(table.size())),
                     [&](std::size_t task, std::span<double> sums) {
                       for (std::size_t k = 0; k < components; ++k) {
                         const double degrees = mixture.components[k].degrees;
                         const double both = degrees + static_cast<double>(dimensions);
                         for (std::size_t n = k * rows + tasks.begin(task); n < k * rows + tasks.end(task); ++n) {
                           sums[k] += weights[n];
                           table[n] = weights[n] * (both / (degrees + table[n]));
                         }
                       }
                     });
  std::vector<Moments> moments = weighted_moments(factors, features, table, threads);
  for (std::size_t k = 0; k < components; ++k) moments[k].rows = mass[k];
  return moments;
}

}  // namespace motet::temporal
