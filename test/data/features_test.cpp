#include "motet/data/features.h"

#include <gtest/gtest.h>

#include "data/table_cases.h"
#include "support/errors.h"

namespace motet::features_test {
namespace {

// The five rows as two sequences of 3 and 2 rows.
Features two_sequences() {
  Features features{five_rows(), {}};
  features.starts = {0, 3, 5};
  features.sequences = {"a", "b"};
  features.clock = {0.1, 0.25};
  return features;
}

TEST(Features, RowsBelongToTheSequenceInWhichTheyLie) {
  const Features features = two_sequences();
  const std::size_t expected[] = {0, 0, 0, 1, 1};
  for (std::size_t n = 0; n < 5; ++n) EXPECT_EQ(sequence_of(features, n), expected[n]) << n;
  EXPECT_EQ(features.rows(), 5U);
  EXPECT_EQ(features.row(4)[1], 40.0);
}

TEST(Features, SomeRowsKeepTheNamesThatTheWholeGivesThem) {
  const Features part = rows_of(two_sequences(), std::vector<std::uint32_t>{4, 1, 1});
  EXPECT_EQ(part.values, (std::vector<double>{4, 40, 1, 10, 1, 10}));
  EXPECT_EQ(part.items, (std::vector<std::string>{"5", "2", "2"}));
  EXPECT_EQ(part.columns, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(part.starts, (std::vector<std::size_t>{0, 3}));
  EXPECT_EQ(part.sequences, std::vector<std::string>{"a"});
  EXPECT_EQ(part.clock, two_sequences().clock);
  EXPECT_EQ(rows_of(two_sequences(), {}).rows(), 0U);
}

TEST(Features, SomeSequencesComeWhole) {
  const Features part = sequences_of(two_sequences(), std::vector<std::uint32_t>{1, 0, 1});
  EXPECT_EQ(part.values, (std::vector<double>{3, 30, 4, 40, 0, 0, 1, 10, 2, 20, 3, 30, 4, 40}));
  EXPECT_EQ(part.starts, (std::vector<std::size_t>{0, 2, 5, 7}));
  EXPECT_EQ(part.sequences, (std::vector<std::string>{"b", "a", "b"}));
  EXPECT_EQ(part.columns, two_sequences().columns);
  EXPECT_EQ(part.clock, two_sequences().clock);
  EXPECT_EQ(sequences_of(two_sequences(), {}).rows(), 0U);
}

TEST(Features, MoreRowsAreNewSequences) {
  Features features = two_sequences();
  append(features, two_sequences());
  EXPECT_EQ(features.starts, (std::vector<std::size_t>{0, 3, 5, 8, 10}));
  EXPECT_EQ(features.sequences, (std::vector<std::string>{"a", "b", "a", "b"}));
  EXPECT_EQ(features.row(9)[1], 40.0);
  EXPECT_EQ(sequence_of(features, 7), 2U);
}

TEST(Features, MoreRowsMustFit) {
  const auto told = [](const Features& more) {
    Features features = two_sequences();
    const std::string text = refusal([&] { append(features, more); });
    EXPECT_EQ(features.rows(), 5U);  // whatever was refused or added nothing
    return text;
  };
  Features more = two_sequences();
  more.columns = {"y", "x"};
  EXPECT_EQ(told(more), "the features have 2 columns that are not the 2 of the others; name and order must agree");
  more = two_sequences();
  more.clock.window = 0.1;
  EXPECT_EQ(told(more), "a row every 0.1 s over 0.1 s does not fit rows every 0.1 s over 0.25 s");
  more = two_sequences();
  more.items.assign(5, "p");
  EXPECT_EQ(told(more), "some items have names and some have none; name all or none");
  more.values.clear();
  more.starts = {0, 0};
  more.sequences = {"c"};
  EXPECT_EQ(told(more), "accepted");  // no rows, no names to miss
}

}  // namespace
}  // namespace motet::features_test
