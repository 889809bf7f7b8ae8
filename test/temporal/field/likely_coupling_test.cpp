#include "motet/temporal/field/likely_coupling.h"

#include <gtest/gtest.h>

#include "motet/temporal/field/coupling.h"
#include "motet/temporal/fit.h"
#include "support/threads.h"
#include "temporal/markov_rows.h"
#include "temporal/row_cases.h"

namespace motet::temporal::likely_coupling_test {
namespace {

double chosen(const Features& features, std::size_t components, std::size_t radius, Threads threads = {1},
              double most = 16.0) {
  Mixture mixture = fit_temporal(features, components, {}, {}, {}, run_with(1, threads)).mixture;
  mixture.field = with_total_weight({.radius = radius}, 2.0);
  return likely_coupling(features, {}, global_shape(features, 1e-6, {1}), 0.1, most, run_with(1, threads), mixture)
      .nats;
}

TEST(LikelyCoupling, StatesThatLastAskForMoreThanTheirStaticLabels) {
  const MarkovRows rows = markov_rows(1, 1200, 3, 40.0, 2.0, 1);
  const TemporalFit still = fit_temporal(rows.features, 3, {}, {}, {}, run_with(1, {1}));
  TimeField field{.radius = 5};
  field.strength = pseudo_likelihood_strength(rows.features.starts, 3, field, still.states, 16.0);
  const double by_labels = total_weight(field);
  const double found = chosen(rows.features, 3, 5);
  EXPECT_LT(by_labels, 3.5);
  EXPECT_GT(found, 4.0);
  EXPECT_LT(found, 6.0);  // not the cap either

  TemporalOptions options;
  options.radius = 5;
  EXPECT_LT(share_wrong(rows.states, fit_temporal(rows.features, 3, {}, {}, options, run_with(1, {1})).states, 3),
            0.04);
  options.coupling = std::to_string(by_labels);
  EXPECT_GT(share_wrong(rows.states, fit_temporal(rows.features, 3, {}, {}, options, run_with(1, {1})).states, 3),
            0.06);
}

TEST(LikelyCoupling, StatesThatDoNotLastAskForLittle) {
  EXPECT_LT(chosen(markov_rows(1, 800, 2, 2.0, 3.0, 2).features, 2, 3), 1.0);
  EXPECT_LT(chosen(markov_rows(1, 800, 3, 4.0, 2.5, 2).features, 3, 3),
            chosen(markov_rows(1, 800, 3, 20.0, 2.5, 2).features, 3, 3));
}

TEST(LikelyCoupling, IsAtMostWhatIsAllowed) {
  EXPECT_EQ(chosen(markov_rows(1, 400, 2, 40.0, 4.0, 3).features, 2, 3, {1}, 2.5), 2.5);
}

TEST(LikelyCoupling, IsTheSameOnAnyNumberOfThreadsAndFromPartOfManyRows) {
  const MarkovRows many = markov_rows(3, 8000, 2, 30.0, 2.5, 4);
  const double one = chosen(many.features, 2, 2);
  EXPECT_EQ(chosen(many.features, 2, 2, StartedThreads(4)), one);
  const MarkovRows few = markov_rows(1, 4000, 2, 30.0, 2.5, 5);
  EXPECT_NEAR(one, chosen(few.features, 2, 2), 0.5);
}

}  // namespace
}  // namespace motet::temporal::likely_coupling_test
