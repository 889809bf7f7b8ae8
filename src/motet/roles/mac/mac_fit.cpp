#include "motet/roles/mac/mac_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "motet/base/error.h"
#include "motet/roles/catalogue/copies.h"
#include "motet/roles/mac/choose_end.h"
#include "motet/roles/mac/mac_em.h"
#include "motet/roles/mac/mac_starts.h"
#include "motet/roles/mac/search_starts.h"
#include "motet/roles/sparse/grown_fit.h"

namespace motet::roles {
namespace {

constexpr double permission_users = 10.0;  // pseudo users that pull the noise of a permission to the mean
constexpr double least_step = 1e-9;        // of the objective in a step, relative, that goes on

constexpr std::size_t single_steps = 60;  // from the best end with one role per user

// A fit in the columns of the access data, before it is a model.
struct Fitted {
  MacShape shape;
  std::vector<double> parameters;
  FitSummary summary;
  std::vector<double> statistics;
};

class MacFitter : MacSetting {
 public:
  MacFitter(const MineData& data, std::size_t roles, const MineOptions& options, const RoleConstraints& constraints,
            const RunContext& run)
      : MacSetting(data, roles + constraints.keep.rows(), options, constraints, run) {}

  MacFit go() {
    if (is_grown(roles_, options_, held_)) return go_grown();
    const MergedMatrix all = merged(held_);
    MacFit fit;
    Start start;
    if (!resumed()) {
      ChosenEnd chosen = choose(all);
      start = {chosen.rounded, std::move(chosen.parameters)};
      fit.starts = std::move(chosen.starts);
      fit.winning_start = chosen.winner;
    }
    Fitted fitted = finish(all, std::move(start), "");
    if (!constraints_.never_with_one_user.empty()) keep_copies_apart(all, fitted);
    fit.model = model_of(fitted.shape, fitted.parameters, all);
    fit.keeps_association = association_ && same_roles(rounded_roles(fit.model), *association_);
    fit.summary = std::move(fitted.summary);
    return fit;
  }

 private:
  struct Start {
    bool rounded = true;
    std::vector<double> parameters;  // of a global-noise shape on `all`
  };

  // Sets are too many to list. What the sparse EM does not fit is fitted with the most common of the sets it found.
  MacFit go_grown() {
    MacFit grown = fit_grown(data_, roles_, options_, constraints_, run_);
    const bool is_plain = options_.noise_scope == NoiseScope::global && data_.attributes == nullptr &&
                          options_.centroids != Centroids::soft;
    if (is_plain) return grown;
    listed_ = most_common_sets(grown.model, most_label_sets);
    if (listed_->left_out > 0.0) {
      grown.warnings.push_back(
          fmt::format("of the sets of roles that users have, the {} most common are used; {:.1f} % of the users have "
                      "another one",
                      listed_->sets.size(), 100.0 * listed_->left_out));
    }
    const MergedMatrix all = merged(held_);
    const MacShape shape = shape_for(all, options_.centroids != Centroids::soft);
    const RoleState state{{}, grown.model.p0[0], grown.model.p1[0], listed_->share, 0.0};
    Fitted fitted = finish(
        all, {shape.rounded, start_of(shape, compressed(rounded_roles(grown.model), all), state, all.bits.columns())},
        "");
    grown.model = model_of(fitted.shape, fitted.parameters, all);
    grown.summary = std::move(fitted.summary);
    return grown;
  }

  ChosenEnd choose(const MergedMatrix& all) {
    const std::vector<std::uint32_t> rows = searched_rows(all, roles_, run_.seed);
    SearchedUsers users;
    users.access = with_users(*data_.access, rows);
    users.data = merged(users.access.held);
    StartRules rules;
    rules.annealings = options_.starts;
    BitMatrix previous;
    if (data_.previous != nullptr) {
      previous = compressed(roles_of(*data_.previous, data_.access->permissions, roles_), users.data);
      rules.previous = &previous;
    }
    RoleSearch search(users.data, rules_for(users.data), run_);
    const KeptSearch kept(run_, users.data.bits.columns());
    if (search.rules().degree > 1) users.single = single_ends(search, roles_, rules, run_, kept.another());
    users.ends = search_roles(search, roles_, rules, run_, kept).ends;
    if (users.ends.empty()) {
      fail(ErrorKind::unanswerable,
           fmt::format("--roles {}: nothing in the data asks for so many roles; ask for fewer", roles_));
    }
    if (!users.single.empty()) {
      const SearchStart& first = users.single.front();
      RoleState state = search.without_moved(search.improve(first.state, single_steps));
      if (state.objective > users.ends.front().state.objective) {
        users.ends.insert(users.ends.begin(), {first.name, std::move(state)});
      }
    }
    for (const SearchStart& end : users.ends) {
      if (end.factors) association_ = expanded(end.factors->roles, users.data);
    }
    return choose_end(*this, all, users);
  }

