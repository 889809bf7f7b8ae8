// `motet audio features`.
#include "motet/app/audio/features.h"

#include <gtest/gtest.h>

#include "cli/support.h"
#include "io/audio_support.h"
#include "motet/io/npy.h"

namespace motet::audio::features_test {
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
  const Ran ran = done("audio features @a.wav @b.wav --coefficients 2 --out @f.csv --json @r.json");
  EXPECT_EQ(ran.out,
            "26 rows of 2 features, one every 0.1 s over 0.25 s\n\n"
            "recording  seconds  rows\n"
            "a.wav         1.00     8\n"
            "b.wav         2.00    18\n");
  EXPECT_EQ(lines_of("f.csv")[0], "sequence,time,mfcc0,mfcc1");
  EXPECT_TRUE(lines_of("f.csv")[1].starts_with("a.wav,0,"));
  EXPECT_TRUE(lines_of("f.csv")[2].starts_with("a.wav,0.1,"));
  const Value json = json_of("r.json");
  EXPECT_EQ(json.at("rows").as_whole(), 26);
  EXPECT_EQ(json.at("recordings").as_list()[1].at("seconds").as_number(), 2.0);
}

TEST_F(AudioVerb, TheSameNumbersAsAnArray) {
  ASSERT_EQ(motet({"audio", "features", "@a.wav", "--out", "@f.npy"}).code, 0);
  const NpyArray table = read_npy(folder / "f.npy", {});
  EXPECT_EQ(table.rows, 8U);
  EXPECT_EQ(table.columns, 13U);
  const Ran two = motet("audio features @a.wav @b.wav --out @f.npy");
  EXPECT_TRUE(two.out.ends_with(
      "warning: f.npy: an .npy does not tell where one recording ends and the next begins; f.npy.json does\n"))
      << two.out;
}

TEST_F(AudioVerb, WhatIsHeardCanBeFitted) {
  ASSERT_EQ(motet("audio features @a.wav @b.wav --out @f.csv").code, 0);
  const Ran ran = motet("temporal fit @f.csv --components 2 --covariance diagonal");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("26 rows, 13 columns, 2 sequences\n")) << ran.out;
}

TEST_F(AudioVerb, ARecordingCutShortIsTold) {
  const std::string bytes = folder.read("b.wav");
  folder.write("b.wav", bytes.substr(0, bytes.size() - rate));
  const Ran ran = motet("audio features @b.wav --out @f.csv");
  EXPECT_EQ(ran.code, 0);
  EXPECT_TRUE(
      ran.out.ends_with("warning: b.wav: is cut short: 0.5 s of the 2 s that its header promises are missing; "
                        "what is there was read\n"))
      << ran.out;
}

TEST_F(AudioVerb, NamesUnitsAndOptionsLieBesideATable) {
  done("audio features @a.wav @b.wav --preset kaldi --coefficients 5 --out @f.csv");
  const Value told = json_of("f.csv.json");
  EXPECT_EQ(told.at("kind").as_text(), "motet audio features");
  EXPECT_EQ(told.at("units").as_list()[0].as_text(), "ln");
  EXPECT_EQ(told.at("options").at("preset").as_text(), "kaldi");
  EXPECT_EQ(told.at("options").at("bands").as_text(), "23");
  EXPECT_EQ(told.at("options").at("coefficients").as_text(), "5");
  EXPECT_EQ(told.at("recordings").as_list()[1].at("channels").as_whole(), 1);
}

TEST_F(AudioVerb, OtherFormats) {
  done("audio features @a.wav --out @f.arff");
  EXPECT_EQ(lines_of("f.arff")[1], "@relation 'motet audio features'");
  done("audio features @a.wav --out @f.jsonl");
  EXPECT_EQ(lines_of("f.jsonl").size(), 9U);
  EXPECT_EQ(parse_json(lines_of("f.jsonl")[1], "line").at("values").as_list().size(), 13U);
}

TEST_F(AudioVerb, ARowPerRecording) {
  const Ran ran = done("audio features @a.wav @b.wav --pool mean-sd --deltas 1 --out @f.csv");
  EXPECT_TRUE(ran.out.starts_with("2 rows of 52 features, one per recording\n")) << ran.out;
  EXPECT_TRUE(lines_of("f.csv")[0].starts_with("item,mfcc0_mean,"));
  EXPECT_TRUE(lines_of("f.csv")[2].starts_with("b.wav,"));
}

