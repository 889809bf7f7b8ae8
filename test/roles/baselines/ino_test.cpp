#include "motet/roles/baselines/ino.h"

#include <gtest/gtest.h>

#include "roles/planted_cases.h"
#include "support/cancelled.h"
#include "support/errors.h"
#include "support/threads.h"

namespace motet::roles::ino_test {
namespace {

constexpr InoOptions quick{.iterations = 100, .chains = 2, .max_features = 20};

TEST(Ino, FindsRolesAndTheirNumber) {
  const BitMatrix sources = chapter9_sources(Chapter9Sources::overlapping);
  const PlantedAccess data =
      chapter9_data(sources, {.single_items = 20, .multiple_items = 20, .noise_fraction = 0.1}, Rng(Seed{1}));
  const Factorization found = ino(data.access.held, quick, {});
  EXPECT_EQ(found.roles.rows(), 3U);
  EXPECT_EQ(role_error(found.roles, sources), 0.0);
  for (std::size_t k = 0; k + 1 < found.roles.rows(); ++k) {
    const BitMatrix by_role = found.assignments.transposed();
    EXPECT_GE(by_role.count(k), by_role.count(k + 1));
  }
}

TEST(Ino, EstimatesTheNoiseOfItsOwnFamily) {
  // Noisy-or data: r = 1, so a cell without a role is held with probability e and a granted one always.
  const BitMatrix sources = chapter9_sources(Chapter9Sources::orthogonal);
  const PlantedAccess data = chapter9_data(sources, {.noise_fraction = 0.2, .set_probability = 1.0}, Rng(Seed{2}));
  const InoFit fit = fit_ino(data.access.held, quick, {});
  EXPECT_EQ(role_error(fit.result.roles, sources), 0.0);
  EXPECT_NEAR(fit.eps, 0.2,
              0.04);  // four posterior deviations: some 5000 cells without a role, and the drift of a draw
  EXPECT_GT(fit.lambda, 0.98);
}

TEST(Ino, IsTheSameOnAnyNumberOfThreads) {
  const PlantedAccess data =
      chapter9_data(chapter9_sources(Chapter9Sources::overlapping),
                    {.single_items = 10, .multiple_items = 10, .noise_fraction = 0.3}, Rng(Seed{5}));
  const InoOptions options{.iterations = 20, .chains = 6, .max_features = 20};
  const Factorization one = ino(data.access.held, options, with_threads({1}));
  EXPECT_EQ(ino(data.access.held, options, with_threads(StartedThreads(2))), one);
  EXPECT_EQ(ino(data.access.held, options, with_threads(StartedThreads(4))), one);
}

TEST(Ino, KeepsToTheMostFeatures) {
  const BitMatrix held = random_bits(60, 30, 0.4, Rng(Seed{6}));
  EXPECT_LE(ino(held, {.iterations = 20, .chains = 1, .max_features = 2}, {}).roles.rows(), 2U);
}

TEST(Ino, BearsDataThatSayNothing) {
  EXPECT_EQ(ino(BitMatrix(6, 5), quick, {}).roles.rows(), 0U);
  EXPECT_EQ(ino(bits_of({"1"}), quick, {}).assignments.rows(), 1U);
}

TEST(Ino, RefusesWhatWouldTakeHours) {
  EXPECT_EQ(error_of([] { ino(BitMatrix(100'000, 10'000), {}, {}); }, ErrorKind::machine_limit),
            "method ino: 100000 users x 10000 permissions would take "
            "hours; use fewer of them, or the method mac");
}

TEST(Ino, CanBeCancelled) {
  EXPECT_EQ(error_of([&] { ino(bits_of({"11"}), {}, cancelled_run()); }, ErrorKind::interrupted),
            "interrupted while sampling roles");
}

}  // namespace
}  // namespace motet::roles::ino_test
