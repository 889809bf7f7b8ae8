// All public sets and made-up companies: what roles leave wrong, what they would newly grant, how well they predict new
// users, and what that costs. What the rows say against our default is computed from them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "experiments/cost.h"
#include "experiments/panel.h"
#include "experiments/roles/company.h"
#include "experiments/roles/figures.h"
#include "experiments/roles/judged_rows.h"
#include "experiments/roles/real_sets.h"
#include "motet/base/numeric.h"
#include "motet/measure/boolean.h"
#include "motet/roles/baselines/neighbours.h"
#include "motet/roles/known_users.h"

namespace motet::roles {

namespace {

struct JudgedSet {
  std::string name;
  std::size_t roles = 0;
  Access access;
  std::optional<BitMatrix> clean = {};  // what the planted roles grant
};

struct PublicSet {
  std::string file;
  std::size_t roles;
};
const std::vector<PublicSet> public_sets = {
    {"hc.txt", 10}, {"domino.txt", 20}, {"fire1.txt", 30}, {"americas_small.txt", 30}, {"mushroom.dat", 30}};
const std::vector<std::string> company_names = {"overlap, clean", "nested", "departments", "many extras", "all of it"};

std::vector<JudgedSet> judged_sets(const ExperimentContext& context, std::vector<std::string>& absent) {
  std::vector<JudgedSet> sets;
  const bool has_folder = !context.data.empty() && std::filesystem::is_directory(context.data + "/roles");
  for (const PublicSet& set : public_sets) {
    std::optional<Access> access;
    if (has_folder) access = read_real_set(context, set.file);
    if (!access) {
      absent.push_back(set.file);
      continue;
    }
    const std::size_t roles = possible_roles(context, *access, set.roles);
    sets.push_back({set.file, roles, std::move(*access)});
  }
  for (const CompanyCase& item : company_cases(CompanyUse::judging)) {
    if (std::find(company_names.begin(), company_names.end(), item.what) == company_names.end()) continue;
    PlantedAccess company = make_company(item.options, Rng(Seed{item.seed}));
    const std::size_t roles = possible_roles(context, company.access, item.options.roles);
    sets.push_back({"company: " + item.what, roles, std::move(company.access), std::move(company.clean)});
  }
  if (context.quick) {
    std::erase_if(sets, [](const JudgedSet& set) { return set.access.user_count() > 600; });
    if (sets.size() > 2) sets.resize(2);
  }
  return sets;
}

struct GrantedCells {
  std::size_t wrong = 0;
  std::size_t over_grants = 0;
};

GrantedCells granted_cells(const BitMatrix& granted, const BitMatrix& held) {
  GrantedCells cells{differing_cells(granted, held)};
  for (std::size_t n = 0; n < granted.rows(); ++n) {
    for (std::size_t w = 0; w < granted.words(); ++w) {
      cells.over_grants += static_cast<std::size_t>(std::popcount(granted.row(n)[w] & ~held.row(n)[w]));
    }
  }
  return cells;
}

// On all users: what roles and most probable sets give back.
struct Rebuilt {
  GrantedCells cells;
  Cost cost;
};

Rebuilt rebuilt_by(const Access& access, const MethodPlan& plan, const RunContext& run) {
  Rebuilt result;
  BitMatrix rebuilt;
  result.cost = cost_of([&] {
    const MinedRoles mined = mined_by(access, plan, run);
    rebuilt = boolean_product(mined.assignments, rounded_roles(mined.model));
  });
  result.cells = granted_cells(rebuilt, access.held);
  return result;
}

constexpr std::size_t most_learned = 2000;  // users of a split
constexpr std::array method_names = {"mac", "asso", "1-NN", "majority", "mac and known users"};
using PredictionErrors = std::array<double, method_names.size()>;

// Errors of one split: mac, asso (the better of its two ways to predict), 1-NN, majority, and mac with known users.
PredictionErrors predicted(const Access& access, const MethodPlan& mac, const MethodPlan& asso, std::size_t split,
                           std::size_t draws, const RunContext& run) {
  const std::size_t users = access.user_count();
  const UserSplit parts =
      split_users(users, std::min(most_learned, users * 6 / 10), Rng(run.seed).child(0xC000).child(split));
  const Access train = with_users(access, parts.train);
  const BitMatrix test = access.held.rows_of(parts.test);
  const EvaluateData data{.held = &test};
  const EvaluateOptions options{.repeats = draws};
  std::vector<NamedGuess> guesses = {{"1-NN",
                                      [&](const BitMatrix& held, std::span<const std::uint32_t> disclosed) {
                                        return guess_nearest(train.held, held, disclosed, run);
                                      }},
                                     {"majority", [&](const BitMatrix& held, std::span<const std::uint32_t> disclosed) {
                                        return guess_majority(train.held, held, disclosed);
                                      }}};
  const RoleModel model = mined_by(train, mac, run).model;
  const KnownUsers known = fit_known_users(model, train.held, run);
  guesses.push_back({"mac and known users", guess_by_roles_and_users(model, known, nullptr, run)});
  const GeneralizationResult ours = evaluate_roles(model, data, options, guesses, run);
  const GeneralizationResult greedy = evaluate_roles(mined_by(train, asso, run).model, data, options, {}, run);
  return {ours.posterior.mean, std::min(greedy.posterior.mean, greedy.nearest.mean), ours.references[0].error.mean,
          ours.references[1].error.mean, ours.references[2].error.mean};
}

// What was not measured is left empty.
void add_row(const JudgedSet& set, std::string method, const GrantedCells* granted, Table& table) {
  std::vector<Cell> cells(table.columns.size(), std::string());
  cells[0] = set.name;
  cells[1] = static_cast<std::int64_t>(set.access.user_count());
  cells[2] = static_cast<std::int64_t>(set.access.permission_count());
  cells[3] = std::move(method);
  if (granted != nullptr) {
    cells[4] = static_cast<std::int64_t>(set.roles);
    cells[5] = static_cast<std::int64_t>(granted->wrong);
    cells[6] = static_cast<std::int64_t>(granted->over_grants);
  }
  table.rows.push_back(std::move(cells));
}

void judge(const ExperimentContext& context, const JudgedSet& set, std::size_t splits, std::size_t draws, Table& table,
           std::vector<JudgedRow>& rows) {
  MethodPlan mac = mac_plan();
  MethodPlan asso = baseline_plan("ASSO", RoleMethod::asso);
  for (MethodPlan* plan : {&mac, &asso}) {
    plan->roles = set.roles;
    plan->options.max_roles_per_user = MineOptions{}.max_roles_per_user;
  }
  std::vector<PredictionErrors> errors(splits);
  for (std::size_t split = 0; split < splits; ++split) {
    errors[split] = predicted(set.access, mac, asso, split, draws, context.run);
  }
  const std::array by_method = {rebuilt_by(set.access, mac, context.run), rebuilt_by(set.access, asso, context.run)};
  JudgedRow row{set.name, {}, by_method[0].cells.wrong, by_method[1].cells.wrong};
  for (std::size_t m = 0; m < method_names.size(); ++m) {
    std::vector<double> values;
    std::vector<double> differences;
    for (const PredictionErrors& split : errors) {
      values.push_back(split[m]);
      differences.push_back(split[0] - split[m]);
    }
    const MeanSd difference = mean_sd(differences);
    row.methods.push_back({mean_sd(values).mean, difference.mean, splits > 1 ? difference.error : no_number});
    const bool has_roles = m < by_method.size();
    add_row(set, std::string(method_names[m]), has_roles ? &by_method[m].cells : nullptr, table);
    std::vector<Cell>& cells = table.rows.back();
    cells[7] = mean_text(values, 5);
    if (m > 0) cells[8] = mean_text(differences, 5);
    if (!has_roles) continue;
    cells[9] = seconds_text(by_method[m].cost);
    cells[10] = megabytes_text(by_method[m].cost);
  }
  if (set.clean) {
    const GrantedCells planted = granted_cells(*set.clean, set.access.held);
    add_row(set, "planted roles", &planted, table);
  }
  rows.push_back(std::move(row));
}

}  // namespace

Outcome run_public_role_sets(const ExperimentContext& context) {
  ExperimentWriter writer("roles-public-sets", "Public sets and made-up companies: what roles cost and are worth");
  const std::size_t splits = context.repeats_or(context.quick ? 1 : 3);
  const std::size_t draws = context.quick ? 2 : 5;
  writer.section(
      "Sets",
      fmt::format("Wrong cells and over-grants (granted by roles, not held) are those of all users with their most "
                  "probable sets. Prediction error: 60 % of the users to learn from, {} at most, the others to "
                  "predict, {} splits; a "
                  "tenth of the permissions is disclosed ({} draws per split), the others are predicted; mean and "
                  "standard error over splits, and the paired difference. At most {} roles per user. Companies are "
                  "those that no choice was made on; the planted roles are wrong where there is noise.",
                  most_learned, splits, draws, MineOptions{}.max_roles_per_user));
  std::vector<std::string> absent;
  const std::vector<JudgedSet> sets = judged_sets(context, absent);
  Table table{{{"set"},
               {"users", 0},
               {"permissions", 0},
               {"method"},
               {"roles"},
               {"wrong cells"},
               {"over-grants"},
               {"prediction error"},
               {"mac minus this"},
               {"time"},
               {"memory"}},
              {}};
  std::vector<JudgedRow> rows;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (context.run.observer) {
      context.run.observer({"sets", static_cast<double>(i), static_cast<double>(sets.size()), "sets"});
    }
    judge(context, sets[i], splits, draws, table, rows);
  }
  writer.table("By set and method", std::move(table));
  for (const std::string& file : absent) writer.note(fmt::format("roles/{} is not there: skipped", file));
  for (std::string& verdict : verdicts(rows)) writer.note(std::move(verdict));
  return writer.finish();
}

}  // namespace motet::roles
