#include "motet/app/audio/scene_model.h"

#include <algorithm>
#include <string_view>

#include "audio/scenes/blobs.h"
#include "io/support.h"
#include "motet/io/record_file.h"

namespace motet::audio::scene_model_test {
namespace {

SceneModel small_model() {
  const Blobs blobs = class_blobs(20, 2, 3, 4.0);
  SceneModel model;
  model.learned = learn(blobs.rows, blobs.target, blobs.groups, {LearnMethod::svm_linear, 3, 1}, {});
  model.learned.columns = {"a", "b", "c"};
  model.clips.set = "asa";
  model.clips.frame = 15;
  model.clips.sfi.mic_distance = 0.012;
  model.sample_rate = 20480.0;
  model.target = "label";
  return model;
}

TEST(SceneModel, ThereAndBack) {
  const TemporaryFolder folder;
  write_scene_model(folder / "m.json", small_model());
  const SceneModel found = read_scene_model(folder / "m.json");
  EXPECT_EQ(found.clips.set, "asa");
  EXPECT_EQ(found.clips.frame, 15U);
  EXPECT_EQ(found.clips.sfi.mic_distance, 0.012);
  EXPECT_EQ(found.sample_rate, 20480.0);
  EXPECT_EQ(to_record(found.learned), to_record(small_model().learned));
}

TEST(SceneModel, OneOfVersion1HearsTheFirstChannelAsItIs) {
  const TemporaryFolder folder;
  write_scene_model(folder / "m.json", small_model());
  Record record = read_record(folder / "m.json");
  record.version = 1;
  const auto without = [](const Value& value, std::initializer_list<std::string_view> names) {
    Value::Object fields = value.as_object();
    std::erase_if(fields, [&](const auto& field) { return std::ranges::find(names, field.first) != names.end(); });
    return Value(fields);
  };
  record.fields = without(record.fields, {"calibration"});
  record.fields.set("features", without(record.fields.at("features"), {"channel", "rate"}));
  write_record(folder / "m.json", record);
  const SceneModel found = read_scene_model(folder / "m.json");
  EXPECT_EQ(found.clips.channel, 1U);
  EXPECT_EQ(found.clips.rate, 0.0);
  EXPECT_EQ(found.clips.frame, 15U);
  EXPECT_TRUE(found.learned.calibration.offsets.empty());
}

TEST(SceneModel, AnEditedOneIsRefused) {
  const TemporaryFolder folder;
  write_scene_model(folder / "m.json", small_model());
  Record record = read_record(folder / "m.json");
  Value features = record.fields.at("features");
  features.set("frame", "many");
  record.fields.set("features", features);
  write_record(folder / "m.json", record);
  EXPECT_EQ(folder.error_of([&] { read_scene_model(folder / "m.json"); }), "m.json: field 'frame' is 'many'");
}

}  // namespace
}  // namespace motet::audio::scene_model_test
