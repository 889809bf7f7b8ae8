#include "motet/superset/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "motet/base/error.h"
#include "motet/data/record_fields.h"
#include "motet/superset/member_record.h"

namespace motet::superset {
namespace {

constexpr const char* kind = "superset";
constexpr int newest_version = 1;
constexpr std::size_t quantile_count = 1001;

double positive_at(const Value& value, const char* key) {
  const double number = finite_at(value, key);
  if (!(number > 0.0)) fail(ErrorKind::bad_data, fmt::format("field '{}' = {} is not positive", key, number));
  return number;
}

Value scores_value(const std::vector<MemberScore>& scores) {
  Value::List list;
  for (const MemberScore& score : scores) {
    list.push_back(Value::object({{"name", score.name},
                                  {"log_likelihood", score.log_likelihood},
                                  {"error", score.error},
                                  {"weight", score.weight}}));
  }
  return list;
}

SetCalibration sets_from(const Value& value) {
  SetCalibration sets{count_at(value, "items"), {}};
  sets.quantile = finite_numbers(value, "quantile", sets.items == 0 ? 0 : quantile_count);
  if (!std::is_sorted(sets.quantile.begin(), sets.quantile.end())) {
    fail(ErrorKind::bad_data, "field 'quantile' falls");
  }
  return sets;
}

}  // namespace

Record to_record(const SupersetModel& model) {
  Value::List members;
  for (const SupersetMember& member : model.members) members.push_back(to_value(member));
  Value fields = Value::object(
      {{"classes", Value::list_of(model.classes)},
       {"never", Value::list_of(model.never)},
       {"items", model.items},
       {"preparation", to_value(model.preparation)},
       {"options", options_value(model.options)},
       {"members", std::move(members)},
       {"weights", Value::list_of(model.weights)},
       {"sharpness", model.sharpness},
       {"credit", Value::list_of(model.credit)},
       {"companions", Value::list_of(model.companions)},
       {"scores", scores_value(model.scores)},
       {"sets", Value::object({{"items", model.sets.items}, {"quantile", Value::list_of(model.sets.quantile)}})}});
  return {kind, newest_version, std::move(fields)};
}

SupersetModel superset_from_record(const Record& record) {
  const Value& fields = model_fields(record, kind, newest_version);
  SupersetModel model;
  model.classes = texts_at(fields, "classes");
  if (model.classes.size() < 2) fail(ErrorKind::bad_data, "field 'classes' has fewer than two");
  std::vector<std::string> sorted = model.classes;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    fail(ErrorKind::bad_data, "field 'classes' names a class twice");
  }
  model.never = texts_at(fields, "never");
  for (const std::string& name : model.never) {
    if (!std::binary_search(sorted.begin(), sorted.end(), name)) {
      fail(ErrorKind::bad_data, fmt::format("field 'never' names '{}', which is no class", name));
    }
  }
  model.items = count_at(fields, "items");
  model.preparation = with_frame("preparation", [&] { return preparation_from(fields.at("preparation")); });
  model.options = with_frame("options", [&] { return options_from<SupersetOptions>(fields.at("options")); });
  for (const Value& member : fields.at("members").as_list()) {
    model.members.push_back(with_frame(fmt::format("member {}", model.members.size() + 1),
                                       [&] { return member_from(member, model.dimensions(), model.classes.size()); }));
  }
  if (model.members.empty()) fail(ErrorKind::bad_data, "field 'members' is empty");
  model.weights = finite_numbers(fields, "weights", model.members.size());
  double sum = 0.0;
  for (const double weight : model.weights) {
    if (weight < 0.0) fail(ErrorKind::bad_data, "field 'weights' has a negative one");
    sum += weight;
  }
  if (std::abs(sum - 1.0) > 1e-6) fail(ErrorKind::bad_data, fmt::format("field 'weights' sums to {}, not 1", sum));
  model.sharpness = positive_at(fields, "sharpness");
  model.credit = finite_numbers(fields, "credit", model.classes.size());
  for (const double credit : model.credit) {
    if (!(credit > 0.0 && credit <= 1.0)) fail(ErrorKind::bad_data, fmt::format("field 'credit' has {}", credit));
  }
  model.companions = finite_numbers(fields, "companions", model.classes.size());
  for (const Value& score : fields.at("scores").as_list()) {
    model.scores.push_back({score.at("name").as_text(), finite_at(score, "log_likelihood"), finite_at(score, "error"),
                            finite_at(score, "weight")});
  }
  model.sets = with_frame("sets", [&] { return sets_from(fields.at("sets")); });
  return model;
}

}  // namespace motet::superset
