#include "motet/multilabel/theory/analyze.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <optional>

#include "motet/base/error.h"
#include "motet/base/interval.h"
#include "motet/base/numeric.h"
#include "motet/multilabel/sources/fit_sources.h"
#include "motet/multilabel/theory/precision.h"
#include "motet/multilabel/theory/precision_spread.h"
#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

// The items' sets with their labels in the model's order.
BitMatrix sets_as_in(const LabelledItems& items, const MultilabelModel& model) {
  if (!items.has_sets()) fail(ErrorKind::bad_data, "the items have no label sets, so nothing can be said of sources");
  if (items.labels == model.all_labels()) return learnt_sets(model, items.sets);
  std::vector<std::uint32_t> columns;
  for (const std::string& label : model.all_labels()) {
    const auto at = std::find(items.labels.begin(), items.labels.end(), label);
    if (at == items.labels.end()) fail(ErrorKind::bad_data, fmt::format("the items have no label '{}'", label));
    columns.push_back(static_cast<std::uint32_t>(at - items.labels.begin()));
  }
  return learnt_sets(model, items.sets.columns_of(columns));
}

// Sets that no source explains (without labels, and no background) are left out.
LabelSetIndex explained(const LabelSetIndex& index, bool background, std::vector<double>& x, std::size_t dimensions,
                        std::vector<std::string>& warnings) {
  const std::size_t empty = find_set(index.sets, BitMatrix(1, index.sets.columns()).row(0));
  if (background || empty == no_set) return index;
  warnings.push_back(
      fmt::format("{} items without labels are left out: the model has no background", index.count(empty)));
  std::vector<std::uint32_t> kept;
  std::vector<double> rows;
  for (std::uint32_t n = 0; n < index.of_row.size(); ++n) {
    if (index.of_row[n] == empty) continue;
    kept.push_back(index.of_row[n]);
    const auto first = x.begin() + static_cast<std::ptrdiff_t>(n * dimensions);
    rows.insert(rows.end(), first, first + static_cast<std::ptrdiff_t>(dimensions));
  }
  x = std::move(rows);
  return index_label_sets(index.sets.rows_of(kept));
}

// Means of counts and of gamma emissions are their sums in another unit: all that is known of sums holds for them.
bool is_mean_of_sums(const MultilabelModel& model) {
  const Family family = model.sources.family;
  return model.sources.combination == Combination::mean && !has_closed_form(family, Combination::mean) &&
         has_closed_form(family, Combination::sum);
}

MultilabelModel of_sums(MultilabelModel model) {
  model.options.combine = Combination::sum;
  model.sources.combination = Combination::sum;
  return model;
}

void multiply_by_degree(const LabelSetIndex& index, const Sources& sources, std::vector<double>& x) {
  const std::size_t dimensions = sources.dimensions;
  const bool is_whole = family_of(sources.family).is_whole;
  for (std::size_t n = 0; n < index.of_row.size(); ++n) {
    const double m = static_cast<double>(index.sets.count(index.of_row[n]) + (sources.background ? 1 : 0));
    for (std::size_t d = 0; d < dimensions; ++d) {
      double& value = x[n * dimensions + d];
      value = is_whole ? std::round(value * m) : value * m;
    }
  }
}

// Cross and probabilistic training learn from the means as they are, of which the theory of sums says nothing.
void forget_mixed_trainings(Analysis& analysis) {
  for (std::vector<ParameterError>* const some : {&analysis.parameters, &analysis.spreads}) {
    for (ParameterError& one : *some) {
      for (const Training method : {Training::cross, Training::probabilistic}) {
        one.standard_error[static_cast<std::size_t>(method)] = no_number;
        one.bias[static_cast<std::size_t>(method)] = no_number;
      }
    }
  }
}

bool needs_full(const TrainOptions& options) {
  return is_gaussian(options.source) && options.covariance != Covariance::spherical &&
         options.covariance != Covariance::diagonal;
}

// Sources that deconvolution finds in these statistics; none, with a warning, when it cannot.
std::optional<Sources> deconvolved(const SetStatistics& statistics, const MultilabelModel& model, const RunContext& run,
                                   std::vector<std::string>& warnings) {
  TrainOptions options = model.options;
  options.method = Training::deconvolution;
  try {
    return fit_named_sources(statistics, options, run, model.labels).sources;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted || error.kind() == ErrorKind::internal) throw;
    warnings.push_back(fmt::format("deconvolution cannot be fitted to these items: {}", error.what()));
    return std::nullopt;
  }
}

// --- intervals ------------------------------------------------------------------------

double upper_quantile(double confidence, double degrees) {
  const double level = 0.5 + 0.5 * confidence;
  if (!(degrees < 1e6)) return normal_quantile(level);
  return boost::math::quantile(boost::math::students_t(std::max(degrees, 1.0)), level);
}

