#include "motet/discover/questions/open_rows.h"

#include <gtest/gtest.h>

#include "discover/search_cases.h"

namespace motet::discover::open_rows_test {
namespace {

TEST(OpenRows, EachRowHasItsTurnAndAnswersCloseWhatIsNear) {
  const Features features = noise_rows(20, 1, Seed{1}, {12, 8});
  Discovery discovery;
  discovery.mixture.classes = {"background"};
  discovery.isolated.assign(20, 0);
  discovery.isolated[8] = 1;
  discovery.answers = {{2, AnswerKind::nothing, ""}, {10, AnswerKind::not_sure, ""}};
  OpenRows open(features, discovery, 2);
  for (std::size_t n = 0; n < 20; ++n) {
    EXPECT_EQ(open.may_ask(n, Turn::ordinary), n > 4 && n != 8 && n != 10) << n;
    EXPECT_EQ(open.may_ask(n, Turn::noise), n == 8) << n;
    EXPECT_EQ(open.may_ask(n, Turn::unsure), n == 10) << n;
  }
  open.ask(11);  // the last of its sequence
  for (std::size_t n = 9; n < 12; ++n) EXPECT_FALSE(open.may_ask(n, Turn::ordinary)) << n;
  EXPECT_TRUE(open.may_ask(12, Turn::ordinary));
  EXPECT_FALSE(open.has_any(Turn::unsure));
  EXPECT_TRUE(open.has_any(Turn::noise));
  for (std::size_t n = 0; n < 20; ++n) open.ask(n);
  EXPECT_FALSE(open.has_any(Turn::ordinary));
}

}  // namespace
}  // namespace motet::discover::open_rows_test
