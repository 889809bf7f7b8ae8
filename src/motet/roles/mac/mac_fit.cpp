#include "motet/roles/mac/mac_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/base/streams.h"
#include "motet/data/split.h"
#include "motet/roles/catalogue/copies.h"
#include "motet/roles/mac/fitter.h"
#include "motet/roles/mac/mac_em.h"
#include "motet/roles/mac/mac_starts.h"
#include "motet/roles/mac/search_starts.h"
#include "motet/roles/mac/weigh_ends.h"
#include "motet/roles/sparse/grown_fit.h"

namespace motet::roles {
namespace {

constexpr std::size_t most_judged = 3;  // ends of the search that are fitted without the held-out users
constexpr std::size_t judged_steps = 30;
constexpr std::size_t soft_steps = 30;
constexpr std::size_t soft_trial_steps = 8;
constexpr double permission_users = 10.0;  // pseudo users that pull the noise of a permission to the mean
constexpr double least_step = 1e-9;        // of the objective in a step, relative, that goes on
constexpr std::size_t fold = 5;            // one user in five is held out
constexpr std::size_t least_held_out = 4;

// A fit in the columns of the access data, before it is a model.
struct Fitted {
  MacShape shape;
  std::vector<double> parameters;
  FitSummary summary;
  std::vector<double> statistics;
};

class MacFitter : Fitter {
 public:
  MacFitter(const MineData& data, std::size_t roles, const MineOptions& options, const RoleConstraints& constraints,
            const RunContext& run)
      : Fitter(data, roles + constraints.keep.rows(), options, constraints, run) {
    column_group_ = columns_apart(held_.columns(), constraints);
  }

  MacFit go() {
    if (is_grown(roles_, options_, held_)) return go_grown();
    const MergedMatrix all = merged(held_);
    MacFit fit;
    Start start = resumed() ? Start{} : choose(all, fit);
    Fitted fitted = finish(all, std::move(start), "");
    if (!constraints_.never_with_one_user.empty()) keep_copies_apart(all, fitted);
    fit.model = model_of(fitted, all);
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
    grown.model = model_of(fitted, all);
    grown.summary = std::move(fitted.summary);
    return grown;
  }

  MergedMatrix merged(const BitMatrix& held, const std::vector<std::uint32_t>& row_group = {}) const {
    return merge_equal(held, {}, row_group, column_group_);
  }

  SearchRules rules_for(const MergedMatrix& data) const {
    SearchRules rules;
    rules.degree = options_.method == RoleMethod::sac ? 1 : options_.max_roles_per_user;
    rules.noise = options_.noise;
    rules.has_uniform_sets = options_.set_shares == SetShares::uniform;
    rules.never_with_one_user = apart_.empty() ? constraints_.never_with_one_user : apart_;
    if (constraints_.keep.rows() > 0) rules.keep = compressed(constraints_.keep, data);
    if (!constraints_.never_in_one_role.empty()) {
      rules.never_with.resize(data.bits.columns());
      for (const auto& [a, b] : constraints_.never_in_one_role) {
        rules.never_with[data.column_of[a]].push_back(data.column_of[b]);
        rules.never_with[data.column_of[b]].push_back(data.column_of[a]);
      }
    }
    return rules;
  }

  Start choose(const MergedMatrix& all, MacFit& fit) {
    const std::vector<std::uint32_t> rows = searched_rows(all, roles_, run_.seed);
    const BitMatrix sample = held_.rows_of(rows);
    const MergedMatrix searched = merged(sample);
    RoleSearch search(searched, rules_for(searched), run_);
    StartRules rules;
    rules.annealings = options_.starts;
    BitMatrix previous;
    if (data_.previous != nullptr) {
      previous = compressed(roles_of(*data_.previous, data_.access->permissions, roles_), searched);
      rules.previous = &previous;
    }
    SearchResult found = search_roles(search, roles_, rules, run_);
    if (found.ends.empty()) {
      fail(ErrorKind::unanswerable,
           fmt::format("--roles {}: nothing in the data asks for so many roles; ask for fewer", roles_));
    }
    const double users = static_cast<double>(sample.rows());
    for (const SearchStart& end : found.ends) {
      fit.starts.push_back({end.name, true, no_number, end.state.objective / users});
    }
    std::vector<BitMatrix> roles;
    for (const SearchStart& end : found.ends) roles.push_back(expanded(end.state.roles, searched));
    return judge(all, sample, searched, found, roles, fit);
  }

