#include "motet/app/audio/ask.h"

#include <filesystem>

#include "cli/support.h"
#include "io/audio_support.h"
#include "motet/audio/scene/synthesis.h"
#include "motet/io/sound_file.h"

namespace motet::audio::ask_test {
namespace {

constexpr double ask_rate = 8000.0;

void write_clip(const std::string& path, bool rains, std::uint64_t seed, double rate = ask_rate) {
  const SoundKind kind = rains ? SoundKind::rain : SoundKind::wind;
  write_wav(path, {rate, {synthesize(kind, 0.5, rate, Rng(Seed{seed}))}});
}

// A model of rain and wind, and one of a number that is greater for rain.
class AskVerbs : public CommandTest {
 protected:
  AskVerbs() {
    std::filesystem::create_directories(folder / "a");
    std::filesystem::create_directories(folder / "b");
    std::string list = "recording,label,level,source\n";
    for (int n = 0; n < 24; ++n) {
      const bool rains = n % 2 == 0;
      const std::string name = "c" + std::to_string(n) + ".wav";
      write_clip(folder / name, rains, static_cast<std::uint64_t>(n));
      list += name + (rains ? ",rain,3." : ",wind,0.") + std::to_string(n % 5) + "," + std::to_string(n / 2) + "\n";
    }
    folder.write("clips.csv", list);
    write_clip(folder / "a/1.wav", true, 100);
    write_clip(folder / "b/1.wav", false, 101);
  }
  void learn(const std::string& options) const {
    done("audio train @clips.csv --set asa --window 0.25 --hop 0.25 --folds 4 --model @m.json " + options);
  }
};

TEST_F(AskVerbs, ClassesWithTheirProbabilities) {
  learn("");
  done("audio classify @a/1.wav @b/1.wav --model @m.json --out @p.csv --json @p.json");
  const std::vector<std::string> lines = lines_of("p.csv");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], "recording,label,probability,rain,wind");
  const Value json = json_of("p.json");
  const Value::List said = json.at("recordings").as_list();
  EXPECT_EQ(said[0].at("said").as_text(), "rain");
  EXPECT_EQ(said[1].at("said").as_text(), "wind");
  EXPECT_EQ(json.at("classes").as_list()[1].as_text(), "wind");
  for (const Value& one : said) {
    const Value::List shares = one.at("probabilities").as_list();
    EXPECT_NEAR(shares[0].as_number() + shares[1].as_number(), 1.0, 1e-12);
    EXPECT_GT(one.at("probability").as_number(), 0.7);
    EXPECT_LT(one.at("probability").as_number(), 0.99);  // 24 clips cannot tell more
  }
  expect_error("audio reverberation @a/1.wav --model @m.json", 3,
               "m.json: is a model of the classes 'label'; take `audio classify`");
}

TEST_F(AskVerbs, RecordingsOfFoldersKeepTheirNamesApart) {
  learn("--method forest --trees 20");
  const auto names = [&](const std::string& command) {
    std::vector<std::string> found;
    const Value json = done(command + " --model @m.json --json -").json();
    for (const Value& one : json.at("recordings").as_list())
      found.push_back(folder.without_path(one.at("recording").as_text()));
    return found;
  };
  EXPECT_EQ(names("audio classify @a @c1.wav"), (std::vector<std::string>{"1.wav", "c1.wav"}));
  EXPECT_EQ(names("audio classify @a @b"), (std::vector<std::string>{"a/1.wav", "b/1.wav"}));
  std::filesystem::create_directories(folder / "all/x");
  write_clip(folder / "all/1.wav", true, 5);
  write_clip(folder / "all/x/1.wav", false, 6);
  EXPECT_EQ(names("audio classify @all"), (std::vector<std::string>{"1.wav", "x/1.wav"}));
}

