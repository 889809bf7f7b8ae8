#include "motet/multilabel/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "motet/base/error.h"
#include "motet/base/numeric.h"
#include "motet/data/record_fields.h"
#include "motet/sources/density/set_density.h"

namespace motet::multilabel {
namespace {

constexpr const char* kind = "multilabel";
constexpr int newest_version = 2;  // 2: groups of labels, trainings without sources, values for missing ones

// Options as in files of the first version, where nothing newer is used.
Value written_options(const TrainOptions& options) {
  const Value all = options_value(options);
  Value::Object kept = all.as_object();
  std::erase_if(kept, [&](const auto& field) {
    return field.first == "budget" || (field.first == "penalty" && has_sources(options.method)) ||
           (field.first == "optimize" && options.optimize == Optimize::exact_match);
  });
  return Value(std::move(kept));
}

TrainOptions read_options(Value fields) {
  const Value newer = options_value(TrainOptions{});
  for (const char* name : {"penalty", "optimize", "budget"}) {
    if (fields.is_object() && fields.find(name) == nullptr) fields.set(name, newer.at(name));
  }
  return options_from<TrainOptions>(fields);
}

Value calibration_value(const Calibration& calibration) {
  Value::List levels;
  Value::List values;
  for (const auto& [level, value] : calibration.density) {
    levels.emplace_back(level);
    values.emplace_back(value);
  }
  return Value::object({{"intercept", calibration.intercept},
                        {"slope", calibration.slope},
                        {"items", calibration.items},
                        {"density_levels", std::move(levels)},
                        {"density", std::move(values)}});
}

Calibration calibration_from(const Value& value) {
  Calibration calibration;
  calibration.intercept = finite_at(value, "intercept");
  calibration.slope = finite_at(value, "slope");
  calibration.items = count_at(value, "items");
  const std::vector<double> levels = numbers_at(value, "density_levels");
  const std::vector<double> values = numbers_at(value, "density", levels.size());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const bool rises = i == 0 || (levels[i] > levels[i - 1] && values[i] >= values[i - 1]);
    if (!(levels[i] >= 0.0 && levels[i] <= 1.0) || !rises) {
      fail(ErrorKind::bad_data, "field 'density' does not rise with its levels between 0 and 1");
    }
    calibration.density.emplace_back(levels[i], values[i]);
  }
  return calibration;
}

Value trial_value(const Trial& trial) {
  return Value::object({{"name", trial.name},
                        {"options", written_options(trial.options)},
                        {"error", trial.error},
                        {"standard_error", trial.standard_error},
                        {"log_loss", trial.log_loss},
                        {"behind", trial.behind},
                        {"behind_error", trial.behind_error},
                        {"loss", trial.loss}});
}

Trial trial_from(const Value& value) {
  Trial trial{value.at("name").as_text(),       read_options(value.at("options")),
              finite_at(value, "error"),        finite_at(value, "standard_error"),
              finite_at(value, "log_loss"),     finite_at(value, "behind"),
              finite_at(value, "behind_error"), 0};
  trial.loss = value.find("loss") != nullptr ? finite_at(value, "loss") : trial.error;  // older files have only that
  if (!(trial.error >= 0.0 && trial.error <= 1.0)) fail(ErrorKind::bad_data, "field 'error' is outside [0, 1]");
  return trial;
}

Value against_value(const OneAgainstAll& against) {
  return Value::object({{"rest", to_value(against.rest)},
                        {"with", Value::list_of(against.with)},
                        {"without", Value::list_of(against.without)}});
}

OneAgainstAll against_from(const Value& value, const MultilabelModel& model) {
  OneAgainstAll against;
  against.rest = sources_from(value.at("rest"));
  against.with = finite_numbers(value, "with", model.labels.size());
  against.without = finite_numbers(value, "without", model.labels.size());
  for (std::size_t k = 0; k < model.labels.size(); ++k) {
    if (against.with[k] > 0.0 && against.without[k] >= 0.0) continue;
    fail(ErrorKind::bad_data, "fields 'with' and 'without' hold numbers of items; with is above 0");
  }
  if (!has_one_against_all(model.options.method) || against.rest.family != model.sources.family ||
      against.rest.covariance != model.sources.covariance || against.rest.dimensions != model.sources.dimensions ||
      against.rest.background || against.rest.count != model.labels.size()) {
    fail(ErrorKind::bad_data, "field 'rest' is of another kind than the options say");
  }
  return against;
}

void require_linear(const MultilabelModel& model) {
  const Training method = model.options.method;
  if (!model.linear) fail(ErrorKind::bad_data, "field 'linear' is missing");
  const std::size_t rows = method == Training::powerset ? model.prior.sets.rows() : model.labels.size();
  if (model.linear->rows != rows || model.linear->dimensions != model.preparation.outputs() ||
      model.linear->links.empty() == (method == Training::chain)) {
    fail(ErrorKind::bad_data, "field 'linear' is of another shape than the options and features say");
  }
}

// The parts of a model fit together.
void require_consistent(const MultilabelModel& model) {
  if (model.labels.empty()) fail(ErrorKind::bad_data, "field 'labels' is empty");
  std::vector<std::string> names = model.labels;
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) fail(ErrorKind::bad_data, "field 'labels' has '" + *twice + "' twice");
  if (model.options.method == Training::automatic) {
    fail(ErrorKind::bad_data, "field 'method' is 'auto', which a trained model has not");
  }
  if (model.prior.labels() != model.labels.size()) {
    fail(ErrorKind::bad_data,
         fmt::format("field 'prior' has {} labels, the model {}", model.prior.labels(), model.labels.size()));
  }
  if (!has_sources(model.options.method)) return require_linear(model);
  if (model.sources.dimensions != model.preparation.outputs()) {
    fail(ErrorKind::bad_data, fmt::format("field 'sources' has {} dimensions, prepared features have {}",
                                          model.sources.dimensions, model.preparation.outputs()));
  }
  const std::size_t sources = model.per_set() ? model.prior.sets.rows() : model.labels.size();
  if (model.sources.label_count() != sources) {
    fail(ErrorKind::bad_data,
         fmt::format("field 'sources' has {} sources, {} are needed", model.sources.label_count(), sources));
  }
  const bool background = model.options.background && !model.per_set();
  if (model.sources.family != model.options.source || model.sources.combination != model.options.combine ||
      model.sources.covariance != model.options.covariance || model.sources.background != background) {
    fail(ErrorKind::bad_data, "field 'sources' is of another kind than the options say");
  }
}

