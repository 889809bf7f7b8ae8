// A trained multi-label classifier: plain values, one record.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "motet/data/labelled_items.h"
#include "motet/data/preparation.h"
#include "motet/data/record.h"
#include "motet/multilabel/label_groups.h"
#include "motet/multilabel/linear/linear_weights.h"
#include "motet/multilabel/one_against_all.h"
#include "motet/multilabel/options.h"
#include "motet/multilabel/set_prior.h"
#include "motet/sources/sources.h"

namespace motet::multilabel {

// P(the chosen set is right) from its posterior p: log odds a + b logit(p), learnt on items that the
// model had not seen (cross-validation inside the training items). b = 0 and a = 0: not calibrated.
struct Calibration {
  double intercept = 0.0;
  double slope = 0.0;
  std::size_t items = 0;  // that it was learnt on
  // Quantiles (level, value) of log p(x) of those items, for outliers; without calibration of the training items.
  std::vector<std::pair<double, double>> density;
  bool known() const { return slope != 0.0; }
};

// One way that `auto` tried.
struct Trial {
  std::string name;  // of name_of_way, such as "deconvolution mean shared pca 20"
  TrainOptions options;
  double error = 0.0;           // exact-match error in cross-validation
  double standard_error = 0.0;  // of it, over items
  double log_loss = 0.0;        // -log posterior of the true set, per item
  double behind = 0.0;          // its error minus that of the chosen way, on the same items
  double behind_error = 0.0;    // standard error of that difference
  std::size_t way = 0;          // its number among those that were tried; in no record
  double loss = 0.0;            // what was to be least: the error, log-loss, Hamming loss, or 1 - F1
};

struct MultilabelModel {
  std::vector<std::string> labels;  // that were learnt; of labels that always come together one, called "a|b"
  Preparation preparation;
  TrainOptions options;  // method is never `automatic`: what was chosen
  Sources sources;       // method `new`: one source per observed set, in the order of prior.sets
  LabelSetPrior prior;
  Calibration calibration;
  std::vector<Trial> trials;             // of `auto`, best first
  std::optional<OneAgainstAll> against;  // of cross and probabilistic training
  std::optional<LinearWeights> linear;   // of trainings without sources
  std::vector<double> fill;              // middle values of the features, for missing ones; empty: of an older program
  std::vector<double> thresholds;        // of each label's probability, where options.optimize is by label
  std::optional<LabelGroups> groups;     // where some labels are in no item or always come together

  bool per_set() const { return options.method == Training::fresh; }
  // Labels as the data named them; predictions are in these.
  const std::vector<std::string>& all_labels() const { return groups ? groups->labels : labels; }
};

// Label sets of items in all labels, in those that were learnt.
BitMatrix learnt_sets(const MultilabelModel& model, const BitMatrix& sets);

// What is added to log_densities when one of the observed sets is chosen, or of others (log_priors).
std::vector<double> log_observed_priors(const MultilabelModel& model);
std::vector<double> log_candidate_priors(const MultilabelModel& model, const BitMatrix& sets);

Record to_record(const MultilabelModel& model);
MultilabelModel multilabel_from_record(const Record& record);

// log p(x | L_j) for rows of prepared features (rows x outputs) and candidate sets: rows x sets.
// A model of method `new` knows only the sets of its training items; others have -inf. Of trainings without sources
// what they say of sets (linear_weights.h): log p(L | x) instead, up to a number of the item.
std::vector<double> log_densities(const MultilabelModel& model, const BitMatrix& sets, std::span<const double> x,
                                  Threads threads);

// sum_n log p(x_n | L_n) of rows of prepared features with the label sets of `index`. Sets that no source explains (no
// labels, and no background) are left out. Of trainings without sources log p(L_n | x_n) among the observed sets.
double log_likelihood(const MultilabelModel& model, const LabelSetIndex& index, std::span<const double> x,
                      Threads threads);

}  // namespace motet::multilabel
