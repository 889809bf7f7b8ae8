#include "motet/roles/sparse/grown_sets.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <unordered_map>

#include "motet/base/error.h"

namespace motet::roles {
namespace {

constexpr std::size_t users_in_a_task = 256;
constexpr double least_share_kept = 1e-6;  // of the best set; less likely sets are left out
constexpr double lone_users = 1.5;         // a set that fewer are expected to have is one user's

SparseRows roles_of(const RoleModel& model) {
  SparseRows roles;
  roles.columns = model.permission_count();
  std::vector<std::uint32_t> role;
  for (std::size_t k = 0; k < model.role_count(); ++k) {
    role.clear();
    for (std::uint32_t d = 0; d < roles.columns; ++d) {
      if (model.has(k, d)) role.push_back(d);
    }
    roles.add(role);
  }
  return roles;
}

std::vector<std::uint32_t> places_of(std::span<const std::uint64_t> row) {
  std::vector<std::uint32_t> places;
  for_each_bit(row, [&](std::size_t d) { places.push_back(static_cast<std::uint32_t>(d)); });
  return places;
}

// Everything the growth for a model needs, in one place.
struct ModelGrowth {
  explicit ModelGrowth(const RoleModel& model)
      : roles(roles_of(model)),
        rules{model.grown->most_roles, model.grown->never_together},
        growth(roles, model.p0[0], model.p1[0], model.grown->role_share, rules) {}

  SparseRows roles;
  GrowthRules rules;
  GrowthModel growth;
};

// Where a set is in the list.
class SetIndex {
 public:
  explicit SetIndex(const LabelSets& sets) {
    place_.reserve(sets.size());
    for (std::size_t l = 0; l < sets.size(); ++l) place_.try_emplace(key_of(sets[l]), static_cast<std::uint32_t>(l));
  }
  static constexpr std::uint32_t absent = 0xFFFFFFFFU;
  std::uint32_t find(std::span<const std::uint32_t> set) const {
    const auto found = place_.find(key_of(set));
    return found == place_.end() ? absent : found->second;
  }

 private:
  static std::string_view key_of(std::span<const std::uint32_t> set) {
    return {reinterpret_cast<const char*>(set.data()), set.size_bytes()};
  }
  std::unordered_map<std::string_view, std::uint32_t> place_;
};

template <class Body>
void for_each_user(std::size_t users, Threads threads, const ModelGrowth& growth, const Body& body) {
  for_each_task((users + users_in_a_task - 1) / users_in_a_task, threads, [&](std::size_t task) {
    SetGrower grower(growth.growth);
    for (std::size_t n = task * users_in_a_task; n < std::min(users, (task + 1) * users_in_a_task); ++n) {
      body(n, grower);
    }
  });
}

struct UserShares {
  std::vector<SetShare> shares;
  double log_likelihood = 0.0;
  double dropped = 0.0;
};

// Scores of grown sets with p(L), as shares of the listed ones.
class GrownScorer {
 public:
  GrownScorer(const RoleModel& model, const GrowthModel& growth) : model_(model), growth_(growth), index_(model.sets) {
    for (const double share : model.grown->role_share) nobody_ += std::log1p(-share);
  }

  UserShares score(const GrownSets& grown, double log_nothing) const {
    std::vector<double> scores;
    std::vector<std::uint32_t> place;
    double best = -std::numeric_limits<double>::infinity();
    for (const GrownSet& set : grown.sets) {
      double odds = 0.0;
      for (const std::uint32_t k : set.roles) odds += growth_.log_odds[k];
      place.push_back(index_.find(set.roles));
      const double listed = place.back() == SetIndex::absent ? 0.0 : model_.set_share[place.back()];
      const double unseen = model_.grown->unseen;
      scores.push_back(set.worth - odds + std::log((1.0 - unseen) * listed + unseen * std::exp(nobody_ + odds)));
      best = std::max(best, scores.back());
    }
    UserShares result;
    double sum = 0.0;
    double kept = 0.0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double share = std::exp(scores[i] - best);
      sum += share;
      if (share < least_share_kept || place[i] == SetIndex::absent) continue;
      kept += share;
      result.shares.push_back({place[i], share});
    }
    if (result.shares.empty()) {
      result.shares.push_back({0, 1.0});
    } else {
      for (SetShare& share : result.shares) share.probability /= kept;
    }
    std::stable_sort(result.shares.begin(), result.shares.end(),
                     [](const SetShare& a, const SetShare& b) { return a.probability > b.probability; });
    result.log_likelihood = log_nothing + best + std::log(sum);
    result.dropped = std::max(0.0, (sum - kept) / sum);
    return result;
  }

 private:
  const RoleModel& model_;
  const GrowthModel& growth_;
  SetIndex index_;
  double nobody_ = 0.0;
};

// log p(known cells) of a user without roles.
double nothing_of(const RoleModel& model, std::span<const std::uint64_t> held, const BitMatrix* known, std::size_t n) {
  std::size_t cells = model.permission_count();
  std::size_t ones = 0;
  if (known != nullptr) cells = known->count(n);
  for (std::size_t w = 0; w < held.size(); ++w) {
    ones += static_cast<std::size_t>(std::popcount(known == nullptr ? held[w] : held[w] & known->row(n)[w]));
  }
  return static_cast<double>(ones) * std::log(model.p0[0]) +
         static_cast<double>(cells - ones) * std::log1p(-model.p0[0]);
}

std::span<const std::uint64_t> known_row(const BitMatrix* known, std::size_t n) {
  return known == nullptr ? std::span<const std::uint64_t>{} : known->row(n);
}

}  // namespace

