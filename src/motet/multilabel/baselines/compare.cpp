#include "motet/multilabel/baselines/compare.h"

#include <algorithm>
#include <map>

#include "motet/base/error.h"
#include "motet/data/preparation.h"
#include "motet/multilabel/baselines/linear_discriminant.h"
#include "motet/multilabel/baselines/logistic_regression.h"
#include "motet/multilabel/baselines/nearest_neighbours.h"
#include "motet/multilabel/baselines/support_vectors.h"

namespace motet::multilabel {
namespace {

// Every different label set is a class of its own.
BitMatrix label_powerset(const BaselineData& data, const ClassRule& rule, const RunContext& run) {
  std::vector<std::uint32_t> classes(data.test_rows(), 0);
  if (data.index.size() > 1) classes = rule(data, data.index.of_row, data.index.size(), run);
  return data.index.sets.rows_of(classes);
}

// A decision of its own for every label. One that no training item has, or that all have, needs none.
BitMatrix one_versus_rest(const BaselineData& data, const ClassRule& rule, const RunContext& run) {
  RunContext single = run;
  single.threads = {1};
  std::vector<std::vector<std::uint32_t>> decisions(data.labels());
  for_each_task(data.labels(), run.threads, [&](std::size_t label) {
    std::vector<std::uint32_t> has(data.train_rows());
    for (std::size_t n = 0; n < has.size(); ++n) has[n] = data.sets(n, label) ? 1 : 0;
    const bool mixed = std::find(has.begin(), has.end(), 1 - has[0]) != has.end();
    decisions[label] = mixed ? rule(data, has, 2, single) : std::vector<std::uint32_t>(data.test_rows(), has[0]);
  });
  BitMatrix result(data.test_rows(), data.labels());
  for (std::size_t label = 0; label < data.labels(); ++label) {
    for (std::size_t n = 0; n < result.rows(); ++n) result.set(n, label, decisions[label][n] == 1);
  }
  return result;
}

BaselineData prepared(const LabelledItems& train, const NumberTable& test, const RunContext& run) {
  const Preparation preparation = learn_preparation(train.features, {.standardize = true}, run.threads);
  BaselineData data;
  data.dimensions = preparation.outputs();
  data.train = prepare(preparation, train.features, run.threads);
  data.test = prepare(preparation, test, run.threads);
  data.index = index_label_sets(train.sets);
  data.sets = train.sets;
  return data;
}

BitMatrix run_on(const std::string& word, const BaselineData& data, const RunContext& run) {
  if (word == "ml-knn") return nearest_neighbours(data, run);
  const std::map<std::string, ClassRule> rules{
      {"lda", linear_discriminant}, {"logistic", logistic_regression}, {"svm", support_vectors}};
  const auto rule = rules.find(word.substr(word.find('-') + 1));
  if (rule == rules.end()) fail(ErrorKind::internal, "baseline '" + word + "' has no rule");
  return word.starts_with("lp-") ? label_powerset(data, rule->second, run) : one_versus_rest(data, rule->second, run);
}

void require_known(const std::string& word) {
  std::string known;
  for (const Baseline& baseline : baselines()) {
    if (baseline.word == word) return;
    known += (known.empty() ? "" : ", ") + baseline.word;
  }
  fail(ErrorKind::usage, "--compare: '" + word + "' is not one of {" + known + "}");
}

void require_items(const LabelledItems& train) {
  if (train.has_sets() && train.rows() >= 2) return;
  fail(ErrorKind::bad_data, "there are " + std::to_string(train.has_sets() ? train.rows() : 0) +
                                " training items with label sets; a comparison needs at least two");
}

}  // namespace

const std::vector<Baseline>& baselines() {
  static const std::vector<Baseline> all{{"label powerset, linear discriminant", "lp-lda"},
                                         {"label powerset, logistic regression", "lp-logistic"},
                                         {"label powerset, support vectors (radial)", "lp-svm"},
                                         {"one versus rest, linear discriminant", "ovr-lda"},
                                         {"one versus rest, logistic regression", "ovr-logistic"},
                                         {"one versus rest, support vectors (radial)", "ovr-svm"},
                                         {"10 nearest neighbours (ML-kNN)", "ml-knn"}};
  return all;
}

BitMatrix run_baseline(const std::string& word, const LabelledItems& train, const NumberTable& test,
                       const RunContext& run) {
  require_known(word);
  require_items(train);
  return run_on(word, prepared(train, test, run), run);
}

}  // namespace motet::multilabel
