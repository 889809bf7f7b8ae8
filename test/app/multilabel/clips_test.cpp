#include "motet/app/multilabel/clips.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/multilabel/clip_support.h"
#include "cli/support.h"

namespace motet::multilabel::clips_test {
namespace {

class ClipCommand : public CommandTest {
 protected:
  Ran clips(const Words& words) const { return motet(joined({"multilabel"}, words)); }
  void refused(const Words& words, int code, const std::string& text) const {
    expect_error(joined({"multilabel"}, words), code, text);
  }

  // Twelve recordings: hiss, tone, both in turn.
  Words recordings() const {
    Words names;
    std::string labels = "clip,labels\n";
    for (std::uint64_t i = 0; i < 12; ++i) {
      const std::string name = "c" + std::to_string(i) + ".wav";
      folder.write(name, clip_wav(i % 3 != 0, i % 3 != 1, i + 1));
      labels += name + (i % 3 == 0 ? ",hiss\n" : i % 3 == 1 ? ",tone\n" : ",hiss|tone\n");
      names.push_back("@" + name);
    }
    folder.write("l.csv", labels);
    return names;
  }
};

TEST_F(ClipCommand, LearnFromRecordingsAndTellThemAgain) {
  const Words names = recordings();
  const Ran train = clips(
      joined(joined({"train-clips"}, names), {"--labels", "@l.csv", "--model", "@m.json", "--report", "@r.html"}));
  ASSERT_EQ(train.code, 0) << train.err;
  EXPECT_TRUE(train.out.starts_with("12 clips of 13 features per frame, 2 labels in 3 sets\n")) << train.out;
  const Ran classify = clips(joined(joined({"classify-clips"}, names), {"--model", "@m.json", "--out", "@p.csv"}));
  ASSERT_EQ(classify.code, 0) << classify.err;
  const std::string found = folder.read("p.csv");
  EXPECT_TRUE(found.starts_with("item,labels,probability,log_likelihood\n")) << found;
  EXPECT_EQ(std::count(found.begin(), found.end(), '\n'), 13);
  EXPECT_NE(found.find("c2.wav,hiss|tone,"), std::string::npos) << found;
  const Ran evaluate =
      clips(joined(joined({"evaluate-clips"}, names), {"--labels", "@l.csv", "--model", "@m.json", "--json", "-"}));
  ASSERT_EQ(evaluate.code, 0) << evaluate.err;
  EXPECT_EQ(evaluate.json().at("error_rate").as_number(), 0.0);
}

TEST_F(ClipCommand, CompareTrainingsOnTheSameFolds) {
  const Words names = recordings();
  const Ran ran = clips(joined(joined({"evaluate-clips"}, names),
                               {"--labels", "@l.csv", "--cross-validate", "2", "--compare", "new,cross,probabilistic",
                                "--item-frames", "16", "--report", "@r.html", "--json", "-"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json().at("items").as_whole(), 36);
  EXPECT_LT(ran.json().at("balanced_error_rate").as_number(), 0.5);
  const Ran again =
      clips(joined(joined({"evaluate-clips"}, names), {"--labels", "@l.csv", "--cross-validate", "2", "--combination",
                                                       "log-add", "--frames", "log-mel", "--threads", "1"}));
  EXPECT_EQ(again.code, 0) << again.err;
}

TEST_F(ClipCommand, SayWhatIsWrong) {
  const Words names = recordings();
  const Words train = joined({"train-clips", "@c0.wav", "@c1.wav"}, {"--labels", "@l.csv", "--model", "@m.json"});
  refused(joined(train, {"--combination", "log-add"}), 2,
          "--combination log-add adds energies; give --frames log-mel too");
  refused({"train-clips", "@c0.wav", "@c3.wav", "--labels", "@l.csv", "--model", "@m.json"}, 4,
          "l.csv: all clips have the same labels; there is nothing to tell apart");
  folder.write("t.csv", "sequence,x\na,1\na,2\nb,5\nb,7\n");
  folder.write("u.csv", "clip,labels\na,u\nb,v\n");
  ASSERT_EQ(clips({"train-clips", "@t.csv", "--labels", "@u.csv", "--model", "@t.json", "--states", "1"}).code, 0);
  refused({"classify-clips", "@c0.wav", "--model", "@t.json", "--out", "@p.csv"}, 2,
          "t.json: was trained on a table of frames; it cannot hear recordings");
  folder.write("w.csv", "clip,labels\na,u\nb,z\n");
  refused({"evaluate-clips", "@t.csv", "--labels", "@w.csv", "--model", "@t.json"}, 3,
          "w.csv: label 'z' of clip 'b' is not one of the model's; it has u, v");
  refused({"evaluate-clips", "@t.csv", "--labels", "@u.csv"}, 2,
          "evaluate-clips: needs --model or --cross-validate, one of them");
  refused({"evaluate-clips", "@t.csv", "--labels", "@u.csv", "--cross-validate", "1"}, 2,
          "--cross-validate 1 is too few; 2 folds or more are needed");
  refused({"evaluate-clips", "@t.csv", "--labels", "@u.csv", "--cross-validate", "3"}, 2,
          "--cross-validate 3 is more than the 2 clips");
  refused({"evaluate-clips", "@t.csv", "--labels", "@u.csv", "--model", "@t.json", "--compare", "new"}, 2,
          "--compare: goes with --cross-validate, which trains them");
  refused(joined(joined({"evaluate-clips"}, names), {"--labels", "@l.csv", "--cross-validate", "2", "--compare", "x"}),
          2,
          "--compare: 'x' is not one of deconvolution, new, cross, probabilistic, point-estimate, "
          "point-estimate-printed");
  folder.write("z.wav", "");
  refused({"classify-clips", "@z.wav", "--model", "@t.json", "--out", "@p.csv"}, 3, "z.wav: the file is empty");
}

}  // namespace
}  // namespace motet::multilabel::clips_test
