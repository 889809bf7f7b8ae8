#include "motet/roles/mac/mac_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/base/streams.h"
#include "motet/data/split.h"
#include "motet/roles/mac/mac_em.h"
#include "motet/roles/mac/search_starts.h"

namespace motet::roles {
namespace {

constexpr std::size_t most_judged = 3;  // ends of the search that are fitted without the held-out users
constexpr std::size_t judged_steps = 30;
constexpr std::size_t soft_steps = 30;
constexpr double soft_held = 0.05;         // beta of a held permission when a rounded role is made soft
constexpr double permission_users = 10.0;  // pseudo users that pull the noise of a permission to the mean
constexpr double least_gain = 1e-5;        // relative: what held-out users must gain to overrule all users
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

class MacFitter {
 public:
  MacFitter(const MineData& data, std::size_t roles, const MineOptions& options, const RoleConstraints& constraints,
            const RunContext& run)
      : data_(data),
        held_(data.access->held),
        roles_(roles + constraints.keep.rows()),
        options_(options),
        constraints_(constraints),
        run_(run) {
    if (constraints.keep.rows() > 0 || !constraints.never_in_one_role.empty()) group_columns();
  }

  MacFit go() {
    const MergedMatrix all = merged(held_);
    MacFit fit;
    Start start = resumed() ? Start{} : choose(all, fit);
    Fitted fitted = finish(all, std::move(start));
    fit.model = model_of(fitted, all);
    fit.summary = std::move(fitted.summary);
    return fit;
  }

 private:
  struct Start {
    bool rounded = true;
    std::vector<double> parameters;  // of a global-noise shape on `all`
  };

  // Columns that are equal in the data may differ in the kept roles, and those of a pair must not share a role.
  void group_columns() {
    std::map<std::vector<std::uint32_t>, std::uint32_t> seen;
    for (std::uint32_t d = 0; d < held_.columns(); ++d) {
      std::vector<std::uint32_t> key;
      for (std::size_t k = 0; k < constraints_.keep.rows(); ++k) key.push_back(constraints_.keep(k, d) ? 1 : 0);
      const bool is_paired = std::any_of(constraints_.never_in_one_role.begin(), constraints_.never_in_one_role.end(),
                                         [&](const auto& pair) { return pair.first == d || pair.second == d; });
      key.push_back(is_paired ? d + 1 : 0);
      column_group_.push_back(seen.try_emplace(std::move(key), static_cast<std::uint32_t>(seen.size())).first->second);
    }
  }

  MergedMatrix merged(const BitMatrix& held, const std::vector<std::uint32_t>& row_group = {}) const {
    return merge_equal(held, {}, row_group, column_group_);
  }

