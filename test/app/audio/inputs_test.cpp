#include "motet/app/audio/inputs.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/support.h"
#include "support/errors.h"

namespace motet::audio::inputs_test {
namespace {

std::vector<std::string> names_of(const std::vector<NamedRecording>& recordings) {
  std::vector<std::string> names;
  for (const NamedRecording& one : recordings) names.push_back(one.name);
  return names;
}

TEST(NamedRecordings, AFolderGivesThoseInItAndBelow) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "day/two");
  for (const char* name : {"day/b.wav", "day/two/a.FLAC", "day/a.ogg", "day/notes.txt"}) folder.write(name, "x");
  const std::vector<NamedRecording> found = named_recordings({folder / "day"});
  EXPECT_EQ(names_of(found), (std::vector<std::string>{"a.ogg", "b.wav", "two/a.FLAC"}));
  EXPECT_EQ(folder.without_path(found[2].path), "day/two/a.FLAC");
}

TEST(NamedRecordings, AListNamesThemFromItsFolderOn) {
  const TemporaryFolder folder;
  folder.write("night.txt", "a.wav\n\nsub/b.wav\r\n/far/c.wav\n");
  const std::vector<NamedRecording> found = named_recordings({folder / "night.txt", "d.mp3"});
  EXPECT_EQ(names_of(found), (std::vector<std::string>{"a.wav", "b.wav", "c.wav", "d.mp3"}));
  EXPECT_EQ(folder.without_path(found[1].path), "sub/b.wav");
  EXPECT_EQ(found[2].path, "/far/c.wav");
}

TEST(FoundRecordings, MayHaveOneName) {
  const std::vector<NamedRecording> found = found_recordings({"x/a.wav", "y/a.wav"});
  EXPECT_EQ(names_of(found), (std::vector<std::string>{"a.wav", "a.wav"}));
  EXPECT_EQ(found[1].path, "y/a.wav");
}

TEST(NamedRecordings, Errors) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "none");
  EXPECT_EQ(folder.error_of([&] { named_recordings({folder / "none"}); }),
            "none: there is no recording in this folder (.wav, .flac, .ogg, .mp3 ...)");
  folder.write("empty.txt", "\n");
  EXPECT_EQ(folder.error_of([&] { named_recordings({folder / "empty.txt"}); }), "empty.txt: names no recording");
  EXPECT_EQ(error_of(
                [] {
                  named_recordings({"x/a.wav", "y/a.wav"});
                },
                ErrorKind::usage),
            "y/a.wav: another recording is called 'a.wav' too; names tell the rows apart");
}

}  // namespace
}  // namespace motet::audio::inputs_test
