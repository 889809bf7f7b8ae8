#include "motet/report/matrix_picture.h"

#include <gtest/gtest.h>

#include "report/picture_cases.h"
#include "support/errors.h"

namespace motet::matrix_picture_test {
namespace {

TEST(MatrixPicture, Base64) {
  EXPECT_EQ(base64({}), "");
  EXPECT_EQ(base64({'M'}), "TQ==");
  EXPECT_EQ(base64({'M', 'a'}), "TWE=");
  EXPECT_EQ(base64({'M', 'a', 'n', 255}), "TWFu/w==");
}

TEST(MatrixPicture, CellsArePackedFourAByte) {
  MatrixPicture picture = empty_picture(2, 3);
  picture.low.set(0, 1);  // kinds 0 1 0
  picture.low.set(1, 0);  //       3 2 0
  picture.high.set(1, 0);
  picture.high.set(1, 1);
  const Value value = picture_value(picture);
  EXPECT_EQ(value.at("cells").as_text(), base64({0b11000100, 0b00000010}));
  EXPECT_TRUE(value.at("density").is_null());
  EXPECT_EQ(value.at("rows").at("count").as_whole(), 2);
}

TEST(MatrixPicture, LargeMatricesAreDrawnByBlocks) {
  EXPECT_EQ(picture_block(2000, 2000).rows, 1U);
  EXPECT_EQ(picture_block(2001, 2000).rows, 2U);
  EXPECT_EQ(picture_block(9000, 10).rows, 2U);
  const PictureBlock block = picture_block(200'000, 500);
  EXPECT_EQ(block.columns, 1U);
  EXPECT_LE((200'000 + block.rows - 1) / block.rows * 500, most_picture_cells);

  MatrixPicture picture = empty_picture(8194, 2);
  picture.low.set(0, 0);
  picture.high.set(0, 0);
  picture.high.set(1, 0);  // one of kind 3, one of kind 2: the first of equals
  picture.low.set(2, 1);   // half of a block
  const Value value = picture_value(picture);
  EXPECT_EQ(value.at("rows").at("block").as_whole(), 2);
  EXPECT_EQ(value.at("rows").at("names").as_list().size(), 4097U);
  EXPECT_EQ(value.at("cells").as_text().substr(0, 4), base64({0b01000010, 0, 0}));
  EXPECT_EQ(value.at("density").as_text().substr(0, 4), base64({0b10000011, 0, 0}));
}

TEST(MatrixPicture, LengthsMustFit) {
  MatrixPicture picture = empty_picture(2, 2);
  picture.high = BitMatrix(1, 2);
  EXPECT_EQ(refusal([&] { picture_value(picture); }, ErrorKind::internal),
            "matrix_picture: rows of cells has 1 entries; 2 are needed");
}

}  // namespace
}  // namespace motet::matrix_picture_test
