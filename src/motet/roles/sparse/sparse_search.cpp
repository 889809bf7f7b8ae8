#include "motet/roles/sparse/sparse_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/streams.h"

namespace motet::roles {
namespace {

constexpr std::size_t sparse_start_steps = 12;
constexpr std::size_t sparse_trial_steps = 2;
constexpr std::size_t sparse_settle_steps = 6;
constexpr std::size_t sparse_rounds = 8;
constexpr std::size_t failures = 2;       // moves in a row that help nothing end the search
constexpr double least_move_gain = 1e-5;  // relative: what a move must gain, and
constexpr double least_move_nats = 3.0;
constexpr double same_members = 0.7;    // Jaccard from which the union of two roles is tried
constexpr double alike_roles = 0.3;     // Jaccard of permissions: one of the two may stand in for the other
constexpr double least_missing = 0.02;  // share of a role's cells that its members lack, beyond (1 - p1)
constexpr std::size_t parts_of_a_role = 2;
constexpr double largest_part = 0.9;  // of a role; more would be the role itself
constexpr std::size_t most_extra = 40;
constexpr double least_loss = 0.5;  // nats over all users: a role that nobody needs

class SparseSearch {
 public:
  SparseSearch(const SparseRows& held, const SparseQuestion& question, const SparseRules& rules, const RunContext& run)
      : view_(held), question_(question), rules_(rules), run_(run), rng_(stream(run.seed, Stream::roles_growth)) {
    run_.observer = {};
    run_.save = {};
    run_.resume = {};
  }

  std::vector<NamedSparse> go(const std::function<void(double, double)>& told) {
    std::vector<NamedSparse> ends;
    std::vector<SparseFit> fits;
    std::vector<NamedSparse> starts = question_.starts;
    starts.insert(starts.begin(), {"co-occurrence", first()});
    const auto total = static_cast<double>(starts.size() + sparse_rounds);
    for (NamedSparse& start : starts) {
      told(static_cast<double>(ends.size()), total);
      if (start.state.roles.rows() != question_.roles) continue;
      fits.push_back(fit(std::move(start.state), sparse_start_steps));
      ends.push_back({start.name, fits.back().state});
    }
    if (ends.empty()) return ends;
    std::size_t best = 0;
    for (std::size_t i = 1; i < ends.size(); ++i) {
      if (ends[i].state.objective > ends[best].state.objective) best = i;
    }
    SparseFit now = std::move(fits[best]);
    std::size_t failed = 0;
    for (std::size_t round = 0; round < sparse_rounds && failed < failures; ++round) {
      told(static_cast<double>(ends.size() + round), total);
      SparseFit moved = move(now, round);
      const double least = std::max(least_move_nats, least_move_gain * std::abs(now.state.objective));
      if (moved.state.roles.rows() == question_.roles && moved.state.objective > now.state.objective + least) {
        now = std::move(moved);
        failed = 0;
      } else {
        ++failed;
      }
    }
    ends[best].state = std::move(now.state);
    std::stable_sort(ends.begin(), ends.end(),
                     [](const NamedSparse& a, const NamedSparse& b) { return a.state.objective > b.state.objective; });
    return ends;
  }

 private:
  SparseFit fit(SparseRoles state, std::size_t steps) const {
    if (run_.cancelled()) fail(ErrorKind::interrupted, "interrupted");
    return fit_sparse(view_.by_user, std::move(state), rules_, {steps, 1e-4}, run_);
  }

  CandidateGain gain_of(double p0, double p1) const {
    return {std::log(p1 / p0), std::log((1.0 - p0) / (1.0 - p1)), std::log(static_cast<double>(question_.roles) + 1.0)};
  }

  static void append(SparseRows& roles, const std::vector<Permissions>& more) {
    for (const Permissions& role : more) roles.add(role);
  }

  // Kept roles, candidates, and where those are too few, what single users hold beside them.
  SparseRoles first() {
    SparseRoles state = sparse_start(question_.kept, view_.by_user, rules_.growth.most_roles);
    const CandidateGain gain = gain_of(state.p0, state.p1);
    const std::vector<Permissions> candidates = role_candidates(view_, gain, rng_.child(0), run_.threads);
    std::vector<std::uint8_t> granted;
    const std::size_t wanted = question_.roles - question_.kept.rows();
    std::vector<Permissions> chosen = choose_candidates(view_, candidates, wanted, gain, granted, run_.threads);
    std::ranges::move(leftover_rows(view_, granted, wanted - chosen.size()), std::back_inserter(chosen));
    SparseRows roles = question_.kept;
    roles.columns = view_.by_user.columns;
    append(roles, allowed(chosen));
    return sparse_start(std::move(roles), view_.by_user, rules_.growth.most_roles);
  }

  // Without permissions that may not share a role: the first of two stays.
  std::vector<Permissions> allowed(std::vector<Permissions> roles) const {
    if (rules_.never_with.empty()) return roles;
    for (Permissions& role : roles) {
      Permissions kept;
      for (const std::uint32_t d : role) {
        const std::vector<std::uint32_t>& others = rules_.never_with[d];
        const bool fits = std::none_of(others.begin(), others.end(), [&](std::uint32_t e) {
          return std::find(kept.begin(), kept.end(), e) != kept.end();
        });
        if (fits) kept.push_back(d);
      }
      role = std::move(kept);
    }
    return roles;
  }

