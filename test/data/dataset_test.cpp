#include "motet/data/dataset.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace motet::dataset_test {
namespace {

using Numbers = std::vector<double>;
using Labels = std::vector<std::uint32_t>;

// Two items and what `add` adds of each.
template <class First, class Second>
Dataset two_items(const First& first, const Second& second) {
  Dataset data;
  data.features.columns = {"x"};
  data.features.values = {1.0, 2.0};
  data.features.items = {"a", "b"};
  data.evidence.classes = {"crow", "wren", "owl"};
  first(data.evidence);
  second(data.evidence);
  return data;
}

void owl_is_known(Evidence& evidence) { add_known(evidence, Labels{2}); }
void both_are_known(Evidence& evidence) { add_known(evidence, Labels{0, 2}); }
void none_is_known(Evidence& evidence) { add_known(evidence, {}); }
void crow_or_wren(Evidence& evidence) { add_candidates(evidence, Labels{0, 1}, Numbers{1.0, 0.5}); }
void votes_for_wren(Evidence& evidence) { add_votes(evidence, Numbers{0.25, 1.0, 0.0}); }

TEST(Dataset, OneLabelIsLearntFromEveryKindOfEvidence) {
  Dataset data = two_items(owl_is_known, votes_for_wren);
  data.evidence.truth = {2, -1};
  data.evidence.outside = 0.125;
  const CandidateItems items = candidate_items(std::move(data));
  EXPECT_EQ(items.starts, (std::vector<std::size_t>{0, 1, 3}));
  EXPECT_EQ(items.label, (Labels{2, 0, 1}));
  EXPECT_EQ(items.weight, (Numbers{1.0, 0.25, 1.0}));
  EXPECT_EQ(items.truth, (std::vector<std::int32_t>{2, -1}));
  EXPECT_EQ(items.outside, 0.125);
  EXPECT_EQ(items.features.values, (Numbers{1.0, 2.0}));
  check_candidates(items);
}

TEST(Dataset, AnItemOfWhichNothingIsKnownHasEveryCandidate) {
  const CandidateItems weighted = candidate_items(two_items(add_nothing, crow_or_wren));
  EXPECT_EQ(weighted.label, (Labels{0, 1, 2, 0, 1}));
  EXPECT_EQ(weighted.weight, (Numbers{1.0, 1.0, 1.0, 1.0, 0.5}));
  EXPECT_TRUE(candidate_items(two_items(add_nothing, owl_is_known)).weight.empty());
}

TEST(Dataset, NumbersAreMovedIntoItsViews) {
  Dataset data = two_items(owl_is_known, crow_or_wren);
  const double* const values = data.features.values.data();
  const std::uint32_t* const labels = data.evidence.label.data();
  const CandidateItems items = candidate_items(std::move(data));
  EXPECT_EQ(items.features.values.data(), values);
  EXPECT_EQ(items.label.data(), labels);
}

TEST(Dataset, OneLabelIsNotLearntFromKnownSets) {
  EXPECT_EQ(refusal([] { candidate_items(two_items(crow_or_wren, both_are_known)); }, ErrorKind::unanswerable),
            "item 'b': its known label set has 2 labels; where one label is right, it has to have one");
  EXPECT_EQ(refusal([] { candidate_items(two_items(none_is_known, crow_or_wren)); }, ErrorKind::unanswerable),
            "item 'a': its known label set has 0 labels; where one label is right, it has to have one");
}

TEST(Dataset, LabelSetsAreLearntFromKnownOnes) {
  const LabelledItems items = labelled_items(two_items(both_are_known, none_is_known));
  EXPECT_TRUE(items.has_sets());
  EXPECT_EQ(joined_labels(items.sets.row(0), items.labels), "crow|owl");
  EXPECT_EQ(joined_labels(items.sets.row(1), items.labels), "");
  EXPECT_EQ(items.features.items, (std::vector<std::string>{"a", "b"}));
  EXPECT_FALSE(labelled_items(two_items(add_nothing, add_nothing)).has_sets());
}

TEST(Dataset, LabelSetsAreNotLearntFromWhatSaysWhichOneLabelIsRight) {
  EXPECT_EQ(refusal([] { labelled_items(two_items(owl_is_known, crow_or_wren)); }, ErrorKind::unanswerable),
            "item 'b': candidates say which one label is right, not which labels are there together; label sets are "
            "learnt from known ones");
  EXPECT_EQ(refusal([] { labelled_items(two_items(votes_for_wren, owl_is_known)); }, ErrorKind::unanswerable),
            "item 'a': votes say which one label is right, not which labels are there together; label sets are learnt "
            "from known ones");
  EXPECT_EQ(
      refusal([] { labelled_items(two_items(owl_is_known, add_nothing)); }, ErrorKind::unanswerable),
      "item 'b': nothing is known of its label set; label sets are learnt from known ones, so leave the item out");
}

TEST(Dataset, EvidenceFitsTheNumbers) {
  Dataset data = two_items(owl_is_known, owl_is_known);
  data.features.values.push_back(3.0);
  EXPECT_EQ(refusal([&] { candidate_items(data); }, ErrorKind::internal),
            "evidence of 2 items does not fit 3 rows of features");
  EXPECT_EQ(refusal([&] { labelled_items(data); }, ErrorKind::internal),
            "evidence of 2 items does not fit 3 rows of features");
}

TEST(Dataset, SomeRowsAreOneSequenceInTime) {
  Dataset data = two_items(owl_is_known, crow_or_wren);
  EXPECT_FALSE(rows_of(data, Labels{1}).sequences);
  data.sequences = Sequences{{0, 1, 2}, {"dawn", "noon"}, {0.1, 0.25}};
  const Dataset part = rows_of(data, Labels{1, 0, 1});
  EXPECT_EQ(part.features.items, (std::vector<std::string>{"b", "a", "b"}));
  EXPECT_EQ(part.evidence.label, (Labels{0, 1, 2, 0, 1}));
  ASSERT_TRUE(part.sequences);
  EXPECT_EQ(part.sequences->starts, (std::vector<std::size_t>{0, 3}));
  EXPECT_EQ(part.sequences->sequences, std::vector<std::string>{"dawn"});
  EXPECT_EQ(part.sequences->clock, (FrameClock{0.1, 0.25}));
}

}  // namespace
}  // namespace motet::dataset_test
