// Figures 10.1 and 10.2: the approximation capacity of four models.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "experiments/roles/figures.h"
#include "experiments/roles/synthetic.h"
#include "motet/base/numeric.h"
#include "motet/measure/boolean.h"
#include "motet/roles/choice/role_capacity.h"
#include "motet/roles/mac/mac_em.h"

namespace motet::roles {

namespace {

constexpr std::string_view set_note =
    "hypotheses are all sets that the model allows, but without the empty one, which chapter 10 does not have";

using UserSets = std::vector<std::vector<std::uint32_t>>;

struct CapacityPlan {
  BitMatrix sources;
  UserSets users;
  double set_probability = 0.5;
  std::vector<double> noise;
  std::size_t repeats = 10;
  std::vector<MethodPlan> methods;
};

UserSets users_of(std::size_t first, std::size_t second, std::size_t both) {
  UserSets users(first, {0});
  users.insert(users.end(), second, {1});
  users.insert(users.end(), both, {0, 1});
  return users;
}

std::vector<MethodPlan> four_models() {
  std::vector<MethodPlan> methods = {mac_plan("MAC"), mac_plan("MAC soft", Centroids::soft),
                                     mac_plan("MAC without noise", Centroids::soft, RoleNoise::none),
                                     sac_plan("SAC", 3),
                                     sac_plan("SAC without noise", 3, Centroids::soft, RoleNoise::none)};
  for (MethodPlan& method : methods) method.roles = method.against_sets ? 3 : 2;
  return methods;
}

struct CapacityScores {
  MethodScores::Values beta, roles, soft_capacity, capacity, true_capacity;
};

// Chapter 10 has no users without roles, so the empty set is no hypothesis there.
RoleModel without_empty_set(RoleModel model) {
  LabelSets sets;
  std::vector<double> share;
  double sum = 0.0;
  for (std::size_t l = 0; l < model.sets.size(); ++l) {
    if (model.sets[l].empty()) continue;
    sets.add(model.sets[l]);
    share.push_back(model.set_share[l]);
    sum += share.back();
  }
  for (double& one : share) one /= sum;
  model.sets = std::move(sets);
  model.set_share = std::move(share);
  return model;
}

std::vector<CapacityScores> capacity_study(const ExperimentContext& context, const CapacityPlan& plan) {
  const MethodScores::Values empty(plan.noise.size(), std::vector<double>(plan.repeats));
  std::vector<CapacityScores> scores(plan.methods.size(), {empty, empty, empty, empty, empty});
  run_grid(
      context, "capacity", plan.noise.size(), plan.repeats,
      [&](std::size_t level, std::size_t repeat, const RunContext& run) {
        const Rng rng = Rng(context.run.seed).child(0xA000).child(level).child(repeat);
        const auto draw = [&](std::uint64_t which) {
          return planted_from(plan.sources, plan.users, plan.noise[level], plan.set_probability, rng.child(which));
        };
        const PlantedAccess first = draw(0);
        const PlantedAccess second = draw(1);
        const PairedUsers nearest = pair_nearest_users(first.access.held, second.access.held, run);
        const PairedUsers same{first.access.held, second.access.held, pair_in_order(plan.users.size())};  // true sets
        for (std::size_t m = 0; m < plan.methods.size(); ++m) {
          const RoleModel model = without_empty_set(mined_by(first.access, plan.methods[m], run).model);
          const BitMatrix truth = plan.methods[m].against_sets ? proxy_centroids(first) : plan.sources;
          scores[m].roles[level][repeat] = role_error(truth, rounded_roles(model));
          scores[m].beta[level][repeat] = match_roles(absence_of(truth), model.absence, truth.columns()).error;
          RoleCapacityOptions options{.least_users = 0.0};
          scores[m].capacity[level][repeat] = role_capacity(model, nearest, options, run).bits;
          scores[m].true_capacity[level][repeat] = role_capacity(model, same, options, run).bits;
          options.rounded = false;
          scores[m].soft_capacity[level][repeat] = role_capacity(model, nearest, options, run).bits;
        }
      });
  return scores;
}

struct MacReferences {
  Reference nearest, same;  // of MAC with rounded roles
  Reference nearest_without_noise;
};

void write_panels(ExperimentWriter& writer, const CapacityPlan& plan, const std::vector<CapacityScores>& scores,
                  const MacReferences& references) {
  const auto panel = [&](std::string title, std::string y, auto member, int digits, const Reference& mac,
                         const Reference& without_noise) {
    Panel made(std::move(title), "noise", std::move(y), plan.noise);
    for (std::size_t m = 0; m < scores.size(); ++m) {
      made.add(plan.methods[m].name, scores[m].*member, m == 0 ? mac : (m == 2 ? without_noise : Reference{}));
    }
    made.write(writer, digits);
  };
  panel("(a) error of beta", "error of beta", &CapacityScores::beta, 4, {}, {});
  panel("(b) error of the roles", "error of the roles", &CapacityScores::roles, 4, {}, {});
  panel("(c) capacity with beta", "bits", &CapacityScores::soft_capacity, 3, {}, {});
  panel("(d) capacity with rounded roles", "bits", &CapacityScores::capacity, 3, references.nearest,
        references.nearest_without_noise);
  panel("(d) with users paired by their true sets", "bits", &CapacityScores::true_capacity, 3, references.same, {});
}

CapacityPlan plan_for(const ExperimentContext& context, std::vector<double> levels, std::size_t repeats) {
  CapacityPlan plan;
  plan.noise = levels_for(context, std::move(levels));
  plan.repeats = context.repeats_or(context.quick ? 2 : repeats);
  plan.methods = four_models();
  return plan;
}

double value_at(const CapacityPlan& plan, const MethodScores::Values& values, double noise) {
  for (std::size_t i = 0; i < plan.noise.size(); ++i) {
    if (plan.noise[i] == noise) return mean_sd(values[i]).mean;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

struct Extremes {
  std::size_t least = 0, most = 0;  // methods
  double low = 0.0, high = 0.0;
};

// Of the four models of the thesis, which all keep what they estimate: MAC soft is another view of the first.
Extremes extremes_at(const CapacityPlan& plan, const std::vector<CapacityScores>& scores,
                     MethodScores::Values CapacityScores::*member, double noise) {
  Extremes found{0, 0, value_at(plan, scores[0].*member, noise), value_at(plan, scores[0].*member, noise)};
  for (const std::size_t m : {2U, 3U, 4U}) {
    const double bits = value_at(plan, scores[m].*member, noise);
    if (bits < found.low) found = {m, found.most, bits, found.high};
    if (bits > found.high) found = {found.least, m, found.low, bits};
  }
  return found;
}

void claim_highest(Claims& claims, const CapacityPlan& plan, const std::vector<CapacityScores>& scores,
                   MethodScores::Values CapacityScores::*member, const char* what, double noise) {
  const Extremes found = extremes_at(plan, scores, member, noise);
  claims.add(fmt::format("highest {} at noise {:.1f}", what, noise), "MAC with noise",
             fmt::format("{} {:.3f}; MAC {:.3f}", plan.methods[found.most].name, found.high,
                         value_at(plan, scores[0].*member, noise)),
             verdict(found.most == 0));
}

void claim_figure_10_1(ExperimentWriter& writer, const CapacityPlan& plan, const std::vector<CapacityScores>& scores) {
  Claims claims;
  const auto mac = [&](double noise) { return value_at(plan, scores[0].capacity, noise); };
  const double most = std::log2(3.0);
  claims.add("(d) capacity without noise", "log2 3 = 1.585", fmt::format("{:.3f}", mac(0.0)),
             verdict(std::abs(mac(0.0) - most) < 0.005));
  claims.add("(d) capacity at noise 0.5", "half of it, 0.79", fmt::format("{:.3f}", mac(0.5)),
             verdict(std::abs(mac(0.5) - 0.5 * most) < 0.1 * most));
  claims.add("(b) wrong bits of MAC at noise 0.5", "none", fmt::format("{:.4f}", value_at(plan, scores[0].roles, 0.5)),
             verdict(value_at(plan, scores[0].roles, 0.5) == 0.0));
  claims.add("(d) as the noise rises", "slightly less to 0.2, then rapidly",
             fmt::format("{:.3f} less to 0.2, {:.3f} from there to 0.5", most - mac(0.2), mac(0.2) - mac(0.5)),
             verdict(mac(0.2) > 0.85 * most && (mac(0.2) - mac(0.5)) / 0.3 > 2.0 * (most - mac(0.2)) / 0.2));
  for (const double noise : {0.3, 0.5, 0.6}) {
    const Extremes found = extremes_at(plan, scores, &CapacityScores::capacity, noise);
    claims.add(fmt::format("(d) four models at noise {:.1f}", noise), "comparable",
               fmt::format("{:.3f} ({}) to {:.3f} ({})", found.low, plan.methods[found.least].name, found.high,
                           plan.methods[found.most].name),
               verdict(found.high - found.low < 0.1));
  }
  claim_highest(claims, plan, scores, &CapacityScores::capacity, "capacity (d)", 0.7);
  for (const double noise : {0.3, 0.5}) {
    const double with = value_at(plan, scores[1].soft_capacity, noise);
    const double without = value_at(plan, scores[2].soft_capacity, noise);
    claims.add(fmt::format("(c) MAC without noise at {:.1f}", noise), "less, as beta is less accurate",
               fmt::format("{:.3f}; with noise, soft {:.3f}", without, with), verdict(without < with));
  }
  claims.write(writer);
}

}  // namespace

Outcome run_figure_10_1(const ExperimentContext& context) {
  ExperimentWriter writer("roles-fig10.1", "Figure 10.1: capacity with two overlapping sources");
  CapacityPlan plan = plan_for(context, {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}, 10);
  constexpr std::size_t padding = 30;
  const BitMatrix three = chapter9_sources(Chapter9Sources::overlapping);
  plan.sources = BitMatrix(2, three.columns() + padding);
  for (std::size_t k = 0; k < 2; ++k) {
    for_each_bit(three.row(k), [&](std::size_t d) { plan.sources.set(k, d); });
  }
  const std::size_t items = context.quick ? 15 : 100;
  plan.users = users_of(items, items, items);
  writer.section("Set-up",
                 fmt::format("The first two overlapping sources and {} permissions nobody has, {} users of each "
                             "of {{1}}, {{2}} and {{1, 2}}, r = 0.5, {} pairs of data sets per level. SAC has "
                             "three clusters.",
                             padding, items, plan.repeats));
  const std::vector<CapacityScores> scores = capacity_study(context, plan);
  MacReferences references;
  references.nearest = {{0, 1.585}, {.2, 1.46}, {.3, 1.23}, {.5, .743}, {.7, .307}};
  references.same = {{0, 1.585}, {.2, 1.547}, {.3, 1.448}, {.5, .932}, {.7, .288}, {.8, .074}};
  references.nearest_without_noise = {{.5, .589}};
  write_panels(writer, plan, scores, references);
  if (!context.quick) claim_figure_10_1(writer, plan, scores);
  writer.note(
      "reference: an independent computation with the true centroids, in (d) with users paired by (10.9), below it by "
      "their true sets; without padding");
  return writer.finish(std::string(set_note));
}

Outcome run_figure_10_2(const ExperimentContext& context) {
  ExperimentWriter writer("roles-fig10.2", "Figure 10.2: capacity with two unequal sources");
  CapacityPlan plan = plan_for(context, {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}, 5);
  constexpr std::size_t core = 20;
  constexpr std::size_t first_ones = 14;
  const std::size_t columns = context.quick ? 40 : 150;
  plan.sources = BitMatrix(2, columns);
  for (std::size_t d = 0; d < core; ++d) plan.sources.set(d < first_ones ? 0 : 1, d);
  for (std::size_t d = core; d < core + (columns - core) / 2; ++d) {
    plan.sources.set(0, d);
    plan.sources.set(1, d);
  }
  plan.users = context.quick ? users_of(20, 18, 4) : users_of(150, 140, 10);
  plan.set_probability = 0.75;
  writer.section("Set-up",
                 fmt::format("Two sources without common ones in {} permissions ({} and {} of them), padded to {} "
                             "permissions that both have (half) or lack; users {{1}} 150, {{2}} 140, {{1, 2}} "
                             "10; r = 0.75, {} pairs of data sets per level.",
                             core, first_ones, core - first_ones, columns, plan.repeats));
  const std::vector<CapacityScores> scores = capacity_study(context, plan);
  write_panels(writer, plan, scores, {});
  if (!context.quick) {
    Claims claims;
    for (const double noise : {0.1, 0.3, 0.5, 0.7}) {
      claim_highest(claims, plan, scores, &CapacityScores::capacity, "capacity (d)", noise);
    }
    for (const double noise : {0.1, 0.3, 0.5, 0.7}) {
      claim_highest(claims, plan, scores, &CapacityScores::true_capacity, "capacity with true pairs", noise);
    }
    for (const std::size_t m : {3U, 4U}) {
      const double before = value_at(plan, scores[m].capacity, 0.0);
      const double after = value_at(plan, scores[m].capacity, 0.3);
      claims.add(fmt::format("(d) {}, noise 0 to 0.3", plan.methods[m].name), "clearly drops",
                 fmt::format("{:.3f} to {:.3f}; MAC {:.3f}", before, after, value_at(plan, scores[0].capacity, 0.3)),
                 verdict(after < value_at(plan, scores[0].capacity, 0.3) - 0.05));
    }
    claims.write(writer);
  }
  writer.note(std::string(set_note));
  return writer.finish("the thesis does not say how many ones the two sources have; 14 and 6 are ours");
}

}  // namespace motet::roles
