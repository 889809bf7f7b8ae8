#include "motet/io/candidate_text.h"

#include "io/support.h"
#include "support/errors.h"

namespace motet::candidate_text_test {
namespace {

std::string shown(std::string_view text) {
  std::string result;
  for (const NamedCandidate& candidate : parse_candidates(text, "x:2")) {
    result += "[" + candidate.label + " " + to_text(candidate.weight) + "]";
  }
  return result;
}

std::string error_in(std::string_view text) {
  return TemporaryFolder().error_of([&] { parse_candidates(text, "x:2"); });
}

TEST(ParseCandidates, NamesAndWeights) {
  expect_each(
      shown,
      {{"a", "[a 1]"}, {"a|b", "[a 1][b 1]"}, {"a:0.7|b:1e-3|c:+2|d:.5", "[a 0.7][b 0.001][c 2][d 0.5]"}, {"*", ""}});
}

TEST(ParseCandidates, SpacesAroundDoNotCount) {
  EXPECT_EQ(shown(" a | b c\t|d : 2 "), "[a 1][b c 1][d 2]");
  EXPECT_EQ(shown(" * "), "");
}

TEST(ParseCandidates, AColonBeforeNoNumberIsPartOfTheName) {
  EXPECT_EQ(shown("http://x|type:info|a:nano|c:-)|m:.x"), "[http://x 1][type:info 1][a:nano 1][c:-) 1][m:.x 1]");
  EXPECT_EQ(shown("http://x:0.5"), "[http://x 0.5]");
  EXPECT_EQ(shown("room:12:1|room:14:3"), "[room:12 1][room:14 3]");
}

TEST(ParseCandidates, AWeightThatIsNone) {
  for (const std::string weight : {"nan", "-NaN", "inf", "Infinity", "", "0", "-1", "0.5x", "0,5", "1e999", "12-3"}) {
    EXPECT_EQ(error_in("b|a:" + weight),
              "x:2: the weight of candidate 'a' is '" + weight + "'; weights must be positive numbers");
  }
}

TEST(ParseCandidates, NamesThatAreNone) {
  for (const std::string text : {"", "a||b", "a|", "|a", " |a", ":0.5"}) {
    EXPECT_EQ(error_in(text),
              "x:2: an empty name among the candidates '" + text + "'; write them as a|b|c, or * for any label");
  }
  for (const std::string text : {"*|a", "a|*", "*:0.5", "*|*"}) {
    EXPECT_EQ(error_in(text), "x:2: '*' is among the candidates '" + text + "'; it stands alone, for any label");
  }
}

TEST(ParseOneLabel, IsOneOrNone) {
  EXPECT_EQ(parse_one_label(" a b ", "x:2"), "a b");
  EXPECT_EQ(parse_one_label("  ", "x:2"), "");
  for (const std::string text : {"a|b", "*"}) {
    EXPECT_EQ(TemporaryFolder().error_of([&] { parse_one_label(text, "x:2"); }),
              "x:2: the true label is '" + text + "'; one label is needed, or nothing where it is unknown");
  }
}

}  // namespace
}  // namespace motet::candidate_text_test
