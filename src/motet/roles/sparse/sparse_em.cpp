#include "motet/roles/sparse/sparse_em.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/engine/iterate.h"

namespace motet::roles {
namespace {

constexpr std::size_t em_users_a_task = 256;
constexpr double least_sparse_rise = 1e-9;  // of the objective in a step, relative, that goes on
constexpr double start_held = 0.9;          // p1 to begin with
constexpr double least_members = 0.5;       // users that a role has, or lacks, at least

std::size_t em_tasks_for(std::size_t users) { return (users + em_users_a_task - 1) / em_users_a_task; }

// log p(x) of a user without roles.
double log_without_roles(std::size_t held, std::size_t columns, const SparseRoles& state) {
  return static_cast<double>(held) * std::log(state.p0) + static_cast<double>(columns - held) * std::log1p(-state.p0);
}

// Turns worths into shares; returns the log of their sum.
double set_shares(const std::vector<GrownSet>& sets, std::vector<SetOfUser>& to) {
  double best = -std::numeric_limits<double>::infinity();
  for (const GrownSet& set : sets) best = std::max(best, set.worth);
  double sum = 0.0;
  to.clear();
  for (const GrownSet& set : sets) {
    to.push_back({set.roles, std::exp(set.worth - best)});
    sum += to.back().share;
  }
  for (SetOfUser& set : to) set.share /= sum;
  std::stable_sort(to.begin(), to.end(), [](const SetOfUser& a, const SetOfUser& b) { return a.share > b.share; });
  return best + std::log(sum);
}

// The users of each role with the set they have it in, one after the other.
struct Memberships {
  struct Entry {
    std::uint32_t user;
    std::uint32_t set;
  };
  std::vector<std::size_t> ends;  // by role
  std::vector<Entry> entries;

  Memberships(const SparsePosteriors& posteriors, std::size_t roles) : ends(roles) {
    const auto visit = [&](const auto& body) {
      for (std::uint32_t n = 0; n < posteriors.of.size(); ++n) {
        for (std::uint32_t i = 0; i < posteriors.of[n].size(); ++i) {
          for (const std::uint32_t k : posteriors.of[n][i].roles) body(k, Entry{n, i});
        }
      }
    };
    visit([&](std::uint32_t k, Entry) { ++ends[k]; });
    std::size_t sum = 0;
    for (std::size_t& end : ends) {
      const std::size_t count = end;
      end = sum;
      sum += count;
    }
    entries.resize(sum);
    visit([&](std::uint32_t k, Entry entry) { entries[ends[k]++] = entry; });
  }
  std::span<const Entry> of(std::size_t role) const {
    const std::size_t begin = role == 0 ? 0 : ends[role - 1];
    return std::span(entries).subspan(begin, ends[role] - begin);
  }
};

// What each permission would gain in a role.
class RoleUpdate {
 public:
  RoleUpdate(const SparseRows& held, const SparsePosteriors& posteriors, const SparseRules& rules)
      : held_(held),
        posteriors_(posteriors),
        rules_(rules),
        ones_(held.columns),
        granted_(held.columns),
        stamp_(held.columns) {}

  // The permissions of role k with the largest gain; those it has when it has no members.
  std::vector<std::uint32_t> best(const std::vector<std::vector<std::uint32_t>>& roles, std::size_t k,
                                  std::span<const Memberships::Entry> members, double gain, double price) {
    double users = 0.0;
    for (const Memberships::Entry& entry : members) {
      const SetOfUser& set = posteriors_.of[entry.user][entry.set];
      users += set.share;
      add(roles, k, set, held_[entry.user]);
    }
    std::vector<std::uint32_t> result;
    std::sort(touched_.begin(), touched_.end());
    for (const std::uint32_t d : touched_) {
      worth_of(d) = gain * ones_[d] - price * (users - granted_[d] - ones_[d]);
      if (ones_[d] > 0.0) result.push_back(d);
    }
    if (!rules_.never_with.empty()) result = allowed(roles[k], std::move(result), -price * users);
    for (const std::uint32_t d : touched_) ones_[d] = granted_[d] = 0.0;
    touched_.clear();
    return users > 0.0 ? result : roles[k];
  }

 private:
  double& worth_of(std::uint32_t d) { return ones_[d]; }  // the count is needed no more

