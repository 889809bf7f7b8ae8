#include "motet/app/audio/scene_verbs.h"

#include <gtest/gtest.h>

namespace motet::audio::scene_verbs_test {
namespace {

TEST(SceneVerbs, AreOfTheTask) {
  EXPECT_EQ(scene_verbs().size(), 4U);
  for (const Verb& verb : scene_verbs()) EXPECT_EQ(verb.task, "audio");
}

}  // namespace
}  // namespace motet::audio::scene_verbs_test
