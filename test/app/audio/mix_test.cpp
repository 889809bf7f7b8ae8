#include "motet/app/audio/mix.h"

#include "cli/support.h"
#include "io/audio_support.h"
#include "io/sound_support.h"
#include "motet/io/sound_file.h"

namespace motet::audio::mix_verb_test {
namespace {

constexpr int rate = 8000;

class MixVerb : public CommandTest {
 protected:
  MixVerb() {
    write_wav(folder / "wind.wav", {rate, {tone(4 * rate, 0.01)}});
    write_wav(folder / "song.wav", {rate, {tone(rate, 0.1)}});
    write_wav(folder / "low.wav", {rate / 2, {tone(rate, 0.1)}});
  }
};

TEST_F(MixVerb, AMixtureWithItsTruth) {
  const Ran ran = done(
      "audio mix @wind.wav @song.wav --gain 0.5 --at 1.5 --out @m.wav --labels @m.csv --track @m.txt "
      "--hop 0.5 --window 0.5 --json @r.json");
  EXPECT_EQ(ran.out,
            "4.00 s with 1 foreground, gain 0.5 (-6.0 dB)\n\n"
            "foreground  begin (s)  end (s)  factor\n"
            "song            1.500    2.500  0.5000\n");
  EXPECT_EQ(folder.read("m.txt"), "1.5\t2.5\tsong\n");
  EXPECT_EQ(folder.read("m.csv"),
            "sequence,time,label\nm.wav,0,background\nm.wav,0.5,background\nm.wav,1,background\nm.wav,1.5,song\n"
            "m.wav,2,song\nm.wav,2.5,background\nm.wav,3,background\nm.wav,3.5,background\n");
  EXPECT_EQ(sound_in(folder / "m.wav").samples(), 4U * rate);
  EXPECT_EQ(json_of("r.json").at("foregrounds").as_list()[0].at("label").as_text(), "song");
}

TEST_F(MixVerb, SameSeedSameBytes) {
  done("audio mix @wind.wav @song.wav --snr 3 --out @a.wav --seed 7");
  done("audio mix @wind.wav @song.wav --snr 3 --out @b.wav --seed 7");
  done("audio mix @wind.wav @song.wav --snr 3 --out @c.wav --seed 8");
  EXPECT_EQ(folder.read("a.wav"), folder.read("b.wav"));
  EXPECT_NE(folder.read("a.wav"), folder.read("c.wav"));
}

TEST_F(MixVerb, Errors) {
  command = "audio mix @wind.wav @song.wav";
  expect_refusals(2, {{"", "mix: needs --out"},
                      {"--out @m.wav --gain 1 --snr 0", "mix: --gain and --snr say the same; give one"},
                      {"--out @m.wav --at 1,2", "--at: has 2 places; 1 foregrounds need one each"},
                      {"--out @m.wav --at=-1", "--at -1: is before the beginning"},
                      {"--out @m.wav --at later", "--at: 'later' is not a number"},
                      {"--out @song.wav", "song.wav: would overwrite an input; choose another name"}});
  expect_refused("--out @m.wav --at 3.5", 3, "song: 1 s from 3.5 s on go beyond the 4 s of the background");
  expect_error("audio mix @wind.wav @low.wav --out @m.wav", 3,
               "low: has 4000 Hz and the background 8000 Hz; --rate brings both to one");
}

TEST_F(MixVerb, RatesAndChannelsAreBroughtTogether) {
  done("audio mix @wind.wav @low.wav --rate 8000 --out @m.wav");
  EXPECT_EQ(sound_in(folder / "m.wav").sample_rate, 8000.0);
  write_wav(folder / "two.wav", {rate, {tone(rate, 0.1), tone(rate, 0.2), tone(rate, 0.3)}});
  expect_error("audio mix @wind.wav @two.wav --out @m.wav", 3,
               "two: has 3 channels and the background 1; one channel goes into each, or both have the same number");
  done("audio mix @wind.wav @two.wav --channel 1 --out @m.wav");
  EXPECT_EQ(sound_in(folder / "m.wav").channels.size(), 1U);
}

TEST_F(MixVerb, MissingEndsAreTold) {
  folder.write("song.wav", folder.read("song.wav").substr(0, 16'000));
  const Ran ran = done("audio mix @wind.wav @song.wav --out @m.wav --json @r.json");
  const std::string told = folder.without_path(json_of("r.json").at("warnings").as_list().at(0).as_text());
  EXPECT_TRUE(told.starts_with("song.wav: is cut short: ")) << told;
  EXPECT_TRUE(ran.out.ends_with("warning: " + told + "\n")) << ran.out;
}

}  // namespace
}  // namespace motet::audio::mix_verb_test