  void add(const std::vector<std::vector<std::uint32_t>>& roles, std::size_t k, const SetOfUser& set,
           std::span<const std::uint32_t> held) {
    ++now_;
    const auto touch = [&](std::uint32_t d) {
      if (ones_[d] == 0.0 && granted_[d] == 0.0) touched_.push_back(d);
    };
    for (const std::uint32_t other : set.roles) {
      if (other == k) continue;
      for (const std::uint32_t d : roles[other]) {
        if (stamp_[d] == now_) continue;
        stamp_[d] = now_;
        touch(d);
        granted_[d] += set.share;
      }
    }
    for (const std::uint32_t d : held) {
      if (stamp_[d] == now_) continue;
      touch(d);
      ones_[d] += set.share;
    }
  }

  // Where permissions exclude each other, the one worth more; what the role has stays if it is worth more together.
  // `nobody_has` is the worth of a permission that no member holds.
  std::vector<std::uint32_t> allowed(const std::vector<std::uint32_t>& own, std::vector<std::uint32_t> wanted,
                                     double nobody_has) {
    std::stable_sort(wanted.begin(), wanted.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return worth_of(a) > worth_of(b); });
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t d : wanted) {
      const std::vector<std::uint32_t>& excluded = rules_.never_with[d];
      const bool fits = std::none_of(excluded.begin(), excluded.end(), [&](std::uint32_t e) {
        return std::find(kept.begin(), kept.end(), e) != kept.end();
      });
      if (fits) kept.push_back(d);
    }
    std::sort(kept.begin(), kept.end());
    const auto total = [&](const std::vector<std::uint32_t>& role) {
      double sum = 0.0;
      for (const std::uint32_t d : role) {
        sum += std::binary_search(touched_.begin(), touched_.end(), d) ? worth_of(d) : nobody_has;
      }
      return sum;
    };
    const bool is_legal = std::none_of(own.begin(), own.end(), [&](std::uint32_t d) {
      return std::ranges::any_of(rules_.never_with[d],
                                 [&](std::uint32_t e) { return std::binary_search(own.begin(), own.end(), e); });
    });
    return is_legal && total(own) > total(kept) ? own : kept;
  }

  const SparseRows& held_;
  const SparsePosteriors& posteriors_;
  const SparseRules& rules_;
  std::vector<double> ones_;     // by permission: members who hold it, no other role granting it
  std::vector<double> granted_;  // by permission: members to whom another role grants it
  std::vector<std::uint64_t> stamp_;
  std::uint64_t now_ = 0;
  std::vector<std::uint32_t> touched_;
};

void update_roles(const SparseRows& held, const SparsePosteriors& posteriors, const SparseRules& rules,
                  const Memberships& members, SparseRoles& state) {
  const double gain = std::log(state.p1 / state.p0);
  const double price = std::log((1.0 - state.p0) / (1.0 - state.p1));
  std::vector<std::vector<std::uint32_t>> roles;
  for (std::size_t k = 0; k < state.roles.rows(); ++k) roles.emplace_back(state.roles[k].begin(), state.roles[k].end());
  RoleUpdate update(held, posteriors, rules);
  for (std::size_t k = rules.kept; k < roles.size(); ++k) {
    roles[k] = update.best(roles, k, members.of(k), gain, price);
  }
  SparseRows next;
  next.columns = state.roles.columns;
  for (const std::vector<std::uint32_t>& role : roles) next.add(role);
  state.roles = std::move(next);
}

// Granted cells, and held ones among them.
void update_levels(const SparseRows& held, const SparsePosteriors& posteriors, RoleNoise noise, SparseRoles& state,
                   Threads threads) {
  if (noise == RoleNoise::none) return;
  const std::size_t users = held.rows();
  const std::vector<double> sums =
      sum_over_tasks(em_tasks_for(users), 2, threads, [&](std::size_t task, std::span<double> to) {
        std::vector<std::uint32_t> stamp(held.columns);
        std::uint32_t now = 0;
        for (std::size_t n = task * em_users_a_task; n < std::min(users, (task + 1) * em_users_a_task); ++n) {
          for (const SetOfUser& set : posteriors.of[n]) {
            now += 2;
            std::size_t granted = 0;
            for (const std::uint32_t k : set.roles) {
              for (const std::uint32_t d : state.roles[k]) {
                granted += stamp[d] == now ? 0 : 1;
                stamp[d] = now;
              }
            }
            std::size_t both = 0;
            for (const std::uint32_t d : held[n]) both += stamp[d] == now ? 1 : 0;
            to[0] += set.share * static_cast<double>(granted);
            to[1] += set.share * static_cast<double>(both);
          }
        }
      });
  const double cells = static_cast<double>(users) * static_cast<double>(held.columns);
  const auto ones = static_cast<double>(held.places.size());
  const auto share = [](double of, double all, double otherwise) {
    return all > 0.0 ? std::clamp(of / all, least_noise, 1.0 - least_noise) : otherwise;
  };
  if (noise == RoleNoise::symmetric_flip) {
    state.p0 = std::min(share(ones - sums[1] + sums[0] - sums[1], cells, state.p0), 0.5);
    state.p1 = 1.0 - state.p0;
    return;
  }
  state.p1 = share(sums[1], sums[0], state.p1);
  state.p0 = share(ones - sums[1], cells - sums[0], state.p0);
  if (state.p0 > state.p1) state.p0 = state.p1 = share(ones, cells, state.p0);
}

