#include "motet/report/feature_picture.h"

#include <gtest/gtest.h>

#include <cmath>

namespace motet::feature_picture_test {
namespace {

FeaturePicture two_columns() {
  FeaturePicture picture;
  picture.columns = {"low", "high"};
  picture.values = {0.0, 10.0, 0.0, 20.0};
  picture.seconds_a_row = 0.5;
  return picture;
}

TEST(FeaturePicture, AMapHasItsFirstColumnAtTheBottom) {
  const Raster raster = draw(two_columns());
  const std::size_t x = raster.width() - 60;  // in the second row
  EXPECT_EQ(raster.at(x, 20), ramp_colour(1.0));
  EXPECT_EQ(raster.at(x, 300), ramp_colour(0.0));
  EXPECT_EQ(raster.at(40, 20), ramp_colour(0.5));
}

TEST(FeaturePicture, WhatIsFarBelowTheTopIsCut) {
  FeaturePicture picture = two_columns();
  picture.most_below = 10.0;
  EXPECT_EQ(draw(picture).at(40, 20), ramp_colour(0.0));
  picture.has_one_scale = false;
  EXPECT_EQ(draw(picture).at(40, 300), ramp_colour(0.5));  // a column that does not change
}

TEST(FeaturePicture, TracksLieBelowEachOther) {
  FeaturePicture picture = two_columns();
  picture.is_map = false;
  const Raster raster = draw(picture);
  EXPECT_EQ(raster.height(), 6U + 2 * 36 + 22);
  EXPECT_NE(raster.at(raster.width() - 60, 6 + 36), raster.at(40, 6 + 36));  // the second rises
}

TEST(FeaturePicture, ATrackHasAGapWhereThereIsNoNumber) {
  FeaturePicture picture = two_columns();
  picture.is_map = false;
  picture.values.insert(picture.values.end(), {0.0, std::nan("")});
  const Raster raster = draw(picture);
  const std::size_t left = 40;
  const std::size_t right = raster.width() - 60;
  const auto is_drawn = [&](std::size_t x) {
    for (std::size_t y = 0; y < 30; ++y) {
      if (raster.at(x, 6 + 36 + y) != raster.at(0, 0)) return true;
    }
    return false;
  };
  EXPECT_TRUE(is_drawn(left));
  EXPECT_FALSE(is_drawn(right));
}

TEST(FeaturePicture, OnAPageHasItsNumbersInATable) {
  const PageImage image = page_image("t", "c", two_columns());
  EXPECT_EQ(image.table.rows.size(), 2U);
  EXPECT_GT(image.width, 480U);
  EXPECT_TRUE(image.png.starts_with("\x89PNG"));
}

TEST(FeaturePicture, WithoutRowsIsEmpty) {
  FeaturePicture picture = two_columns();
  picture.values.clear();
  EXPECT_GT(draw(picture).width(), 0U);
}

}  // namespace
}  // namespace motet::feature_picture_test
