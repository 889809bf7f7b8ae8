#include "motet/app/audio/feature_pictures.h"

#include <gtest/gtest.h>

#include <cmath>

#include "report/plot_cases.h"
#include "support/errors.h"

namespace motet::audio::feature_pictures_test {
namespace {

FeatureRunResult result_with(std::vector<std::string> columns) {
  FeatureRunResult result;
  result.shape = {columns, std::vector<std::string>(columns.size(), "dB"), {0.5, 1.0}, Value::object({{"hop", "0.5"}})};
  FeatureRunEntry entry;
  entry.recording = {"a.wav", "x/a.wav"};
  entry.heard.rows = 3;
  entry.picture.emplace(columns.size());
  for (std::size_t n = 0; n < 3; ++n) entry.picture->add(std::vector<double>(columns.size(), static_cast<double>(n)));
  result.entries.push_back(entry);
  result.rows = 3;
  return result;
}

TEST(FeaturePictures, APageShowsTheRowsAndHowTheyWereMade) {
  const Page page = features_page(result_with({"mel0", "mel1"}), {"a.wav: is cut short"});
  ASSERT_EQ(page.sections.size(), 5U);
  EXPECT_EQ(page.sections[0].notes, (std::vector<std::string>{"a.wav: is cut short"}));
  ASSERT_EQ(page.sections[1].images.size(), 1U);
  EXPECT_EQ(page.sections[1].images[0].title, "a.wav");
  EXPECT_EQ(page.sections[1].images[0].caption, "Over time, from low to high frequencies; unit: dB.");
  EXPECT_EQ(page.sections[4].tables[0].table.rows.size(), 1U);
  ASSERT_EQ(page.sections[2].plots.size(), 1U);
  EXPECT_EQ(rows_of(page.sections[2].plots[0]).size(), 3U);
  const Page tracks = features_page(result_with({"mfcc0"}), {});
  EXPECT_EQ(tracks.sections[0].images[0].caption, "Over time; each column from its least to its most.");
}

// Both columns rise together: all of the variance lies on the diagonal of the centred and scaled values.
TEST(FeaturePictures, RowsAreScatteredByRecordingOnTheirTwoLeadingComponents) {
  FeatureRunResult result = result_with({"a", "b"});
  result.entries.push_back(result.entries[0]);
  result.entries[1].recording.name = "b.wav";
  result.entries[1].picture->add(std::vector<double>{std::nan(""), 1.0});
  const Page page = features_page(result, {});
  const Plot& plot = page.sections[1].plots[0];
  ASSERT_EQ(rows_of(plot).size(), 6U);
  EXPECT_EQ(rows_of(plot)[5].at("kind").as_text(), "b.wav");
  EXPECT_NEAR(rows_of(plot)[0].at("x").as_number(), -std::sqrt(3.0), 1e-9);
  EXPECT_NEAR(rows_of(plot)[1].at("x").as_number(), 0.0, 1e-9);
  EXPECT_NEAR(rows_of(plot)[2].at("y").as_number(), 0.0, 1e-9);
  EXPECT_EQ(encoding_of(plot, 0).at("x").at("title").as_text(), "first component (100 % of the variance)");
}

TEST(FeaturePictures, AsAPng) {
  EXPECT_TRUE(feature_png(result_with({"mfcc0"})).starts_with("\x89PNG"));
  EXPECT_EQ(error_of([] { feature_png({}); }, ErrorKind::usage),
            "--picture: the first recording was not heard in this run; leave out --manifest");
}

}  // namespace
}  // namespace motet::audio::feature_pictures_test
