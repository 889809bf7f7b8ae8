#include "motet/discover/certificate.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "discover/search_cases.h"
#include "motet/discover/discovery.h"

namespace motet::discover::certificate_test {
namespace {

TEST(SearchCertificate, CountsGapsAndCoverageSequenceBySequence) {
  const Features features = noise_rows(20, 2, Seed{1}, {12, 8});
  DiscoverOptions options = search_options(Strategy::random, 2);
  options.exclusion = 2;
  options.batch = 20;
  Discovery discovery = start_discovery(features, options, {});
  SearchCertificate found = certificate(features, discovery);
  EXPECT_EQ(found.exclusion, 2U);
  EXPECT_EQ(found.most_requests, 4U + 3U);
  EXPECT_EQ(found.longest_gap, 12U);
  EXPECT_EQ(found.covered, 0.0);
  EXPECT_FALSE(found.complete);
  take_answer(features, discovery, {4, AnswerKind::nothing, ""}, {});
  take_answer(features, discovery, {11, AnswerKind::of_class, "a"}, {});
  take_answer(features, discovery, {15, AnswerKind::not_sure, ""}, {});
  found = certificate(features, discovery);
  EXPECT_EQ(found.answered, 2U);
  EXPECT_EQ(found.unsure, 1U);
  EXPECT_EQ(found.longest_gap, 8U);  // the second sequence: not sure is no answer
  EXPECT_EQ(found.covered, 8.0 / 20.0);
  take_answer(features, discovery, {15, AnswerKind::nothing, ""}, {});
  EXPECT_EQ(certificate(features, discovery).longest_gap, 6U);
}

TEST(SearchCertificate, CountsTheQuestionsThatUncoveredStretchesCanTake) {
  Features features = features_of(std::vector<double>(10, 0.0), 1);
  Discovery discovery;
  discovery.options.exclusion = 1;
  EXPECT_EQ(certificate(features, discovery).most_left, 5U);
  discovery.answers = {{3, AnswerKind::nothing, ""}};  // covers 2 to 4, leaves 2 and 5 rows
  EXPECT_EQ(certificate(features, discovery).most_left, 4U);
  features.starts = {0, 5, 10};
  features.sequences = {"a", "b"};
  EXPECT_EQ(certificate(features, discovery).most_left, 4U);
  discovery.answers.clear();
  for (const std::size_t row : {1U, 4U, 6U, 9U}) discovery.answers.push_back({row, AnswerKind::nothing, ""});
  const SearchCertificate result = certificate(features, discovery);
  EXPECT_EQ(result.most_left, 0U);
  EXPECT_TRUE(result.complete);
}

// Sequences of runs of at least 2g + 1 rows of random classes; whatever the features say.
struct RandomRuns {
  Features features;
  std::vector<std::uint32_t> of_row;
  std::size_t g = 0;
};

RandomRuns random_runs(Rng rng) {
  RandomRuns runs;
  runs.g = 1 + rng.below(3);
  std::vector<std::size_t> lengths;
  for (std::size_t s = 0; s <= rng.below(2); ++s) {
    std::size_t length = 0;
    for (std::size_t r = 0; r <= rng.below(4); ++r) {
      const std::size_t run = 2 * runs.g + 1 + rng.below(4);
      runs.of_row.insert(runs.of_row.end(), run, static_cast<std::uint32_t>(rng.below(4)));
      length += run;
    }
    lengths.push_back(length);
  }
  runs.features = noise_rows(runs.of_row.size(), 1, Seed{rng.next()}, lengths);
  const bool tells = rng.uniform() < 0.5;
  for (std::size_t n = 0; tells && n < runs.of_row.size(); ++n) runs.features.values[n] += runs.of_row[n];
  return runs;
}

void finds_every_run(Strategy strategy, const Rng& rng) {
  const RandomRuns runs = random_runs(rng);
  DiscoverOptions options = search_options(strategy, runs.g);
  options.exclusion = static_cast<int>(runs.g);
  RunContext run;
  run.threads = {1};
  Discovery discovery = start_discovery(runs.features, options, run);
  std::set<std::uint32_t> found;
  std::size_t requests = 0;
  while (!discovery.queue.empty()) {
    const std::size_t row = discovery.queue.front().row;
    const std::uint32_t of_class = runs.of_row[row];
    found.insert(of_class);
    ++requests;
    take_answer(runs.features, discovery,
                {row, AnswerKind::of_class, std::string(1, static_cast<char>('a' + of_class))}, run);
  }
  const SearchCertificate reached = certificate(runs.features, discovery);
  EXPECT_TRUE(reached.complete);
  EXPECT_LE(requests, reached.most_requests);
  EXPECT_EQ(found, (std::set<std::uint32_t>(runs.of_row.begin(), runs.of_row.end())));
}

TEST(SearchCertificate, EveryLongRunIsFoundInTimeWhateverTheStrategy) {
  for (std::uint64_t i = 0; i < 30; ++i) {
    for (const Strategy strategy : every_strategy) finds_every_run(strategy, Rng(Seed{7}).child(i));
  }
}

TEST(CertificateSlow, TenThousandSequencesWithoutAMiss) {
  for (std::uint64_t i = 0; i < 10'000 && !testing::Test::HasFailure(); ++i) {
    finds_every_run(i % 10 < 5 ? Strategy::random : every_strategy[i % 5], Rng(Seed{11}).child(i));
  }
}

}  // namespace
}  // namespace motet::discover::certificate_test
