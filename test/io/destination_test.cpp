#include "motet/io/destination.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "io/support.h"
#include "motet/io/file.h"

namespace motet::destination_test {
namespace {

TEST(Destination, KnowsStreamsByAllTheirNames) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/stderr", folder / "link");
  std::filesystem::create_symlink("link", folder / "link of link");
  EXPECT_EQ(destination_of("-", Direction::in).descriptor, 0);
  EXPECT_EQ(destination_of("-", Direction::out).descriptor, 1);
  for (const char* name : {"/dev/stdout", "/dev/fd/1", "/dev/../dev/fd/1", "/proc/self/fd/1"}) {
    EXPECT_EQ(destination_of(name, Direction::out).descriptor, 1) << name;
  }
  EXPECT_EQ(destination_of("/dev/stdin", Direction::in).descriptor, 0);
  EXPECT_EQ(destination_of(folder / "link of link", Direction::out).descriptor, 2);
  for (const std::string& name : {folder / "1", folder / "none", std::string("/dev/null"), std::string("1")}) {
    EXPECT_EQ(destination_of(name, Direction::out).descriptor, -1) << name;
  }
}

TEST(Destination, FollowsLinksToFilesThatAreNotThere) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "sub");
  std::filesystem::create_symlink("sub/target", folder / "link");
  EXPECT_EQ(destination_of(folder / "link", Direction::out).path, folder / "sub/target");
}

TEST(SameFile, SeesThroughLinks) {
  const TemporaryFolder folder;
  folder.write("a", "x");
  folder.write("b", "x");
  std::filesystem::create_symlink("a", folder / "link");
  std::filesystem::create_hard_link(folder / "a", folder / "hard");
  for (const char* name : {"a", "link", "hard", "./a"}) EXPECT_TRUE(same_file(folder / "a", folder / name)) << name;
  EXPECT_FALSE(same_file(folder / "a", folder / "b"));
  EXPECT_FALSE(same_file(folder / "a", folder / "none"));
  EXPECT_TRUE(same_file(folder / "none", folder / "./none"));  // made first, read then
  EXPECT_FALSE(same_file("/dev/null", "/dev/null"));
}

TEST(SameFile, KnowsWhatStandardInputReads) {
  const TemporaryFolder folder;
  folder.write("a", "x");
  const Descriptor kept(::dup(STDIN_FILENO));
  const Descriptor file(::open((folder / "a").c_str(), O_RDONLY));
  ::dup2(file.number(), STDIN_FILENO);
  EXPECT_TRUE(same_file("-", folder / "a"));
  ::dup2(kept.number(), STDIN_FILENO);
}

TEST(SameOutput, FilesThatAreNotThereYetHaveNamesToo) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "sub");
  std::filesystem::create_symlink("new", folder / "link");
  std::filesystem::create_directory_symlink("sub", folder / "other");
  EXPECT_TRUE(same_output(folder / "new", folder / "./new"));
  EXPECT_TRUE(same_output(folder / "new", folder / "link"));
  EXPECT_TRUE(same_output(folder / "sub/new", folder / "other/new"));
  EXPECT_FALSE(same_output(folder / "new", folder / "sub/new"));
  folder.write("old", "");
  std::filesystem::create_hard_link(folder / "old", folder / "hard");
  EXPECT_TRUE(same_output(folder / "old", folder / "hard"));
  EXPECT_FALSE(same_output(folder / "old", folder / "new"));
}

TEST(SameOutput, PipesCountAndDevicesDoNot) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(same_output(folder / "pipe", folder / "./pipe"));
  EXPECT_FALSE(same_output("/dev/null", "/dev/null"));
  EXPECT_FALSE(same_output("/dev/full", "/dev/full"));
}

TEST(ReplacesStandardOutput, OnlyAnOrdinaryFileByItsName) {
  const TemporaryFolder folder;
  folder.write("log", "");
  std::fflush(stdout);
  const Descriptor kept(::dup(STDOUT_FILENO));
  const Descriptor file(::open((folder / "log").c_str(), O_WRONLY | O_APPEND));
  ::dup2(file.number(), STDOUT_FILENO);
  const bool by_name = replaces_standard_output(folder / "log");
  const bool as_stream = replaces_standard_output("/dev/stdout");
  const bool other = replaces_standard_output(folder / "other");
  ::dup2(kept.number(), STDOUT_FILENO);
  EXPECT_TRUE(by_name);
  EXPECT_FALSE(as_stream);
  EXPECT_FALSE(other);
}

}  // namespace
}  // namespace motet::destination_test
