#include "motet/report/page.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "report/page_cases.h"
#include "report/picture_cases.h"
#include "support/texts.h"

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
  expect_in(html, {"Content-Security-Policy\" content=\"default-src 'none';", "Vega-Lite", "BSD-3-Clause"});
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

TEST(Page, WithoutPicturesCarriesNoScriptForThem) {
  Page page{"t", "", {}, {{"s", "", {}, {}, {}}}};
  EXPECT_EQ(to_html(page).find("class Picture"), std::string::npos);
  page.sections[0].pictures.push_back(empty_picture(1, 1));
  EXPECT_NE(to_html(page).find("class Picture"), std::string::npos);
  EXPECT_LT(to_html(page).size(), 60'000U);
}

}  // namespace
}  // namespace motet::page_test
