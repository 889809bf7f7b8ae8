#include "motet/temporal/field/icm.h"

#include <algorithm>

#include "motet/temporal/field/quadratic_sums.h"

namespace motet::temporal {
namespace {

// The conditional mode (5.33) of one row of a sequence that starts at `begin`.
class Modes {
 public:
  Modes(const FieldProblem& problem, const AllowedComponents& allowed, double strength, std::size_t begin)
      : allowed_(allowed),
        densities_(problem.densities.data() + begin),
        stride_(problem.rows()),
        components_(problem.components),
        strength_(strength),
        begin_(begin) {}

  template <std::size_t fixed, class Sums>
  std::uint8_t of(std::size_t n, std::uint8_t present, const Sums& sums) const {
    const auto score = [&](std::size_t k) { return densities_[k * stride_ + n] + strength_ * sums[k]; };
    if (allowed_.all_allowed(begin_ + n)) {
      std::uint8_t best = present;
      double best_score = score(present);
      const std::size_t components = fixed == 0 ? components_ : fixed;
      for (std::size_t k = 0; k < components; ++k) {
        if (score(k) > best_score) {
          best_score = score(k);
          best = static_cast<std::uint8_t>(k);
        }
      }
      return best;
    }
    const std::span<const std::uint8_t> some = allowed_.of(begin_ + n);
    std::uint8_t best = std::find(some.begin(), some.end(), present) != some.end() ? present : some.front();
    double best_score = score(best);
    for (const std::uint8_t k : some) {
      if (score(k) > best_score) {
        best_score = score(k);
        best = k;
      }
    }
    return best;
  }

 private:
  const AllowedComponents& allowed_;
  const double* densities_;
  std::size_t stride_;
  std::size_t components_;
  double strength_;
  std::size_t begin_;
};

// One sweep. A row can change only when a neighbour has changed since it was last looked at: one
// further on in the sweep before (`before`), or one before it in this sweep. The others are passed
// over, which changes no result.
template <class Sums>
void sweep(const Neighbours& neighbours, const Modes& modes, Sums& sums, std::span<std::uint8_t> states, bool is_first,
           std::span<const std::size_t> before, std::vector<std::size_t>& changes) {
  const std::size_t rows = states.size();
  const std::size_t reach = neighbours.reach();
  auto next = before.begin();
  std::size_t until = is_first ? rows : 0;
  std::size_t n = 0;
  sums.start(0);
  while (true) {
    if (n >= until) {
      next = std::upper_bound(next, before.end(), n);
      if (next == before.end()) return;
      until = *next;
      const std::size_t from = *next > reach ? *next - reach : 0;
      if (from > n + reach) {
        n = from;
        sums.start(n);
      }
      for (; n < from; ++n) sums.step();
    }
    Sums walk = std::move(sums);  // a local nobody else sees can live in registers
    for (; n < until; ++n, walk.step()) {
      const std::uint8_t mode = modes.of<Sums::fixed_components>(n, states[n], walk);
      if (mode != states[n]) [[unlikely]] {
        states[n] = mode;
        changes.push_back(n);
        until = std::max(until, std::min(rows, n + 1 + reach));
      }
    }
    sums = std::move(walk);
  }
}

// Sequences do not touch each other, so each is swept until it rests.
template <class Sweep>
std::size_t sweep_all(const FieldProblem& problem, const TimeField& field, std::span<std::uint8_t> states,
                      const Sweep& sweep_sequence) {
  check(problem);
  check_states(states, problem.rows(), problem.components);
  const FieldTables tables(field);
  const AllowedComponents allowed(problem);
  std::size_t sweeps = 0;
  for (std::size_t i = 0; i + 1 < problem.starts.size(); ++i) {
    const std::size_t begin = problem.starts[i];
    const std::size_t rows = problem.starts[i + 1] - begin;
    if (rows == 0) continue;
    const Neighbours neighbours(tables, rows);
    const Modes modes(problem, allowed, field.strength, begin);
    sweeps = std::max(sweeps, sweep_sequence(neighbours, modes, states.subspan(begin, rows)));
  }
  return sweeps;
}

}  // namespace

std::size_t icm(const FieldProblem& problem, const TimeField& field, std::span<std::uint8_t> states,
                std::size_t most_sweeps) {
  return sweep_all(problem, field, states,
                   [&](const Neighbours& neighbours, const Modes& modes, std::span<std::uint8_t> own) {
                     std::vector<std::size_t> before;
                     std::vector<std::size_t> changes;
                     std::size_t sweeps = 0;
                     with_sums(neighbours, StateSource(own.data()), problem.components, [&](auto& sums) {
                       do {
                         if (sweeps == most_sweeps) return;
                         before.swap(changes);
                         changes.clear();
                         sweep(neighbours, modes, sums, own, sweeps == 0, before, changes);
                         ++sweeps;
                       } while (!changes.empty());
                     });
                     return sweeps;
                   });
}

std::size_t icm_by_definition(const FieldProblem& problem, const TimeField& field, std::span<std::uint8_t> states,
                              std::size_t most_sweeps) {
  return sweep_all(problem, field, states,
                   [&](const Neighbours& neighbours, const Modes& modes, std::span<std::uint8_t> own) {
                     std::size_t sweeps = 0;
                     for (bool changed = true; changed && sweeps < most_sweeps; ++sweeps) {
                       changed = false;
                       for (std::size_t n = 0; n < own.size(); ++n) {
                         std::vector<double> sums(problem.components);
                         neighbours.for_each(n, [&](std::size_t m, double weight) { sums[own[m]] += weight; });
                         const std::uint8_t mode = modes.of<0>(n, own[n], sums);
                         changed = changed || mode != own[n];
                         own[n] = mode;
                       }
                     }
                     return sweeps;
                   });
}

}  // namespace motet::temporal