void update_shares(const SparsePosteriors& posteriors, const Memberships& members, SparseRoles& state) {
  const auto users = static_cast<double>(posteriors.of.size());
  for (std::size_t k = 0; k < state.share.size(); ++k) {
    double count = 0.0;
    for (const Memberships::Entry& entry : members.of(k)) count += posteriors.of[entry.user][entry.set].share;
    state.share[k] = std::clamp(count, least_members, users - least_members) / users;
  }
}

void add_rows(const std::vector<std::uint32_t>& row, std::vector<double>& numbers) {
  numbers.push_back(static_cast<double>(row.size()));
  numbers.insert(numbers.end(), row.begin(), row.end());
}

// A state as numbers: levels, shares, roles, and the sets of the last E-step, since the next one goes on from them.
// Roles and sets are their size and their members.
std::vector<double> state_numbers(const SparseRoles& state, const SparsePosteriors& posteriors) {
  std::vector<double> numbers{state.p0, state.p1};
  numbers.insert(numbers.end(), state.share.begin(), state.share.end());
  for (std::size_t k = 0; k < state.roles.rows(); ++k) {
    add_rows({state.roles[k].begin(), state.roles[k].end()}, numbers);
  }
  for (const std::vector<SetOfUser>& sets : posteriors.of) {
    numbers.push_back(static_cast<double>(sets.size()));
    for (const SetOfUser& set : sets) add_rows(set.roles, numbers);
  }
  return numbers;
}

// Reads what state_numbers wrote; a number that cannot be one of its kind makes it bad.
class StateReader {
 public:
  explicit StateReader(std::span<const double> numbers) : numbers_(numbers) {}

  double number() { return at_ < numbers_.size() ? numbers_[at_++] : bad(); }
  std::size_t count() {
    const double value = number();
    const bool fits = value >= 0.0 && value <= static_cast<double>(numbers_.size() - at_);
    return fits ? static_cast<std::size_t>(value) : static_cast<std::size_t>(bad());
  }
  std::vector<std::uint32_t> row(std::size_t below) {
    std::vector<std::uint32_t> row(count());
    for (std::uint32_t& place : row) {
      const double value = number();
      place = static_cast<std::uint32_t>(value >= 0.0 && value < static_cast<double>(below) ? value : bad());
    }
    return row;
  }
  bool is_good() const { return is_good_; }
  bool is_at_end() const { return at_ == numbers_.size(); }

 private:
  double bad() {
    is_good_ = false;
    return 0.0;
  }

  std::span<const double> numbers_;
  std::size_t at_ = 0;
  bool is_good_ = true;
};

bool take_numbers(std::span<const double> numbers, std::size_t users, SparseRoles& state,
                  SparsePosteriors& posteriors) {
  StateReader reader(numbers);
  SparseRoles taken;
  taken.p0 = reader.number();
  taken.p1 = reader.number();
  for (std::size_t k = 0; k < state.share.size(); ++k) taken.share.push_back(reader.number());
  taken.roles.columns = state.roles.columns;
  for (std::size_t k = 0; k < state.share.size(); ++k) taken.roles.add(reader.row(taken.roles.columns));
  SparsePosteriors sets;
  while (reader.is_good() && !reader.is_at_end() && sets.of.size() < users) {
    std::vector<SetOfUser>& of_user = sets.of.emplace_back();
    const std::size_t count = reader.count();
    for (std::size_t i = 0; i < count && reader.is_good(); ++i)
      of_user.push_back({reader.row(taken.share.size()), 0.0});
  }
  const bool is_whole = sets.of.empty() || sets.of.size() == users;
  if (!reader.is_good() || !reader.is_at_end() || !is_whole) return false;
  state = std::move(taken);
  posteriors = std::move(sets);
  return true;
}

