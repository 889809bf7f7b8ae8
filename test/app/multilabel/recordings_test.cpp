#include "motet/app/multilabel/recordings.h"

#include "cli/support.h"
#include "io/audio_support.h"

namespace motet::multilabel::recordings_test {
namespace {

class LabelledRecordings : public CommandTest {
 protected:
  LabelledRecordings() {
    std::string labels = "item,labels\n";
    for (int i = 0; i < 24; ++i) {
      const std::string name = "r" + std::to_string(10 + i) + ".wav";
      std::vector<float> sound = tone(8000, 0.001, 0.01 + 0.001 * i);
      const bool is_low = i % 2 == 0;
      const bool is_high = i % 2 == 1 || i % 3 == 0;
      for (std::size_t n = 0; n < sound.size(); ++n) {
        const double at = static_cast<double>(n);
        if (is_low) sound[n] += static_cast<float>((0.1 + 0.005 * i) * std::sin(0.2 * at));
        if (is_high) sound[n] += static_cast<float>((0.1 + 0.003 * i) * std::sin(1.5 * at));
      }
      EXPECT_TRUE(write_sound(folder / name, SF_FORMAT_WAV | SF_FORMAT_PCM_16, 8000, 1, sound));
      labels += name + "," + (is_low ? "low" : "") + (is_low && is_high ? "|" : "") + (is_high ? "high" : "") + "\n";
    }
    folder.write("labels.csv", labels);
  }
};

TEST_F(LabelledRecordings, AreItemsToLearnFrom) {
  const Ran trained = done(
      "multilabel train @. --labels @labels.csv --coefficients 4 --pool mean --method deconvolution --source gaussian "
      "--covariance spherical --no-calibration --model @m.json");
  EXPECT_TRUE(trained.out.find("24 items") != std::string::npos) << trained.out;
  done("multilabel predict @r10.wav @r11.wav --coefficients 4 --pool mean --model @m.json --out @p.csv");
  EXPECT_TRUE(lines_of("p.csv")[1].starts_with("r10.wav,")) << lines_of("p.csv")[1];
  const Ran judged = done("multilabel evaluate @. --labels @labels.csv --coefficients 4 --pool mean --model @m.json");
  EXPECT_TRUE(judged.out.find("24") != std::string::npos);
}

TEST_F(LabelledRecordings, OrEachOfTheirRowsIs) {
  RecordingOptions options;
  const LabelledFile rows =
      recording_items({folder / "r10.wav", folder / "r11.wav"}, options, folder / "labels.csv", {}, ',', {});
  EXPECT_EQ(rows.items.rows(), 16U);
  EXPECT_EQ(rows.items.features.items[1], "r10.wav@0.1");
  EXPECT_EQ(rows.items.labels, (std::vector<std::string>{"low", "high"}));
  EXPECT_EQ(rows.items.sets.count(0), 2U);  // both
  EXPECT_EQ(rows.items.sets.count(8), 1U);
}

TEST_F(LabelledRecordings, Errors) {
  expect_error("multilabel train @. --model @m.json", 2,
               "--labels: recordings need a table with their labels (item,labels)");
  folder.write("few.csv", "item,labels\nr10.wav,low\n");
  expect_error("multilabel train @. --labels @few.csv --model @m.json", 3,
               "few.csv: recording 'r11.wav' has no labels here");
  folder.write("x.csv", "a,b\n1,2\n");
  expect_error("multilabel train @x.csv @x.csv --model @m.json", 2,
               "x.csv: one file of items is read at a time; several are possible for recordings");
}

}  // namespace
}  // namespace motet::multilabel::recordings_test
