#include "experiments/roles/company.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "motet/base/error.h"

namespace motet::roles {

namespace {

constexpr std::size_t least_own = 3;  // permissions that only a role and those that hold it have
enum : std::uint64_t { size_stream, content_stream, member_stream, noise_stream };

using Numbers = std::vector<std::size_t>;

struct Plan {
  Numbers own;                        // by role: permissions of its own
  Numbers shared;                     // by role: permissions of other roles
  std::vector<std::ptrdiff_t> holds;  // by role: the role that it holds, or -1
};

// Sizes, what of them is shared, and who holds whom. Departments hold nobody: their users have them already.
Plan plan_roles(const CompanyOptions& options, const Rng& rng) {
  Plan plan;
  plan.holds.assign(options.roles, -1);
  const auto holders = static_cast<std::size_t>(std::llround(options.nested * static_cast<double>(options.roles)));
  for (std::size_t k = 0; k < options.roles; ++k) {
    Rng own = rng.child(k);
    const double size = options.role_size *
                        std::exp(options.size_spread * own.normal() - 0.5 * options.size_spread * options.size_spread);
    const auto all = std::max<std::size_t>(least_own, static_cast<std::size_t>(std::llround(size)));
    const auto shared = static_cast<std::size_t>(std::llround(options.overlap * static_cast<double>(all)));
    plan.own.push_back(std::max(least_own, all - shared));
    plan.shared.push_back(shared);
    // The last roles hold roles before them that hold nobody.
    const bool is_holder = k + holders >= options.roles && k > options.departments;
    if (is_holder && options.roles - holders > options.departments) {
      const std::size_t free = options.roles - holders - options.departments;
      plan.holds[k] = static_cast<std::ptrdiff_t>(options.departments + own.below(free));
    }
  }
  return plan;
}

BitMatrix permissions_of_roles(const CompanyOptions& options, const Rng& rng) {
  const Plan plan = plan_roles(options, rng.child(size_stream));
  Numbers first;  // of a role's own permissions
  std::size_t next = 0;
  for (const std::size_t own : plan.own) {
    first.push_back(next);
    next += own;
  }
  BitMatrix roles(options.roles, next + options.unused);
  for (std::size_t k = 0; k < options.roles; ++k) {
    for (std::size_t d = first[k]; d < first[k] + plan.own[k]; ++d) roles.set(k, d);
  }
  for (std::size_t k = 0; k < options.roles; ++k) {
    Rng own = rng.child(content_stream).child(k);
    for (std::size_t i = 0; i < plan.shared[k] && options.roles > 1; ++i) {
      const std::size_t other = (k + 1 + own.below(options.roles - 1)) % options.roles;
      // The first `least_own` of a role stay its own.
      if (plan.own[other] > least_own) {
        roles.set(k, first[other] + least_own + own.below(plan.own[other] - least_own));
      }
    }
  }
  for (std::size_t k = 0; k < options.roles; ++k) {
    if (plan.holds[k] < 0) continue;
    const std::span<const std::uint64_t> inner = roles.row(static_cast<std::size_t>(plan.holds[k]));
    for (std::size_t w = 0; w < inner.size(); ++w) roles.row(k)[w] |= inner[w];
  }
  return roles;
}

// Roles of a user, who may be one of the few with a role alone.
Numbers roles_of_user(const CompanyOptions& options, std::size_t n, const std::vector<double>& demand, Rng rng) {
  if (n < options.alone * options.roles) return {n % options.roles};
  if (rng.uniform() < options.idle) return {};
  Numbers mine;
  const auto add = [&](std::size_t k) {
    if (k < options.roles && mine.size() < options.max_roles_per_user &&
        std::find(mine.begin(), mine.end(), k) == mine.end()) {
      mine.push_back(k);
    }
  };
  const std::span<const double> departments(demand.data(), options.departments);
  const std::span<const double> others(demand.data() + options.departments, options.roles - options.departments);
  if (!departments.empty()) add(rng.categorical(departments));
  bool asks = departments.empty() || rng.uniform() < options.more_roles;
  while (asks && !others.empty() && mine.size() < options.max_roles_per_user) {
    const std::size_t k = options.departments + rng.categorical(others);
    add(k);
    if (rng.uniform() < options.together && (k ^ 1U) >= options.departments) add(k ^ 1U);
    asks = rng.uniform() < options.more_roles;
  }
  return mine;
}

void check(const CompanyOptions& options) {
  if (options.users < options.alone * options.roles) {
    fail(ErrorKind::usage, fmt::format("company: {} users are too few; {} roles with {} users of each alone need {}",
                                       options.users, options.roles, options.alone, options.alone * options.roles));
  }
  if (options.departments > options.roles) {
    fail(ErrorKind::usage,
         fmt::format("company: {} departments are more than the {} roles", options.departments, options.roles));
  }
}

}  // namespace

PlantedAccess make_company(const CompanyOptions& options, const Rng& rng) {
  check(options);
  PlantedAccess company;
  company.roles = permissions_of_roles(options, rng);
  company.assignments = BitMatrix(options.users, options.roles);
  std::vector<double> demand;
  for (std::size_t k = 0; k < options.roles; ++k) {
    demand.push_back(std::pow(static_cast<double>(k + 1), -options.popularity));
  }
  for (std::size_t n = 0; n < options.users; ++n) {
    for (const std::size_t k : roles_of_user(options, n, demand, rng.child(member_stream).child(n))) {
      company.assignments.set(n, k);
    }
  }
  company.clean = boolean_product(company.assignments, company.roles);
  company.access.held = company.clean;
  for (std::size_t n = 0; n < options.users; ++n) {
    company.access.users.push_back(fmt::format("u{}", n + 1));
    Rng own = rng.child(noise_stream).child(n);
    for (std::size_t d = 0; d < company.clean.columns(); ++d) {
      const bool is_granted = company.clean(n, d);
      if (own.uniform() < (is_granted ? options.dropped : options.extra)) company.access.held.set(n, d, !is_granted);
    }
  }
  for (std::size_t d = 0; d < company.clean.columns(); ++d) {
    company.access.permissions.push_back(fmt::format("p{}", d + 1));
  }
  return company;
}

namespace {

CompanyCase company_with(std::string what, CompanyOptions options, std::uint64_t seed) {
  return {std::move(what), options, seed};
}

const std::vector<CompanyCase> choosing_cases = {
    company_with("plain, clean", {.users = 300, .roles = 6}, 1),
    company_with("plain", {.users = 400, .roles = 10, .dropped = 0.05, .extra = 0.01}, 2),
    company_with("overlap, clean", {.users = 400, .roles = 8, .role_size = 15, .overlap = 0.4}, 3),
    company_with("overlap", {.users = 500, .roles = 12, .role_size = 15, .overlap = 0.4, .dropped = 0.1, .extra = 0.02},
                 4),
    company_with("nested, clean", {.users = 300, .roles = 8, .nested = 0.4}, 5),
    company_with("nested", {.users = 600, .roles = 10, .nested = 0.4, .dropped = 0.08, .extra = 0.02}, 6),
    company_with("uneven sizes, clean", {.users = 500, .roles = 14, .size_spread = 0.7}, 7),
    company_with("uneven sizes", {.users = 600, .roles = 9, .size_spread = 0.7, .dropped = 0.05, .extra = 0.02}, 8),
    company_with("popularity, clean", {.users = 800, .roles = 15, .popularity = 1.2}, 9),
    company_with("popularity", {.users = 800, .roles = 12, .popularity = 1.0, .dropped = 0.05, .extra = 0.01}, 10),
    company_with("together, clean", {.users = 400, .roles = 8, .together = 0.8}, 11),
    company_with("together", {.users = 700, .roles = 12, .together = 0.7, .dropped = 0.08, .extra = 0.02}, 12),
    company_with("departments, clean", {.users = 800, .roles = 16, .departments = 5, .popularity = 0.7}, 13),
    company_with("departments",
                 {.users = 900, .roles = 14, .departments = 4, .popularity = 0.7, .dropped = 0.05, .extra = 0.02}, 14),
    company_with("many extras", {.users = 500, .roles = 6, .dropped = 0.02, .extra = 0.15}, 15),
    company_with("many dropped", {.users = 600, .roles = 8, .dropped = 0.3, .extra = 0.01}, 16),
    company_with("few users", {.users = 90, .roles = 5, .dropped = 0.03, .extra = 0.01}, 17),
    company_with("nearly clean, idle users",
                 {.users = 1000, .roles = 18, .size_spread = 0.5, .idle = 0.1, .dropped = 0.005, .extra = 0.001}, 18),
    company_with("all of it, clean",
                 {.users = 900,
                  .roles = 15,
                  .departments = 4,
                  .size_spread = 0.5,
                  .overlap = 0.2,
                  .nested = 0.2,
                  .popularity = 0.8,
                  .together = 0.4},
                 19),
    company_with("all of it",
                 {.users = 1200,
                  .roles = 16,
                  .departments = 4,
                  .size_spread = 0.5,
                  .overlap = 0.2,
                  .nested = 0.2,
                  .popularity = 0.8,
                  .together = 0.4,
                  .dropped = 0.05,
                  .extra = 0.01},
                 20),
};

const std::vector<CompanyCase> judging_cases = {
    company_with("plain, clean", {.users = 220, .roles = 5, .role_size = 9}, 101),
    company_with("plain", {.users = 900, .roles = 20, .role_size = 10, .dropped = 0.08, .extra = 0.02}, 102),
    company_with("overlap, clean", {.users = 700, .roles = 13, .role_size = 20, .overlap = 0.5}, 103),
    company_with("overlap", {.users = 600, .roles = 7, .role_size = 18, .overlap = 0.5, .dropped = 0.06, .extra = 0.03},
                 104),
    company_with("nested, clean", {.users = 500, .roles = 12, .role_size = 8, .nested = 0.5}, 105),
    company_with("nested", {.users = 450, .roles = 6, .role_size = 14, .nested = 0.5, .dropped = 0.05, .extra = 0.03},
                 106),
    company_with("uneven sizes, clean", {.users = 900, .roles = 18, .role_size = 16, .size_spread = 0.9}, 107),
    company_with("uneven sizes",
                 {.users = 800, .roles = 12, .role_size = 16, .size_spread = 0.8, .dropped = 0.1, .extra = 0.01}, 108),
    company_with("popularity, clean", {.users = 600, .roles = 10, .role_size = 9, .popularity = 1.5}, 109),
    company_with("popularity",
                 {.users = 1200, .roles = 16, .role_size = 14, .popularity = 1.3, .dropped = 0.04, .extra = 0.02}, 110),
    company_with("together, clean", {.users = 700, .roles = 14, .together = 0.9}, 111),
    company_with("together",
                 {.users = 500, .roles = 6, .role_size = 10, .together = 0.9, .dropped = 0.05, .extra = 0.02}, 112),
    company_with("departments, clean",
                 {.users = 1200, .roles = 22, .departments = 8, .role_size = 9, .popularity = 0.9}, 113),
    company_with("departments",
                 {.users = 700,
                  .roles = 10,
                  .departments = 3,
                  .role_size = 15,
                  .popularity = 0.9,
                  .dropped = 0.08,
                  .extra = 0.01},
                 114),
    company_with("many extras", {.users = 700, .roles = 9, .role_size = 16, .dropped = 0.02, .extra = 0.2}, 115),
    company_with("many dropped", {.users = 900, .roles = 11, .role_size = 14, .dropped = 0.25, .extra = 0.02}, 116),
    company_with("few users", {.users = 70, .roles = 4, .role_size = 10, .dropped = 0.02, .extra = 0.02}, 117),
    company_with(
        "nearly clean, idle users",
        {.users = 800, .roles = 15, .role_size = 10, .size_spread = 0.6, .idle = 0.2, .dropped = 0.002, .extra = 0.002},
        118),
    company_with("all of it, clean",
                 {.users = 1100,
                  .roles = 18,
                  .departments = 6,
                  .role_size = 14,
                  .size_spread = 0.6,
                  .overlap = 0.3,
                  .nested = 0.25,
                  .popularity = 0.6,
                  .together = 0.5},
                 119),
    company_with("all of it",
                 {.users = 1500,
                  .roles = 20,
                  .departments = 5,
                  .role_size = 15,
                  .size_spread = 0.4,
                  .overlap = 0.25,
                  .nested = 0.25,
                  .popularity = 0.6,
                  .together = 0.6,
                  .dropped = 0.06,
                  .extra = 0.02},
                 120),
};

}  // namespace

std::vector<CompanyCase> company_cases(CompanyUse use) {
  return use == CompanyUse::choosing ? choosing_cases : judging_cases;
}

}  // namespace motet::roles
