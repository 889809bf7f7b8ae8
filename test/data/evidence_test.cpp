#include "motet/data/evidence.h"

#include <gtest/gtest.h>

namespace motet::evidence_test {
namespace {

using Numbers = std::vector<double>;
using Labels = std::vector<std::uint32_t>;

// One item of each kind.
Evidence one_of_each() {
  Evidence evidence;
  evidence.classes = {"crow", "wren", "owl"};
  add_known(evidence, Labels{1});
  add_candidates(evidence, Labels{0, 2}, Numbers{1.0, 0.5});
  add_votes(evidence, Numbers{0.25, 1.0, 0.0});
  add_nothing(evidence);
  evidence.truth = {1, 2, -1, 0};
  return evidence;
}

TEST(Evidence, IsListedItemByItem) {
  const Evidence evidence = one_of_each();
  EXPECT_EQ(evidence.rows(), 4U);
  EXPECT_EQ(evidence.kinds, (std::vector<EvidenceKind>{EvidenceKind::known, EvidenceKind::candidates,
                                                       EvidenceKind::votes, EvidenceKind::nothing}));
  EXPECT_EQ(evidence.starts, (std::vector<std::size_t>{0, 1, 3, 5, 5}));
  EXPECT_EQ(evidence.label, (Labels{1, 0, 2, 0, 1}));  // the votes rule the owl out
  EXPECT_EQ(evidence.weight, (Numbers{1.0, 1.0, 0.5, 0.25, 1.0}));
}

TEST(Evidence, KeepsNoWeightsThatAreAllOne) {
  Evidence evidence;
  evidence.classes = {"crow", "wren"};
  add_known(evidence, Labels{0, 1});
  add_candidates(evidence, Labels{0}, Numbers{1.0});
  EXPECT_TRUE(evidence.weight.empty());
  EXPECT_EQ(evidence.weight_at(2), 1.0);
}

TEST(Evidence, SomeRowsKeepKindsListsWeightsAndTruth) {
  Evidence all = one_of_each();
  all.outside = 0.125;
  const Evidence part = rows_of(all, Labels{3, 1});
  EXPECT_EQ(part.kinds, (std::vector<EvidenceKind>{EvidenceKind::nothing, EvidenceKind::candidates}));
  EXPECT_EQ(part.starts, (std::vector<std::size_t>{0, 0, 2}));
  EXPECT_EQ(part.label, (Labels{0, 2}));
  EXPECT_EQ(part.weight, (Numbers{1.0, 0.5}));
  EXPECT_EQ(part.truth, (std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(part.outside, 0.125);
  EXPECT_EQ(part.classes, all.classes);
}

}  // namespace
}  // namespace motet::evidence_test
