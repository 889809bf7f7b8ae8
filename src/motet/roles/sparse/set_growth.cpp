#include "motet/roles/sparse/set_growth.h"

#include <algorithm>
#include <cmath>

namespace motet::roles {
namespace {

constexpr std::size_t most_branches = 400;  // of a user's tree; beyond it the best set is not proved
constexpr double least_better = 1e-9;       // nats, so that rounding improves nothing

}  // namespace

GrowthModel::GrowthModel(const SparseRows& all_roles, double p0, double p1, std::span<const double> shares,
                         const GrowthRules& growth_rules)
    : roles(all_roles),
      granting(transposed(all_roles)),
      held(std::log(p1 / p0)),
      missing(std::log((1.0 - p0) / (1.0 - p1))),
      rules(growth_rules) {
  for (std::size_t k = 0; k < shares.size(); ++k) {
    log_odds.push_back(std::log(shares[k] / (1.0 - shares[k])));
    if (log_odds.back() > -near_sets) {
      // A role with few permissions may be had by users of whom none shows.
      if (log_odds.back() - missing * static_cast<double>(roles[k].size()) > -near_sets) {
        likely.push_back(static_cast<std::uint32_t>(k));
      }
    }
  }
}

SetGrower::SetGrower(const GrowthModel& model)
    : model_(model),
      is_held_(model.roles.columns),
      cover_(model.roles.columns),
      sharers_(model.roles.columns),
      overlap_(model.roles.rows()) {}

void SetGrower::open(std::span<const std::uint32_t> held, std::span<const std::uint64_t> known) {
  known_ = known;
  for (const std::uint32_t d : held) {
    if (is_known(d)) is_held_[d] = 1;
  }
}

void SetGrower::close(std::span<const std::uint32_t> held) {
  for (const std::uint32_t d : held) is_held_[d] = 0;
}

// Roles that share a known permission with the user, and likely ones, split into held and missing cells.
void SetGrower::gather(std::span<const std::uint32_t> held) {
  std::vector<std::uint32_t> touched;
  for (const std::uint32_t d : held) {
    if (is_held_[d] == 0) continue;
    for (const std::uint32_t k : model_.granting[d]) {
      if (overlap_[k]++ == 0) touched.push_back(k);
    }
  }
  for (const std::uint32_t k : model_.likely) {
    if (overlap_[k] == 0) touched.push_back(k);
  }
  std::sort(touched.begin(), touched.end());
  cells_.clear();
  candidates_.clear();
  for (const std::uint32_t k : touched) {
    const double most = model_.held * overlap_[k] + model_.log_odds[k];
    overlap_[k] = 0;
    if (most <= -near_sets) continue;
    Candidate candidate{k, cells_.size(), 0, 0, 0.0};
    for (const std::uint32_t d : model_.roles[k]) {
      if (is_held_[d] != 0) cells_.push_back(d);
    }
    candidate.middle = cells_.size();
    for (const std::uint32_t d : model_.roles[k]) {
      if (is_held_[d] == 0 && is_known(d)) cells_.push_back(d);
    }
    candidate.end = cells_.size();
    candidate.alone = model_.held * static_cast<double>(candidate.middle - candidate.begin) -
                      model_.missing * static_cast<double>(candidate.end - candidate.middle) + model_.log_odds[k];
    candidates_.push_back(candidate);
  }
}

// Missing cells that no other candidate grants are paid for by the role alone; what is then left decides whether it can
// be in the best set (the front) or in a neighbour of it.
void SetGrower::drop_hopeless() {
  const auto count = [&](int sign) {
    for (const Candidate& candidate : candidates_) {
      for (std::size_t i = candidate.middle; i < candidate.end; ++i) {
        sharers_[cells_[i]] += static_cast<std::uint32_t>(sign);
      }
    }
  };
  const auto most_of = [&](const Candidate& candidate) {
    double most =
        model_.held * static_cast<double>(candidate.middle - candidate.begin) + model_.log_odds[candidate.role];
    for (std::size_t i = candidate.middle; i < candidate.end; ++i) {
      if (sharers_[cells_[i]] == 1) most -= model_.missing;
    }
    return most;
  };
  count(1);
  for (bool dropped = true; dropped;) {
    dropped = false;
    std::size_t kept = 0;
    for (const Candidate& candidate : candidates_) {
      if (most_of(candidate) > -near_sets) {
        candidates_[kept++] = candidate;
        continue;
      }
      for (std::size_t i = candidate.middle; i < candidate.end; ++i) --sharers_[cells_[i]];
      dropped = true;
    }
    candidates_.resize(kept);
  }
  const auto first_near = std::stable_partition(candidates_.begin(), candidates_.end(),
                                                [&](const Candidate& candidate) { return most_of(candidate) > 0.0; });
  front_ = static_cast<std::size_t>(first_near - candidates_.begin());
  std::stable_sort(candidates_.begin(), first_near,
                   [](const Candidate& a, const Candidate& b) { return a.alone > b.alone; });
}

bool SetGrower::is_allowed(std::size_t candidate) const {
  if (std::find(chosen_.begin(), chosen_.end(), candidate) != chosen_.end()) return false;
  const std::uint32_t role = candidates_[candidate].role;
  return std::none_of(model_.rules.never_together.begin(), model_.rules.never_together.end(), [&](const auto& pair) {
    if (pair.first != role && pair.second != role) return false;
    const std::uint32_t other = pair.first == role ? pair.second : pair.first;
    return std::any_of(chosen_.begin(), chosen_.end(), [&](std::uint32_t c) { return candidates_[c].role == other; });
  });
}

double SetGrower::balance(std::size_t candidate, std::uint32_t covered) const {
  const Candidate& own = candidates_[candidate];
  std::size_t held = 0;
  std::size_t missing = 0;
  for (std::size_t i = own.begin; i < own.middle; ++i) held += cover_[cells_[i]] == covered ? 1 : 0;
  for (std::size_t i = own.middle; i < own.end; ++i) missing += cover_[cells_[i]] == covered ? 1 : 0;
  return model_.held * static_cast<double>(held) - model_.missing * static_cast<double>(missing) +
         model_.log_odds[own.role];
}

double SetGrower::hope(std::size_t candidate) const {
  const Candidate& own = candidates_[candidate];
  double most = model_.log_odds[own.role];
  for (std::size_t i = own.begin; i < own.middle; ++i) most += cover_[cells_[i]] == 0 ? model_.held : 0.0;
  for (std::size_t i = own.middle; i < own.end; ++i) {
    if (cover_[cells_[i]] == 0) most -= model_.missing / static_cast<double>(sharers_[cells_[i]]);
  }
  return most;
}

void SetGrower::choose(std::size_t candidate) {
  worth_ += gain(candidate);
  const Candidate& own = candidates_[candidate];
  for (std::size_t i = own.begin; i < own.end; ++i) ++cover_[cells_[i]];
  chosen_.push_back(static_cast<std::uint32_t>(candidate));
}

void SetGrower::unchoose(std::size_t candidate) {
  worth_ -= loss(candidate);
  const Candidate& own = candidates_[candidate];
  for (std::size_t i = own.begin; i < own.end; ++i) --cover_[cells_[i]];
  chosen_.erase(std::find(chosen_.begin(), chosen_.end(), static_cast<std::uint32_t>(candidate)));
}

// One chosen role taken away or exchanged for another, where that is better.
bool SetGrower::exchange() {
  const std::vector<std::uint32_t> chosen = chosen_;
  for (const std::uint32_t out : chosen) {
    const double before = worth_;
    unchoose(out);
    if (worth_ > before + least_better) return true;
    for (std::size_t in = 0; in < front_; ++in) {
      if (in == out || !is_allowed(in) || !(worth_ + gain(in) > before + least_better)) continue;
      choose(in);
      return true;
    }
    choose(out);
  }
  return false;
}

void SetGrower::improve() {
  do {
    while (chosen_.size() < model_.rules.most_roles) {
      double most = least_better;
      std::size_t winner = front_;
      for (std::size_t c = 0; c < front_; ++c) {
        if (!is_allowed(c)) continue;
        const double here = gain(c);
        if (here > most) {
          most = here;
          winner = c;
        }
      }
      if (winner == front_) break;
      choose(winner);
    }
  } while (exchange());
  take_best();
}

void SetGrower::take_best() {
  best_ = chosen_;
  best_worth_ = worth_;
}

// All sets that hold the chosen roles and some of `open`, as far as they can be better than the best one known.
void SetGrower::branch(std::span<const std::uint32_t> open, double worth) {
  if (chosen_.size() >= model_.rules.most_roles || ++branches_ > most_branches) return;
  std::vector<std::pair<double, std::uint32_t>> hopes;
  for (const std::uint32_t c : open) hopes.emplace_back(hope(c), c);
  std::stable_sort(hopes.begin(), hopes.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  const std::size_t room = model_.rules.most_roles - chosen_.size();
  for (std::size_t i = 0; i < hopes.size(); ++i) {
    double bound = worth;
    for (std::size_t j = i; j < std::min(hopes.size(), i + room); ++j) bound += std::max(0.0, hopes[j].first);
    if (bound <= best_worth_ + least_better) return;
    if (!is_allowed(hopes[i].second)) continue;
    choose(hopes[i].second);
    if (worth_ > best_worth_ + least_better) take_best();
    std::vector<std::uint32_t> rest;
    for (std::size_t j = i + 1; j < hopes.size(); ++j) rest.push_back(hopes[j].second);
    branch(rest, worth_);
    unchoose(hopes[i].second);
    worth_ = worth;
    if (branches_ > most_branches) return;
  }
}

void SetGrower::emit(double worth, GrownSets& to) const {
  GrownSet set{{}, worth};
  for (const std::uint32_t c : chosen_) set.roles.push_back(candidates_[c].role);
  std::sort(set.roles.begin(), set.roles.end());
  to.sets.push_back(std::move(set));
}

GrownSets SetGrower::neighbours() {
  GrownSets result;
  result.is_proved = branches_ <= most_branches;
  emit(worth_, result);
  const double least = worth_ - near_sets;
  const auto add_each = [&](std::size_t but) {
    const double before = worth_;
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      if (c == but || !is_allowed(c)) continue;
      const double worth = before + gain(c);
      if (worth < least) continue;
      chosen_.push_back(static_cast<std::uint32_t>(c));
      emit(worth, result);
      chosen_.pop_back();
    }
  };
  if (chosen_.size() < model_.rules.most_roles) add_each(candidates_.size());
  const std::vector<std::uint32_t> chosen = chosen_;
  const double best = worth_;
  for (const std::uint32_t out : chosen) {
    unchoose(out);
    if (worth_ >= least) emit(worth_, result);
    add_each(out);
    choose(out);
    worth_ = best;
  }
  std::stable_sort(result.sets.begin() + 1, result.sets.end(),
                   [](const GrownSet& a, const GrownSet& b) { return a.worth > b.worth; });
  return result;
}

GrownSets SetGrower::grow(std::span<const std::uint32_t> held, std::span<const std::uint64_t> known) {
  open(held, known);
  gather(held);
  drop_hopeless();
  chosen_.clear();
  worth_ = 0.0;
  branches_ = 0;
  improve();
  if (front_ > 1 && model_.rules.most_roles > 1) {
    const std::vector<std::uint32_t> greedy = chosen_;
    for (const std::uint32_t c : greedy) unchoose(c);
    worth_ = 0.0;
    std::vector<std::uint32_t> all(front_);
    for (std::size_t c = 0; c < front_; ++c) all[c] = static_cast<std::uint32_t>(c);
    branch(all, 0.0);
    for (const std::uint32_t c : std::vector<std::uint32_t>(best_)) choose(c);
  }
  worth_ = best_worth_;
  GrownSets result = neighbours();
  for (const std::uint32_t c : std::vector<std::uint32_t>(chosen_)) unchoose(c);
  for (const Candidate& candidate : candidates_) {
    for (std::size_t i = candidate.middle; i < candidate.end; ++i) sharers_[cells_[i]] = 0;
  }
  close(held);
  return result;
}

double SetGrower::worth(std::span<const std::uint32_t> set, std::span<const std::uint32_t> held,
                        std::span<const std::uint64_t> known) {
  open(held, known);
  double sum = 0.0;
  for (const std::uint32_t k : set) {
    sum += model_.log_odds[k];
    for (const std::uint32_t d : model_.roles[k]) {
      if (cover_[d]++ == 0 && is_known(d)) sum += is_held_[d] != 0 ? model_.held : -model_.missing;
    }
  }
  for (const std::uint32_t k : set) {
    for (const std::uint32_t d : model_.roles[k]) cover_[d] = 0;
  }
  close(held);
  return sum;
}

}  // namespace motet::roles