  // By holding, as the permissions hold them: 1 where the most probable set of the user grants it.
  std::vector<std::uint8_t> granted_by(const SparseFit& now) const {
    std::vector<std::uint8_t> granted(view_.by_user.places.size());
    std::vector<std::vector<std::uint32_t>> members(now.state.roles.rows());
    for (std::uint32_t n = 0; n < now.posteriors.of.size(); ++n) {
      for (const std::uint32_t k : now.posteriors.of[n].front().roles) members[k].push_back(n);
    }
    for (std::size_t k = 0; k < members.size(); ++k) {
      for (const std::uint32_t d : now.state.roles[k]) {
        const std::span<const std::uint32_t> holders = view_.by_permission[d];
        const std::size_t begin = view_.by_permission.begin(d);
        std::size_t i = 0;
        for (const std::uint32_t n : members[k]) {
          while (i < holders.size() && holders[i] < n) ++i;
          if (i < holders.size() && holders[i] == n) granted[begin + i] = 1;
        }
      }
    }
    return granted;
  }

  std::vector<Permissions> from_residual(const SparseFit& now, const CandidateGain& gain, std::size_t count,
                                         std::size_t round) {
    std::vector<std::uint8_t> granted = granted_by(now);
    SparseRows left;  // by permission
    left.columns = view_.by_user.rows();
    for (std::size_t d = 0; d < view_.by_permission.rows(); ++d) {
      const std::size_t begin = view_.by_permission.begin(d);
      for (std::size_t i = begin; i < view_.by_permission.ends[d]; ++i) {
        if (granted[i] == 0) left.places.push_back(view_.by_permission.places[i]);
      }
      left.ends.push_back(left.places.size());
    }
    const SparseRows by_user = transposed(left);
    const AccessView residual(by_user);
    const std::vector<Permissions> candidates =
        role_candidates(residual, gain, rng_.child(1).child(round), run_.threads);
    std::vector<Permissions> chosen = choose_candidates(view_, candidates, count, gain, granted, run_.threads);
    std::ranges::move(leftover_rows(view_, granted, count - chosen.size()), std::back_inserter(chosen));
    return chosen;
  }

  // Parts of the roles whose members lack the most.
  std::vector<Permissions> from_splits(const SparseFit& now, const CandidateGain& gain, std::size_t count,
                                       std::size_t round) {
    const std::size_t roles = now.state.roles.rows();
    std::vector<SparseRows> own(roles);  // by role: what members hold of it, in its columns
    std::vector<double> missing(roles);
    std::vector<std::uint32_t> place(view_.by_user.columns);
    for (std::size_t k = rules_.kept; k < roles; ++k) own[k].columns = now.state.roles[k].size();
    std::vector<std::vector<std::uint32_t>> members(roles);
    for (std::uint32_t n = 0; n < now.posteriors.of.size(); ++n) {
      for (const std::uint32_t k : now.posteriors.of[n].front().roles) members[k].push_back(n);
    }
    for (std::size_t k = rules_.kept; k < roles; ++k) {
      const std::span<const std::uint32_t> role = now.state.roles[k];
      for (std::size_t i = 0; i < role.size(); ++i) place[role[i]] = static_cast<std::uint32_t>(i + 1);
      std::vector<std::uint32_t> row;
      for (const std::uint32_t n : members[k]) {
        row.clear();
        for (const std::uint32_t d : view_.by_user[n]) {
          if (place[d] != 0) row.push_back(place[d] - 1);
        }
        missing[k] += static_cast<double>(role.size() - row.size());
        own[k].add(row);
      }
      const double cells = static_cast<double>(role.size()) * static_cast<double>(members[k].size());
      missing[k] -= cells * (1.0 - now.state.p1 + least_missing);
      for (const std::uint32_t d : role) place[d] = 0;
    }
    std::vector<std::size_t> order(roles);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return missing[a] > missing[b]; });
    std::vector<Permissions> result;
    for (const std::size_t k : order) {
      if (!(missing[k] > 0.0) || result.size() >= count) break;
      const AccessView members_view(own[k]);
      std::vector<Permissions> candidates =
          role_candidates(members_view, gain, rng_.child(2).child(round).child(k), run_.threads);
      const double most = largest_part * static_cast<double>(now.state.roles[k].size());
      std::erase_if(candidates, [&](const Permissions& part) { return static_cast<double>(part.size()) > most; });
      std::vector<std::uint8_t> granted;
      for (Permissions part :
           choose_candidates(members_view, candidates, parts_of_a_role, gain, granted, run_.threads)) {
        for (std::uint32_t& d : part) d = now.state.roles[k][d];
        result.push_back(std::move(part));
      }
    }
    return result;
  }