Interval interval_of(double value, double error, double confidence, double degrees, ParameterScale scale,
                     double items) {
  if (std::isnan(error)) return {no_number, no_number};
  const double reach = upper_quantile(confidence, degrees) * error;
  if (scale == ParameterScale::plain) return {value - reach, value + reach};
  if (scale == ParameterScale::logarithm) {
    if (!(value > 0.0)) return {0.0, reach};
    return {value * std::exp(-reach / value), value * std::exp(reach / value)};
  }
  // As for the error, 0 and 1 are taken half an item away; the interval then reaches to the value itself.
  const double least = 0.5 / (items + 1.0);
  const double p = std::clamp(value, least, 1.0 - least);
  const double logit = std::log(p / (1.0 - p));
  const double step = reach / (p * (1.0 - p));
  return {std::min(value, 1.0 / (1.0 + std::exp(step - logit))),
          std::max(value, 1.0 / (1.0 + std::exp(-step - logit)))};
}

// A variance, known as from 2 (value / error)^2 items. `left` is the share of degrees of all items that the means
// did not take; of so few items its own mean takes one. By the smaller share the estimate is too small.
Interval interval_of_variance(double value, double error, double confidence, double left) {
  if (std::isnan(error) || !(left > 0.0) || !(value > 0.0)) return {no_number, no_number};
  const double known = 2.0 * value * value / (error * error);
  left = std::min(left, 1.0 - 1.0 / (known + 1.0));
  const double degrees = known * left;
  return interval_of(value / left, error / left, confidence, degrees, ParameterScale::logarithm, 0.0);
}

struct Items {
  std::vector<double> of_source;
  double total = 0.0;
};

Items items_of(const Sources& sources, const SetStatistics& statistics) {
  Items items{std::vector<double>(sources.count, 0.0), statistics.total()};
  for (std::size_t j = 0; j < statistics.size(); ++j) {
    for (const std::size_t k : members(sources, statistics.sets.row(j))) items.of_source[k] += statistics.count[j];
  }
  return items;
}

void copy_row(ParameterError& to, const Precision& from, std::size_t row, std::size_t column) {
  for (std::size_t m = 0; m < training_count; ++m) {
    const std::size_t place = from.place(static_cast<Training>(m), row, column);
    to.standard_error[m] = from.error[place];
    to.bias[m] = std::isnan(from.error[place]) ? no_number : from.bias[place];
  }
}

void add_locations(Analysis& analysis, const Sources& sources, const SetStatistics& statistics, double confidence,
                   Threads threads) {
  const Items items = items_of(sources, statistics);
  const Precision precision = location_precision(sources, statistics.sets, statistics.count, threads);
  const bool gaussian = is_gaussian(sources.family);
  const ParameterScale scale = family_of(sources.family).location.scale;
  // Estimated variances are too small by the share of degrees that the means took.
  const double left = gaussian ? 1.0 - static_cast<double>(sources.count) / items.total : 1.0;
  for (std::uint32_t k = 0; k < sources.count; ++k) {
    for (std::uint32_t d = 0; d < sources.dimensions; ++d) {
      ParameterError parameter;
      parameter.source = k;
      parameter.dimension = d;
      parameter.value = sources.location[k * sources.dimensions + d];
      copy_row(parameter, precision, k, d);
      const double error = left > 0.0 ? parameter.standard_error[0] / std::sqrt(left) : no_number;
      const Interval interval =
          interval_of(parameter.value, error, confidence, left * precision.degrees[k * sources.dimensions + d], scale,
                      items.of_source[k]);
      parameter.low = interval.low;
      parameter.high = interval.high;
      analysis.parameters.push_back(parameter);
    }
  }
  if (gaussian && precision.rows * precision.columns > dense_limit && sources.covariance == Covariance::full) {
    analysis.warnings.push_back(
        fmt::format("{} means with covariances of their own are too many for one matrix: no intervals; --pca or "
                    "another covariance gives them",
                    precision.rows * precision.columns));
  }
}

void add_spreads(Analysis& analysis, const Sources& sources, const SetStatistics& statistics, double confidence) {
  const Precision precision = spread_precision(sources, statistics.sets, statistics.count);
  const ParameterScale shared_scale = family_of(sources.family).shared.scale;
  const bool shared = precision.rows == 1 && sources.spread.size() != sources.count;
  const double left = 1.0 - static_cast<double>(sources.count) / statistics.total();
  for (std::uint32_t k = 0; k < precision.rows; ++k) {
    const std::vector<double> covariance =
        is_gaussian(sources.family) ? covariance_of(sources, k) : std::vector<double>{};
    for (std::uint32_t d = 0; d < precision.columns; ++d) {
      ParameterError parameter;
      parameter.source = shared ? static_cast<std::uint32_t>(sources.count) : k;
      parameter.dimension = d;
      parameter.value = covariance.empty() ? sources.spread[d] : covariance[d * sources.dimensions + d];
      copy_row(parameter, precision, k, d);
      const double error = parameter.standard_error[0];
      const Interval interval =
          is_gaussian(sources.family)
              ? interval_of_variance(parameter.value, error, confidence, left)
              : interval_of(parameter.value, error, confidence, INFINITY, shared_scale, statistics.total());
      parameter.low = interval.low;
      parameter.high = interval.high;
      analysis.spreads.push_back(parameter);
    }
  }
}

