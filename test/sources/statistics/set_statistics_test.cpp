#include "motet/sources/statistics/set_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "sources/source_cases.h"
#include "support/errors.h"
#include "support/processor.h"
#include "support/threads.h"

namespace motet::set_statistics_test {
namespace {

// Label sets of random rows, more often the first.
BitMatrix random_sets(std::size_t rows, std::size_t labels, std::uint64_t seed) {
  Rng rng(Seed{seed});
  BitMatrix sets(rows, labels);
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t k = 0; k < labels; ++k) sets.set(n, k, rng.uniform() < 0.2);
  }
  return sets;
}

std::vector<double> random_rows(Family family, std::size_t count, double offset, std::uint64_t seed) {
  Rng rng(Seed{seed});
  std::vector<double> x(count);
  for (double& value : x) {
    if (family == Family::gaussian) value = offset + rng.normal();
    if (family == Family::lognormal || family == Family::gamma) value = std::exp(rng.normal());
    if (family == Family::exponential) value = -std::log1p(-rng.uniform());
    if (family == Family::bernoulli) value = rng.uniform() < 0.4 ? 1.0 : 0.0;
    if (family == Family::poisson) value = static_cast<double>(rng.below(7));
  }
  return x;
}

// In long double, two passes, nothing clever.
void expect_statistics(const SetStatistics& found, const LabelSetIndex& index, const std::vector<double>& x,
                       Family family, double tolerance) {
  const std::size_t dimensions = found.dimensions;
  for (std::size_t set = 0; set < index.size(); ++set) {
    const auto count = static_cast<long double>(index.count(set));
    ASSERT_EQ(found.count[set], static_cast<double>(count));
    std::vector<long double> mean(dimensions, 0.0L);
    std::vector<long double> mean_log(dimensions, 0.0L);
    const auto value = [&](std::size_t at, std::size_t d) -> long double {
      const double v = x[index.rows[at] * dimensions + d];
      return family == Family::lognormal ? std::log(v) : v;
    };
    for (std::size_t at = index.starts[set]; at < index.starts[set + 1]; ++at) {
      for (std::size_t d = 0; d < dimensions; ++d) {
        mean[d] += value(at, d) / count;
        if (family == Family::gamma) mean_log[d] += std::log(x[index.rows[at] * dimensions + d]) / count;
      }
    }
    for (std::size_t i = 0; i < dimensions; ++i) {
      const double scale = 1.0 + std::abs(static_cast<double>(mean[i]));
      ASSERT_NEAR(found.mean[set * dimensions + i], static_cast<double>(mean[i]), 1e-14 * scale);
      if (family == Family::gamma) {
        ASSERT_NEAR(found.mean_log[set * dimensions + i], static_cast<double>(mean_log[i]), 1e-13);
      }
      for (std::size_t j = 0; j < dimensions; ++j) {
        if (!found.full && i != j) continue;
        long double sum = 0.0L;
        for (std::size_t at = index.starts[set]; at < index.starts[set + 1]; ++at) {
          sum += (value(at, i) - mean[i]) * (value(at, j) - mean[j]);
        }
        const std::size_t place = found.full ? (set * dimensions + i) * dimensions + j : set * dimensions + i;
        ASSERT_NEAR(found.scatter[place], static_cast<double>(sum), tolerance * static_cast<double>(count))
            << set << ' ' << i << ' ' << j;
      }
    }
  }
}

TEST(SetStatistics, AreThoseOfTwoPlainPassesInEveryDimension) {
  for (const std::size_t dimensions : {1, 2, 3, 4, 5, 8, 11, 13, 20, 26}) {
    const BitMatrix sets = random_sets(700, 3, dimensions);
    const LabelSetIndex index = index_label_sets(sets);
    const std::vector<double> x = random_rows(Family::gaussian, 700 * dimensions, 3.0, 5);
    for (const bool full : {true, false}) {
      expect_statistics(gather(index, x, dimensions, Family::gaussian, full, {1}), index, x, Family::gaussian, 1e-13);
    }
  }
}

TEST(SetStatistics, PiecesOfALargeSetMerge) {
  const std::size_t rows = 30'000;
  const LabelSetIndex index = index_label_sets(random_sets(rows, 2, 1));
  const std::vector<double> x = random_rows(Family::gaussian, rows * 3, 0.0, 6);
  expect_statistics(gather(index, x, 3, Family::gaussian, true, {1}), index, x, Family::gaussian, 1e-13);
}

TEST(SetStatistics, NothingCancelsFarFromZero) {
  // A billion standard deviations away a double knows a mean to 1e-7 of them, and means of pieces differ by 1e-2.
  const std::size_t rows = 20'000;
  const LabelSetIndex index = index_label_sets(random_sets(rows, 2, 1));
  const std::vector<double> x = random_rows(Family::gaussian, rows * 2, 1e9, 6);
  expect_statistics(gather(index, x, 2, Family::gaussian, true, {1}), index, x, Family::gaussian, 1e-9);
}

