#include "motet/app/audio/scene_model.h"

#include "motet/base/error.h"
#include "motet/io/record_file.h"

namespace motet::audio {
namespace {

SceneModel model_of(const Record& record) {
  SceneModel model;
  model.learned = learned_from_record(record);
  model.sample_rate = record.fields.at("sample_rate").as_number();
  model.target = record.fields.at("target").as_text();
  const Value& features = record.fields.at("features");
  for (const Field& field : fields_of(model.clips)) {
    // Models of version 1 know of the first channel at the rate that clips had.
    if (record.version == 1 && (field.name == "channel" || field.name == "rate")) continue;
    const std::string& text = features.at(field.name).as_text();
    // A message of the command line would name a flag that nobody typed.
    try {
      field.set(text);
    } catch (const Error&) {
      fail(ErrorKind::bad_data, "field '" + field.name + "' is '" + text + "'");
    }
  }
  return model;
}

}  // namespace

void write_scene_model(const std::string& path, const SceneModel& model) {
  Record record = to_record(model.learned);
  record.fields.set("sample_rate", model.sample_rate);
  record.fields.set("target", model.target);
  Value features;
  ClipOptions clips = model.clips;
  for (const Field& field : fields_of(clips)) features.set(field.name, field.default_text);
  record.fields.set("features", std::move(features));
  write_record(path, record);
}

SceneModel read_scene_model(const std::string& path) {
  const Record record = read_record(path);
  return with_frame(path, [&] { return model_of(record); });
}

}  // namespace motet::audio