  SearchRules rules_for(const MergedMatrix& data) const {
    SearchRules rules;
    rules.degree = options_.method == RoleMethod::sac ? 1 : options_.max_roles_per_user;
    rules.noise = options_.noise;
    rules.never_with_one_user = constraints_.never_with_one_user;
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

  // Roles in the columns of the access data to those of merged data, and back.
  static BitMatrix compressed(const BitMatrix& roles, const MergedMatrix& data) {
    BitMatrix result(roles.rows(), data.bits.columns());
    for (std::size_t k = 0; k < roles.rows(); ++k) {
      for_each_bit(roles.row(k), [&](std::size_t d) { result.set(k, data.column_of[d]); });
    }
    return result;
  }
  static BitMatrix expanded(const BitMatrix& roles, const MergedMatrix& data) {
    BitMatrix result(roles.rows(), data.column_of.size());
    for (std::size_t k = 0; k < roles.rows(); ++k) {
      for (std::size_t d = 0; d < data.column_of.size(); ++d) result.set(k, d, roles(k, data.column_of[d]));
    }
    return result;
  }

  std::vector<std::uint32_t> searched_rows() const {
    const std::size_t most = std::max(searched_users, searched_users_a_role * roles_);
    return sample_by_lot(held_.rows(), most, stream(run_.seed, Stream::roles_searched_users));
  }

  // The previous model's roles in the columns of the access data.
  BitMatrix previous_roles() const {
    const RoleModel& previous = *data_.previous;
    NameTable known(data_.access->permissions);
    BitMatrix roles(roles_, held_.columns());
    for (std::size_t k = 0; k < std::min(roles_, previous.role_count()); ++k) {
      for (std::size_t d = 0; d < previous.permission_count(); ++d) {
        const std::uint32_t column = known.find(previous.permissions[d]);
        if (column != NameTable::absent) roles.set(k, column, previous.has(k, d));
      }
    }
    return roles;
  }

  Start choose(const MergedMatrix& all, MacFit& fit) {
    const std::vector<std::uint32_t> rows = searched_rows();
    const BitMatrix sample = held_.rows_of(rows);
    const MergedMatrix searched = merged(sample);
    RoleSearch search(searched, rules_for(searched), run_);
    StartRules rules;
    rules.annealings = options_.starts;
    BitMatrix previous;
    if (data_.previous != nullptr) {
      previous = compressed(previous_roles(), searched);
      rules.previous = &previous;
    }
    SearchResult found = search_roles(search, roles_, rules, run_);
    if (found.ends.empty()) {
      fail(ErrorKind::unanswerable,
           fmt::format("roles = {}: nothing in the data asks for so many roles; ask for fewer", roles_));
    }
    const double users = static_cast<double>(sample.rows());
    for (const SearchStart& end : found.ends) {
      fit.starts.push_back({end.name, true, no_number, end.state.objective / users});
    }
    std::vector<BitMatrix> roles;
    for (const SearchStart& end : found.ends) roles.push_back(expanded(end.state.roles, searched));
    return judge(all, sample, found, roles, fit);
  }

  // Ends that differ, each fitted without the held-out users, rounded and soft.
  Start judge(const MergedMatrix& all, const BitMatrix& sample, const SearchResult& found,
              const std::vector<BitMatrix>& roles, MacFit& fit) {
    const bool wants_soft = options_.centroids != Centroids::rounded && options_.noise_scope != NoiseScope::user &&
                            constraints_.never_in_one_role.empty();
    const bool wants_rounded = options_.centroids != Centroids::soft;
    std::vector<std::size_t> judged;
    for (std::size_t i = 0; i < roles.size() && judged.size() < most_judged; ++i) {
      const bool is_new = std::none_of(judged.begin(), judged.end(), [&](std::size_t j) {
        return std::abs(found.ends[i].state.objective - found.ends[j].state.objective) <
               1e-7 * std::abs(found.ends[i].state.objective);
      });
      if (is_new) judged.push_back(i);
    }
    std::size_t winner = 0;
    bool rounded = wants_rounded;
    if (sample.rows() >= fold * least_held_out && (judged.size() > 1 || (wants_soft && wants_rounded))) {
      std::vector<std::vector<double>> scores;
      std::vector<std::pair<std::size_t, bool>> what;
      for (const std::size_t i : judged) {
        for (const bool is_rounded : {true, false}) {
          // Soft fits are dear; one tells whether being soft helps.
          if (is_rounded ? !wants_rounded : !wants_soft || i != judged.front()) continue;
          scores.push_back(held_out(sample, roles[i], found.ends[i].state, is_rounded));
          what.emplace_back(i, is_rounded);
          const double score = mean_sd(scores.back()).mean;
          if (is_rounded) {
            fit.starts[i].held_out = score;
          } else {
            fit.starts.push_back({found.ends[i].name, false, score, no_number});
          }
        }
      }
      // The first (best on all users, rounded) stays unless another is better by more than a standard error.
      std::size_t best = 0;
      for (std::size_t i = 1; i < scores.size(); ++i) {
        std::vector<double> difference(scores[i].size());
        for (std::size_t n = 0; n < difference.size(); ++n) difference[n] = scores[i][n] - scores[best][n];
        const MeanSd gain = mean_sd(difference);
        const double least = least_gain * std::abs(mean_sd(scores[best]).mean);
        if (gain.mean > std::max(gain.error, least)) best = i;
      }
      winner = what[best].first;
      rounded = what[best].second;
      for (std::size_t s = 0; s < fit.starts.size(); ++s) {
        const bool is_it = fit.starts[s].rounded == rounded && fit.starts[s].name == found.ends[winner].name;
        if (is_it) fit.winning_start = s;
      }
    }
    const RoleState& state = found.ends[winner].state;
    Start start{rounded, {}};
    const MacShape shape = shape_for(all, rounded);
    start.parameters = start_of(shape, compressed(roles[winner], all), state, all.bits.columns());
    return start;
  }

  MacShape shape_for(const MergedMatrix& data, bool rounded) const {
    MacShape shape = shape_of(rules_for(data), roles_);
    shape.rounded = rounded;
    return shape;
  }

  static std::vector<double> start_of(const MacShape& shape, const BitMatrix& roles, const RoleState& state,
                                      std::size_t columns) {
    std::vector<double> beta = absence_of(roles);
    if (!shape.rounded) {
      for (std::size_t i = 0; i < beta.size(); ++i) {
        const bool is_frozen = !shape.frozen.empty() && shape.frozen[i / columns] != 0;
        if (!is_frozen) beta[i] = beta[i] < 0.5 ? soft_held : 1.0 - soft_held;
      }
    }
    std::vector<double> start = mac_start(shape, beta, columns, state.p0, state.p1);
    std::copy(state.share.begin(), state.share.end(),
              start.begin() + static_cast<std::ptrdiff_t>(mac_parts(shape, columns).prior()));
    return start;
  }

  // By held-out user: log-likelihood after a fit of the others.
  std::vector<double> held_out(const BitMatrix& sample, const BitMatrix& roles, const RoleState& state,
                               bool rounded) const {
    const CutRows cut =
        cut_by_lot(sample.rows(), sample.rows(), fold, Cut::spread, stream(run_.seed, Stream::roles_held_out_users));
    const MergedMatrix training = merged(sample.rows_of(cut.rest));
    Fitted fitted;
    fitted.shape = shape_for(training, rounded);
    const std::size_t columns = training.bits.columns();
    fitted.parameters = start_of(fitted.shape, compressed(roles, training), state, columns);
    EmRule rule;
    rule.max_iterations = rounded ? judged_steps : soft_steps;
    rule.tolerance = 1e-4;
    RunContext quiet = run_;
    quiet.observer = {};
    quiet.save = {};
    quiet.resume = {};
    fitted.parameters =
        run_em(mac_problem(training, fitted.shape, run_.threads), std::move(fitted.parameters), rule, quiet).parameters;
    if (run_.cancelled()) fail(ErrorKind::interrupted, "interrupted");
    return user_log_likelihoods(model_of(fitted, training), sample.rows_of(cut.aside), quiet);
  }

  static constexpr const char* rounded_stage = "roles rounded";
  static constexpr const char* soft_stage = "roles soft";

  bool resumed() const {
    return run_.resume && (run_.resume(rounded_stage) != nullptr || run_.resume(soft_stage) != nullptr);
  }

  // EM on all users: first with one noise level, then with what was asked for.
  Fitted finish(const MergedMatrix& all, Start start) {
    const bool is_plain = options_.noise_scope == NoiseScope::global && data_.attributes == nullptr;
    Fitted fitted;
    const bool rounded = start.parameters.empty() ? run_.resume(rounded_stage) != nullptr : start.rounded;
    fitted.shape = shape_for(all, rounded);
    if (start.parameters.empty()) {
      start.parameters.assign(mac_parts(fitted.shape, all.bits.columns()).prior() + fitted.shape.sets.size(), 0.5);
    }
    run_all(all, std::move(start.parameters), fitted, rounded ? rounded_stage : soft_stage);
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
    run_all(*used, std::move(parameters), last, "roles detailed");
    return last;
  }

  void run_all(const MergedMatrix& data, std::vector<double> start, Fitted& fitted, const char* stage) {
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

  const MineData& data_;
  const BitMatrix& held_;
  std::size_t roles_;
  const MineOptions& options_;
  const RoleConstraints& constraints_;
  const RunContext& run_;
  std::vector<std::uint32_t> column_group_;  // of columns that may be merged; empty: all
};

}  // namespace

MacFit fit_mac(const MineData& data, std::size_t roles, const MineOptions& options, const RoleConstraints& constraints,
               const RunContext& run) {
  return MacFitter(data, roles, options, constraints, run).go();
}

std::vector<double> user_log_likelihoods(const RoleModel& model, const BitMatrix& held, const RunContext& run) {
  return user_posteriors(model, held, {}, run).log_likelihood;
}

}  // namespace motet::roles
