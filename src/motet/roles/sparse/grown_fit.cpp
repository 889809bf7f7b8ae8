#include "motet/roles/sparse/grown_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/base/streams.h"
#include "motet/data/split.h"
#include "motet/roles/mac/fitter.h"
#include "motet/roles/mac/mac_starts.h"
#include "motet/roles/mac/search_starts.h"
#include "motet/roles/sparse/grown_sets.h"
#include "motet/roles/sparse/sparse_search.h"

namespace motet::roles {
namespace {

constexpr double searched_holders = 100.0;  // the search looks at users enough for so many holders of a permission
constexpr double dense_search_limit = 1e9;  // merged rows x columns x listed sets
constexpr double most_left = 0.25;          // of the cells when equal rows and columns are merged, as in clean data
constexpr std::size_t dense_ends = 2;

class GrownFitter : Fitter {
 public:
  GrownFitter(const MineData& data, std::size_t roles, const MineOptions& options, const RoleConstraints& constraints,
              const RunContext& run)
      : Fitter(data, roles, options, constraints, run) {
    rules_.growth.most_roles = options.method == RoleMethod::sac ? 1 : options.max_roles_per_user;
    rules_.growth.never_together = constraints.never_with_one_user;
    rules_.noise = options.noise;
    rules_.kept = constraints.keep.rows();
    if (!constraints.never_in_one_role.empty()) {
      rules_.never_with.resize(held_.columns());
      for (const auto& [a, b] : constraints.never_in_one_role) {
        rules_.never_with[a].push_back(b);
        rules_.never_with[b].push_back(a);
      }
    }
  }

  MacFit go() {
    MacFit result;
    SparseRoles start = is_resumed() ? anything() : searched(result);
    SparseFit fit = fit_sparse(sparse_rows(held_), std::move(start), rules_,
                               {options_.max_iterations, options_.tolerance}, run_, sparse_stage);
    if (fit.summary.stop == Stop::interrupted) fail(ErrorKind::interrupted, "interrupted");
    if (fit.posteriors.unproved > 0) {
      result.warnings.push_back(
          fmt::format("for {} of {} users it is not proved that their most probable set of roles was found",
                      fit.posteriors.unproved, held_.rows()));
    }
    result.model = model_of(fit);
    result.summary = std::move(fit.summary);
    return result;
  }

 private:
  bool is_resumed() const { return run_.resume && run_.resume(sparse_stage) != nullptr; }

  // The checkpoint has the rest.
  SparseRoles anything() const {
    SparseRows none;
    none.columns = held_.columns();
    for (std::size_t k = 0; k < roles_; ++k) none.add({});
    SparseRoles state;
    state.share.assign(roles_, 0.5);
    state.roles = std::move(none);
    return state;
  }

  SparseRoles searched(MacFit& result) const {
    const std::vector<std::uint32_t> rows =
        sample_by_lot(held_.rows(), searched_count(), stream(run_.seed, Stream::roles_searched_users));
    const SparseRows sample = sparse_rows(held_, rows);
    SparseQuestion question{sparse_rows(constraints_.keep), roles_};
    question.kept.columns = held_.columns();
    add_previous(sample, question);
    add_dense(sample, question);
    const std::vector<NamedSparse> ends = search_sparse(sample, question, rules_, run_);
    if (ends.empty() || ends.front().state.roles.rows() != roles_) {
      fail(ErrorKind::unanswerable,
           fmt::format("--roles {}: nothing in the data asks for so many roles; ask for fewer", roles_));
    }
    for (const NamedSparse& end : ends) {
      result.starts.push_back({end.name, true, no_number, end.state.objective / static_cast<double>(sample.rows())});
    }
    return ends.front().state;
  }

  // As many as the search over listed sets looks at; more where permissions have few holders.
  std::size_t searched_count() const {
    const double holders = static_cast<double>(held_.count()) / static_cast<double>(held_.columns());
    const double users = static_cast<double>(held_.rows()) * searched_holders / std::max(holders, 1.0);
    return std::max({searched_users, searched_users_a_role * roles_, static_cast<std::size_t>(users)});
  }

  // Kept roles first, then the others.
  SparseRoles start_with(const BitMatrix& roles, const SparseRows& sample) const {
    SparseRows all = sparse_rows(constraints_.keep);
    all.columns = held_.columns();
    const SparseRows others = sparse_rows(roles);
    for (std::size_t k = rules_.kept; k < others.rows(); ++k) all.add(others[k]);
    return sparse_start(std::move(all), sample, rules_.growth.most_roles);
  }

