#include "motet/temporal/field/coupling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "motet/engine/newton.h"
#include "motet/temporal/field/field_problem.h"
#include "motet/temporal/field/quadratic_sums.h"

namespace motet::temporal {
namespace {

constexpr std::size_t coupling_steps = 100;
constexpr double relative_accuracy = 1e-12;  // of the strength

std::uint64_t mixed(std::uint64_t hash, double value) {
  hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 32);
}

}  // namespace

// Only the weights of components that are present around the row are kept; the others weigh nothing.
PseudoLikelihood::PseudoLikelihood(std::span<const std::size_t> starts, std::size_t components, const TimeField& field,
                                   std::span<const std::uint8_t> states) {
  check_starts(starts);
  check_states(states, starts.back(), components);
  std::vector<double> others;
  for_each_row(starts, field, states, components, [&](std::size_t n, const auto& sums) {
    const std::size_t own = states[n];
    others.clear();
    for (std::size_t k = 0; k < components; ++k) {
      if (k != own && sums[k] != 0.0) others.push_back(sums[k] - sums[own]);
    }
    std::sort(others.begin(), others.end(), std::greater<>());
    const std::size_t absent = components - 1 - others.size();
    add(others, absent > 0 ? -sums[own] : 0.0, absent);
  });
  by_hash_ = {};
}

bool PseudoLikelihood::is_kind(const Kind& kind, std::span<const double> differences, double absent) const {
  const auto own = differences_.begin() + static_cast<std::ptrdiff_t>(kind.first);
  return kind.absent == absent && kind.count == differences.size() &&
         std::equal(differences.begin(), differences.end(), own);
}

void PseudoLikelihood::add(std::span<const double> differences, double absent, std::size_t absent_count) {
  if (!kinds_.empty() && is_kind(kinds_[last_], differences, absent)) {
    ++kinds_[last_].rows;
    return;
  }
  std::uint64_t hash = mixed(0, absent);
  for (const double difference : differences) hash = mixed(hash, difference);
  const auto found = by_hash_.try_emplace(hash, no_kind).first;
  for (last_ = found->second; last_ != no_kind; last_ = kinds_[last_].next) {
    if (is_kind(kinds_[last_], differences, absent)) {
      ++kinds_[last_].rows;
      return;
    }
  }
  last_ = kinds_.size();
  kinds_.push_back({differences_.size(), differences.size(), absent, absent_count, 1, found->second});
  found->second = last_;
  differences_.insert(differences_.end(), differences.begin(), differences.end());
}

PseudoLikelihood::Value PseudoLikelihood::at(double strength) const {
  Value sum;
  for (const Kind& kind : kinds_) {
    const std::size_t end = kind.first + kind.count;
    // log p(z_n | neighbours) = -log sum_k exp(s d_k), with d = 0 for the state itself.
    double largest = 0.0;
    for (std::size_t j = kind.first; j < end; ++j) largest = std::max(largest, strength * differences_[j]);
    double total = std::exp(-largest);
    double first = 0.0;
    double second = 0.0;
    const auto term = [&](double difference, double count) {
      const double weight = count * std::exp(strength * difference - largest);
      total += weight;
      first += weight * difference;
      second += weight * difference * difference;
    };
    for (std::size_t j = kind.first; j < end; ++j) term(differences_[j], 1.0);
    if (kind.absent_count > 0) term(kind.absent, static_cast<double>(kind.absent_count));
    const double mean = first / total;
    const auto rows = static_cast<double>(kind.rows);
    sum.value -= rows * (largest + std::log(total));
    sum.slope -= rows * mean;
    sum.curvature -= rows * std::max(0.0, second / total - mean * mean);
  }
  return sum;
}

double pseudo_likelihood_strength(std::span<const std::size_t> starts, std::size_t components, const TimeField& field,
                                  std::span<const std::uint8_t> states, double most_total) {
  TimeField literal = field;
  literal.strength = 1.0;
  const double total = total_weight(literal);
  if (components < 2 || total <= 0.0 || !(most_total > 0.0)) return 0.0;
  const PseudoLikelihood likelihood(starts, components, literal, states);
  if (likelihood.at(0.0).slope <= 0.0) return 0.0;
  const double most = most_total / total;
  if (likelihood.at(most).slope >= 0.0) return most;
  return maximum_within({0.0, most, true}, std::min(most / 2.0, 1.0 / total), {coupling_steps, 0.0, relative_accuracy},
                        [&](double strength) {
                          const PseudoLikelihood::Value value = likelihood.at(strength);
                          return Slopes{value.slope, value.curvature};
                        });
}

}  // namespace motet::temporal
