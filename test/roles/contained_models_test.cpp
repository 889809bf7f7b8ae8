// The default fit never ends below a simpler one that it contains: yes/no roles, no noise, one role per user, the roles
// of asso. Of yes/no roles the likelihood says so on all users. A contained fit with roles as probabilities, which are
// more numbers, may be likelier on the users it was fitted to if held-out users say that it predicts worse, or if, read
// as yes and no, it leaves more wrong cells than asso.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "motet/base/numeric.h"
#include "roles/mine_cases.h"

namespace motet::roles::contained_models_test {
namespace {

constexpr double tolerance = 0.01;  // of the log-likelihood: ends of one search with other noise may differ so much

// The first users of a public set of pairs, or of transactions.
std::optional<Access> public_access(const std::string& name, std::size_t most_users) {
  const char* const data = std::getenv("MOTET_DATA");
  if (data == nullptr) return {};
  std::ifstream in(std::string(data) + "/roles/" + name);
  std::vector<std::pair<std::string, std::string>> pairs;
  std::string line;
  for (std::size_t n = 0; std::getline(in, line); ++n) {
    std::istringstream words(line);
    std::string user = "u" + std::to_string(n);
    if (name.ends_with(".txt")) words >> user;
    for (std::string word; words >> word;) pairs.emplace_back(user, "p" + word);
  }
  NameTable users;
  NameTable permissions;
  for (const auto& [user, permission] : pairs) {
    users.id_of(user);
    permissions.id_of(permission);
  }
  BitMatrix held(users.names().size(), permissions.names().size());
  for (const auto& [user, permission] : pairs) held.set(users.find(user), permissions.find(permission));
  std::vector<std::uint32_t> rows;
  for (std::size_t n = 0; n < std::min(most_users, held.rows()); ++n) rows.push_back(static_cast<std::uint32_t>(n));
  return named(held.rows_of(rows));
}

std::vector<double> wrong_of(const RoleFit& fit, std::size_t users) {
  std::vector<double> wrong(users);
  for (const FoundException& exception : fit.exceptions) wrong[exception.user] += 1.0;
  return wrong;
}

// In all, but for a standard error of the difference between users.
bool are_no_more(const std::vector<double>& wrong, const std::vector<double>& other) {
  std::vector<double> difference(wrong.size());
  for (std::size_t n = 0; n < difference.size(); ++n) difference[n] = wrong[n] - other[n];
  const MeanSd more = mean_sd(difference);
  return more.mean <= more.error;
}

RoleFit with_seed(const Access& access, std::size_t roles, const MineOptions& options, std::uint64_t seed) {
  RunContext run;
  run.seed = Seed{seed};
  return mined(access, roles, options, {}, run);
}

const StartTrial& winner(const RoleFit& fit) { return fit.starts.at(fit.winning_start); }

// A likelier fit with roles as probabilities that the default has good reasons not to be.
bool is_excused(const RoleFit& fit, const RoleFit& likelier, const RoleFit& asso) {
  if (winner(likelier).rounded) return false;
  if (likelier.exceptions.size() > asso.exceptions.size()) return true;
  // Where its own prediction was not measured: that of the likeliest fit with probabilities that the default tried.
  const double other = std::isnan(winner(likelier).held_out) ? fit.starts.back().held_out : winner(likelier).held_out;
  return winner(fit).held_out >= other;
}

struct Contained {
  const char* name;
  RoleMethod method;
  RoleNoise noise;
  Centroids centroids;
};
const Contained contained_models[] = {
    {"rounded", RoleMethod::mac, RoleNoise::mixture, Centroids::rounded},
    {"soft", RoleMethod::mac, RoleNoise::mixture, Centroids::soft},
    {"no noise", RoleMethod::mac, RoleNoise::none, Centroids::best},
    {"no noise, rounded", RoleMethod::mac, RoleNoise::none, Centroids::rounded},
    {"no noise, soft", RoleMethod::mac, RoleNoise::none, Centroids::soft},
    {"sac", RoleMethod::sac, RoleNoise::mixture, Centroids::best},
    {"sac, rounded", RoleMethod::sac, RoleNoise::mixture, Centroids::rounded},
    {"sac, soft", RoleMethod::sac, RoleNoise::mixture, Centroids::soft},
};

void expect_contained(const Access& access, std::size_t roles, std::size_t seeds = 2) {
  std::vector<double> likelihoods;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    MineOptions options;
    options.starts = 2;
    const RoleFit fit = with_seed(access, roles, options, seed);
    likelihoods.push_back(fit.log_likelihood);
    const double least = fit.log_likelihood + tolerance * std::abs(fit.log_likelihood);
    MineOptions greedy = options;
    greedy.method = RoleMethod::asso;
    const RoleFit asso = with_seed(access, roles, greedy, seed);
    EXPECT_LE(asso.log_likelihood, least);
    EXPECT_TRUE(are_no_more(wrong_of(fit, access.user_count()), wrong_of(asso, access.user_count())))
        << fit.exceptions.size() << " wrong cells, asso " << asso.exceptions.size();
    for (const Contained& model : contained_models) {
      options.method = model.method;
      options.noise = model.noise;
      options.centroids = model.centroids;
      const RoleFit other = with_seed(access, roles, options, seed);
      EXPECT_TRUE(other.log_likelihood <= least || is_excused(fit, other, asso))
          << model.name << ": " << other.log_likelihood << ", the default " << fit.log_likelihood << " by "
          << winner(fit).name;
    }
  }
  const auto [worst, best] = std::minmax_element(likelihoods.begin(), likelihoods.end());
  EXPECT_LE(*best - *worst, 0.05 * std::abs(*best));
}

// Nested and overlapping roles, all cells as the roles say.
Access clean_nested(std::size_t users, std::size_t permissions, std::size_t roles, std::uint64_t seed,
                    BitMatrix* truth = nullptr) {
  Rng rng(Seed{seed});
  BitMatrix planted(roles, permissions);
  for (std::size_t k = 0; k < roles; ++k) {
    const std::size_t inside = k % 3 == 2 ? k - 1 : roles;  // every third role holds the one before
    for (std::size_t d = 0; d < permissions; ++d) {
      planted.set(k, d, rng.uniform() < 0.06 || (inside < roles && planted(inside, d)));
    }
    planted.set(k, k % permissions);
  }
  BitMatrix assigned(users, roles);
  for (std::size_t n = 0; n < users; ++n) {
    for (std::size_t i = 0; i < 1 + n % 3; ++i) assigned.set(n, rng.below(roles));
  }
  if (truth != nullptr) *truth = planted;
  return named(boolean_product(assigned, planted));
}

TEST(ContainedModels, OfSmallPlantedData) {
  for (const double noise : {0.0, 0.2}) {
    SCOPED_TRACE(noise);
    expect_contained(chapter9(Chapter9Sources::overlapping, noise, 0.5, 3, 12).access, 3, 1);
  }
}

// Roles of two to forty permissions, many users alike, some with nothing.
TEST(ContainedModels, OfUnevenRolesAndEqualUsers) {
  Rng rng(Seed{31});
  BitMatrix roles(4, 60);
  for (std::size_t k = 0; k < 4; ++k) {
    for (std::size_t d = 0; d < (std::size_t{3} << (k + 1)) - 4; ++d) roles.set(k, rng.below(60));
  }
  BitMatrix held(120, 60);
  for (std::size_t n = 0; n < 120; ++n) {
    if (n % 10 == 9) continue;
    for (std::size_t d = 0; d < 60; ++d) {
      held.set(n, d, (roles(n % 4, d) || (n % 3 == 0 && roles(3 - n % 4, d))) && (n < 60 || rng.uniform() < 0.9));
    }
  }
  expect_contained(named(held), 4, 3);
}

// The default once ended at -6306 with seed 2.
TEST(ContainedModelsSlow, OfFireOneWithSevenRoles) {
  const std::optional<Access> access = public_access("fire1.txt", 365);
  if (!access) GTEST_SKIP() << "MOTET_DATA is not set";
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const RoleFit fit = with_seed(*access, 7, {}, seed);
    EXPECT_GT(fit.log_likelihood, -4400.0) << seed;
  }
  expect_contained(*access, 7, 2);
}

