#include "motet/app/audio/learn.h"

#include <filesystem>

#include "cli/support.h"
#include "motet/audio/scene/synthesis.h"
#include "motet/io/sound_file.h"

namespace motet::audio::learn_test {
namespace {

constexpr double rate = 8000.0;

// Rain and wind, eight clips each of four sources, of one channel.
class LearnVerbs : public CommandTest {
 protected:
  LearnVerbs() {
    std::filesystem::create_directory(folder / "clips");
    std::string list = "recording,label,level,source\n";
    for (int n = 0; n < 16; ++n) {
      const bool rains = n % 2 == 0;
      const SoundKind kind = rains ? SoundKind::rain : SoundKind::wind;
      const std::string name = "clips/" + std::to_string(n) + ".wav";
      write_wav(folder / name, {rate, {synthesize(kind, 0.5, rate, Rng(Seed{static_cast<std::uint64_t>(n)}))}});
      list += name + (rains ? ",rain," : ",wind,") + (rains ? "3.5," : "1.5,") + std::to_string(n / 4) + "\n";
    }
    folder.write("clips.csv", list);
  }
};

TEST_F(LearnVerbs, LearnsClassesAndNumbers) {
  const Ran ran =
      done("audio train @clips.csv --set asa --window 0.25 --hop 0.25 --folds 3 --model @m.json --json @r.json");
  EXPECT_TRUE(ran.out.starts_with("16 clips, 11 features, 2 classes\nbalanced error on the clips themselves 0.0000;"))
      << ran.out;
  EXPECT_TRUE(json_of("r.json").at("warnings").as_list().empty());
  EXPECT_EQ(json_of("m.json").at("fields").at("calibration").at("offsets").as_list().size(), 2U);
  done(
      "audio train @clips.csv --target level --set asa --window 0.25 --hop 0.25 --method forest --trees 20 --model "
      "@m.json");
  EXPECT_EQ(json_of("m.json").at("fields").at("calibration").at("residuals").as_list().size(), 16U);
}

TEST_F(LearnVerbs, OneBadClipIsLeftOut) {
  folder.write("clips/3.wav", "this is no recording, but a text of some length that goes on for a while");
  const std::string told =
      "clips/3.wav: cannot be read as a recording: Format not recognised; wav, flac, ogg and mp3 are known";
  const std::string options = " @clips.csv --set asa --window 0.25 --hop 0.25 --folds 3 ";
  const Ran train = done("audio train" + options + "--model @m.json --json @r.json");
  EXPECT_TRUE(train.out.starts_with("15 clips, ")) << train.out;
  EXPECT_TRUE(train.out.ends_with(told + "; it was left out\n")) << train.out;
  EXPECT_EQ(json_of("r.json").at("left_out").as_list().size(), 1U);
  const Ran evaluate = done("audio evaluate" + options + "--repeats 2 --importance 0 --json @r.json");
  EXPECT_TRUE(evaluate.out.ends_with(told + "; it was left out\n")) << evaluate.out;
  EXPECT_EQ(json_of("r.json").at("clips").as_whole(), 15);
  for (const std::string verb : {"audio train --model @m.json", "audio evaluate"}) {
    expect_error(verb + options + "--strict", 3, told);
  }
}

TEST_F(LearnVerbs, RatesAreBroughtToOne) {
  write_wav(folder / "clips/3.wav", {16000.0, {synthesize(SoundKind::wind, 0.5, 16000.0, Rng(Seed{3}))}});
  const std::string options = " @clips.csv --set asa --window 0.25 --hop 0.25 --folds 3 --model @m.json";
  EXPECT_TRUE(done("audio train" + options).out.starts_with("15 clips, "));
  EXPECT_TRUE(done("audio train --rate 8000" + options).out.starts_with("16 clips, "));
  expect_error("audio train --channel 2" + options, 2, "clips/0.wav: there is no channel 2; it has 1");
}

TEST_F(LearnVerbs, TellsHowWellItIsLearned) {
  const Ran ran = done(
      "audio evaluate @clips.csv --set asa --window 0.25 --hop 0.25 --folds 3 --repeats 2 --importance 3 --json "
      "@r.json "
      "--report @r.html");
  EXPECT_TRUE(ran.out.starts_with("16 clips, 11 features, 2 classes\n")) << ran.out;
  const Value json = json_of("r.json");
  ASSERT_EQ(json.at("ways").as_list().size(), 2U);
  EXPECT_EQ(json.at("ways").as_list()[1].at("held_out_by").as_text(), "sources");
  ASSERT_EQ(json.at("importance").as_list().size(), 3U);
  EXPECT_GE(json.at("importance").as_list()[0].at("standard_error").as_number(), 0.0);
  done(
      "audio evaluate @clips.csv --target level --set asa --window 0.25 --hop 0.25 --method linear --repeats 2 "
      "--importance 0 --report @r.html");
  EXPECT_NE(folder.read("r.html").find("Residuals"), std::string::npos);
}

TEST_F(LearnVerbs, Errors) {
  expect_errors(2, {{"audio train @clips.csv", "train: needs --model"},
                    {"audio train @clips.csv --set sfx --model @m.json --window 0.25",
                     "--set: 'sfx' is not one of mfcc, mel, log-mel, spectrogram, sfi, sfi-avg, sfi-std, sfi-st, asa, "
                     "music, events"}});
  expect_error(
      "audio train @clips.csv --target nothing --model @m.json", 3,
      "clips.csv:1: columns 'recording' and 'nothing' are needed; found 'recording', 'label', 'level', 'source'");
  folder.write("empty.csv", "recording,label\n");
  expect_error("audio train @empty.csv --model @m.json", 3, "empty.csv: there are no clips");
}

}  // namespace
}  // namespace motet::audio::learn_test
