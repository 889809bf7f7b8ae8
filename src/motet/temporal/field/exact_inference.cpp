#include "motet/temporal/field/exact_inference.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/temporal/field/exact_chain.h"

namespace motet::temporal {
namespace {

void check_exact(std::span<const std::size_t> starts, std::size_t components, const TimeField& field) {
  if (field.image_width > 0) {
    fail(ErrorKind::usage, "field: an image has no exact inference; take icm or mean-field");
  }
  std::size_t longest = 1;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) longest = std::max(longest, starts[i + 1] - starts[i]);
  if (ExactChain::tuples(longest, field.radius, components, most_exact_states) > most_exact_states) {
    fail(
        ErrorKind::usage,
        fmt::format("field: {} components with radius {} are too many for exact inference; components^radius may be {} "
                    "at most, so take icm or mean-field",
                    components, field.radius, most_exact_states));
  }
}

// Densities of one sequence in which labels forbid what they forbid.
struct Restricted {
  std::vector<double> densities;  // components x rows
  bool is_possible = true;        // every row can be explained; one that cannot is left to its neighbours
};

Restricted restricted(const FieldProblem& problem, const AllowedComponents& allowed, std::size_t begin,
                      std::size_t rows) {
  Restricted result{std::vector<double>(problem.components * rows, -infinity), true};
  for (std::size_t n = 0; n < rows; ++n) {
    double largest = -infinity;
    for (const std::uint8_t k : allowed.of(begin + n)) {
      result.densities[k * rows + n] = problem.densities[k * problem.rows() + begin + n];
      largest = std::max(largest, result.densities[k * rows + n]);
    }
    if (largest > -infinity) continue;
    result.is_possible = false;
    for (const std::uint8_t k : allowed.of(begin + n)) result.densities[k * rows + n] = 0.0;
  }
  return result;
}

// solve(chain, begin, rows) for every sequence; the sum of what it returns.
template <class Solve>
double solve_all(const FieldProblem& problem, const TimeField& field, Threads threads, const Solve& solve) {
  check(problem);
  const FieldTables tables(field);
  check_exact(problem.starts, problem.components, field);
  const AllowedComponents allowed(problem);
  const auto sum = sum_over_tasks(problem.starts.size() - 1, 1, threads, [&](std::size_t i, std::span<double> own) {
    const std::size_t begin = problem.starts[i];
    const std::size_t rows = problem.starts[i + 1] - begin;
    if (rows == 0) return;
    const Neighbours neighbours(tables, rows);
    const Restricted input = restricted(problem, allowed, begin, rows);
    ExactChain chain(neighbours, problem.components, input.densities.data(), rows);
    const double value = solve(chain, begin, rows);
    own[0] += input.is_possible ? value : -infinity;
  });
  return sum[0];
}

}  // namespace

double exact_marginals(const FieldProblem& problem, const TimeField& field, Threads threads,
                       std::span<double> responsibilities) {
  return solve_all(problem, field, threads, [&](ExactChain& chain, std::size_t begin, std::size_t) {
    return chain.marginals(responsibilities.data() + begin, problem.rows());
  });
}

double exact_mode(const FieldProblem& problem, const TimeField& field, std::span<std::uint8_t> states) {
  if (states.size() != problem.rows()) {
    fail(ErrorKind::usage, fmt::format("field: {} states are not one per row of {}", states.size(), problem.rows()));
  }
  return solve_all(problem, field, {1}, [&](ExactChain& chain, std::size_t begin, std::size_t rows) {
    return chain.mode(states.subspan(begin, rows));
  });
}

}  // namespace motet::temporal
