#include "motet/report/page.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "motet/report/html.h"

namespace motet::page_test {
namespace {

constexpr std::size_t largest_page = 1'500'000;  // bytes, with the runtimes

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Set MOTET_UPDATE_GOLDEN=1 to rewrite, then look at the diff before committing.
void expect_golden(const std::string& text, const std::string& name) {
  const auto path = std::filesystem::path(MOTET_TEST_DIR) / "golden" / name;
  if (std::getenv("MOTET_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << text;
  EXPECT_EQ(text, read_file(path)) << path;
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

const std::string nasty = "</script><script>alert('x')</script><!-- \" & \x01";

Page small_page() {
  Plot plot{"Accuracy", "Higher is better.", Value(), {{{"judge"}, {"accuracy", 2}}, {{"ada", 0.8125}, {"bob", 0.5}}}};
  Section first{"First", "One.\n\nTwo.", {plot}, {}, {"Few votes."}};
  Section second{"Second", "", {}, {{"Counts", {{{"n"}}, {{std::int64_t{7}}}}}}, {}};
  return {"Title", "Subtitle", {{"judges", "2"}}, {first, second}};
}

TEST(Page, GoldenBody) { expect_golden(to_html_body(small_page()), "report_page_body.html"); }

TEST(Page, WholePageIsOneSmallFile) {
  const std::string html = to_html(small_page());
  EXPECT_LT(html.size(), largest_page);
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>\n"));
  EXPECT_TRUE(html.ends_with("</html>\n"));
  EXPECT_NE(html.find("Content-Security-Policy\" content=\"default-src 'none';"), std::string::npos);
  EXPECT_NE(html.find("Vega-Lite"), std::string::npos);
  EXPECT_NE(html.find("BSD-3-Clause"), std::string::npos);
  EXPECT_EQ(html.find("sourceMappingURL"), std::string::npos);
  EXPECT_EQ(html.find("<script src"), std::string::npos);
  EXPECT_EQ(html.find("<link rel=\"stylesheet"), std::string::npos);
}

TEST(Page, WithoutPlotsCarriesNoRuntime) {
  Page page = small_page();
  page.sections[0].plots.clear();
  EXPECT_LT(to_html(page).size(), 50'000U);
}

TEST(Page, TextsAreShownAndNeverInterpreted) {
  const Plot plot{nasty, nasty, Value::object({{nasty, nasty}}), {{{nasty}}, {{nasty}}}};
  const Page page{nasty, nasty, {{nasty, nasty}}, {{nasty, nasty, {plot}, {{nasty, plot.table}}, {nasty}}}};
  const std::string html = to_html_body(page);
  EXPECT_EQ(count_of(html, "<script"), 1U);  // the one that holds the plot
  EXPECT_EQ(count_of(html, "</script"), 1U);
  EXPECT_EQ(count_of(html, "<!--"), 0U);
  EXPECT_EQ(count_of(html, "alert('x')"), 2U);  // in the JSON, as key and as value
  EXPECT_EQ(count_of(html, "\x01"), 0U);
}

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

}  // namespace
}  // namespace motet::page_test
