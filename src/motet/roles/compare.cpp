#include "motet/roles/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "motet/base/error.h"
#include "motet/base/streams.h"
#include "motet/data/split.h"
#include "motet/measure/boolean.h"
#include "motet/roles/baselines/asso.h"
#include "motet/roles/baselines/from_factors.h"
#include "motet/roles/baselines/neighbours.h"
#include "motet/roles/choice/grown_models.h"
#include "motet/roles/choice/role_capacity.h"
#include "motet/roles/evaluate.h"
#include "motet/roles/jaccard.h"
#include "motet/roles/sparse/grown_fit.h"
#include "motet/roles/sparse/sparse_rows.h"

namespace motet::roles {
namespace {

constexpr std::size_t held_out_fold = 5;  // one user in five is held out
constexpr std::size_t least_users = 20;
constexpr std::size_t most_paired = 1000;  // users of each half between which the capacity is measured

double overlap_of(const BitMatrix& roles) {
  if (roles.rows() < 2) return MethodScore::none;
  const std::vector<double> pairs = pairwise_jaccard(roles);
  double sum = 0.0;
  for (std::size_t a = 0; a < roles.rows(); ++a) {
    for (std::size_t b = 0; b < a; ++b) sum += pairs[a * roles.rows() + b];
  }
  return sum / (0.5 * static_cast<double>(roles.rows()) * static_cast<double>(roles.rows() - 1));
}

MethodScore score_of(const RoleFit& fit) {
  MethodScore score{std::string(name_of(fit.model.method)), fit.model.role_count(), fit.training_error, fit.coverage};
  score.mean_overlap = overlap_of(rounded_roles(fit.model));
  return score;
}

Factorization asso_of(const BitMatrix& held, std::size_t roles, const RunContext& run) {
  const MergedMatrix merged = merge_equal(held);
  return unmerged(asso(merged, roles, {}, run), merged);
}

// Of columns that differ; asso counts all pairs of them.
bool is_too_large_for_asso(const BitMatrix& held) {
  return held.columns() > most_paired_columns &&
         count_distinct_rows(transposed(sparse_rows(held))) > most_paired_columns;
}

MethodScore asso_score(const BitMatrix& held, std::size_t roles, const RunContext& run) {
  const Factorization factors = asso_of(held, roles, run);
  const BitMatrix rebuilt = boolean_product(factors.assignments, factors.roles);
  MethodScore score{"asso", roles, reconstruction_error(rebuilt, held), coverage(rebuilt, held, true)};
  score.mean_overlap = overlap_of(factors.roles);
  return score;
}

// The two lots are all but independent, so their variances add.
void set_error(MethodScore& score, const PredictionError& error) {
  score.generalization_error = error.mean;
  score.standard_error = error.both();
}

// Users a method is fitted on, and users it must predict.
struct Split {
  Access train;
  Access test;
  std::optional<Attributes> train_attributes;
  std::optional<Attributes> test_attributes;
};

Split split_users(const MineData& data, std::size_t most_users, const Rng& rng) {
  const auto [test, train] = cut_by_lot(data.access->user_count(), most_users, held_out_fold, Cut::in_front, rng);
  Split split{with_users(*data.access, train), with_users(*data.access, test), {}, {}};
  if (data.attributes != nullptr) {
    split.train_attributes = with_users(*data.attributes, train);
    split.test_attributes = with_users(*data.attributes, test);
  }
  return split;
}

class HeldOut {
 public:
  HeldOut(const Split& split, const CompareOptions& compare, const RunContext& run)
      : split_(split), options_{compare.reveal, compare.repeats}, run_(run) {}

  GeneralizationResult of(const RoleModel& model, std::span<const NamedGuess> references = {}) const {
    const EvaluateData data{&split_.test.held, nullptr, split_.test_attributes ? &*split_.test_attributes : nullptr};
    return evaluate_roles(model, data, options_, references, run_);
  }

