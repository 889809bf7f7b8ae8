#include "motet/app/discover/recorded_files.h"

#include "io/support.h"
#include "support/errors.h"

namespace motet::discover::recorded_files_test {
namespace {

ProjectSource source(const std::string& origin) { return {0, 0, 1, origin}; }

TEST(RecordedFiles, AreThoseOfAllSourcesOfRecordings) {
  const std::vector<RecordedFile> files = recorded_files(
      {source(R"({"kind": "recordings", "files": [{"name": "a.wav", "path": "/x/a.wav", "seconds": 2.5,)"
              R"( "sample_rate": 8000}], "options": {}})"),
       source(""), source(R"({"kind": "recordings", "files": [{"name": "b.wav", "path": "/x/b.wav"}]})")});
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].path, "/x/a.wav");
  EXPECT_EQ(files[0].seconds, 2.5);
  EXPECT_EQ(files[0].sample_rate, 8000.0);
  EXPECT_EQ(files[1].name, "b.wav");
  EXPECT_EQ(files[1].seconds, 0.0);
  EXPECT_TRUE(recorded_files({source(R"({"kind": "table", "files": [{"name": "a", "path": "b"}]})")}).empty());
}

TEST(RecordedFiles, AreFoundWhereTheyWereOrInAnotherFolder) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "new/site");
  folder.write("new/site/a.wav", "x");
  folder.write("new/a.wav", "x");
  folder.write("b.wav", "x");
  EXPECT_EQ(found_file({"b.wav", folder / "b.wav"}, ""), folder / "b.wav");
  EXPECT_EQ(found_file({"a.wav", "/old/site/a.wav"}, folder / "new"), folder / "new/site/a.wav");
  EXPECT_EQ(found_file({"a.wav", "/old/lake/a.wav"}, folder / "new"), folder / "new/a.wav");
  EXPECT_EQ(error_of(
                [&] {
                  found_file({"c.wav", "/old/c.wav"}, "");
                },
                ErrorKind::bad_data),
            "c.wav: is not at /old/c.wav any more; say where with --recordings FOLDER");
  EXPECT_EQ(folder.error_of([&] {
    found_file({"c.wav", "/old/c.wav"}, folder / "new");
  }),
            "c.wav: there is no c.wav in --recordings new");
}

}  // namespace
}  // namespace motet::discover::recorded_files_test
