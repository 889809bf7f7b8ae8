#include "motet/data/candidate_items.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "support/errors.h"

namespace motet::candidate_items_test {
namespace {

CandidateItems three_items() {
  CandidateItems items;
  items.features.columns = {"a", "b"};
  items.features.values = {1, 2, 3, 4, 5, 6};
  items.classes = {"crow", "wren", "owl", "tit"};
  items.starts = {0, 2, 3, 5};
  items.label = {0, 2, 2, 0, 1};
  items.weight = {1.0, 0.5, 1.0, 0.25, 1.0};
  items.truth = {2, -1, 0};
  return items;
}

std::string message_after(const std::function<void(CandidateItems&)>& change) {
  CandidateItems items = three_items();
  change(items);
  return error_if_any([&] { check_candidates(items); });
}

TEST(CandidateItems, APartKeepsNamesCandidatesAndTruth) {
  const CandidateItems part = rows_of(three_items(), std::array<std::uint32_t, 2>{2, 0});
  EXPECT_EQ(part.rows(), 2U);
  EXPECT_EQ(part.features.values, (std::vector<double>{5, 6, 1, 2}));
  EXPECT_EQ(part.features.items, (std::vector<std::string>{"3", "1"}));
  EXPECT_EQ(part.starts, (std::vector<std::size_t>{0, 2, 4}));
  EXPECT_EQ(part.label, (std::vector<std::uint32_t>{0, 1, 0, 2}));
  EXPECT_EQ(part.weight, (std::vector<double>{0.25, 1.0, 1.0, 0.5}));
  EXPECT_EQ(part.truth, (std::vector<std::int32_t>{0, 2}));
  check_candidates(part);
}

TEST(CandidateItems, TellsClassesThatNoItemHas) {
  EXPECT_EQ(never_candidates(three_items()), (std::vector<std::uint32_t>{3}));
}

TEST(CandidateItems, EachFaultHasItsMessage) {
  EXPECT_EQ(message_after([](CandidateItems&) {}), "");
  EXPECT_EQ(message_after([](CandidateItems& items) {
              items.starts = {0, 2, 2, 5};
            }),
            "row 2: the set of candidates is empty; name every label for an item nobody labelled");
  EXPECT_EQ(message_after([](CandidateItems& items) { items.label[1] = 4; }),
            "row 1: candidate 4 is not one of the 4 classes");
  EXPECT_EQ(message_after([](CandidateItems& items) { items.label[4] = 0; }),
            "row 3: candidate 'crow' is named twice or out of order");
  EXPECT_EQ(message_after([](CandidateItems& items) { items.weight[3] = 0.0; }),
            "row 3: weight = 0 of candidate 'crow' is not a positive number");
  EXPECT_EQ(message_after([](CandidateItems& items) { items.truth[0] = 9; }),
            "row 1: true label 9 is not one of the 4 classes");
  EXPECT_EQ(message_after([](CandidateItems& items) {
              items.features.items = {"x", "y", "z"};
              items.features.values[3] = std::numeric_limits<double>::infinity();
            }),
            "row 2 ('y'): feature = inf is not a finite number");
  EXPECT_EQ(message_after([](CandidateItems& items) { items.classes = {"crow"}; }),
            "'crow' is the only class; at least two are needed to tell apart");
  EXPECT_EQ(message_after([](CandidateItems& items) { items.outside = -1.0; }),
            "outside = -1 is not a number of at least 0");
  EXPECT_EQ(message_after([](CandidateItems& items) { items = {}; }), "there are no items");
}

}  // namespace
}  // namespace motet::candidate_items_test
