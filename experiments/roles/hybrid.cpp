// Hybrid role mining (section 8.3): what business attributes add to roles, and what they take from prediction.
#include <fmt/format.h>

#include <cmath>

#include "experiments/panel.h"
#include "experiments/roles/figures.h"
#include "motet/base/numeric.h"
#include "motet/measure/boolean.h"
#include "motet/roles/attribute_profile.h"
#include "motet/roles/evaluate.h"
#include "motet/roles/mine.h"
#include "motet/roles/simulate.h"

namespace motet::roles {

namespace {

// An independent computation of the same set-up: error of predicting the true permissions of a new user, with nothing
// and with a tenth of the permissions known.
struct HybridCase {
  double coupling;
  double nothing_plain, nothing_hybrid;
  double tenth_plain, tenth_hybrid;
};
constexpr HybridCase hybrid_cases[] = {{0.8, .185, .0455, .080, .0268}, {0.5, .179, .117, .0665, .0463}};

struct HybridScores {
  std::vector<double> explained, nothing, tenth, wrong_bits;
};

// Share of wrong cells of the structure when nothing but the attributes is known.
double unseen_error(const RoleModel& model, const PlantedAccess& test, const Attributes* attributes,
                    const RunContext& run) {
  const BitMatrix known(test.clean.rows(), test.clean.columns());
  const UserPosteriors users = user_posteriors(model, test.access.held, {&known, attributes}, run);
  BitMatrix guess(test.clean.rows(), test.clean.columns());
  for (std::size_t n = 0; n < guess.rows(); ++n) {
    const std::vector<double> grants = granted(model, users.of(n));
    for (std::size_t d = 0; d < grants.size(); ++d) guess.set(n, d, grants[d] > 0.5);
  }
  return reconstruction_error(guess, test.clean);
}

// The share of the entropy of membership that the department explains, mean over roles.
double explained(const RoleFit& fit, const Attributes& attributes) {
  const AttributeProfile profile =
      attribute_profile(role_shares(fit.model, fit.users), fit.model.role_count(), attributes);
  double sum = 0.0;
  double count = 0.0;
  for (const RoleProfile& role : profile.roles) {
    if (std::isnan(role.explained[0])) continue;
    sum += role.explained[0];
    count += 1.0;
  }
  return sum / count;
}

PlantedAccess part_of(const PlantedAccess& all, std::size_t begin, std::size_t end) {
  std::vector<std::uint32_t> users;
  for (std::size_t n = begin; n < end; ++n) users.push_back(static_cast<std::uint32_t>(n));
  return {with_users(all.access, users), all.roles, all.assignments.rows_of(users), all.clean.rows_of(users),
          with_users(*all.attributes, users)};
}

void measure(const PlantedAccess& train, const PlantedAccess& test, bool hybrid, HybridScores& scores,
             const RunContext& run) {
  const Attributes* attributes = hybrid ? &*train.attributes : nullptr;
  const Attributes* of_test = hybrid ? &*test.attributes : nullptr;
  const RoleFit fit = mine_roles({&train.access, attributes, nullptr}, train.roles.rows(), {}, {}, run);
  scores.explained.push_back(explained(fit, *train.attributes));
  scores.nothing.push_back(unseen_error(fit.model, test, of_test, run));
  const EvaluateData data{&test.access.held, &test.clean, of_test};
  scores.tenth.push_back(evaluate_roles(fit.model, data, {.repeats = 5}, {}, run).granted.mean);
  scores.wrong_bits.push_back(match_roles(train.roles, rounded_roles(fit.model)).difference);
}

std::vector<double> minus(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(a[i] - b[i]);
  return result;
}

}  // namespace

Outcome run_hybrid(const ExperimentContext& context) {
  ExperimentWriter writer("roles-hybrid", "Hybrid role mining: with and without business attributes");
  const std::size_t repeats = context.repeats_or(context.quick ? 1 : 5);
  const std::size_t users = context.quick ? 80 : 1000;
  const std::size_t roles = context.quick ? 3 : 8;
  writer.section(
      "Set-up",
      fmt::format(
          "{0} users to learn from and {0} new ones, {1} roles, 12 departments with three typical sets of roles "
          "each; coupling is the share of users who have a set typical of their department; mixture noise 0.3. "
          "Errors are shares of wrong cells of the structure behind the noise, of new users of whom nothing or a "
          "tenth of the permissions is known; explained is the share of the entropy of membership that the "
          "department removes, mean over roles. {2} data sets.",
          users, roles, repeats));
  Table table{{{"coupling", 1},
               {"known"},
               {"without"},
               {"with"},
               {"with minus without"},
               {"reference without", 4},
               {"reference with", 4}},
              {}};
  Table told{{{"coupling", 1}, {"explained without"}, {"explained with"}, {"wrong bits without"}, {"wrong bits with"}},
             {}};
  for (const HybridCase& item : hybrid_cases) {
    HybridScores plain;
    HybridScores hybrid;
    for (std::size_t repeat = 0; repeat < repeats; ++repeat) {
      SimulateAccessOptions options;
      options.users = 2 * users;
      options.permissions = context.quick ? 24 : 200;
      options.roles = roles;
      options.noise_fraction = 0.3;
      options.attribute_values = 12;
      options.coupling = item.coupling;
      const PlantedAccess all = simulate_access(options, Rng(context.run.seed).child(0xC100).child(repeat));
      const PlantedAccess train = part_of(all, 0, users);
      const PlantedAccess test = part_of(all, users, 2 * users);
      measure(train, test, false, plain, context.run);
      measure(train, test, true, hybrid, context.run);
    }
    table.rows.push_back({item.coupling, std::string("nothing"), mean_text(plain.nothing), mean_text(hybrid.nothing),
                          mean_text(minus(hybrid.nothing, plain.nothing)), item.nothing_plain, item.nothing_hybrid});
    table.rows.push_back({item.coupling, std::string("a tenth"), mean_text(plain.tenth), mean_text(hybrid.tenth),
                          mean_text(minus(hybrid.tenth, plain.tenth)), item.tenth_plain, item.tenth_hybrid});
    told.rows.push_back({item.coupling, mean_text(plain.explained), mean_text(hybrid.explained),
                         mean_text(plain.wrong_bits, 1), mean_text(hybrid.wrong_bits, 1)});
  }
  writer.table("Prediction error", std::move(table));
  writer.table("Interpretability and roles", std::move(told));
  return writer.finish(
      "section 8.3 says in words, of a company whose data are not public, that attributes largely improve what roles "
      "tell and hardly change prediction; the reference is an independent computation of this set-up");
}

}  // namespace motet::roles
