#include "motet/app/audio/verbs.h"

#include <gtest/gtest.h>

namespace motet::audio::verbs_test {
namespace {

TEST(AudioVerbs, AreThere) {
  for (const Verb& verb : audio_verbs()) EXPECT_EQ(verb.task, "audio");
  EXPECT_EQ(audio_verbs()[0].name, "features");
}

}  // namespace
}  // namespace motet::audio::verbs_test
