#include "motet/app/multilabel/clip_document.h"

#include <gtest/gtest.h>

#include "multilabel/clips/clip_cases.h"

namespace motet::multilabel::clip_document_test {
namespace {

TEST(ClipDocument, TellsSetsStatesAndTheFit) {
  const MadeClips clips = made_clips(12, 20, Seed{1});
  const ClipFit fit = train_clips(clips.labelled(), {}, {});
  const Document document = clip_train_document({fit, clips.of_clip, {"look"}});
  EXPECT_TRUE(
      document.text.starts_with("warning: look\n12 clips of 2 features per frame, 3 labels in 4 sets\n"
                                "deconvolution, combination mean; converged after "))
      << document.text;
  EXPECT_NE(document.text.find("noise|speech      3"), std::string::npos) << document.text;
  EXPECT_EQ(document.json.at("sets").as_list().size(), 4U);
  EXPECT_EQ(document.json.at("states").as_list().size(), 6U);
  EXPECT_TRUE(document.json.at("converged").as_bool());
}

TEST(ClipDocument, CountsWhatWasFound) {
  const MadeClips clips = made_clips(12, 20, Seed{1});
  const ClipFit fit = train_clips(clips.labelled(), {}, {});
  const Document document = clip_classify_document(fit.model, {1, 0, 2, 0}, {});
  EXPECT_TRUE(document.text.starts_with("3 clips\n\nlabels        clips\n")) << document.text;
  EXPECT_EQ(document.json.at("clips").as_whole(), 3);
}

}  // namespace
}  // namespace motet::multilabel::clip_document_test
