// Options of `motet multilabel train`.
#pragma once

#include <cstddef>
#include <optional>

#include "motet/base/fields.h"
#include "motet/data/preparation.h"
#include "motet/sources/sources.h"

namespace motet::multilabel {

// How sources are learnt from items with several labels.
enum class Training {
  deconvolution,  // maximum likelihood of the combination: every item teaches all its sources
  ignore,         // only items with one label
  fresh,          // `new`: a distribution of its own for every label set
  cross,          // an item teaches each of its labels as if it were alone
  probabilistic,  // the same with weight 1 / |L|
  automatic,      // chosen by cross-validation on the training items
  // Without sources (linear/linear_weights.h):
  log_linear,  // the labels' weights compete set against set
  logistic,    // one regression for each label
  svm,         // one support vector machine for each label
  chain,       // one regression for each label, which knows the labels before it
  powerset     // one support vector machine for each label set
};
constexpr const char* training_words[] = {"deconvolution", "ignore",   "new", "cross", "probabilistic", "auto",
                                          "log-linear",    "logistic", "svm", "chain", "powerset"};

constexpr bool has_sources(Training method) { return method <= Training::automatic; }

// Whether the shares of label sets among the training items weigh in when one is chosen: the other trainings without
// sources say themselves how probable a set is.
constexpr bool weighs_shares(Training method) { return has_sources(method) || method == Training::log_linear; }

// What a model is meant to be good at: which way `auto` chooses, and how it decides.
enum class Optimize {
  exact_match,  // whole sets that are right
  log_loss,     // the probability of the true set
  hamming,      // labels that are right
  micro_f1,     // F1 of all labels of all items
  macro_f1      // mean over labels of their F1
};
constexpr const char* optimize_words[] = {"exact-match", "log-loss", "hamming", "micro-f1", "macro-f1"};

// Whether decisions go label by label, by the probability of each.
constexpr bool is_by_label(Optimize optimize) { return optimize >= Optimize::hamming; }

// Options that `auto` would choose, but not where they were given.
struct GivenOptions {
  bool source = false;
  bool combine = false;
  bool covariance = false;
  bool background = false;
  bool noise = false;
  bool kernel_width = false;
  bool penalty = false;
};

struct TrainOptions {
  Training method = Training::deconvolution;
  Family source = Family::gaussian;
  Combination combine = Combination::sum;
  Covariance covariance = Covariance::diagonal;
  bool background = false;
  bool noise = false;
  bool standardize = false;
  std::size_t pca = 0;
  std::size_t kernel = 0;
  double kernel_width = 1.0;
  std::optional<double>
      shrinkage;                // of covariances to the pooled, then to its diagonal; empty: estimated from the data
  double prior_strength = 0.0;  // pseudo-items of the conjugate prior; 0: maximum likelihood
  double penalty = 0.1;         // of the weights of a training without sources
  Optimize optimize = Optimize::exact_match;
  double budget = 0.0;    // seconds for the whole training; 0: no limit
  std::size_t folds = 5;  // of the cross-validation inside the training items
  std::size_t max_iterations = 5000;
  double tolerance = 1e-10;
  GivenOptions given = {};  // of `auto` alone; in no record
};

constexpr double least_prior = 1.0;  // pseudo-items that decide what the items leave open

inline PreparationOptions preparation_options(const TrainOptions& options) {
  return {options.standardize, options.pca, options.kernel, options.kernel_width};
}

template <class V>
void visit_fields(V& v, TrainOptions& o) {
  v("method", o.method,
    Choices{{"deconvolution", "ignore", "new", "cross", "probabilistic", "auto", "log-linear", "logistic", "svm",
             "chain", "powerset"}},
    "how items with several labels teach the sources, or (log-linear and what follows) weights that tell label sets "
    "apart without sources; auto chooses method, combination, covariance and preparation by cross-validation inside "
    "the training items");
  v("source", o.source, Choices{family_names()}, "distribution of what a source emits");
  v("combine", o.combine, Choices{{"sum", "mean", "or", "and", "min", "product", "one-of"}},
    "how emissions make an item");
  v("covariance", o.covariance, Choices{{"spherical", "diagonal", "full", "shared", "point"}},
    "of Gaussian sources; shared is one matrix for all, point is none and needs --noise");
  v("background", o.background, "a source that is in every item; it also explains items without labels");
  v("noise", o.noise, "noise of its own in every item, beside what the sources emit");
  v("standardize", o.standardize, "centre each feature and divide it by its standard deviation");
  v("pca", o.pca, Range<std::size_t>{0, 100000}, "project onto this many principal components; 0: do not");
  v("kernel", o.kernel, Range<std::size_t>{0, 20000},
    "let sources bend: components (--pca) of a radial kernel on this many training items at most; 0: no kernel");
  v("kernel_width", o.kernel_width, Range<double>{0.01, 100.0},
    "of the radial kernel, in roots of the sum of the features' variances");
  v("shrinkage", o.shrinkage, Range<double>{0.0, 1.0},
    "weight of the pooled covariance in each source's; else estimated from the data");
  v("prior_strength", o.prior_strength, Range<double>{0.0, 1e9},
    "pseudo-items of the conjugate prior; 0 is maximum likelihood");
  v("penalty", o.penalty, Range<double>{1e-9, 1e9},
    "of the weights of log-linear, logistic, svm, chain and powerset, for items of mean squared length 1");
  v("optimize", o.optimize, Choices{{"exact-match", "log-loss", "hamming", "micro-f1", "macro-f1"}},
    "what auto chooses by and predict aims at: whole sets, their probability, single labels, or F1 with thresholds "
    "learnt on held-out items");
  v("budget", o.budget, Range<double>{0.0, 1e7},
    "seconds that auto may take: ways for which no time is left are not tried; 0: all are");
  v("folds", o.folds, Range<std::size_t>{2, 100}, "of the cross-validation inside the training items");
  v("max_iterations", o.max_iterations, Range<std::size_t>{1, 1'000'000}, "limit of steps of the fit");
  v("tolerance", o.tolerance, Range<double>{0.0, 0.1},
    "relative change of the parameters in one step that ends the fit");
}

}  // namespace motet::multilabel