// Density of each observed set from its own source, -inf for sets that were not observed.
std::vector<double> own_densities(const MultilabelModel& model, const BitMatrix& sets, std::span<const double> x,
                                  Threads threads) {
  std::vector<std::size_t> column(sets.rows(), no_set);
  std::vector<std::size_t> wanted;
  for (std::size_t j = 0; j < sets.rows(); ++j) {
    const std::size_t found = find_set(model.prior.sets, sets.row(j));
    if (found == no_set) continue;
    column[j] = wanted.size();
    wanted.push_back(found);
  }
  BitMatrix alone(wanted.size(), model.sources.count);
  for (std::size_t i = 0; i < wanted.size(); ++i) alone.set(i, wanted[i]);
  const std::vector<double> own = log_densities(model.sources, alone, x, threads);
  const std::size_t rows = x.size() / model.sources.dimensions;
  std::vector<double> densities(rows * sets.rows(), -std::numeric_limits<double>::infinity());
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t j = 0; j < sets.rows(); ++j) {
      if (column[j] != no_set) densities[n * sets.rows() + j] = own[n * wanted.size() + column[j]];
    }
  }
  return densities;
}

// sum_n log p(L_n | x_n) among the observed sets.
double log_conditional(const MultilabelModel& model, const LabelSetIndex& index, std::span<const double> x,
                       Threads threads) {
  const std::vector<double> prior = log_observed_priors(model);
  const std::size_t sets = prior.size();
  constexpr std::size_t together = 1024;
  const std::size_t dimensions = model.preparation.outputs();
  double sum = 0.0;
  for (std::size_t begin = 0; begin < index.of_row.size(); begin += together) {
    const std::size_t end = std::min(index.of_row.size(), begin + together);
    std::vector<double> joint =
        log_densities(model, model.prior.sets, x.subspan(begin * dimensions, (end - begin) * dimensions), threads);
    for (std::size_t n = begin; n < end; ++n) {
      const std::span<double> own = std::span(joint).subspan((n - begin) * sets, sets);
      for (std::size_t j = 0; j < sets; ++j) own[j] += prior[j];
      sum += own[find_set(model.prior.sets, index.sets.row(index.of_row[n]))] - log_sum_exp(own);
    }
  }
  return sum;
}

}  // namespace

Record to_record(const MultilabelModel& model) {
  Value::List trials;
  for (const Trial& trial : model.trials) trials.push_back(trial_value(trial));
  Value fields = Value::object({{"labels", Value::list_of(model.labels)},
                                {"options", written_options(model.options)},
                                {"preparation", to_value(model.preparation)}});
  if (has_sources(model.options.method)) fields.set("sources", to_value(model.sources));
  fields.set("prior", to_value(model.prior));
  fields.set("calibration", calibration_value(model.calibration));
  fields.set("trials", std::move(trials));
  if (model.against) fields.set("one_against_all", against_value(*model.against));
  if (model.linear) fields.set("linear", to_value(*model.linear));
  if (!model.fill.empty()) fields.set("fill", Value::list_of(model.fill));
  if (!model.thresholds.empty()) fields.set("thresholds", Value::list_of(model.thresholds));
  if (model.groups) fields.set("label_groups", to_value(*model.groups));
  const bool is_newer = model.linear || model.groups || !model.fill.empty() || !model.thresholds.empty();
  return {kind, is_newer ? newest_version : 1, std::move(fields)};
}

