#include "motet/report/assets.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "motet/io/json.h"
#include "support/errors.h"
#include "support/texts.h"

namespace motet::assets_test {
namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Assets, RuntimesAreInside) {
  for (const char* name : {"vega.min.js", "vega-lite.min.js", "vega-embed.min.js"}) {
    EXPECT_GT(embedded_file(name).size(), 50'000U) << name;
    EXPECT_EQ(embedded_file(name).find("</script"), std::string_view::npos) << name;  // it would end the element
    EXPECT_EQ(embedded_file(name).find("<!--"), std::string_view::npos) << name;
  }
}

TEST(Assets, BytesAreThoseOfTheFile) {
  const auto source = std::filesystem::path(MOTET_TEST_DIR) / "../src/motet/report/page.css";
  EXPECT_EQ(embedded_file("page.css"), read_file(source));
}

TEST(Assets, UnknownNameIsADefect) {
  EXPECT_EQ(error_of([&] { embedded_file("none.js"); }, ErrorKind::internal),
            "no file 'none.js' is embedded in this program");
}

TEST(Assets, NoticeNamesTheVersionsInUse) {
  const std::string file = std::string(MOTET_TEST_DIR) + "/../web/package.json";
  const Value packages = parse_json(read_file(file), file).at("dependencies");
  const std::string notice(embedded_file("vega_notice.txt"));
  for (const auto& [package, title] :
       {std::pair{"vega", "Vega"}, {"vega-lite", "Vega-Lite"}, {"vega-embed", "Vega-Embed"}}) {
    const std::string& version = packages.at(package).as_text();
    EXPECT_NE(notice.find(std::string(title) + " " + version + "\n"), std::string::npos) << package;
  }
  EXPECT_EQ(notice.find("--"), std::string::npos);  // it stands in an HTML comment
}

TEST(Assets, LockFileNamesNoServer) {
  const std::string lock = read_file(std::filesystem::path(MOTET_TEST_DIR) / "../web/package-lock.json");
  expect_in(lock, {"\"integrity\""});
  EXPECT_EQ(lock.find("://"), std::string::npos);
}

}  // namespace
}  // namespace motet::assets_test
