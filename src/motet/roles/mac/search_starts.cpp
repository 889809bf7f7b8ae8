#include "motet/roles/mac/search_starts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/base/streams.h"
#include "motet/roles/baselines/asso.h"

namespace motet::roles {
namespace {

constexpr std::size_t association_steps = 10;
constexpr std::size_t start_steps = 60;
constexpr std::size_t moved_starts = 3;    // of a small problem; of a large one, the best alone
constexpr double large_problem = 2e7;      // cells times label sets
constexpr double annealing_limit = 1.2e7;  // beyond it annealing costs more than it finds
constexpr double turning_limit = 3e8;      // cells, label sets and cells of roles multiplied
constexpr std::size_t most_rounds = 10;
constexpr std::size_t replaced_roles = 4;
constexpr double same_objective = 1e-7;  // relative: two starts that ended in one place

double problem_size(RoleSearch& search, std::size_t roles) {
  const BitMatrix& bits = search.data().bits;
  return static_cast<double>(bits.rows()) * static_cast<double>(bits.columns()) *
         static_cast<double>(search.shape(roles).sets.size());
}

// Cools soft parameters to temperature 1, rounds them and settles.
RoleState cooled(RoleSearch& search, const MacShape& shape, std::vector<double> start, double temperature,
                 double cooling, std::size_t steps_each, const RunContext& run) {
  std::vector<double> b;
  for (double t = temperature; t > 1.0; t *= cooling) b.push_back(1.0 / t);
  b.push_back(1.0);
  RunContext quiet = run;
  quiet.observer = {};
  quiet.save = {};
  quiet.threads = search.threads(shape.roles);
  const std::vector<double> parameters =
      anneal(mac_problem(search.data(), shape, quiet.threads), std::move(start), b, steps_each, quiet);
  const std::size_t columns = search.data().bits.columns();
  BitMatrix rounded(shape.roles, columns);
  for (std::size_t k = 0; k < shape.roles; ++k) {
    for (std::size_t d = 0; d < columns; ++d) rounded.set(k, d, parameters[k * columns + d] < 0.5);
  }
  const MacParts parts = mac_parts(shape, columns);
  return search.improve(search.state_of(std::move(rounded), parameters[parts.p0()],
                                        std::max(parameters[parts.p1()], parameters[parts.p0()] + 0.05)),
                        start_steps);
}

// Deterministic annealing with soft centroids around the mean, then rounding.
RoleState annealed(RoleSearch& search, std::size_t roles, std::size_t number, const RunContext& run, Rng& rng) {
  // Slow cooling near 1 finds what fast cooling from far above loses.
  constexpr struct {
    double temperature, cooling;
    std::size_t steps_each;
    double noise;
  } schedules[] = {{2.0, 0.93, 3, 0.5}, {1.2, 0.97, 8, 0.8}, {4.0, 0.9, 2, 0.5}, {8.0, 0.9, 2, 0.8}};
  const auto& schedule = schedules[number % 4];
  const MergedMatrix& data = search.data();
  const std::size_t columns = data.bits.columns();
  MacShape shape = search.shape(roles);
  shape.rounded = false;
  std::vector<double> mean(columns);
  const double users = std::accumulate(data.row_weight.begin(), data.row_weight.end(), 0.0);
  for (std::size_t n = 0; n < data.bits.rows(); ++n) {
    for_each_bit(data.bits.row(n), [&](std::size_t d) { mean[d] += data.row_weight[n] / users; });
  }
  std::vector<double> beta(roles * columns);
  for (std::size_t k = 0; k < roles; ++k) {
    for (std::size_t d = 0; d < columns; ++d) {
      beta[k * columns + d] = k < search.rules().keep.rows()
                                  ? (search.rules().keep(k, d) ? 0.0 : 1.0)
                                  : std::clamp(1.0 - std::clamp(mean[d], 0.05, 0.95) + 0.02 * rng.normal(), 0.02, 0.98);
    }
  }
  const double density = search.density();
  return cooled(
      search, shape,
      mac_start(shape, beta, columns, density * schedule.noise, density + (1.0 - density) * (1.0 - schedule.noise)),
      schedule.temperature, schedule.cooling, schedule.steps_each, run);
}

// A rounded model made soft and warm again: an overlap that sits in the wrong role can move.
RoleState kicked(RoleSearch& search, const RoleState& state, const RunContext& run) {
  constexpr double held = 0.3;
  constexpr double least_level = 0.05;
  MacShape shape = search.shape(state.count());
  shape.rounded = false;
  std::vector<double> beta = absence_of(state.roles);
  const std::size_t columns = state.roles.columns();
  for (std::size_t i = search.rules().keep.rows() * columns; i < beta.size(); ++i)
    beta[i] = beta[i] < 0.5 ? held : 1.0 - held;
  // Levels near 0 and 1 forbid too much for anything to move.
  std::vector<double> start =
      mac_start(shape, beta, columns, std::max(state.p0, least_level), std::min(state.p1, 1.0 - least_level));
  std::copy(state.share.begin(), state.share.end(),
            start.begin() + static_cast<std::ptrdiff_t>(mac_parts(shape, columns).prior()));
  RoleState result = cooled(search, shape, std::move(start), 1.2, 0.95, 4, run);
  return result.objective > state.objective ? result : state;
}

// Every cell of the roles turned once, a few steps each: the last wrong cell of a small problem.
RoleState turned(RoleSearch& search, RoleState state) {
  constexpr std::size_t steps = 4;
  constexpr double least_level = 0.02;
  for (bool improved = true; improved;) {
    improved = false;
    for (std::size_t k = search.rules().keep.rows(); k < state.count() && !improved; ++k) {
      for (std::size_t d = 0; d < state.roles.columns() && !improved; ++d) {
        RoleState trial = state;
        trial.roles.set(k, d, !state.roles(k, d));
        if (trial.roles(k, d) && !search.rules().never_with.empty()) {
          for (const std::uint32_t e : search.rules().never_with[d]) trial.roles.set(k, e, false);
        }
        trial.p0 = std::max(state.p0, least_level);
        trial.p1 = std::min(state.p1, 1.0 - least_level);
        trial = search.improve(std::move(trial), steps);
        if (trial.roles == state.roles || !(trial.objective > state.objective - 1.0)) continue;
        trial = search.improve(std::move(trial), start_steps);
        if (!(trial.objective > state.objective + 1e-6 * std::abs(state.objective))) continue;
        state = std::move(trial);
        improved = true;
      }
    }
  }
  return state;
}

BitMatrix with_kept(const RoleSearch& search, const BitMatrix& roles) {
  const std::size_t kept = search.rules().keep.rows();
  BitMatrix all(kept + roles.rows(), roles.columns());
  for (std::size_t k = 0; k < roles.rows(); ++k) {
    std::copy(roles.row(k).begin(), roles.row(k).end(), all.row(kept + k).begin());
  }
  return all;  // the kept ones are filled in by RoleSearch
}

bool by_objective(const SearchStart& a, const SearchStart& b) { return a.state.objective > b.state.objective; }

}  // namespace

std::vector<RoleState> growth_path(RoleSearch& search, std::size_t roles, Rng& rng) {
  constexpr double levels[3][2] = {{0.8, 0.3}, {0.8, 0.6}, {0.5, 0.9}};
  std::vector<RoleState> path;
  const std::size_t kept = search.rules().keep.rows();
  if (roles <= kept) return {search.kept_only()};
  if (kept > 0) {
    path.push_back(search.grow(search.kept_only(), 2, false, rng));
  } else {
    RoleState best;
    for (const auto& level : levels) {
      const double density = search.density();
      const RoleState nothing = search.state_of(BitMatrix(0, search.data().bits.columns()), density * level[0],
                                                density + level[1] * (1.0 - density));
      RoleState first = search.grow(nothing, 1, false, rng);
      if (first.count() == 1 && (best.count() == 0 || first.objective > best.objective)) best = std::move(first);
    }
    if (best.count() == 0) return path;
    path.push_back(std::move(best));
  }
  while (path.back().count() < roles) {
    RoleState next = search.grow(path.back(), 1, true, rng);
    if (next.count() == path.back().count()) break;
    path.push_back(std::move(next));
  }
  return path;
}

std::vector<SearchStart> search_starts(RoleSearch& search, std::size_t roles, const StartRules& rules,
                                       const RunContext& run, const std::function<void(double, double)>& told) {
  std::vector<SearchStart> starts;
  const std::size_t annealings = problem_size(search, roles) < annealing_limit ? rules.annealings : 0;
  const std::vector<double> taus = {0.3, 0.5, 0.7};
  const auto total = static_cast<double>(2 + annealings + taus.size());
  const auto keep = [&](std::string name, RoleState state) {
    if (state.count() == roles) starts.push_back({std::move(name), std::move(state)});
    told(static_cast<double>(starts.size()), total);
  };
  const double density = search.density();
  if (rules.previous != nullptr) {
    keep("previous model",
         search.improve(search.state_of(*rules.previous, 0.5 * density, 0.5 + 0.5 * density), start_steps));
  }
  Rng growing = stream(run.seed, Stream::roles_growth);
  const std::vector<RoleState> path = growth_path(search, roles, growing);
  if (!path.empty()) keep("one after the other", path.back());
  for (std::size_t i = 0; i < annealings; ++i) {
    Rng own = stream(run.seed, Stream::roles_annealing, i);
    keep(fmt::format("annealing {}", i + 1), annealed(search, roles, i, run, own));
  }
  const std::size_t kept = search.rules().keep.rows();
  if (roles > kept) {
    AssoOptions options;
    options.taus = taus;
    const std::vector<BitMatrix> seeds = association_seeds(search.data(), roles - kept, options, run);
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      keep(fmt::format("associations of {}", taus[i]),
           search.improve(search.state_of(with_kept(search, seeds[i]), 0.5 * density, 0.5 + 0.5 * density),
                          association_steps));
    }
  }
  std::stable_sort(starts.begin(), starts.end(), by_objective);
  return starts;
}

