#include "motet/app/audio/synthesize.h"

#include "cli/support.h"
#include "io/sound_support.h"
#include "motet/io/sound_file.h"

namespace motet::audio::synthesize_verb_test {
namespace {

using SynthesizeVerb = CommandTest;

TEST_F(SynthesizeVerb, ASoundOfEachKind) {
  for (const char* kind : {"speech", "noise", "music", "bird", "rain", "wind"}) {
    const std::string words = std::string("audio synthesize --rate 8000 --seconds 0.5 --out @x.wav --kind ") + kind;
    EXPECT_EQ(done(words.c_str()).out, std::string("0.5 s of ") + kind + " at 8000 Hz\n");
    EXPECT_EQ(sound_in(folder / "x.wav").samples(), 4000U);
  }
  expect_error("audio synthesize --kind rain", 2, "synthesize: needs --out");
}

}  // namespace
}  // namespace motet::audio::synthesize_verb_test
