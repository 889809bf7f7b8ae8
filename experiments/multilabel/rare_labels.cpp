#include "experiments/multilabel/rare_labels.h"

#include <fmt/format.h>

#include <limits>

#include "experiments/multilabel/rare_words.h"
#include "motet/base/streams.h"
#include "motet/measure/label_sets.h"
#include "motet/multilabel/baselines/compare.h"
#include "motet/multilabel/predict.h"
#include "motet/multilabel/train.h"

namespace motet::multilabel {
namespace {

struct Setting {
  std::string name;
  RareWordsOptions texts;
};

std::vector<Setting> settings_of(bool quick) {
  if (quick) return {{"small", {60, 40, 5, 8, 15, 0.5, 0.05}}};
  return {{"few labels", {300, 300, 8, 15, 25, 0.4, 0.05}},
          {"many labels", {600, 600, 30, 60, 25, 0.4, 0.05}},
          {"few items", {120, 400, 10, 20, 25, 0.4, 0.05}},
          {"new sets", {400, 400, 12, 30, 30, 0.5, 0.3}}};
}

// The first half of the items teaches, the other is asked.
std::pair<LabelledItems, LabelledItems> halves(const LabelledItems& items) {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> second;
  for (std::uint32_t n = 0; n < items.rows(); ++n) (n < items.rows() / 2 ? first : second).push_back(n);
  return {rows_of(items, first), rows_of(items, second)};
}

constexpr double no_probability = std::numeric_limits<double>::quiet_NaN();

struct Judged {
  BitMatrix sets;
  double calibration = no_probability;
  std::string chosen;
};

Judged judged(Training method, const LabelledItems& train, const LabelledItems& test,
              const ExperimentContext& context) {
  TrainOptions options;
  options.method = method;
  const MultilabelFit fit = train_multilabel(train, options, true, context.run);
  const SetPredictions found = predict(fit.model, test.features, {}, context.run);
  std::vector<std::uint8_t> right;
  for (std::size_t n = 0; n < test.rows(); ++n) {
    const auto truth = test.sets.row(n);
    right.push_back(std::equal(truth.begin(), truth.end(), found.sets.row(n).begin()) ? 1 : 0);
  }
  return {found.sets, reliability(found.probability, right).expected_calibration_error,
          fit.model.trials.empty() ? "" : fit.model.trials.front().name};
}

void add_row(Table& table, const std::string& name, const BitMatrix& truth, const Judged& found) {
  const LabelSetQuality quality = label_set_quality(truth, found.sets);
  table.rows.push_back({name, with_error(quality.error_rate, quality.error_rate_error, 3), quality.micro_f1,
                        quality.macro_f1, found.calibration});
}

}  // namespace

Outcome run_multilabel_rare_labels(const ExperimentContext& context) {
  ExperimentWriter writer("multilabel-rare-labels", "Made-up texts with rare labels");
  std::uint64_t number = 0;
  for (const Setting& setting : settings_of(context.quick)) {
    RareWordsOptions texts = setting.texts;
    texts.items *= 2;
    const auto [train, test] =
        halves(rare_words(texts, drawn_seed(context.run.seed, Stream::multilabel_simulation, ++number)));
    const Judged best = judged(Training::automatic, train, test, context);
    writer.section(setting.name, fmt::format("{} training and as many test items, {} words, {} labels. Chosen by "
                                             "cross-validation inside the training items: {}.",
                                             train.rows(), texts.vocabulary, texts.labels, best.chosen));
    Table table{{{"method"}, {"error"}, {"micro F", 3}, {"macro F", 3}, {"calibration error", 3}}, {}};
    add_row(table, "auto", test.sets, best);
    for (const Training method :
         {Training::log_linear, Training::logistic, Training::svm, Training::chain, Training::powerset}) {
      add_row(table, training_words[static_cast<std::size_t>(method)], test.sets, judged(method, train, test, context));
    }
    for (const char* word : {"ovr-logistic", "lp-svm", "ml-knn"}) {
      add_row(table, word, test.sets, {run_baseline(word, train, test.features, context.run), no_probability, {}});
    }
    writer.table(setting.name, std::move(table));
  }
  return writer.finish("every method but auto with its default settings");
}

}  // namespace motet::multilabel