TEST(SetStatistics, EveryFamilyHasItsOwn) {
  for (const Family family :
       {Family::bernoulli, Family::exponential, Family::gamma, Family::poisson, Family::lognormal}) {
    const LabelSetIndex index = index_label_sets(random_sets(500, 3, 1));
    const std::vector<double> x = random_rows(family, 500 * 3, 0.0, 6);
    const SetStatistics found = gather(index, x, 3, family, false, {1});
    expect_statistics(found, index, x, family, 1e-12);
    EXPECT_EQ(found.mean_log.empty(), family != Family::gamma);
    EXPECT_EQ(found.total(), 500.0);
    double jacobian = 0.0;
    if (family == Family::lognormal) {
      for (const double value : x) jacobian -= std::log(value);
    }
    EXPECT_NEAR(found.log_jacobian, jacobian, 1e-10);
  }
}

TEST(SetStatistics, HaveTheSameBitsOnAnyNumberOfThreads) {
  const std::size_t rows = 60'000;
  for (const std::size_t labels : {1U, 12U}) {
    const LabelSetIndex index = index_label_sets(random_sets(rows, labels, 9));
    const std::vector<double> x = random_rows(Family::gaussian, rows * 6, 0.0, 6);
    const SetStatistics one = gather(index, x, 6, Family::gaussian, true, {1});
    for (const unsigned threads : {2U, 4U}) {
      const SetStatistics several = gather(index, x, 6, Family::gaussian, true, StartedThreads(threads));
      EXPECT_TRUE(several.mean == one.mean);
      EXPECT_TRUE(several.scatter == one.scatter);
    }
  }
}

TEST(SetStatistics, DoNotDependOnTheOrderOfItems) {
  const std::size_t rows = 9'000;
  const BitMatrix sets = random_sets(rows, 2, 3);
  const std::vector<double> x = random_rows(Family::gaussian, rows * 2, 0.0, 6);
  std::vector<std::uint32_t> order(rows);
  std::iota(order.begin(), order.end(), 0U);
  std::reverse(order.begin(), order.end());
  std::vector<double> reversed;
  for (const std::uint32_t n : order) reversed.insert(reversed.end(), {x[n * 2], x[n * 2 + 1]});
  const SetStatistics a = gather(index_label_sets(sets), x, 2, Family::gaussian, true, {1});
  const SetStatistics b = gather(index_label_sets(sets.rows_of(order)), reversed, 2, Family::gaussian, true, {1});
  ASSERT_EQ(a.sets, b.sets);
  for (std::size_t i = 0; i < a.scatter.size(); ++i) {
    EXPECT_NEAR(a.scatter[i], b.scatter[i], 1e-13 * static_cast<double>(rows));
  }
}

std::string refusal(Family family, double bad) {
  std::vector<double> x = random_rows(family, 40 * 3, 0.0, 6);
  x[30 * 3 + 1] = bad;
  x[35 * 3 + 2] = bad;
  return error_of([&] { gather(index_label_sets(random_sets(40, 3, 2)), x, 3, family, true, {1}); },
                  ErrorKind::bad_data);
}

TEST(SetStatistics, TheFirstWrongValueIsNamed) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::string place = "row 30, column 1: x = ";
  EXPECT_EQ(refusal(Family::gaussian, infinity),
            place + "inf cannot come from gaussian sources; a finite number is allowed");
  EXPECT_EQ(refusal(Family::gaussian, std::nan("")),
            place + "nan cannot come from gaussian sources; a finite number is allowed");
  EXPECT_EQ(refusal(Family::bernoulli, 0.5), place + "0.5 cannot come from bernoulli sources; 0 or 1 is allowed");
  EXPECT_EQ(refusal(Family::exponential, -1.0),
            place + "-1 cannot come from exponential sources; a number from 0 on is allowed");
  EXPECT_EQ(refusal(Family::gamma, 0.0), place + "0 cannot come from gamma sources; a number above 0 is allowed");
  EXPECT_EQ(refusal(Family::poisson, 2.5), place + "2.5 cannot come from poisson sources; 0, 1, 2, ... is allowed");
  EXPECT_EQ(refusal(Family::lognormal, -3.0),
            place + "-3 cannot come from lognormal sources; a number above 0 is allowed");
}

TEST(SetStatistics, HaveTheSameBitsAtEveryLevelOfTheProcessor) {
  for (const std::size_t dimensions : {1U, 3U, 6U, 13U}) {
    const LabelSetIndex index = index_label_sets(random_sets(3001, 2, 1));
    for (const Family family : {Family::gaussian, Family::bernoulli, Family::gamma, Family::lognormal}) {
      const std::vector<double> x = random_rows(family, 3001 * dimensions, 100.0, 6);
      for (const bool full : {false, true}) {
        expect_same_bits_at_every_level([&] {
          const SetStatistics found = gather(index, x, dimensions, family, full, {1});
          return joined({found.mean, found.scatter, found.mean_log, {found.log_jacobian}});
        });
      }
    }
  }
}

}  // namespace
}  // namespace motet::set_statistics_test
