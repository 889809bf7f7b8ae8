#include "motet/app/demo.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/support.h"

namespace motet::demo_test {
namespace {

class DemoVerb : public CommandTest {};
class DemoVerbSlow : public CommandTest {};

TEST_F(DemoVerb, RefusesOneFileForTwoOutputs) {
  expect_error({"demo", "--out", "@a.html", "--report", "@a.html"}, 2, "a.html: is named for two outputs");
}

TEST_F(DemoVerb, AnInterruptedRunLeavesNoFolderOfItsOwn) {
  CancelFlag cancel;
  cancel.set(SIGINT);
  ASSERT_EQ(setenv("TMPDIR", (folder / "").c_str(), 1), 0);
  const Ran ran = motet({"demo", "--out", "@demo.html"}, &cancel);
  unsetenv("TMPDIR");
  EXPECT_EQ(ran.code, 130);
  EXPECT_TRUE(ran.err.starts_with("motet: interrupted while reading ")) << ran.err;
  EXPECT_EQ(folder.file_count(), 0U);
}

TEST_F(DemoVerbSlow, WritesOnePageOfEveryTask) {
  const Ran ran = done({"demo", "--out", "@demo.html", "--json", "@demo.json"});
  EXPECT_TRUE(ran.out.ends_with("The page is in demo.html: open it in a browser.\n")) << ran.out;
  EXPECT_NE(folder.read("demo.html").find("Motet: every task on sample data"), std::string::npos);
  EXPECT_EQ(json_of("demo.json").at("judges").at("judges").as_list().size(), 7U);
  EXPECT_EQ(json_of("demo.json").at("multilabel").at("sources").as_list().size(), 4U);
  EXPECT_EQ(json_of("demo.json").at("superset").at("classes").as_list().size(), 4U);
  EXPECT_EQ(json_of("demo.json").at("roles").at("roles").as_list().size(), 6U);
  EXPECT_EQ(folder.file_count(), 2U);
}

TEST_F(DemoVerbSlow, AFullDiskIsAnError) {
  expect_error({"demo", "--out", "/dev/full", "--quiet"}, 5, "/dev/full: cannot be written: No space left on device");
}

}  // namespace
}  // namespace motet::demo_test
