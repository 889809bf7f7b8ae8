#include "motet/audio/field/self_test.h"

#include <cmath>

#include "support/errors.h"

namespace motet::audio::self_test_test {
namespace {

FieldTestOptions quick() {
  FieldTestOptions options;
  options.seconds = 0.8;
  options.waves = 100;
  options.step = 30;
  return options;
}

TEST(FieldSelfTest, EveryFieldIsWhatTheorySays) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    RunContext run;
    run.seed = Seed{seed};
    FieldTestOptions options;
    options.waves = 400;
    options.step = 30;
    for (const FieldCheck& check : test_fields(options, run).checks) {
      EXPECT_LE(check.worst(), check.allowed) << check.field << " " << check.indicator;
      EXPECT_GE(check.hertz.size(), 15U) << check.field << " " << check.indicator;
    }
  }
}

TEST(FieldSelfTest, PatternsAreThoseOfTheFormulas) {
  const FieldTest test = test_fields(quick(), {});
  ASSERT_EQ(test.patterns.size(), 3U);
  for (const PolarPattern& pattern : test.patterns) {
    EXPECT_EQ(pattern.degrees.size(), 12U);
    for (std::size_t i = 0; i < pattern.degrees.size(); ++i) {
      EXPECT_NEAR(pattern.measured[i], pattern.expected[i], 0.05) << pattern.name << " " << pattern.degrees[i];
    }
  }
  // The front cardioid has its null behind, the hyper-cardioid a small lobe there.
  EXPECT_LT(test.patterns[0].measured[6], 0.05);
  EXPECT_NEAR(test.patterns[2].expected[6], 0.5, 1e-6);
  EXPECT_EQ(test.coherence.size(), 2U);
}

TEST(FieldSelfTest, ChecksItsOptions) {
  FieldTestOptions options = quick();
  options.step = 0;
  EXPECT_EQ(error_of([&] { test_fields(options, {}); }, ErrorKind::usage), "--step 0 is outside [1, 30]");
}

}  // namespace
}  // namespace motet::audio::self_test_test
