#include "motet/roles/catalogue/assign_roles.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "motet/base/error.h"
#include "motet/roles/catalogue/cheapest_set.h"
#include "motet/roles/merge.h"

namespace motet::roles {
namespace {

constexpr std::size_t users_per_task = 64;
constexpr double dearest = 1e6;                // an over-grant beyond it is as good as forbidden, and sums stay exact
constexpr double nanoseconds_per_role = 20.0;  // to see whether it fits a user

// A role by the words of its row that are not empty.
struct RoleWords {
  std::vector<std::uint32_t> word;
  std::vector<std::uint64_t> bits;
};

std::vector<RoleWords> words_of(const BitMatrix& roles) {
  std::vector<RoleWords> all(roles.rows());
  for (std::size_t k = 0; k < roles.rows(); ++k) {
    for (std::size_t w = 0; w < roles.words(); ++w) {
      if (roles.row(k)[w] == 0) continue;
      all[k].word.push_back(static_cast<std::uint32_t>(w));
      all[k].bits.push_back(roles.row(k)[w]);
    }
  }
  return all;
}

class Chooser {
 public:
  Chooser(const BitMatrix& held, const RoleCatalogue& catalogue, const AssignRule& rule)
      : held_(held), catalogue_(catalogue), rule_(rule), words_(words_of(catalogue.permissions)) {
    partners_.resize(catalogue.size());
    for (const auto& [a, b] : catalogue.never_with_one_user) {
      partners_[a].push_back(b);
      partners_[b].push_back(a);
    }
  }

  struct Chosen {
    std::vector<std::uint32_t> roles;
    bool proved = true;
  };

  Chosen of(std::size_t user) const {
    std::vector<std::uint32_t> candidates = useful_roles(user);
    Chosen chosen;
    if (candidates.empty()) return chosen;
    const UserCover cover = cover_of(user, candidates);
    const CheapestSet best = cheapest_set(cover, rule_.most_nodes);
    for (const std::uint32_t c : best.chosen) chosen.roles.push_back(candidates[c]);
    chosen.proved = best.proved;
    return chosen;
  }

 private:
  bool grants_all_or_nothing() const { return std::isinf(rule_.over_grant_cost); }

  double price(std::size_t permission) const {
    return std::min(dearest, rule_.over_grant_cost * (rule_.risk.empty() ? 1.0 : rule_.risk[permission]));
  }

  std::vector<std::uint32_t> useful_roles(std::size_t user) const {
    const auto row = held_.row(user);
    std::vector<std::uint32_t> useful;
    for (std::uint32_t k = 0; k < words_.size(); ++k) {
      const RoleWords& role = words_[k];
      bool shares = false;
      bool exceeds = false;
      for (std::size_t i = 0; i < role.word.size(); ++i) {
        shares = shares || (row[role.word[i]] & role.bits[i]) != 0;
        exceeds = exceeds || (role.bits[i] & ~row[role.word[i]]) != 0;
      }
      if (shares && !(exceeds && grants_all_or_nothing())) useful.push_back(k);
    }
    if (!grants_all_or_nothing()) drop_too_dear(user, useful);
    drop_contained(user, useful);
    return useful;
  }

  // A role whose own over-grants, which no other candidate has, cost as much as all it covers never pays.
  void drop_too_dear(std::size_t user, std::vector<std::uint32_t>& useful) const {
    const auto& roles = catalogue_.permissions;
    std::vector<std::uint32_t> granters(roles.columns(), 0);
    for (const std::uint32_t k : useful) for_each_bit(roles.row(k), [&](std::size_t d) { ++granters[d]; });
    for (std::size_t before = useful.size() + 1; useful.size() < before;) {
      before = useful.size();
      std::erase_if(useful, [&](std::uint32_t k) {
        double gain = 0.0;
        double own = 0.0;
        for_each_bit(roles.row(k), [&](std::size_t d) {
          if (held_(user, d)) {
            gain += 1.0;
          } else if (granters[d] == 1) {
            own += price(d);
          }
        });
        if (own < gain) return false;
        for_each_bit(roles.row(k), [&](std::size_t d) { --granters[d]; });
        return true;
      });
    }
  }

