#include "motet/temporal/stack.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/temporal/fit.h"
#include "support/errors.h"
#include "temporal/row_cases.h"

namespace motet::temporal::stack_test {
namespace {

TEST(Stack, NeighboursOfTheSequenceBesideEachRow) {
  Features features = features_of(2, {1, 10, 2, 20, 3, 30, 4, 40});
  features.starts = {0, 3, 3, 4};
  features.sequences = {"a", "none", "b"};
  const Features stacked = stack_rows(features, 1);
  EXPECT_EQ(stacked.columns, (std::vector<std::string>{"x1(-1)", "x2(-1)", "x1", "x2", "x1(+1)", "x2(+1)"}));
  EXPECT_EQ(stacked.values, (std::vector<double>{1, 10, 1, 10, 2, 20,     //
                                                 1, 10, 2, 20, 3, 30,     //
                                                 2, 20, 3, 30, 3, 30,     //
                                                 4, 40, 4, 40, 4, 40}));  // alone in its sequence
  EXPECT_EQ(stacked.starts, features.starts);
  EXPECT_EQ(single_columns(stacked.columns, 1), features.columns);
  const Features wide = stack_rows(features, 5);
  EXPECT_EQ(wide.dimensions(), 22U);
  EXPECT_EQ(wide.values.size(), 4U * 22U);
  EXPECT_EQ(stack_rows(features, 0).values, features.values);
}

// Two states of the same values: in one a value is repeated, in the other its sign changes from row to row.
Features patterns(std::uint64_t seed) {
  Rng rng(Seed{seed});
  std::vector<double> values;
  double last = 2.0;
  for (std::size_t n = 0; n < 800; ++n) {
    const bool turns = n / 50 % 2 == 1;
    if (turns || n % 50 % 10 == 0) last = -last;
    values.push_back(last + 0.5 * rng.normal());
  }
  return features_of(1, values);
}

TEST(Stack, PatternsInTimeAreToldApart) {
  const Features features = patterns(1);
  RowLabels labels(800, -1);
  for (std::size_t n = 0; n < 800; n += 8) labels[n] = static_cast<std::int32_t>(n / 50 % 2);
  const auto wrong = [&](std::size_t stack) {
    TemporalOptions options;
    options.stack = stack;
    options.radius = 3;
    const TemporalFit fit = fit_temporal(features, 4, {"same", "turns"}, labels, options, {});
    std::size_t differ = 0;
    for (std::size_t n = 0; n < 800; ++n) {
      differ += fit.mixture.components[fit.states[n]].of_class == static_cast<std::int32_t>(n / 50 % 2) ? 0 : 1;
    }
    return differ;
  };
  EXPECT_GT(wrong(0), 200U);
  EXPECT_LT(wrong(1), 80U);
}

TEST(Stack, TheModelKeepsItAndStacksNewRows) {
  const Features features = patterns(2);
  TemporalOptions options;
  options.stack = 2;
  options.radius = 2;
  const TemporalFit fit = fit_temporal(features, 2, {}, {}, options, {});
  EXPECT_EQ(fit.mixture.stack, 2U);
  EXPECT_EQ(fit.mixture.dimensions(), 5U);
  const Record record = to_record(fit.mixture);
  EXPECT_EQ(record.version, 2);
  const Mixture back = mixture_from_record(record);
  EXPECT_EQ(to_record(back), record);
  EXPECT_EQ(assign_temporal(features, back, Inference::icm, {}).states, fit.states);
  TemporalOptions plain = options;
  plain.stack = 0;
  const TemporalFit by_hand = fit_temporal(stack_rows(features, 2), 2, {}, {}, plain, {});
  EXPECT_EQ(by_hand.states, fit.states);
  EXPECT_EQ(by_hand.summary.objective, fit.summary.objective);
  Record broken = record;
  broken.fields.set("stack", 3);
  EXPECT_THROW(mixture_from_record(broken), Error);
}

TEST(Stack, TooManyColumnsForTheRowsAreRefused) {
  const Features features = clustered_rows(50, 3, 2, 4.0, 1);
  const auto message_of = [&](TemporalOptions options) -> std::string {
    return error_if_any([&] { fit_temporal(features, 2, {}, {}, options, {}); }, ErrorKind::usage);
  };
  TemporalOptions options;
  options.stack = 4;
  EXPECT_EQ(
      message_of(options),
      "--stack 4 makes 27 columns of 3, too many for 2 components of 50 rows; at least 56 rows, a smaller --stack "
      "or --covariance diagonal would do");
  options.covariance = MixtureCovariance::diagonal;
  EXPECT_EQ(message_of(options), "");
  options.stack = 400;
  EXPECT_EQ(message_of(options), "--stack 400 makes 2403 columns of 3; at most 2000 are allowed");
  options.stack = 1;
  options.image_width = 5;
  EXPECT_EQ(message_of(options), "--stack 1 is for rows in time; leave it out with --image-width");
}

}  // namespace
}  // namespace motet::temporal::stack_test
