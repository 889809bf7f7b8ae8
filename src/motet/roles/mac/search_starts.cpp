#include "motet/roles/mac/search_starts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/roles/baselines/asso.h"
#include "motet/roles/priced_roles.h"
#include "motet/roles/role_order.h"

namespace motet::roles {
namespace {

constexpr std::size_t association_steps = 10;
constexpr std::size_t start_steps = 60;
constexpr std::size_t moved_starts = 3;    // of a small problem
constexpr std::size_t moved_large = 2;     // and of a large one
constexpr double large_problem = 2e7;      // cells times label sets
constexpr double annealing_limit = 1.2e7;  // beyond it annealing costs more than it finds
constexpr double turning_limit = 3e8;      // cells, label sets and cells of roles multiplied
constexpr std::size_t most_rounds = 10;
constexpr std::size_t replaced_roles = 4;
constexpr std::size_t seeding_taus[] = {2, 4, 6};  // of AssoOptions: 0.3, 0.5 and 0.7
constexpr std::size_t most_loosenings = 3;
constexpr double worthwhile_rise = 1e-6;  // of the objective, relative, that is worth another round
constexpr double same_objective = 1e-7;   // relative: two starts that ended in one place

// Of a search: the growth under way, the starts that are made, the ends that are moved.
constexpr std::size_t growth_task = 0;
constexpr std::size_t first_start_task = 1;
constexpr std::size_t first_move_task = 1000;

std::size_t move_task(std::size_t start, std::size_t round) {
  return first_move_task + start * most_loosenings + round;
}

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
  RunContext own = unheard(run);
  own.threads = search.threads(shape.roles);
  const std::vector<double> parameters =
      anneal(mac_problem(search.data(), shape, own.threads), std::move(start), b, steps_each, own);
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

// Levels that forbid less, and half of the prior alike: what sits between two roles can move. Then it settles again.
RoleState loosened(RoleSearch& search, const RoleState& state) {
  constexpr double least_level = 0.02;
  constexpr std::size_t loose_steps = 8;
  RoleState trial = state;
  trial.p0 = std::max(state.p0, least_level);
  trial.p1 = std::min(state.p1, 1.0 - least_level);
  for (double& share : trial.share) share = 0.5 * share + 0.5 / static_cast<double>(trial.share.size());
  trial = search.improve(search.improve(std::move(trial), loose_steps), start_steps);
  return trial.objective > state.objective ? trial : state;
}

// Moves until none helps, each round from where levels forbid less. A round that is over is kept.
RoleState moved(RoleSearch& search, RoleState state, std::size_t start, bool agreed, KeptSearch& kept,
                const RunContext& run) {
  const Rng root = stream(run.seed, Stream::roles_moves, start);
  for (std::size_t round = 0; round < most_loosenings; ++round) {
    const std::size_t task = move_task(start, round);
    const double before = state.objective;
    state = kept.once(task, [&] {
      Rng own = round == 0 ? root : root.child(round);
      RoleState next = search.grow_and_prune(state, agreed ? 1 : most_rounds, own);
      if (!agreed) next = search.replace_weakest(std::move(next), replaced_roles, own);
      return agreed ? next : loosened(search, next);
    });
    if (agreed || !(state.objective > before + worthwhile_rise * std::abs(before))) break;
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

// The state with the sets that so many users have, as far as the search has them, and a little for all others.
RoleState with_shares(RoleSearch& search, RoleState state, const std::map<std::vector<std::uint32_t>, double>& users) {
  constexpr double alike = 0.01;  // of the prior
  const LabelSets& sets = search.shape(state.count()).sets;
  double found = 0.0;
  std::vector<double> share(sets.size());
  for (std::size_t l = 0; l < sets.size(); ++l) {
    const auto counted = users.find(std::vector(sets[l].begin(), sets[l].end()));
    if (counted != users.end()) found += share[l] = counted->second;
  }
  if (found == 0.0) return state;
  for (std::size_t l = 0; l < sets.size(); ++l) {
    state.share[l] = (1.0 - alike) * share[l] / found + alike / static_cast<double>(sets.size());
  }
  return state;
}

// Roles and who has them as a start: levels are counted, and so are the sets of roles, as far as the search has them.
RoleState state_of_factors(RoleSearch& search, const Factorization& factors) {
  const MergedMatrix& data = search.data();
  const BitMatrix granted = boolean_product(factors.assignments, factors.roles);
  double ones[2] = {0.5, 0.5};
  double cells[2] = {1.0, 1.0};
  std::map<std::vector<std::uint32_t>, double> users;
  for (std::size_t n = 0; n < data.bits.rows(); ++n) {
    for (std::size_t d = 0; d < data.bits.columns(); ++d) {
      const double weight = data.row_weight[n] * data.column_weight[d];
      const std::size_t side = granted(n, d) ? 1 : 0;
      cells[side] += weight;
      if (data.bits(n, d)) ones[side] += weight;
    }
    users[ones_of(factors.assignments, n)] += data.row_weight[n];
  }
  return with_shares(
      search, search.state_of(factors.roles, ones[0] / cells[0], std::max(ones[1] / cells[1], ones[0] / cells[0])),
      users);
}

// One role beside the kept ones; none where nothing grows.
RoleState first_grown(RoleSearch& search, Rng& rng) {
  constexpr double levels[3][2] = {{0.8, 0.3}, {0.8, 0.6}, {0.5, 0.9}};
  if (search.rules().keep.rows() > 0) return search.grow(search.kept_only(), 2, false, rng);
  RoleState best;
  for (const auto& level : levels) {
    const double density = search.density();
    const RoleState nothing = search.state_of(BitMatrix(0, search.data().bits.columns()), density * level[0],
                                              density + level[1] * (1.0 - density));
    RoleState first = search.grow(nothing, 1, false, rng);
    if (first.count() == 1 && (best.count() == 0 || first.objective > best.objective)) best = std::move(first);
  }
  return best;
}

// One role after the other; every role has its own numbers by lot, so that a run taken up again draws the same.
RoleState grown(RoleSearch& search, std::size_t roles, KeptSearch& kept, const RunContext& run,
                const std::function<void(double)>& told) {
  if (roles <= search.rules().keep.rows()) return search.kept_only();
  const Rng root = stream(run.seed, Stream::roles_growth);
  Rng first = root;
  const std::optional<RoleState> before = kept.find(growth_task);
  RoleState state = before ? *before : first_grown(search, first);
  while (state.count() > 0 && state.count() < roles) {
    told(static_cast<double>(state.count()) / static_cast<double>(roles));
    Rng own = root.child(state.count());
    RoleState next = search.grow(state, 1, true, own);
    if (next.count() == state.count()) break;
    state = std::move(next);
    kept.keep(growth_task, state);
  }
  return state;
}

bool by_objective(const SearchStart& a, const SearchStart& b) { return a.state.objective > b.state.objective; }

}  // namespace

std::vector<RoleState> growth_path(RoleSearch& search, std::size_t roles, Rng& rng) {
  if (roles <= search.rules().keep.rows()) return {search.kept_only()};
  std::vector<RoleState> path;
  RoleState first = first_grown(search, rng);
  if (first.count() == 0) return path;
  path.push_back(std::move(first));
  while (path.back().count() < roles) {
    RoleState next = search.grow(path.back(), 1, true, rng);
    if (next.count() == path.back().count()) break;
    path.push_back(std::move(next));
  }
  return path;
}

std::vector<SearchStart> single_ends(RoleSearch& search, std::size_t roles, const StartRules& rules,
                                     const RunContext& run, std::optional<KeptSearch> kept) {
  SearchRules one = search.rules();
  one.degree = 1;
  RoleSearch alone(search.data(), std::move(one), run);
  std::vector<SearchStart> ends = search_roles(alone, roles, rules, run, std::move(kept)).ends;
  const LabelSets& sets = alone.shape(roles).sets;
  for (SearchStart& end : ends) {
    std::map<std::vector<std::uint32_t>, double> users;
    for (std::size_t l = 0; l < sets.size(); ++l) {
      users.emplace(std::vector(sets[l].begin(), sets[l].end()), end.state.share[l]);
    }
    RoleState wider = with_shares(search, search.state_of(end.state.roles, end.state.p0, end.state.p1), users);
    wider.objective = end.state.objective;
    end = {end.name + ", one role per user", std::move(wider)};
  }
  return ends;
}

std::vector<SearchStart> search_starts(RoleSearch& search, std::size_t roles, const StartRules& rules,
                                       const RunContext& run, KeptSearch& kept_search,
                                       const std::function<void(double, double)>& told) {
  std::vector<SearchStart> starts;
  const std::size_t annealings = problem_size(search, roles) < annealing_limit ? rules.annealings : 0;
  const std::size_t kept = search.rules().keep.rows();
  const auto total = static_cast<double>(2 + annealings + (roles > kept ? std::size(seeding_taus) + 2 : 0));
  std::size_t task = first_start_task;
  double done = 0.0;
  const auto keep = [&](std::string name, const std::function<RoleState()>& make) {
    told(done, total);
    RoleState state = kept_search.once(task++, make);
    if (state.count() == roles) starts.push_back({std::move(name), std::move(state)});
    told(done = static_cast<double>(starts.size()), total);
  };
  const double density = search.density();
  if (rules.previous != nullptr) {
    keep("previous model", [&] {
      return search.improve(search.state_of(*rules.previous, 0.5 * density, 0.5 + 0.5 * density), start_steps);
    });
  }
  keep("one after the other",
       [&] { return grown(search, roles, kept_search, run, [&](double share) { told(done + share, total); }); });
  for (std::size_t i = 0; i < annealings; ++i) {
    keep(fmt::format("annealing {}", i + 1), [&] {
      Rng own = stream(run.seed, Stream::roles_annealing, i);
      return annealed(search, roles, i, run, own);
    });
  }
  if (roles > kept) {
    const std::vector<GreedyCover> covers = association_covers(search.data(), roles - kept, {}, unheard(run));
    for (const std::size_t i : seeding_taus) {
      keep(fmt::format("associations of {}", AssoOptions{}.taus[i]), [&] {
        const BitMatrix seed = with_kept(search, covers[i].result.roles);
        return search.improve(search.state_of(seed, 0.5 * density, 0.5 + 0.5 * density), association_steps);
      });
    }
    const auto best = std::min_element(covers.begin(), covers.end(),
                                       [](const GreedyCover& a, const GreedyCover& b) { return a.error < b.error; });
    if (kept == 0) {
      keep("association", [&] { return search.improve(state_of_factors(search, best->result), start_steps); });
      if (!starts.empty() && starts.back().name == "association") starts.back().factors = best->result;
      keep("association reshaped", [&] {
        PriceRules rules_of_cells;
        rules_of_cells.most_roles = search.rules().degree;
        const Factorization reshaped = priced_roles(search.data().bits, best->result, rules_of_cells, unheard(run));
        return search.improve(state_of_factors(search, reshaped), start_steps);
      });
    }
  }
  std::stable_sort(starts.begin(), starts.end(), by_objective);
  return starts;
}

namespace {

SearchResult searched(RoleSearch& search, std::size_t roles, const StartRules& rules, const RunContext& run,
                      KeptSearch& kept) {
  double done = 0.0;
  double total = 0.0;
  const auto tell = [&] {
    if (run.observer) run.observer({"searching for roles", done, total, "steps"});
  };
  const auto told = [&](double now, double of) {
    done = now;
    total = of + 3.0;
    tell();
  };
  search.tell(tell);
  SearchResult result{search_starts(search, roles, rules, run, kept, told)};
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
  const std::size_t count = std::min(ends.size(), agreed ? 1 : is_large ? moved_large : moved_starts);
  for (std::size_t i = 0; i < count; ++i) {
    RoleState state = moved(search, ends[i].state, i, agreed, kept, run);
    if (problem_size(search, roles) < annealing_limit) state = kicked(search, state, run);
    ends[i].state = search.improve(std::move(state), start_steps);
    told(total - 3.0 + 3.0 * static_cast<double>(i + 1) / static_cast<double>(count), total - 3.0);
  }
  for (SearchStart& end : ends) end.state = search.without_moved(std::move(end.state));
  std::stable_sort(ends.begin(), ends.end(), by_objective);
  const double cells = static_cast<double>(roles) * static_cast<double>(search.data().bits.columns());
  if (!ends.empty() && problem_size(search, roles) * cells < turning_limit) {
    ends[0].state = search.without_moved(turned(search, std::move(ends[0].state)));
  }
  search.tell({});
  return result;
}

}  // namespace

SearchResult search_roles(RoleSearch& search, std::size_t roles, const StartRules& rules, const RunContext& run,
                          std::optional<KeptSearch> shared) {
  KeptSearch kept = shared ? *std::move(shared) : KeptSearch(run, search.data().bits.columns());
  try {
    return searched(search, roles, rules, run, kept);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) kept.stop();
    throw;
  }
}

}  // namespace motet::roles
