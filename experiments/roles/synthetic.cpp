#include "experiments/roles/synthetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/numeric.h"
#include "motet/measure/boolean.h"
#include "motet/measure/stability.h"
#include "motet/roles/baselines/asso.h"
#include "motet/roles/baselines/bica.h"
#include "motet/roles/baselines/dbps.h"
#include "motet/roles/baselines/from_factors.h"
#include "motet/roles/baselines/ino.h"
#include "motet/roles/mac/mac_em.h"
#include "motet/roles/mac/mac_fit.h"

namespace motet::roles {

namespace {

constexpr std::size_t most_compared = 8;  // roles whose subsets are searched for the best

Factorization factors_by(const BitMatrix& held, const MethodPlan& method, const RunContext& run) {
  if (method.options.method == RoleMethod::ino) return ino(held, {}, run);
  const MergedMatrix merged = merge_equal(held);
  switch (method.options.method) {
    case RoleMethod::asso: return unmerged(asso(merged, method.roles, {}, run), merged);
    case RoleMethod::dbps: return unmerged(dbps(merged, method.roles, {}, run), merged);
    default: return unmerged(bica(merged, method.roles, {}, run), merged);
  }
}

double beta_error(const BitMatrix& truth, const RoleModel& model) {
  if (model.role_count() > truth.rows()) return role_error(truth, rounded_roles(model));
  return match_roles(absence_of(truth), model.absence, truth.columns()).error;
}

double noise_at(const Chapter9Options& data, double level, std::size_t d, std::size_t columns) {
  return data.rising_noise ? 2.0 * level * static_cast<double>(d) / static_cast<double>(columns - 1) : level;
}

// The labels of the nearest user of the first data set, of equals one by lot.
BitMatrix nearest_labels(const BitMatrix& first, const BitMatrix& labels, const BitMatrix& second, Rng rng) {
  std::vector<std::uint32_t> nearest;
  for (std::size_t n = 0; n < second.rows(); ++n) {
    std::vector<std::uint32_t> equals;
    std::size_t least = second.columns() + 1;
    for (std::uint32_t m = 0; m < first.rows(); ++m) {
      std::size_t distance = 0;
      for (std::size_t w = 0; w < first.words(); ++w) {
        distance += static_cast<std::size_t>(std::popcount(first.row(m)[w] ^ second.row(n)[w]));
      }
      if (distance > least) continue;
      if (distance < least) equals.clear();
      least = distance;
      equals.push_back(m);
    }
    nearest.push_back(equals[rng.below(equals.size())]);
  }
  return labels.rows_of(nearest);
}

BitMatrix labels_by(const RoleModel& model, const BitMatrix& held, const RunContext& run) {
  return most_probable_roles(model, user_posteriors(model, held, {}, run));
}

void resize(MethodScores& scores, std::size_t levels, std::size_t repeats) {
  for (MethodScores::Values* values : {&scores.roles, &scores.beta, &scores.rebuilt, &scores.instability,
                                       &scores.model_instability, &scores.noise, &scores.mean_noise}) {
    values->assign(levels, std::vector<double>(repeats, no_number));
  }
}

// Data sets of one level of noise and what the methods made of them.
class SyntheticStudy {
 public:
  SyntheticStudy(const ExperimentContext& context, const SyntheticPlan& plan)
      : context_(context), plan_(plan), scores_(plan.methods.size()), planted_(plan.repeats), mined_(plan.repeats) {
    for (MethodScores& scores : scores_) resize(scores, plan.noise.size(), plan.repeats);
  }

  std::vector<MethodScores> go() {
    run_grid(
        context_, plan_.stage, plan_.noise.size(), plan_.repeats,
        [&](std::size_t level, std::size_t repeat, const RunContext& run) { fit(level, repeat, run); },
        [&](std::size_t level) {
          if (plan_.wants_stability) compare(level);
        });
    return std::move(scores_);
  }

 private:
  void fit(std::size_t level, std::size_t repeat, const RunContext& run) {
    Chapter9Options data = plan_.data;
    data.noise_fraction = plan_.noise[level];
    const PlantedAccess& planted = planted_[repeat] =
        chapter9_data(plan_.sources, data, Rng(context_.run.seed).child(0x9001).child(level).child(repeat));
    mined_[repeat].assign(plan_.methods.size(), {});
    for (std::size_t m = 0; m < plan_.methods.size(); ++m) {
      const MethodPlan& method = plan_.methods[m];
      if (repeat >= method.most_repeats) continue;
      const MinedRoles& mined = mined_[repeat][m] = mined_by(planted.access, method, run);
      const BitMatrix roles = rounded_roles(mined.model);
      const BitMatrix truth = method.against_sets ? proxy_centroids(planted) : plan_.sources;
      MethodScores& scores = scores_[m];
      scores.roles[level][repeat] = role_error(truth, roles);
      scores.beta[level][repeat] = beta_error(truth, mined.model);
      scores.rebuilt[level][repeat] = reconstruction_error(boolean_product(mined.assignments, roles), planted.clean);
      const auto columns = static_cast<double>(plan_.sources.columns());
      double error = 0.0;
      double sum = 0.0;
      for (std::size_t d = 0; d < plan_.sources.columns(); ++d) {
        const double difference = mined.model.p0_of(d) + 1.0 - mined.model.p1_of(d) -
                                  noise_at(data, plan_.noise[level], d, plan_.sources.columns());
        error += std::abs(difference);
        sum += difference;
      }
      scores.noise[level][repeat] = error / columns;
      scores.mean_noise[level][repeat] = std::abs(sum) / columns;
    }
  }

