// Elements of a page that are more than a plot or a table.
#pragma once

#include <string>
#include <vector>

#include "motet/report/card.h"
#include "motet/report/matrix_picture.h"
#include "motet/report/page.h"

namespace motet {

std::string picture_html(const MatrixPicture& picture);
std::string image_html(const PageImage& image);
std::string cards_html(const std::vector<Card>& cards);  // "" without cards

}  // namespace motet