TEST_F(AudioVerb, AFolderInWhichOneIsBad) {
  folder.write("text.wav", "this is no recording, but a text of some length that goes on for a while");
  const Ran ran = done("audio features @. --out @f.csv --json @r.json --report @r.html --picture @p.png");
  EXPECT_TRUE(
      ran.out.ends_with("warning: ./text.wav: cannot be read as a recording: Format not recognised; wav, flac, ogg "
                        "and mp3 are known; it was left out\n"))
      << ran.out;
  EXPECT_EQ(json_of("r.json").at("left_out").as_list()[0].at("name").as_text(), "text.wav");
  EXPECT_TRUE(folder.read("p.png").starts_with("\x89PNG"));
  EXPECT_NE(folder.read("r.html").find("data:image/png;base64,"), std::string::npos);
  expect_error("audio features @. --strict --out @g.csv", 3,
               "./text.wav: cannot be read as a recording: Format not recognised; wav, flac, ogg and mp3 are known");
}

TEST_F(AudioVerb, SilenceAndShortSoundsAreDefined) {
  ASSERT_TRUE(write_sound(folder / "silence.wav", plain_wav, rate, 1, std::vector<float>(rate)));
  done("audio features @silence.wav --out @f.csv");
  EXPECT_TRUE(lines_of("f.csv")[1].starts_with("silence.wav,0,-632.45553203367"));
  ASSERT_TRUE(write_sound(folder / "none.wav", plain_wav, rate, 1, {}));
  expect_error("audio features @none.wav --out -", 3, "none.wav: the recording is empty");
  folder.write("zero.wav", "");
  expect_error("audio features @zero.wav --out -", 3, "zero.wav: the file is empty");
  expect_error("audio features @a.wav --pool mean --pool-rows 100 --out -", 3,
               "a.wav: 1 s are less than the 100 rows of --pool-rows");
}

TEST_F(AudioVerb, AnotherRate) {
  const Ran ran = done("audio features @a.wav --rate 16000 --preset librosa --out @f.csv --json @r.json");
  EXPECT_EQ(json_of("r.json").at("recordings").as_list()[0].at("sample_rate").as_number(), 16000.0);
  EXPECT_EQ(json_of("r.json").at("rows").as_whole(), 32);  // 16000 / 512 + 1
  expect_error("audio features @a.wav --rate -1 --out -", 2, "--rate -1 is outside [0, 1e+07]");
}

TEST_F(AudioVerb, AnInterruptedRunGoesOnFromItsManifest) {
  done("audio features @a.wav @b.wav --out @whole.csv");
  done("audio features @b.wav --manifest @m.jsonl --out @f.csv");
  done("audio features @a.wav @b.wav --manifest @m.jsonl --out @f.csv");
  EXPECT_EQ(folder.read("f.csv"), folder.read("whole.csv"));
  expect_error("audio features @a.wav --hop 0.2 --manifest @m.jsonl --out @f.csv", 2,
               "m.jsonl: was made with --hop 0.1, and here it is 0.2; name another manifest");
}

TEST_F(AudioVerb, Errors) {
  expect_errors(2, {{"audio features @a.wav", "features: needs --out"},
                    {"audio features @a.wav --set mfcc,mfcc --out -", "--set: mfcc is named twice"}});
  const Ran unknown = motet("audio features @a.wav --set no --out -");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(unknown.err.starts_with("motet: error: --set: 'no' is not one of mfcc, mel, log-mel, spectrogram"))
      << unknown.err;
  expect_error("audio features @none.wav --out -", 3, "none.wav: cannot be opened: No such file or directory");
  folder.write("text.wav", "this is no recording, but a text of some length that goes on for a while");
  expect_error("audio features @text.wav --out -", 3,
               "text.wav: cannot be read as a recording: Format not recognised; wav, flac, ogg and mp3 are known");
  expect_errors(
      2, {{"audio features @a.wav --out @a.wav", "a.wav: would overwrite an input; choose another name"},
          {"audio features @a.wav @a.wav --out -",
           "a.wav: another recording is called 'a.wav' too; names tell the rows apart"},
          {"audio features @a.wav --channel 2 --out -", "a.wav: there is no channel 2; it has 1"},
          {"audio features @a.wav --coefficients 50 --out -", "a.wav: --coefficients 50 is more than the 40 bands"}});
  expect_error("audio features @a.wav --window 2 --out -", 3, "a.wav: 1 s are shorter than the window of 2 s");
}

}  // namespace
}  // namespace motet::audio::features_test
