#include "motet/audio/field/bark.h"

#include <gtest/gtest.h>

namespace motet::audio::bark_test {
namespace {

TEST(Bark, NamesOfThePublishedBands) {
  EXPECT_EQ(bark_names(20480.0),
            (std::vector<std::string>{"160",  "320",  "480",  "640",  "800",  "960",  "1120", "1360", "1600", "1840",
                                      "2160", "2480", "2880", "3360", "3920", "4640", "5520", "6560", "7840", "9440"}));
}

TEST(Bark, BandsGrowAndCoverAllBinsButTheFirst) {
  EXPECT_EQ(bark_edges.front(), 1U);
  EXPECT_EQ(bark_edges.back(), 65U);
  for (std::size_t b = 0; b < bark_bands; ++b) EXPECT_LT(bark_edges[b], bark_edges[b + 1]);
}

TEST(Bark, OtherRatesHaveOtherNames) { EXPECT_EQ(bark_names(16000.0).front(), "125"); }

}  // namespace
}  // namespace motet::audio::bark_test
