#include "experiments/judges/majority.h"

#include <gtest/gtest.h>

#include "judges/tied_votes.h"

namespace motet::judges::majority_test {
namespace {

TEST(MajorityVote, CountsAndBreaksTiesByTheFirst) {
  const Votes votes = votes_from({{2, 2, 0, no_vote},
                                  {1, 2, no_vote, no_vote},
                                  {2, 1, 0, no_vote},
                                  {no_vote, no_vote, no_vote, no_vote},
                                  {1, 1, 1, 1}},
                                 3);
  const MajorityVote found = majority_vote(votes);
  EXPECT_EQ(found.label, (std::vector<std::int32_t>{2, 1, 0, Votes::unknown, 1}));
  EXPECT_EQ(found.share, (std::vector<double>{2.0 / 3.0, 0.5, 1.0 / 3.0, 0.0, 1.0}));
  EXPECT_EQ(found.tied, (std::vector<std::uint32_t>{1, 2, 3, 0, 1}));
}

}  // namespace
}  // namespace motet::judges::majority_test
