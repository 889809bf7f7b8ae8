// Which number of roles each criterion picks on made-up companies that no rule was chosen on.
#include <fmt/format.h>

#include <array>

#include "experiments/panel.h"
#include "experiments/roles/company.h"
#include "experiments/roles/figures.h"
#include "motet/roles/choice/select.h"

namespace motet::roles {

namespace {

constexpr std::array judged_criteria = {Criterion::description_length, Criterion::held_out, Criterion::bic};
constexpr std::array criterion_names = {"description length", "held-out", "BIC"};

struct Picks {
  std::array<std::size_t, judged_criteria.size()> roles{};  // 0: the criterion could not be measured
};

std::size_t most_tried(std::size_t roles) { return roles + std::max<std::size_t>(4, roles / 2); }

std::size_t distance(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

}  // namespace

Outcome run_company_number(const ExperimentContext& context) {
  ExperimentWriter writer("roles-company-number", "Which number of roles each criterion picks for made-up companies");
  std::vector<CompanyCase> cases = company_cases(CompanyUse::judging);
  if (context.quick) cases = {cases[16], cases[0]};
  writer.section(
      "Set-up",
      "Companies whose number of roles is certain: no fewer roles give the clean matrix. Roles overlap, hold "
      "each other, have uneven sizes and popularity, come together or in departments; permissions get lost and "
      "appear. Numbers from 1 to half as many again, and 4 more at least, are tried. None of these cases had a "
      "part in choosing a rule.");
  std::vector<Picks> picked(cases.size());
  run_grid(context, "companies", 1, cases.size(), [&](std::size_t, std::size_t c, const RunContext& run) {
    const PlantedAccess company = make_company(cases[c].options, Rng(Seed{cases[c].seed}));
    const SelectOptions halves{.repeats = 1};
    const Selection found =
        select_roles(company.access, {1, most_tried(cases[c].options.roles)}, {}, halves, {false, false, false}, run);
    for (std::size_t i = 0; i < judged_criteria.size(); ++i) {
      picked[c].roles[i] = found.by(judged_criteria[i]).value_or(0);
    }
  });
  Table table{{{"company"}, {"users", 0}, {"dropped", 3}, {"extra", 3}, {"roles", 0}}, {}};
  for (const char* name : criterion_names) table.columns.push_back({name, 0});
  std::array<std::size_t, judged_criteria.size()> right{};
  std::array<std::size_t, judged_criteria.size()> near{};
  for (std::size_t c = 0; c < cases.size(); ++c) {
    const CompanyOptions& made = cases[c].options;
    std::vector<Cell> row{cases[c].what, static_cast<std::int64_t>(made.users), made.dropped, made.extra,
                          static_cast<std::int64_t>(made.roles)};
    for (std::size_t i = 0; i < judged_criteria.size(); ++i) {
      row.emplace_back(static_cast<std::int64_t>(picked[c].roles[i]));
      right[i] += picked[c].roles[i] == made.roles ? 1 : 0;
      near[i] += distance(picked[c].roles[i], made.roles) <= 1 ? 1 : 0;
    }
    table.rows.push_back(std::move(row));
  }
  writer.table("Picks", std::move(table));
  Table summary{{{"criterion"}, {"right"}, {"at most one off"}}, {}};
  for (std::size_t i = 0; i < judged_criteria.size(); ++i) {
    summary.rows.push_back({std::string(criterion_names[i]), fmt::format("{} of {}", right[i], cases.size()),
                            fmt::format("{} of {}", near[i], cases.size())});
  }
  writer.table("Right numbers", std::move(summary));
  return writer.finish("0 in the table of picks is a criterion that could not be measured");
}

}  // namespace motet::roles
