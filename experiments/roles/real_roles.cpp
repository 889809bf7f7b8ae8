// Predicting what users hold who were not seen, on public access data.
#include <fmt/format.h>

#include <map>

#include "experiments/roles/figures.h"
#include "experiments/roles/real_sets.h"
#include "motet/base/numeric.h"
#include "motet/roles/baselines/neighbours.h"

namespace motet::roles {

namespace {

// Independent computation, one split; order of `predictors`.
struct RealSet {
  std::string file;
  std::size_t roles;
  std::vector<double> reference;
};

constexpr double none = std::numeric_limits<double>::quiet_NaN();
const std::vector<std::string> predictors = {"posterior (ours)",
                                             "nearest set (2.24)",
                                             "the same, commonest of equals",
                                             "ASSO, nearest set",
                                             "ASSO, posterior",
                                             "1-NN",
                                             "majority",
                                             "nothing"};
const std::vector<RealSet> real_sets = {
    {"hc.txt", 10, {.070, .067, none, .066, none, .083, .272, .714}},
    {"domino.txt", 20, {.0219, .0243, none, .0244, none, .0215, .0484, .0509}},
    {"fire1.txt", 30, {.0033, .0059, none, .0067, none, .0037, .087, .129}},
    {"americas_small.txt", 30, {.00146, .00413, none, .00391, none, .00097, .0092, .0181}},
    {"mushroom.dat", 30, {.086, .132, none, .127, none, .136, .143, .200}},
};
struct ModifiedCase {
  double noise;
  std::vector<double> reference;
};
const std::vector<ModifiedCase> modified_cases = {{.33, {.0093, .0150, none, .0244, none, .174, .028, none}},
                                                  {.60, {.0140, .0181, none, .0289, none, .304, none, none}}};

std::vector<NamedGuess> simple_guesses(const BitMatrix& training, const RunContext& run) {
  return {{"1-NN",
           [&training, run](const BitMatrix& held, std::span<const std::uint32_t> disclosed) {
             return guess_nearest(training, held, disclosed, run);
           }},
          {"majority",
           [&training](const BitMatrix& held, std::span<const std::uint32_t> disclosed) {
             return guess_majority(training, held, disclosed);
           }},
          {"nothing", [](const BitMatrix& held, std::span<const std::uint32_t> disclosed) {
             return guess_nothing(held, disclosed);
           }}};
}

struct SplitData {
  Access train;
  BitMatrix test;
  bool is_structure = false;  // the test data are clean: the structure is predicted, not what is held
};

// G by predictor.
std::vector<double> errors_of(const SplitData& data, std::size_t roles, std::size_t draws, const RunContext& run) {
  MethodPlan ours = mac_plan();
  MethodPlan greedy = baseline_plan("ASSO", RoleMethod::asso);
  ours.roles = greedy.roles = roles;
  const RoleModel model = mined_by(data.train, ours, run).model;
  const RoleModel associated = mined_by(data.train, greedy, run).model;
  EvaluateData test;
  test.held = &data.test;
  EvaluateOptions options{.repeats = draws};
  const std::vector<NamedGuess> guesses = simple_guesses(data.train.held, run);
  const GeneralizationResult first = evaluate_roles(model, test, options, guesses, run);
  const GeneralizationResult second = evaluate_roles(associated, test, options, {}, run);
  const auto learned = [&](const GeneralizationResult& result) {
    return data.is_structure ? result.granted.mean : result.posterior.mean;
  };
  return {learned(first),
          first.nearest.mean,
          first.common.mean,
          second.nearest.mean,
          learned(second),
          first.references[0].error.mean,
          first.references[1].error.mean,
          first.references[2].error.mean};
}

void add_rows(Table& table, const std::string& set, std::size_t roles, const std::vector<std::vector<double>>& errors,
              const std::vector<double>& reference) {
  for (std::size_t p = 0; p < predictors.size(); ++p) {
    std::vector<double> values;
    std::vector<double> differences;
    for (const std::vector<double>& split : errors) {
      values.push_back(split[p]);
      differences.push_back(split[0] - split[p]);
    }
    table.rows.push_back({set, static_cast<std::int64_t>(roles), predictors[p], mean_text(values, 5), reference[p],
                          p == 0 ? std::string() : mean_text(differences, 5)});
  }
}

using SetErrors = std::vector<std::vector<double>>;  // [split][predictor]

std::size_t neighbour_wins(const std::vector<SetErrors>& sets) {
  const auto neighbour =
      static_cast<std::size_t>(std::find(predictors.begin(), predictors.end(), "1-NN") - predictors.begin());
  return static_cast<std::size_t>(std::count_if(sets.begin(), sets.end(), [&](const SetErrors& splits) {
    double difference = 0.0;
    for (const std::vector<double>& split : splits) difference += split[neighbour] - split[0];
    return difference < 0.0;
  }));
}

Table error_table() {
  return {{{"set"}, {"roles", 0}, {"prediction"}, {"error (ours)"}, {"reference", 5}, {"posterior minus this"}}, {}};
}

std::vector<SetErrors> write_public_sets(const ExperimentContext& context, std::size_t splits, std::size_t draws,
                                         ExperimentWriter& writer) {
  writer.section(
      "Public sets",
      fmt::format("60 % of the users to learn from, 40 % to predict, {} splits; a tenth of the permissions is "
                  "disclosed ({} draws per split), the others are predicted. Errors are shares of wrong cells, "
                  "mean and standard error over splits; the last column is the paired difference. At most "
                  "two roles per user.",
                  splits, draws));
  Table table = error_table();
  std::vector<std::string> absent;
  std::vector<SetErrors> clean_errors;
  for (const RealSet& set : real_sets) {
    const std::optional<Access> access = read_real_set(context, set.file);
    if (!access) {
      absent.push_back(set.file);
      continue;
    }
    SetErrors errors(splits);
    const std::size_t roles = possible_roles(context, *access, set.roles);
    run_grid(context, set.file, 1, splits, [&](std::size_t, std::size_t split, const RunContext& run) {
      const std::size_t users = access->user_count();
      const UserSplit parts = split_users(users, users * 6 / 10, Rng(context.run.seed).child(0xB000).child(split));
      SplitData data{.train = with_users(*access, parts.train), .test = access->held.rows_of(parts.test)};
      errors[split] = errors_of(data, possible_roles(context, data.train, roles), draws, run);
    });
    add_rows(table, set.file, roles, errors, set.reference);
    clean_errors.push_back(std::move(errors));
  }
  writer.table("Prediction error", std::move(table));
  for (const std::string& file : absent) writer.note(fmt::format("roles/{} is not there: skipped", file));
  return clean_errors;
}

std::vector<SetErrors> write_modified_sets(const ExperimentContext& context, const Access& original, std::size_t splits,
                                           std::size_t draws, ExperimentWriter& writer) {
  writer.section(
      "Modified americas_small",
      "The two halves of the 1000 commonest permissions joined by OR, cells replaced by fair random bits; 2000 "
      "users to learn from with noise, the others are predicted without: both what is disclosed and what is "
      "predicted is the structure. 10 roles, at most two per user.");
  Table modified = error_table();
  std::vector<SetErrors> noisy_errors;
  for (const ModifiedCase& item : modified_cases) {
    SetErrors errors(splits);
    run_grid(context, "modified americas_small", 1, splits, [&](std::size_t, std::size_t split, const RunContext& run) {
      const Rng rng = Rng(context.run.seed).child(0xB100).child(split);
      const ModifiedSet set = modified_set(original, item.noise, rng.child(0));
      const std::size_t users = set.access.user_count();
      const UserSplit parts = split_users(users, std::min<std::size_t>(2000, users * 6 / 10), rng.child(1));
      SplitData data;
      data.train = with_users(set.access, parts.train);
      data.test = set.clean.rows_of(parts.test);
      data.is_structure = true;
      errors[split] = errors_of(data, possible_roles(context, data.train, 10), draws, run);
    });
    add_rows(modified, fmt::format("noise {:.2f}", item.noise), 10, errors, item.reference);
    noisy_errors.push_back(std::move(errors));
  }
  writer.table("Prediction error, modified", std::move(modified));
  return noisy_errors;
}

}  // namespace

Outcome run_real_roles(const ExperimentContext& context) {
  ExperimentWriter writer("roles-real", "Predicting the permissions of new users");
  const std::size_t splits = context.repeats_or(context.quick ? 1 : 5);
  const std::size_t draws = context.quick ? 2 : 5;
  const std::vector<SetErrors> clean_errors = write_public_sets(context, splits, draws, writer);

  const std::optional<Access> original = read_real_set(context, "americas_small.txt");
  if (!original) return writer.finish();
  const std::vector<SetErrors> noisy_errors = write_modified_sets(context, *original, splits, draws, writer);
  writer.note(
      "reference: an independent computation with one split of its own, so differences within a few standard errors "
      "mean "
      "nothing; our aim on the modified set at 0.33 is 0.0095 or better");
  writer.note(
      "(2.24) leaves open which of equally near sets is meant, and there are many of them when a tenth is disclosed: "
      "ours "
      "takes one by lot, the reference the first");
  return writer.finish(fmt::format(
      "the nearest neighbour predicts better than the posterior on {} of {} sets as they are, and on {} of "
      "{} with noise added",
      neighbour_wins(clean_errors), clean_errors.size(), neighbour_wins(noisy_errors), noisy_errors.size()));
}

}  // namespace motet::roles
