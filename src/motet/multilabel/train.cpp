#include "motet/multilabel/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "motet/base/error.h"
#include "motet/data/missing.h"
#include "motet/data/views.h"
#include "motet/multilabel/calibration.h"
#include "motet/multilabel/choice/choose.h"
#include "motet/multilabel/choice/kept_choice.h"
#include "motet/multilabel/choice/ways.h"
#include "motet/multilabel/linear/linear_fit.h"
#include "motet/multilabel/sources/fit_sources.h"
#include "motet/multilabel/sources/identifiability.h"
#include "motet/multilabel/sources/trainings.h"
#include "motet/sources/family.h"

namespace motet::multilabel {
namespace {

// Sums and means of Boolean values, and means of counts, are numbers of another kind.
Family family_of_values(const TrainOptions& options) {
  const bool is_number = options.method == Training::deconvolution && options.combine != Combination::one_of &&
                         !has_closed_form(options.source, options.combine);
  return is_number && family_of(options.source).is_whole && options.combine != Combination::minimum
             ? Family::exponential
             : options.source;
}

// `named` is the source as the user named it, where the values are of another kind than a source emits.
void require_values(const LabelledItems& items, const TrainOptions& options, Family family, std::string named = {}) {
  if (named.empty()) named = family_word(family);
  const NumberTable& features = items.features;
  const SourceFamily& own = family_of(family);
  for (const std::uint32_t n : teaching_rows(items.sets, options)) {
    for (std::size_t d = 0; d < features.dimensions(); ++d) {
      const double value = features.row(n)[d];
      if (own.values.are_all({&value, 1})) continue;
      fail(ErrorKind::bad_data,
           fmt::format("item '{}': {} = {} cannot come from --source {}; {} are allowed", item_name(features, n),
                       features.columns[d], to_text(value), named, own.values.many));
    }
  }
}

// Variances are squares, and what is learnt about them squares again. `x` is prepared, rows x dimensions.
void require_workable(const LabelledItems& items, const TrainOptions& options, std::span<const double> x,
                      std::size_t dimensions) {
  constexpr double largest = 1e70;
  for (const std::uint32_t n : teaching_rows(items.sets, options)) {
    const auto row = x.subspan(n * dimensions, dimensions);
    if (std::all_of(row.begin(), row.end(), [](double value) { return std::abs(value) <= largest; })) continue;
    const auto own = items.features.row(n);
    const auto worst =
        std::max_element(own.begin(), own.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
    fail(ErrorKind::bad_data,
         fmt::format("item '{}': {} = {} is too large to be taken as it is; divide the feature by a large number, or "
                     "use --standardize with gaussian sources",
                     item_name(items.features, n),
                     items.features.columns[static_cast<std::size_t>(worst - own.begin())], to_text(*worst)));
  }
}

void require_labels(const LabelledItems& items) {
  if (!items.has_sets()) fail(ErrorKind::bad_data, "the items have no labels to learn from");
  if (items.rows() == 0) fail(ErrorKind::unanswerable, "there are no items to learn from");
  if (items.sets.count() == 0) fail(ErrorKind::unanswerable, "no item has a label, so nothing can be learnt");
}

// What is told of labels that are learnt in another way than others, or not at all.
std::vector<std::string> told_labels(const LabelledItems& items, const LabelGroups& groups) {
  std::vector<std::string> warnings;
  for (const std::string& label : groups.absent()) {
    warnings.push_back(
        fmt::format("label '{}' is in no item: nothing can be learnt about it, and it is never given", label));
  }
  const BitMatrix by_label = items.sets.transposed();
  for (const std::vector<std::size_t>& members : groups.members()) {
    std::vector<std::string> names;
    names.reserve(members.size());
    for (const std::size_t k : members) names.push_back(fmt::format("'{}'", groups.labels[k]));
    if (by_label.count(members.front()) == items.rows()) {
      for (const std::string& name : names) {
        warnings.push_back(fmt::format(
            "label {} is in every item: it acts as a background, and no item tells when it is absent", name));
      }
    } else if (names.size() > 1) {
      warnings.push_back(
          fmt::format("labels {} always come together, so no item tells them apart: they are learnt and given as one",
                      fmt::join(names, ", ")));
    }
  }
  return warnings;
}

// What items leave open is settled here and told, not refused: a background explains items without labels, and a weak
// prior decides between sources that no set tells apart.
TrainOptions settled(TrainOptions options, const LabelSetIndex& index, const std::vector<std::string>& labels,
                     std::vector<std::string>& warnings) {
  if (options.method != Training::deconvolution) return options;
  const std::size_t empty = find_set(index.sets, BitMatrix(1, index.sets.columns()).row(0));
  if (empty != no_set && !options.background) {
    options.background = true;
    warnings.push_back(index.count(empty) == 1
                           ? std::string("1 item has no label: a background explains it, as with --background")
                           : fmt::format("{} items have no label: a background explains them, as with --background",
                                         index.count(empty)));
  }
  if (options.prior_strength > 0.0 || options.combine == Combination::one_of) return options;
  const SourceIdentifiability found = identifiability(index.sets, labels, options.background);
  if (found.identifiable) return options;
  options.prior_strength = least_prior;
  warnings.push_back(fmt::format("{}; until then a prior worth one item decides, as with --prior-strength {}",
                                 fmt::join(found.advice, "; "), least_prior));
  return options;
}

void require_fitting_preparation(const TrainOptions& options) {
  const bool prepares = options.standardize || options.pca > 0 || options.kernel > 0;
  const SourceFamily& family = family_of(options.source);
  if (!prepares || (family.has_scatter && !family.is_logarithm)) return;
  fail(ErrorKind::usage, fmt::format("{}: --source {} needs the features as they are; only gaussian can take others",
                                     options.standardize ? "--standardize" : "--pca", family_word(options.source)));
}

std::string constant_text(const std::vector<std::string>& columns) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < columns.size() && i < most; ++i) text += (i > 0 ? ", " : "") + columns[i];
  if (columns.size() > most) text += fmt::format(" and {} more", columns.size() - most);
  return columns.size() == 1 ? fmt::format("feature {} is the same in every item and says nothing", text)
                             : fmt::format("features {} are the same in every item and say nothing", text);
}

std::string few_items_text(std::size_t features, std::size_t items, const TrainOptions& options) {
  const bool matrices = options.covariance != Covariance::diagonal && options.covariance != Covariance::spherical;
  return fmt::format(
      "{} features are more than the {} items: {} lean on {}, not on the items alone; --pca N takes fewer", features,
      items, matrices ? "covariances" : "variances",
      options.prior_strength > 0.0 ? "shrinkage and prior" : "shrinkage");
}

// What is told of a fit beside its model.
void add_findings(const LabelledItems& items, const TrainOptions& chosen, const LabelSetIndex& index,
                  MultilabelFit& fit) {
  if (!std::isfinite(*fit.log_likelihood)) {
    fit.log_likelihood.reset();
    fit.warnings.push_back(
        "some items have values that the sources of their labels cannot give together: there is no "
        "log-likelihood of all items");
  }
  fit.explained = items.rows();
  const std::size_t empty = find_set(index.sets, BitMatrix(1, index.sets.columns()).row(0));
  if (empty != no_set && !chosen.background && !fit.model.per_set() && !fit.model.linear) {
    fit.explained -= index.count(empty);
    fit.warnings.push_back(fmt::format(
        "{} items have no label, so no source explains them: they teach nothing; --background explains them",
        index.count(empty)));
  }
  const bool leans = chosen.shrinkage.value_or(1.0) > 0.0 || chosen.prior_strength > 0.0;
  const std::size_t features = fit.model.preparation.outputs();
  if (has_sources(chosen.method) && is_gaussian(chosen.source) && leans && features > items.rows()) {
    fit.warnings.push_back(few_items_text(features, items.rows(), chosen));
  }
}

// At most one fold for each item; less than 2 are none.
std::size_t usable_folds(std::size_t folds, std::size_t items, std::vector<std::string>& warnings) {
  if (folds <= items) return folds;
  warnings.push_back(
      items < 2 ? "1 item is too few to hold out: nothing is calibrated"
                : fmt::format("--folds {} is more than the {} items: each is held out by itself", folds, items));
  return items;
}

// The fit of the way that is chosen, and its calibration, take about as long as the trials of one way; a third of the
// budget is kept for them.
Deadline deadline_of(const TrainOptions& options) {
  if (!(options.budget > 0.0)) return {};
  constexpr double share = 2.0 / 3.0;
  return {std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                 std::chrono::duration<double>(share * options.budget))};
}

