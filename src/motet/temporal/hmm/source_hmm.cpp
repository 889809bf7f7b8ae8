#include "motet/temporal/hmm/source_hmm.h"

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/data/record.h"
#include "motet/data/record_fields.h"

namespace motet::temporal {
namespace {

constexpr std::size_t most_states = 16;

std::vector<double> part_of(std::span<const double> numbers, std::size_t begin, std::size_t count) {
  return {numbers.begin() + static_cast<std::ptrdiff_t>(begin),
          numbers.begin() + static_cast<std::ptrdiff_t>(begin + count)};
}

}  // namespace

std::vector<double> long_run_shares(const HiddenChain& chain) {
  constexpr int most_steps = 10'000;
  constexpr double small = 1e-14;
  const std::size_t count = chain.start.size();
  std::vector<double> shares(count, 1.0 / static_cast<double>(count));
  std::vector<double> next(count);
  for (int step = 0; step < most_steps; ++step) {
    // A mean of the old and the new: states that only take turns come to rest too.
    double change = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
      double sum = 0.0;
      for (std::size_t j = 0; j < count; ++j) sum += shares[j] * chain.transition[j * count + k];
      next[k] = 0.5 * (shares[k] + sum);
      change = std::max(change, std::abs(next[k] - shares[k]));
    }
    shares.swap(next);
    if (change < small) break;
  }
  return shares;
}

std::vector<double> mean_emission(const SourceHmm& source) {
  const std::vector<double> shares = long_run_shares(source.chain);
  const std::size_t dimensions = source.dimensions();
  std::vector<double> mean(dimensions, 0.0);
  for (std::size_t k = 0; k < shares.size(); ++k) {
    for (std::size_t d = 0; d < dimensions; ++d) mean[d] += shares[k] * source.means[k * dimensions + d];
  }
  return mean;
}

std::size_t parameter_count(std::size_t states, std::size_t dimensions) {
  return states + states * states + 2 * states * dimensions;
}

void write_parameters(const SourceHmm& source, std::vector<double>& to) {
  for (const std::vector<double>* part :
       {&source.chain.start, &source.chain.transition, &source.means, &source.variances}) {
    to.insert(to.end(), part->begin(), part->end());
  }
}

SourceHmm source_at(std::span<const double> parameters, std::size_t states, std::size_t dimensions) {
  const std::size_t squares = states * states;
  const std::size_t numbers = states * dimensions;
  return {{part_of(parameters, 0, states), part_of(parameters, states, squares)},
          part_of(parameters, states + squares, numbers),
          part_of(parameters, states + squares + numbers, numbers)};
}

Value to_value(const SourceHmm& source) {
  return Value::object({{"states", source.states()},
                        {"start", Value::list_of(source.chain.start)},
                        {"transition", Value::list_of(source.chain.transition)},
                        {"means", Value::list_of(source.means)},
                        {"variances", Value::list_of(source.variances)}});
}

SourceHmm source_from_value(const Value& value, std::size_t dimensions) {
  const std::size_t states = count_at(value, "states");
  if (states == 0 || states > most_states) {
    fail(ErrorKind::bad_data, "field 'states' is " + std::to_string(states) + "; 1 to 16 are allowed");
  }
  SourceHmm source;
  source.chain.start = numbers_within(value, "start", states, 1e-300, 1.0);
  source.chain.transition = numbers_within(value, "transition", states * states, 1e-300, 1.0);
  require_shares(source.chain.start, states, 1, "start");
  for (std::size_t j = 0; j < states; ++j) {
    require_shares(std::span(source.chain.transition).subspan(j * states, states), states, 1, "transition");
  }
  source.means = finite_numbers(value, "means", states * dimensions);
  source.variances = numbers_within(value, "variances", states * dimensions, 1e-300, largest_in_model);
  return source;
}

}  // namespace motet::temporal
