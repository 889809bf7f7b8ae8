#include "motet/multilabel/clips/clip_model.h"

#include <algorithm>
#include <set>

#include "motet/base/error.h"
#include "motet/data/record_fields.h"

namespace motet::multilabel {
namespace {

ClipLabels labels_from(const Value& value, std::size_t labels) {
  ClipLabels set;
  for (const Value& number : value.as_list()) {
    const std::int64_t label = number.as_whole();
    const bool is_next = set.empty() || label > static_cast<std::int64_t>(set.back());
    if (label < 0 || label >= static_cast<std::int64_t>(labels) || !is_next) {
      fail(ErrorKind::bad_data, "field 'sets' has a list that is no set of labels");
    }
    set.push_back(static_cast<std::size_t>(label));
  }
  if (set.empty()) fail(ErrorKind::bad_data, "field 'sets' has an empty set");
  return set;
}

}  // namespace

std::string_view name_of(ClipTraining training) {
  constexpr std::string_view words[] = {"deconvolution",         "new", "cross", "probabilistic", "point-estimate",
                                        "point-estimate-printed"};
  return words[static_cast<std::size_t>(training)];
}

std::string told_set(const ClipModel& model, const ClipLabels& set) {
  std::string text;
  for (const std::size_t label : set) text += (text.empty() ? "" : "|") + model.labels[label];
  return text;
}

std::vector<const temporal::SourceHmm*> sources_of(const ClipModel& model, std::size_t set) {
  if (model.training == ClipTraining::own_model) return {&model.sources[set]};
  std::vector<const temporal::SourceHmm*> sources;
  for (const std::size_t label : model.sets[set]) sources.push_back(&model.sources[label]);
  return sources;
}

Record to_record(const ClipModel& model) {
  Value::List sets;
  for (const ClipLabels& set : model.sets) sets.push_back(Value::list_of(set));
  Value::List sources;
  for (const temporal::SourceHmm& source : model.sources) sources.push_back(temporal::to_value(source));
  return {std::string(ClipModel::kind), ClipModel::newest_version,
          Value::object({{"columns", Value::list_of(model.columns)},
                         {"labels", Value::list_of(model.labels)},
                         {"training", name_of(model.training)},
                         {"combination", name_of(model.combination)},
                         {"sets", std::move(sets)},
                         {"set_shares", Value::list_of(model.set_shares)},
                         {"sources", std::move(sources)},
                         {"frames", model.frames}})};
}

ClipModel clip_model_from_record(const Record& record) {
  const Value& fields = model_fields(record, ClipModel::kind, ClipModel::newest_version);
  ClipModel model;
  model.columns = texts_at(fields, "columns");
  model.labels = texts_at(fields, "labels");
  model.training = choice_at(fields, "training", ClipTraining::point_estimate_printed);
  model.combination = choice_at(fields, "combination", temporal::SourceCombination::log_add);
  for (const Value& set : fields.at("sets").as_list()) model.sets.push_back(labels_from(set, model.labels.size()));
  if (model.sets.empty() || model.columns.empty() ||
      std::set<ClipLabels>(model.sets.begin(), model.sets.end()).size() != model.sets.size()) {
    fail(ErrorKind::bad_data, "field 'sets' or 'columns' is empty, or a set comes twice");
  }
  model.set_shares = numbers_within(fields, "set_shares", model.sets.size(), 1e-300, 1.0);
  require_shares(model.set_shares, model.sets.size(), 1, "set_shares");
  for (const Value& source : fields.at("sources").as_list()) {
    model.sources.push_back(temporal::source_from_value(source, model.columns.size()));
  }
  const std::size_t expected = model.training == ClipTraining::own_model ? model.sets.size() : model.labels.size();
  if (model.sources.size() != expected) {
    fail(ErrorKind::bad_data, "field 'sources' has " + std::to_string(model.sources.size()) + " entries; " +
                                  std::to_string(expected) + " are needed");
  }
  model.frames = fields.at("frames");
  return model;
}

}  // namespace motet::multilabel