// Finds the way of `auto`.
TrainOptions choose_way(const LabelledItems& items, const TrainOptions& options, std::size_t folds,
                        const RunContext& run, std::vector<TrainOptions>& ways, std::optional<KeptChoice>& kept,
                        MultilabelFit& fit) {
  // A family by name must suit the data; else `auto` would only say that it has nothing to try.
  require_fitting_preparation(options);
  require_values(items, options, options.source);
  ways = ways_to_train(items, options);
  if (folds < 2) return ways.front();
  kept.emplace(run, ways);
  fit.model.trials = kept->trials();
  if (fit.model.trials.empty()) fit.model.trials = try_ways(items, ways, folds, run, deadline_of(options));
  if (options.budget > 0.0 && fit.model.trials.size() < ways.size()) {
    fit.warnings.push_back(
        fmt::format("--budget {:.6g}: {} of {} ways were tried", options.budget, fit.model.trials.size(), ways.size()));
  }
  kept->keep(fit.model.trials);
  return fit.model.trials.front().options;
}

void require_finished(const FitSummary& summary) {
  if (summary.stop != Stop::interrupted) return;
  fail(ErrorKind::interrupted, fmt::format("interrupted at iteration {}", summary.iterations()));
}

void learn(const LabelSetIndex& index, std::span<const double> x, const RunContext& run, const RunContext& kept_run,
           MultilabelFit& fit) {
  MultilabelModel& model = fit.model;
  const std::size_t dimensions = model.preparation.outputs();
  if (has_sources(model.options.method)) {
    SourceFit sources = fit_named_sources(index, x, dimensions, model.options, kept_run, model.labels);
    require_finished(sources.summary);
    model.sources = std::move(sources.sources);
    model.against = learn_one_against_all(index, x, dimensions, model.options, run);
    fit.summary = std::move(sources.summary);
  } else {
    LinearFit linear = fit_linear(index, x, dimensions, model.options, kept_run);
    require_finished(linear.summary);
    model.linear = std::move(linear.weights);
    fit.summary = std::move(linear.summary);
  }
}