  static constexpr const char* rounded_stage = "roles rounded";
  static constexpr const char* soft_stage = "roles soft";

  bool resumed() const {
    return run_.resume && (run_.resume(rounded_stage) != nullptr || run_.resume(soft_stage) != nullptr);
  }

  // EM on all users: first with one noise level, then with what was asked for.
  Fitted finish(const MergedMatrix& all, Start start, const std::string& round) {
    const bool is_plain = options_.noise_scope == NoiseScope::global && data_.attributes == nullptr;
    Fitted fitted;
    const bool rounded = start.parameters.empty() ? run_.resume(rounded_stage) != nullptr : start.rounded;
    fitted.shape = shape_for(all, rounded);
    if (start.parameters.empty()) {
      start.parameters.assign(mac_parts(fitted.shape, all.bits.columns()).prior() + fitted.shape.sets.size(), 0.5);
    }
    run_all(all, std::move(start.parameters), fitted, (rounded ? rounded_stage : soft_stage) + round);
    plain_ = fitted;
    if (is_plain || fitted.summary.stop == Stop::interrupted) return fitted;
    const std::size_t columns = all.bits.columns();
    const MacParts before = mac_parts(fitted.shape, columns);
    const double p0 = fitted.parameters[before.p0()];
    const double p1 = fitted.parameters[before.p1()];
    const std::vector<double> share(fitted.parameters.begin() + static_cast<std::ptrdiff_t>(before.prior()),
                                    fitted.parameters.end());
    MergedMatrix grouped;
    const AttributeGroups groups = group_by_attributes(data_.attributes, held_.rows());
    const MergedMatrix* used = &all;
    Fitted last;
    last.shape = fitted.shape;
    last.shape.scope = options_.noise_scope;
    if (options_.noise_scope == NoiseScope::permission) {
      last.shape.level_users = permission_users;
      last.shape.level_centre[0] = p0;
      last.shape.level_centre[1] = p1;
    }
    if (groups.attributes() > 0) {
      grouped = merged(held_, groups.group_of);
      last.shape.groups = groups;
      last.shape.groups.group_of.assign(grouped.bits.rows(), 0);
      for (std::size_t n = 0; n < held_.rows(); ++n) {
        last.shape.groups.group_of[grouped.row_of[n]] = groups.group_of[n];
      }
      last.shape.prior_centre = share;
      last.shape.prior_weight = options_.attribute_weight;
      used = &grouped;
    }
    // The columns of `grouped` are those of `all`: both keep the order of first appearance.
    const std::span<const double> beta = std::span<const double>(fitted.parameters).first(before.p0());
    std::vector<double> parameters = mac_start(last.shape, beta, columns, p0, p1);
    const MacParts parts = mac_parts(last.shape, columns);
    const std::vector<double> prior = SetPrior(last.shape.sets.size(), last.shape.groups, share).start(share);
    std::copy(prior.begin(), prior.end(), parameters.begin() + static_cast<std::ptrdiff_t>(parts.prior()));
    run_all(*used, std::move(parameters), last, "roles detailed" + round);
    return last;
  }

