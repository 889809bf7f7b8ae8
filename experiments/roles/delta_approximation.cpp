// Definition 8: the smallest number of roles that reproduces the data up to an error delta.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/roles/figures.h"
#include "experiments/roles/synthetic.h"
#include "motet/base/numeric.h"
#include "motet/measure/boolean.h"
#include "motet/roles/merge.h"

namespace motet::roles {

namespace {

struct DeltaPlan {
  std::vector<double> noise = {0.0, 0.1, 0.3};
  std::vector<double> numbers = {1, 2, 3, 4, 5, 6, 8, 10};
  std::vector<double> deltas = {0.2, 0.16, 0.1, 0.06, 0.03, 0.01};
  std::size_t repeats = 5;
  std::vector<MethodPlan> methods = {mac_plan(), baseline_plan("ASSO", RoleMethod::asso)};
};

// Shares of wrong cells, [method][noise][number of roles][data set]; NaN for more roles than distinct users.
using Errors = std::vector<std::vector<std::vector<std::vector<double>>>>;

Errors errors_of(const ExperimentContext& context, const DeltaPlan& plan) {
  const std::vector<std::vector<double>> empty(plan.numbers.size(), std::vector<double>(plan.repeats, no_number));
  Errors errors(plan.methods.size(), std::vector<std::vector<std::vector<double>>>(plan.noise.size(), empty));
  run_grid(context, "numbers of roles", plan.noise.size(), plan.repeats,
           [&](std::size_t level, std::size_t repeat, const RunContext& run) {
             Chapter9Options data;
             data.single_items = data.multiple_items = context.quick ? 6 : 50;
             data.noise_fraction = plan.noise[level];
             const PlantedAccess planted =
                 chapter9_data(chapter9_sources(Chapter9Sources::overlapping), data,
                               Rng(context.run.seed).child(0x9500).child(level).child(repeat));
             const std::size_t distinct = merge_equal(planted.access.held, {true, false}).bits.rows();
             for (std::size_t i = 0; i < plan.numbers.size(); ++i) {
               if (plan.numbers[i] > static_cast<double>(distinct)) continue;
               for (std::size_t m = 0; m < plan.methods.size(); ++m) {
                 MethodPlan method = plan.methods[m];
                 method.roles = static_cast<std::size_t>(plan.numbers[i]);
                 const MinedRoles mined = mined_by(planted.access, method, run);
                 errors[m][level][i][repeat] = reconstruction_error(
                     boolean_product(mined.assignments, rounded_roles(mined.model)), planted.access.held);
               }
             }
           });
  return errors;
}

// The smallest number with an error below delta in each data set: "3", "3 to 5", "more than 10".
std::string fewest_text(const DeltaPlan& plan, const std::vector<std::vector<double>>& by_number, double delta) {
  std::vector<double> fewest;
  double tried = 0.0;  // the largest number of roles that the data sets allowed
  for (std::size_t i = 0; i < plan.numbers.size(); ++i) {
    for (const double error : by_number[i]) tried = std::isnan(error) ? tried : plan.numbers[i];
  }
  for (std::size_t repeat = 0; repeat < plan.repeats; ++repeat) {
    double found = std::numeric_limits<double>::infinity();
    for (std::size_t i = plan.numbers.size(); i-- > 0;) {
      if (by_number[i][repeat] < delta) found = plan.numbers[i];
    }
    fewest.push_back(found);
  }
  const auto [least, most] = std::minmax_element(fewest.begin(), fewest.end());
  if (*least > tried) return fmt::format("more than {}", tried);
  if (*most > tried) return fmt::format("{} or more", *least);
  return *least == *most ? fmt::format("{}", *least) : fmt::format("{} to {}", *least, *most);
}

}  // namespace

Outcome run_delta_approximation(const ExperimentContext& context) {
  ExperimentWriter writer("roles-delta", "Definition 8: as few roles as an error below delta allows");
  DeltaPlan plan{.repeats = context.repeats_or(context.quick ? 2 : 5)};
  if (context.quick) {
    plan.noise = {0.1};
    plan.numbers = {2, 3, 4};
  }
  writer.section(
      "Set-up",
      fmt::format("The three overlapping sources of chapter 9, mixture noise with r = 0.5, {} data sets per level, "
                  "at most two roles per user. Errors are shares of the cells of the data, noise included, that "
                  "roles and their users do not give back (p = 1); noise e makes e / 2 of the cells wrong.",
                  plan.repeats));
  const Errors errors = errors_of(context, plan);
  for (std::size_t level = 0; level < plan.noise.size(); ++level) {
    Panel panel(fmt::format("Error of the reproduced data, noise {:.1f}", plan.noise[level]), "roles",
                "share of wrong cells", plan.numbers);
    for (std::size_t m = 0; m < plan.methods.size(); ++m) panel.add(plan.methods[m].name, errors[m][level]);
    panel.write(writer, 4);
  }
  Table table{{{"delta", 2}}, {}};
  for (const MethodPlan& method : plan.methods) {
    for (const double noise : plan.noise)
      table.columns.push_back({fmt::format("{}, noise {:.1f}", method.name, noise)});
  }
  for (const double delta : plan.deltas) {
    std::vector<Cell> row{delta};
    for (std::size_t m = 0; m < plan.methods.size(); ++m) {
      for (std::size_t level = 0; level < plan.noise.size(); ++level) {
        row.emplace_back(fewest_text(plan, errors[m][level], delta));
      }
    }
    table.rows.push_back(std::move(row));
  }
  writer.table("Fewest roles with an error below delta", std::move(table));
  writer.note(
      "the thesis defines the task and has no figure of it. It warns that reproducing noisy data wholly adapts to "
      "their "
      "noise: below e / 2 roles are bought that no source has");
  return writer.finish("both methods are heuristics: fewer roles than the table says may do");
}

}  // namespace motet::roles
