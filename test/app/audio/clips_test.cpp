#include "motet/app/audio/clips.h"

#include "io/audio_support.h"
#include "io/support.h"
#include "motet/io/sound_file.h"

namespace motet::audio::clips_test {
namespace {

TEST(ClipList, NumbersWhereAllAreAndGroupsByName) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("c.csv", "recording,label,t60,source,response\na.wav,x,1.5,s,r\nb.wav,1,2,s,q\nc.wav,x,3,t,r\n");
  const ClipList classes = read_clip_list(path, {});
  EXPECT_EQ(classes.target.classes, (std::vector<std::string>{"x", "1"}));
  EXPECT_EQ(classes.target.values, (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(classes.source, (std::vector<std::uint32_t>{0, 0, 1}));
  EXPECT_EQ(classes.response, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(folder.without_path(classes.files[2]), "c.wav");
  const ClipList numbers = read_clip_list(path, {"t60", "none", "none"});
  EXPECT_FALSE(numbers.target.is_class());
  EXPECT_EQ(numbers.target.values, (std::vector<double>{1.5, 2, 3}));
  EXPECT_EQ(numbers.source, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_TRUE(numbers.response.empty());
}

HearingOptions asa(bool is_strict = false) {
  HearingOptions options;
  options.clips.set = "asa";
  options.is_strict = is_strict;
  return options;
}

TEST(ClipFeatures, ClipsOfOneRateInTheOrderOfTheFiles) {
  const TemporaryFolder folder;
  write_wav(folder / "a.wav", {8000.0, {tone(8000, 0.1)}});
  write_wav(folder / "b.wav", {8000.0, {tone(8000, 0.2)}});
  write_wav(folder / "c.wav", {16000.0, {tone(16000, 0.2)}});
  const std::vector<std::string> files = {folder / "a.wav", folder / "c.wav", folder / "b.wav"};
  const FeaturesOfFiles both = features_of_files(files, asa(), {}, {});
  EXPECT_EQ(both.rows.rows(), 2U);
  EXPECT_EQ(both.files, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(both.shape.sample_rate, 8000.0);
  EXPECT_LT(both.rows.row(0)[1], both.rows.row(1)[1]);  // the centre of gravity
  const std::string other = "c.wav: has 16000 Hz and a.wav 8000 Hz; --rate brings clips to one rate";
  ASSERT_EQ(warnings_of(both).size(), 1U);
  EXPECT_EQ(folder.without_path(warnings_of(both)[0]), other + "; it was left out");
  EXPECT_EQ(left_out_value(both, {"A", "C", "B"}).as_list()[0].at("name").as_text(), "C");
  EXPECT_EQ(folder.error_of([&] { features_of_files(files, asa(true), {}, {}); }), other);
  HearingOptions slow = asa();
  slow.clips.rate = 8000.0;
  EXPECT_EQ(features_of_files(files, slow, {}, {}).rows.rows(), 3U);
}

TEST(ClipFeatures, WhatCannotBeHeardIsLeftOutUnlessItIsAll) {
  const TemporaryFolder folder;
  write_wav(folder / "a.wav", {8000.0, {tone(8000, 0.1)}});
  folder.write("text.wav", "this is no recording, but a text of some length that goes on for a while");
  write_wav(folder / "short.wav", {8000.0, {tone(800, 0.1)}});
  const FeaturesOfFiles found =
      features_of_files({folder / "text.wav", folder / "a.wav", folder / "short.wav"}, asa(), {}, {});
  EXPECT_EQ(found.files, (std::vector<std::size_t>{1}));
  ASSERT_EQ(found.left_out.size(), 2U);
  EXPECT_EQ(folder.without_path(found.left_out[0].reason),
            "text.wav: cannot be read as a recording: Format not recognised; wav, flac, ogg and mp3 are known");
  EXPECT_EQ(folder.without_path(found.left_out[1].reason), "short.wav: 0.1 s hold no row of 0.8 s; 1 are needed");
  EXPECT_EQ(folder.error_of([&] {
    features_of_files({folder / "short.wav", folder / "text.wav"}, asa(), {}, {});
  }),
            "short.wav: 0.1 s hold no row of 0.8 s; 1 are needed");
  ClipShape of_model{{"x"}, 8000.0, "the model"};
  EXPECT_EQ(folder.error_of([&] { features_of_files({folder / "a.wav"}, asa(), of_model, {}); }),
            "a.wav: has other features than the model");
}

TEST(ClipFeatures, SilenceAndMissingEndsAreTold) {
  const TemporaryFolder folder;
  write_wav(folder / "a.wav", {8000.0, {std::vector<float>(8000)}});
  write_wav(folder / "b.wav", {8000.0, {tone(16'000, 0.1)}});
  folder.write("b.wav", folder.read("b.wav").substr(0, 40'000));
  const FeaturesOfFiles found = features_of_files({folder / "a.wav", folder / "b.wav"}, asa(), {}, {});
  ASSERT_EQ(found.warnings.size(), 2U);
  EXPECT_EQ(folder.without_path(found.warnings[0]),
            "a.wav: is silence: all its samples are equal, and nothing can be told from it");
  EXPECT_TRUE(folder.without_path(found.warnings[1]).starts_with("b.wav: is cut short: ")) << found.warnings[1];
}

TEST(ClipList, WhatIsLeftOutTakesItsClassAndItsGroupAlong) {
  const TemporaryFolder folder;
  for (const char* name : {"b.wav", "c.wav"}) write_wav(folder / name, {8000.0, {tone(8000, 0.1)}});
  const std::string path =
      folder.write("c.csv", "recording,label,source,response\na.wav,x,s,r\nb.wav,y,t,r\nc.wav,z,u,q\n");
  const HeardClips heard = read_clips(path, {}, asa(), {});
  EXPECT_EQ(heard.clips.target.classes, (std::vector<std::string>{"y", "z"}));
  EXPECT_EQ(heard.clips.target.values, (std::vector<double>{0, 1}));
  EXPECT_EQ(heard.clips.source, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(heard.clips.response, (std::vector<std::uint32_t>{0, 1}));
  ASSERT_EQ(heard.features.left_out.size(), 1U);
  EXPECT_EQ(folder.without_path(heard.features.left_out[0].reason),
            "a.wav: cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace motet::audio::clips_test