void add_set_tests(Analysis& analysis, const Sources& sources, const SetStatistics& statistics,
                   const std::vector<std::string>& labels, Threads threads) {
  if (is_gaussian(sources.family) && sources.covariance == Covariance::full &&
      sources.count * sources.dimensions > dense_limit) {
    analysis.untested = "means with covariances of their own are too many for one matrix";
    return;
  }
  const std::vector<SetFit> fits = set_fits(sources, statistics, threads);
  double least = 1.0;
  for (std::size_t j = 0; j < statistics.size(); ++j) {
    if (members(sources, statistics.sets.row(j)).size() < 2 || statistics.count[j] < 2.0) continue;
    const SetFit& fit = fits[j];
    analysis.sets.push_back({joined_labels(statistics.sets.row(j), labels),
                             static_cast<std::size_t>(statistics.count[j]), fit.statistic, fit.degrees, fit.p_value,
                             fit.shift});
    if (!(fit.degrees > 0.0)) continue;
    ++analysis.tested;
    least = std::min(least, fit.p_value);
  }
  if (analysis.tested > 0) {
    analysis.overall_p = std::min(1.0, static_cast<double>(analysis.tested) * least);
  } else {
    analysis.untested = analysis.sets.empty() ? "none of several labels has two items or more"
                                              : "no set tells of the sources of another";
  }
}

}  // namespace

Analysis analyze(const LabelledItems& items, const MultilabelModel& given, double confidence, const RunContext& run) {
  if (!(confidence > 0.0 && confidence < 1.0)) {
    fail(ErrorKind::usage, fmt::format("--confidence {} is not between 0 and 1", to_text(confidence)));
  }
  if (given.linear) {
    fail(ErrorKind::unanswerable,
         fmt::format("a model of --method {} has no sources that could be analyzed; train with deconvolution",
                     training_words[static_cast<std::size_t>(given.options.method)]));
  }
  Analysis analysis;
  analysis.items = items.rows();
  const MultilabelModel model = is_mean_of_sums(given) ? of_sums(given) : given;
  const std::size_t dimensions = model.sources.dimensions;
  std::vector<double> x = prepare(model.preparation, items.features, run.threads);
  const LabelSetIndex index =
      explained(index_label_sets(sets_as_in(items, model)), model.options.background, x, dimensions, analysis.warnings);
  if (is_mean_of_sums(given)) multiply_by_degree(index, model.sources, x);
  analysis.identifiability = identifiability(index.sets, model.labels, model.options.background);

  if (!is_closed_form(model.sources.family, model.sources.combination)) {
    analysis.warnings.push_back(fmt::format("standard errors are not worked out for {} sources with --combine {}",
                                            family_word(model.sources.family),
                                            combination_words[static_cast<std::size_t>(model.sources.combination)]));
    analysis.untested = "the test is not worked out for this combination";
    return analysis;
  }
  if (index.of_row.empty()) {
    analysis.untested = "no item has a label";
    return analysis;
  }
  const SetStatistics statistics =
      gather(index, x, dimensions, model.options.source, needs_full(model.options), run.threads);
  // Means of Gaussian sources are solved for by the test itself; all else needs a fit to these items.
  const bool refit = model.options.method != Training::deconvolution || !is_gaussian(model.sources.family);
  const std::optional<Sources> fitted =
      refit ? deconvolved(statistics, model, run, analysis.warnings) : std::optional<Sources>(model.sources);
  if (!fitted) analysis.untested = "deconvolution cannot be fitted to these items";
  if (model.per_set() && !fitted) return analysis;
  const Sources& sources = model.per_set() ? *fitted : model.sources;
  if (model.options.prior_strength > 0.0) {
    analysis.warnings.push_back("standard errors and intervals leave the prior out");
  }
  add_locations(analysis, sources, statistics, confidence, run.threads);
  add_spreads(analysis, sources, statistics, confidence);
  if (is_mean_of_sums(given)) forget_mixed_trainings(analysis);
  if (fitted) add_set_tests(analysis, *fitted, statistics, model.labels, run.threads);
  return analysis;
}

}  // namespace motet::multilabel