  void add_previous(const SparseRows& sample, SparseQuestion& question) const {
    if (data_.previous == nullptr) return;
    const RoleModel& previous = *data_.previous;
    NameTable known(data_.access->permissions);
    BitMatrix roles(roles_, held_.columns());
    for (std::size_t k = 0; k < std::min(roles_, previous.role_count()); ++k) {
      for (std::size_t d = 0; d < previous.permission_count(); ++d) {
        const std::uint32_t column = known.find(previous.permissions[d]);
        if (column != NameTable::absent) roles.set(k, column, previous.has(k, d));
      }
    }
    question.starts.push_back({"previous model", start_with(roles, sample)});
  }

  // The ends of the search over listed sets, of as few roles per user as can be listed, where the data are small
  // enough.
  void add_dense(const SparseRows& sample, SparseQuestion& question) const {
    const bool is_constrained = !constraints_.never_in_one_role.empty() || constraints_.keep.rows() > 0;
    if (is_constrained || count_distinct_rows(transposed(sample)) > most_paired_columns) return;
    const MergedMatrix merged = merge_equal(dense_rows(sample));
    SearchRules rules;
    rules.degree = rules_.growth.most_roles;
    rules.noise = rules_.noise;
    const double sets = label_set_count(roles_, feasible_degree(roles_, rules.degree));
    const double cells = static_cast<double>(merged.bits.rows()) * static_cast<double>(merged.bits.columns());
    const double unmerged = static_cast<double>(sample.rows()) * static_cast<double>(sample.columns);
    if (cells * sets > dense_search_limit || cells > most_left * unmerged) return;
    RoleSearch search(merged, rules, run_);
    StartRules starts;
    starts.annealings = options_.starts;
    const SearchResult found = search_roles(search, roles_, starts, run_);
    for (std::size_t i = 0; i < std::min(found.ends.size(), dense_ends); ++i) {
      const RoleState& end = found.ends[i].state;
      BitMatrix roles(roles_, held_.columns());
      for (std::size_t k = 0; k < roles_; ++k) {
        for (std::size_t d = 0; d < held_.columns(); ++d) roles.set(k, d, end.roles(k, merged.column_of[d]));
      }
      SparseRoles state = start_with(roles, sample);
      state.p0 = end.p0;
      state.p1 = end.p1;
      question.starts.push_back({found.ends[i].name, std::move(state)});
    }
  }

  RoleModel model_of(const SparseFit& fit) const {
    RoleModel model;
    model.method = options_.method;
    model.permissions = data_.access->permissions.to_vector();
    model.roles.resize(roles_);
    model.absence.assign(roles_ * held_.columns(), 1.0);
    for (std::size_t k = 0; k < roles_; ++k) {
      for (const std::uint32_t d : fit.state.roles[k]) model.absence[k * held_.columns() + d] = 0.0;
    }
    model.noise = options_.noise;
    model.p0 = {fit.state.p0};
    model.p1 = {fit.state.p1};
    model.frozen.assign(roles_, 0);
    std::fill_n(model.frozen.begin(), rules_.kept, std::uint8_t{1});
    model.users = static_cast<double>(held_.rows());
    list_sets(fit.state, fit.posteriors, rules_, model);
    return model;
  }

  SparseRules rules_;
};

}  // namespace

bool is_grown(std::size_t roles, const MineOptions& options, const BitMatrix& held) {
  const std::size_t degree = options.method == RoleMethod::sac ? 1 : options.max_roles_per_user;
  if (degree > 1 && label_set_count(roles, degree) > static_cast<double>(most_label_sets)) return true;
  return held.columns() > most_paired_columns &&
         count_distinct_rows(transposed(sparse_rows(held))) > most_paired_columns;
}

MacFit fit_grown(const MineData& data, std::size_t roles, const MineOptions& options,
                 const RoleConstraints& constraints, const RunContext& run) {
  if (options.set_shares == SetShares::uniform) {
    fail(ErrorKind::usage,
         "--set-shares uniform: there are too many sets of roles to be listed; ask for fewer roles, or for fewer per "
         "user");
  }
  return GrownFitter(data, roles, options, constraints, run).go();
}

CommonSets most_common_sets(const RoleModel& model, std::size_t most) {
  std::vector<std::uint32_t> order(model.sets.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto is_small = [&](std::uint32_t l) { return model.sets[l].size() < 2; };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (is_small(a) != is_small(b)) return is_small(a);
    if (is_small(a)) return model.sets[a].size() < model.sets[b].size();
    return model.set_share[a] > model.set_share[b];
  });
  order.resize(std::min(order.size(), most));
  CommonSets common;
  double sum = 0.0;
  for (const std::uint32_t l : order) {
    common.sets.add(model.sets[l]);
    // A set has no users left out but those nobody has: EM can still find some.
    common.share.push_back(std::max(model.set_share[l], 1e-9));
    sum += model.set_share[l];
  }
  common.left_out = std::max(0.0, 1.0 - sum);
  double total = std::accumulate(common.share.begin(), common.share.end(), 0.0);
  for (double& share : common.share) share /= total;
  return common;
}

}  // namespace motet::roles
