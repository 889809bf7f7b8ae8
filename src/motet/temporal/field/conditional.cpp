#include "motet/temporal/field/conditional.h"

#include <algorithm>
#include <cmath>

#include "motet/base/numeric.h"
#include "motet/temporal/field/quadratic_sums.h"
#include "motet/temporal/mixture/block_posterior.h"

namespace motet::temporal {
namespace {

constexpr std::size_t part_rows = 8192;  // of a task; the first row of a part costs O(h)
constexpr double nanoseconds_a_cell = 5.0;

// What one task works through.
struct Part {
  std::size_t sequence_begin = 0;
  std::size_t sequence_rows = 0;
  std::size_t first = 0;  // within the sequence
  std::size_t last = 0;
};

std::vector<Part> parts_of(std::span<const std::size_t> starts) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    const std::size_t rows = starts[i + 1] - starts[i];
    for (std::size_t first = 0; first < rows; first += part_rows) {
      parts.push_back({starts[i], rows, first, std::min(rows, first + part_rows)});
    }
  }
  return parts;
}

// Rows are worked through in blocks of posterior_rows: their field alone, then field and densities.
class BlockPosterior {
 public:
  BlockPosterior(const FieldProblem& problem, const AllowedComponents& allowed, double strength)
      : problem_(problem),
        allowed_(allowed),
        strength_(strength),
        field_(problem.components * posterior_rows),
        table_(field_.size()) {}

  template <class Sums>
  void set_field(std::size_t n, const Sums& sums) {
    for (std::size_t k = 0; k < problem_.components; ++k) field_[k * posterior_rows + n] = strength_ * sums[k];
  }

  // Of rows first ... first + count - 1, whose field is set. Returns the sum of
  // log sum_k p(z_nk, y_n | neighbours) p(x_n | z_nk).
  double finish(std::size_t first, std::size_t count, std::span<double> responsibilities) {
    fill(first, count, false);
    double joint = posterior_of_block(table_.data(), problem_.components, count);
    if (!std::isfinite(joint)) {  // rows that no component can explain: the neighbours alone decide
      fill(first, count, true);
      posterior_of_block(table_.data(), problem_.components, count);
      joint = -infinity;
    }
    for (std::size_t k = 0; k < problem_.components; ++k) {
      std::copy_n(table_.data() + k * posterior_rows, count, responsibilities.data() + k * problem_.rows() + first);
    }
    return joint - posterior_of_block(field_.data(), problem_.components, count);
  }

 private:
  void fill(std::size_t first, std::size_t count, bool mend) {
    for (std::size_t k = 0; k < problem_.components; ++k) {
      const double* const densities = problem_.densities.data() + k * problem_.rows() + first;
      const double* const field = field_.data() + k * posterior_rows;
      double* const to = table_.data() + k * posterior_rows;
      for (std::size_t n = 0; n < count; ++n) to[n] = field[n] + densities[n];
      std::fill(to + count, to + posterior_rows, 0.0);
    }
    for (std::size_t n = 0; n < count; ++n) {
      if (mend || !allowed_.all_allowed(first + n)) restrict_row(n, allowed_.of(first + n), mend);
    }
  }

  void restrict_row(std::size_t n, std::span<const std::uint8_t> some, bool mend) {
    double largest = -infinity;
    std::size_t next = 0;
    for (std::size_t k = 0; k < problem_.components; ++k) {
      double& term = table_[k * posterior_rows + n];
      if (next < some.size() && some[next] == k) {
        largest = std::max(largest, term);
        ++next;
      } else {
        term = -infinity;
      }
    }
    if (!mend || largest > -infinity) return;
    for (const std::uint8_t k : some) table_[k * posterior_rows + n] = field_[k * posterior_rows + n];
  }

  const FieldProblem& problem_;
  const AllowedComponents& allowed_;
  double strength_;
  std::vector<double> field_;  // components x posterior_rows
  std::vector<double> table_;
};

}  // namespace

void neighbour_weights(const FieldProblem& problem, const TimeField& field, std::span<const std::uint8_t> states,
                       std::span<double> weights) {
  check_starts(problem.starts);
  check_states(states, problem.rows(), problem.components);
  for_each_row(problem.starts, field, states, problem.components, [&](std::size_t n, const auto& sums) {
    for (std::size_t k = 0; k < problem.components; ++k) weights[k * problem.rows() + n] = field.strength * sums[k];
  });
}

double conditional_responsibilities(const FieldProblem& problem, const TimeField& field,
                                    std::span<const std::uint8_t> states, Threads threads,
                                    std::span<double> responsibilities) {
  check(problem);
  check_states(states, problem.rows(), problem.components);
  const FieldTables tables(field);
  const AllowedComponents allowed(problem);
  const std::vector<Part> parts = parts_of(problem.starts);
  const double work = static_cast<double>(problem.densities.size()) * nanoseconds_a_cell;
  const std::vector<double> sum =
      sum_over_tasks(parts.size(), 1, threads_for(threads, work), [&](std::size_t task, std::span<double> own) {
        const Part& part = parts[task];
        const Neighbours neighbours(tables, part.sequence_rows);
        BlockPosterior posterior(problem, allowed, field.strength);
        with_sums(neighbours, StateSource(states.data() + part.sequence_begin), problem.components, [&](auto& sums) {
          sums.start(part.first);
          for (std::size_t n = part.first; n < part.last;) {
            const std::size_t count = std::min(posterior_rows, part.last - n);
            for (std::size_t i = 0; i < count; ++i, sums.step()) posterior.set_field(i, sums);
            own[0] += posterior.finish(part.sequence_begin + n, count, responsibilities);
            n += count;
          }
        });
      });
  return sum[0];
}

double energy(std::span<const std::size_t> starts, const TimeField& field, std::span<const std::uint8_t> states) {
  check_starts(starts);
  check_states(states, starts.back(), most_components + 1);
  const std::size_t components = states.empty() ? 1 : 1U + *std::max_element(states.begin(), states.end());
  double agreeing = 0.0;  // pairs count twice
  for_each_row(starts, field, states, components,
               [&](std::size_t n, const auto& sums) { agreeing += sums[states[n]]; });
  return -field.strength * agreeing / 2.0;
}

}  // namespace motet::temporal
