#include "motet/roles/baselines/bica.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/engine/iterate.h"
#include "motet/roles/mac/weighted_bits.h"

namespace motet::roles {
namespace {

constexpr std::size_t most_seed_columns = 2000;  // 32 MB of correlations
constexpr double enough = 1e-9;                  // relative gain of the log-likelihood that ends a start

struct State {
  std::vector<std::uint32_t> group;  // by column; K is the rest
  std::vector<double> pi;
  double p0 = 0.1;
  double p1 = 0.9;
  std::vector<double> gamma;  // P(z_nk = 1 | x), [n * K + k]
  double log_likelihood = 0.0;
};

struct Problem {
  const MergedMatrix& data;
  std::size_t roles;
  double users;                        // total weight
  double cells;                        // total weight
  std::vector<double> held_by;         // by column: weight of the users who hold it
  std::vector<std::uint32_t> columns;  // that starts look at
  std::vector<double> correlation;     // between those, [i * columns.size() + j], negative ones as 0
};

double clamped(double probability, double cells) {
  const double least = 0.5 / (cells + 1.0);  // half a cell: never exactly 0 or 1
  return std::clamp(probability, least, 1.0 - least);
}

Problem make_problem(const MergedMatrix& data, std::size_t roles, const RunContext& run) {
  Problem problem{data, roles, 0.0, 0.0, {}, {}, {}};
  problem.users = std::accumulate(data.row_weight.begin(), data.row_weight.end(), 0.0);
  problem.cells = problem.users * std::accumulate(data.column_weight.begin(), data.column_weight.end(), 0.0);
  const std::size_t all = data.bits.columns();
  problem.held_by.resize(all);
  for (std::size_t n = 0; n < data.bits.rows(); ++n) {
    for_each_bit(data.bits.row(n), [&](std::size_t d) { problem.held_by[d] += data.row_weight[n]; });
  }
  const std::size_t count = std::min(all, most_seed_columns);
  for (std::size_t i = 0; i < count; ++i) problem.columns.push_back(static_cast<std::uint32_t>(i * all / count));

  const WeightLayout layout(data.row_weight);
  const std::vector<std::int64_t> together =
      common_weights(layout.arranged(data.bits.columns_of(problem.columns).transposed()), layout, run);
  problem.correlation.resize(count * count);
  for (std::size_t i = 0; i < count; ++i) {
    const double a = problem.held_by[problem.columns[i]] / problem.users;
    for (std::size_t j = 0; j < count; ++j) {
      const double b = problem.held_by[problem.columns[j]] / problem.users;
      const double scale = std::sqrt(a * (1.0 - a) * b * (1.0 - b));
      const double covariance = static_cast<double>(together[i * count + j]) / problem.users - a * b;
      problem.correlation[i * count + j] = scale > 0.0 ? std::max(0.0, covariance / scale) : 0.0;
    }
  }
  return problem;
}

// K columns that stand for groups. Each next one adds most to the sum over columns of the squared
// correlation with the nearest of them; a random start draws it in proportion to what it adds.
std::vector<std::uint32_t> seed_columns(const Problem& problem, Rng* rng) {
  const std::size_t count = problem.columns.size();
  std::vector<double> explained(count, 0.0);
  std::vector<double> gain(count);
  std::vector<std::uint32_t> seeds;
  for (std::size_t k = 0; k < problem.roles && k < count; ++k) {
    double total = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      gain[i] = 0.0;
      const double* const row = problem.correlation.data() + i * count;
      for (std::size_t j = 0; j < count; ++j) {
        gain[i] += problem.data.column_weight[problem.columns[j]] * std::max(0.0, row[j] * row[j] - explained[j]);
      }
      total += gain[i];
    }
    if (!(total > 0.0)) break;
    const std::size_t next = rng != nullptr
                                 ? rng->categorical(gain)
                                 : static_cast<std::size_t>(std::max_element(gain.begin(), gain.end()) - gain.begin());
    seeds.push_back(problem.columns[next]);
    const double* const row = problem.correlation.data() + next * count;
    for (std::size_t j = 0; j < count; ++j) explained[j] = std::max(explained[j], row[j] * row[j]);
  }
  return seeds;
}

// Responsibilities as if each seed column alone said who has the role.
State start_from(const Problem& problem, const std::vector<std::uint32_t>& seeds) {
  const std::size_t rows = problem.data.bits.rows();
  State state;
  state.group.assign(problem.data.bits.columns(), static_cast<std::uint32_t>(problem.roles));
  state.pi.assign(problem.roles, 0.5);
  state.gamma.assign(rows * problem.roles, 0.0);
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t k = 0; k < seeds.size(); ++k) {
      state.gamma[n * problem.roles + k] = problem.data.bits(n, seeds[k]) ? 0.9 : 0.1;
    }
  }
  return state;
}

