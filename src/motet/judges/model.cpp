#include "motet/judges/model.h"

#include <fmt/format.h>

#include <algorithm>

#include "motet/base/error.h"
#include "motet/data/record_fields.h"

namespace motet::judges {
namespace {

constexpr double most_votes = 1e15;         // stands for "known exactly", which JSON cannot say
constexpr double largest_log_odds = 600.0;  // whose exponentials are numbers, also ten of them multiplied by small ones
constexpr double least_weight = 1e-6;       // of a vote; thousands of judges that say the same come nowhere near it

Value dependence_value(const ErrorDependence& dependence) {
  Value::List pairs;
  for (const ErrorDependence::Pair& pair : dependence.pairs) {
    pairs.push_back(Value::object({{"first", pair.first},
                                   {"second", pair.second},
                                   {"gamma", pair.gamma},
                                   {"correlation", pair.correlation},
                                   {"bic_gain", pair.bic_gain}}));
  }
  return Value::object({{"beta", Value::list_of(dependence.beta)},
                        {"accuracy", Value::list_of(dependence.accuracy)},
                        {"shared_errors", Value::list_of(dependence.shared_errors)},
                        {"effective_judges", dependence.effective_judges},
                        {"pairs", std::move(pairs)}});
}

ErrorDependence dependence_of(const Value& value, std::size_t judge_count) {
  ErrorDependence dependence;
  dependence.beta = numbers_within(value, "beta", judge_count, -largest_log_odds, largest_log_odds);
  dependence.accuracy = numbers_within(value, "accuracy", judge_count, 0.0, 1.0);
  dependence.shared_errors = numbers_at(value, "shared_errors", judge_count);
  dependence.effective_judges = number_within(value, "effective_judges", 0.0, most_votes);
  for (const Value& pair : value.at("pairs").as_list()) {
    dependence.pairs.push_back({static_cast<std::size_t>(pair.at("first").as_whole()),
                                static_cast<std::size_t>(pair.at("second").as_whole()),
                                number_within(pair, "gamma", -largest_log_odds, largest_log_odds),
                                pair.at("correlation").as_number(), pair.at("bic_gain").as_number()});
    const ErrorDependence::Pair& added = dependence.pairs.back();
    if (added.first >= judge_count || added.second >= judge_count || added.first == added.second) {
      fail(ErrorKind::bad_data, "field 'pairs' names a judge that does not exist");
    }
  }
  if (largest_block(judge_count, pairs_of(dependence)) > most_in_block) {
    fail(ErrorKind::bad_data, "field 'pairs' links more than 10 judges");
  }
  for (const double rho : dependence.shared_errors) {
    if (!(rho >= 0.0 && rho < 1.0)) fail(ErrorKind::bad_data, "field 'shared_errors' is outside [0, 1)");
  }
  return dependence;
}

Value states_value(const ItemStates& states) {
  const StateShape& shape = states.shape;
  const std::span<const double> numbers = states.parameters;
  return Value::object({{"per_class", shape.per_class},
                        {"right_strength", states.right_strength},
                        {"wrong_strength", states.wrong_strength},
                        {"levels", Value::list_of(shape.levels)},
                        {"background", Value::list_of(shape.background)},
                        {"state_shares", Value::list_of(numbers.first(shape.state_count()))},
                        {"level_shares", Value::list_of(numbers.subspan(shape.state_count(), shape.level_count()))},
                        {"tables", Value::list_of(numbers.subspan(shape.table_begin()))}});
}

ItemStates states_of(const Value& value, std::size_t judges, std::size_t k) {
  constexpr std::size_t most_states = 1000;
  const std::int64_t per_class = value.at("per_class").as_whole();
  if (per_class < 1 || per_class > static_cast<std::int64_t>(most_states)) {
    fail(ErrorKind::bad_data, fmt::format("field 'per_class' = {} is outside 1 to {}", per_class, most_states));
  }
  ItemStates states;
  StateShape& shape = states.shape;
  shape.class_count = k;
  shape.per_class = static_cast<std::size_t>(per_class);
  shape.levels = numbers_within(value, "levels", value.at("levels").as_list().size(), 0.0, 1.0);
  if (shape.levels.empty() || shape.levels[0] != 0.0) fail(ErrorKind::bad_data, "field 'levels' must begin with 0");
  shape.background = numbers_within(value, "background", k, 0.0, 1.0);
  require_shares(shape.background, k, 1, "background");
  states.right_strength = number_within(value, "right_strength", 0.0, most_votes);
  states.wrong_strength = number_within(value, "wrong_strength", 0.0, most_votes);
  const auto take = [&](const char* key, std::size_t size) {
    std::vector<double> numbers = numbers_within(value, key, size, 0.0, 1.0);
    states.parameters.insert(states.parameters.end(), numbers.begin(), numbers.end());
    return numbers;
  };
  require_shares(take("state_shares", shape.state_count()), shape.state_count(), 1, "state_shares");
  require_shares(take("level_shares", shape.level_count()), shape.level_count(), 1, "level_shares");
  const std::vector<double> tables = take("tables", judges * k * shape.state_count());
  for (std::size_t j = 0; j < judges; ++j) {
    for (std::size_t z = 0; z < shape.state_count(); ++z) {
      require_shares(std::span(tables).subspan(j * k * shape.state_count() + z), k, shape.state_count(), "tables");
    }
  }
  return states;
}

}  // namespace

Record to_record(const JudgesModel& model) {
  const std::size_t k = model.class_count();
  const std::span<const double> parameters = model.parameters;
  const std::span<const double> statistics = model.statistics;
  std::vector<double> precision = model.accuracy_votes;
  for (double& votes : precision) votes = std::min(votes, most_votes);
  Value fields = Value::object({{"classes", Value::list_of(model.classes)},
                                {"judges", Value::list_of(model.judges)},
                                {"noise", model.model_kind().name},
                                {"prior_known", model.prior_known},
                                {"prior", Value::list_of(parameters.first(k))},
                                {"tables", Value::list_of(parameters.subspan(k))},
                                {"pseudo_votes", Value::list_of(model.pseudo.cells)},
                                {"pseudo_items", Value::list_of(model.pseudo.class_mass)},
                                {"vote_weight", model.vote_weight},
                                {"log_likelihood", statistics[0]},
                                {"expected_items", Value::list_of(statistics.subspan(1, k))},
                                {"expected_votes", Value::list_of(statistics.subspan(1 + k))},
                                {"votes", Value::list_of(model.judge_votes)},
                                {"accuracy_votes", Value::list_of(precision)},
                                {"items", model.items}});
  if (!model.seen_accuracy.empty()) fields.set("seen_accuracy", Value::list_of(model.seen_accuracy));
  if (model.states) fields.set("states", states_value(*model.states));
  if (model.dependence) fields.set("dependence", dependence_value(*model.dependence));
  for (std::size_t i = 0; i < model.by_judge.size(); ++i) {
    fields.set(std::string(model.model_kind().by_judge[i]), Value::list_of(model.by_judge[i]));
  }
  return {std::string(JudgesModel::kind), JudgesModel::newest_version, std::move(fields)};
}

JudgesModel judges_from_record(const Record& record) {
  const Value& fields = model_fields(record, JudgesModel::kind, JudgesModel::newest_version);
  JudgesModel model;
  model.classes = texts_at(fields, "classes");
  model.judges = texts_at(fields, "judges");
  const std::size_t k = model.class_count();
  const std::size_t cells = model.judge_count() * k * k;
  if (k < 2 || model.judges.empty()) fail(ErrorKind::bad_data, "a judges model needs two classes and a judge");
  const std::string& noise = fields.at("noise").as_text();
  const std::vector<std::string_view> names = judge_model_names();
  const auto named = std::find(names.begin(), names.end(), noise);
  if (named == names.end()) {
    fail(ErrorKind::bad_data,
         fmt::format("field 'noise' is '{}'; one of {{{}}} is needed", noise, fmt::join(names, ", ")));
  }
  model.noise = static_cast<JudgeNoise>(named - names.begin());
  for (const std::string_view name : model.model_kind().by_judge) {
    model.by_judge.push_back(
        numbers_within(fields, std::string(name).c_str(), model.judge_count(), -largest_log_odds, largest_log_odds));
  }
  model.prior_known = fields.at("prior_known").as_bool();
  model.parameters = numbers_within(fields, "prior", k, 0.0, 1.0);
  require_shares(model.parameters, k, 1, "prior");
  const std::vector<double> tables = numbers_within(fields, "tables", cells, 0.0, 1.0);
  for (std::size_t j = 0; j < model.judge_count(); ++j) {
    for (std::size_t y = 0; y < k; ++y) require_shares(std::span(tables).subspan(j * k * k + y), k, k, "tables");
  }
  model.parameters.insert(model.parameters.end(), tables.begin(), tables.end());
  const auto counts = [&](const char* key, std::size_t size) {
    return numbers_within(fields, key, size, 0.0, most_votes);
  };
  model.pseudo.cells = counts("pseudo_votes", k * k);
  model.pseudo.class_mass = counts("pseudo_items", k);
  model.vote_weight = number_within(fields, "vote_weight", least_weight, 1.0);
  model.statistics = {number_within(fields, "log_likelihood", -largest_in_model, most_votes)};
  for (const double mass : counts("expected_items", k)) model.statistics.push_back(mass);
  for (const double count : counts("expected_votes", cells)) model.statistics.push_back(count);
  model.judge_votes = counts("votes", model.judge_count());
  model.accuracy_votes = counts("accuracy_votes", model.judge_count());
  if (fields.find("seen_accuracy") != nullptr) {
    model.seen_accuracy = numbers_within(fields, "seen_accuracy", model.judge_count(), 0.0, 1.0);
  }
  model.items = number_within(fields, "items", 0.0, most_votes);
  if (const Value* dependence = fields.find("dependence")) {
    model.dependence = dependence_of(*dependence, model.judge_count());
  }
  if (model.model_kind().has_states) model.states = states_of(fields.at("states"), model.judge_count(), k);
  return model;
}

}  // namespace motet::judges