  // New roles that count as a kept one of a pair are kept apart too: again from where the fit ended, without the sets
  // that are barred now. A pair that was barred stays so, so that this ends.
  void keep_copies_apart(const MergedMatrix& all, Fitted& fitted) {
    const std::size_t kept = constraints_.keep.rows();
    const std::size_t columns = all.bits.columns();
    apart_ = constraints_.never_with_one_user;
    std::sort(apart_.begin(), apart_.end());
    for (std::size_t round = 1; fitted.summary.stop != Stop::interrupted; ++round) {
      BitMatrix roles(roles_, columns);
      for (std::size_t k = 0; k < roles_; ++k) {
        for (std::size_t d = 0; d < columns; ++d) roles.set(k, d, fitted.parameters[k * columns + d] < 0.5);
      }
      RolePairs barred = pairs_with_copies(expanded(roles, all), kept, constraints_.never_with_one_user);
      barred.insert(barred.end(), apart_.begin(), apart_.end());
      std::sort(barred.begin(), barred.end());
      barred.erase(std::unique(barred.begin(), barred.end()), barred.end());
      if (barred == apart_) return;
      apart_ = std::move(barred);
      fitted = finish(all, with_fewer_sets(all), fmt::format(" apart {}", round));
    }
  }

  // The plain fit as a start where some of its sets are barred: their share goes to the others.
  Start with_fewer_sets(const MergedMatrix& all) const {
    const std::size_t columns = all.bits.columns();
    const MacShape shape = shape_for(all, plain_.shape.rounded);
    const MacParts before = mac_parts(plain_.shape, columns);
    const std::span<const double> old(plain_.parameters);
    Start start{plain_.shape.rounded,
                mac_start(shape, old.first(before.p0()), columns, old[before.p0()], old[before.p1()])};
    std::map<std::vector<std::uint32_t>, double> share;
    for (std::size_t l = 0; l < plain_.shape.sets.size(); ++l) {
      share.emplace(std::vector(plain_.shape.sets[l].begin(), plain_.shape.sets[l].end()), old[before.prior() + l]);
    }
    double total = 0.0;
    for (std::size_t l = 0; l < shape.sets.size(); ++l) {
      total += share[std::vector(shape.sets[l].begin(), shape.sets[l].end())];
    }
    const std::size_t place = mac_parts(shape, columns).prior();
    for (std::size_t l = 0; l < shape.sets.size(); ++l) {
      // A little for all, so that no set that may be needed now is out.
      const double own = share[std::vector(shape.sets[l].begin(), shape.sets[l].end())];
      start.parameters[place + l] = 0.9 * own / total + 0.1 / static_cast<double>(shape.sets.size());
    }
    return start;
  }

  void run_all(const MergedMatrix& data, std::vector<double> start, Fitted& fitted, const std::string& stage) {
    EmRule rule;
    rule.max_iterations = options_.max_iterations;
    rule.tolerance = options_.tolerance;
    rule.objective_tolerance = least_step;
    EmResult result = run_em(mac_problem(data, fitted.shape, run_.threads), std::move(start), rule, run_, stage);
    if (result.summary.stop == Stop::interrupted) fail(ErrorKind::interrupted, "interrupted");
    fitted.parameters = std::move(result.parameters);
    fitted.statistics = std::move(result.statistics);
    fitted.summary = std::move(result.summary);
  }

  std::optional<BitMatrix> association_;  // the roles of asso, when they were a start
  Fitted plain_;                          // with one noise level and without attributes
};

}  // namespace

MacFit fit_mac(const MineData& data, std::size_t roles, const MineOptions& options, const RoleConstraints& constraints,
               const RunContext& run) {
  RoleConstraints rules = constraints;
  for (;;) {
    MacFit fit = MacFitter(data, roles, options, rules, run).go();
    const std::size_t before = rules.never_in_one_role.size();
    for (const auto& pair :
         permissions_to_part(rounded_roles(fit.model), rules.keep.rows(), rules.never_with_one_user)) {
      auto& parted = rules.never_in_one_role;
      if (std::find(parted.begin(), parted.end(), pair) == parted.end()) parted.push_back(pair);
    }
    if (rules.never_in_one_role.size() == before) return fit;
    if (options.centroids == Centroids::soft) {
      fail(ErrorKind::usage,
           "--centroids soft: a new role grants what both kept roles of a pair that must never share a user grant; use "
           "best or rounded");
    }
  }
}

std::vector<double> user_log_likelihoods(const RoleModel& model, const BitMatrix& held, const RunContext& run) {
  return user_posteriors(model, held, {}, run).log_likelihood;
}

}  // namespace motet::roles
