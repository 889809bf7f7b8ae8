#include "motet/roles/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <vector>

#include "motet/base/error.h"

namespace motet::roles {
namespace {

constexpr std::size_t sets_a_department = 3;
constexpr std::size_t tries_for_another_role = 100;
enum : std::uint64_t { role_stream, department_stream, user_stream };  // children of the caller's stream

using Set = std::vector<std::uint32_t>;

constexpr std::array<std::string_view, 26> first_names{
    "anna", "ben",  "clara", "david", "elif", "felix", "greta", "hugo", "ida",  "jonas", "karla", "leo",  "mia",
    "nils", "olga", "paul",  "quinn", "rosa", "simon", "tara",  "ugo",  "vera", "will",  "xenia", "yara", "zoe"};
constexpr std::array<std::string_view, 16> systems{"mail",    "files",   "payroll", "ledger", "invoices", "orders",
                                                   "stock",   "tickets", "wiki",    "builds", "source",   "backups",
                                                   "network", "doors",   "travel",  "reports"};
constexpr std::array<std::string_view, 6> actions{"read", "write", "approve", "delete", "export", "admin"};
constexpr std::array<std::string_view, 12> departments{"sales",  "finance",  "engineering", "support",
                                                       "legal",  "research", "marketing",   "logistics",
                                                       "people", "security", "facilities",  "purchasing"};

// The number is left off while the words alone tell names apart.
std::string numbered(std::string name, std::size_t round) {
  return round == 0 ? name : fmt::format("{}{}", name, round + 1);
}

std::string user_name(std::size_t n, bool telling) {
  if (!telling) return fmt::format("u{}", n + 1);
  const std::size_t letter = n / first_names.size() % 26;
  return numbered(fmt::format("{}.{}", first_names[n % first_names.size()], static_cast<char>('a' + letter)),
                  n / (first_names.size() * 26));
}

std::string permission_name(std::size_t d, bool telling) {
  if (!telling) return fmt::format("p{}", d + 1);
  return numbered(fmt::format("{}.{}", systems[d / actions.size() % systems.size()], actions[d % actions.size()]),
                  d / (systems.size() * actions.size()));
}

std::string department_name(std::size_t value, bool telling) {
  if (!telling) return fmt::format("department{}", value + 1);
  return numbered(std::string(departments[value % departments.size()]), value / departments.size());
}

// `count` of the numbers below `bound`, rising.
Set some_of(std::size_t bound, std::size_t count, Rng& rng) {
  Set numbers(bound);
  std::iota(numbers.begin(), numbers.end(), 0U);
  for (std::size_t i = 0; i < count; ++i) std::swap(numbers[i], numbers[i + rng.below(bound - i)]);
  numbers.resize(count);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

BitMatrix random_roles(const SimulateAccessOptions& options, const Rng& rng) {
  const auto wanted =
      static_cast<std::size_t>(std::llround(options.role_density * static_cast<double>(options.permissions)));
  const std::size_t size = std::clamp<std::size_t>(wanted, 1, options.permissions);
  std::vector<Set> roles;
  for (std::size_t k = 0; k < options.roles; ++k) {
    Rng own = rng.child(k);
    Set role = some_of(options.permissions, size, own);
    for (std::size_t i = 0; i < tries_for_another_role && std::find(roles.begin(), roles.end(), role) != roles.end();
         ++i) {
      role = some_of(options.permissions, size, own);
    }
    roles.push_back(std::move(role));
  }
  BitMatrix bits(options.roles, options.permissions);
  for (std::size_t k = 0; k < roles.size(); ++k) {
    for (const std::uint32_t d : roles[k]) bits.set(k, d);
  }
  return bits;
}

Set random_set(const SimulateAccessOptions& options, Rng& rng) {
  const std::size_t most = std::min(options.max_roles_per_user, options.roles);
  return some_of(options.roles, 1 + rng.below(most), rng);
}

PlantedAccess planted_by(const BitMatrix& roles, std::size_t users, bool telling) {
  PlantedAccess planted;
  planted.roles = roles;
  planted.assignments = BitMatrix(users, roles.rows());
  for (std::size_t n = 0; n < users; ++n) planted.access.users.push_back(user_name(n, telling));
  for (std::size_t d = 0; d < roles.columns(); ++d) planted.access.permissions.push_back(permission_name(d, telling));
  return planted;
}

// Fills clean and held; noise_of(d) is the noise fraction of a permission.
template <class NoiseOf>
void add_noise(PlantedAccess& planted, double set_probability, const Rng& rng, const NoiseOf& noise_of) {
  planted.clean = boolean_product(planted.assignments, planted.roles);
  planted.access.held = planted.clean;
  for (std::size_t n = 0; n < planted.clean.rows(); ++n) {
    Rng own = rng.child(n);
    for (std::size_t d = 0; d < planted.clean.columns(); ++d) {
      if (own.uniform() < noise_of(d)) planted.access.held.set(n, d, own.uniform() < set_probability);
    }
  }
}

}  // namespace

PlantedAccess simulate_access(const SimulateAccessOptions& options, const Rng& rng) {
  check_ranges(options);
  PlantedAccess planted =
      planted_by(random_roles(options, rng.child(role_stream)), options.users, options.telling_names);
  std::vector<std::vector<Set>> typical(options.attribute_values);
  for (std::size_t v = 0; v < typical.size(); ++v) {
    Rng own = rng.child(department_stream).child(v);
    for (std::size_t i = 0; i < sets_a_department; ++i) typical[v].push_back(random_set(options, own));
  }
  if (!typical.empty()) {
    planted.attributes.emplace();
    planted.attributes->names = {"department"};
    planted.attributes->values.resize(1);
    for (std::size_t v = 0; v < typical.size(); ++v) {
      planted.attributes->values[0].push_back(department_name(v, options.telling_names));
    }
  }
  const Rng users = rng.child(user_stream);
  for (std::size_t n = 0; n < options.users; ++n) {
    Rng own = users.child(n).child(0);
    Set set = random_set(options, own);
    if (!typical.empty()) {
      const std::size_t department = own.below(typical.size());
      planted.attributes->value.push_back(static_cast<std::uint32_t>(department));
      if (own.uniform() < options.coupling) set = typical[department][own.below(sets_a_department)];
    }
    for (const std::uint32_t k : set) planted.assignments.set(n, k);
  }
  add_noise(planted, options.set_probability, users.child(0x401), [&](std::size_t) { return options.noise_fraction; });
  return planted;
}

BitMatrix chapter9_sources(Chapter9Sources sources) {
  const std::size_t length = sources == Chapter9Sources::orthogonal ? 8 : 10;
  const std::size_t step = sources == Chapter9Sources::orthogonal ? 8 : 7;
  BitMatrix roles(3, 24);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t d = k * step; d < k * step + length; ++d) roles.set(k, d);
  }
  return roles;
}

PlantedAccess chapter9_data(const BitMatrix& sources, const Chapter9Options& options, const Rng& rng) {
  if (sources.rows() != 3) {
    fail(ErrorKind::usage, fmt::format("sources = {} is not possible; chapter 9 has 3", sources.rows()));
  }
  const std::array<Set, 7> sets{Set{}, {0}, {1}, {2}, {0, 1}, {0, 2}, {1, 2}};
  std::vector<const Set*> set_of;
  for (const Set& set : sets) {
    set_of.insert(set_of.end(), set.size() > 1 ? options.multiple_items : options.single_items, &set);
  }
  PlantedAccess planted = planted_by(sources, set_of.size(), false);
  for (std::size_t n = 0; n < set_of.size(); ++n) {
    for (const std::uint32_t k : *set_of[n]) planted.assignments.set(n, k);
  }
  const double last = static_cast<double>(std::max<std::size_t>(sources.columns(), 2) - 1);
  add_noise(planted, options.set_probability, rng, [&](std::size_t d) {
    return options.rising_noise ? 2.0 * options.noise_fraction * static_cast<double>(d) / last : options.noise_fraction;
  });
  return planted;
}

}  // namespace motet::roles