 private:
  const Split& split_;
  EvaluateOptions options_;
  const RunContext& run_;
};

void hold_out(Comparison& comparison, const MineData& data, std::size_t roles, const MineOptions& options,
              const RoleConstraints& constraints, const CompareOptions& compare, const RunContext& run) {
  const Split split = split_users(data, compare.most_users, stream(run.seed, Stream::roles_comparison_split));
  const HeldOut held_out(split, compare, run);
  const BitMatrix& training = split.train.held;
  const std::vector<NamedGuess> guesses = {
      {"nearest neighbour",
       [&](const BitMatrix& held, std::span<const std::uint32_t> disclosed) {
         return guess_nearest(training, held, disclosed, run);
       }},
      {"majority", [&](const BitMatrix& held, std::span<const std::uint32_t> disclosed) {
         return guess_majority(training, held, disclosed);
       }}};
  const MineData train{&split.train, split.train_attributes ? &*split.train_attributes : nullptr, nullptr};
  const RoleFit ours = mine_roles(train, roles, options, constraints, run);
  const GeneralizationResult result = held_out.of(ours.model, guesses);
  set_error(comparison.methods[0], result.posterior);
  if (comparison.methods.size() > 1) {
    const std::size_t count = comparison.methods[1].roles;
    const RoleModel simple =
        model_from_factors(split.train, asso_of(training, count, run), options.max_roles_per_user, RoleMethod::asso);
    const GeneralizationResult of_asso = held_out.of(simple);
    set_error(comparison.methods[1],
              of_asso.nearest.mean < of_asso.posterior.mean ? of_asso.nearest : of_asso.posterior);
  }
  for (const NamedError& reference : result.references) {
    comparison.methods.push_back({reference.name});
    set_error(comparison.methods.back(), reference.error);
  }
}

}  // namespace

bool does_as_well(const MethodScore& simple, const MethodScore& fit) {
  if (!std::isnan(simple.generalization_error) && !std::isnan(fit.generalization_error)) {
    const double error = std::isnan(fit.standard_error) ? 0.0 : fit.standard_error;
    return simple.generalization_error <= fit.generalization_error + error;
  }
  return simple.training_error <= fit.training_error && simple.roles <= fit.roles;
}

Comparison compare_roles(const RoleFit& fit, const MineData& data, std::size_t roles, const MineOptions& options,
                         const RoleConstraints& constraints, const CompareOptions& compare, const RunContext& run) {
  double fits = 0.0;
  const auto tell = [&] {
    if (run.observer) run.observer({"comparing with simpler methods", fits, compare.held_out ? 2.0 : 1.0, "fits"});
  };
  const auto told = [&](double done) {
    fits = done;
    tell();
    if (run.cancelled()) fail(ErrorKind::interrupted, "interrupted while comparing with simpler methods");
  };
  RunContext quiet = run;  // the checkpoint is that of the fit itself
  quiet.observer = [&](const Progress&) { tell(); };
  quiet.save = {};
  quiet.resume = {};
  told(0.0);
  Comparison comparison;
  comparison.methods.push_back(score_of(fit));
  if (is_too_large_for_asso(data.access->held)) {
    comparison.note = fmt::format("the comparison with asso is left out: it would count all pairs of {} permissions",
                                  data.access->permission_count());
  } else if (options.method != RoleMethod::asso && fit.model.role_count() > 0) {
    comparison.methods.push_back(asso_score(data.access->held, fit.model.role_count(), quiet));
  }
  if (!compare.held_out) return comparison;
  told(1.0);
  if (data.access->user_count() < least_users || data.access->permission_count() < 2) {
    comparison.note = fmt::format("{} users and {} permissions are too few to hold some out", data.access->user_count(),
                                  data.access->permission_count());
    return comparison;
  }
  try {
    hold_out(comparison, data, roles, options, constraints, compare, quiet);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unanswerable) throw;
    comparison.note = fmt::format("without the held-out users the roles cannot be mined: {}", error.what());
  }
  return comparison;
}

double capacity_between_halves(const RoleFit& fit, const BitMatrix& held, const RunContext& run) {
  if (held.rows() < 2 || fit.model.role_count() == 0 || fit.model.grown) return MethodScore::none;
  RoleModel model = fit.model;
  std::fill(model.set_share.begin(), model.set_share.end(), 0.0);
  for (const SetShare& share : fit.users.shares) {
    model.set_share[share.set] += share.probability / static_cast<double>(held.rows());
  }
  const Rng root = stream(run.seed, Stream::roles_capacity_halves);
  const CutRows halves = cut_by_lot(held.rows(), 2 * most_paired, 2, Cut::in_front, root);
  const BitMatrix first = held.rows_of(halves.aside);
  const BitMatrix second = held.rows_of(halves.rest);
  SearchRules rules;
  rules.degree = 1;
  for (std::size_t l = 0; l < model.sets.size(); ++l) rules.degree = std::max(rules.degree, model.sets[l].size());
  RunContext quiet = run;
  quiet.save = {};
  quiet.resume = {};
  quiet.observer = [&](const Progress&) {
    if (run.observer) run.observer({"measuring the capacity", 0.0, 0.0, "halves"});
  };
  const std::size_t roles = model.role_count();
  try {
    const std::vector<RoleModel> others =
        grown_models(second, model.permissions, {roles, roles}, rules, root.child(1), quiet);
    if (others.empty()) return MethodScore::none;
    const PairedUsers users = pair_users_by(others.back(), first, second, quiet);
    return users.pairs.empty() ? MethodScore::none : role_capacity(model, users, {}, quiet).bits;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unanswerable) throw;
    return MethodScore::none;  // halves of few users may have nothing to compare
  }
}

}  // namespace motet::roles
