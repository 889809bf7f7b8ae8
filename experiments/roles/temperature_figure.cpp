// Figure 10.4: what happens to a model as deterministic annealing cools.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/roles/figures.h"
#include "experiments/roles/real_sets.h"
#include "motet/engine/em.h"
#include "motet/measure/boolean.h"
#include "motet/roles/choice/grown_models.h"
#include "motet/roles/choice/role_capacity.h"
#include "motet/roles/mac/mac_em.h"
#include "motet/roles/merge.h"

namespace motet::roles {

namespace {

constexpr std::size_t steps_each = 6;

struct Cooling {
  std::vector<double> capacity, nearest_capacity, noise, distance, risk, generalization;  // by temperature
};

// Mean share of permissions in which two rounded roles differ.
double mean_distance(const BitMatrix& roles) {
  std::size_t sum = 0;
  std::size_t pairs = 0;
  for (std::uint32_t k = 0; k < roles.rows(); ++k) {
    for (std::uint32_t j = 0; j < k; ++j, ++pairs) {
      for (std::size_t w = 0; w < roles.words(); ++w) {
        sum += static_cast<std::size_t>(std::popcount(roles.row(k)[w] ^ roles.row(j)[w]));
      }
    }
  }
  return pairs == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(pairs * roles.columns());
}

RoleModel model_at(const MacShape& shape, const MergedMatrix& data, const Access& access,
                   const std::vector<double>& parameters) {
  const MacParts parts = mac_parts(shape, data.bits.columns());
  RoleModel model;
  model.permissions = access.permissions.to_vector();
  for (std::size_t k = 0; k < shape.roles; ++k) {
    model.roles.push_back(fmt::format("r{}", k + 1));
    for (const std::uint32_t column : data.column_of) {
      model.absence.push_back(parameters[k * data.bits.columns() + column]);
    }
  }
  model.p0 = {parameters[parts.p0()]};
  model.p1 = {parameters[parts.p1()]};
  model.sets = shape.sets;
  const auto prior = parameters.begin() + static_cast<std::ptrdiff_t>(parts.prior());
  model.set_share.assign(prior, prior + static_cast<std::ptrdiff_t>(shape.sets.size()));
  model.frozen.assign(shape.roles, 0);
  model.users = static_cast<double>(access.user_count());
  return model;
}

// Mean over users of -log p(x | L) at their most probable set.
double mean_risk(const RoleModel& model, const BitMatrix& held, const RunContext& run) {
  const UserPosteriors users = user_posteriors(model, held, {}, run);
  double sum = 0.0;
  for (std::size_t n = 0; n < users.user_count(); ++n) {
    // log p(x, L) = log p(x) + log P(L | x), and p(L) is the share of the set.
    const SetShare& best = users.of(n).front();
    sum -= users.log_likelihood[n] + std::log(best.probability) - std::log(model.set_share[best.set]);
  }
  return sum / static_cast<double>(users.user_count());
}

Cooling cool(const Access& train, const BitMatrix& test, std::size_t roles, const std::vector<double>& temperatures,
             const RunContext& run) {
  const MergedMatrix data = merge_equal(train.held);
  const std::size_t columns = data.bits.columns();
  MacShape shape;
  shape.roles = roles;
  shape.sets = LabelSets::up_to(roles, 2);
  const BitMatrix by_permission = train.held.transposed();
  std::vector<double> mean(columns);
  for (std::size_t d = 0; d < by_permission.rows(); ++d) {
    mean[data.column_of[d]] = static_cast<double>(by_permission.count(d)) / static_cast<double>(train.user_count());
  }
  Rng rng = Rng(run.seed).child(1);
  std::vector<double> beta(roles * columns);
  for (std::size_t i = 0; i < beta.size(); ++i) {
    beta[i] = std::clamp(1.0 - mean[i % columns] + 0.02 * rng.normal(), 0.02, 0.98);
  }
  const double density =
      static_cast<double>(train.held.count()) / static_cast<double>(train.held.rows() * train.held.columns());
  std::vector<double> parameters = mac_start(shape, beta, columns, 0.8 * density, density + 0.5 * (1.0 - density));
  const EmProblem problem = mac_problem(data, shape, run.threads);
  const PairedUsers nearest = pair_nearest_users(train.held, test, run);
  SearchRules rules;
  rules.degree = 2;
  const std::vector<RoleModel> of_test =
      grown_models(test, train.permissions.to_vector(), {roles, roles}, rules, rng.child(2), run);
  const PairedUsers pairs = pair_users_by(of_test.back(), train.held, test, run);
  Cooling cooling;
  for (const double temperature : temperatures) {
    const std::vector<double> inverse = {1.0 / temperature};
    parameters = anneal(problem, std::move(parameters), inverse, steps_each, run);
    const RoleModel model = model_at(shape, data, train, parameters);
    cooling.capacity.push_back(role_capacity(model, pairs, {}, run).bits);
    cooling.nearest_capacity.push_back(role_capacity(model, nearest, {}, run).bits);
    cooling.noise.push_back(noise_fraction(model));
    cooling.distance.push_back(mean_distance(rounded_roles(model)));
    cooling.risk.push_back(mean_risk(model, train.held, run));
    EvaluateData evaluated{.held = &test};
    EvaluateOptions options{.repeats = 3};
    cooling.generalization.push_back(evaluate_roles(model, evaluated, options, {}, run).nearest.mean);
  }
  return cooling;
}

std::vector<double> mean_over(const std::vector<Cooling>& runs, std::vector<double> Cooling::*member) {
  std::vector<double> mean((runs[0].*member).size(), 0.0);
  for (const Cooling& one : runs) {
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += (one.*member)[i] / static_cast<double>(runs.size());
  }
  return mean;
}

void claim_cooling(ExperimentWriter& writer, const std::vector<Cooling>& runs,
                   const std::vector<double>& temperatures) {
  const std::vector<double> capacity = mean_over(runs, &Cooling::capacity);
  const std::vector<double> noise = mean_over(runs, &Cooling::noise);
  const std::vector<double> distance = mean_over(runs, &Cooling::distance);
  const std::vector<double> risk = mean_over(runs, &Cooling::risk);
  const std::vector<double> prediction = mean_over(runs, &Cooling::generalization);
  const auto change = [](const std::vector<double>& values) {
    return fmt::format("{:.4g} to {:.4g}", values.front(), values.back());
  };
  const auto cold = std::find_if(temperatures.begin(), temperatures.end(), [](double t) { return t < 1.0; });
  Claims claims;
  for (const bool is_nearest : {false, true}) {
    const std::vector<double> bits = is_nearest ? mean_over(runs, &Cooling::nearest_capacity) : capacity;
    const std::string pairs = is_nearest ? "nearest users" : "roles of the other half";
    const double most = *std::max_element(bits.begin(), bits.end());
    const double least = *std::min_element(bits.begin() + (cold - temperatures.begin()), bits.end());
    claims.add("capacity as it cools, " + pairs, "rises", change(bits), verdict(bits.back() > bits.front()));
    claims.add("capacity below T = 1, " + pairs, "stays at its maximum",
               fmt::format("at least {:.3f}, largest at any T {:.3f}", least, most), verdict(least > 0.95 * most));
  }
  claims.add("noise fraction", "falls", change(noise), verdict(noise.back() < noise.front()));
  claims.add("distance of roles", "rises", change(distance), verdict(distance.back() > distance.front()));
  claims.add("risk", "falls", change(risk), verdict(risk.back() < risk.front()));
  const double best = *std::min_element(prediction.begin(), prediction.end());
  claims.add("prediction error", "falls and stays", change(prediction) + fmt::format(", smallest {:.4g}", best),
             verdict(prediction.back() < prediction.front() && prediction.back() < 1.05 * best));
  claims.write(writer);
  writer.note(
      fmt::format("the estimated noise ends at {:.4f}: soft centroids take up the noise of these nearly clean "
                  "data; the thesis rounds them when it estimates the noise",
                  noise.back()));
}

}  // namespace

Outcome run_figure_10_4(const ExperimentContext& context) {
  ExperimentWriter writer("roles-fig10.4", "Figure 10.4: quality of a model as it cools");
  const std::string file = "americas_small.txt";
  const std::optional<Access> access = read_real_set(context, file);
  if (!access) {
    writer.section("Data", fmt::format("roles/{} is not there: skipped", file));
    return writer.finish();
  }
  std::vector<double> temperatures;
  for (double t = 300.0; t > 0.2; t *= context.quick ? 0.1 : 0.7) temperatures.push_back(t);
  const std::size_t splits = context.repeats_or(context.quick ? 1 : 5);
  std::vector<Cooling> runs(splits);
  run_grid(context, "cooling", 1, splits, [&](std::size_t, std::size_t split, const RunContext& run) {
    const std::size_t users = access->user_count();
    const UserSplit parts = split_users(users, users / 2, Rng(context.run.seed).child(0xC200).child(split));
    const Access train = with_users(*access, parts.train);
    runs[split] = cool(train, access->held.rows_of(parts.test), possible_roles(context, train, 30), temperatures, run);
  });
  writer.section("Set-up",
                 fmt::format("americas_small cut in halves {} times, 30 roles, at most two per user, soft centroids, "
                             "{} steps of EM at each temperature. The capacity is that of the model at this "
                             "temperature, at the best b of its own.",
                             splits, steps_each));
  const auto panel = [&](std::string title, std::string y, auto member, int digits) {
    std::vector<std::vector<double>> values(temperatures.size());
    for (std::size_t i = 0; i < temperatures.size(); ++i) {
      for (const Cooling& one : runs) values[i].push_back((one.*member)[i]);
    }
    Panel made(std::move(title), "temperature", std::move(y), temperatures);
    made.add("MAC", std::move(values));
    made.write(writer, digits);
  };
  panel("Approximation capacity, pairs by roles of the other half", "bits", &Cooling::capacity, 3);
  panel("Approximation capacity, nearest users (10.9)", "bits", &Cooling::nearest_capacity, 3);
  panel("(a) estimated noise fraction", "noise", &Cooling::noise, 4);
  panel("(b) mean distance of two roles", "share of permissions", &Cooling::distance, 4);
  panel("(c) mean risk of the best sets", "nats per user", &Cooling::risk, 2);
  panel("(d) prediction error, nearest set (2.24)", "share of wrong cells", &Cooling::generalization, 5);
  if (!context.quick) claim_cooling(writer, runs, temperatures);
  return writer.finish(
      "the thesis' data are not public; americas_small stands in for them. Claims are about means over the splits");
}

}  // namespace motet::roles