double change_between(const SparseRoles& a, const SparseRoles& b) {
  if (!(a.roles == b.roles)) return std::numeric_limits<double>::infinity();
  double change = std::max(std::abs(a.p0 - b.p0), std::abs(a.p1 - b.p1));
  for (std::size_t k = 0; k < a.share.size(); ++k) change = std::max(change, std::abs(a.share[k] - b.share[k]));
  return change;
}

}  // namespace

SparsePosteriors respond(const SparseRows& held, const SparseRoles& state, const SparseRules& rules,
                         const SparsePosteriors* before, Threads threads) {
  const std::size_t users = held.rows();
  const GrowthModel model(state.roles, state.p0, state.p1, state.share, rules.growth);
  SparsePosteriors result;
  result.of.resize(users);
  double nobody = 0.0;  // log p of the empty set
  for (const double share : state.share) nobody += std::log1p(-share);
  const std::vector<double> sums =
      sum_over_tasks(em_tasks_for(users), 2, threads, [&](std::size_t task, std::span<double> to) {
        SetGrower grower(model);
        std::vector<SetOfUser> old;
        for (std::size_t n = task * em_users_a_task; n < std::min(users, (task + 1) * em_users_a_task); ++n) {
          GrownSets grown = grower.grow(held[n]);
          double sum = set_shares(grown.sets, result.of[n]);
          bool is_proved = grown.is_proved;
          if (before != nullptr && !before->of.empty()) {
            std::vector<GrownSet> same;
            for (const SetOfUser& set : before->of[n]) same.push_back({set.roles, grower.worth(set.roles, held[n])});
            const double old_sum = set_shares(same, old);
            if (old_sum > sum) {
              sum = old_sum;
              result.of[n] = old;
            }
          }
          to[0] += sum + log_without_roles(held[n].size(), held.columns, state) + nobody;
          to[1] += is_proved ? 0.0 : 1.0;
        }
      });
  result.objective = sums[0];
  result.unproved = static_cast<std::size_t>(sums[1]);
  return result;
}

void maximise(const SparseRows& held, const SparsePosteriors& posteriors, const SparseRules& rules, SparseRoles& state,
              Threads threads) {
  const Memberships members(posteriors, state.roles.rows());
  update_roles(held, posteriors, rules, members, state);
  update_levels(held, posteriors, rules.noise, state, threads);
  update_shares(posteriors, members, state);
}

SparseFit fit_sparse(const SparseRows& held, SparseRoles start, const SparseRules& rules, const SparseFitRule& rule,
                     const RunContext& run, std::string_view stage) {
  SparseFit fit;
  fit.state = std::move(start);
  if (rules.noise == RoleNoise::none) {
    fit.state.p0 = least_noise;
    fit.state.p1 = 1.0 - least_noise;
  }
  Iterated loop;
  loop.objective = [&] {
    fit.posteriors = respond(held, fit.state, rules, &fit.posteriors, run.threads);
    fit.state.objective = fit.posteriors.objective;
    return fit.posteriors.objective;
  };
  loop.step = [&] {
    const SparseRoles before = fit.state;
    maximise(held, fit.posteriors, rules, fit.state, run.threads);
    return Step{change_between(before, fit.state), {}};
  };
  loop.keep = [&] { return state_numbers(fit.state, fit.posteriors); };
  loop.take = [&](std::span<const double> numbers) {
    return take_numbers(numbers, held.rows(), fit.state, fit.posteriors);
  };
  IterationRule iteration;
  iteration.max_iterations = rule.max_iterations;
  iteration.tolerance = rule.tolerance;
  iteration.relative_rise = least_sparse_rise;
  fit.summary = iterate(loop, iteration, run, stage);
  return fit;
}

SparseRoles sparse_start(SparseRows roles, const SparseRows& held, std::size_t most_roles) {
  SparseRoles state;
  const double cells = static_cast<double>(held.rows()) * static_cast<double>(held.columns);
  state.p0 = std::clamp(static_cast<double>(held.places.size()) / cells, least_noise, 0.5);
  state.p1 = start_held;
  const double each =
      0.5 * static_cast<double>(most_roles) / static_cast<double>(std::max<std::size_t>(roles.rows(), 1));
  state.share.assign(roles.rows(), std::clamp(each, 1e-4, 0.5));
  state.roles = std::move(roles);
  return state;
}

}  // namespace motet::roles