  // Unions of roles that go together.
  std::vector<Permissions> from_unions(const SparseFit& now, std::size_t count) const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> together;
    std::vector<std::size_t> members(now.state.roles.rows());
    for (const std::vector<SetOfUser>& sets : now.posteriors.of) {
      const std::vector<std::uint32_t>& set = sets.front().roles;
      for (std::size_t i = 0; i < set.size(); ++i) {
        ++members[set[i]];
        for (std::size_t j = 0; j < i; ++j) ++together[{set[j], set[i]}];
      }
    }
    std::vector<Permissions> result;
    for (const auto& [pair, both] : together) {
      if (result.size() >= count) break;
      if (pair.first < rules_.kept || pair.second < rules_.kept) continue;
      const auto either = static_cast<double>(members[pair.first] + members[pair.second] - both);
      if (static_cast<double>(both) < same_members * either) continue;
      Permissions united;
      std::ranges::set_union(now.state.roles[pair.first], now.state.roles[pair.second], std::back_inserter(united));
      result.push_back(std::move(united));
    }
    return result;
  }

  static std::size_t without_members(const SparseFit& now) {
    const std::vector<double> loss = removal_losses(now.posteriors, now.state.roles.rows(), 0);
    return static_cast<std::size_t>(std::count_if(loss.begin(), loss.end(), [](double l) { return l < least_loss; }));
  }

  SparseFit move(const SparseFit& now, std::size_t round) {
    const std::size_t extra = std::clamp<std::size_t>(question_.roles / 10, 2, most_extra) + without_members(now);
    const CandidateGain gain = gain_of(now.state.p0, now.state.p1);
    std::vector<Permissions> more = from_residual(now, gain, extra, round);
    for (const std::vector<Permissions>& some : {from_splits(now, gain, extra, round), from_unions(now, extra)}) {
      more.insert(more.end(), some.begin(), some.end());
    }
    SparseFit larger;
    larger.state = now.state;
    if (more.empty()) return larger;
    append(larger.state.roles, allowed(std::move(more)));
    larger.state.share.resize(larger.state.roles.rows(), 1.0 / static_cast<double>(question_.roles + 1));
    larger = fit(std::move(larger.state), sparse_trial_steps);
    while (larger.state.roles.rows() > question_.roles) larger = fit(pruned(larger), sparse_trial_steps);
    return fit(std::move(larger.state), sparse_settle_steps);
  }

  // Without the roles that are needed least; of two that may stand in for each other, one at a time.
  SparseRoles pruned(const SparseFit& larger) const {
    const std::size_t roles = larger.state.roles.rows();
    const std::vector<double> loss = removal_losses(larger.posteriors, roles, rules_.kept);
    std::vector<std::size_t> order(roles);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return loss[a] < loss[b]; });
    std::vector<std::size_t> out;
    for (const std::size_t k : order) {
      if (out.size() + question_.roles >= roles) break;
      const bool may_stand_in = std::any_of(out.begin(), out.end(), [&](std::size_t other) {
        const auto common = static_cast<double>(common_places(larger.state.roles[k], larger.state.roles[other]));
        const auto either =
            static_cast<double>(larger.state.roles[k].size() + larger.state.roles[other].size()) - common;
        return common > alike_roles * either;
      });
      if (!may_stand_in || loss[k] < least_loss) out.push_back(k);
    }
    SparseRoles fewer = larger.state;
    fewer.roles = {};
    fewer.roles.columns = larger.state.roles.columns;
    fewer.share.clear();
    for (std::size_t k = 0; k < roles; ++k) {
      if (std::find(out.begin(), out.end(), k) != out.end()) continue;
      fewer.roles.add(larger.state.roles[k]);
      fewer.share.push_back(larger.state.share[k]);
    }
    return fewer;
  }

  AccessView view_;
  const SparseQuestion& question_;
  const SparseRules& rules_;
  RunContext run_;
  Rng rng_;
};

}  // namespace

std::vector<double> removal_losses(const SparsePosteriors& posteriors, std::size_t roles, std::size_t kept) {
  std::vector<double> loss(roles);
  std::vector<double> with(roles);
  std::vector<std::uint32_t> touched;
  for (const std::vector<SetOfUser>& sets : posteriors.of) {
    touched.clear();
    for (const SetOfUser& set : sets) {
      for (const std::uint32_t k : set.roles) {
        if (with[k] == 0.0) touched.push_back(k);
        with[k] += set.share;
      }
    }
    for (const std::uint32_t k : touched) {
      loss[k] += std::min(near_sets, -std::log(std::max(1.0 - with[k], 1e-300)));
      with[k] = 0.0;
    }
  }
  for (std::size_t k = 0; k < kept; ++k) loss[k] = std::numeric_limits<double>::infinity();
  return loss;
}

std::vector<NamedSparse> search_sparse(const SparseRows& held, const SparseQuestion& question, const SparseRules& rules,
                                       const RunContext& run) {
  return SparseSearch(held, question, rules, run).go([&](double done, double total) {
    if (run.observer) run.observer({"searching for roles", done, total, "steps"});
  });
}

}  // namespace motet::roles
