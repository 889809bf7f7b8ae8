// A picture to be filled in.
#pragma once

#include "motet/report/matrix_picture.h"

namespace motet {

inline MatrixPicture empty_picture(std::size_t rows, std::size_t columns) {
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

}  // namespace motet
