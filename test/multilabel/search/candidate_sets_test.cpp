#include "motet/multilabel/search/candidate_sets.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

namespace motet::multilabel::candidate_sets_test {
namespace {

TEST(CandidateSets, AreWrittenOutByDegree) {
  const BitMatrix sets = enumerate_sets(4, 2, true);
  std::vector<std::uint64_t> bits;
  for (std::size_t j = 0; j < sets.rows(); ++j) bits.push_back(sets.row(j)[0]);
  EXPECT_EQ(bits, (std::vector<std::uint64_t>{0, 1, 2, 4, 8, 3, 5, 9, 6, 10, 12}));
  EXPECT_EQ(count_sets(40, 4, false), 102090.0);
  EXPECT_EQ(enumerate_sets(5, 9, false).rows(), 31U);
  EXPECT_EQ(count_sets(5, 9, true), 32.0);
}

TEST(CandidateSets, AreAllThereAreAndEachOnce) {
  for (std::size_t labels = 1; labels <= 9; ++labels) {
    for (std::size_t degree = 1; degree <= labels + 1; ++degree) {
      for (const bool with_empty : {false, true}) {
        std::size_t wanted = 0;
        for (std::uint64_t bits = with_empty ? 0 : 1; bits < std::uint64_t{1} << labels; ++bits) {
          wanted += static_cast<std::size_t>(std::popcount(bits)) <= degree ? 1 : 0;
        }
        const BitMatrix sets = enumerate_sets(labels, degree, with_empty);
        std::set<std::uint64_t> different;
        for (std::size_t j = 0; j < sets.rows(); ++j) {
          different.insert(sets.row(j)[0]);
          EXPECT_LE(sets.count(j), degree);
          if (j > 0) {
            EXPECT_GE(sets.count(j), sets.count(j - 1));
          }
        }
        EXPECT_EQ(sets.rows(), wanted);
        EXPECT_EQ(different.size(), wanted);
        EXPECT_EQ(count_sets(labels, degree, with_empty), static_cast<double>(wanted));
      }
    }
  }
}

TEST(CandidateSets, MoreThanSixtyFourLabelsTakeMoreThanAWord) {
  const BitMatrix sets = enumerate_sets(70, 2, false);
  EXPECT_EQ(sets.rows(), 70U + 70U * 69U / 2U);
  EXPECT_TRUE(sets(sets.rows() - 1, 69));
  EXPECT_TRUE(sets(sets.rows() - 1, 68));
  EXPECT_EQ(count_sets(2000, 2000, true), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace motet::multilabel::candidate_sets_test
