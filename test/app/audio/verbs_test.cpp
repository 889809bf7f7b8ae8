// `motet audio features`.
#include "motet/app/audio/verbs.h"

#include <gtest/gtest.h>

#include "cli/support.h"
#include "io/audio_support.h"
#include "motet/io/npy.h"

namespace motet::audio::verbs_test {
namespace {

constexpr int rate = 8000;
constexpr int plain_wav = SF_FORMAT_WAV | SF_FORMAT_PCM_16;

class AudioVerb : public CommandTest {
 protected:
  AudioVerb() {
    EXPECT_TRUE(write_sound(folder / "a.wav", plain_wav, rate, 1, tone(rate, 0.1)));
    EXPECT_TRUE(write_sound(folder / "b.wav", plain_wav, rate, 1, tone(2 * rate, 0.05)));
  }
};

TEST_F(AudioVerb, ATableWithARowAWindow) {
  const Ran ran =
      motet({"audio", "features", "@a.wav", "@b.wav", "--coefficients", "2", "--out", "@f.csv", "--json", "@r.json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out,
            "26 rows of 2 features, one every 0.1 s over 0.25 s\n\n"
            "recording  seconds  rows\n"
            "a.wav         1.00     8\n"
            "b.wav         2.00    18\n");
  std::istringstream lines(folder.read("f.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "sequence,time,mfcc0,mfcc1");
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with("a.wav,0,")) << line;
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with("a.wav,0.1,")) << line;
  const Value json = json_of("r.json");
  EXPECT_EQ(json.at("rows").as_whole(), 26);
  EXPECT_EQ(json.at("recordings").as_list()[1].at("seconds").as_number(), 2.0);
}

TEST_F(AudioVerb, TheSameNumbersAsAnArray) {
  ASSERT_EQ(motet({"audio", "features", "@a.wav", "--out", "@f.npy"}).code, 0);
  const NpyArray table = read_npy(folder / "f.npy", {});
  EXPECT_EQ(table.rows, 8U);
  EXPECT_EQ(table.columns, 13U);
  const Ran two = motet({"audio", "features", "@a.wav", "@b.wav", "--out", "@f.npy"});
  EXPECT_TRUE(two.out.ends_with("warning: f.npy: an .npy does not tell where one recording ends and the next begins\n"))
      << two.out;
}

TEST_F(AudioVerb, WhatIsHeardCanBeFitted) {
  ASSERT_EQ(motet({"audio", "features", "@a.wav", "@b.wav", "--out", "@f.csv"}).code, 0);
  const Ran ran = motet({"temporal", "fit", "@f.csv", "--components", "2", "--covariance", "diagonal"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("26 rows, 13 columns, 2 sequences\n")) << ran.out;
}

TEST_F(AudioVerb, ARecordingCutShortIsTold) {
  const std::string bytes = folder.read("b.wav");
  folder.write("b.wav", bytes.substr(0, bytes.size() - rate));
  const Ran ran = motet({"audio", "features", "@b.wav", "--out", "@f.csv"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(
      ran.out.ends_with("warning: b.wav: is cut short: 0.5 s of the 2 s that its header promises are missing; "
                        "what is there was read\n"))
      << ran.out;
}

TEST_F(AudioVerb, Errors) {
  expect_error({"audio", "features", "@a.wav"}, 2, "features: needs --out");
  expect_error({"audio", "features", "@a.wav", "--set", "sfi", "--out", "-"}, 2,
               "set: this version knows only mfcc; the others of its list are not there yet");
  expect_error({"audio", "features", "@none.wav", "--out", "-"}, 3,
               "none.wav: cannot be opened: No such file or directory");
  folder.write("text.wav", "this is no recording, but a text of some length that goes on for a while");
  expect_error({"audio", "features", "@text.wav", "--out", "-"}, 3,
               "text.wav: cannot be read as a recording: Format not recognised; wav, flac, ogg and mp3 are known");
  expect_error({"audio", "features", "@a.wav", "--out", "@a.wav"}, 2,
               "a.wav: would overwrite an input; choose another name");
  expect_error({"audio", "features", "@a.wav", "@a.wav", "--out", "-"}, 2,
               "a.wav: another recording is called 'a.wav' too; names tell the rows apart");
  expect_error({"audio", "features", "@a.wav", "--channel", "2", "--out", "-"}, 2,
               "a.wav: there is no channel 2; it has 1");
  expect_error({"audio", "features", "@a.wav", "--coefficients", "50", "--out", "-"}, 2,
               "a.wav: coefficients = 50 is more than the 40 bands");
  expect_error({"audio", "features", "@a.wav", "--window", "2", "--out", "-"}, 3,
               "a.wav: 1 s are shorter than the window of 2 s");
}

}  // namespace
}  // namespace motet::audio::verbs_test