// Posterior of z and the log-likelihood. Within a group only the weight of the ones matters.
void e_step(const Problem& problem, State& state) {
  const std::size_t k_count = problem.roles;
  const std::vector<double>& column_weight = problem.data.column_weight;
  const double for_one = std::log(state.p1 / state.p0);
  const double for_zero = std::log((1.0 - state.p1) / (1.0 - state.p0));
  std::vector<double> size(k_count + 1, 0.0);
  double all_zero = 0.0;  // log-likelihood of a user without any one or role
  for (std::size_t d = 0; d < state.group.size(); ++d) {
    size[state.group[d]] += column_weight[d];
    all_zero += column_weight[d] * std::log1p(-state.p0);
  }
  const double one_by_chance = std::log(state.p0) - std::log1p(-state.p0);
  std::vector<double> ones(k_count + 1);
  state.log_likelihood = 0.0;
  for (std::size_t n = 0; n < problem.data.bits.rows(); ++n) {
    std::fill(ones.begin(), ones.end(), 0.0);
    for_each_bit(problem.data.bits.row(n), [&](std::size_t d) { ones[state.group[d]] += column_weight[d]; });
    double log_p = all_zero + std::accumulate(ones.begin(), ones.end(), 0.0) * one_by_chance;
    for (std::size_t k = 0; k < k_count; ++k) {
      const double with = std::log(state.pi[k]) + ones[k] * for_one + (size[k] - ones[k]) * for_zero;
      const double without = std::log1p(-state.pi[k]);
      const double larger = std::max(with, without);
      log_p += larger + std::log1p(std::exp(-std::abs(with - without)));
      state.gamma[n * k_count + k] = 1.0 / (1.0 + std::exp(without - with));
    }
    state.log_likelihood += problem.data.row_weight[n] * log_p;
  }
}

// Groups first, then the probabilities given the groups: neither lowers the likelihood.
void m_step(const Problem& problem, State& state) {
  const std::size_t k_count = problem.roles;
  const MergedMatrix& data = problem.data;
  std::vector<double> members(k_count, 0.0);
  std::vector<double> both(data.bits.columns() * k_count, 0.0);  // weight of users with role k who hold d
  for (std::size_t n = 0; n < data.bits.rows(); ++n) {
    const double* const gamma = state.gamma.data() + n * k_count;
    for (std::size_t k = 0; k < k_count; ++k) members[k] += data.row_weight[n] * gamma[k];
    for_each_bit(data.bits.row(n), [&](std::size_t d) {
      double* const to = both.data() + d * k_count;
      for (std::size_t k = 0; k < k_count; ++k) to[k] += data.row_weight[n] * gamma[k];
    });
  }
  const double for_one = std::log(state.p1 / state.p0);
  const double for_zero = std::log((1.0 - state.p1) / (1.0 - state.p0));
  double with = 0.0;
  double held_with = 0.0;
  double held = 0.0;
  for (std::size_t d = 0; d < state.group.size(); ++d) {
    double best = 0.0;  // against the rest
    state.group[d] = static_cast<std::uint32_t>(k_count);
    for (std::size_t k = 0; k < k_count; ++k) {
      const double ones = both[d * k_count + k];
      const double gain = ones * for_one + (members[k] - ones) * for_zero;
      if (gain > best) {
        best = gain;
        state.group[d] = static_cast<std::uint32_t>(k);
      }
    }
    held += data.column_weight[d] * problem.held_by[d];
    if (state.group[d] == k_count) continue;
    with += data.column_weight[d] * members[state.group[d]];
    held_with += data.column_weight[d] * both[d * k_count + state.group[d]];
  }
  if (with > 0.0) {
    state.p1 = clamped(held_with / with, problem.cells);
    state.p0 = std::min(state.p1, clamped((held - held_with) / std::max(1.0, problem.cells - with), problem.cells));
  }
  for (std::size_t k = 0; k < k_count; ++k) state.pi[k] = clamped(members[k] / problem.users, problem.users);
}

