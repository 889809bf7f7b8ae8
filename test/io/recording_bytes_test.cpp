#include "motet/io/recording_bytes.h"

#include <vector>

#include "io/support.h"
#include "support/errors.h"

namespace motet::recording_bytes_test {
namespace {

TEST(RecordingBytes, AreReadFromAnyPlace) {
  const TemporaryFolder folder;
  const auto bytes = open_recording_bytes(folder.write("x.wav", "abcdefgh"));
  EXPECT_EQ(bytes->size(), 8U);
  std::vector<char> part(5);
  EXPECT_EQ(bytes->read(1, part), 5U);
  EXPECT_EQ(std::string(part.data(), 5), "bcdef");
  EXPECT_EQ(bytes->read(6, part), 2U);
  EXPECT_EQ(std::string(part.data(), 2), "gh");
  EXPECT_EQ(bytes->read(8, part), 0U);
}

TEST(RecordingBytes, OfNothing) {
  const TemporaryFolder folder;
  folder.write("empty.wav", "");
  EXPECT_EQ(folder.error_of([&] { open_recording_bytes(folder / "empty.wav"); }), "empty.wav: the file is empty");
  EXPECT_EQ(folder.error_of([&] { open_recording_bytes(folder / "none.wav"); }),
            "none.wav: cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace motet::recording_bytes_test
