#include "motet/report/page_parts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "motet/report/page.h"
#include "report/page_cases.h"
#include "report/picture_cases.h"

namespace motet::page_parts_test {
namespace {

std::string bars_of(double share, double reference) {
  const std::string html = cards_html({{"t", {}, {}, {{"b", {{"x", share, reference}}}}}});
  const std::size_t begin = html.find("<span class=\"bar\"");
  return html.substr(begin, html.find("</li>") - begin);
}

TEST(Cards, TellTheirTitleBadgesFactsAndBars) {
  const Card card{"Role 1", {"kept", "new"}, {{"users", "7"}}, {{"Shares", {{"read", 0.25}, {"write", 0.5, 0.75}}}}};
  EXPECT_EQ(
      cards_html({card}),
      "<div class=\"cards\">\n<article class=\"card\">\n<h3>Role 1</h3>\n"
      "<p class=\"badges\"><span>kept</span><span>new</span></p>\n"
      "<dl>\n<div><dt>users</dt><dd>7</dd></div>\n</dl>\n"
      "<h4>Shares</h4>\n<ul class=\"bars\">\n"
      "<li><span class=\"name\">read</span><span class=\"bar\" aria-hidden=\"true\"><b style=\"width:25.0%\"></b>"
      "</span><span class=\"share\">0.25</span></li>\n"
      "<li><span class=\"name\">write</span><span class=\"bar\" aria-hidden=\"true\"><b style=\"width:50.0%\"></b>"
      "<i style=\"left:75.0%\"></i></span>"
      "<span class=\"share\">0.50 <span class=\"reference\">all 0.75</span></span></li>\n"
      "</ul>\n</article>\n</div>\n");
  EXPECT_EQ(cards_html({}), "");
  EXPECT_EQ(cards_html({{"t", {}, {}, {}}}),
            "<div class=\"cards\">\n<article class=\"card\">\n<h3>t</h3>\n</article>\n</div>\n");
}

TEST(Cards, UnfoldTheirLists) {
  Card card{"t", {}, {}, {}};
  card.lists = {{"All 2 permissions", {"read", "a<b"}, "and 3 more"}, {"All 1 member", {"ann"}}};
  EXPECT_EQ(cards_html({card}),
            "<div class=\"cards\">\n<article class=\"card\">\n<h3>t</h3>\n"
            "<details>\n<summary>All 2 permissions</summary>\n<ul class=\"names\">\n<li>read</li>\n"
            "<li>a&lt;b</li>\n</ul>\n<p class=\"more\">and 3 more</p>\n</details>\n"
            "<details>\n<summary>All 1 member</summary>\n<ul class=\"names\">\n<li>ann</li>\n</ul>\n</details>\n"
            "</article>\n</div>\n");
}

TEST(Cards, BarsAndTheirTicksStayWithinZeroAndOne) {
  EXPECT_NE(bars_of(1.5, 2.0).find("width:100.0%\"></b><i style=\"left:100.0%\""), std::string::npos);
  EXPECT_NE(bars_of(-0.5, -1.0).find("width:0.0%\"></b><i style=\"left:0.0%\""), std::string::npos);
  EXPECT_NE(bars_of(std::nan(""), std::nan("")).find("width:0.0%\"></b></span>"), std::string::npos);
}

TEST(PictureHtml, HasALegendEntryForEveryKindAndTheNumbers) {
  MatrixPicture picture = empty_picture(2, 3);
  picture.table = {{{"what"}, {"n", 0}}, {{"cells", std::int64_t{6}}}};
  const std::string html = picture_html(picture);
  EXPECT_EQ(count_of(html, "<li><span class=\"swatch kind-"), 4U);
  EXPECT_NE(html.find("<li><span class=\"swatch kind-3\"></span>both</li>"), std::string::npos);
  EXPECT_NE(html.find("aria-label=\"t: c\""), std::string::npos);
  EXPECT_NE(html.find("<figcaption>c</figcaption>"), std::string::npos);
  EXPECT_NE(html.find("<td class=\"number\">6</td>"), std::string::npos);
  EXPECT_EQ(html.find("class=\"more\">2 users"), std::string::npos);
  picture.caption.clear();
  EXPECT_EQ(picture_html(picture).find("<figcaption>"), std::string::npos);
}

TEST(PictureHtml, TellsWhereSeveralCellsAreDrawnAsOne) {
  EXPECT_NE(picture_html(empty_picture(8194, 2))
                .find("8194 users and 2 permissions are more than can be drawn one by one: each cell of the picture "
                      "stands for 2 by 1, in the colour of most that are not empty"),
            std::string::npos);
}

TEST(PageParts, TextsAreShownAndNeverInterpreted) {
  const std::string nasty = "</script><script>alert('x')</script>";
  MatrixPicture picture = empty_picture(1, 1);
  picture.title = picture.caption = picture.rows.names[0] = picture.columns.names[0] = nasty;
  picture.rows.title = picture.kinds[1] = nasty;
  picture.groups = {nasty};
  const Card card{nasty, {nasty}, {{nasty, nasty}}, {{nasty, {{nasty, 0.5, 2.0}}}}};
  const Page page{"t", "", {}, {{"s", "", {}, {}, {}, false, {picture}, {card}}}};
  const std::string html = to_html_body(page);
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_NE(html.find("\\u003c/script\\u003e"), std::string::npos);
}

}  // namespace
}  // namespace motet::page_parts_test