// Of labels that are told apart, each in some item.
MultilabelFit train_grouped(const LabelledItems& items, const TrainOptions& options, bool calibrate_too,
                            const RunContext& run) {
  MultilabelFit fit;
  TrainOptions chosen = options;
  const bool by_label = is_by_label(options.optimize);
  const bool holds_out = calibrate_too || by_label || options.method == Training::automatic;
  const std::size_t folds = holds_out ? usable_folds(options.folds, items.rows(), fit.warnings) : options.folds;
  std::vector<TrainOptions> ways;
  std::optional<KeptChoice> kept;
  if (options.method == Training::automatic) chosen = choose_way(items, options, folds, run, ways, kept, fit);
  require_fitting_preparation(chosen);
  if (has_sources(chosen.method)) {
    const Family of_values = family_of_values(chosen);
    require_values(items, chosen, of_values,
                   of_values == chosen.source
                       ? ""
                       : fmt::format("{} with --combine {}", family_word(chosen.source),
                                     combination_words[static_cast<std::size_t>(chosen.combine)]));
  }
  const LabelSetIndex index = index_label_sets(items.sets);
  chosen = settled(chosen, index, items.labels, fit.warnings);
  MultilabelModel& model = fit.model;
  model.labels = items.labels;
  model.options = chosen;
  model.preparation = learn_preparation(items.features, preparation_options(chosen), run.threads);
  if (!model.preparation.constant.empty()) fit.warnings.push_back(constant_text(model.preparation.constant));
  // Features that stay as they are need no second copy.
  std::vector<double> prepared;
  std::span<const double> x = items.features.values;
  if (!leaves_features(model.preparation)) {
    prepared = prepare(model.preparation, items.features, run.threads);
    x = prepared;
  }
  require_workable(items, chosen, x, model.preparation.outputs());
  model.prior = learn_set_prior(index);
  learn(index, x, run, kept ? kept->fit_run() : run, fit);
  fit.log_likelihood = log_likelihood(model, index, x, run.threads);
  if (by_label) model.thresholds.assign(items.labels.size(), 0.5);
  if (!calibrate_too || folds < 2) model.calibration = seen_densities(model, x, run.threads);
  if ((calibrate_too || by_label) && folds >= 2) {
    std::vector<double>().swap(prepared);  // the parts that are held out are prepared on their own
    const HeldOut unseen = held_out(items, chosen, folds, run);
    if (calibrate_too) model.calibration = calibrate(unseen);
    if (by_label) model.thresholds = best_thresholds(unseen.counts, options.optimize);
  }
  fit.items = items.rows();
  fit.label_sets = index.size();
  add_findings(items, chosen, index, fit);
  return fit;
}

}  // namespace

MultilabelFit train_multilabel(const LabelledItems& items, const TrainOptions& options, bool calibrate_too,
                               const RunContext& run) {
  check_ranges(options);
  require_labels(items);
  const LabelGroups groups = group_labels(items.sets, items.labels);
  const bool is_plain = groups.is_plain();
  MultilabelFit fit = is_plain ? train_grouped(items, options, calibrate_too, run)
                               : train_grouped({items.features, groups.names(), groups.grouped(items.sets)}, options,
                                               calibrate_too, run);
  fit.model.fill = middle_values(items.features);
  std::vector<std::string> told = told_labels(items, groups);
  fit.warnings.insert(fit.warnings.begin(), told.begin(), told.end());
  if (!is_plain) fit.model.groups = groups;
  return fit;
}

}  // namespace motet::multilabel