TEST(ContainedModelsSlow, OfCleanNestedRoles) {
  for (const std::size_t roles : {8U, 15U}) {
    SCOPED_TRACE(roles);
    expect_contained(clean_nested(400, 80, roles, 5), roles);
  }
}

TEST(ContainedModelsSlow, OfPublicData) {
  if (std::getenv("MOTET_DATA") == nullptr) GTEST_SKIP() << "MOTET_DATA is not set";
  const struct {
    const char* name;
    std::size_t users;
    std::size_t roles;
  } cases[] = {{"hc.txt", 46, 10},
               {"domino.txt", 79, 10},
               {"fire1.txt", 365, 10},
               {"mushroom.dat", 400, 8},
               {"americas_small.txt", 500, 10}};
  for (const auto& [name, users, roles] : cases) {
    SCOPED_TRACE(name);
    const std::optional<Access> access = public_access(name, users);
    ASSERT_TRUE(access);
    expect_contained(*access, roles, 1);
  }
}

// Twenty and thirty roles that nest and overlap, without noise. Any seed ends in the same place; of thirty, with 600
// users, some of those that always come together stay undivided.
TEST(CleanRolesSlow, AreFoundWhateverTheSeed) {
  const struct {
    std::size_t roles;
    double most_wrong;  // of the permissions held
  } cases[] = {{20, 0.02}, {30, 0.08}};
  for (const auto& [roles, most_wrong] : cases) {
    SCOPED_TRACE(roles);
    const Access access = clean_nested(600, 150, roles, 7);
    std::vector<double> likelihoods;
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      MineOptions options;
      options.centroids = Centroids::rounded;
      const RoleFit fit = with_seed(access, roles, options, seed);
      likelihoods.push_back(fit.log_likelihood / 600.0);
      EXPECT_LT(static_cast<double>(fit.exceptions.size()), most_wrong * static_cast<double>(access.held.count()));
    }
    const auto [worst, best] = std::minmax_element(likelihoods.begin(), likelihoods.end());
    EXPECT_LT(*best - *worst, 0.5);  // nats per user
  }
}

}  // namespace
}  // namespace motet::roles::contained_models_test