TEST_F(AskVerbs, NumbersWithIntervals) {
  learn("--target level --method forest --trees 20");
  const Ran ran = done("audio reverberation @a/1.wav @b/1.wav --model @m.json --out @p.csv --json -");
  const Value json = ran.json();
  const Value::List said = json.at("recordings").as_list();
  EXPECT_GT(said[0].at("said").as_number(), said[1].at("said").as_number());
  EXPECT_EQ(json.at("confidence").as_number(), 0.9);
  for (const Value& one : said) {
    const Value::List interval = one.at("interval").as_list();
    EXPECT_LT(interval[0].as_number(), interval[1].as_number());
    EXPECT_GE(interval[0].as_number(), 0.0);
  }
  EXPECT_EQ(lines_of("p.csv")[0], "recording,level,low,high");
  const Ran sure = done("audio reverberation @a/1.wav --model @m.json --confidence 0.99");
  EXPECT_TRUE(sure.out.ends_with(
      "warning: intervals hold the number with probability 0.92, not 0.99: the model learned from 24 clips\n"))
      << sure.out;
  expect_error("audio classify @a/1.wav --model @m.json", 3,
               "m.json: is a model of the number 'level'; take `audio reverberation`");
}

TEST_F(AskVerbs, ATimeIsNotBelowZero) {
  learn("--target level --method linear");
  write_wav(folder / "x.wav", {ask_rate, {tone(4000, 0.01)}});
  write_wav(folder / "y.wav", {ask_rate, {tone(4000, 0.3)}});
  bool is_told = false;
  for (const std::string name : {"x.wav", "y.wav"}) {
    const Value json = done("audio reverberation @" + name + " --model @m.json --json -").json();
    EXPECT_GE(json.at("recordings").as_list()[0].at("said").as_number(), 0.0);
    for (const Value& warning : json.at("warnings").as_list()) {
      const std::string& text = warning.as_text();
      EXPECT_TRUE(text.starts_with(name + ": level came out as -")) << text;
      EXPECT_TRUE(text.ends_with("; of the clips that were learned from none is below 0, and 0 is said")) << text;
      is_told = true;
    }
  }
  EXPECT_TRUE(is_told);
}

TEST_F(AskVerbs, BadRecordingsAreLeftOutAndSilenceIsTold) {
  learn("");
  folder.write("text.wav", "this is no recording, but a text of some length that goes on for a while");
  write_wav(folder / "none.wav", {ask_rate, {std::vector<float>(4000)}});
  const std::string told =
      "text.wav: cannot be read as a recording: Format not recognised; wav, flac, ogg and mp3 are known";
  const std::string all = "audio classify @text.wav @none.wav @a/1.wav --model @m.json";
  const Ran ran = done(all + " --json @p.json");
  EXPECT_TRUE(
      ran.out.ends_with("warning: none.wav: is silence: all its samples are equal, and nothing can be told from "
                        "it\nwarning: " +
                        told + "; it was left out\n"))
      << ran.out;
  EXPECT_EQ(json_of("p.json").at("recordings").as_list().size(), 2U);
  EXPECT_EQ(json_of("p.json").at("left_out").as_list()[0].at("name").as_text(), "text.wav");
  expect_error(all + " --strict", 3, told);
  expect_error("audio classify @text.wav --model @m.json", 3, told);
}

TEST_F(AskVerbs, RatesAreThoseOfTheModel) {
  write_clip(folder / "fast.wav", true, 7, 16000.0);
  learn("");
  expect_error("audio classify @fast.wav --model @m.json", 3,
               "fast.wav: has 16000 Hz and the model 8000 Hz; --rate brings clips to one rate");
  done("audio classify @fast.wav --model @m.json --rate 8000");
  learn("--rate 8000");
  done("audio classify @fast.wav --model @m.json");
  expect_error("audio classify @fast.wav --model @m.json --channel 2", 2, "fast.wav: there is no channel 2; it has 1");
}

TEST_F(AskVerbs, Errors) {
  folder.write("no.json", "{}");
  EXPECT_EQ(motet("audio classify @c0.wav --model @no.json").code, 3);
  expect_error("audio classify @c0.wav", 2, "classify: needs --model");
  std::filesystem::create_directory(folder / "nothing");
  learn("");
  expect_error("audio classify @nothing --model @m.json", 3,
               "nothing: there is no recording in this folder (.wav, .flac, .ogg, .mp3 ...)");
}

}  // namespace
}  // namespace motet::audio::ask_test