MultilabelModel multilabel_from_record(const Record& record) {
  const Value& fields = model_fields(record, kind, newest_version);
  MultilabelModel model;
  model.labels = texts_at(fields, "labels");
  model.options = with_frame("options", [&] { return read_options(fields.at("options")); });
  model.preparation = with_frame("preparation", [&] { return preparation_from(fields.at("preparation")); });
  if (has_sources(model.options.method)) {
    model.sources = with_frame("sources", [&] { return sources_from(fields.at("sources")); });
  } else {
    model.linear = with_frame("linear", [&] { return linear_weights_from(fields.at("linear")); });
  }
  model.prior = with_frame("prior", [&] { return set_prior_from(fields.at("prior")); });
  model.calibration = with_frame("calibration", [&] { return calibration_from(fields.at("calibration")); });
  for (const Value& trial : fields.at("trials").as_list()) {
    model.trials.push_back(with_frame("trials", [&] { return trial_from(trial); }));
  }
  require_consistent(model);
  if (fields.find("thresholds") != nullptr) {
    model.thresholds = numbers_within(fields, "thresholds", model.labels.size(), 0.0, 1.0);
  }
  if (fields.find("fill") != nullptr) model.fill = finite_numbers(fields, "fill", model.preparation.inputs());
  if (const Value* groups = fields.find("label_groups")) {
    model.groups = with_frame("label_groups", [&] { return label_groups_from(*groups); });
    if (model.groups->names() != model.labels) {
      fail(ErrorKind::bad_data, "field 'label_groups' has other groups than the labels that were learnt");
    }
  }
  // Files of older programs, and of other trainings, have none.
  if (const Value* against = fields.find("one_against_all")) {
    model.against = with_frame("one_against_all", [&] { return against_from(*against, model); });
  }
  return model;
}

BitMatrix learnt_sets(const MultilabelModel& model, const BitMatrix& sets) {
  return model.groups ? model.groups->grouped(sets) : sets;
}

std::vector<double> log_observed_priors(const MultilabelModel& model) {
  if (weighs_shares(model.options.method)) return log_shares(model.prior);
  return std::vector<double>(model.prior.sets.rows(), 0.0);
}

std::vector<double> log_candidate_priors(const MultilabelModel& model, const BitMatrix& sets) {
  if (weighs_shares(model.options.method)) return log_priors(model.prior, sets);
  return std::vector<double>(sets.rows(), 0.0);
}

std::vector<double> log_densities(const MultilabelModel& model, const BitMatrix& sets, std::span<const double> x,
                                  Threads threads) {
  if (model.linear) return set_scores(*model.linear, model.options.method, model.prior.sets, sets, x, threads);
  if (model.per_set()) return own_densities(model, sets, x, threads);
  return log_densities(model.sources, sets, x, threads);
}

double log_likelihood(const MultilabelModel& model, const LabelSetIndex& index, std::span<const double> x,
                      Threads threads) {
  if (model.linear) return log_conditional(model, index, x, threads);
  if (model.per_set()) {
    BitMatrix alone(index.size(), model.sources.count);
    for (std::size_t s = 0; s < index.size(); ++s) alone.set(s, find_set(model.prior.sets, index.sets.row(s)));
    return log_likelihood(model.sources, alone, index.of_row, x, threads);
  }
  const std::size_t empty = find_set(index.sets, BitMatrix(1, index.sets.columns()).row(0));
  if (model.sources.background || empty == no_set) {
    return log_likelihood(model.sources, index.sets, index.of_row, x, threads);
  }
  std::vector<std::uint32_t> of_row;
  std::vector<double> rows;
  const std::size_t dimensions = model.sources.dimensions;
  for (std::size_t n = 0; n < index.of_row.size(); ++n) {
    if (index.of_row[n] == empty) continue;
    of_row.push_back(index.of_row[n]);
    rows.insert(rows.end(), x.begin() + static_cast<std::ptrdiff_t>(n * dimensions),
                x.begin() + static_cast<std::ptrdiff_t>((n + 1) * dimensions));
  }
  return log_likelihood(model.sources, index.sets, of_row, rows, threads);
}

}  // namespace motet::multilabel