  // Ends that differ, each fitted without the held-out users, rounded and soft.
  Start judge(const MergedMatrix& all, const BitMatrix& sample, const MergedMatrix& data_of_search,
              const SearchResult& found, const std::vector<BitMatrix>& roles, MacFit& fit) {
    const bool wants_soft = options_.centroids != Centroids::rounded && options_.noise_scope != NoiseScope::user &&
                            constraints_.never_in_one_role.empty();
    const bool wants_rounded = options_.centroids != Centroids::soft;
    const std::vector<std::size_t> near = near_ties(found.ends, most_judged, [&](std::size_t end) {
      const MacShape shape = shape_for(data_of_search, true);
      const RoleState& state = found.ends[end].state;
      const Fitted fitted{shape, start_of(shape, state.roles, state, data_of_search.bits.columns()), {}, {}};
      return user_log_likelihoods(model_of(fitted, data_of_search), sample, run_);
    });
    std::vector<Candidate> candidates;
    for (const std::size_t i : near) {
      if (wants_rounded) candidates.push_back({i, true, found.ends[i].state, {}, {}});
    }
    // Soft fits are dear; one tells whether being soft helps.
    if (wants_soft) {
      candidates.push_back({near.front(), false, found.ends[near.front()].state, {}, {}});
      fit.starts.push_back({found.ends[near.front()].name, false, no_number, no_number});
    }
    std::size_t best = 0;
    if (sample.rows() >= fold * least_held_out && candidates.size() > 1) {
      for (Candidate& candidate : candidates) {
        hold_out(sample, roles[candidate.end], candidate);
        trial_of(fit, candidate).held_out = mean_sd(candidate.scores).mean;
      }
      for (std::size_t i = 1; i < candidates.size(); ++i) {
        if (beats(sample, found, roles, candidates[i], candidates[best])) best = i;
      }
    }
    const Candidate& winner = candidates[best];
    for (const SearchStart& end : found.ends) {
      if (end.factors) association_ = expanded(end.factors->roles, data_of_search);
    }
    fit.winning_start = static_cast<std::size_t>(&trial_of(fit, winner) - fit.starts.data());
    Start start{winner.rounded, {}};
    if (!winner.parameters.empty() && sample.rows() == held_.rows()) {
      start.parameters = winner.parameters;
      return start;
    }
    const MacShape shape = shape_for(all, winner.rounded);
    start.parameters = start_of(shape, compressed(roles[winner.end], all), winner.state, all.bits.columns());
    return start;
  }

  // An end of the search, or it made soft.
  struct Candidate {
    std::size_t end = 0;
    bool rounded = true;
    RoleState state;
    std::vector<double> parameters;  // of a soft one that predicts better, on all users of the search
    std::vector<double> scores;      // by held-out user
  };

  // Rounded trials are in the order of the ends; the soft one comes after them.
  static StartTrial& trial_of(MacFit& fit, const Candidate& candidate) {
    return candidate.rounded ? fit.starts[candidate.end] : fit.starts.back();
  }

  // The first (best on all users, rounded) stays unless another predicts better. Roles as probabilities must also do
  // as yes and no: no worse than the greedy method or, without one, than the rounded roles.
  bool beats(const BitMatrix& sample, const SearchResult& found, const std::vector<BitMatrix>& roles, Candidate& one,
             const Candidate& other) const {
    if (!predicts_better(one.scores, other.scores)) return false;
    if (one.rounded) return true;
    const MergedMatrix data = merged(sample);
    const auto fitted = [&](const Candidate& candidate, std::size_t steps) {
      const MacShape shape = shape_for(data, candidate.rounded);
      const BitMatrix here = compressed(roles[candidate.end], data);
      std::vector<double> start = start_of(shape, here, candidate.state, data.bits.columns());
      Fitted result{shape, few_steps(data, shape, std::move(start), steps).parameters, {}, {}};
      if (run_.cancelled()) fail(ErrorKind::interrupted, "interrupted");
      return result;
    };
    Fitted soft = fitted(one, soft_steps);
    const std::vector<double> wrong = wrong_cells(model_of(soft, data), sample, run_);
    one.parameters = std::move(soft.parameters);
    const auto sum = [](const std::vector<double>& cells) { return std::accumulate(cells.begin(), cells.end(), 0.0); };
    for (const SearchStart& end : found.ends) {
      if (end.factors) return sum(wrong) <= sum(wrong_cells(*end.factors, data));
    }
    return sum(wrong) <= sum(wrong_cells(model_of(fitted(other, judged_steps), data), sample, run_));
  }

  MacShape shape_for(const MergedMatrix& data, bool rounded) const {
    SearchRules rules = rules_for(data);
    if (listed_) rules.degree = 1;
    MacShape shape = shape_of(rules, roles_);
    if (listed_) shape.sets = listed_->sets;
    shape.rounded = rounded;
    return shape;
  }

