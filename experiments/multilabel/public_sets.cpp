// Four public sets with their usual splits: what `auto` reaches, and the usual classifiers beside it.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "experiments/multilabel/figures.h"
#include "motet/data/split.h"
#include "motet/io/labelled_items_file.h"
#include "motet/measure/label_sets.h"
#include "motet/multilabel/baselines/compare.h"
#include "motet/multilabel/predict.h"
#include "motet/multilabel/train.h"
#include "motet/report/bar_plot.h"

namespace motet::multilabel {

namespace {

struct Row {
  std::string method;
  std::array<double, 5> value{};  // exact-match error, balanced error, Hamming loss, micro F, macro F
};

struct PublicSet {
  std::string name;
  std::vector<Row> references;
  double best_generative = 0.0;  // exact-match error of the best of the five trainings
};

// An independent computation on the same splits. Some of its rows chose a setting with the test items in
// sight (deconvolution on yeast and birds), which flatters them.
const std::vector<PublicSet> sets = {{"emotions",
                                      {{"ignore", {.896, .922, .323, .349, .323}},
                                       {"new", {.698, .840, .223, .665, .664}},
                                       {"cross", {.748, .894, .256, .582, .564}},
                                       {"probabilistic", {.748, .894, .262, .570, .557}},
                                       {"deconvolution", {.718, .886, .229, .668, .651}},
                                       {"scikit-learn, powerset SVM", {.634, .832, .191, .712, .706}},
                                       {"scikit-learn, powerset LDA", {.693, .850, .224, .665, .658}},
                                       {"scikit-learn, one-versus-rest logistic", {.762, .881, .207, .650, .629}},
                                       {"scikit-learn, extra trees", {.703, .860, .187, .677, .656}}},
                                      .698},
                                     {"scene",
                                      {{"ignore", {.320, .655, .095, .727, .731}},
                                       {"new", {.330, .634, .099, .720, .726}},
                                       {"cross", {.337, .660, .102, .711, .718}},
                                       {"probabilistic", {.334, .658, .101, .714, .721}},
                                       {"deconvolution", {.330, .653, .100, .718, .725}},
                                       {"scikit-learn, powerset SVM", {.279, .630, .081, .767, .770}},
                                       {"scikit-learn, powerset LDA", {.351, .636, .103, .709, .718}},
                                       {"scikit-learn, one-versus-rest logistic", {.485, .655, .108, .679, .683}},
                                       {"scikit-learn, extra trees", {.516, .746, .096, .650, .638}}},
                                      .320},
                                     {"yeast",
                                      {{"ignore", {.991, .993, .331, .119, .034}},
                                       {"new", {.807, .959, .240, .600, .440}},
                                       {"cross", {.973, .992, .307, .271, .156}},
                                       {"probabilistic", {.968, .990, .304, .281, .162}},
                                       {"deconvolution", {.795, .979, .221, .612, .349}},
                                       {"scikit-learn, powerset SVM", {.726, .954, .201, .651, .432}},
                                       {"scikit-learn, powerset LDA", {.784, .941, .229, .616, .448}},
                                       {"scikit-learn, one-versus-rest logistic", {.843, .977, .207, .628, .379}},
                                       {"scikit-learn, extra trees", {.854, .976, .197, .613, .322}}},
                                      .795},
                                     {"birds",
                                      {{"ignore", {.517, .944, .055, .274, .189}},
                                       {"new", {.542, .932, .060, .420, .352}},
                                       {"cross", {.508, .936, .062, .318, .249}},
                                       {"probabilistic", {.514, .936, .061, .350, .274}},
                                       {"deconvolution", {.529, .948, .063, .307, .232}},
                                       {"scikit-learn, powerset SVM", {.517, .968, .046, .263, .189}},
                                       {"scikit-learn, powerset LDA", {.542, .916, .063, .390, .324}},
                                       {"scikit-learn, one-versus-rest logistic", {.520, .955, .057, .394, .293}},
                                       {"scikit-learn, extra trees", {.468, .939, .040, .405, .254}}},
                                      .508}};

LabelledItems read_part(const ExperimentContext& context, const std::string& name, const std::string& part) {
  const std::string folder = data_folder(context, "multilabel/" + name);
  LabelledFormat format;
  format.labels_file = folder + "/" + name + ".xml";
  return read_labelled_items(folder + "/" + name + "-" + part + ".arff", format, context.run).items;
}

// About `wanted` items in which labels keep their shares, and none is lost: the first rows of a file may lack some.
LabelledItems some_of(const LabelledItems& items, std::size_t wanted, Seed seed) {
  if (items.rows() <= wanted) return items;
  const auto size = static_cast<double>(wanted);
  const std::vector<double> shares{size, static_cast<double>(items.rows()) - size};
  std::vector<std::uint32_t> part = stratified_parts(items.sets, shares, seed).of_row;
  for (std::size_t k = 0; k < items.labels.size(); ++k) {
    std::size_t first = items.rows();
    bool is_in = false;
    for (std::size_t n = 0; n < items.rows(); ++n) {
      if (!items.sets(n, k)) continue;
      first = std::min(first, n);
      is_in = is_in || part[n] == 0;
    }
    if (!is_in && first < items.rows()) part[first] = 0;
  }
  std::vector<std::uint32_t> rows;
  for (std::uint32_t n = 0; n < part.size(); ++n) {
    if (part[n] == 0) rows.push_back(n);
  }
  return rows_of(items, rows);
}

void add_row(Table& table, const std::string& method, const std::string& whose, const LabelSetQuality& quality,
             double calibration) {
  table.rows.push_back({method, whose, with_error(quality.error_rate, quality.error_rate_error, 3),
                        quality.balanced_error_rate, quality.hamming_loss, quality.micro_f1, quality.macro_f1,
                        calibration});
}

struct Chosen {
  std::string name;
  std::size_t label_sets = 0;
  LabelSetQuality quality;
  double calibration = 0.0;  // expected calibration error
};

Chosen choose(const LabelledItems& train, const LabelledItems& test, const ExperimentContext& context) {
  TrainOptions options;
  options.method = Training::automatic;
  options.given.source = true;  // the generative ways, which the references are of
  if (context.quick) options.folds = 2;
  const MultilabelFit fit = train_multilabel(train, options, true, context.run);
  const SetPredictions predicted = predict(fit.model, test.features, {}, context.run);
  std::vector<std::uint8_t> right;
  for (std::size_t n = 0; n < test.rows(); ++n) {
    const auto truth = test.sets.row(n);
    const auto told = predicted.sets.row(n);
    right.push_back(std::equal(truth.begin(), truth.end(), told.begin()) ? 1 : 0);
  }
  return {fit.model.trials.empty() ? std::string() : fit.model.trials.front().name, fit.label_sets,
          label_set_quality(test.sets, predicted.sets),
          reliability(predicted.probability, right).expected_calibration_error};
}

}  // namespace

Outcome run_multilabel_public_sets(const ExperimentContext& context) {
  ExperimentWriter writer("multilabel-public-sets", "Four public sets with their usual splits");
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Table summary{
      {{"set"}, {"chosen"}, {"error"}, {"best generative reference", 3}, {"as good"}, {"calibration error", 4}}, {}};
  Bars bars;
  for (const PublicSet& set : sets) {
    LabelledItems train = read_part(context, set.name, "train");
    LabelledItems test = read_part(context, set.name, "test");
    if (context.quick) {
      train = some_of(train, 100, context.run.seed);
      test = some_of(test, 60, context.run.seed);
    }
    const auto [chosen, label_sets, quality, calibration] = choose(train, test, context);
    writer.section(set.name, fmt::format("{} training and {} test items, {} labels, {} label sets. Chosen by "
                                         "cross-validation inside the training items: {}.",
                                         train.rows(), test.rows(), train.labels.size(), label_sets, chosen));
    Table table{{{"method"},
                 {"whose"},
                 {"error"},
                 {"balanced error", 3},
                 {"Hamming loss", 3},
                 {"micro F", 3},
                 {"macro F", 3},
                 {"calibration error"}},
                {}};
    add_row(table, "auto", "ours", quality, calibration);
    bars.names.push_back(set.name);
    bars.values.push_back(quality.error_rate);
    bars.groups.push_back("auto");
    for (const Baseline& baseline : baselines()) {
      const LabelSetQuality other =
          label_set_quality(test.sets, run_baseline(baseline.word, train, test.features, context.run));
      add_row(table, baseline.name, "ours", other, none);
      bars.names.push_back(set.name);
      bars.values.push_back(other.error_rate);
      bars.groups.push_back(baseline.word);
    }
    for (const Row& row : set.references) {
      table.rows.push_back({row.method, std::string("reference"), fmt::format("{:.3f}", row.value[0]), row.value[1],
                            row.value[2], row.value[3], row.value[4], none});
    }
    writer.table(set.name, std::move(table));
    summary.rows.push_back({set.name, chosen, with_error(quality.error_rate, quality.error_rate_error, 3),
                            set.best_generative, std::string(quality.error_rate <= set.best_generative ? "yes" : "no"),
                            calibration});
  }
  writer.section("All four",
                 "Exact-match error against the best generative reference on each set, and the expected "
                 "calibration error of the probability that goes with the told set.");
  writer.table("Summary", std::move(summary));
  bars.name_title = "set";
  bars.value_title = "exact-match error";
  bars.digits = 3;
  writer.plot(bar_plot({"Exact-match error", "On the test items of the usual splits; smaller is better."}, bars));
  return writer.finish(
      "settings of the references for deconvolution on yeast and birds were chosen on the test items; ours never are");
}

}  // namespace motet::multilabel