  // Each data set with the next.
  void compare(std::size_t level) {
    for_each_task(plan_.methods.size() * plan_.repeats, context_.run.threads, [&](std::size_t task) {
      const std::size_t m = task / plan_.repeats;
      const std::size_t repeat = task % plan_.repeats;
      const std::size_t repeats = std::min(plan_.repeats, plan_.methods[m].most_repeats);
      if (repeats < 2 || repeat >= repeats) return;
      const std::size_t next = (repeat + 1) % repeats;
      const MinedRoles& first = mined_[repeat][m];
      const MinedRoles& second = mined_[next][m];
      const BitMatrix& held = planted_[next].access.held;
      RunContext one_thread;
      one_thread.threads.count = 1;
      Rng lot = Rng(context_.run.seed).child(0x9002).child(repeat);
      scores_[m].instability[level][repeat] =
          instability(nearest_labels(planted_[repeat].access.held, first.assignments, held, lot), second.assignments)
              .share;
      scores_[m].model_instability[level][repeat] =
          instability(labels_by(first.model, held, one_thread), labels_by(second.model, held, one_thread)).share;
    });
  }

  const ExperimentContext& context_;
  const SyntheticPlan& plan_;
  std::vector<MethodScores> scores_;
  std::vector<PlantedAccess> planted_;          // by repeat
  std::vector<std::vector<MinedRoles>> mined_;  // [repeat][method]
};

}  // namespace

MinedRoles mined_by(const Access& access, const MethodPlan& method, const RunContext& run) {
  MinedRoles mined;
  if (method.options.method == RoleMethod::mac || method.options.method == RoleMethod::sac) {
    MineData data{.access = &access};
    mined.model = fit_mac(data, method.roles, method.options, {}, run).model;
    mined.assignments = labels_by(mined.model, access.held, run);
  } else {
    Factorization factors = factors_by(access.held, method, run);
    mined.model = model_from_factors(access, factors, method.options.max_roles_per_user, method.options.method);
    mined.assignments = std::move(factors.assignments);
  }
  return mined;
}

MethodPlan mac_plan(std::string name, Centroids centroids, RoleNoise noise) {
  MethodPlan plan{std::move(name)};
  plan.options.max_roles_per_user = 2;
  plan.options.centroids = centroids;
  plan.options.noise = noise;
  return plan;
}

MethodPlan sac_plan(std::string name, std::size_t clusters, Centroids centroids, RoleNoise noise) {
  MethodPlan plan = mac_plan(std::move(name), centroids, noise);
  plan.options.method = RoleMethod::sac;
  plan.options.max_roles_per_user = 1;
  plan.roles = clusters;
  plan.against_sets = true;
  return plan;
}

MethodPlan baseline_plan(std::string name, RoleMethod method) {
  MethodPlan plan = mac_plan(std::move(name));
  plan.options.method = method;
  return plan;
}

double role_error(const BitMatrix& truth, const BitMatrix& estimate) {
  const std::size_t wanted = truth.rows();
  if (estimate.rows() <= wanted) return match_roles(truth, estimate).error;
  const std::size_t available = std::min(estimate.rows(), std::max(most_compared, wanted));
  double least = std::numeric_limits<double>::infinity();
  std::vector<std::uint8_t> taken(available, 0);
  std::fill_n(taken.begin(), wanted, std::uint8_t{1});
  do {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t k = 0; k < available; ++k) {
      if (taken[k] != 0) rows.push_back(k);
    }
    least = std::min(least, match_roles(truth, estimate.rows_of(rows)).error);
  } while (std::prev_permutation(taken.begin(), taken.end()));
  return least;
}

std::vector<MethodScores> synthetic_study(const ExperimentContext& context, const SyntheticPlan& plan) {
  return SyntheticStudy(context, plan).go();
}

std::vector<double> levels_for(const ExperimentContext& context, std::vector<double> levels) {
  if (context.quick && levels.size() > 2) levels = {levels.front(), levels[levels.size() / 2]};
  return levels;
}

PlantedAccess planted_from(const BitMatrix& sources, const std::vector<std::vector<std::uint32_t>>& assignments,
                           double noise_fraction, double set_probability, Rng rng) {
  PlantedAccess planted;
  planted.roles = sources;
  planted.assignments = BitMatrix(assignments.size(), sources.rows());
  for (std::size_t n = 0; n < assignments.size(); ++n) {
    for (const std::uint32_t k : assignments[n]) planted.assignments.set(n, k);
    planted.access.users.push_back(fmt::format("u{}", n + 1));
  }
  for (std::size_t d = 0; d < sources.columns(); ++d) planted.access.permissions.push_back(fmt::format("p{}", d + 1));
  planted.clean = boolean_product(planted.assignments, sources);
  planted.access.held = planted.clean;
  for (std::size_t n = 0; n < assignments.size(); ++n) {
    Rng own = rng.child(n);
    for (std::size_t d = 0; d < sources.columns(); ++d) {
      if (own.uniform() < noise_fraction) planted.access.held.set(n, d, own.uniform() < set_probability);
    }
  }
  return planted;
}

BitMatrix proxy_centroids(const PlantedAccess& planted) {
  const MergedMatrix sets = merge_equal(planted.assignments, {true, false});
  return boolean_product(sets.bits, planted.roles);
}

}  // namespace motet::roles
