// Which number of roles each criterion picks on planted data.
#include <fmt/format.h>

#include <array>

#include "experiments/panel.h"
#include "experiments/roles/figures.h"
#include "motet/roles/choice/select.h"
#include "motet/roles/simulate.h"

namespace motet::roles {

namespace {

struct NumberCase {
  std::size_t roles;
  double noise;
};

constexpr std::array criteria = {Criterion::description_length, Criterion::held_out,       Criterion::bic,
                                 Criterion::capacity,           Criterion::generalization, Criterion::stability};
constexpr std::array names = {"description length", "held-out", "BIC", "capacity", "generalisation", "stability"};

std::vector<NumberCase> number_cases(bool quick) {
  std::vector<NumberCase> cases;
  constexpr std::array noises = {0.05, 0.15, 0.3, 0.45};
  for (std::size_t i = 0; i < 20; ++i) cases.push_back({3 + i % 6, noises[i % 4]});
  if (quick) cases.resize(2);
  return cases;
}

}  // namespace

Outcome run_number_of_roles(const ExperimentContext& context) {
  ExperimentWriter writer("roles-number", "Which number of roles each criterion picks");
  const std::vector<NumberCase> cases = number_cases(context.quick);
  const std::size_t users = context.quick ? 60 : 600;
  const std::size_t permissions = context.quick ? 24 : 80;
  const std::size_t most = context.quick ? 4 : 11;
  writer.section(
      "Set-up",
      fmt::format("{} users, {} permissions, one to three roles per user, a role has 15 % of the permissions, "
                  "r = 0.5; numbers 1 to {} are tried. A criterion picks the smallest number within one "
                  "standard error of its best, description length and BIC the smallest value.",
                  users, permissions, most));
  std::vector<std::array<std::size_t, criteria.size()>> picked(cases.size());
  run_grid(context, "numbers of roles", 1, cases.size(), [&](std::size_t, std::size_t c, const RunContext& run) {
    SimulateAccessOptions data;
    data.users = users;
    data.permissions = permissions;
    data.roles = cases[c].roles;
    data.max_roles_per_user = 3;
    data.noise_fraction = cases[c].noise;
    const PlantedAccess planted = simulate_access(data, Rng(context.run.seed).child(0x9400).child(c));
    const Selection found = select_roles(planted.access, {1, most}, {}, {}, {}, run);
    for (std::size_t i = 0; i < criteria.size(); ++i) picked[c][i] = found.by(criteria[i]).value_or(0);
  });
  Table table{{{"roles", 0}, {"noise", 2}}, {}};
  for (const char* name : names) table.columns.push_back({name, 0});
  std::array<std::size_t, criteria.size()> right{};
  std::array<std::size_t, criteria.size()> near{};
  for (std::size_t c = 0; c < cases.size(); ++c) {
    std::vector<Cell> row{static_cast<std::int64_t>(cases[c].roles), cases[c].noise};
    for (std::size_t i = 0; i < criteria.size(); ++i) {
      row.emplace_back(static_cast<std::int64_t>(picked[c][i]));
      const std::size_t off =
          picked[c][i] > cases[c].roles ? picked[c][i] - cases[c].roles : cases[c].roles - picked[c][i];
      right[i] += off == 0 ? 1 : 0;
      near[i] += off <= 1 ? 1 : 0;
    }
    table.rows.push_back(std::move(row));
  }
  writer.table("Picks", std::move(table));
  Table summary{{{"criterion"}, {"right"}, {"at most one off"}, {"reference"}}, {}};
  constexpr std::array references = {"", "15 of 15", "15 of 15", "12 of 15", "", ""};
  for (std::size_t i = 0; i < criteria.size(); ++i) {
    summary.rows.push_back({std::string(names[i]), fmt::format("{} of {}", right[i], cases.size()),
                            fmt::format("{} of {}", near[i], cases.size()), std::string(references[i])});
  }
  writer.table("Right numbers", std::move(summary));
  return writer.finish(
      "reference: an independent computation with three roles and noise to 0.45; 0 in the table of picks is a "
      "criterion "
      "that could not be measured");
}

}  // namespace motet::roles
