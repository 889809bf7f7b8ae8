#include "motet/app/audio/shown_columns.h"

#include <gtest/gtest.h>

namespace motet::audio::shown_columns_test {
namespace {

using Names = std::vector<std::string>;

TEST(ShownColumns, FrequenciesInHertz) {
  const RowShape shape{{"hz_0", "hz_21.533203", "hz_21963.867188"}, {}, {}, Value::Object{}};
  EXPECT_EQ(shown_columns(shape, 44100.0), (Names{"0 Hz", "21.53 Hz", "21964 Hz"}));
}

TEST(ShownColumns, BandsWithTheirCentres) {
  RowShape shape{{"mel0", "mel12", "mel99", "mfcc3", "melody"}, {}, {}, Value::object({{"mfcc_style", "slaney"}})};
  // The Toolbox's bands: 200 Hz, and 13 corners 66.667 Hz apart from 133.333 Hz are followed by a factor of 1.0711703.
  EXPECT_EQ(shown_columns(shape, 16000.0), (Names{"mel0 200 Hz", "mel12 999.8 Hz", "mel99", "mfcc3", "melody"}));
  shape.options = Value::object({{"bands", "3"}, {"mel", "htk"}, {"high_hz", "4000"}});
  // A quarter of 2595 log10(1 + 4000 / 700) = 2146.1 mel is 426.8 Hz.
  EXPECT_EQ(shown_columns(shape, 16000.0)[0], "mel0 426.8 Hz");
  shape.options = Value::object({{"bands", "3"}, {"rate", "8000"}});
  EXPECT_EQ(shown_columns(shape, 44100.0), shown_columns(shape, 8000.0));
  EXPECT_EQ(shown_columns(shape, 0.0)[0], "mel0");
}

}  // namespace
}  // namespace motet::audio::shown_columns_test
