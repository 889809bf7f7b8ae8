#include "motet/report/matrix_picture.h"

#include <gtest/gtest.h>

#include "motet/base/error.h"
#include "motet/report/page.h"
#include "motet/report/page_parts.h"

namespace motet::matrix_picture_test {
namespace {

MatrixPicture empty_picture(std::size_t rows, std::size_t columns) {
  MatrixPicture picture;
  picture.title = "t";
  picture.caption = "c";
  picture.rows.title = "user";
  picture.columns.title = "permission";
  picture.rows.names.resize(rows, "u");
  picture.columns.names.resize(columns, "p");
  picture.kinds = {"empty", "low", "high", "both"};
  picture.low = BitMatrix(rows, columns);
  picture.high = BitMatrix(rows, columns);
  return picture;
}

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
  const std::string html = picture_html(picture);
  EXPECT_NE(html.find("8194 users and 2 permissions are more than can be drawn one by one: each cell of the picture "
                      "stands for 2 by 1"),
            std::string::npos);
}

TEST(MatrixPicture, LengthsMustFit) {
  MatrixPicture picture = empty_picture(2, 2);
  picture.high = BitMatrix(1, 2);
  try {
    picture_value(picture);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "matrix_picture: rows of cells has 1 entries; 2 are needed");
  }
}

TEST(MatrixPicture, TextsAreShownAndNeverInterpreted) {
  const std::string nasty = "</script><script>alert('x')</script>";
  MatrixPicture picture = empty_picture(1, 1);
  picture.title = picture.caption = picture.rows.names[0] = picture.columns.names[0] = nasty;
  picture.rows.title = picture.kinds[1] = nasty;
  picture.groups = {nasty};
  Card card{nasty, {nasty}, {{nasty, nasty}}, {{nasty, {{nasty, 0.5, 2.0}}}}};
  const Page page{"t", "", {}, {{"s", "", {}, {}, {}, false, {picture}, {card}}}};
  const std::string html = to_html_body(page);
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_NE(html.find("\\u003c/script\\u003e"), std::string::npos);
  EXPECT_NE(html.find("left:100.0%"), std::string::npos);  // a tick beyond the end stays on the bar
}

TEST(Page, WithoutPicturesCarriesNoScriptForThem) {
  Page page{"t", "", {}, {{"s", "", {}, {}, {}}}};
  EXPECT_EQ(to_html(page).find("class Picture"), std::string::npos);
  page.sections[0].pictures.push_back(empty_picture(1, 1));
  EXPECT_NE(to_html(page).find("class Picture"), std::string::npos);
  EXPECT_LT(to_html(page).size(), 60'000U);
}

}  // namespace
}  // namespace motet::matrix_picture_test
