#include "motet/app/discover/clips.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "app/discover/support.h"
#include "motet/io/sound_file.h"

namespace motet::discover::clips_test {
namespace {

Sound heard(const std::string& path) {
  std::vector<std::string> warnings;
  return read_sound(path, {}, warnings);
}

class QuestionClips : public DiscoverCommand {
 protected:
  QuestionClips() {
    folder.write("one.wav", small_wav(12.0, 1));
    done({"discover", "start", "@p.motet", "@one.wav", "--radius", "4", "--components", "2", "--strategy", "temporal"});
  }
  Value next(const Words& words) const {
    const Ran ran = discover(joined({"next", "@p.motet", "--json", "-"}, words));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.code == 0 ? ran.json() : Value();
  }
};

TEST_F(QuestionClips, AreTheSoundAroundTheMiddle) {
  const Value item = next({"--count", "1", "--clip", "@out.wav", "--clip-seconds", "2"}).at("items").as_list().at(0);
  EXPECT_EQ(item.at("clip").as_text(), "out.wav");
  const Sound clip = heard(folder / "out.wav");
  const Sound whole = heard(folder / "one.wav");
  EXPECT_EQ(clip.sample_rate, 8000.0);
  const double middle = 0.5 * (item.at("begin").as_number() + item.at("end").as_number());
  const auto first = static_cast<std::size_t>(std::llround(std::max(0.0, middle - 1.0) * 8000.0));
  const auto end = std::min(whole.samples(), static_cast<std::size_t>(std::llround((middle + 1.0) * 8000.0)));
  ASSERT_EQ(clip.samples(), end - first);
  for (std::size_t i = 0; i < clip.samples(); ++i) ASSERT_EQ(clip.channels[0][i], whole.channels[0][first + i]) << i;
}

TEST_F(QuestionClips, AreCutToTheEndsOfTheRecording) {
  next({"--count", "1", "--clip", "@out.wav", "--clip-seconds", "100"});
  EXPECT_EQ(heard(folder / "out.wav").channels, heard(folder / "one.wav").channels);
}

TEST_F(QuestionClips, OfSeveralQuestionsAreNumberedOrGoIntoAFolder) {
  const Ran ran = discover({"next", "@p.motet", "--count", "2", "--clip", "@q.wav"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find(" sounds in q-1.wav\n"), std::string::npos) << ran.out;
  EXPECT_GT(heard(folder / "q-2.wav").samples(), 0U);
  std::filesystem::create_directory(folder / "clips");
  const Value asked = next({"--count", "2", "--clip", "@clips"});
  for (const Value& item : asked.at("items").as_list()) {
    EXPECT_TRUE(std::filesystem::exists(folder / ("clips/row-" + std::to_string(item.at("row").as_whole()) + ".wav")));
  }
}

TEST_F(QuestionClips, OfARecordingThatWasMoved) {
  std::filesystem::create_directory(folder / "disk");
  std::filesystem::rename(folder / "one.wav", folder / "disk/one.wav");
  const Words words = {"next", "@p.motet", "--count", "1", "--clip", "@out.wav"};
  const Ran lost = discover(words);
  EXPECT_EQ(lost.code, 3);
  EXPECT_TRUE(lost.err.starts_with("motet: error: one.wav: is not at ")) << lost.err;
  EXPECT_TRUE(lost.err.ends_with("one.wav any more; say where with --recordings FOLDER\n")) << lost.err;
  EXPECT_EQ(discover(joined(words, {"--recordings", "@disk"})).code, 0);
  EXPECT_GT(heard(folder / "out.wav").samples(), 0U);
}

TEST_F(QuestionClips, ThatCannotBe) {
  expect_refused({"next", "@p.motet", "--count", "1", "--clip", "@one.wav"}, 2,
                 "one.wav: would overwrite an input; choose another name");
  expect_refused({"next", "@p.motet", "--clip", "@out.mp3"}, 2,
                 "--clip out.mp3: is neither a folder that is there nor the name of a .wav");
  folder.write("d.csv", small_table());
  done({"discover", "start", "@t.motet", "@d.csv", "--radius", "5", "--hop", "0.1", "--components", "2"});
  expect_refused({"next", "@t.motet", "--clip", "@out.wav"}, 4,
                 "t.motet: its rows come from a table; there is no sound for --clip");
  folder.write("one.wav", small_wav(0.01, 1));
  const Ran changed = discover({"next", "@p.motet", "--count", "1", "--clip", "@out.wav", "--clip-seconds", "0.2"});
  EXPECT_EQ(changed.code, 3);
  EXPECT_NE(changed.err.find("; is it what the project was begun with?"), std::string::npos) << changed.err;
}

}  // namespace
}  // namespace motet::discover::clips_test
