#include "motet/report/html.h"

#include <gtest/gtest.h>

#include "motet/report/page.h"
#include "report/page_cases.h"

namespace motet::html_test {
namespace {

TEST(Html, Escapes) {
  EXPECT_EQ(html_text("<a href=\"x\" id='y'>&\n"), "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp; ");
  EXPECT_EQ(html_json("</script><!--&"), "\"\\u003c/script\\u003e\\u003c!--\\u0026\"");
  EXPECT_EQ(html_paragraphs("a\n\n\nb\n\n"), "<p>a</p>\n<p> b</p>\n");
}

TEST(Html, TableKeepsExactNumbersAndCountsTheRest) {
  Table table{{{"x", 1}}, {}};
  for (std::size_t i = 0; i < max_page_rows + 3; ++i) table.rows.push_back({0.25});
  const std::string html = html_table(table, "Many");
  EXPECT_EQ(count_of(html, "<td class=\"number\" data-exact=\"0.25\">0.2</td>"), max_page_rows);
  EXPECT_NE(html.find("3 more rows are not shown here"), std::string::npos);
}

TEST(Html, ATableNamesItselfAndItsRows) {
  const Table table{{{"judge"}, {"n", 0}, {"note"}},
                    {{"<ada>", std::int64_t{7}, "a note of more than 32 letters in all"}, {"bob"}}};
  EXPECT_EQ(html_table(table, "A & B"),
            "<div class=\"table-box\" tabindex=\"0\" role=\"region\" aria-label=\"A &amp; B\">\n"
            "<table>\n<caption>A &amp; B</caption>\n<thead><tr><th scope=\"col\">judge</th>"
            "<th scope=\"col\" class=\"number\">n</th><th scope=\"col\">note</th></tr></thead>\n<tbody>\n"
            "<tr><th scope=\"row\">&lt;ada&gt;</th><td class=\"number\">7</td>"
            "<td class=\"long\">a note of more than 32 letters in all</td></tr>\n"
            "<tr><th scope=\"row\">bob</th><td></td><td></td></tr>\n</tbody>\n</table>\n</div>\n");
}

TEST(Html, ParagraphsWithoutWordsAreLeftOut) {
  EXPECT_EQ(html_paragraphs(""), "");
  EXPECT_EQ(html_paragraphs("\n\n \n\na & b"), "<p>a &amp; b</p>\n");
}

}  // namespace
}  // namespace motet::html_test