// The best of the starts after a few steps go on to the end, the others are given up.
constexpr std::size_t first_steps = 12;
constexpr std::size_t finalists = 3;

State first_state(const Problem& problem, Rng* rng) {
  State state = start_from(problem, seed_columns(problem, rng));
  const double density =
      std::inner_product(problem.held_by.begin(), problem.held_by.end(), problem.data.column_weight.begin(), 0.0) /
      std::max(1.0, problem.cells);
  state.p0 = clamped(0.5 * density, problem.cells);
  state.p1 = clamped(0.5 * (1.0 + density), problem.cells);
  m_step(problem, state);
  e_step(problem, state);
  return state;
}

void climb(const Problem& problem, State& state, std::size_t steps, const RunContext& run) {
  const auto step = [&] {
    const double before = state.log_likelihood;
    m_step(problem, state);
    e_step(problem, state);
    return Step{(state.log_likelihood - before) / std::abs(before), {}};
  };
  iterate({[&] { return state.log_likelihood; }, step, {}, {}, {}}, {steps + 1, enough}, run, {});
}

}  // namespace

BicaFit fit_bica(const MergedMatrix& data, std::size_t roles, const BicaOptions& options, const RunContext& run) {
  if (roles == 0) fail(ErrorKind::usage, "--roles 0 is too few; at least 1 is needed");
  const Problem problem = make_problem(data, roles, run);
  const auto more_likely = [](const State& a, const State& b) { return a.log_likelihood > b.log_likelihood; };
  std::vector<State> states(std::max<std::size_t>(1, options.starts));
  const Rng root = stream(run.seed, Stream::roles_bica);
  std::atomic<std::size_t> done{0};
  for_each_task(states.size(), run.threads, [&](std::size_t s) {
    Rng rng = root.child(s);
    states[s] = first_state(problem, s == 0 ? nullptr : &rng);
    climb(problem, states[s], std::min(first_steps, options.max_iterations), run);
    if (run.observer) {
      run.observer({"grouping permissions", static_cast<double>(++done), static_cast<double>(states.size()), "starts"});
    }
  });
  std::stable_sort(states.begin(), states.end(), more_likely);
  states.resize(std::min(states.size(), finalists));
  for_each_task(states.size(), run.threads,
                [&](std::size_t s) { climb(problem, states[s], options.max_iterations, run); });
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while grouping permissions");
  const State& best = *std::min_element(states.begin(), states.end(), more_likely);
  BicaFit fit{{BitMatrix(roles, data.bits.columns()), BitMatrix(data.bits.rows(), roles)},
              best.p0,
              best.p1,
              best.log_likelihood};
  for (std::size_t d = 0; d < best.group.size(); ++d) {
    if (best.group[d] < roles) fit.result.roles.set(best.group[d], d);
  }
  for (std::size_t n = 0; n < data.bits.rows(); ++n) {
    for (std::size_t k = 0; k < roles; ++k) fit.result.assignments.set(n, k, best.gamma[n * roles + k] > 0.5);
  }
  return fit;
}

Factorization bica(const MergedMatrix& data, std::size_t roles, const BicaOptions& options, const RunContext& run) {
  return fit_bica(data, roles, options, run).result;
}

}  // namespace motet::roles
