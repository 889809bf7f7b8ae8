#include "motet/multilabel/clips/clip_model.h"

#include <gtest/gtest.h>

#include "multilabel/clips/clip_cases.h"
#include "support/errors.h"

namespace motet::multilabel::clip_model_test {
namespace {

ClipModel trained(ClipTraining training) {
  const MadeClips clips = made_clips(8, 20, Seed{1});
  ClipOptions options;
  options.method = training;
  return train_clips(clips.labelled(), options, {}).model;
}

TEST(ClipModel, IsTheSameFromItsRecord) {
  for (const ClipTraining training : every_training) {
    const ClipModel model = trained(training);
    EXPECT_EQ(clip_model_from_record(to_record(model)), model) << name_of(training);
  }
}

TEST(ClipModel, NamesSetsByTheirLabels) {
  const ClipModel model = trained(ClipTraining::deconvolution);
  EXPECT_EQ(told_set(model, {0, 1}), "noise|speech");
  EXPECT_EQ(sources_of(model, 1).size(), 2U);  // {noise, speech} stands behind {noise}
  EXPECT_EQ(sources_of(trained(ClipTraining::own_model), 1).size(), 1U);
}

TEST(ClipModel, OfAFileIsChecked) {
  const Record good = to_record(trained(ClipTraining::deconvolution));
  const auto told = [&](const std::string& field, Value value) {
    Record record = good;
    record.fields.set(field, std::move(value));
    return refusal([&] { clip_model_from_record(record); });
  };
  EXPECT_EQ(told("frames", Value()), "accepted");
  EXPECT_EQ(told("training", "guess"), "field 'training' is 'guess'");
  EXPECT_EQ(told("sets", Value::list({Value::list({0}), Value::list({1}), Value::list({2, 0}), Value::list({2})})),
            "field 'sets' has a list that is no set of labels");
  EXPECT_EQ(told("sets", Value::list({Value::list({0}), Value::List{}, Value::list({1}), Value::list({2})})),
            "field 'sets' has an empty set");
  EXPECT_EQ(told("sets", Value::list({Value::list({0}), Value::list({0}), Value::list({1}), Value::list({2})})),
            "field 'sets' or 'columns' is empty, or a set comes twice");
  EXPECT_EQ(told("sources", Value::List{}), "field 'sources' has 0 entries; 3 are needed");
  Record newer = good;
  newer.version = 2;
  EXPECT_NE(refusal([&] { clip_model_from_record(newer); }), "accepted");
  Record other = good;
  other.kind = "judges";
  EXPECT_NE(refusal([&] { clip_model_from_record(other); }), "accepted");
}

}  // namespace
}  // namespace motet::multilabel::clip_model_test