SearchResult search_roles(RoleSearch& search, std::size_t roles, const StartRules& rules, const RunContext& run) {
  const auto told = [&](double done, double total) {
    if (run.observer) run.observer({"searching for roles", done, total + 3.0, "steps"});
  };
  SearchResult result{search_starts(search, roles, rules, run, told)};
  std::vector<SearchStart>& ends = result.ends;
  const bool is_large = problem_size(search, roles) > large_problem;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (is_large && i >= 2) break;
    ends[i].state = search.improve(std::move(ends[i].state), start_steps / (is_large ? 2 : 1));
  }
  std::stable_sort(ends.begin(), ends.end(), by_objective);
  // Two starts of a large problem that ended in one place: moves would find nothing.
  const bool agreed =
      is_large && ends.size() > 1 &&
      ends[0].state.objective - ends[1].state.objective < same_objective * std::abs(ends[0].state.objective);
  for (std::size_t i = 0; i < std::min<std::size_t>(ends.size(), is_large ? 1 : moved_starts); ++i) {
    Rng own = stream(run.seed, Stream::roles_moves, i);
    RoleState moved = search.grow_and_prune(ends[i].state, agreed ? 1 : most_rounds, own);
    if (!agreed) moved = search.replace_weakest(std::move(moved), replaced_roles, own);
    if (problem_size(search, roles) < annealing_limit) moved = kicked(search, moved, run);
    ends[i].state = search.improve(std::move(moved), start_steps);
    told(static_cast<double>(i) + 1.0, 3.0);
  }
  std::stable_sort(ends.begin(), ends.end(), by_objective);
  const double cells = static_cast<double>(roles) * static_cast<double>(search.data().bits.columns());
  if (!ends.empty() && problem_size(search, roles) * cells < turning_limit) {
    ends[0].state = turned(search, std::move(ends[0].state));
  }
  return result;
}

}  // namespace motet::roles
