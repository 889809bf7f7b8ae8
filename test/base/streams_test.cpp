#include "motet/base/streams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "motet/base/error.h"

namespace motet::streams_test {
namespace {

constexpr std::uint64_t first_of_blocks = std::uint64_t{1} << 48;

bool meet(const StreamRange& a, const StreamRange& b) {
  const auto takes = [](const StreamRange& range) {  // of the numbers; the children of a seed itself may do anything
    return range.is_seed_itself ? 3 : static_cast<int>(range.takes);
  };
  const auto draws = [](const StreamRange& range) { return range.is_seed_itself && range.takes != Takes::children; };
  if (draws(a) && draws(b)) return true;
  const std::uint64_t apart = a.first < b.first ? b.first - a.first : a.first - b.first;
  const bool overlap = (a.first < b.first ? a.count : b.count) > apart && a.count > 0 && b.count > 0;
  return overlap && (takes(a) & takes(b)) != 0;
}

TEST(Streams, EveryNameHasItsRange) {
  for (std::size_t i = 0; i < stream_ranges().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(stream_ranges()[i].name), i);
    EXPECT_NE(stream_ranges()[i].runs, 0);
  }
  EXPECT_EQ(stream_ranges().back().name, Stream::discover_grid);  // the last of the names
}

TEST(Streams, NoTwoOfOneRunShareNumbersButThoseThatAreKnownTo) {
  std::set<std::pair<Stream, Stream>> known;
  for (const KnownOverlap& overlap : known_overlaps()) known.emplace(overlap.first, overlap.second);
  std::set<std::pair<Stream, Stream>> found;
  const std::span<const StreamRange> ranges = stream_ranges();
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    for (std::size_t j = i + 1; j < ranges.size(); ++j) {
      if ((ranges[i].runs & ranges[j].runs) != 0 && meet(ranges[i], ranges[j])) {
        found.emplace(ranges[i].name, ranges[j].name);
      }
    }
  }
  EXPECT_EQ(found, known);
}

TEST(Streams, NumbersThatAreKeptAreBelowTheBlocks) {
  for (const StreamRange& range : stream_ranges()) {
    if (range.count != static_cast<std::uint64_t>(-1)) {
      EXPECT_LE(range.first + range.count, first_of_blocks);
    }
  }
}

TEST(Streams, AreTheChildrenThatTheRegisterTells) {
  constexpr Seed seed{17};
  EXPECT_EQ(stream(seed, Stream::judges_random_start, 2).next(), Rng(seed).child(3).next());
  EXPECT_EQ(stream(seed, Stream::judges_bootstrap).next(), Rng(seed).child(0xB007).next());
  EXPECT_EQ(stream(seed, Stream::superset_landmarks).next(), Rng(seed).next());
  EXPECT_EQ(stream(seed, Stream::superset_mixture, static_cast<std::uint64_t>(-2)).next(),
            Rng(seed).child(static_cast<std::uint64_t>(-2)).next());
  EXPECT_EQ(drawn_seed(seed, Stream::roles_select_measures, 5), Seed{Rng(seed).child(7005).next()});
  EXPECT_EQ(whole_seed(seed, Stream::multilabel_evaluation_folds), seed);
  EXPECT_THROW(whole_seed(seed, Stream::multilabel_part), Error);
}

TEST(Streams, AnIndexPastTheRangeIsInTheBlockOfTheName) {
  constexpr Seed seed{17};
  const auto block = [](Stream name) { return (static_cast<std::uint64_t>(name) + 1) * first_of_blocks; };
  EXPECT_EQ(stream(seed, Stream::roles_annealing, 91).next(), Rng(seed).child(191).next());
  EXPECT_EQ(stream(seed, Stream::roles_annealing, 92).next(),
            Rng(seed).child(block(Stream::roles_annealing) + 92).next());
  EXPECT_EQ(stream(seed, Stream::superset_study).next(), Rng(seed).child(block(Stream::superset_study)).next());
}

}  // namespace
}  // namespace motet::streams_test
