#include "motet/app/audio/manifest.h"

#include <gtest/gtest.h>

#include "io/support.h"
#include "support/errors.h"

namespace motet::audio::manifest_test {
namespace {

const Value options = Value::object({{"hop", "0.1"}, {"set", "mfcc"}});
const RowShape shape = {{"a"}, {"dB"}, {0.1, 0.25}, options};

class ManifestFile : public testing::Test {
 protected:
  ManifestFile() {
    folder.write("a.wav", "one");
    folder.write("b.wav", "two");
  }
  NamedRecording recording(const std::string& name) const { return {name, folder / name}; }
  Manifest open() const { return Manifest(folder / "m", RowFile::csv, options); }

  void hear(Manifest& manifest, const std::string& name, const std::string& rows) const {
    const std::uint64_t begin = manifest.size();
    manifest.write(rows);
    Heard heard;
    heard.rows = 2;
    heard.seconds = 0.5;
    heard.warnings = {"short"};
    manifest.add(recording(name), {begin, manifest.size(), heard});
  }

  std::string rows_of(const Manifest& manifest, const std::string& name) const {
    std::string rows;
    manifest.read(*manifest.find(recording(name)), [&](std::string_view bytes) { rows += bytes; });
    return rows;
  }

  TemporaryFolder folder;
};

TEST_F(ManifestFile, KeepsWhatIsFinished) {
  {
    Manifest manifest = open();
    EXPECT_EQ(manifest.shape(), nullptr);
    manifest.set_shape(shape);
    hear(manifest, "a.wav", "a,1\na,2\n");
    hear(manifest, "b.wav", "b,1\n");
    manifest.write("of one that is not finished");
    manifest.finish();
  }
  const Manifest again = open();
  ASSERT_NE(again.shape(), nullptr);
  EXPECT_TRUE(*again.shape() == shape);
  ASSERT_NE(again.find(recording("a.wav")), nullptr);
  EXPECT_EQ(again.find(recording("a.wav"))->heard.rows, 2U);
  EXPECT_EQ(again.find(recording("a.wav"))->heard.warnings, (std::vector<std::string>{"short"}));
  EXPECT_EQ(rows_of(again, "b.wav"), "b,1\n");
  EXPECT_EQ(rows_of(again, "a.wav"), "a,1\na,2\n");
  EXPECT_EQ(again.size(), 12U);
}

TEST_F(ManifestFile, ForgetsARecordingThatChanged) {
  {
    Manifest manifest = open();
    manifest.set_shape(shape);
    hear(manifest, "a.wav", "a,1\n");
    manifest.finish();
  }
  folder.write("a.wav", "other");
  EXPECT_EQ(open().find(recording("a.wav")), nullptr);
  EXPECT_EQ(open().find({"other name", folder / "a.wav"}), nullptr);
}

TEST_F(ManifestFile, ALineOrRowsCutShortDoNotCount) {
  {
    Manifest manifest = open();
    manifest.set_shape(shape);
    hear(manifest, "a.wav", "a,1\n");
    hear(manifest, "b.wav", "b,1\n");
    manifest.finish();
  }
  const std::string lines = folder.read("m");
  folder.write("m", lines.substr(0, lines.size() - 3));
  EXPECT_EQ(open().find(recording("b.wav")), nullptr);
  EXPECT_EQ(rows_of(open(), "a.wav"), "a,1\n");
  folder.write("m.rows", "a,");
  EXPECT_EQ(open().find(recording("a.wav")), nullptr);
}

TEST_F(ManifestFile, Errors) {
  {
    Manifest manifest = open();
    manifest.set_shape(shape);
    manifest.finish();
  }
  const Value other = Value::object({{"hop", "0.2"}, {"set", "mfcc"}});
  EXPECT_EQ(folder.error_of([&] { Manifest(folder / "m", RowFile::csv, other); }, ErrorKind::usage),
            "m: was made with --hop 0.1, and here it is 0.2; name another manifest");
  EXPECT_EQ(folder.error_of([&] { Manifest(folder / "m", RowFile::npy, options); }, ErrorKind::usage),
            "m: was made for an output of another format; name another manifest");
  for (const char* text : {"{\"x\":1}\n", "no line end"}) {
    folder.write("m", text);
    EXPECT_EQ(folder.error_of([&] { open(); }), "m: is no manifest of `motet audio features`; name another file");
  }
}

TEST_F(ManifestFile, ADamagedLineIsToldWithItsNumber) {
  {
    Manifest manifest = open();
    manifest.set_shape(shape);
    hear(manifest, "a.wav", "a,1\n");
    manifest.finish();
  }
  const std::string lines = folder.read("m");
  folder.write("m", lines + "{\"path\": 3,\n");
  EXPECT_TRUE(folder.error_of([&] { open(); }).starts_with("m:3: not valid JSON: "))
      << folder.error_of([&] { open(); });
  folder.write("m", lines + "{\"path\": \"b.wav\"}\n");
  EXPECT_EQ(folder.error_of([&] { open(); }), "m:3: field 'mark' is missing");
}

}  // namespace
}  // namespace motet::audio::manifest_test