void list_sets(const SparseRoles& state, const SparsePosteriors& posteriors, const SparseRules& rules,
               RoleModel& model) {
  const auto by_size = [](const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  };
  std::map<std::vector<std::uint32_t>, double, decltype(by_size)> users(by_size);
  users[{}] = 0.0;
  for (const std::vector<SetOfUser>& sets : posteriors.of) {
    for (const SetOfUser& set : sets) users[set.roles] += set.share;
  }
  const auto count = static_cast<double>(posteriors.of.size());
  double lone = 0.0;
  double sum = 0.0;
  for (const auto& [set, expected] : users) sum += expected;
  model.sets = {};
  model.set_share.clear();
  for (const auto& [set, expected] : users) {
    model.sets.add(set);
    model.set_share.push_back(std::min(1.0, expected / sum));
    if (expected < lone_users) lone += expected;
  }
  const double least = 1.0 / (count + 1.0);
  model.grown = GrownPrior{rules.growth.most_roles, std::clamp(lone / count, least, 1.0 - least), state.share,
                           rules.growth.never_together};
}

void add_sets_of(RoleModel& model, const BitMatrix& held, const BitMatrix* known, Threads threads) {
  if (!model.grown) return;
  const ModelGrowth growth(model);
  std::vector<std::vector<std::vector<std::uint32_t>>> found(held.rows());
  {
    const SetIndex index(model.sets);
    for_each_user(held.rows(), threads, growth, [&](std::size_t n, SetGrower& grower) {
      for (GrownSet& set : grower.grow(places_of(held.row(n)), known_row(known, n)).sets) {
        if (index.find(set.roles) == SetIndex::absent) found[n].push_back(std::move(set.roles));
      }
    });
  }
  std::vector<std::vector<std::uint32_t>> all;
  for (auto& sets : found) std::ranges::move(sets, std::back_inserter(all));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (const std::vector<std::uint32_t>& set : all) {
    model.sets.add(set);
    model.set_share.push_back(0.0);
  }
}

UserPosteriors grown_posteriors(const RoleModel& model, const BitMatrix& held, const BitMatrix* known,
                                const RunContext& run) {
  const ModelGrowth growth(model);
  const GrownScorer scorer(model, growth.growth);
  std::vector<UserShares> users(held.rows());
  for_each_user(held.rows(), run.threads, growth, [&](std::size_t n, SetGrower& grower) {
    if (run.cancelled()) return;
    users[n] = scorer.score(grower.grow(places_of(held.row(n)), known_row(known, n)),
                            nothing_of(model, held.row(n), known, n));
  });
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted");
  UserPosteriors result;
  for (const UserShares& user : users) {
    result.shares.insert(result.shares.end(), user.shares.begin(), user.shares.end());
    result.ends.push_back(result.shares.size());
    result.log_likelihood.push_back(user.log_likelihood);
    result.dropped = std::max(result.dropped, user.dropped);
  }
  return result;
}

std::vector<double> grown_information(const RoleModel& model, const BitMatrix& held, const UserPosteriors& users,
                                      Threads threads) {
  const SparseRows roles = roles_of(model);
  const double p0 = model.p0[0];
  const double p1 = model.p1[0];
  const std::size_t tasks = (held.rows() + users_in_a_task - 1) / users_in_a_task;
  return sum_over_tasks(tasks, 3, threads, [&](std::size_t task, std::span<double> to) {
    std::vector<std::size_t> stamp(model.permission_count());
    std::size_t now = 0;
    for (std::size_t n = task * users_in_a_task; n < std::min(held.rows(), (task + 1) * users_in_a_task); ++n) {
      const auto ones = static_cast<double>(held.count(n));
      double by_p0 = 0.0;
      double by_p1 = 0.0;
      for (const SetShare& share : users.of(n)) {
        ++now;
        double granted = 0.0;
        double both = 0.0;
        for (const std::uint32_t k : model.sets[share.set]) {
          for (const std::uint32_t d : roles[k]) {
            if (stamp[d] == now) continue;
            stamp[d] = now;
            granted += 1.0;
            both += held(n, d) ? 1.0 : 0.0;
          }
        }
        const double others = static_cast<double>(model.permission_count()) - granted;
        by_p0 += share.probability * ((ones - both) / p0 - (others - (ones - both)) / (1.0 - p0));
        by_p1 += share.probability * (both / p1 - (granted - both) / (1.0 - p1));
      }
      if (model.noise == RoleNoise::symmetric_flip) {
        by_p0 -= by_p1;  // p1 = 1 - p0
        by_p1 = 0.0;
      }
      to[0] += by_p0 * by_p0;
      to[1] += by_p0 * by_p1;
      to[2] += by_p1 * by_p1;
    }
  });
}

}  // namespace motet::roles