  // By held-out user: log-likelihood after a fit of the others.
  void hold_out(const BitMatrix& sample, const BitMatrix& roles, Candidate& candidate) const {
    const CutRows cut =
        cut_by_lot(sample.rows(), sample.rows(), fold, Cut::spread, stream(run_.seed, Stream::roles_held_out_users));
    const MergedMatrix training = merged(sample.rows_of(cut.rest));
    Fitted fitted;
    fitted.shape = shape_for(training, candidate.rounded);
    const auto tried = [&](const RoleState& state, std::size_t steps) {
      std::vector<double> start = start_of(fitted.shape, compressed(roles, training), state, training.bits.columns());
      return few_steps(training, fitted.shape, std::move(start), steps);
    };
    EmResult result = tried(candidate.state, candidate.rounded ? judged_steps : soft_trial_steps);
    if (!candidate.rounded) {
      // Also without any noise: a soft role can explain by itself what was noise.
      RoleState silent = candidate.state;
      silent.p0 = least_noise;
      silent.p1 = 1.0 - least_noise;
      EmResult second = options_.noise == RoleNoise::none ? EmResult{} : tried(silent, soft_trial_steps);
      if (!second.parameters.empty() && second.objective() > result.objective()) {
        result = std::move(second);
        candidate.state = std::move(silent);
      }
      result = few_steps(training, fitted.shape, std::move(result.parameters), soft_steps - soft_trial_steps);
    }
    if (run_.cancelled()) fail(ErrorKind::interrupted, "interrupted");
    fitted.parameters = std::move(result.parameters);
    candidate.scores = user_log_likelihoods(model_of(fitted, training), sample.rows_of(cut.aside), unheard(run_));
  }

  EmResult few_steps(const MergedMatrix& data, const MacShape& shape, std::vector<double> start,
                     std::size_t steps) const {
    EmRule rule;
    rule.max_iterations = steps;
    rule.tolerance = 1e-4;
    RunContext quiet = unheard(run_);
    if (run_.observer) {
      quiet.observer = [this](const Progress& progress) {
        run_.observer({"weighing ends of the search", progress.done, progress.total, progress.unit});
      };
    }
    return run_em(mac_problem(data, shape, run_.threads), std::move(start), rule, quiet, "weighing");
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

  RoleModel model_of(const Fitted& fitted, const MergedMatrix& data) const {
    RoleModel model;
    const std::size_t columns = data.bits.columns();
    const MacParts parts = mac_parts(fitted.shape, columns);
    const std::vector<double>& p = fitted.parameters;
    model.method = options_.method;
    model.permissions = data_.access->permissions.to_vector();
    model.roles.resize(roles_);
    model.absence.resize(roles_ * model.permissions.size());
    for (std::size_t k = 0; k < roles_; ++k) {
      for (std::size_t d = 0; d < model.permissions.size(); ++d) {
        model.absence[k * model.permissions.size() + d] = p[k * columns + data.column_of[d]];
      }
    }
    model.noise = options_.noise;
    model.scope = fitted.shape.scope;
    const auto level = [&](std::size_t at, std::vector<double>& to) {
      if (model.scope == NoiseScope::permission) {
        for (const std::uint32_t column : data.column_of) to.push_back(p[at + column]);
      } else if (model.scope == NoiseScope::user) {
        to.push_back(p[at] / (p[at] + p[at + 1]));
        model.user_noise.insert(model.user_noise.end(), {p[at], p[at + 1]});
      } else {
        to.push_back(p[at]);
      }
    };
    level(parts.p0(), model.p0);
    level(parts.p1(), model.p1);
    model.sets = fitted.shape.sets;
    const auto prior = p.begin() + static_cast<std::ptrdiff_t>(parts.prior());
    model.set_share.assign(prior, prior + static_cast<std::ptrdiff_t>(model.sets.size()));
    if (fitted.shape.groups.attributes() > 0) {
      const SetPrior attribute_prior(model.sets.size(), fitted.shape.groups, fitted.shape.prior_centre);
      const std::span<const double> numbers = std::span(p).subspan(parts.prior());
      model.attributes = attribute_prior.attribute_prior(numbers, *data_.attributes);
      model.attributes->weight = options_.attribute_weight;
      model.attributes->marginal = marginal_of(attribute_prior.log_table(numbers), model.sets.size());
    }
    model.frozen.assign(roles_, 0);
    std::fill_n(model.frozen.begin(), constraints_.keep.rows(), std::uint8_t{1});
    model.users = static_cast<double>(held_.rows());
    return model;
  }

  // p(L) over all users: the mean of p(L | group), a group as often as it has users.
  std::vector<double> marginal_of(const std::vector<double>& log_table, std::size_t sets) const {
    const AttributeGroups groups = group_by_attributes(data_.attributes, held_.rows());
    std::vector<double> users(groups.groups);
    for (const std::uint32_t group : groups.group_of) users[group] += 1.0;
    std::vector<double> marginal(sets);
    for (std::size_t g = 0; g < users.size(); ++g) {
      const double share = users[g] / static_cast<double>(held_.rows());
      for (std::size_t l = 0; l < sets; ++l) marginal[l] += share * std::exp(log_table[g * sets + l]);
    }
    for (double& p : marginal) p = std::min(p, 1.0);
    return marginal;
  }

  std::optional<CommonSets> listed_;         // instead of all sets; see go_grown
  std::optional<BitMatrix> association_;     // the roles of asso, when they were a start
  std::vector<std::uint32_t> column_group_;  // of columns that may be merged; empty: all
  RolePairs apart_;                          // with copies of kept roles; empty: those of the constraints
  Fitted plain_;                             // with one noise level and without attributes
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
