#include "motet/app/audio/row_picture.h"

#include <gtest/gtest.h>

namespace motet::audio::row_picture_test {
namespace {

RowPicture picture_of(std::size_t rows, std::size_t most) {
  RowPicture picture(2, most);
  for (std::size_t n = 0; n < rows; ++n) picture.add(std::vector<double>{static_cast<double>(n), 1.0});
  return picture;
}

TEST(RowPicture, KeepsFewRowsAsTheyAre) {
  const RowPicture picture = picture_of(7, 4);
  EXPECT_EQ(picture.rows(), 7U);
  EXPECT_EQ(picture.rows_taken_together(), 1U);
  EXPECT_EQ(picture.values()[2 * 6], 6.0);
}

TEST(RowPicture, TakesManyTogether) {
  const RowPicture picture = picture_of(19, 4);
  EXPECT_EQ(picture.rows_taken_together(), 4U);
  EXPECT_EQ(picture.rows(), 5U);
  const std::vector<double> values = picture.values();
  EXPECT_EQ(values[0], 1.5);       // 0 ... 3
  EXPECT_EQ(values[2 * 3], 13.5);  // 12 ... 15
  EXPECT_EQ(values[2 * 4], 17.0);  // 16 ... 18, which is not complete
  for (std::size_t n = 0; n < 5; ++n) EXPECT_EQ(values[2 * n + 1], 1.0);
}

}  // namespace
}  // namespace motet::audio::row_picture_test
