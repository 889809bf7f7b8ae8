#include "motet/temporal/field/partition_function.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "motet/temporal/field/equality_chain.h"
#include "motet/temporal/field/field_problem.h"

namespace motet::temporal {
namespace {

constexpr double most_clipped_work = 2e7;  // states times rows near the ends times distances
constexpr std::size_t most_terms = 1000;   // of a sum that has a simple bound

// log((e^w + K - 1) / K): what a pair of weight w adds to a chain.
double pair_term(double w, double components) {
  return w + std::log1p((components - 1.0) * std::exp(-w)) - std::log(components);
}

// The pairs at one distance: how many of each weight.
class Pairs {
 public:
  Pairs(const Neighbours& neighbours, std::size_t distance) {
    const std::size_t rows = neighbours.rows();
    if (neighbours.is_image()) {
      largest_ = neighbours.radius() + 1 - distance;
      at_largest_ = pixels(rows, neighbours.field().image_width, distance);
    } else if (!neighbours.whole_cliques()) {
      largest_ = neighbours.radius() + 1 - distance;
      at_largest_ = static_cast<double>(rows - distance);
    } else {
      // Each of the rows - c cliques has c + 1 - d pairs: 1, 2, 3 ... of them share a pair near the ends.
      const std::size_t cliques = rows - neighbours.clique_radius();
      const std::size_t in_clique = neighbours.clique_radius() + 1 - distance;
      largest_ = std::min(cliques, in_clique);
      at_largest_ = static_cast<double>(std::max(cliques, in_clique) - largest_ + 1);
      has_ramps_ = true;
    }
  }

  double largest() const { return static_cast<double>(largest_); }  // weight over f_h(d)

  // Sum of term(weight) over all pairs, `unit` being the weight of a pair in one clique; term is convex.
  template <class Term>
  double sum(double unit, const Term& term) const {
    double result = at_largest_ * term(unit * largest());
    if (!has_ramps_ || largest_ < 2) return result;
    const std::size_t ramp = largest_ - 1;
    if (ramp > most_terms)
      return result + (term(unit) + term(unit * static_cast<double>(ramp))) * static_cast<double>(ramp);
    for (std::size_t v = 1; v <= ramp; ++v) result += 2.0 * term(unit * static_cast<double>(v));
    return result;
  }

 private:
  static double pixels(std::size_t rows, std::size_t width, std::size_t distance) {
    const auto overlap = [](std::size_t size, std::size_t shift) {
      return size > shift ? static_cast<double>(size - shift) : 0.0;
    };
    const std::size_t height = rows / width;
    double count = overlap(width, distance) * static_cast<double>(height);
    for (std::size_t down = 1; down <= distance; ++down) {
      count += (down == distance ? 1.0 : 2.0) * overlap(width, distance - down) * overlap(height, down);
    }
    return count;
  }

  std::size_t largest_ = 0;
  double at_largest_ = 0.0;
  bool has_ramps_ = false;
};

std::size_t most_distance(const Neighbours& neighbours) {
  return neighbours.is_image() ? neighbours.radius() : neighbours.clique_radius();
}

// The largest radius that the transfer matrix can do; 0 when none.
std::size_t exact_reach(const Neighbours& neighbours, std::size_t components) {
  if (neighbours.is_image() || components == 1) return 0;
  const std::size_t wanted = neighbours.clique_radius();
  const double clipped =
      neighbours.whole_cliques() ? static_cast<double>(std::min(neighbours.rows(), 2 * neighbours.radius())) : 0.0;
  std::size_t reach = 0;
  while (reach < wanted) {
    const std::size_t states = EqualityChain::states(reach + 1, components, most_partition_states);
    if (states > most_partition_states) break;
    if (static_cast<double>(states * (reach + 1)) * clipped > most_clipped_work) break;
    ++reach;
  }
  return reach;
}

// Of all pairs further apart than `near`.
double far_weights(const FieldTables& tables, const Neighbours& neighbours, std::size_t near) {
  double sum = 0.0;
  for (std::size_t d = near + 1; d <= most_distance(neighbours); ++d) {
    sum += Pairs(neighbours, d).sum(tables.field.strength * tables.factors[d - 1], [](double w) { return w; });
  }
  return sum;
}

}  // namespace

double log_partition_of_chains(std::size_t rows, std::size_t components, const TimeField& field) {
  if (rows == 0) return 0.0;
  const FieldTables tables(field);
  const Neighbours neighbours(tables, rows);
  const auto k = static_cast<double>(components);
  const std::size_t distances = most_distance(neighbours);
  double total = 0.0;  // T
  for (std::size_t d = 1; d <= distances; ++d) {
    const double offsets = neighbours.is_image() ? 2.0 * static_cast<double>(d) : 1.0;
    total += offsets * field.strength * tables.factors[d - 1] * Pairs(neighbours, d).largest();
  }
  double bound = static_cast<double>(rows) * std::log(k);
  for (std::size_t d = 1; d <= distances && total > 0.0; ++d) {
    const Pairs pairs(neighbours, d);
    const double unit = field.strength * tables.factors[d - 1];
    const double rho = unit * pairs.largest() / total;
    if (rho > 0.0) bound += rho * pairs.sum(unit / rho, [&](double w) { return pair_term(w, k); });
  }
  return bound;
}

double log_partition_of_near(std::size_t rows, std::size_t components, const TimeField& field, std::size_t near) {
  if (rows == 0) return 0.0;
  const FieldTables tables(field);
  const Neighbours neighbours(tables, rows);
  const std::vector<std::size_t> length{rows};
  return far_weights(tables, neighbours, near) + EqualityChain(neighbours, components, near).log_sums(length)[0];
}

LogPartition log_partition(std::span<const std::size_t> starts, std::size_t components, const TimeField& field) {
  check_starts(starts);
  const FieldTables tables(field);
  std::map<std::size_t, double> of_length;  // how many sequences
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    if (starts[i + 1] > starts[i]) of_length[starts[i + 1] - starts[i]] += 1.0;
  }
  LogPartition result;
  if (of_length.empty()) return result;
  const Neighbours longest(tables, of_length.rbegin()->first);
  const bool cut_anywhere = !longest.is_image() && !longest.whole_cliques();  // a part is as a sequence of its own
  const std::size_t reach = exact_reach(longest, components);
  std::vector<std::size_t> lengths;
  lengths.reserve(of_length.size());
  for (const auto& [rows, count] : of_length) lengths.push_back(rows);
  std::vector<double> near;
  if (cut_anywhere) near = EqualityChain(longest, components, reach).log_sums(lengths);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const Neighbours neighbours(tables, lengths[i]);
    double value = cut_anywhere ? near[i] + far_weights(tables, neighbours, reach)
                                : log_partition_of_near(lengths[i], components, field, reach);
    if (components > 1 && reach < most_distance(neighbours)) {  // a single component has one labelling
      value = std::min(value, log_partition_of_chains(lengths[i], components, field));
      result.is_exact = false;
    }
    result.value += of_length[lengths[i]] * value;
  }
  return result;
}

}  // namespace motet::temporal
