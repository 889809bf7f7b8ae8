#include "motet/app/audio/room.h"

#include "cli/support.h"
#include "io/audio_support.h"
#include "io/sound_support.h"
#include "motet/io/sound_file.h"

namespace motet::audio::room_verb_test {
namespace {

using RoomVerb = CommandTest;

TEST_F(RoomVerb, ASoundInARoomAndTheResponseAlone) {
  write_wav(folder / "x.wav", {8000.0, {tone(8000, 0.1)}});
  const Ran ran = done("audio room @x.wav --t60 0.2 --angle 90 --out @y.wav --response @r.wav");
  EXPECT_EQ(
      ran.out,
      "four microphones at 8000 Hz: T60 0.2 s, direct over reverberation 5 dB, from 90 degrees, 1.00 s recorded\n");
  EXPECT_EQ(sound_in(folder / "y.wav").channels.size(), 4U);
  done("audio room --t60 0.2 --angle 90 --rate 8000 --response @s.wav");
  EXPECT_EQ(folder.read("r.wav"), folder.read("s.wav"));
  done("audio room @x.wav --t60 0.2 --with-tail --out @z.wav");
  EXPECT_EQ(sound_in(folder / "z.wav").samples(), 8000U + 1680U - 1U);
}

TEST_F(RoomVerb, AMissingEndIsTold) {
  write_wav(folder / "x.wav", {8000.0, {tone(8000, 0.1)}});
  folder.write("x.wav", folder.read("x.wav").substr(0, 16'000));
  const Ran ran = done("audio room @x.wav --t60 0.2 --out @y.wav --json @r.json");
  const std::string told = folder.without_path(json_of("r.json").at("warnings").as_list().at(0).as_text());
  EXPECT_TRUE(told.starts_with("x.wav: is cut short: ")) << told;
  EXPECT_TRUE(ran.out.ends_with("warning: " + told + "\n")) << ran.out;
}

TEST_F(RoomVerb, Errors) {
  write_wav(folder / "x.wav", {8000.0, {tone(8000, 0.1)}});
  expect_errors(
      2, {{"audio room", "room: needs --response"},
          {"audio room @x.wav", "room: needs --out"},
          {"audio room --response @r.wav --out @y.wav", "room: --out needs a sound IN.wav"},
          {"audio room @x.wav --out @y.wav --rate 8000", "room: --rate is that of the sound, where there is one"},
          {"audio room --response @r.wav --t60 0", "--t60 0 is outside [0.05, 30]"}});
}

}  // namespace
}  // namespace motet::audio::room_verb_test