  // For this user, all that `one` covers `other` covers too, and `other` grants nothing more that is not held.
  bool is_contained(std::size_t user, std::uint32_t one, std::uint32_t other) const {
    const auto row = held_.row(user);
    const auto a = catalogue_.permissions.row(one);
    const auto b = catalogue_.permissions.row(other);
    for (const std::uint32_t w : words_[one].word) {
      if ((a[w] & row[w] & ~b[w]) != 0) return false;
    }
    for (const std::uint32_t w : words_[other].word) {
      if ((b[w] & ~row[w] & ~a[w]) != 0) return false;
    }
    return true;
  }

  // The first of equals stays. A role that keeps others away does not replace one.
  void drop_contained(std::size_t user, std::vector<std::uint32_t>& useful) const {
    std::vector<std::uint32_t> kept;
    for (const std::uint32_t k : useful) {
      const bool is_needless = std::any_of(useful.begin(), useful.end(), [&](std::uint32_t other) {
        if (other == k || !partners_[other].empty() || !is_contained(user, k, other)) return false;
        return other < k || !partners_[k].empty() || !is_contained(user, other, k);
      });
      if (!is_needless) kept.push_back(k);
    }
    useful = std::move(kept);
  }

  UserCover cover_of(std::size_t user, const std::vector<std::uint32_t>& candidates) const {
    const auto& roles = catalogue_.permissions;
    std::vector<std::uint32_t> wanted;
    std::vector<std::uint32_t> surplus;
    std::vector<std::uint64_t> any(roles.words(), 0);
    for (const std::uint32_t k : candidates) {
      for (const std::uint32_t w : words_[k].word) any[w] |= roles.row(k)[w];
    }
    UserCover cover;
    for_each_bit(any, [&](std::size_t d) {
      (held_(user, d) ? wanted : surplus).push_back(static_cast<std::uint32_t>(d));
      if (!held_(user, d)) {
        cover.price.push_back(std::llround(price(d) * static_cast<double>(one_permission)));
      }
    });
    const BitMatrix some = roles.rows_of(candidates);
    cover.wanted = some.columns_of(wanted);
    cover.surplus = some.columns_of(surplus);
    for (std::uint32_t i = 0; i < candidates.size(); ++i) {
      for (const std::uint32_t other : partners_[candidates[i]]) {
        const auto place = std::lower_bound(candidates.begin(), candidates.end(), other);
        if (other > candidates[i] && place != candidates.end() && *place == other) {
          cover.apart.emplace_back(i, static_cast<std::uint32_t>(place - candidates.begin()));
        }
      }
    }
    return cover;
  }

  const BitMatrix& held_;
  const RoleCatalogue& catalogue_;
  const AssignRule& rule_;
  std::vector<RoleWords> words_;
  std::vector<std::vector<std::uint32_t>> partners_;
};

}  // namespace

RolesOfUsers assign_roles(const BitMatrix& held, const RoleCatalogue& catalogue, const AssignRule& rule,
                          const RunContext& run) {
  const MergedMatrix merged = merge_equal(held, {.rows = true, .columns = false});
  const Chooser chooser(merged.bits, catalogue, rule);
  std::vector<Chooser::Chosen> chosen(merged.bits.rows());
  const std::size_t tasks = (chosen.size() + users_per_task - 1) / users_per_task;
  const double work = nanoseconds_per_role * static_cast<double>(chosen.size()) * static_cast<double>(catalogue.size());
  for_each_task(tasks, threads_for(run.threads, work), [&](std::size_t task) {
    const std::size_t end = std::min(chosen.size(), (task + 1) * users_per_task);
    for (std::size_t n = task * users_per_task; n < end && !run.cancelled(); ++n) chosen[n] = chooser.of(n);
  });
  if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while assigning roles");
  RolesOfUsers result{BitMatrix(held.rows(), catalogue.size()), 0};
  for (std::size_t n = 0; n < held.rows(); ++n) {
    const Chooser::Chosen& own = chosen[merged.row_of[n]];
    for (const std::uint32_t k : own.roles) result.assignments.set(n, k);
    result.unproved += own.proved ? 0 : 1;
  }
  return result;
}

}  // namespace motet::roles
